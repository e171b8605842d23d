#!/usr/bin/python3
"""wide_values.py [--every N] INPUT…: runs many models on values, and prints what comes out of each, to five digits.

An INPUT is as wide.py has it.  Inputs are the same small numbers for every model, by the types and shapes that `npu-advise inspect` tells, free
dimensions being 2; no library's kernels (--kernels plain), whose last digits are of the machine.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess

import numpy
import wide

MOST_ELEMENTS, MOST_PRINTED = 1 << 16, 64


def number_of(i, dtype):
    """Numbers of both signs that are not in order."""
    values = (i * 7919 % 23 - 9) / 4
    if dtype == "bool":
        return values > 0
    return (numpy.abs(values * 4) if dtype.startswith("uint") else values * (1 if dtype.startswith("float") else 4)).astype(dtype)


def inputs_of(model):
    """Arrays, or None where there is no telling."""
    done = subprocess.run([os.environ["NPU_ADVISE"], "inspect", model, "--json", "-", "-q"], capture_output=True)
    arrays = []
    for i, t in enumerate(json.loads(done.stdout)["inputs"] if done.returncode == 0 else []):
        shape = [d if isinstance(d, int) else 2 for d in t["shape"] or []]
        if t["dtype"] not in numpy.sctypeDict or not all(0 <= d <= MOST_ELEMENTS for d in shape) or numpy.prod(shape, dtype=float) > MOST_ELEMENTS:
            return None
        arrays.append(number_of(numpy.arange(int(numpy.prod(shape, dtype=int))).reshape(shape) + i, t["dtype"]))
    return arrays or None


def told(array):
    flat = array.ravel()
    shown = [f"{v:.5g}" if array.dtype.kind == "f" else str(v) for v in flat[::max(1, -(-flat.size // MOST_PRINTED))]]
    return f"  {array.dtype}{list(array.shape)} {' '.join(shown)}"


def run(model, arrays, more):
    for name in ("in", "out"):
        shutil.rmtree(name, ignore_errors=True)
    os.mkdir("in")
    for i, array in enumerate(arrays):
        numpy.save(f"in/input_{i}.npy", array)
    done = subprocess.run([os.environ["NPU_EXEC"], model, "--values", "--kernels", "plain", "--input-dir", "in", "--output-dir", "out", *more],
                          capture_output=True, text=True, errors="backslashreplace")
    print(f"== {model.name} {' '.join(more)}: {done.returncode}", *done.stderr.splitlines()[-1:])
    for path in sorted(pathlib.Path("out").glob("*.npy")) if done.returncode == 0 else []:
        print(told(numpy.load(path)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("inputs", nargs="+")
    options = parser.parse_args()
    shutil.rmtree(wide.INPUTS, ignore_errors=True)
    for name, data in wide.inputs(options.inputs, options.every):
        folder, files = wide.laid_out(name, data)
        arrays = inputs_of(files[0])
        if arrays:
            run(files[0], arrays, [[], ["--sdk", "0.9"]][wide.number_of(name) // options.every % 2])
        shutil.rmtree(folder)
    for name in ("in", "out"):
        shutil.rmtree(name, ignore_errors=True)


main()

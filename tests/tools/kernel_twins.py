#!/usr/bin/python3
"""kernel_twins.py MODEL…: runs models on three samples by the kernels that npu-exec chooses and by the plain ones, and compares.

What is made for weights is made in the first run and used in those that follow.  Each model has one input `x` of floats.
Quantized models ("-codes") must give the same bits, others the same numbers but for 1e-5 of the largest.  A line a model.
"""
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import onnx

SAMPLES, CLOSE = 3, 1e-5


def run(model, kernels):
    shutil.rmtree(kernels, ignore_errors=True)
    done = subprocess.run([os.environ["NPU_EXEC"], model, "--values", "--kernels", kernels, "--data", "in", "--output-dir", kernels],
                          capture_output=True, text=True, errors="backslashreplace")
    arrays = [numpy.load(path) for path in sorted(pathlib.Path(kernels).glob("*.npy"))] if done.returncode == 0 else []
    return done.returncode, done.stderr.strip().splitlines()[-1:], arrays


def verdict(model):
    dims = [d.dim_value for d in onnx.load(model).graph.input[0].type.tensor_type.shape.dim]
    shutil.rmtree("in", ignore_errors=True)
    os.mkdir("in")
    rows = [SAMPLES * dims[0], *dims[1:]]
    numpy.save("in/x.npy", numpy.random.default_rng(5).normal(scale=2, size=rows).astype(numpy.float32))
    plain, chosen = run(model, "plain"), run(model, "auto")
    if plain[0] or chosen[0]:
        return f"status {plain[0]}" if plain[:2] == chosen[:2] else f"DIFFERS: status {plain[0]} {plain[1]} and {chosen[0]} {chosen[1]}"
    exact = model.stem.endswith("-codes")
    for a, b in zip(plain[2], chosen[2]):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"DIFFERS: {a.dtype}{a.shape} and {b.dtype}{b.shape}"
        far = numpy.abs(a.astype(float) - b).max(initial=0)
        if far > (0 if exact else CLOSE * max(1, numpy.abs(a.astype(float)).max(initial=0))):
            return f"DIFFERS by {far:g}"
    return "equal" if exact else "close"


def main():
    for path in map(pathlib.Path, sys.argv[1:]):
        print(f"{path.name}: {verdict(path)}")
    for name in ("in", "plain", "auto"):
        shutil.rmtree(name, ignore_errors=True)


main()

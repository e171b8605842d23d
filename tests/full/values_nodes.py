#!/usr/bin/python3
"""npu-exec --values on the backend tests that ONNX publishes (package libonnx-testdata): one operator each, with inputs
and expected outputs made by ONNX's own reference.

Every test of the package is run (or every N-th).  One that npu-exec refuses by name (status 3: an operator, type or shape that --values
does not handle) is unsupported, and so is one whose files hold another type than its model says; everything else must
give the expected type, shape and numbers.  Floats may differ by a relative 1e-3 (ONNX's own limit) and an absolute 1e-6;
integers and booleans must be equal, bytes within one step.  A twin with one element off must be refused.

  tests/full/values_nodes.py [--build BUILD] [--list] [--every N] [TEXT]      TEXT: only tests whose name contains it

Ends with "N tests: N passed, N unsupported, N wrong"; 77 where the package is not installed.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnx.numpy_helper

DATA = pathlib.Path(onnx.__file__).resolve().parent / "backend" / "test" / "data"
TIME_LIMIT_S = 20


def tensors(data, kind):
    """The tensors of input_N.pb or output_N.pb, in order."""
    found = []
    for i in range(len(list(data.glob(f"{kind}_*.pb")))):
        found.append(onnx.TensorProto())
        found[-1].ParseFromString((data / f"{kind}_{i}.pb").read_bytes())
    return found


def contradicts(test, data):
    """Whether the files hold another type than the model says: the package keeps bfloat16 as uint16."""
    graph = onnx.load(test / "model.onnx").graph
    return any(v.type.WhichOneof("value") == "tensor_type" and t.data_type != v.type.tensor_type.elem_type
               for kind, values in (("input", graph.input), ("output", graph.output))
               for v, t in zip(values, tensors(data, kind)))


def is_close(found, wanted):
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return False
    if wanted.dtype in (numpy.int8, numpy.uint8):
        return not wanted.size or numpy.abs(found.astype(int) - wanted.astype(int)).max() <= 1
    if not numpy.issubdtype(wanted.dtype, numpy.floating):
        return numpy.array_equal(found, wanted)
    return numpy.allclose(found.astype(float), wanted.astype(float), rtol=1e-3, atol=1e-6, equal_nan=True)


def twin_of(array):
    """The same with its last element off by an amount that matters."""
    twin = array.copy()
    flat = twin.reshape(-1)
    if array.dtype.kind in "iu":
        flat[-1] ^= array.dtype.type(0x40)
    else:
        flat[-1] = not flat[-1] if array.dtype == bool else flat[-1] + abs(flat[-1]) + 1 if numpy.isfinite(flat[-1]) else 1
    return twin


def run(program, test):
    """(verdict, reason)."""
    for data in sorted(test.glob("test_data_set_*")):
        with tempfile.TemporaryDirectory() as out:
            try:
                done = subprocess.run([program, test / "model.onnx", "--values", "--input-dir", data, "--output-dir", out],
                                      capture_output=True, text=True, errors="replace", timeout=TIME_LIMIT_S)
            except subprocess.TimeoutExpired:
                return "wrong", f"takes longer than {TIME_LIMIT_S} s"
            said = done.stderr.strip().splitlines()[-1:] or [""]
            if done.returncode == 3 or contradicts(test, data):
                return "unsupported", said[0]
            if done.returncode:
                return "wrong", said[0]
            for i, wanted in enumerate(map(onnx.numpy_helper.to_array, tensors(data, "output"))):
                found = numpy.load(pathlib.Path(out) / f"output_{i}.npy")
                if not is_close(found, wanted):
                    return "wrong", f"output {i} differs"
                if wanted.size and is_close(twin_of(found), wanted):
                    return "wrong", f"output {i}: a broken twin is taken for good"
    return "passed", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--list", action="store_true", help="say for each unsupported test why")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("text", nargs="?", default="")
    options = parser.parse_args()
    tests = sorted(m.parent for m in DATA.glob("*/*/model.onnx") if options.text in m.parent.name)[::options.every]
    if not tests:
        print("needs the Debian package libonnx-testdata")
        return 77
    program = pathlib.Path(options.build).resolve() / "npu-exec"
    count = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for test, (verdict, reason) in zip(tests, pool.map(lambda t: run(program, t), tests)):
            count[verdict] += 1
            if verdict == "wrong" or options.list and verdict != "passed":
                print(f"{verdict}: {test.name}: {reason}")
    print(f"{len(tests)} tests: {count['passed']} passed, {count['unsupported']} unsupported, {count['wrong']} wrong")
    return 1 if count["wrong"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())

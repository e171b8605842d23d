"""Rewrites the small models of tests/full/rewrites.py and compares the values of npu-exec before and after."""
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import onnx

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["ROOT"] + "/tests/full")
import rewrites  # noqa: E402


def run(model, x):
    shutil.rmtree("of", ignore_errors=True)
    pathlib.Path("in").mkdir(exist_ok=True)
    numpy.save("in/input_0.npy", x)
    done = subprocess.run([os.environ["NPU_EXEC"], model, "--values", "--input-dir", "in", "--output-dir", "of"], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.splitlines()[-1].removeprefix("npu-exec: ")
    return [numpy.load(path) for path in sorted(pathlib.Path("of").glob("*.npy"))]


def verdict(kind, before, after):
    dims = [d.dim_value for d in onnx.load("before.onnx").graph.input[0].type.tensor_type.shape.dim]
    x = rewrites.floats(*dims)
    old, new = run("before.onnx", x), run("after.onnx", x)
    if isinstance(old, str) or isinstance(new, str):
        return f"not run: {old if isinstance(old, str) else new}"
    far = max(float(numpy.abs(a.astype(float) - b).max() / max(1, numpy.abs(a).max())) if a.shape == b.shape else numpy.inf for a, b in zip(old, new, strict=True))
    if far == 0:
        return "equal"
    return "equal but for rounding" if far <= rewrites.KINDS[kind] else f"DIFFERS by {far:g}"


for kind, build, *_ in [*rewrites.SMALL, *rewrites.REFUSED]:
    net = rewrites.Net([1, 4, 6, 8], getattr(build, "opset", 13))
    places, outputs = build(net)
    net.save("before.onnx", *outputs)
    done = subprocess.run(["./edit_model", "before.onnx", "after.onnx", *(word for place in places for word in ("rewrite", place, kind))], capture_output=True, text=True)
    ops = [n.op_type for n in onnx.load("before.onnx").graph.node]
    if done.returncode:
        print(f"{kind} of {' '.join(ops)} =>", "refused:", done.stderr.strip().split(": ", 2)[2])
    else:
        print(f"{kind}: {' '.join(ops)} -> {' '.join(n.op_type for n in onnx.load('after.onnx').graph.node)} =>", verdict(kind, "before.onnx", "after.onnx"))

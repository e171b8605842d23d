"""Converts the models of tests/full/opset.py and compares the values of npu-exec before and after."""
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import onnx

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["ROOT"] + "/tests/full")
import opset  # noqa: E402

AROUND = ["Conv", "LeakyRelu"]
# npu-exec computes Gelu by erf whatever its attribute says; onnxruntime tells that the two are equal.
NOT_RUN = {"gelu_tanh": "not run: npu-exec has no Gelu by tanh"}


def run(model, feed):
    shutil.rmtree("of", ignore_errors=True)
    pathlib.Path("in").mkdir(exist_ok=True)
    for i, x in enumerate(feed.values()):
        numpy.save(f"in/input_{i}.npy", x)
    done = subprocess.run([os.environ["NPU_EXEC"], model, "--values", "--input-dir", "in", "--output-dir", "of"], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.splitlines()[-1].removeprefix("npu-exec: ").split(": ", 1)[-1]
    return [numpy.load(path) for path in sorted(pathlib.Path("of").glob("*.npy"))]


def verdict(before, after):
    feed = opset.feed_of(before)
    old, new = run(before, feed), run(after, feed)
    if isinstance(old, str) or isinstance(new, str):
        return f"not run: {old if isinstance(old, str) else new}"
    far = opset.distance(old, new)
    return "equal" if far == 0 else "equal but for rounding" if far <= opset.NEAR else f"DIFFERS by {far:g}"


def operators(path):
    """Without the Conv and the LeakyRelu around."""
    ops = [n.op_type for n in onnx.load(path).graph.node]
    return " ".join(ops[1:-1] if ops[:1] == AROUND[:1] and ops[-1:] == AROUND[1:] else ops)


for problem in opset.table_problems():
    print("table:", problem)
for name, number, make in opset.MODELS:
    path = opset.build(pathlib.Path(), name, number, make)
    done = opset.convert(os.environ["NPU_ADVISE"], path, "out")
    if done.returncode:
        print(name, done.stderr)
        continue
    wrong = opset.problems("out/model.onnx", path)
    after = operators("out/model.onnx")
    print(f"{name} {number}: {operators(path)} => {'same' if after == operators(path) else after}:", "; ".join(wrong) or NOT_RUN.get(name) or verdict(path, "out/model.onnx"))
for name, number, make, words in opset.REFUSED:
    path = opset.build(pathlib.Path(), name, number, make)
    print(opset.check_refused(os.environ["NPU_ADVISE"], path, pathlib.Path(), words) or opset.convert(os.environ["NPU_ADVISE"], path, "out").stderr.strip())
for path in pathlib.Path().glob("*.onnx"):
    path.unlink()
for folder in ("in", "of", "out"):
    shutil.rmtree(folder, ignore_errors=True)

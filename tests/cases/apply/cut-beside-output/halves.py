"""Writes the three models, applies their plans, and runs the halves one after the other."""
import json
import os
import pathlib
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

SHAPE = [1, 32, 96, 96]
N = helper.make_node


def model(name, shared, output=True):
    numbers = numpy.random.default_rng(0)
    q = lambda a, b: N("QuantizeLinear", [a, "s", "z"], [b])
    d = lambda a, b: N("DequantizeLinear", [a, "s", "z"], [b])
    first = ["o1"] * 3 if shared else ["o1", "o1b", "o1c"]
    nodes = [N("DequantizeLinear", ["w8", "ws", "z"], ["w"]), q("x", "xq"), d("xq", "xd"), N("Conv", ["xd", "w"], ["c1"], pads=[1] * 4),
             q("c1", "c1q"), *[d("c1q", t) for t in dict.fromkeys(first)], N("Conv", [first[1], "w"], ["c2"], pads=[1] * 4),
             q("c2", "c2q"), d("c2q", "c2d"), N("Add", [first[2], "c2d"], ["o2"])]
    constants = dict(s=numpy.float32(0.05), z=numpy.int8(0), ws=numpy.float32(0.01), w8=numbers.integers(-99, 99, (32, 32, 3, 3)).astype(numpy.int8))
    value = lambda t: helper.make_tensor_value_info(t, TensorProto.FLOAT, SHAPE)
    g = helper.make_graph(nodes, "g", [value("x")], [value(t) for t in (["o1"] if output else []) + ["o2"]],
                          [numpy_helper.from_array(a, k) for k, a in constants.items()])
    onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), name + ".onnx")


def run(path, inputs):
    folder = pathlib.Path("in")
    folder.mkdir(exist_ok=True)
    for i, x in enumerate(inputs):
        numpy.save(folder / f"input_{i}.npy", x)
    subprocess.run([sys.argv[1], path, "--values", "--input-dir", folder, "--output-dir", "out"], check=True, capture_output=True)
    names = [o.name for o in onnx.load(path).graph.output]
    return {name: numpy.load(f"out/output_{i}.npy") for i, name in enumerate(names)}


def read(t, whole):
    """Codes that the model hands over, as the application scales them."""
    return t.astype(numpy.float32) * numpy.float32(0.05) if t.dtype == numpy.int8 else t


x = numpy.random.default_rng(1).normal(size=SHAPE).astype(numpy.float32)
for name, shared, output in (("twice", False, True), ("shared", True, True), ("inside", True, False)):
    model(name, shared, output)
    advise = [os.environ["NPU_ADVISE"], name + ".onnx", "-q", "--needs", "output", "--target", "./slow.xml-2pe"]
    subprocess.run([*advise, "--json", name + ".json"], check=True, capture_output=True)
    plan = next((p for p in json.loads(pathlib.Path(name + ".json").read_text())["plans"] if p["recommended"]), None)
    if not plan:
        print(f"{name}: stays whole")
        continue
    subprocess.run([advise[0], "apply", *advise[1:], "--output", name], check=True, capture_output=True)
    tail = onnx.load(name + "/tail.onnx").graph
    whole, half = run(name + ".onnx", [x]), run(name + "/model.onnx", [x])
    rest = run(name + "/tail.onnx", [read(half[i.name], whole) for i in tail.input])
    same = all(numpy.array_equal(whole[t], {**half, **rest}[t]) for t in whole)
    print(f"{name}: {plan['after']['latency_ns']['mid'] / 1e6:.2f} ms; tail {[n.op_type for n in tail.node]} of",
          sorted(i.name for i in tail.input), "equal" if same else "differs")

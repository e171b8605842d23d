"""Writes networks whose activation is spelled in parts, and tells whether an applied one gives equal values."""
import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save

sys.path.insert(0, os.path.join(os.environ["ROOT"], "tests", "tools"))
import executed  # noqa: E402

CONSTANTS = {"minus": -1, "half": -0.5, "a": 0.1, "less": -0.1}
BELOW = [("Relu", "X", "r"), ("Mul", "X minus", "n"), ("Relu", "n", "b"), ("Mul", "b a", "ab"), ("Sub", "r ab", "Y")]
NEG = [BELOW[0], ("Neg", "X", "n"), *BELOW[2:]]


def but(*changes):
    return [dict(changes).get(k, node) for k, node in enumerate(BELOW)]


SPELLED = {
    "mul": BELOW,
    "neg": NEG,
    "add": but((3, ("Mul", "b less", "ab")), (4, ("Add", "ab r", "Y"))),
    "near-half": but((1, ("Mul", "X half", "n"))),
    "near-channels": but((3, ("Mul", "b slopes", "ab"))),
    "near-swapped": but((4, ("Sub", "ab r", "Y"))),
    "near-other": but((1, ("Mul", "x minus", "n"))),
}


def network(nodes):
    rng, made, at = numpy.random.default_rng(1), [], "x"
    weights = [numpy_helper.from_array((rng.normal(size=(8, 8, 3, 3)) / 6).astype(numpy.float32), f"w{k}") for k in range(3)]
    values = {**{n: numpy.float32(v) for n, v in CONSTANTS.items()}, "slopes": rng.random((8, 1, 1)).astype(numpy.float32)}
    for k in range(3):
        made.append(helper.make_node("Conv", [at, f"w{k}"], [f"c{k}"], pads=[1] * 4))
        at = f"c{k}"
        for op, inputs, out in nodes if k < 2 else []:
            inputs = [at if i == "X" else i if i in values or i == "x" else f"{i}{k}" for i in inputs.split()]
            made.append(helper.make_node(op, inputs, [f"{out.lower()}{k}"]))
        at = f"y{k}"
    used = {i for n in made for i in n.input}
    weights += [numpy_helper.from_array(numpy.asarray(v), n) for n, v in values.items() if n in used]
    io = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [1, 8, 160, 160]) for n in ("x", "c2")]
    return helper.make_model(helper.make_graph(made, "g", io[:1], io[1:], weights), opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


if len(sys.argv) == 1:
    for name, nodes in SPELLED.items():
        save(network(nodes), f"{name}.onnx")
else:
    inputs = [numpy.random.default_rng(k).normal(size=(1, 8, 160, 160)).astype(numpy.float32) for k in range(10)]
    print(sys.argv[2], sum(numpy.allclose(executed.outputs(sys.argv[1], sys.argv[2], x), executed.outputs(sys.argv[1], sys.argv[3], x), rtol=1e-5, atol=1e-5) for x in inputs), "of 10 equal")

"""Writes small networks that have an operator which the NPU lacks at their head, in their middle or at their tail."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

N, SHAPE = helper.make_node, [1, 16, 64, 64]
NUMBERS = numpy.random.default_rng(7)


def net(name, op, places, opset=13, second=None):
    """Two Convs between `places`; `second` stands in the middle of a branch beside them."""
    weights = [numpy_helper.from_array((NUMBERS.normal(size=(16, 16, 3, 3)) / 20).astype("f"), w) for w in ("w0", "w1", "w2")]
    nodes, x = [], "x"

    def then(kind, *more, **attributes):
        nonlocal x
        nodes.append(N(kind, [x, *more], [f"{kind.lower()}{len(nodes)}"], **attributes))
        x = nodes[-1].output[0]

    if "head" in places:
        then(op)
    then("Conv", "w0", pads=[1] * 4)
    then("Relu")
    before = x
    if "middle" in places:
        then(op)
    if second:
        nodes.append(N(second, [before], ["side"]))
        nodes.append(N("Add", [x, "side"], ["both"]))
        x = "both"
    then("Conv", "w1", pads=[1] * 4)
    if "tail" in places:
        then(op)
    nodes[-1].output[0] = "y"
    v = helper.make_tensor_value_info
    g = helper.make_graph(nodes, name, [v("x", TensorProto.FLOAT, SHAPE)], [v("y", TensorProto.FLOAT, SHAPE)],
                          [w for w in weights if f'"{w.name}"' in str(nodes)])
    onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", opset)], ir_version=8), name + ".onnx")


net("floor", "Floor", ["head", "middle"])
net("selu", "Selu", ["head", "middle"])
net("sign", "Sign", ["middle", "tail"])
net("cos", "Cos", ["head", "middle", "tail"], opset=11)
net("round", "Round", ["head", "middle"], second="Round")

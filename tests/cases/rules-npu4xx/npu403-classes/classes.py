"""Writes segmentation networks: three convolutions of a large image, and the class of each pixel, or something near that."""
import numpy
from onnx import TensorProto, helper, numpy_helper, save


def network(name, op, free=False, **attributes):
    rng, nodes, weights, at = numpy.random.default_rng(1), [], [], "x"
    for k in range(3):
        weights.append(numpy_helper.from_array((rng.normal(size=(32, 32, 3, 3)) / 17).astype(numpy.float32), f"w{k}"))
        nodes.append(helper.make_node("Conv", [at, f"w{k}"], [f"c{k}"], name=f"conv{k}", pads=[1] * 4))
        at = f"c{k}"
    nodes.append(helper.make_node(op, [at], ["y"], name="last", **attributes))
    kind = TensorProto.INT64 if op.startswith("Arg") else TensorProto.FLOAT
    g = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 32, *(["h", "w"] if free else [1024, 1024])])],
                          [helper.make_tensor_value_info("y", kind, None)], weights)
    save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), name)


network("classes.onnx", "ArgMax", axis=1)
network("free.onnx", "ArgMax", free=True, axis=1)
network("flat.onnx", "ArgMin", axis=-3, keepdims=0)
network("columns.onnx", "ArgMax", axis=3)
network("first.onnx", "ArgMax")

"""Writes a network of a large image whose last operators depend on all of it."""
import numpy
from onnx import TensorProto, helper, numpy_helper, save

rng, nodes, weights, at = numpy.random.default_rng(1), [], [], "x"
for k in range(3):
    weights.append(numpy_helper.from_array((rng.normal(size=(32, 32, 3, 3)) / 17).astype("f"), f"w{k}"))
    nodes.append(helper.make_node("Conv", [at, f"w{k}"], [f"c{k}"], name=f"conv{k}", pads=[1] * 4))
    at = f"c{k}"
nodes += [helper.make_node("Floor", [at], ["f"], name="floor"), helper.make_node("ReduceMean", ["f"], ["y"], name="mean", axes=[2, 3])]
graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 32, 1024, 1024])],
                          [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 32, 1, 1])], weights)
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), "mean.onnx")

"""A perceptron of one Gemm."""
import numpy, onnx
from onnx import TensorProto, helper, numpy_helper
w = numpy_helper.from_array(numpy.random.default_rng(1).normal(size=(64, 10)).astype("f"), "w")
g = helper.make_graph([helper.make_node("Gemm", ["x", "w"], ["y"])], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 64])],
                      [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 10])], [w])
onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 12)], ir_version=7), "perceptron.onnx")

"""Writes a model with the tensors of CumSum.dot."""
import numpy
from onnx import TensorProto, helper, numpy_helper, save

weights = [numpy_helper.from_array(numpy.ones(s, "f"), n) for n, s in (("w0", (16, 3, 3, 3)), ("w1", (8, 16, 3, 3)))]
weights.append(numpy_helper.from_array(numpy.int64(1), "axis"))
nodes = [helper.make_node("Conv", ["x", "w0"], ["conv_0_0"], pads=[1] * 4), helper.make_node("CumSum", ["conv_0_0", "axis"], ["cumsum_1_0"]),
         helper.make_node("Conv", ["cumsum_1_0", "w1"], ["conv_2_0"], pads=[1] * 4)]
graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 32, 32])],
                          [helper.make_tensor_value_info("conv_2_0", TensorProto.FLOAT, [1, 8, 32, 32])], weights)
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), "cumsum.onnx")

# The same tensors, but what the DOT computes in float would be int8.
graph.node[1].CopyFrom(helper.make_node("Relu", ["conv_0_0"], ["cumsum_1_0"]))
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), "relu.onnx")

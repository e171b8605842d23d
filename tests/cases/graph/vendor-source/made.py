"""Writes models with the inputs and outputs of CumSum.dfg and pixels_npo.dfg, and one with another input."""
import numpy
from onnx import TensorProto, helper, numpy_helper, save


def network(path, between, channels, result, size=32):
    numbers = numpy.random.default_rng(1)
    weights = [numpy_helper.from_array((numbers.normal(size=s) / 9).astype("f"), n) for n, s in (("w0", (16, 3, 3, 3)), ("w1", (channels, 16, 3, 3)))]
    weights.append(numpy_helper.from_array(numpy.int64(1), "axis"))
    nodes = [helper.make_node("Conv", ["x", "w0"], ["conv_0_0"], pads=[1] * 4), between,
             helper.make_node("Conv", [between.output[0], "w1"], [result], pads=[1] * 4)]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, size, size])],
                              [helper.make_tensor_value_info(result, TensorProto.FLOAT, [1, channels, size, size])], weights)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), path)


cumsum = helper.make_node("CumSum", ["conv_0_0", "axis"], ["cumsum_1_0"])
network("cumsum.onnx", cumsum, 8, "conv_2_0")
network("larger.onnx", cumsum, 8, "conv_2_0", 48)
network("pixels.onnx", helper.make_node("Relu", ["conv_0_0"], ["relu_1_0"]), 3, "sigmoid_3_0")

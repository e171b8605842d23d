"""Writes perceptrons and a convolution."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


def save(name, dims, nodes, weights, out):
    value = helper.make_tensor_value_info
    g = helper.make_graph(nodes, name, [value("x", TensorProto.FLOAT, dims)], [value("y", TensorProto.FLOAT, out)],
                          [numpy_helper.from_array(numpy.zeros(d, numpy.float32), k) for k, d in weights.items()])
    onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), name + ".onnx")


def perceptron(name, inputs, width, outputs):
    N = helper.make_node
    save(name, [1, inputs], [N("Gemm", ["x", "w1", "b1"], ["h"]), N("Relu", ["h"], ["r"]), N("Gemm", ["r", "w2", "b2"], ["y"])],
         {"w1": [inputs, width], "b1": [width], "w2": [width, outputs], "b2": [outputs]}, [1, outputs])


perceptron("small", 16, 32, 2)
perceptron("wide", 1024, 1024, 1024)
save("image", [1, 3, 112, 112], [helper.make_node("Conv", ["x", "w"], ["y"], pads=[1] * 4)], {"w": [64, 3, 3, 3]}, [1, 64, 112, 112])

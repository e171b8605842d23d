"""Writes a convolution whose weights are initializers, and nodes of several forms."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

N = helper.make_node
WEIGHTS = numpy.ones((4, 3, 3, 3), numpy.float32)


def constant(name, array):
    return N("Constant", [], [name], value=numpy_helper.from_array(array))


def save(name, nodes, inits=()):
    v = helper.make_tensor_value_info
    g = helper.make_graph(nodes, name, [v("x", TensorProto.FLOAT, [1, 3, 8, 8])], [v("y", TensorProto.FLOAT, None)],
                          [numpy_helper.from_array(a, k) for k, a in inits])
    onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), name + ".onnx")


conv = N("Conv", ["x", "w"], ["y"])
save("initializer", [conv], [("w", WEIGHTS)])
save("node", [constant("w", WEIGHTS), conv])
save("twice", [constant("w", WEIGHTS), N("Conv", ["x", "w"], ["a"]), N("Conv", ["x", "w"], ["b"]), N("Add", ["a", "b"], ["y"])])
save("codes", [constant("c", WEIGHTS.astype(numpy.int8)), constant("s", numpy.float32(0.5)), N("DequantizeLinear", ["c", "s"], ["w"]), conv])
save("list", [constant("w", WEIGHTS), N("Constant", [], ["b"], value_floats=[1.0, 2, 3, 4]), N("Conv", ["x", "w", "b"], ["y"])])
save("computed", [N("ConstantOfShape", ["shape"], ["w"], value=numpy_helper.from_array(numpy.float32([1]))), conv],
     [("shape", numpy.int64([4, 3, 3, 3]))])

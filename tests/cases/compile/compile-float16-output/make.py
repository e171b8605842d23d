"""Writes a Conv whose result the application takes as float16: by a last Cast, or in the whole model."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

N = helper.make_node


def save(name, nodes, outputs, kind=TensorProto.FLOAT):
    w = numpy.full((16, 3, 3, 3), .01, helper.mapping.TENSOR_TYPE_TO_NP_TYPE[kind])
    v = helper.make_tensor_value_info
    g = helper.make_graph([N("Conv", ["x", "w"], ["c"], pads=[1] * 4)] + nodes, name, [v("x", kind, [1, 3, 64, 64])],
                          [v(o, k, [1, 16, 64, 64]) for o, k in outputs], [numpy_helper.from_array(w, "w")])
    onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), name + ".onnx")


HALF = TensorProto.FLOAT16
save("cast", [N("Cast", ["c"], ["y"], to=HALF)], [("y", HALF)])
save("whole", [N("Relu", ["c"], ["y"])], [("y", HALF)], HALF)

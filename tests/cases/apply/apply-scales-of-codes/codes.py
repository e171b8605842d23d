import numpy as np, onnx
from onnx import helper as h, numpy_helper as nh
inits = []
def c(name, value):
    inits.append(nh.from_array(np.asarray(value), name))
    return name
def scale(name, s, z):
    return [c(name + "_scale", np.float32(s)), c(name + "_zero", np.uint8(z))]
w = [c("w", np.ones((32, 3, 3, 3), np.int8)), c("w_scale", np.float32(0.01)), c("w_zero", np.int8(0))]
y = scale("y", 0.05, 128)
x = scale("x", 1 / 255, 3)
nodes = [
    h.make_node("QuantizeLinear", ["x", *x], ["codes"], name="quantize"),
    h.make_node("QLinearConv", ["codes", *x, *w, *y], ["y"], name="conv", pads=[1] * 4),
    h.make_node("QLinearAdd", ["y", *y, "b", *scale("b", 0.125, 7), *scale("z", 0.25, 9)], ["z"], name="add", domain="com.microsoft"),
    h.make_node("QLinearSigmoid", ["y", *y, *scale("y2", 1 / 256, 0)], ["y2"], name="gate", domain="com.microsoft")]
value = lambda n, ch, t=onnx.TensorProto.UINT8: h.make_tensor_value_info(n, t, [1, ch, 32, 32])
g = h.make_graph(nodes, "codes", [value("x", 3, onnx.TensorProto.FLOAT), value("b", 32)], [value("y", 32), value("z", 32), value("y2", 32)], inits)
onnx.save(h.make_model(g, opset_imports=[h.make_opsetid("", 13), h.make_opsetid("com.microsoft", 1)], ir_version=7), "codes.onnx")

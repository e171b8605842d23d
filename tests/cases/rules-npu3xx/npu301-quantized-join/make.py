import pathlib

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

INITS, NODES = [], []


def constant(name, value):
    INITS.append(numpy_helper.from_array(value, name))
    return name


def quantized(name, scale, zero):
    pair = [constant(name + "_s", numpy.float32(scale)), constant(name + "_z", numpy.int8(zero))]
    NODES.append(helper.make_node("QuantizeLinear", [name, *pair], [name + "_q"]))
    NODES.append(helper.make_node("DequantizeLinear", [name + "_q", *pair], [name + "_d"]))
    return name + "_d"


def act(op, x, name, scale, zero, **attributes):
    NODES.append(helper.make_node(op, x if isinstance(x, list) else [x], [name], name=name, **attributes))
    return quantized(name, scale, zero)


def flat(x, name, scale, zero):
    constant(name + "_shape", numpy.array([1, 16, -1], numpy.int64))
    return act("Reshape", [x, name + "_shape"], name, scale, zero)


x = quantized("x", 0.02, 0)
left = act("Sigmoid", act("MaxPool", x, "pooled", 0.02, 0, kernel_shape=[2, 2], strides=[2, 2]), "left", 1 / 255, -128)
right = act("MaxPool", x, "right", 0.02, 0, kernel_shape=[2, 1], strides=[2, 1])
left, right = flat(left, "left_flat", 1 / 255, -128), flat(right, "right_flat", 0.02, 0)
joined = act("Concat", [left, right], "joined", 0.021, 3, axis=2)
y = act("Sigmoid", joined, "gate", 1 / 255, -128)
NODES[-1].output[0] = "y"
g = helper.make_graph(NODES, "joins", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 16, 64, 64])],
                      [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 16, 3072])], INITS)
onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), "model.onnx")
for seed in range(10):
    folder = pathlib.Path(f"in{seed}")
    folder.mkdir()
    numpy.save(folder / "input_0.npy", numpy.random.default_rng(seed).normal(size=[1, 16, 64, 64]).astype(numpy.float32))

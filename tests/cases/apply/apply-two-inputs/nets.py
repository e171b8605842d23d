"""A model of two images with two outputs."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

NUMBERS = numpy.random.default_rng(5)


def const(array, name):
    return numpy_helper.from_array(numpy.ascontiguousarray(array), name)


def save(name, nodes, inputs, outputs, constants):
    info = lambda x: helper.make_tensor_value_info(x[0], TensorProto.FLOAT, x[1])  # noqa: E731
    graph = helper.make_graph(nodes, name, list(map(info, inputs)), list(map(info, outputs)), constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), f"{name}.onnx")


def pair():
    nodes, constants, outputs = [], [const(numpy.float32(0.02), "s"), const(numpy.uint8(0), "z")], []
    for i, width in enumerate((16, 24)):
        w = numpy.clip(numpy.round(NUMBERS.normal(size=(width, 3, 3, 3)) * 40), -127, 127).astype(numpy.int8)
        constants += [const(w, f"w{i}"), const(numpy.float32(0.01), f"ws{i}"), const(numpy.int8(0), f"wz{i}")]
        node = lambda op, ins, out, **more: nodes.append(helper.make_node(op, ins, [out], name=f"{op}.{out}", **more))  # noqa: E731
        node("QuantizeLinear", [f"x{i}", "s", "z"], f"q{i}")
        node("DequantizeLinear", [f"q{i}", "s", "z"], f"d{i}")
        node("DequantizeLinear", [f"w{i}", f"ws{i}", f"wz{i}"], f"wd{i}")
        node("Conv", [f"d{i}", f"wd{i}"], f"c{i}", pads=[1, 1, 1, 1])
        node("QuantizeLinear", [f"c{i}", "s", "z"], f"cq{i}")
        node("DequantizeLinear", [f"cq{i}", "s", "z"], f"y{i}")
        outputs.append((f"y{i}", [1, width, 32, 32]))
    save("pair", nodes, [("x0", [1, 3, 32, 32]), ("x1", [1, 3, 32, 32])], outputs, constants)


pair()

"""Programs of many short runs on the NPU, with operators between them that it has not; and one of two pictures with two outputs."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

NUMBERS = numpy.random.default_rng(5)
HOST = ["Sin", "Cos", "Floor", "Sin", "Round", "Erf", "Sin", "Atan"]


def const(array, name):
    return numpy_helper.from_array(numpy.ascontiguousarray(array), name)


def save(name, nodes, inputs, outputs, constants):
    info = lambda x: helper.make_tensor_value_info(x[0], TensorProto.FLOAT, x[1])  # noqa: E731
    graph = helper.make_graph(nodes, name, list(map(info, inputs)), list(map(info, outputs)), constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), f"{name}.onnx")


def chain(name, count):
    nodes, constants, t = [], [], "x"
    for i in range(count):
        constants.append(const((NUMBERS.normal(size=(8, 8, 1, 1)) * 0.1).astype(numpy.float32), f"w{i}"))
        nodes.append(helper.make_node("Conv", [t, f"w{i}"], [f"c{i}"], name=f"/block.{i}/Conv"))
        nodes.append(helper.make_node(HOST[i % len(HOST)], [f"c{i}"], [f"h{i}"], name=f"/block.{i}/{HOST[i % len(HOST)]}"))
        t = f"h{i}"
    save(name, nodes, [("x", [1, 8, 16, 16])], [(t, [1, 8, 16, 16])], constants)


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


chain("long", 35)
chain("longer", 66)
pair()

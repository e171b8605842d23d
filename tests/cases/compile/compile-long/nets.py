"""Programs of many short runs on the NPU, with operators between them that it has not."""
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


chain("long", 35)
chain("longer", 66)

"""Averages random planes in npu-exec and in each order of additions in float32, and prints which of them it is."""
import os
import pathlib
import subprocess

import numpy
from onnx import TensorProto, helper, numpy_helper, save

F = numpy.float32


def in_turn(plane):
    total = F(0)
    for x in plane:
        total = F(total + x)
    return F(total / F(plane.size))


def in_lanes(plane):
    lane, whole = numpy.zeros(4, F), plane.size // 4 * 4
    for i in range(0, whole, 4):
        lane = lane + plane[i:i + 4]
    total = F(F(lane[0] + lane[2]) + F(lane[1] + lane[3]))
    for x in plane[whole:]:
        total = F(total + x)
    return F(total / F(plane.size))


def show(name, channels, *between):
    x = numpy.random.default_rng(channels).normal(size=(1, channels, 13, 11)).astype(F)
    same = numpy_helper.from_array(numpy.eye(channels, dtype=F).reshape(channels, channels, 1, 1), "same")
    nodes, at = [], "x"
    for op in between:
        nodes.append(helper.make_node(op, [at, "same"] if op == "Conv" else [at], [f"t{len(nodes)}"]))
        at = nodes[-1].output[0]
    nodes.append(helper.make_node("GlobalAveragePool", [at], ["y"]))
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, channels, 1, 1])], [same] if "Conv" in between else [])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), "m.onnx")
    pathlib.Path("in").mkdir(exist_ok=True)
    numpy.save("in/input_0.npy", x)
    subprocess.run([os.environ["NPU_EXEC"], "m.onnx", "--values", "--input-dir", "in", "--output-dir", "of"], check=True, capture_output=True)
    got = numpy.load("of/output_0.npy").ravel() * (-1) ** between.count("Neg")
    orders = {"in turn": in_turn, "in four lanes": in_lanes}
    print(name + ":", *[o for o, mean in orders.items() if all(mean(p.ravel()) == y for p, y in zip(x[0], got))] or ["in neither order"])


show("after a Conv of 16 channels", 16, "Conv")
show("after a Conv of 12 channels", 12, "Conv")
show("after a Conv and Neg", 16, "Conv", "Neg")
show("after Neg", 16, "Neg")

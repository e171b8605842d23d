#!/usr/bin/python3
"""Compile time by number of nodes: three shapes of graph, and how it grows (1.0 is linear).

chain   Conv, Relu, Add in a row: one segment
skips   Adds with long skip connections, every tenth node on the host: thousands of segments
fan     half of the nodes read one value, the other half joins them: everything lives long
Goals: 500 nodes in 20 ms, 50,000 in 2 s. Processor time; loading, reading the target and printing included.
"""
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

SIZES = (500, 5000, 50000)


def chain(n):
    last = "x"
    for i in range(n):
        op = ("Conv", "Relu", "Add")[i % 3]
        inputs = {"Conv": [last, "w"], "Relu": [last], "Add": [last, last]}[op]
        yield helper.make_node(op, inputs, [f"t{i}"], **({"pads": [1, 1, 1, 1]} if op == "Conv" else {}))
        last = f"t{i}"


def skips(n):
    chance = random.Random(1)
    made = ["x"]
    for i in range(n):
        if chance.random() < 0.1:
            yield helper.make_node("Abs", [made[-1]], [f"t{i}"])
        else:
            back = int(chance.expovariate(1 / 50))
            yield helper.make_node("Add", [made[-1], made[max(0, len(made) - 1 - back)]], [f"t{i}"])
        made.append(f"t{i}")


def fan(n):
    for i in range(n // 2):
        yield helper.make_node("Sigmoid", ["x"], [f"s{i}"])
    last = "s0"
    for i in range(1, n // 2):
        yield helper.make_node("Add", [last, f"s{n // 2 - i}"], [f"t{i}"])
        last = f"t{i}"


def write(path, nodes):
    nodes = list(nodes)
    graph = helper.make_graph(
        nodes, "bench", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 16, 32, 32])],
        [helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, None)],
        [numpy_helper.from_array(numpy.zeros((16, 16, 3, 3), numpy.float32), "w")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), path)


def seconds(program, path):
    """Of the processor: what others run meanwhile does not count."""
    best = math.inf
    for _ in range(3):
        process = subprocess.Popen([program, "compile", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"{path}: status {status}")
        best = min(best, used.ru_utime + used.ru_stime)
    return best


def main():
    program = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build") / "npu-advise")
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "bench.onnx")
        for build in (chain, skips, fan):
            times = []
            for size in SIZES:
                write(path, build(size))
                times.append(seconds(program, path))
            growth = math.log(times[-1] / times[-2]) / math.log(SIZES[-1] / SIZES[-2])
            print(f"{build.__name__:6}", "  ".join(f"{n:,} nodes {t * 1e3:.0f} ms" for n, t in zip(SIZES, times)),
                  f"  growth {growth:.2f}")


main()

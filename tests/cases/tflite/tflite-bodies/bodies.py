"""Writes TensorFlow Lite files with IF, WHILE and the state of an LSTM, and their twins without, and runs each pair on ten inputs."""
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy
import onnx

sys.path.insert(0, os.path.join(os.environ["ROOT"], "tests", "tools"))
import make_tflite  # noqa: E402

ADD, CONV, DEQUANTIZE, SINGLE, RELU, LSTM, LESS, GREATER, SUM, IF, WHILE = 0, 3, 6, 16, 19, 44, 58, 61, 74, 118, 119
IMAGE = [1, 32, 32, 8]


class Part:
    """One graph of a file."""

    def __init__(self, seed=1):
        self.tensors, self.operators, self.inputs, self.rng = [], [], [], numpy.random.default_rng(seed)

    def tensor(self, name, shape=IMAGE, type="float32", **more):
        self.tensors.append({"name": name, "type": type, "shape": shape, **more})
        return len(self.tensors) - 1

    def input(self, name, shape=IMAGE, type="float32"):
        self.inputs.append(self.tensor(name, shape, type))
        return self.inputs[-1]

    def add(self, op, ins, out, *options):
        outs = out if isinstance(out, list) else [out]
        self.operators.append({"op": op, "in": ins, "out": outs, **({"options": list(options)} if options else {})})
        return out

    def weights(self, name, *shape, half=False):
        data = (self.rng.normal(size=shape) / 8).astype(numpy.float16).astype(float).ravel().tolist()
        if not half:
            return self.tensor(name, list(shape), data=data)
        return self.add(DEQUANTIZE, [self.tensor(name + "/half", list(shape), "float16", data=data)], self.tensor(name, list(shape)))

    def conv(self, x, name, size=3, half=False):
        k, b = self.weights(name + "/kernel", 8, size, size, 8, half=half), self.weights(name + "/bias", 8, half=half)
        return self.add(CONV, [x, k, b], self.tensor(name), 1, {"0": ["i8", 0], "1": ["i32", 1], "2": ["i32", 1], "3": ["i8", 1]})

    def graph(self, *outputs):
        return {"tensors": self.tensors, "operators": self.operators, "inputs": self.inputs, "outputs": list(outputs)}


def branch(size):
    p = Part(size)
    return p.graph(p.conv(p.input(f"a{size}"), f"conv{size}", size))


def choice(condition=None):
    """Two branches; the condition is a constant, or whether the sum of the image is above zero."""
    p = Part()
    x = p.input("x")
    if condition is None:
        total = p.add(SUM, [x, p.tensor("axes", [4], "int32", data=[0, 1, 2, 3])], p.tensor("sum", []), 27, {"0": ["i8", 0]})
        c = p.add(GREATER, [total, p.tensor("zero", [], data=[0.0])], p.tensor("c", [], "bool"))
    else:
        c = p.tensor("c", [], "bool", data=[condition])
    y = p.add(IF, [c, x], p.tensor("y"), 92, {"0": ["i32", 1], "1": ["i32", 2]})
    return {**p.graph(p.add(RELU, [y], p.tensor("out"))), "more": [branch(3), branch(1)]}


def turns(limit, steps=1):
    """A convolution of each turn, counted up to the limit."""
    p, test, turn = Part(), Part(), Part(3)
    x = p.input("x")
    state = [p.tensor("i", [], "int32", data=[0]), x]
    y = p.add(WHILE, state, [p.tensor("count", [], "int32"), p.tensor("y")], 93, {"0": ["i32", 1], "1": ["i32", 2]})[1]
    i = test.input("ti", [], "int32")
    test.input("tx")
    less = test.add(LESS, [i, test.tensor("limit", [], "int32", data=[limit])], test.tensor("less", [], "bool"))
    i, a = turn.input("bi", [], "int32"), turn.input("bx")
    up = turn.add(ADD, [i, turn.tensor("one", [], "int32", data=[steps])], turn.tensor("next", [], "int32"), 11, {})
    return {**p.graph(p.add(RELU, [y], p.tensor("out"))), "more": [test.graph(less), turn.graph(up, turn.conv(a, "conv3"))]}


def plain(*sizes, half=False, last=True):
    p = Part()
    at = p.input("x")
    for k, size in enumerate(sizes):
        p.rng = numpy.random.default_rng(size)
        at = p.conv(at, f"conv{k}", size, half)
    return p.graph(p.add(RELU, [at], p.tensor("out")) if last else at)


def lstm():
    """Ten steps, whose activation and cell are kept in variables of the file, and a product after them."""
    p = Part()
    x = p.input("x", [1, 10, 16])
    ins = [x] + [p.weights(f"w{g}", 32, 16) for g in "ifco"] + [p.weights(f"r{g}", 32, 32) for g in "ifco"] + [-1] * 3
    ins += [p.weights(f"b{g}", 32) for g in "ifco"] + [-1, -1, p.tensor("activation", [1, 32], variable=True), p.tensor("cell", [1, 32], variable=True)]
    y = p.add(LSTM, ins + [-1] * 4, p.tensor("y", [1, 10, 32]), 71, {"0": ["i8", 4], "3": ["i8", 0]})
    return p.graph(p.add(9, [y, p.weights("fc", 8, 32), p.weights("fcb", 8)], p.tensor("out", [1, 10, 8]), 8, {"2": ["i8", 1]}))


def step(op, major=False, states="variables"):
    """One step: by the operator of sequences or that of one step, its states variables, or inputs of the application."""
    p = Part()
    shape = lambda n: [1, n] if op == SINGLE else [1, 1, n]
    x = p.input("x", shape(16))
    ins = [x] + [p.weights(f"w{g}", 32, 16) for g in "ifco"] + [p.weights(f"r{g}", 32, 32) for g in "ifco"] + [-1] * 3
    kept = [p.input(n, [1, 32]) if states == "inputs" else p.tensor(n, [1, 32], variable=True) for n in ("activation", "cell")]
    ins += [p.weights(f"b{g}", 32) for g in "ifco"] + [-1, -1] + kept + [-1] * 4
    options = (39, {"0": ["i8", 4]}) if op == SINGLE else (71, {"0": ["i8", 4], "3": ["i8", int(major)]})
    return p.graph(p.add(op, ins, p.tensor("y", shape(32)), *options))


def basic():
    """The kernel of five inputs: one matrix of both weights; the state before, and after, is a value of the graph."""
    p = Part()
    x, last, state = p.input("x", [1, 16]), p.input("last", [1, 32]), p.input("state", [1, 32])
    outs = [p.tensor("y", [1, 32]), p.tensor("next", [1, 32]), p.tensor("joined", [1, 48]), p.tensor("gates", [1, 128])]
    p.add(SINGLE, [x, last, p.weights("w", 128, 48), p.weights("b", 128), state], outs, 39, {"0": ["i8", 4], "4": ["i8", 1]})
    return p.graph(outs[0], outs[1])


def call(program, *words):
    return subprocess.run([os.environ[program], *words], capture_output=True, text=True)


def write(name, model):
    pathlib.Path(name).write_bytes(make_tflite.make(model))
    return name


def values(path, x):
    pathlib.Path("in").mkdir(exist_ok=True)
    numpy.save("in/input_0.npy", x)
    done = call("NPU_EXEC", path, "--values", "--input-dir", "in", "--output-dir", "of")
    return numpy.load("of/output_0.npy") if done.returncode == 0 else None


def latency(path):
    call("NPU_ADVISE", path, "--json", "r.json")
    return json.loads(pathlib.Path("r.json").read_text())["prediction"]["latency_ns"]["mid"]


def pair(name, model, twin):
    a, b = write("a.tflite", model), write("b.tflite", twin)
    inputs = [numpy.random.default_rng(k).normal(size=IMAGE).astype(numpy.float32) for k in range(10)]
    same = sum(numpy.array_equal(values(a, x), values(b, x)) for x in inputs)
    npu = [latency(f) for f in (a, b)]
    print(f"{name}: {same} of 10 equal, {'one time' if npu[0] == npu[1] else f'{npu[0]} ns and {npu[1]}'}")


def told(name, model):
    """The operators of the ONNX model that it is read as, and their bodies; how many have no known cost."""
    f = write("a.tflite", model)
    done = subprocess.run(["./edit_model", f, "a.onnx"], capture_output=True, text=True)
    if done.returncode:
        return print(f"{name}: {done.stderr.strip()}")
    m = onnx.load("a.onnx")
    onnx.checker.check_model(m)
    bodies = [f"{n.op_type} of {' and '.join(' '.join(i.op_type for i in a.g.node) for a in n.attribute if a.HasField('g'))}"
              for n in m.graph.node if any(a.HasField("g") for a in n.attribute)]
    known = re.search(r"cost known for \d+ of \d+ nodes?", call("NPU_ADVISE", f).stderr + call("NPU_ADVISE", f).stdout)
    print(f"{name}: {'; '.join(bodies) or 'no bodies'}; {known[0] if known else 'all costs known'}")


pair("IF, true", choice(True), plain(3))
pair("IF, false", choice(False), plain(1))
pair("WHILE, three turns", turns(3), plain(3, 3, 3))
pair("WHILE, steps of two", turns(3, 2), plain(3, 3))
pair("WHILE, no turn", turns(0), plain())
pair("float16 weights", plain(3, 1, half=True), plain(3, 1))
told("IF by data", choice())
broken = choice()
broken["more"][1]["outputs"] *= 2
told("IF, a branch with two results", broken)
broken = turns(3)
broken["more"][0]["inputs"].pop()
told("WHILE, a condition of fewer values", broken)
broken = choice()
broken["operators"][2]["options"][1]["0"] = ["i32", 0]
told("IF, a branch that is the graph itself", broken)
for name, model in (("LSTM with a state", lstm()), ("LSTM of one step, in a sequence", step(LSTM)),
                    ("LSTM of one step, time first", step(LSTM, major=True)), ("LSTM of one step, alone", step(SINGLE)),
                    ("LSTM of one step, states as inputs", step(LSTM, states="inputs")), ("LSTM of one step, one matrix", basic())):
    told(name, model)
    call("NPU_ADVISE", "inspect", "a.tflite", "--json", "i.json")
    print("multiplications:", *(n["macs"] for n in json.loads(pathlib.Path("i.json").read_text())["nodes"] if n["macs"]))

import os
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.environ["ROOT"], "tests", "tools"))
import executed  # noqa: E402

rng = numpy.random.default_rng(3)
INPUT = [1, 8, 12, 10]


class Net:
    def __init__(self):
        self.nodes, self.inits = [], []

    def node(self, op, inputs, **attributes):
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def constant(self, *dims, positive=False):
        values = rng.normal(size=dims)
        self.inits.append(numpy_helper.from_array((abs(values) + 0.5 if positive else values).astype("f4"), f"c{len(self.inits)}"))
        return self.inits[-1].name

    def conv(self, x, kernel, pad, group=1, outputs=8, bias=False, **attributes):
        w = [self.constant(outputs, 8 // group, *kernel)] + [self.constant(outputs)] * bias
        return self.node("Conv", [x, *w], pads=[*pad, *pad], group=group, **attributes)

    def bn(self, x):
        return self.node("BatchNormalization", [x, *(self.constant(8, positive=k == 3) for k in range(4))])

    def add(self, a, b):
        return self.node("Add", [a, b])

    def save(self, name):
        self.nodes[-1].output[0] = "t"
        more = ["also"] if any("also" in n.output for n in self.nodes) else []
        value = helper.make_tensor_value_info
        g = helper.make_graph(self.nodes + [helper.make_node("Sigmoid", ["t"], ["y"])], "g", [value("x", TensorProto.FLOAT, INPUT)],
                              [value(o, TensorProto.FLOAT, None) for o in ["y", *more]], self.inits)
        onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), name + ".onnx")


def two(k, **other):
    n = Net()
    n.add(n.conv("x", [3, 3], [1, 1], bias=True), n.conv("x", [1, 1], [0, 0], **other))
    n.save(k)


def repvgg(k, group=1):
    n = Net()
    convs = n.add(n.bn(n.conv("x", [3, 3], [1, 1], group)), n.bn(n.conv("x", [1, 1], [0, 0], group)))
    n.add(convs, n.bn("x"))
    n.save(k)


def strided(k):
    n = Net()
    n.add(n.conv("x", [1, 1], [0, 0], strides=[2, 2], bias=True), n.conv("x", [5, 3], [2, 1], strides=[2, 2]))
    n.save(k)


def rows_and_columns(k):
    n = Net()
    n.add(n.add(n.conv("x", [3, 3], [1, 1]), n.conv("x", [1, 3], [0, 1])), n.add(n.conv("x", [3, 1], [1, 0]), "x"))
    n.save(k)


def residual(k):
    n = Net()
    n.add(n.conv("x", [3, 3], [1, 1]), "x")
    n.save(k)


def other_source(k):
    n = Net()
    n.add(n.conv("x", [3, 3], [1, 1]), n.conv(n.node("Relu", ["x"]), [1, 1], [0, 0]))
    n.save(k)


def read_twice(k):
    n = Net()
    a = n.conv("x", [3, 3], [1, 1])
    n.nodes.append(helper.make_node("Relu", [a], ["also"]))
    n.add(a, n.conv("x", [1, 1], [0, 0]))
    n.save(k)


def beside(k):
    n = Net()
    n.add(n.conv("x", [1, 3], [0, 1]), n.conv("x", [3, 1], [1, 0]))
    n.save(k)


def constant_node(k):
    n = Net()
    value = numpy_helper.from_array(rng.normal(size=[1, 8, 1, 1]).astype("f4"))
    n.add(n.conv("x", [3, 3], [1, 1]), n.node("Constant", [], value=value))
    n.save(k)


def edited(name):
    done = subprocess.run(["./edit_model", name + ".onnx", name + ".new.onnx", "rewrite", "t", "join-convs"], capture_output=True, text=True)
    return done.stderr.strip().split("join-convs: ")[-1]


for make in (two, repvgg, strided, rows_and_columns):
    make(make.__name__)
repvgg("repvgg-groups", 4)
for name in ("two", "repvgg", "repvgg-groups", "strided", "rows_and_columns"):
    why = edited(name)
    left = [] if why else [n.op_type for n in onnx.load(name + ".new.onnx").graph.node]
    images = [rng.normal(size=INPUT).astype("f4") for _ in range(10)]
    off = why or max(abs(executed.outputs(sys.argv[1], name + ".onnx", x)[0] - executed.outputs(sys.argv[1], name + ".new.onnx", x)[0]).max() for x in images)
    print(f"{name}: {why or ('equal' if off < 1e-5 else f'off by {off:g}')}; {' '.join(left)}")
for make in (residual, other_source, read_twice, beside, constant_node):
    make(make.__name__)
    print(f"{make.__name__}: refused: {edited(make.__name__)}")
for name, other in (("dilated", {"dilations": [2, 2]}), ("other-groups", {"group": 2})):
    two(name, **other)
    print(f"{name}: {edited(name) or 'joined'}")

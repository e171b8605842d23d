"""Small networks that compute the same in two spellings: the advice on one must be worth what it is on the other."""
import json
import pathlib
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

N, F = helper.make_node, numpy.float32
SIZE = 64


class Net:
    """A chain of nodes from x to y with a Conv before and after."""

    def __init__(self, opset=13, channels=16, size=SIZE):
        self.numbers = numpy.random.default_rng(2)
        self.opset, self.c, self.nodes, self.inits, self.size = opset, channels, [], [], size
        self.at = "x"
        self.conv(3)

    def const(self, value, name=None):
        name = name or f"k{len(self.inits)}"
        self.inits.append(numpy_helper.from_array(numpy.asarray(value), name))
        return name

    def op(self, kind, *inputs, outputs=1, **attributes):
        inputs = [i if isinstance(i, str) else self.const(i) for i in inputs]
        out = [f"t{len(self.nodes)}" + ("" if k == 0 else f"_{k}") for k in range(outputs)]
        self.nodes.append(N(kind, inputs, out, **attributes))
        return out[0] if outputs == 1 else out

    def conv(self, cin=None, **attributes):
        w = (self.numbers.normal(size=(self.c, cin or self.c, 3, 3)) / 20).astype(F)
        self.at = self.op("Conv", self.at, w, **{"pads": [1] * 4, **attributes})

    def save(self, path):
        self.conv()
        self.nodes[-1].output[0] = "y"
        v = helper.make_tensor_value_info
        g = helper.make_graph(self.nodes, "g", [v("x", TensorProto.FLOAT, [1, 3, self.size, self.size])], [v("y", TensorProto.FLOAT, None)], self.inits)
        onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8), path)


def spelled(build, **options):
    n = Net(**options)
    n.at = build(n, n.at)
    return n


def axes(n, values):
    """Of Squeeze, Unsqueeze and ReduceSum: an input since opset 13."""
    return ((numpy.int64(values),), {}) if n.opset >= 13 else ((), {"axes": values})


def unsqueeze(n, x, *at):
    more, attributes = axes(n, list(at))
    return n.op("Unsqueeze", x, *more, **attributes)


leaky = lambda n, x: n.op("LeakyRelu", x, alpha=.1)
resize = lambda n, x: n.op("Resize", x, "", F([1, 1, 2, 2]), mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
swish = lambda n, x: n.op("Mul", x, n.op("HardSigmoid", x, alpha=1 / 6))


def repeated(n, x, kind, order=(3, 5)):
    shape, s = [1, 16, SIZE, SIZE], SIZE
    for k, axis in enumerate(order):
        axis -= k
        x = unsqueeze(n, x, axis)
        shape = shape[:axis] + [1] + shape[axis:]
        full = shape[:axis] + [2] + shape[axis + 1:]
        x = n.op("Tile", x, numpy.int64([2 if i == axis else 1 for i in range(5)])) if kind == "Tile" else n.op("Expand", x, numpy.int64(full))
        shape = full[:axis - 1] + [full[axis - 1] * 2] + full[axis + 1:]
        x = n.op("Reshape", x, numpy.int64(shape))
    return x


def joined(n, x):
    """Nearest x2 along both axes at once: six axes, one Expand."""
    six = n.op("Reshape", x, numpy.int64([1, 16, SIZE, 1, SIZE, 1]))
    return n.op("Reshape", n.op("Expand", six, numpy.int64([1, 16, SIZE, 2, SIZE, 2])), numpy.int64([1, 16, 2 * SIZE, 2 * SIZE]))


def pooled(n, x, kind, axes, keep=1):
    """The largest of four rows of channels, in four spellings."""
    x = n.op("Reshape", x, numpy.int64([1, 16, 4, SIZE // 4, SIZE]))
    if kind == "ReduceMax":
        y = n.op("ReduceMax", x, axes=axes, keepdims=keep) if n.opset < 18 else n.op("ReduceMax", x, numpy.int64(axes), keepdims=keep)
    else:
        y = n.op("MaxPool", n.op("Reshape", x, numpy.int64([1, 16, 4, SIZE // 4 * SIZE])), kernel_shape=[4, 1], strides=[4, 1])
    y = n.op("Reshape", y, numpy.int64([1, 16, SIZE // 4, SIZE]))
    return n.op("Concat", y, y, y, y, axis=2)


def dilated(n, x, kernel, dilation, group=1, rows=True):
    """A kernel whose taps lie `dilation` apart; the same numbers whatever its spelling."""
    k = n.numbers.normal(size=(16, 16 // group, 3, 3 if rows else 1)).astype(F) / 20
    w = numpy.zeros((16, 16 // group, kernel, kernel if rows else 1), F)
    step = (kernel - 1) // 2
    w[:, :, ::step, ::step if rows else 1] = k
    pad = dilation * step
    return n.op("Conv", x, w, dilations=[dilation, dilation if rows else 1], pads=[pad, pad if rows else 0] * 2, group=group)


def blocks(n, x, how):
    """Blocks of 2x2 pixels as channels, as YOLO's Focus orders them."""
    if how == "slices":
        parts = [n.op("Slice", n.op("Slice", x, numpy.int64([dy]), numpy.int64([1 << 40]), numpy.int64([2]), numpy.int64([2])),
                      numpy.int64([dx]), numpy.int64([1 << 40]), numpy.int64([3]), numpy.int64([2])) for dy, dx in ((0, 0), (1, 0), (0, 1), (1, 1))]
        y = n.op("Concat", *parts, axis=1)
    elif how == "s2d":
        y = n.op("Gather", n.op("SpaceToDepth", x, blocksize=2), numpy.int64([b * 16 + c for b in (0, 2, 1, 3) for c in range(16)]), axis=1)
    else:
        six = n.op("Reshape", x, numpy.int64([1, 16, SIZE // 2, 2, SIZE // 2, 2]))
        y = n.op("Reshape", n.op("Transpose", six, perm=[0, 5, 3, 1, 2, 4]), numpy.int64([1, 64, SIZE // 2, SIZE // 2]))
    w = (n.numbers.normal(size=(16, 64, 1, 1)) / 20).astype(F)
    return n.op("Conv", y, w)


def grouped(n, x, how):
    one, nil, c1, c0 = numpy.ones(4, F), numpy.zeros(4, F), numpy.full((16, 1, 1), 2, F), numpy.ones((16, 1, 1), F)
    if how == "operator":
        if n.opset < 21:
            y = n.op("GroupNormalization", x, one, nil, num_groups=4, epsilon=1e-5)
        else:
            return n.op("GroupNormalization", x, c1.ravel(), c0.ravel(), num_groups=4, epsilon=1e-5)
    else:
        rows = n.op("Reshape", x, numpy.int64([0, 4, -1] if how == "rows" else [1, 4, 4 * SIZE, SIZE]))
        y = n.op("Reshape", n.op("InstanceNormalization", rows, one, nil), numpy.int64([1, 16, SIZE, SIZE]))
    return n.op("Add", n.op("Mul", y, c1), c0)


PAIRS = {
    "leaky: Max of 0.1 x and x": (lambda n, x: n.op("Max", n.op("Mul", x, F(.1)), x), leaky, {}),
    "leaky: Max, the number first, opset 8": (lambda n, x: n.op("Max", x, n.op("Mul", F(.1), x)), leaky, dict(opset=8)),
    "leaky: PRelu of one slope": (lambda n, x: n.op("PRelu", x, F([[[.1]]])), leaky, {}),
    "leaky: Where above zero": (lambda n, x: n.op("Where", n.op("Greater", x, F(0)), x, n.op("Mul", x, F(.1))), leaky, {}),
    "leaky: Where not below zero": (lambda n, x: n.op("Where", n.op("Less", x, F(0)), n.op("Mul", F(.1), x), x), leaky, {}),
    "nothing: Concat, Max and Min of one": (lambda n, x: n.op("Concat", n.op("Max", n.op("Min", x)), axis=1), lambda n, x: x, {}),
    "nothing: Sum and Mean of one": (lambda n, x: n.op("Sum", n.op("Mean", x)), lambda n, x: x, {}),
    "nothing: Add of 0, Mul by 1, Pow by 1": (
        lambda n, x: n.op("Pow", n.op("Mul", n.op("Add", x, F(0)), F(1)), F(1)), lambda n, x: x, {}),
    "nothing: Einsum of the same axes": (lambda n, x: n.op("Einsum", x, equation="abcd->abcd"), lambda n, x: x, {}),
    "nothing: a sum of no axis": (lambda n, x: n.op("ReduceSum", x, numpy.int64([]), noop_with_empty_axes=1), lambda n, x: x, {}),
    "nothing: Split in one, pools of a pixel": (
        lambda n, x: n.op("MaxPool", n.op("AveragePool", n.op("Split", x, numpy.int64([16]), axis=1), kernel_shape=[1, 1]), kernel_shape=[1, 1]), lambda n, x: x, {}),
    "repeat: Tile, width first": (lambda n, x: repeated(n, x, "Tile", (4, 4)), resize, {}),
    "repeat: Expand": (lambda n, x: repeated(n, x, "Expand"), resize, {}),
    "repeat: Expand of six axes": (joined, resize, {}),
    "swish: HardSwish": (lambda n, x: n.op("HardSwish", x), swish, dict(opset=14)),
    "swish: written out": (lambda n, x: n.op("Mul", x, n.op("Div", n.op("Clip", n.op("Add", x, F(3)), F(0), F(6)), F(6))), swish, {}),
    "swish: Div last": (lambda n, x: n.op("Div", n.op("Mul", x, n.op("Clip", n.op("Add", x, F(3)), F(0), F(6))), F(6)), swish, {}),
    "largest: ReduceMax": (lambda n, x: pooled(n, x, "ReduceMax", [2]), lambda n, x: pooled(n, x, "MaxPool", None), {}),
    "largest: without its axis": (lambda n, x: pooled(n, x, "ReduceMax", [-3], 0), lambda n, x: pooled(n, x, "MaxPool", None), {}),
    "largest: opset 18": (lambda n, x: pooled(n, x, "ReduceMax", [2], 0), lambda n, x: pooled(n, x, "MaxPool", None), dict(opset=18)),
    "dilation: 24": (lambda n, x: dilated(n, x, 3, 24), lambda n, x: dilated(n, x, 5, 12), {}),
    "dilation: 18": (lambda n, x: dilated(n, x, 3, 18), lambda n, x: dilated(n, x, 5, 9), {}),
    "dilation: 16, depthwise": (lambda n, x: dilated(n, x, 3, 16, 16), lambda n, x: dilated(n, x, 5, 8, 16), {}),
    "dilation: 24, one axis": (lambda n, x: dilated(n, x, 3, 24, rows=False), lambda n, x: dilated(n, x, 5, 12, rows=False), {}),
    "blocks: SpaceToDepth and Gather": (lambda n, x: blocks(n, x, "s2d"), lambda n, x: blocks(n, x, "slices"), {}),
    "blocks: six axes": (lambda n, x: blocks(n, x, "six"), lambda n, x: blocks(n, x, "slices"), {}),
    "groups: opset 18": (lambda n, x: grouped(n, x, "operator"), lambda n, x: grouped(n, x, "rows"), dict(opset=18)),
    "groups: opset 21": (lambda n, x: grouped(n, x, "operator"), lambda n, x: grouped(n, x, "rows"), dict(opset=21)),
    "groups: images": (lambda n, x: grouped(n, x, "images"), lambda n, x: grouped(n, x, "rows"), {}),
}


def advise(program, n, name):
    """What is left after the recommended plan, now, and the rules of its changes."""
    n.save(name + ".onnx")
    subprocess.run([program, name + ".onnx", "--json", name + ".json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    r = json.loads(pathlib.Path(name + ".json").read_text())
    return r["plans"][0]["after"]["latency_ns"]["mid"], r["now"]["latency_ns"], r["changes"]


def values(executor, name):
    """What it makes of one image; None where the executor has no kernel (GroupNormalization)."""
    pathlib.Path("in").mkdir(exist_ok=True)
    numpy.save("in/input_0.npy", numpy.random.default_rng(3).normal(size=(1, 3, SIZE, SIZE)).astype(F))
    done = subprocess.run([executor, name + ".onnx", "--values", "--input-dir", "in", "--output-dir", "out_" + name], capture_output=True)
    return None if done.returncode == 3 else numpy.load(f"out_{name}/output_0.npy")


if __name__ == "__main__":
    for name, (build, reference, options) in PAIRS.items():
        a, now, changes = advise(sys.argv[1], spelled(build, **options), "a")
        b, other, _ = advise(sys.argv[1], spelled(reference, **options), "b")
        x, y = (values(sys.argv[2], f) for f in "ab")
        alike = "no" if x is None else "equal" if x.shape == y.shape and numpy.abs(x - y).max() <= 1e-5 * numpy.abs(y).max() else "other"
        rewritten = "rewritten" if any(c["rule_id"] == "NPU301" for c in changes) else "as it is"
        same = "equal" if abs(a - b) < .02 * b else f"{a / 1e3:.0f} us against {b / 1e3:.0f}"
        print(f"{name} => {rewritten}, {'slower' if now > 1.05 * other else 'as fast'} now, after the plan {same}, {alike} values")

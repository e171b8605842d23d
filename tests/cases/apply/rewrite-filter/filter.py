import pathlib
import shutil
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

CLASSES = 5


class Net:
    def __init__(self, batch=1, side=64):
        self.rng, self.nodes, self.constants, self.batch, self.side = numpy.random.default_rng(7), [], [], batch, side
        self.sizes = (side // 8, side // 16, side // 32)
        self.boxes = sum(n * n for n in self.sizes)

    def const(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.asarray(array), name))
        return name

    def add(self, op, *inputs, outputs=1, **attributes):
        inputs = [i if isinstance(i, str) else self.const(i) for i in inputs]
        names = [f"t{len(self.nodes)}" + (f"_{k}" if k else "") for k in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, **attributes))
        return names if outputs > 1 else names[0]

    def conv(self, t, channels, into, kernel=1):
        w = self.rng.normal(size=(into, channels, kernel, kernel)).astype(numpy.float32) / 3
        side = {"pads": [1] * 4, "strides": [2, 2]} if kernel > 1 else {}
        return self.add("Conv", t, w, kernel_shape=[kernel] * 2, **side)

    def model(self, *outputs):
        g = helper.make_graph(self.nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [self.batch, 3, self.side, self.side])],
                              [helper.make_empty_tensor_value_info(o) for o in outputs], self.constants)
        m = helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        return onnx.shape_inference.infer_shapes(m)


def i(*values):
    return numpy.array(values, numpy.int64)


def head(n, centres):
    """Decoded boxes and scores, joined: batch x boxes x (4 + classes)."""
    t, channels, levels = "x", 3, []
    for into in (8, 8, 16, 16, 16):
        t, channels = n.add("Relu", n.conv(t, channels, into, 3)), into
        levels.append(t)
    parts = [n.add("Reshape", n.conv(t, 16, 64 + CLASSES), i(n.batch, 64 + CLASSES, -1)) for t in levels[2:]]
    box, scores = n.add("Split", n.add("Concat", *parts, axis=2), i(64, CLASSES), outputs=2, axis=1)
    t = n.add("Transpose", n.add("Reshape", box, i(n.batch, 4, 16, n.boxes)), perm=[0, 2, 1, 3])
    t = n.add("Conv", n.add("Softmax", t, axis=1), numpy.arange(16, dtype=numpy.float32).reshape(1, 16, 1, 1))
    near, far = n.add("Split", n.add("Reshape", t, i(n.batch, 4, n.boxes)), i(2, 2), outputs=2, axis=1)
    grid = numpy.concatenate([numpy.stack(numpy.meshgrid(numpy.arange(s), numpy.arange(s))).reshape(2, -1) for s in n.sizes], 1)
    grid = n.const((grid[None] + 0.5).astype(numpy.float32))
    stride = numpy.concatenate([numpy.full(s * s, n.side / s) for s in n.sizes]).astype(numpy.float32)[None]
    a, b = n.add("Sub", grid, near), n.add("Add", grid, far)
    if centres:
        a, b = n.add("Div", n.add("Add", a, b), numpy.float32(2)), n.add("Sub", b, a)
    boxes = n.add("Mul", n.add("Concat", a, b, axis=1), stride)
    return n.add("Transpose", n.add("Concat", boxes, n.add("Sigmoid", scores), axis=1), perm=[0, 2, 1])


def kept(how, centres=False, batch=1, side=64):
    n = Net(batch, side)
    t = head(n, centres)
    boxes, scores = n.add("Split", t, i(4, CLASSES), outputs=2, axis=-1)
    best = n.add("ArgMax", scores, axis=1, keepdims=0)
    places, outputs = [], []
    if how in ("elements", "two images"):
        index = n.add("Unsqueeze", best, i(-1))
        for part, width in ((boxes, 4), (scores, CLASSES)):
            places.append(n.add("GatherElements", part, n.add("Tile", index, i(1, 1, width)), axis=1))
    elif how == "list":
        places.append(n.add("Gather", t, n.add("Reshape", best, i(-1)), axis=1))
    elif how == "coordinates":
        zeros = numpy.zeros((CLASSES, 1), numpy.int64)
        index = n.add("Concat", zeros, n.add("Reshape", best, i(-1, 1)), axis=1)
        places += [n.add("GatherND", part, index) for part in (boxes, scores)]
    elif how.startswith("threshold"):
        mask = n.add("Greater", n.add("ReduceMax", scores, axes=[-1], keepdims=0), numpy.float32(0.9))
        index = n.add("Gather", n.add("NonZero", mask), i(1), axis=0)
        places.append(n.add("Gather", t, n.add("Reshape", index, i(-1)), axis=1))
    elif how == "in the file":
        places.append(n.add("Gather", t, i(3, 80, 7), axis=1))
    elif how == "half of them":
        places.append(n.add("Gather", t, n.add("Reshape", n.add("Tile", best, i(1, 9)), i(-1)), axis=1))
    elif how == "Softmax over boxes":
        places.append(n.add("Gather", n.add("Softmax", t, axis=1), n.add("Reshape", best, i(-1)), axis=1))
    elif how == "along classes":
        few = n.add("Reshape", n.add("ArgMax", n.add("ReduceMean", scores, axes=[1], keepdims=1), axis=2), i(-1))
        places.append(n.add("Gather", n.add("Softmax", scores, axis=-1), few, axis=2))
    elif how == "best score":
        places.append(n.add("ReduceMax", scores, axes=[-1], keepdims=0))
    elif how == "mean score":
        places.append(n.add("ReduceMean", scores, axes=[-1], keepdims=0))
    outputs = [n.add("Neg", p) for p in places]
    return n.model(*outputs), places


def run(path, x):
    shutil.rmtree("of", ignore_errors=True)
    pathlib.Path("in").mkdir(exist_ok=True)
    numpy.save("in/input_0.npy", x)
    done = subprocess.run([sys.argv[1], path, "--values", "--input-dir", "in", "--output-dir", "of"], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.splitlines()[-1]
    return [numpy.load(p) for p in sorted(pathlib.Path("of").glob("*.npy"))]


def filtered(name, places):
    words = [w for p in places for w in ("rewrite", p, "filter-first")]
    done = subprocess.run(["./edit_model", f"{name}.onnx", "after.onnx", *words], capture_output=True, text=True)
    return done.stderr.strip().split(": ", 3)[-1]


def same(a, b):
    return not isinstance(a, str) and not isinstance(b, str) and len(a) == len(b) and all(
        p.shape == q.shape and numpy.allclose(p, q, rtol=2e-5, atol=2e-5) for p, q in zip(a, b))


def ops(path, after):
    nodes = [n.op_type for n in onnx.load(path).graph.node]
    return " ".join(nodes[len(nodes) - 1 - nodes[::-1].index(after):])


if __name__ == "__main__":
    if sys.argv[1] == "--tail":
        print("tail:", ops(sys.argv[2], sys.argv[3]))
        sys.exit()
    inputs = [numpy.random.default_rng(k).normal(size=(1, 3, 64, 64)).astype(numpy.float32) for k in range(10)]
    for how, centres in (("elements", False), ("elements", True), ("list", True), ("coordinates", False), ("best score", False)):
        m, places = kept(how, centres)
        name = how.replace(" ", "-")
        onnx.save(m, f"{name}.onnx")
        said = filtered(name, places)
        if how == "coordinates":  # npu-exec has no GatherND: the same by another choice, without the first axis
            onnx.save(kept("elements")[0], f"{name}.onnx")
        equal = said or sum(same([v[0] for v in run(f"{name}.onnx", x)] if how == "coordinates" else run(f"{name}.onnx", x),
                                 run("after.onnx", x)) for x in inputs)
        print(f"{how}: {equal} of 10 equal; {ops('after.onnx', 'ReduceMax' if how == 'best score' else 'ArgMax')}")
    m, places = kept("threshold", side=192)
    onnx.save(m, "threshold.onnx")
    print(f"threshold, 756 boxes: {filtered('threshold', places) or ops('after.onnx', 'NonZero')}")
    for how in ("threshold", "in the file", "half of them", "Softmax over boxes", "two images", "along classes", "mean score"):
        m, places = kept(how, batch=2 if how == "two images" else 1)
        onnx.save(m, "near.onnx")
        print(f"{how}: {filtered('near', places)}")

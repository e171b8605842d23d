#!/usr/bin/python3
"""The type of operators with drawn attributes, at the quantizer of SDK 0.9 and here.

  tests/full/vendor_drawn.py [--build DIR] [--count N] [--seed N] [--keep FOLDER]

Each model has one operator after a Conv, of two to five axes and of an opset from 11 to 18, with attributes, constants and axes that are drawn
(DRAWN); those whose shapes do not fit, or have no elements, are drawn again.  Newer ones are converted to opset 13 first.  At least 98 % must have
the same type on both sides (vendor_placement.py); the others are printed.  Status 77 without the packages (vendor_venv.py).
"""
import argparse
import pathlib
import random
import shutil
import sys
import tempfile

import numpy
import onnx

import closed_loop
import closed_networks
import placement_cases
import vendor_placement
import vendor_venv

sys.path.insert(0, str(vendor_venv.ROOT / "tests" / "tools"))
import placement  # noqa: E402

F, I = numpy.float32, numpy.array
VIEW = {3: [1, 16, 1024], 4: [1, 16, 32, 32], 5: [1, 4, 4, 32, 32]}


class Draw:
    """One operator on `x`, of that rank."""

    def __init__(self, draw, net, x, rank):
        self.n, self.x, self.rank, self.axes, self.channels = net, x, rank, rank - 2, VIEW[rank][1]
        self.choice, self.chance = draw.choice, lambda share: draw.random() < share
        self.shuffled = lambda items: draw.sample(items, len(items))

    def floats(self, *dims):
        return self.n.rng.normal(size=dims)

    def positive(self, *dims):
        return self.n.rng.uniform(0.5, 1.5, size=dims)

    def last(self):
        return VIEW[self.rank][-1]

    def pads(self, most=2):
        begin, end = self.choice([(0, 0), (1, 1), (0, 1), (2, 2)])
        return [min(begin, most)] * self.axes + [min(end, most)] * self.axes

    def window(self, kernel, share):
        """Its stride is at most the kernel: beyond it a window of ceil_mode can lie in the padding, which onnx and onnxruntime count differently."""
        padding = {"auto_pad": self.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])} if self.chance(share) else {"pads": self.pads(kernel // 2)}
        return {"kernel_shape": [kernel] * self.axes, "strides": [min(kernel, self.choice([1, 2, 3]))] * self.axes} | padding

    def convolution(self, op):
        kernel, group = self.choice([1, 2, 3, 5]), self.choice([1, 1, 2, self.channels])
        attributes = self.window(kernel, 0.25) | {"group": group}
        dilation = self.choice([1, 1, 2, 12, 13]) if kernel > 1 and "pads" in attributes else 1
        if dilation > 1:
            attributes |= {"dilations": [dilation] * self.axes, "pads": [dilation] * 2 * self.axes}
        bias = [self.floats(self.channels)] if self.chance(0.6) else []
        return self.n.add(op, self.x, self.floats(self.channels, self.channels // group, *[kernel] * self.axes) / kernel, *bias, **attributes)

    def pool(self, op):
        attributes = self.window(self.choice([2, 3, 5]), 0.2)
        if "pads" in attributes and self.chance(0.4):
            attributes["ceil_mode"] = 1
        if op == "AveragePool" and self.chance(0.4):
            attributes["count_include_pad"] = 1
        return self.n.add(op, self.x, **attributes)

    def resize(self):
        attributes = {"mode": self.choice(["nearest", "linear"]),
                      "coordinate_transformation_mode": self.choice(["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "tf_half_pixel_for_nn"])}
        if attributes["mode"] == "nearest":
            attributes["nearest_mode"] = self.choice(["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"])
        scale = self.choice([2, 3, 4, 0.5, 1.5])
        return self.n.add("Resize", self.x, I([], F) if self.n.opset < 13 else "", I([1, 1] + [scale] * self.axes, F), **attributes)

    def softmax(self):
        return self.n.add("Softmax", self.choice([self.x, self.n.reduced(self.x, "ReduceMean", list(range(2, self.rank)))]), axis=self.axis())

    def product(self):
        last = self.last()
        return self.n.add("MatMul", self.x, self.floats(*self.choice([(last, 8), (1, last, 8), (1,) * self.axes + (last, 8), (last,)])))

    def gemm(self):
        turned = self.choice([0, 1])
        bias = self.choice([[], [self.floats(8)], [self.floats(1, 8)], [self.floats(512, 1)]])
        return self.n.add("Gemm", self.n.add("Reshape", self.x, I([512, 32])), self.floats(*((8, 32) if turned else (32, 8))), *bias, transB=turned,
                          alpha=self.choice([1.0, 0.5]), beta=self.choice([1.0, 2.0]))

    def power(self):
        exponents = [F(2), F(3), F(0.5), F(-1), self.positive(1)] + ([I(2), I(3, numpy.int32)] if self.n.opset >= 12 else [])
        return self.n.add("Pow", self.n.add("Sigmoid", self.x), self.choice(exponents))

    def binary(self, op):
        above = self.n.add("Add", self.n.add("Sigmoid", self.x), F(1))
        of_channels = self.positive(self.channels, *[1] * self.axes)
        return self.n.add(op, *self.choice([(self.x, F(1.5)), (self.x, of_channels), (self.x, self.positive(self.last())), (of_channels, above), (self.x, above),
                                            (self.x, self.n.reduced(above, "ReduceMean", [self.rank - 1]))]))

    def axis(self):
        return self.choice([*range(1, self.rank), -1])

    def concat(self):
        gate = self.n.add("Sigmoid", self.x)
        return self.n.add("Concat", *self.choice([(self.x, gate), (self.x, self.x), (gate, self.n.add("Tanh", self.x), self.x)]), axis=self.axis())

    def slice(self):
        return self.n.add("Slice", self.x, I([self.choice([0, 1, 2])]), I([self.choice([3, 2 ** 31, -1])]), I([self.axis()]), I([self.choice([1, 1, 2])]))

    def pad(self):
        pads, axis = [0] * 2 * self.rank, self.choice(range(1, self.rank))
        pads[axis], pads[axis + self.rank] = self.choice([0, 1, 2]), self.choice([1, 3])
        return self.n.add("Pad", self.x, I(pads), *self.choice([[], [F(0)], [F(1)]]), mode=self.choice(["constant", "constant", "edge", "reflect"]))

    def reduce(self, op):
        return self.n.reduced(self.x, op, self.choice([[self.rank - 1], [1], list(range(2, self.rank)), list(range(1, self.rank)), [-2]]), self.choice([0, 1]))

    def transpose(self):
        return self.n.add("Transpose", self.x, perm=[0, *self.shuffled(range(1, self.rank))])

    def clip(self):
        return self.n.add("Clip", self.x, *self.choice([(F(-1), F(1)), (F(0),), ("", F(3)), (F(0), F(6))]))

    def norm(self):
        return self.n.norm(self.choice([self.x, self.n.add("Tanh", self.x)]), self.channels)

    def layer_norm(self):
        axes = self.choice([[-1], [1], [-2, -1]])
        return placement_cases.layer_norm("Pow", "Sqrt", axes, self.choice([None, (1,)]))(self.n, self.x)

    def gather(self):
        return self.n.add("Gather", self.x, self.choice([I(0), I([0, 1]), I([2])]), axis=1)

    def unary(self):
        return self.n.add(self.choice("Relu Sigmoid Tanh Exp Erf Softplus Abs Sin Cos Neg Floor Sign HardSigmoid Selu Softsign Reciprocal LeakyRelu Elu Identity".split()), self.x)


DRAWN = [lambda d: d.convolution("Conv"), lambda d: d.convolution("ConvTranspose"), lambda d: d.pool("MaxPool"), lambda d: d.pool("AveragePool"),
         lambda d: d.n.add("GlobalAveragePool", d.x), Draw.resize, Draw.softmax, Draw.product, Draw.gemm, Draw.power, *(lambda d, op=op: d.binary(op) for op in ("Add", "Mul", "Sub", "Div")),
         Draw.concat, Draw.slice, Draw.pad, *(lambda d, op=op: d.reduce(op) for op in ("ReduceMean", "ReduceSum", "ReduceL2", "ReduceMax")), Draw.transpose, Draw.clip,
         Draw.norm, Draw.layer_norm, Draw.gather, Draw.unary]


def write_model(draw, path):
    """Ends with ValueError where shapes do not fit."""
    opset, rank = draw.choice([11, 12, 13, 13, 14, 15, 16, 17, 18]), draw.choice([3, 4, 4, 4, 5])
    n = closed_networks.Net(opset, seed=draw.randrange(1000), x=[1, 3, 32, 32])
    x = n.conv("x", 3, 16)
    y = draw.choice(DRAWN)(Draw(draw, n, n.add("Reshape", x, I(VIEW[rank])) if rank != 4 else x, rank))
    try:
        n.save(path, y)
        dims = [d.dim_value for v in onnx.load(path).graph.output for d in v.type.tensor_type.shape.dim]
        if len(dims) == 4 and min(dims) > 0 and dims[0] == 1:
            n.save(path, n.conv(y, dims[1], 8, 1))
        onnx.shape_inference.infer_shapes(onnx.load(path), strict_mode=True)
    except Exception as e:  # noqa: BLE001 (onnx has several)
        raise ValueError(str(e)) from None
    if any(d.dim_value < 1 for v in [*onnx.load(path).graph.output, *onnx.load(path).graph.value_info] for d in v.type.tensor_type.shape.dim):
        raise ValueError("a tensor has no elements")


def draw_models(program, draw, count, folder):
    files = []
    while len(files) < count:
        path, out = folder / f"drawn_{len(files)}.onnx", folder / "converted"
        try:
            write_model(draw, path)
        except ValueError:
            path.unlink(missing_ok=True)
            continue
        if onnx.load(path).opset_import[0].version > 13:
            done = closed_loop.run(program, "apply", path, "--opset", "13", "--sdk", "0.9", "-o", out, "-q")
            if done.returncode:
                sys.exit(f"{path.stem}: {done.stderr.strip()}")
            shutil.move(out / "model.onnx", path)
            shutil.rmtree(out)
        files.append(path)
    return files


def ask_each(python, files):
    """A model at which the vendor's process dies is refused; the others follow it."""
    told = {}
    while left := [f for f in files if f.stem not in told]:
        with tempfile.TemporaryDirectory() as scratch:
            for f in left:
                shutil.copy(f, scratch)
            told |= vendor_placement.ask(python, scratch)
        dead = next((f for f in sorted(left) if f.stem not in told), None)
        told |= {dead.stem: {"error": "the process dies"}} if dead else {}
    return told


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--count", type=int, default=200)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--keep")
    o = p.parse_args()
    python = vendor_venv.pythons(o.build, "0.9")["0.9"]
    program = pathlib.Path(o.build).resolve() / "npu-advise"
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(o.keep or scratch)
        files = draw_models(program, random.Random(o.seed), o.count, folder)
        told = ask_each(python, files)
        same = []
        for f in files:
            same.append(vendor_placement.compare_case(placement, program, f, told[f.stem], False))
            if not same[-1]:
                print(*(f"    {n.op_type} {[onnx.helper.get_attribute_value(a) for a in n.attribute]}" for n in onnx.load(f).graph.node), sep="\n")
    print(f"type: {sum(same)} of {len(same)} drawn operators equal ({100 * sum(same) / len(same):.1f} %)")
    sys.exit(sum(same) < vendor_placement.LEAST * len(same))


if __name__ == "__main__":
    main()

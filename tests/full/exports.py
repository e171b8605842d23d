#!/usr/bin/python3
"""Thirty-two exports, fixed before the first run: how many segments each has before and after the recommended plan is applied.

  tests/full/exports.py [--build DIR] [--only TEXT] [--keep DIR] [--verbose]

Blocks of known networks as torch and TensorFlow export them, rebuilt by hand with random weights, and TFLite files of the corpus.  A
model is right if its program is one segment, or if every operator that keeps it from being one is listed with a reason of the support table
(`npu-advise compile --support`) after `apply`, and runs on the host for that reason.  An operator on the host for want of a
scale, or a second segment without one, is wrong.  Prints a table, and each operator left with its reason.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

import outside
from closed_networks import Net

ROOT = pathlib.Path(__file__).resolve().parents[2]
F, I = numpy.float32, numpy.int64
OF_TABLE = {"unsupported", "condition-failed"}
CONVERSIONS = {"Quantize", "Dequantize", "Lower", "Unlower"}


class Block(Net):
    def cbr(self, x, cin, cout, k=3, stride=1, group=1):
        return self.add("Relu", self.norm(self.conv(x, cin, cout, k, stride, group), cout))

    def dilated(self, x, cin, cout, rate):
        return self.add("Conv", x, self.rng.normal(size=(cout, cin, 3, 3)) / (3 * cin ** 0.5), kernel_shape=[3, 3], pads=[rate] * 4,
                        dilations=[rate, rate])

    def pool(self, x, k=2, stride=2, pad=0):
        return self.add("MaxPool", x, kernel_shape=[k, k], strides=[stride, stride], pads=[pad] * 4)

    def up(self, x, cin, cout):
        return self.add("ConvTranspose", x, self.rng.normal(size=(cin, cout, 2, 2)) / cin ** 0.5, kernel_shape=[2, 2], strides=[2, 2])

    def nearest(self, x, factor=2):
        return self.add("Resize", x, "", F([1, 1, factor, factor]), mode="nearest", coordinate_transformation_mode="asymmetric",
                        nearest_mode="floor")

    def reshape(self, x, *dims):
        return self.add("Reshape", x, numpy.array(dims))

    def transpose(self, x, *perm):
        return self.add("Transpose", x, perm=list(perm))

    def gap(self, x):
        return self.add("GlobalAveragePool", x)

    def classify(self, x, channels, classes=10):
        return self.linear(self.add("Flatten", self.gap(x), axis=1), channels, classes)

    def layer_norm(self, x, width):
        """As torch writes it before opset 17."""
        mean = self.reduced(x, "ReduceMean", [-1])
        d = self.add("Sub", x, mean)
        s = self.add("Sqrt", self.add("Add", self.reduced(self.add("Pow", d, F(2)), "ReduceMean", [-1]), F(1e-5)))
        return self.add("Add", self.add("Mul", self.add("Div", d, s), self.rng.uniform(0.5, 1.5, width)), self.rng.normal(size=width) * 0.1)

    def gelu(self, x):
        return self.add("Mul", self.add("Mul", x, self.add("Add", self.add("Erf", self.add("Div", x, F(2 ** 0.5))), F(1))), F(0.5))

    def hard_swish(self, x):
        return self.add("Div", self.add("Mul", x, self.add("Clip", self.add("Add", x, F(3)), F(0), F(6))), F(6))

    def attention(self, x, tokens, width, heads, batch=1):
        """Self-attention of batch x tokens x width, the heads as timm splits them."""
        qkv = self.reshape(self.project(x, width, 3 * width), batch, tokens, 3, heads, width // heads)
        q, k, v = (self.add("Gather", self.transpose(qkv, 2, 0, 3, 1, 4), I(i), axis=0) for i in range(3))
        scores = self.add("MatMul", self.add("Mul", q, F((width // heads) ** -0.5)), self.transpose(k, 0, 1, 3, 2))
        x = self.transpose(self.add("MatMul", self.add("Softmax", scores, axis=-1), v), 0, 2, 1, 3)
        return self.project(self.reshape(x, batch, tokens, width), width, width)

    def transformer(self, x, tokens, width, heads, batch=1):
        x = self.add("Add", x, self.attention(self.layer_norm(x, width), tokens, width, heads, batch))
        return self.add("Add", x, self.project(self.gelu(self.project(self.layer_norm(x, width), width, 2 * width)), 2 * width, width))


def image(opset=13, size=64, channels=3):
    return Block(opset, x=[1, channels, size, size])


# ---- classifiers --------------------------------------------------------------------------------------


def resnext():
    n = image()
    x = n.cbr("x", 3, 64, 3, 2)
    for _ in range(2):
        x = n.add("Relu", n.add("Add", x, n.norm(n.conv(n.cbr(n.cbr(x, 64, 128, 1), 128, 128, 3, 1, 32), 128, 64, 1), 64)))
    return n, [n.classify(x, 64)]


def squeeze_excitation():
    n = image()
    x = n.cbr("x", 3, 32, 3, 2)
    gate = n.add("Sigmoid", n.conv(n.add("Relu", n.conv(n.reduced(x, "ReduceMean", [2, 3]), 32, 8, 1)), 8, 32, 1))
    return n, [n.classify(n.cbr(n.add("Mul", x, gate), 32, 64), 64)]


def attention_module():
    """CBAM: channels by two pools through one perceptron, then places by mean and maximum over channels."""
    n = image()
    x = n.cbr("x", 3, 32, 3, 2)
    a, b = n.rng.normal(size=(8, 32, 1, 1)) / 6, n.rng.normal(size=(32, 8, 1, 1)) / 3

    def shared(y):
        return n.add("Conv", n.add("Relu", n.add("Conv", y, a, kernel_shape=[1, 1])), b, kernel_shape=[1, 1])

    x = n.add("Mul", x, n.add("Sigmoid", n.add("Add", shared(n.gap(x)), shared(n.add("GlobalMaxPool", x)))))
    both = n.add("Concat", n.reduced(x, "ReduceMean", [1]), n.reduced(x, "ReduceMax", [1]), axis=1)
    return n, [n.classify(n.add("Mul", x, n.add("Sigmoid", n.conv(both, 2, 1, 7))), 32)]


def ghost():
    n = image()
    x = n.cbr("x", 3, 16, 3, 2)
    for _ in range(2):
        half = n.cbr(x, 16, 8, 1)
        x = n.add("Add", x, n.add("Concat", half, n.cbr(half, 8, 8, 3, 1, 8), axis=1))
    return n, [n.classify(x, 16)]


def shuffle():
    n = image()
    x = n.cbr("x", 3, 48, 3, 2)
    for _ in range(2):
        left, right = n.add("Split", x, numpy.array([24, 24]), count=2, axis=1)
        right = n.cbr(n.norm(n.conv(n.cbr(right, 24, 24, 1), 24, 24, 3, 1, 24), 24), 24, 24, 1)
        x = n.reshape(n.add("Concat", left, right, axis=1), 1, 2, 24, 32, 32)
        x = n.reshape(n.transpose(x, 0, 2, 1, 3, 4), 1, 48, 32, 32)
    return n, [n.classify(x, 48)]


def rep_vgg():
    n = image()
    x = n.cbr("x", 3, 32, 3, 2)
    for _ in range(2):
        x = n.add("Relu", n.add("Add", n.add("Add", n.norm(n.conv(x, 32, 32), 32), n.norm(n.conv(x, 32, 32, 1), 32)), n.norm(x, 32)))
    return n, [n.classify(x, 32)]


def mobile_one():
    n = image()
    x = n.cbr("x", 3, 32, 3, 2)
    for _ in range(2):
        y = n.norm(n.conv(x, 32, 32, 3, 1, 32), 32)
        y = n.add("Add", y, n.norm(n.conv(x, 32, 32, 1, 1, 32), 32))
        x = n.add("Relu", n.add("Add", y, n.norm(x, 32)))
        x = n.add("Relu", n.add("Add", n.norm(n.conv(x, 32, 32, 1), 32), n.norm(x, 32)))
    return n, [n.classify(x, 32)]


def conv_next():
    n = image(13)
    x = n.add("Conv", "x", n.rng.normal(size=(48, 3, 4, 4)) / 7, n.rng.normal(size=48) / 9, kernel_shape=[4, 4], strides=[4, 4])
    for _ in range(2):
        y = n.layer_norm(n.transpose(n.conv(x, 48, 48, 7, 1, 48), 0, 2, 3, 1), 48)
        y = n.project(n.gelu(n.project(y, 48, 192)), 192, 48)
        x = n.add("Add", x, n.transpose(n.add("Mul", y, n.rng.normal(size=48) * 0.1), 0, 3, 1, 2))
    return n, [n.linear(n.layer_norm(n.add("Flatten", n.gap(x), axis=1), 48), 48, 10)]


def swin():
    """Two blocks on 16 x 16 tokens, the second with windows that are shifted by Slices and Concats."""
    n = image(13)
    x = n.add("Conv", "x", n.rng.normal(size=(32, 3, 4, 4)) / 7, n.rng.normal(size=32) / 9, kernel_shape=[4, 4], strides=[4, 4])
    x = n.transpose(x, 0, 2, 3, 1)
    for shift in (0, 4):
        y = n.layer_norm(x, 32)
        for axis in (1, 2) if shift else ():
            y = roll(n, y, axis, shift, 16)
        y = n.reshape(n.transpose(n.reshape(y, 1, 2, 8, 2, 8, 32), 0, 1, 3, 2, 4, 5), 4, 64, 32)
        y = n.attention(y, 64, 32, 2, 4)
        y = n.reshape(n.transpose(n.reshape(y, 1, 2, 2, 8, 8, 32), 0, 1, 3, 2, 4, 5), 1, 16, 16, 32)
        for axis in (1, 2) if shift else ():
            y = roll(n, y, axis, 16 - shift, 16)
        x = n.add("Add", x, y)
        x = n.add("Add", x, n.project(n.gelu(n.project(n.layer_norm(x, 32), 32, 64)), 64, 32))
    return n, [n.linear(n.reduced(x, "ReduceMean", [1, 2], 0), 32, 10)]


def roll(n, x, axis, by, size):
    a = n.add("Slice", x, numpy.array([by]), numpy.array([size]), numpy.array([axis]))
    return n.add("Concat", a, n.add("Slice", x, numpy.array([0]), numpy.array([by]), numpy.array([axis])), axis=axis)


def mobile_vit():
    n = image(14)
    x = n.silu(n.norm(n.conv("x", 3, 32, 3, 4), 32))
    y = n.conv(n.silu(n.conv(x, 32, 32)), 32, 48, 1)
    y = n.reshape(n.transpose(n.reshape(y, 384, 2, 8, 2), 0, 2, 1, 3), 1, 48, 64, 4)
    y = n.reshape(n.transpose(y, 0, 3, 2, 1), 4, 64, 48)
    y = n.transformer(y, 64, 48, 2, 4)
    y = n.transpose(n.reshape(y, 1, 4, 64, 48), 0, 3, 2, 1)
    y = n.reshape(n.transpose(n.reshape(y, 384, 8, 2, 2), 0, 2, 1, 3), 1, 48, 16, 16)
    x = n.add("Concat", x, n.silu(n.conv(y, 48, 32, 1)), axis=1)
    return n, [n.classify(n.silu(n.conv(x, 64, 64)), 64)]


def efficient_former():
    n = image(16)
    x = n.cbr(n.cbr("x", 3, 24, 3, 2), 24, 48, 3, 2)
    for _ in range(2):
        pooled = n.add("AveragePool", x, kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=0)
        x = n.add("Add", x, n.add("Mul", n.add("Sub", pooled, x), n.rng.normal(size=(48, 1, 1)) * 0.1))
        x = n.add("Add", x, n.norm(n.conv(n.gelu(n.norm(n.conv(x, 48, 192, 1), 192)), 192, 48, 1), 48))
    return n, [n.classify(x, 48)]


def mobile_v3():
    n = image(11)
    x = n.hard_swish(n.norm(n.conv("x", 3, 16, 3, 2), 16))
    y = n.hard_swish(n.norm(n.conv(n.hard_swish(n.norm(n.conv(x, 16, 64, 1), 64)), 64, 64, 5, 1, 64), 64))
    gate = n.add("Relu", n.conv(n.gap(y), 64, 16, 1))
    gate = n.add("Div", n.add("Clip", n.add("Add", n.conv(gate, 16, 64, 1), F(3)), F(0), F(6)), F(6))
    x = n.add("Add", x, n.norm(n.conv(n.add("Mul", y, gate), 64, 16, 1), 16))
    return n, [n.classify(x, 16)]


def efficient_channels():
    """ECA: a convolution over the channels of the pooled map."""
    n = image()
    x = n.cbr("x", 3, 32, 3, 2)
    y = n.transpose(n.reshape(n.gap(x), 1, 32, 1), 0, 2, 1)
    y = n.add("Conv", y, n.rng.normal(size=(1, 1, 3)), kernel_shape=[3], pads=[1, 1])
    y = n.add("Sigmoid", n.reshape(n.transpose(y, 0, 2, 1), 1, 32, 1, 1))
    return n, [n.classify(n.add("Mul", x, n.add("Expand", y, numpy.array([1, 32, 32, 32]))), 32)]


def inception():
    n = image()
    x = n.cbr("x", 3, 32, 3, 2)
    pooled = n.add("AveragePool", x, kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1)
    split = n.cbr(x, 32, 16, 1)
    tall = n.add("Conv", split, n.rng.normal(size=(16, 16, 3, 1)) / 7, kernel_shape=[3, 1], pads=[1, 0, 1, 0])
    wide = n.add("Conv", split, n.rng.normal(size=(16, 16, 1, 3)) / 7, kernel_shape=[1, 3], pads=[0, 1, 0, 1])
    x = n.add("Concat", n.cbr(x, 32, 16, 1), tall, wide, n.cbr(pooled, 32, 16, 1), axis=1)
    return n, [n.add("Softmax", n.classify(x, 64), axis=1)]


def group_norm():
    """As torch exports it before opset 18."""
    n = image(14)
    x = n.conv("x", 3, 32, 3, 2)
    for _ in range(2):
        y = n.reshape(n.add("InstanceNormalization", n.reshape(x, 0, 8, -1), numpy.ones(8), numpy.zeros(8)), 1, 32, 32, 32)
        y = n.add("Add", n.add("Mul", y, n.rng.uniform(0.5, 1.5, (32, 1, 1))), n.rng.normal(size=(32, 1, 1)) * 0.1)
        x = n.conv(n.add("Relu", y), 32, 32)
    return n, [n.classify(x, 32)]


def response_norm():
    n = image()
    x = n.add("LRN", n.add("Relu", n.conv("x", 3, 64, 11, 4)), size=5, alpha=1e-4, beta=0.75, bias=2.0)
    x = n.add("LRN", n.add("Relu", n.conv(n.pool(x, 3, 2), 64, 96, 5)), size=5, alpha=1e-4, beta=0.75, bias=2.0)
    return n, [n.classify(x, 96)]


def sphere_face():
    n = image(12)
    x = "x"
    for cin, cout in ((3, 32), (32, 64)):
        x = n.add("PRelu", n.conv(x, cin, cout, 3, 2), n.rng.uniform(0.1, 0.3, (cout, 1, 1)))
        y = n.add("PRelu", n.conv(x, cout, cout), n.rng.uniform(0.1, 0.3, (cout, 1, 1)))
        x = n.add("Add", x, y)
    x = n.norm(n.linear(n.add("Flatten", x, axis=1), 64 * 256, 128), 128)
    return n, [n.add("LpNormalization", x, axis=1, p=2)]


# ---- pixels, boxes and points ---------------------------------------------------------------------------


def u_net():
    n = image(11)
    a = n.cbr("x", 3, 16)
    b = n.cbr(n.pool(a), 16, 32)
    c = n.cbr(n.pool(b), 32, 64)
    up = n.add("Resize", c, "", F([1, 1, 2, 2]), mode="linear", coordinate_transformation_mode="align_corners")
    b = n.cbr(n.add("Concat", b, up, axis=1), 96, 32)
    up = n.add("Resize", b, "", F([1, 1, 2, 2]), mode="linear", coordinate_transformation_mode="align_corners")
    return n, [n.conv(n.cbr(n.add("Concat", a, up, axis=1), 48, 16), 16, 2, 1)]


def feature_pyramid():
    """The size of what is enlarged comes from Shape, as torch traces F.interpolate."""
    n = image(13)
    a = n.cbr("x", 3, 32, 3, 2)
    b = n.cbr(a, 32, 64, 3, 2)
    c = n.cbr(b, 64, 128, 3, 2)
    x, out = n.conv(c, 128, 32, 1), []
    for y, cin in ((b, 64), (a, 32)):
        size = n.add("Slice", n.add("Shape", y), numpy.array([2]), numpy.array([4]), numpy.array([0]))
        whole = n.add("Concat", n.add("Slice", n.add("Shape", x), numpy.array([0]), numpy.array([2]), numpy.array([0])), size, axis=0)
        x = n.add("Resize", x, "", "", whole, mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        x = n.add("Add", n.conv(y, cin, 32, 1), x)
        out.append(n.conv(x, 32, 32))
    return n, out


def weighted_pyramid():
    """BiFPN: sums with weights that are normalized in the graph."""
    n = image(13)
    a = n.cbr("x", 3, 32, 3, 2)
    b = n.cbr(a, 32, 32, 3, 2)

    def fuse(*maps):
        w = n.add("Relu", n.const(n.rng.uniform(0.2, 1, len(maps))))
        w = n.add("Div", w, n.add("Add", n.reduced(w, "ReduceSum", [0]), F(1e-4)))
        parts = [n.add("Mul", n.add("Gather", w, I(i), axis=0), m) for i, m in enumerate(maps)]
        x = parts[0]
        for p in parts[1:]:
            x = n.add("Add", x, p)
        return n.norm(n.conv(n.conv(n.silu(x), 32, 32, 3, 1, 32), 32, 32, 1), 32)

    high = fuse(a, n.nearest(b))
    return n, [high, fuse(b, n.pool(high, 3, 2, 1))]


def center_net():
    n = image(11)
    x = n.cbr(n.cbr(n.cbr("x", 3, 32, 3, 2), 32, 64, 3, 2), 64, 64, 3, 2)
    x = n.add("Relu", n.norm(n.up(x, 64, 64), 64))
    heat = n.add("Sigmoid", n.conv(n.cbr(x, 64, 64), 64, 20, 1))
    peak = n.add("Equal", n.pool(heat, 3, 1, 1), heat)
    return n, [n.add("Mul", heat, n.add("Cast", peak, to=1)), n.conv(n.cbr(x, 64, 64), 64, 2, 1), n.conv(n.cbr(x, 64, 64), 64, 2, 1)]


def pixel_shuffle():
    n = image(11, 32)
    x = n.cbr(n.cbr("x", 3, 32, 5), 32, 32)
    x = n.reshape(n.conv(x, 32, 27), 1, 3, 3, 3, 32, 32)
    return n, [n.reshape(n.transpose(x, 0, 1, 4, 2, 5, 3), 1, 3, 96, 96)]


def deep_lab():
    n = image(13, 128)
    x = n.cbr(n.cbr(n.cbr("x", 3, 32, 3, 2), 32, 64, 3, 2), 64, 64, 3, 2)
    parts = [n.cbr(x, 64, 32, 1)] + [n.add("Relu", n.norm(n.dilated(x, 64, 32, r), 32)) for r in (6, 12, 18)]
    pooled = n.add("Relu", n.conv(n.gap(x), 64, 32, 1))
    parts.append(n.add("Resize", pooled, "", "", numpy.array([1, 32, 16, 16]), mode="linear", coordinate_transformation_mode="half_pixel"))
    x = n.conv(n.cbr(n.add("Concat", *parts, axis=1), 160, 32, 1), 32, 21, 1)
    return n, [n.add("Resize", x, "", "", numpy.array([1, 21, 128, 128]), mode="linear", coordinate_transformation_mode="half_pixel")]


def high_resolution():
    n = image(11)
    a = n.cbr("x", 3, 16, 3, 2)
    b = n.cbr(a, 16, 32, 3, 2)
    for _ in range(2):
        a, b = n.cbr(a, 16, 16), n.cbr(b, 32, 32)
        a, b = (n.add("Relu", n.add("Add", a, n.nearest(n.norm(n.conv(b, 32, 16, 1), 16)))),
                n.add("Relu", n.add("Add", n.norm(n.conv(a, 16, 32, 3, 2), 32), b)))
    return n, [n.conv(a, 16, 17, 1)]


def c2f():
    n = image(17, 128)
    x = n.silu(n.conv(n.silu(n.conv("x", 3, 16, 3, 2)), 16, 32, 3, 2))
    a, b = n.add("Split", n.silu(n.conv(x, 32, 32, 1)), numpy.array([16, 16]), count=2, axis=1)
    parts = [a, b]
    for _ in range(2):
        parts.append(n.add("Add", parts[-1], n.silu(n.conv(n.silu(n.conv(parts[-1], 16, 16)), 16, 16))))
    x = n.silu(n.conv(n.add("Concat", *parts, axis=1), 64, 32, 1))
    return n, [n.conv(x, 32, 84, 1)]


def distribution_head():
    """DFL of two levels, with boxes and scores of both joined."""
    n = image(17, 128)
    x = n.silu(n.conv(n.silu(n.conv("x", 3, 16, 3, 2)), 16, 32, 3, 4))
    y = n.silu(n.conv(x, 32, 64, 3, 2))
    flat = [n.reshape(n.add("Concat", n.conv(m, c, 64, 1), n.conv(m, c, 20, 1), axis=1), 1, 84, -1) for m, c in ((x, 32), (y, 64))]
    boxes, scores = n.add("Split", n.add("Concat", *flat, axis=2), numpy.array([64, 20]), count=2, axis=1)
    d = n.add("Softmax", n.transpose(n.reshape(boxes, 1, 4, 16, 320), 0, 2, 1, 3), axis=1)
    d = n.reshape(n.add("Conv", d, numpy.arange(16.0).reshape(1, 16, 1, 1), kernel_shape=[1, 1]), 1, 4, 320)
    return n, [n.add("Concat", n.add("Mul", d, F(8)), n.add("Sigmoid", scores), axis=1)]


def query_head():
    """DETR: tokens of the map, queries that attend to them, boxes and classes."""
    n = image(14)
    x = n.cbr(n.cbr(n.cbr("x", 3, 32, 3, 2), 32, 64, 3, 2), 64, 64, 3, 2)
    tokens = n.transformer(n.transpose(n.reshape(x, 1, 64, 64), 0, 2, 1), 64, 64, 4)
    q = n.project(n.const(n.rng.normal(size=(1, 20, 64))), 64, 64)
    scores = n.add("MatMul", q, n.transpose(n.project(tokens, 64, 64), 0, 2, 1))
    x = n.add("MatMul", n.add("Softmax", n.add("Mul", scores, F(0.125)), axis=-1), n.project(tokens, 64, 64))
    return n, [n.project(x, 64, 11), n.add("Sigmoid", n.project(n.add("Relu", n.project(x, 64, 64)), 64, 4))]


def text_lines():
    """CRNN: columns of a map through an LSTM."""
    n = Block(14, x=[1, 1, 32, 128])
    x = n.pool(n.cbr(n.pool(n.cbr("x", 1, 16)), 16, 32))
    x = n.add("MaxPool", n.cbr(x, 32, 64), kernel_shape=[8, 1], strides=[8, 1])
    x = n.transpose(n.add("Squeeze", x, numpy.array([2])), 2, 0, 1)
    x = n.add("LSTM", x, n.rng.normal(size=(1, 128, 64)) / 8, n.rng.normal(size=(1, 128, 32)) / 6, hidden_size=32)
    return n, [n.project(n.add("Squeeze", x, numpy.array([1])), 32, 37)]


def style_transfer():
    n = image(11)

    def block(x, cin, cout, k, stride=1):
        pad = k // 2
        x = n.add("Pad", x, numpy.array([0, 0, pad, pad] * 2), mode="reflect")
        x = n.add("Conv", x, n.rng.normal(size=(cout, cin, k, k)) / (k * cin ** 0.5), kernel_shape=[k, k], strides=[stride, stride])
        return n.add("InstanceNormalization", x, n.rng.uniform(0.5, 1.5, cout), n.rng.normal(size=cout) * 0.1)

    x = n.add("Relu", block(n.add("Relu", block("x", 3, 16, 9)), 16, 32, 3, 2))
    x = n.add("Relu", block(n.nearest(n.add("Add", x, block(x, 32, 32, 3))), 32, 16, 3))
    return n, [block(x, 16, 3, 9)]


MADE = [resnext, squeeze_excitation, attention_module, ghost, shuffle, rep_vgg, mobile_one, conv_next, swin, mobile_vit, efficient_former,
        mobile_v3, efficient_channels, inception, group_norm, response_norm, sphere_face, u_net, feature_pyramid, weighted_pyramid, center_net,
        pixel_shuffle, deep_lab, high_resolution, c2f, distribution_head, query_head, text_lines, style_transfer]
TFLITE = ["mlperf_tiny_vww_int8", "blazeface_front_float", "deeplabv3_mnv2_dm05_uint8"]


# ---- what becomes of them -------------------------------------------------------------------------------


def run(*words):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True)


def compiled(build, path):
    done = run(build / "npu-advise", "compile", path, "--emit", "json")
    if done.returncode:
        raise SystemExit(f"{path.name}: {done.stderr}")
    return json.loads(done.stdout)


def applied(build, path, folder):
    """The model of the bundle; what was given where there is no plan, or no model in it."""
    done = run(build / "npu-advise", "apply", path, "--output", folder)
    if done.returncode and "nothing" not in done.stderr:
        raise SystemExit(f"{path.name}: {done.stderr}")
    return folder / "model.onnx" if (folder / "model.onnx").exists() else path


def left(program):
    """Operators on the host: reason, what is said of it, how many."""
    found = {}
    for s in program["steps"]:
        if s["kind"] == "host" and s["nodes"] and s["op"] not in CONVERSIONS:
            key = (s["op"], s["reason"], s["why"])
            found[key] = found.get(key, 0) + 1
    return found


def corpus():
    return [outside.corpus("models/tflite") / f"{name}.tflite" for name in TFLITE]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    p.add_argument("--only", default="")
    p.add_argument("--keep", type=pathlib.Path)
    p.add_argument("--verbose", action="store_true")
    o = p.parse_args()
    folder = o.keep or pathlib.Path(tempfile.mkdtemp(prefix="exports."))
    folder.mkdir(exist_ok=True)
    paths = []
    for make in MADE:
        net, outputs = make()
        paths.append(folder / f"{make.__name__}.onnx")
        net.save(paths[-1], *outputs)
    wrong = single = count = 0
    for path in paths + corpus():
        if o.only not in path.stem:
            continue
        before = compiled(o.build.resolve(), path)
        after = compiled(o.build.resolve(), applied(o.build.resolve(), path, folder / f"{path.stem}.bundle"))
        rest, count = left(after), count + 1
        was, now = before["summary"]["segments"], after["summary"]["segments"]
        bad = [k for k in rest if k[1] not in OF_TABLE] + (["segments"] if now != 1 and not rest else [])
        wrong, single = wrong + bool(bad), single + (now == 1 and not rest)
        print(f"{path.stem:28} {was} -> {now}{'  WRONG' if bad else ''}")
        for (op, reason, why), times in rest.items():
            print(f"    {times}x {op}: {reason}{'; ' + why if o.verbose or bad else ''}")
    print(f"{count} exports: {single} are one segment without an operator on the host, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Builds models that Rockchip's compiler is run on: one operator between two convolutions, and networks with random weights.

usage: rknn_models.py FOLDER        ops/*.onnx and networks/*.onnx; networks need torch and torchvision

The list was fixed before any of its tables was looked at.  held_out() names a third of the operators and half of the
networks: their tables were opened only after all rules drawn from the others had been measured on them.
"""
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Made:
    """A graph under construction: op() adds a node and returns its output, or a list of them."""

    def __init__(self, opset, seed):
        self.opset, self.rng = opset, np.random.default_rng(seed)
        self.node, self.init, self.count, self.out_types = [], [], 0, {}

    def value(self):
        self.count += 1
        return f"t{self.count}"

    def const(self, array, dtype=np.float32):
        name = self.value()
        self.init.append(numpy_helper.from_array(np.asarray(array, dtype), name))
        return name

    def ints(self, *values):
        return self.const(values, np.int64)

    def weight(self, *shape):
        return self.const(self.rng.normal(0, (2 / np.prod(shape[1:])) ** 0.5 if len(shape) > 1 else 0.1, shape))

    def op(self, kind, *inputs, outputs=1, name=None, **attributes):
        out = [self.value() for _ in range(outputs)]
        self.node.append(helper.make_node(kind, list(inputs), out, name or f"{kind}_{self.count}", **attributes))
        return out[0] if outputs == 1 else out

    def conv(self, x, cin, cout, k=3, stride=1, group=1, name=None, pads=None, dilation=1):
        kh, kw = k if isinstance(k, tuple) else (k, k)
        pads = pads or [dilation * (kh - 1) // 2, dilation * (kw - 1) // 2] * 2
        stride = stride if isinstance(stride, tuple) else (stride, stride)
        return self.op("Conv", x, self.weight(cout, cin // group, kh, kw), self.weight(cout), name=name, strides=stride,
                       pads=pads, kernel_shape=[kh, kw], group=group, dilations=[dilation] * 2)

    def deconv(self, x, cin, cout, k, stride, pad=0, group=1, more=0):
        return self.op("ConvTranspose", x, self.weight(cin, cout // group, k, k), self.weight(cout), kernel_shape=[k, k],
                       strides=[stride] * 2, pads=[pad] * 4, group=group, output_padding=[more] * 2)

    def model(self, shape, outputs):
        graph = helper.make_graph(self.node, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                                  [helper.make_tensor_value_info(o, self.out_types.get(o, TensorProto.FLOAT), None) for o in outputs], self.init)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)
        return onnx.shape_inference.infer_shapes(model)

    def shape(self, name, shape):
        made = self.model(shape, [name])
        for v in list(made.graph.value_info) + list(made.graph.output):
            if v.name == name and v.type.tensor_type.HasField("shape"):
                return [d.dim_value for d in v.type.tensor_type.shape.dim]
        return []


# Each operator: name, channels, height, width, what it does to x; "out": its result is the graph's, without a Conv after it;
# "raw": x is the graph's input, without a Conv before it.
OPS = []


def case(name, c=64, h=40, w=40, opset=13, out=False, raw=None, integers=False):
    def add(make):
        OPS.append((name, c, h, w, opset, out, raw, integers, make))
        return make
    return add


def plain(kind, **attributes):
    return lambda g, x: g.op(kind, x, **attributes)


def after_add(kind, **attributes):
    """Where it cannot join the Conv."""
    return lambda g, x: g.op(kind, g.op("Add", x, g.conv(x, 64, 64, 1)), **attributes)


def squeeze_excite(g, x, c, gate):
    s = g.op("GlobalAveragePool", x)
    s = g.op("Relu", g.conv(s, c, 16, 1))
    return g.op("Mul", x, g.op(gate, g.conv(s, 16, c, 1)))


def recurrent(kind, gates, both):
    def make(g, x):
        d = 2 if both else 1
        x = g.op("Transpose", g.op("Reshape", x, g.ints(1, 64, 100)), perm=[2, 0, 1])
        y = g.op(kind, x, g.weight(d, gates * 32, 64), g.weight(d, gates * 32, 32), hidden_size=32,
                 direction="bidirectional" if both else "forward", outputs=2)[0]
        return g.op("Reshape", y, g.ints(100, 32 * d))
    return make


def layer_norm_parts(g, x, axis, c, shape):
    mean = g.op("ReduceMean", x, axes=[axis])
    d = g.op("Sub", x, mean)
    v = g.op("ReduceMean", g.op("Pow", d, g.const(2.0)), axes=[axis])
    y = g.op("Div", d, g.op("Sqrt", g.op("Add", v, g.const(1e-6))))
    return g.op("Add", g.op("Mul", y, g.const(np.linspace(0.5, 1.5, c).reshape(shape))), g.const(np.zeros(c).reshape(shape)))


def group_norm(g, x):
    y = g.op("InstanceNormalization", g.op("Reshape", x, g.ints(0, 8, -1)), g.const(np.ones(8)), g.const(np.zeros(8)))
    y = g.op("Reshape", y, g.ints(1, 64, 40, 40))
    return g.op("Add", g.op("Mul", y, g.weight(64, 1, 1)), g.weight(64, 1, 1))


def pixel_unshuffle(g, x):
    y = g.op("Transpose", g.op("Reshape", x, g.ints(1, 64, 20, 2, 20, 2)), perm=[0, 1, 3, 5, 2, 4])
    return g.op("Reshape", y, g.ints(1, 256, 20, 20))


def shuffle(groups):
    def make(g, x):
        y = g.op("Transpose", g.op("Reshape", x, g.ints(1, groups, 64 // groups, 40, 40)), perm=[0, 2, 1, 3, 4])
        return g.op("Reshape", y, g.ints(1, 64, 40, 40))
    return make


def head(g, x, classes, anchors):
    """The end of an SSD head: NHWC, then one row for each anchor."""
    y = g.op("Transpose", g.conv(x, 64, anchors * classes), perm=[0, 2, 3, 1])
    return g.op("Reshape", y, g.ints(1, -1, classes))


def gelu_tanh(g, x):
    inner = g.op("Add", x, g.op("Mul", g.op("Pow", x, g.const(3.0)), g.const(0.044715)))
    t = g.op("Tanh", g.op("Mul", inner, g.const(0.79788456)))
    return g.op("Mul", g.op("Mul", x, g.op("Add", t, g.const(1.0))), g.const(0.5))


def resize(mode, coordinates, sh, sw, nearest="floor"):
    return lambda g, x: g.op("Resize", x, "", g.const([1, 1, sh, sw]), mode=mode, coordinate_transformation_mode=coordinates,
                             nearest_mode=nearest)


def pad(pads, mode="constant", value=0.0):
    return lambda g, x: g.op("Pad", x, g.ints(*pads), g.const(value), mode=mode)


def slices(starts, ends, axes, steps=None):
    return lambda g, x: g.op("Slice", x, g.ints(*starts), g.ints(*ends), g.ints(*axes), g.ints(*(steps or [1] * len(axes))))


def split(axis, sizes):
    def make(g, x):
        parts = g.op("Split", x, g.ints(*sizes), axis=axis, outputs=len(sizes))
        return g.op("Concat", *[g.op("Relu", p) for p in reversed(parts)], axis=axis)
    return make


def branches(n, axis, c=16):
    return lambda g, x: g.op("Concat", *[g.conv(x, 64, c, 1) for _ in range(n)], axis=axis)


case("convt_k2s2")(lambda g, x: g.deconv(x, 64, 32, 2, 2))
case("convt_k4s2p1_relu")(lambda g, x: g.op("Relu", g.deconv(x, 64, 64, 4, 2, 1)))
case("convt_k3s1")(lambda g, x: g.deconv(x, 64, 64, 3, 1, 1))
case("convt_k4s2_group4")(lambda g, x: g.deconv(x, 64, 64, 4, 2, 1, 4))
case("convt_k5s4", h=20, w=20)(lambda g, x: g.deconv(x, 64, 32, 5, 4))
case("convt_k6s6", h=14, w=14)(lambda g, x: g.deconv(x, 64, 32, 6, 6))
case("convt_k3s2_op1_leaky")(lambda g, x: g.op("LeakyRelu", g.deconv(x, 64, 48, 3, 2, 1, more=1), alpha=0.1))
case("convt_silu")(lambda g, x: (lambda y: g.op("Mul", y, g.op("Sigmoid", y)))(g.deconv(x, 64, 48, 2, 2)))
case("conv_k7")(lambda g, x: g.conv(x, 64, 48, 7))
case("conv_1x7")(lambda g, x: g.conv(x, 64, 64, (1, 7)))
case("conv_dil12", h=52, w=52)(lambda g, x: g.conv(x, 64, 64, 3, dilation=12))
case("conv_s3", h=42, w=42)(lambda g, x: g.conv(x, 64, 64, 3, 3))
case("conv_s1x2")(lambda g, x: g.conv(x, 64, 64, 3, (1, 2)))
case("conv_s16", h=64, w=64)(lambda g, x: g.conv(x, 64, 96, 16, 16, pads=[0] * 4))
case("conv_c1024", c=1024, h=14, w=14)(lambda g, x: g.conv(x, 1024, 64, 3))
case("conv_c512", c=512, h=14, w=14)(lambda g, x: g.conv(x, 512, 64, 3))
case("dw_mult2")(lambda g, x: g.conv(x, 64, 128, 3, group=64))
case("dw9")(lambda g, x: g.conv(x, 64, 64, 9, group=64))
case("dw_s2_relu6")(lambda g, x: g.op("Clip", g.conv(x, 64, 64, 3, 2, group=64), g.const(0.0), g.const(6.0)))
case("dw_1x5")(lambda g, x: g.conv(x, 64, 64, (1, 5), group=64))
case("dw_dil3")(lambda g, x: g.conv(x, 64, 64, 3, group=64, dilation=3))
case("group2_relu")(lambda g, x: g.op("Relu", g.conv(x, 64, 64, 3, group=2)))
case("group8")(lambda g, x: g.conv(x, 64, 64, 3, group=8))
case("group4_c96_s2", c=96)(lambda g, x: g.conv(x, 96, 96, 3, 2, group=4))
case("conv1d", raw=[1, 32, 256], out=True)(lambda g, x: g.op("Relu", g.op("Conv", x, g.weight(64, 32, 5), g.weight(64), kernel_shape=[5], pads=[2, 2])))
case("conv3d", raw=[1, 8, 8, 32, 32], out=True)(lambda g, x: g.op("Relu", g.op("Conv", x, g.weight(16, 8, 3, 3, 3), g.weight(16), kernel_shape=[3] * 3, pads=[1] * 6)))
case("maxpool3d", raw=[1, 8, 8, 32, 32], out=True)(plain("MaxPool", kernel_shape=[2] * 3, strides=[2] * 3))
case("pad_reflect3_add")(lambda g, x: g.op("Relu", pad([0, 0, 3, 3, 0, 0, 3, 3], "reflect")(g, x)))
case("pad_one_conv")(pad([0, 0, 1, 1, 0, 0, 1, 1], value=1.0))
case("pad_channels")(pad([0, 0, 0, 0, 0, 16, 0, 0]))
case("pad_zero_relu")(lambda g, x: g.op("Sigmoid", pad([0, 0, 2, 1, 0, 0, 2, 1])(g, x)))
case("pad_asym_conv")(lambda g, x: g.conv(pad([0, 0, 0, 0, 0, 0, 1, 1])(g, x), 64, 64, 3, 2, pads=[0] * 4))
case("slice_c")(slices([16], [48], [1]))
case("slice_c_odd")(slices([5], [40], [1]))
case("slice_h")(slices([0], [20], [2]))
case("slice_hw_crop")(slices([3, 4], [33, 36], [2, 3]))
case("slice_reverse")(slices([-1], [-1000], [3], [-1]))
case("slice_c_step2")(slices([0], [64], [1], [2]))
case("split_h")(split(2, [20, 20]))
case("split_w4")(split(3, [10] * 4))
case("split_c_unequal")(split(1, [8, 24, 32]))
case("gather_h")(lambda g, x: g.op("Gather", x, g.ints(0, 2, 4, 6, 8, 10, 12, 14), axis=2))
case("gather_first", out=True)(lambda g, x: g.op("Gather", x, g.const(0, np.int64), axis=2))
case("reducemean_w")(plain("ReduceMean", axes=[3]))
case("reducemean_hw_gemm", h=14, w=14, out=True)(lambda g, x: g.op("Gemm", g.op("ReduceMean", x, axes=[2, 3], keepdims=0), g.weight(64, 10), g.weight(10)))
case("reducesum_hw")(lambda g, x: g.op("ReduceSum", x, g.ints(2, 3)))
case("reducemax_hw")(plain("ReduceMax", axes=[2, 3]))
case("reducemin_c")(plain("ReduceMin", axes=[1]))
case("reducel2_c")(plain("ReduceL2", axes=[1]))
case("reducesum_w")(lambda g, x: g.op("ReduceSum", x, g.ints(3)))
case("reducemean_c_out", out=True)(plain("ReduceMean", axes=[1], keepdims=0))
case("softmax_c_out", c=21, out=True)(plain("Softmax", axis=1))
case("softmax_w_mid", w=32)(plain("Softmax", axis=3))
case("softmax_h_odd", h=37, w=30)(plain("Softmax", axis=2))
case("softmax_c_big", c=256, h=20, w=20)(plain("Softmax", axis=1))
case("logsoftmax_c")(plain("LogSoftmax", axis=1))
case("matmul_r3", h=16, w=16)(lambda g, x: g.op("Reshape", (lambda y: g.op("MatMul", y, g.op("Transpose", y, perm=[0, 2, 1])))(g.op("Reshape", x, g.ints(1, 64, 256))), g.ints(1, 64, 64, 1)))
case("matmul_const_nhwc")(lambda g, x: g.op("Transpose", g.op("MatMul", g.op("Transpose", x, perm=[0, 2, 3, 1]), g.weight(64, 96)), perm=[0, 3, 1, 2]))
case("matmul_heads", raw=[1, 196, 96], out=True)(lambda g, x: (lambda q: g.op("MatMul", q, g.op("Transpose", q, perm=[0, 1, 3, 2])))(g.op("Transpose", g.op("Reshape", g.op("MatMul", x, g.weight(96, 96)), g.ints(1, 196, 3, 32)), perm=[0, 2, 1, 3])))
case("linear_r3", raw=[1, 128, 64], out=True)(lambda g, x: g.op("Add", g.op("MatMul", x, g.weight(64, 192)), g.weight(192)))
case("linear_r3_gelu", raw=[1, 64, 128], out=True)(lambda g, x: (lambda y: g.op("MatMul", g.op("Mul", g.op("Mul", y, g.op("Add", g.op("Erf", g.op("Div", y, g.const(1.4142135))), g.const(1.0))), g.const(0.5)), g.weight(256, 128)))(g.op("Add", g.op("MatMul", x, g.weight(128, 256)), g.weight(256))))
case("gemm_relu_gemm", raw=[1, 256], out=True)(lambda g, x: g.op("Gemm", g.op("Relu", g.op("Gemm", x, g.weight(256, 128), g.weight(128))), g.weight(128, 10), g.weight(10)))
case("sqrt_add")(after_add("Sqrt"))
case("exp_sigmoid")(lambda g, x: g.op("Exp", g.op("Sigmoid", x)))
case("log_add")(lambda g, x: g.op("Log", g.op("Add", x, g.const(1.0))))
case("pow_half")(lambda g, x: g.op("Pow", x, g.const(0.5)))
case("pow_4")(lambda g, x: g.op("Pow", x, g.const(4.0)))
case("reciprocal")(lambda g, x: g.op("Reciprocal", g.op("Add", x, g.const(1.0))))
case("abs_add")(after_add("Abs"))
case("neg_add")(after_add("Neg"))
case("ceil")(plain("Ceil"))
case("round")(plain("Round"))
case("cos")(plain("Cos"))
case("sigmoid_add")(after_add("Sigmoid"))
case("tanh_add")(after_add("Tanh"))
case("hardswish_add", opset=14)(after_add("HardSwish"))
case("hardsigmoid_torch")(after_add("HardSigmoid", alpha=1 / 6, beta=0.5))
case("gelu_tanh")(gelu_tanh)
case("mish_op", opset=18)(plain("Mish"))
case("mish_parts_add")(lambda g, x: (lambda y: g.op("Mul", y, g.op("Tanh", g.op("Softplus", y))))(g.op("Add", x, g.const(0.1))))
case("silu_add")(lambda g, x: (lambda y: g.op("Mul", y, g.op("Sigmoid", y)))(g.op("Add", x, g.conv(x, 64, 64, 1))))
case("prelu_channels")(lambda g, x: g.op("PRelu", g.conv(x, 64, 64), g.weight(64, 1, 1)))
case("prelu_add")(lambda g, x: g.op("PRelu", g.op("Add", x, g.conv(x, 64, 64, 1)), g.weight(64, 1, 1)))
case("leaky_pool")(lambda g, x: g.op("LeakyRelu", g.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2]), alpha=0.1))
case("elu_add")(after_add("Elu"))
case("celu")(plain("Celu", alpha=2.0))
case("softplus_add")(after_add("Softplus"))
case("clip_min")(lambda g, x: g.op("Clip", g.op("Add", x, g.conv(x, 64, 64, 1)), g.const(-2.0)))
case("relu_concat")(lambda g, x: g.op("Relu", g.op("Concat", x, g.conv(x, 64, 64, 1), axis=1)))
case("not_greater")(lambda g, x: g.op("Cast", g.op("Not", g.op("Greater", x, g.const(0.2))), to=1))
case("add_bc_spatial")(lambda g, x: g.op("Add", x, g.conv(x, 64, 1, 1)))
case("add_bc_channel")(lambda g, x: g.op("Add", x, g.op("GlobalAveragePool", x)))
case("se_sigmoid")(lambda g, x: squeeze_excite(g, x, 64, "Sigmoid"))
case("se_hardsigmoid")(lambda g, x: squeeze_excite(g, x, 64, "HardSigmoid"))
case("mul_bc_spatial")(lambda g, x: g.op("Mul", x, g.op("Sigmoid", g.conv(x, 64, 1, 1))))
case("mul_const_channel")(lambda g, x: g.op("Mul", g.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2]), g.weight(64, 1, 1)))
case("mul_const_scalar")(lambda g, x: g.op("Mul", g.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2]), g.const(0.3)))
case("add_const_map")(lambda g, x: g.op("Add", x, g.weight(1, 64, 40, 40)))
case("rsub_const")(lambda g, x: g.op("Sub", g.const(1.0), x))
case("div_two")(lambda g, x: g.op("Div", x, g.op("Add", g.op("Sigmoid", g.conv(x, 64, 64, 1)), g.const(1.0))))
case("rdiv_const")(lambda g, x: g.op("Div", g.const(1.0), g.op("Add", x, g.const(1.0))))
case("max_const")(lambda g, x: g.op("Max", x, g.const(0.5)))
case("min_const")(lambda g, x: g.op("Min", x, g.const(0.5)))
case("max_three")(lambda g, x: g.op("Max", x, g.conv(x, 64, 64, 1), g.conv(x, 64, 64, 1)))
case("sum_three")(lambda g, x: g.op("Sum", x, g.conv(x, 64, 64, 1), g.conv(x, 64, 64, 1)))
case("mean_two")(lambda g, x: g.op("Mean", x, g.conv(x, 64, 64, 1)))
case("where_greater")(lambda g, x: g.op("Where", g.op("Greater", x, g.const(0.2)), x, g.op("Mul", x, g.const(0.1))))
case("ln_op_nhwc", opset=17)(lambda g, x: g.op("Transpose", g.op("LayerNormalization", g.op("Transpose", x, perm=[0, 2, 3, 1]), g.const(np.ones(64)), g.const(np.zeros(64)), axis=-1), perm=[0, 3, 1, 2]))
case("ln_parts_c")(lambda g, x: layer_norm_parts(g, x, 1, 64, (1, 64, 1, 1)))
case("ln_parts_r3", raw=[1, 196, 96], out=True)(lambda g, x: g.op("MatMul", layer_norm_parts(g, x, -1, 96, (96,)), g.weight(96, 96)))
case("instnorm_relu", c=32)(lambda g, x: g.op("Relu", g.op("InstanceNormalization", x, g.const(np.ones(32)), g.const(np.zeros(32)))))
case("groupnorm8")(group_norm)
case("bn_pool")(lambda g, x: g.op("BatchNormalization", g.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2]), g.const(np.ones(64)), g.weight(64), g.weight(64), g.const(np.ones(64))))
case("bn_relu_concat")(lambda g, x: g.op("Relu", g.op("BatchNormalization", g.op("Concat", x, g.conv(x, 64, 32, 1), axis=1), g.const(np.ones(96)), g.weight(96), g.weight(96), g.const(np.ones(96)))))
case("l2_normalize")(lambda g, x: g.op("Div", x, g.op("Clip", g.op("ReduceL2", x, axes=[1]), g.const(1e-6))))
case("rms_norm", raw=[1, 64, 128], out=True)(lambda g, x: g.op("Mul", g.op("Mul", x, g.op("Reciprocal", g.op("Sqrt", g.op("Add", g.op("ReduceMean", g.op("Pow", x, g.const(2.0)), axes=[-1]), g.const(1e-6))))), g.weight(128)))
case("lstm", h=10, w=10, out=True)(recurrent("LSTM", 4, False))
case("lstm_both", h=10, w=10, out=True)(recurrent("LSTM", 4, True))
case("gru", h=10, w=10, out=True)(recurrent("GRU", 3, False))
case("argmax_w", out=True, integers=True)(plain("ArgMax", axis=3, keepdims=0))
case("topk_c", out=True)(lambda g, x: g.op("TopK", x, g.ints(5), axis=1, outputs=2)[0])
case("d2s_4", c=64)(plain("DepthToSpace", blocksize=4, mode="CRD"))
case("pixel_unshuffle")(pixel_unshuffle)
case("shuffle4")(shuffle(4))
case("expand_gap")(lambda g, x: g.op("Concat", x, g.op("Expand", g.op("GlobalAveragePool", x), g.ints(1, 64, 40, 40)), axis=1))
case("tile_w", w=10)(lambda g, x: g.op("Tile", x, g.ints(1, 1, 1, 2)))
case("squeeze_unsqueeze", h=1)(lambda g, x: g.op("Unsqueeze", g.op("Relu", g.op("Squeeze", x, g.ints(2))), g.ints(2)))
case("flatten_gemm7", h=7, w=7, out=True)(lambda g, x: g.op("Gemm", g.op("Flatten", x), g.weight(64 * 49, 32), g.weight(32)))
case("gap_flatten_gemm", h=13, w=13, out=True)(lambda g, x: g.op("Gemm", g.op("Flatten", g.op("GlobalAveragePool", x)), g.weight(64, 100), g.weight(100)))
case("yolov5_head", h=20, w=20, out=True)(lambda g, x: g.op("Transpose", g.op("Reshape", g.conv(x, 64, 255, 1), g.ints(1, 3, 85, 20, 20)), perm=[0, 1, 3, 4, 2]))
case("ssd_head", h=20, w=20, out=True)(lambda g, x: head(g, x, 4, 6))
case("ssd_heads", h=20, w=20, out=True)(lambda g, x: g.op("Concat", head(g, x, 21, 3), head(g, g.conv(x, 64, 64, 3, 2), 21, 6), axis=1))
case("nhwc_out", c=32, h=64, w=48, out=True)(plain("Transpose", perm=[0, 2, 3, 1]))
case("transpose_0132_out", h=32, w=64, out=True)(plain("Transpose", perm=[0, 1, 3, 2]))
case("reshape_halves", h=16, w=16)(lambda g, x: g.op("Reshape", x, g.ints(1, 32, 32, 16)))
case("reshape_out", c=32, h=24, w=24, out=True)(lambda g, x: g.op("Reshape", x, g.ints(1, 32, 576)))
case("concat_6")(branches(6, 1))
case("concat_w", w=24)(branches(2, 3, 32))
case("concat_const")(lambda g, x: g.op("Concat", x, g.weight(1, 2, 40, 40), axis=1))
case("concat_pools")(lambda g, x: g.op("Concat", x, *[g.op("MaxPool", x, kernel_shape=[k, k], pads=[k // 2] * 4) for k in (5, 9, 13)], axis=1))
case("identity_dropout")(lambda g, x: g.op("Dropout", g.op("Identity", x)))
case("gridsample", opset=16)(lambda g, x: g.op("GridSample", x, g.const(np.random.default_rng(1).uniform(-1, 1, (1, 20, 20, 2)))))
case("cumsum_w")(lambda g, x: g.op("CumSum", x, g.const(3, np.int64)))
case("einsum_bmm", raw=[1, 32, 64], out=True)(lambda g, x: g.op("Einsum", x, g.weight(64, 48), equation="bij,jk->bik"))
case("resize_linear3")(resize("linear", "half_pixel", 3, 3))
case("resize_linear2.5")(resize("linear", "half_pixel", 2.5, 2.5))
case("resize_linear_2x4", h=20, w=20)(resize("linear", "half_pixel", 2, 4))
case("resize_linear8", h=10, w=10)(resize("linear", "pytorch_half_pixel", 8, 8))
case("resize_nearest5", h=16, w=16)(resize("nearest", "asymmetric", 5, 5))
case("resize_nearest_1x2")(resize("nearest", "asymmetric", 1, 2))
case("resize_nearest_half_pixel")(resize("nearest", "half_pixel", 2, 2, "round_prefer_floor"))
case("resize_linear0.25")(resize("linear", "half_pixel", 0.25, 0.25))
case("resize_linear_sizes", h=20, w=20)(lambda g, x: g.op("Resize", x, "", "", g.ints(1, 64, 50, 30), mode="linear", coordinate_transformation_mode="half_pixel"))
case("resize_gap_up")(lambda g, x: g.op("Concat", x, g.op("Resize", g.op("GlobalAveragePool", x), "", "", g.ints(1, 64, 40, 40), mode="linear", coordinate_transformation_mode="half_pixel"), axis=1))
case("avgpool2s2")(plain("AveragePool", kernel_shape=[2, 2], strides=[2, 2]))
case("avgpool3s2_counted")(plain("AveragePool", kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4, count_include_pad=1))
case("avgpool5x3")(plain("AveragePool", kernel_shape=[5, 3], strides=[1, 1]))
case("avgpool2_ceil", h=41, w=41)(plain("AveragePool", kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1))
case("avgpool14s14", h=28, w=28)(plain("AveragePool", kernel_shape=[14, 14], strides=[14, 14]))
case("maxpool_1x2")(plain("MaxPool", kernel_shape=[1, 2], strides=[1, 2]))
case("maxpool13s1")(plain("MaxPool", kernel_shape=[13, 13], pads=[6] * 4))
case("maxpool11s1")(plain("MaxPool", kernel_shape=[11, 11], pads=[5] * 4))
case("maxpool3_dil2")(plain("MaxPool", kernel_shape=[3, 3], dilations=[2, 2], pads=[2] * 4))
case("maxpool8s8")(plain("MaxPool", kernel_shape=[8, 8], strides=[8, 8]))
case("gap_20x36", h=20, w=36)(plain("GlobalAveragePool"))
case("gmp_13", h=13, w=13)(plain("GlobalMaxPool"))
case("lppool")(plain("LpPool", kernel_shape=[2, 2], strides=[2, 2], p=2))
case("attention_r3", raw=[1, 196, 96], out=True)(lambda g, x: attention(g, x, 196, 96, 3))
case("attention_spatial", h=16, w=16)(lambda g, x: spatial_attention(g, x, 64, 16))


def attention(g, x, n, d, heads):
    def part(perm):
        y = g.op("Reshape", g.op("Add", g.op("MatMul", x, g.weight(d, d)), g.weight(d)), g.ints(1, n, heads, d // heads))
        return g.op("Transpose", y, perm=perm)
    q, k, v = part([0, 2, 1, 3]), part([0, 2, 3, 1]), part([0, 2, 1, 3])
    a = g.op("Softmax", g.op("Mul", g.op("MatMul", q, k), g.const((heads / d) ** 0.5)), axis=-1)
    y = g.op("Reshape", g.op("Transpose", g.op("MatMul", a, v), perm=[0, 2, 1, 3]), g.ints(1, n, d))
    return g.op("MatMul", y, g.weight(d, d))


def spatial_attention(g, x, c, side):
    q, k, v = (g.op("Reshape", g.conv(x, c, c, 1), g.ints(1, c, side * side)) for _ in range(3))
    a = g.op("Softmax", g.op("MatMul", g.op("Transpose", q, perm=[0, 2, 1]), k), axis=-1)
    y = g.op("MatMul", v, g.op("Transpose", a, perm=[0, 2, 1]))
    return g.op("Add", x, g.op("Reshape", y, g.ints(1, c, side, side)))


def build_op(index, folder):
    name, c, h, w, opset, out, raw, integers, make = OPS[index]
    g = Made(opset, index)
    shape = raw or [1, c, h, w]
    x = "x" if raw else g.op("Relu", g.conv("x", c, c, 3, name="PRE"))
    y = make(g, x)
    g.node[-1].name = g.node[-1].name if g.node[-1].name == "POST" else "CUT"
    if out:
        g.out_types[y] = TensorProto.INT64 if integers else TensorProto.FLOAT
    else:
        y = g.conv(y, g.shape(y, shape)[1], 32, 1, name="POST")
    onnx.save(g.model(shape, [y]), folder / f"{name}.onnx")


# ---- networks, in torch ----

def networks():
    import torch
    import torchvision.models as tv
    from torch import nn
    F = nn.functional

    def block(i, o, k=3, s=1, act=nn.ReLU, g=1):
        return nn.Sequential(nn.Conv2d(i, o, k, s, k // 2, groups=g, bias=False), nn.BatchNorm2d(o), act())

    class UNet(nn.Module):
        def __init__(self, up):
            super().__init__()
            w = [16, 32, 64, 128]
            self.down = nn.ModuleList(nn.Sequential(block(i, o), block(o, o)) for i, o in zip([3] + w, w))
            self.up = nn.ModuleList(nn.ConvTranspose2d(i, i // 2, 2, 2) if up else
                                    nn.Sequential(nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False), nn.Conv2d(i, i // 2, 1)) for i in w[:0:-1])
            self.join = nn.ModuleList(nn.Sequential(block(i, i // 2), block(i // 2, i // 2)) for i in w[:0:-1])
            self.end = nn.Conv2d(16, 4, 1)

        def forward(self, x):
            kept = []
            for i, d in enumerate(self.down):
                x = d(F.max_pool2d(x, 2) if i else x)
                kept.append(x)
            for up, join, other in zip(self.up, self.join, kept[-2::-1]):
                x = join(torch.cat([other, up(x)], 1))
            return self.end(x)

    class Vit(nn.Module):
        def __init__(self, depth=3, d=128, heads=4, patch=16):
            super().__init__()
            self.patch, self.heads, self.d = nn.Conv2d(3, d, patch, patch), heads, d
            self.cls, self.pos = nn.Parameter(torch.zeros(1, 1, d)), nn.Parameter(torch.randn(1, 197, d) * 0.02)
            self.block = nn.ModuleList(nn.ModuleDict({"n": nn.LayerNorm(d), "qkv": nn.Linear(d, 3 * d), "o": nn.Linear(d, d), "m": nn.LayerNorm(d),
                                                      "u": nn.Linear(d, 4 * d), "v": nn.Linear(4 * d, d)}) for _ in range(depth))
            self.norm, self.end = nn.LayerNorm(d), nn.Linear(d, 100)

        def forward(self, x):
            x = self.patch(x).flatten(2).transpose(1, 2)
            x = torch.cat([self.cls, x], 1) + self.pos
            for b in self.block:
                q, k, v = b["qkv"](b["n"](x)).reshape(1, 197, 3, self.heads, self.d // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
                a = (q @ k.transpose(-2, -1) * (self.d // self.heads) ** -0.5).softmax(-1)
                x = x + b["o"]((a @ v).transpose(1, 2).reshape(1, 197, self.d))
                x = x + b["v"](F.gelu(b["u"](b["m"](x))))
            return self.end(self.norm(x)[:, 0])

    class Ssd(nn.Module):
        def __init__(self):
            super().__init__()
            self.stage = nn.ModuleList(nn.Sequential(block(i, i, 3, 2, nn.ReLU6, i), block(i, o, 1, 1, nn.ReLU6)) for i, o in
                                       ((16, 32), (32, 64), (64, 96), (96, 160)))
            self.stem = block(3, 16, 3, 2, nn.ReLU6)
            self.box = nn.ModuleList(nn.Conv2d(c, 24, 3, padding=1) for c in (64, 96, 160))
            self.score = nn.ModuleList(nn.Conv2d(c, 6 * 21, 3, padding=1) for c in (64, 96, 160))

        def forward(self, x):
            x, box, score = self.stem(x), [], []
            for i, s in enumerate(self.stage):
                x = s(x)
                if i:
                    box.append(self.box[i - 1](x).permute(0, 2, 3, 1).reshape(1, -1, 4))
                    score.append(self.score[i - 1](x).permute(0, 2, 3, 1).reshape(1, -1, 21))
            return torch.cat(box, 1), torch.cat(score, 1).softmax(-1)

    class Csp(nn.Module):
        def __init__(self, c, act):
            super().__init__()
            self.a, self.b, self.c = block(c, c // 2, 1, 1, act), block(c, c // 2, 1, 1, act), block(c, c, 1, 1, act)
            self.m = nn.Sequential(block(c // 2, c // 2, 1, 1, act), block(c // 2, c // 2, 3, 1, act))

        def forward(self, x):
            a = self.a(x)
            return self.c(torch.cat([a + self.m(a), self.b(x)], 1))

    class Yolox(nn.Module):
        """Focus by slices, CSP, SPP, decoupled heads, decoded."""
        def __init__(self, act=nn.SiLU):
            super().__init__()
            self.stem = block(12, 16, 3, 1, act)
            self.stage = nn.ModuleList(nn.Sequential(block(i, o, 3, 2, act), Csp(o, act)) for i, o in ((16, 32), (32, 64), (64, 128), (128, 256)))
            self.spp_a, self.spp_b = block(256, 128, 1, 1, act), block(512, 256, 1, 1, act)
            self.lat = nn.ModuleList(block(i, o, 1, 1, act) for i, o in ((256, 128), (128, 64)))
            self.top = nn.ModuleList(nn.Sequential(block(2 * c, c, 1, 1, act), Csp(c, act)) for c in (128, 64))
            self.head = nn.ModuleList(nn.ModuleDict({"s": block(c, 64, 1, 1, act), "c": block(64, 64, 3, 1, act), "r": block(64, 64, 3, 1, act),
                                                     "cls": nn.Conv2d(64, 80, 1), "box": nn.Conv2d(64, 4, 1), "obj": nn.Conv2d(64, 1, 1)}) for c in (64, 128))

        def forward(self, x):
            x = torch.cat([x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]], 1)
            x, kept = self.stem(x), []
            for s in self.stage:
                x = s(x)
                kept.append(x)
            a = self.spp_a(x)
            p = self.lat[0](self.spp_b(torch.cat([a] + [F.max_pool2d(a, k, 1, k // 2) for k in (5, 9, 13)], 1)))
            p4 = self.top[0](torch.cat([F.interpolate(p, scale_factor=2), kept[2]], 1))
            p = self.lat[1](p4)
            p3 = self.top[1](torch.cat([F.interpolate(p, scale_factor=2), kept[1]], 1))
            out = []
            for h, f in zip(self.head, (p3, p4)):
                f = h["s"](f)
                r = h["r"](f)
                out.append(torch.cat([h["box"](r), h["obj"](r).sigmoid(), h["cls"](h["c"](f)).sigmoid()], 1).flatten(2))
            return torch.cat(out, 2).permute(0, 2, 1)

    class MobileOne(nn.Module):
        def __init__(self):
            super().__init__()
            b = []
            for i, o, s in ((32, 48, 2), (48, 96, 2), (96, 96, 1), (96, 192, 2), (192, 192, 1)):
                b += [nn.Conv2d(i, i, 3, s, 1, groups=i), nn.ReLU(), nn.Conv2d(i, o, 1), nn.ReLU()]
            self.body, self.stem, self.end = nn.Sequential(*b), nn.Sequential(nn.Conv2d(3, 32, 3, 2, 1), nn.ReLU()), nn.Linear(192, 100)

        def forward(self, x):
            return self.end(F.adaptive_avg_pool2d(self.body(self.stem(x)), 1).flatten(1))

    class Generator(nn.Module):
        """Residual blocks with InstanceNorm and reflecting pads, pixel shuffle at the end."""
        def __init__(self):
            super().__init__()
            self.a = nn.Sequential(nn.ReflectionPad2d(3), nn.Conv2d(3, 32, 7), nn.InstanceNorm2d(32), nn.ReLU(), nn.Conv2d(32, 64, 3, 2, 1), nn.PReLU())
            self.r = nn.ModuleList(nn.Sequential(nn.Conv2d(64, 64, 3, 1, 1), nn.BatchNorm2d(64), nn.PReLU(), nn.Conv2d(64, 64, 3, 1, 1), nn.BatchNorm2d(64)) for _ in range(3))
            self.b = nn.Sequential(nn.Conv2d(64, 128, 3, 1, 1), nn.PixelShuffle(2), nn.PReLU(), nn.Conv2d(32, 3, 3, 1, 1), nn.Tanh())

        def forward(self, x):
            x = self.a(x)
            for r in self.r:
                x = x + r(x)
            return self.b(x)

    class Encoder(nn.Module):
        def __init__(self, d=96):
            super().__init__()
            self.e = nn.Linear(40, d)
            self.v = Vit(2, d, 3).block
            self.end = nn.Linear(d, 30)
            self.d = d

        def forward(self, x):
            x = self.e(x)
            for b in self.v:
                n = b["n"](x)
                q, k, v = (t.reshape(1, 64, 3, self.d // 3).transpose(1, 2) for t in b["qkv"](n).split(self.d, -1))
                x = x + b["o"](((q @ k.transpose(-1, -2) / (self.d // 3) ** 0.5).softmax(-1) @ v).transpose(1, 2).reshape(1, 64, self.d))
                x = x + b["v"](F.relu(b["u"](b["m"](x))))
            return self.end(x).log_softmax(-1)

    image = (1, 3, 224, 224)
    return [  # looked at, held out, looked at, ...
        ("mobilenet_v3_small", tv.mobilenet_v3_small, image, 13), ("mobilenet_v3_large", tv.mobilenet_v3_large, image, 13),
        ("shufflenet_v2", tv.shufflenet_v2_x1_0, image, 12), ("densenet121", tv.densenet121, image, 12),
        ("unet_deconv", lambda: UNet(True), (1, 3, 256, 256), 12), ("unet_linear", lambda: UNet(False), (1, 3, 192, 256), 13),
        ("vit", Vit, image, 13), ("encoder", Encoder, (1, 64, 40), 13),
        ("ssd", Ssd, (1, 3, 320, 320), 13), ("yolox", Yolox, (1, 3, 416, 416), 12),
        ("squeezenet", tv.squeezenet1_1, image, 12), ("mobileone", MobileOne, image, 12),
        ("yolox_relu", lambda: Yolox(nn.ReLU), (1, 3, 320, 320), 12), ("regnet_y", tv.regnet_y_400mf, image, 13),
        ("convnext", lambda: tv.ConvNeXt([tv.convnext.CNBlockConfig(48, 96, 1), tv.convnext.CNBlockConfig(96, None, 1)]), image, 13),
        ("googlenet", lambda: tv.googlenet(aux_logits=False, init_weights=False), image, 13),
        ("generator", Generator, (1, 3, 128, 128), 12), ("swin", lambda: tv.SwinTransformer([4, 4], 48, [2, 2], [3, 6], [7, 7]), image, 13),
    ]


def held_out(name):
    """Of the part that was measured before it was looked at."""
    ops = [o[0] for o in OPS]
    if name in ops:
        return ops.index(name) % 3 == 2
    return name in ("mobilenet_v3_large", "densenet121", "unet_linear", "encoder", "yolox", "mobileone", "regnet_y", "googlenet", "swin")


def build_networks(folder):
    import torch
    for name, make, shape, opset in networks():
        torch.manual_seed(1)
        net = make().eval()
        for m in net.modules():  # statistics as of a trained network: no range explodes
            if isinstance(m, torch.nn.BatchNorm2d):
                torch.nn.init.uniform_(m.weight, 0.8, 1.2)
        with torch.no_grad():
            torch.onnx.export(net, torch.rand(shape), folder / f"{name}.onnx", opset_version=opset, input_names=["x"])


def main():
    folder = pathlib.Path(sys.argv[1])
    for sub in ("ops", "networks"):
        (folder / sub).mkdir(parents=True, exist_ok=True)
    for i in range(len(OPS)):
        build_op(i, folder / "ops")
    build_networks(folder / "networks")


if __name__ == "__main__":
    main()

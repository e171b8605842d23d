#!/usr/bin/python3
"""pattern_models.py FOLDER [BATCH]: writes small models, an operator or a pattern each, in floats and quantized (QDQ): what the compiler
matches, splits, pads and places, at the ends of what it takes and beyond."""
import pathlib
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

NUMBERS = numpy.random.default_rng(11)
DIMS = [1, 8, 12, 16]
MICROSOFT = "com.microsoft"


def floats(*dims):
    return NUMBERS.normal(size=dims).astype(numpy.float32)


def i64(*values):
    return numpy.array(values, numpy.int64)


class Net:
    """x, operators one after the other, y; `coded`: with QuantizeLinear and DequantizeLinear behind each and for weights."""

    def __init__(self, coded):
        self.coded, self.nodes, self.constants = coded, [], []

    def const(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.asarray(array), name))
        return name

    def node(self, op, *inputs, domain="", **attributes):
        names = [i if isinstance(i, str) else self.const(i) for i in inputs]
        out = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, names, [out], name=f"n{len(self.nodes)}", domain=domain, **attributes))
        return out

    def codes(self, t, scale=0.05, zero=numpy.uint8(128)):
        """Values by way of 8 bits, where the net is quantized."""
        if not self.coded:
            return t
        s = numpy.float32(scale)
        return self.node("DequantizeLinear", self.node("QuantizeLinear", t, s, zero), s, zero)

    def weights(self, *dims):
        w = floats(*dims)
        if not self.coded:
            return self.const(w)
        s = numpy.float32(numpy.abs(w).max() / 127)
        return self.node("DequantizeLinear", numpy.round(w / s).astype(numpy.int8), s, numpy.int8(0))

    def add(self, op, *inputs, **attributes):
        return self.codes(self.node(op, *inputs, **attributes))

    def conv(self, t, co, ci, kernel=(3, 3), **attributes):
        return self.add("Conv", t, self.weights(co, ci, *kernel), **attributes)

    def save(self, path, y, dims):
        graph = helper.make_graph(self.nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, dims)],
                                  [helper.make_empty_tensor_value_info(y)], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13), helper.make_opsetid(MICROSOFT, 1)], ir_version=7)
        path.write_bytes(model.SerializeToString(deterministic=True))


def focus(chain, order):
    """Every second row and column from each of four starts, as one Slice or as two."""
    def build(n, x):
        parts = []
        for row, column in order:
            if chain:
                t = n.node("Slice", x, i64(row), i64(2**31), i64(2), i64(2))
                parts.append(n.node("Slice", t, i64(column), i64(2**31), i64(-1), i64(2)))
            else:
                parts.append(n.node("Slice", x, i64(row, column), i64(12, 16), i64(2, 3), i64(2, 2)))
        return n.conv(n.codes(n.node("Concat", *parts, axis=1)), 8, 32)
    return build


def quantized_operators(n, x):
    """Codes from operator to operator, as ONNX Runtime's quantizer writes them."""
    s, z = numpy.float32(0.05), numpy.uint8(128)
    q = n.node("QuantizeLinear", x, s, z)
    w = NUMBERS.integers(-127, 128, (8, 8, 3, 3)).astype(numpy.int8)
    a = n.node("QLinearConv", q, s, z, w, numpy.float32(0.01), numpy.int8(0), s, z, pads=[1] * 4)
    b = n.node("QLinearAdd", a, s, z, q, s, z, s, z, domain=MICROSOFT)
    c = n.node("QLinearLeakyRelu", b, s, z, s, z, domain=MICROSOFT, alpha=0.1)
    d = n.node("QLinearConcat", s, z, c, s, z, a, s, z, domain=MICROSOFT, axis=1)
    e = n.node("QLinearSigmoid", d, s, z, numpy.float32(1 / 256), numpy.uint8(0), domain=MICROSOFT)
    f = n.node("QLinearMul", e, numpy.float32(1 / 256), numpy.uint8(0), d, s, z, s, z, domain=MICROSOFT)
    g = n.node("QLinearGlobalAveragePool", f, s, z, s, z, domain=MICROSOFT, channels_last=0)
    return n.node("DequantizeLinear", g, s, z)


def one(op, *inputs, **attributes):
    return lambda n, x: n.add(op, x, *inputs, **attributes)


def conv(co, ci, kernel=(3, 3), **attributes):
    return lambda n, x: n.conv(x, co, ci, kernel, **attributes)


def behind(*builds):
    def build(n, x):
        for b in builds:
            x = b(n, x)
        return x
    return build


def residual(n, x):
    a = n.add("Relu", n.conv(x, 8, 8, pads=[1] * 4))
    return n.add("Relu", n.add("Add", n.conv(a, 8, 8, pads=[1] * 4), x))


def split_and_join(n, x):
    a, b = f"s{len(n.nodes)}", f"r{len(n.nodes)}"
    n.nodes.append(helper.make_node("Split", [x, n.const(i64(3, 5))], [a, b], axis=1))
    return n.add("Concat", n.codes(b), n.add("Sigmoid", n.codes(a)), axis=1)


def attention(n, x):
    t = n.add("Reshape", x, i64(1, 8, 192))
    scores = n.add("Softmax", n.add("MatMul", t, n.add("Transpose", t, perm=[0, 2, 1])), axis=-1)
    return n.add("MatMul", scores, t)


def gated(n, x):
    return n.add("Mul", x, n.add("HardSigmoid", n.conv(n.add("GlobalAveragePool", x), 8, 8, (1, 1))))


def dense(n, x):
    t = n.add("Flatten", n.add("ReduceMean", x, axes=[2, 3], keepdims=0))
    return n.add("Gemm", t, n.weights(10, 8), floats(10), transB=1, alpha=1.0)


ALL = [(row, column) for row in (0, 1) for column in (0, 1)]
PATTERNS = {
    "focus": focus(False, ALL), "focus-chain": focus(True, ALL), "focus-yolov5": focus(False, [(0, 0), (1, 0), (0, 1), (1, 1)]),
    "focus-twice": focus(False, [(0, 0), (0, 1), (0, 1), (1, 1)]), "quantized-operators": quantized_operators,
    "residual": residual, "split-join": split_and_join, "attention": attention, "gated": gated, "dense": dense,
    "conv-pad-odd": conv(8, 8, pads=[0, 1, 2, 1]), "conv-stride": conv(12, 8, (5, 3), strides=[2, 1], pads=[2, 1, 2, 1]),
    "conv-dilated": conv(8, 8, dilations=[2, 3], pads=[2, 3, 2, 3]), "conv-groups": conv(8, 2, group=4), "conv-wide": conv(130, 8, (1, 1)),
    "depthwise": conv(8, 1, group=8, pads=[1] * 4), "depthwise-two": conv(16, 1, (5, 5), group=8, strides=[2, 2], pads=[2] * 4),
    "conv-same-upper": conv(8, 8, (4, 4), auto_pad="SAME_UPPER", strides=[3, 3]), "conv-same-lower": conv(8, 8, (2, 2), auto_pad="SAME_LOWER"),
    "conv-valid": conv(8, 8, auto_pad="VALID"), "conv-whole": conv(8, 8, (12, 16)),
    "transposed": lambda n, x: n.add("ConvTranspose", x, n.weights(8, 4, 3, 3), strides=[2, 2], pads=[1] * 4, output_padding=[1, 1]),
    "transposed-groups": lambda n, x: n.add("ConvTranspose", x, n.weights(8, 2, 2, 2), strides=[2, 2], group=2),
    "max-ceil": one("MaxPool", kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1), "max-pad": one("MaxPool", kernel_shape=[5, 5], pads=[2] * 4),
    "max-dilated": one("MaxPool", kernel_shape=[2, 2], dilations=[2, 2]),
    "average-counts": one("AveragePool", kernel_shape=[3, 3], pads=[1] * 4, count_include_pad=1),
    "average-not": one("AveragePool", kernel_shape=[3, 3], pads=[1, 0, 1, 0], strides=[2, 3]), "global-max": one("GlobalMaxPool"),
    "pad-value": behind(one("Pad", i64(0, 0, 1, 2, 0, 0, 1, 0), numpy.float32(1)), conv(8, 8)),
    "pad-channels": one("Pad", i64(0, 1, 0, 0, 0, 2, 0, 0)), "pad-reflect": one("Pad", i64(0, 0, 1, 1, 0, 0, 1, 1), mode="reflect"),
    "crop": one("Slice", i64(2, 3), i64(-1, 2**31), i64(2, 3)), "backwards": one("Slice", i64(-1), i64(-2**31), i64(3), i64(-1)),
    "nearest": one("Resize", "", numpy.float32([1, 1, 2, 2]), mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    "linear": one("Resize", "", "", i64(1, 8, 18, 20), mode="linear", coordinate_transformation_mode="half_pixel"),
    "corners": one("Resize", "", "", i64(1, 8, 23, 31), mode="linear", coordinate_transformation_mode="align_corners"),
    "space-to-depth": one("SpaceToDepth", blocksize=2), "depth-to-space": one("DepthToSpace", blocksize=2, mode="CRD"),
    "depth-to-space-dcr": one("DepthToSpace", blocksize=2), "to-last": behind(one("Transpose", perm=[0, 2, 3, 1]), one("Softmax", axis=-1)),
    "shuffle": behind(one("Reshape", i64(1, 2, 4, 12, 16)), one("Transpose", perm=[0, 2, 1, 3, 4]), one("Reshape", i64(0, 8, 12, 16))),
    "clip": behind(conv(8, 8), one("Clip", numpy.float32(0), numpy.float32(6))), "prelu": one("PRelu", floats(8, 1, 1)),
    "leaky": behind(conv(8, 8), one("LeakyRelu", alpha=0.2)), "silu": lambda n, x: n.add("Mul", x, n.add("Sigmoid", x)),
    "mish": lambda n, x: n.add("Mul", x, n.add("Tanh", n.add("Softplus", x))), "elu": one("Elu", alpha=0.7), "erf": one("Erf"),
    "add-channel": one("Add", floats(8, 1, 1)), "mul-row": one("Mul", floats(16)), "sub-from": lambda n, x: n.add("Sub", numpy.float32(1), x),
    "square": lambda n, x: n.add("Mul", x, x), "power": one("Pow", numpy.float32(2)), "root": behind(one("Abs"), one("Sqrt")),
    "divided": one("Div", numpy.float32(4)), "norm": one("BatchNormalization", *(numpy.abs(floats(8)) + 0.5 for _ in range(4))),
    "conv-norm": behind(conv(8, 8), one("BatchNormalization", *(numpy.abs(floats(8)) + 0.5 for _ in range(4)))),
    "instance": one("InstanceNormalization", floats(8), floats(8)), "lrn": one("LRN", size=3), "l2": one("ReduceL2", axes=[1], keepdims=1),
    "reduce-max": one("ReduceMax", axes=[1], keepdims=0), "mean-channel": one("ReduceMean", axes=[1]), "arg": one("ArgMax", axis=1),
    "top": lambda n, x: n.node("TopK", n.node("Reshape", x, i64(1, -1)), i64(5)), "gather": one("Gather", i64(3, 1), axis=1),
    "tile": one("Tile", i64(1, 2, 1, 1)), "expand": behind(one("ReduceMax", axes=[1]), one("Expand", i64(1, 4, 12, 16))),
    "where": lambda n, x: n.add("Where", n.node("Greater", x, numpy.float32(0)), x, numpy.float32(-1)), "cast": one("Cast", to=TensorProto.FLOAT16),
    "conv-floats": lambda n, x: n.node("Conv", x, n.weights(6, 8, 3, 3), floats(6), pads=[1] * 4),
    "conv-twice": lambda n, x: (lambda t: n.add("Mul", t, n.codes(t)))(n.node("Conv", x, n.weights(8, 8, 1, 1))),
    "product-floats": lambda n, x: n.node("MatMul", n.node("Transpose", x, perm=[0, 2, 3, 1]), n.weights(8, 5)),
    "dense-floats": lambda n, x: n.node("Gemm", n.node("Flatten", x), n.weights(8 * 12 * 16, 3), floats(3), alpha=0.5, beta=2.0),
    "dense-turned": lambda n, x: n.node("Gemm", n.node("Flatten", x), n.weights(3, 8 * 12 * 16), floats(1, 3), transB=1),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir()
    dims = [int(sys.argv[2]) if len(sys.argv) > 2 else DIMS[0], *DIMS[1:]]
    for name, build in PATTERNS.items():
        for coded in (False, True):
            net = Net(coded)
            net.save(folder / f"{name}{'-codes' if coded else ''}.onnx", build(net, net.codes("x")), dims)


main()

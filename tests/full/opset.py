#!/usr/bin/python3
"""`npu-advise apply --opset 13` on models of opsets 14 to 22, in the hands of others.

  tests/full/opset.py [--build DIR] [--corpus DIR] [--only TEXT] [--keep DIR] [--verbose]

Each model that is made here holds one operator of a newer opset, between a Conv and a LeakyRelu where it takes images.  The
converted model is read by onnx.checker, imports opset 13, has at most IR version 8 and value_info with a fixed shape
for every tensor, and onnxruntime computes the same outputs up to 1e-5 of the largest.  A broken twin of every converted model (its float
constants are others) must be noticed.  Models without an equal form are refused: one line that names node and opset, status 2,
and no folder.  So go the exports of newer opsets in the corpus.  The table graph/edit/opset_forms.xml has the versions of
onnx.defs.  Status 77 where there is no onnxruntime.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import outside

import numpy
import onnx
import onnx.version_converter
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
IMAGE, ROWS = [1, 4, 6, 8], [1, 6, 8]
NEAR = 1e-5
NEWEST, OLD = 22, 13
CORPUS = """vendor_tools/cases/HardSwish.onnx rk3588/compiler/ops/conv_HardSwish14.onnx models/custom/cct_opset20.onnx
    models/image_out/super_resolution_d2s.onnx models/misc/big_fanout.onnx models/nhwc/nhwc_resize_sizes_opset18.onnx
    models/nhwc/resnet8_keras.onnx models/quantized/dup_qdq.onnx models/misc/pad_conv.onnx vendor_tools/networks/y8n_def.onnx
    vendor_tools/networks/y8pose_17.onnx""".split()
# Networks of opset 13 and older that onnx.version_converter raises to a newer opset first.
RAISED = """14 vendor_tools/networks/resnet18_13.onnx, 15 vendor_tools/networks/mobilenetv2_100_13.onnx, 16 vendor_tools/networks/mobilenetv3_small_100_13.onnx,
    17 vendor_tools/networks/ghostnet_100_13.onnx, 18 vendor_tools/networks/convnext_atto_13.onnx, 19 vendor_tools/networks/edgenext_xx_small_13.onnx,
    20 vendor_tools/networks/y11n_13.onnx, 18 vendor_tools/networks/y8n_12.onnx, 15 models/vision/st_mobilenet_v2_035_128.onnx,
    19 models/vision/ultraface_rfb_320.onnx, 20 models/vision/mlperf_tiny_resnet8.onnx, 18 models/vision/yunet_n_320.onnx,
    14 models/vision/fastestdet_352.onnx"""
CORPUS_REFUSED = ["vendor_tools/cases/GridSample16.onnx"]


def numbers():
    return numpy.random.default_rng(7)


class Net:
    """A model of a few nodes: each call of add gives the name of its output."""

    def __init__(self, opset, dims=IMAGE, around=True):
        self.rng, self.opset, self.dims = numbers(), opset, dims
        self.nodes, self.constants, self.outputs = [], [], []
        self.around = around and len(dims) == 4
        self.x = self.conv("x") if self.around else "x"

    def floats(self, *dims):
        return self.rng.normal(size=dims).astype(numpy.float32)

    def const(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.asarray(array), name))
        return name

    def add(self, op, *inputs, count=1, **attributes):
        inputs = [i if isinstance(i, str) else self.const(i) for i in inputs]
        outputs = [f"t{len(self.nodes)}" + (f"_{k}" if k else "") for k in range(count)]
        self.nodes.append(helper.make_node(op, inputs, outputs, name=f"{op}_{len(self.nodes)}", **attributes))
        return outputs if count > 1 else outputs[0]

    def conv(self, x):
        return self.add("Conv", x, self.floats(4, self.dims[1], 1, 1))

    def save(self, path, *outputs):
        if self.around:
            outputs = [self.add("LeakyRelu", o, alpha=0.5) for o in outputs]
        graph = helper.make_graph(self.nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.dims)],
                                  [helper.make_tensor_value_info(o, TensorProto.FLOAT, None) for o in outputs], self.constants)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)],
                                    ir_version=8 if self.opset < 19 else 9 if self.opset < 21 else 10), path)


def i64(*values):
    return numpy.array(values, numpy.int64)


def f32(*values):
    return numpy.array(values, numpy.float32)


def unary(op, **attributes):
    return lambda n: [n.add(op, n.x, **attributes)]


def with_const(op, *constants, **attributes):
    return lambda n: [n.add(op, n.x, *constants, **attributes)]


def prelu(n):
    return [n.add("PRelu", n.x, n.floats(4, 1, 1))]


def batch_norm(n, **attributes):
    return [n.add("BatchNormalization", n.add("Relu", n.x), n.floats(4), n.floats(4), n.floats(4), numpy.abs(n.floats(4)) + 1, **attributes)]


def layer_norm(n, axis=-1, bias=True):
    dims = n.dims[axis:]
    return [n.add("LayerNormalization", n.x, n.floats(*dims), *([n.floats(*dims)] if bias else []), axis=axis, epsilon=1e-4)]


def group_norm(n, groups=2):
    count = groups if n.opset < 21 else 4
    return [n.add("GroupNormalization", n.x, n.floats(count), n.floats(count), num_groups=groups)]


def layer_norm_outputs_unused(n):
    return [n.add("LayerNormalization", n.x, n.floats(8), n.floats(8), count=3, axis=-1)[0]]


def split(n, parts=2, axis=1):
    return n.add("Split", n.x, count=parts, axis=axis, num_outputs=parts)


def split_by_sizes(n):
    return n.add("Split", n.x, i64(1, 3), count=2, axis=1)


def grouped_deconv(n, group=2):
    return [n.add("ConvTranspose", n.x, n.floats(4, 3, 2, 2), n.floats(3 * group), group=group, strides=[2, 2])]


def half_swish(n):
    gate = n.add("HardSigmoid", n.x, alpha=1 / 6, beta=0.5)
    return [n.add("Mul", n.x, gate)]


def squeezed(n):
    rows = n.add("Squeeze", n.add("GlobalAveragePool", n.x), i64(2, 3))
    return [n.add("Add", n.x, n.add("Unsqueeze", rows, i64(2, 3)))]


def shape_slice(n):
    spatial = n.add("Shape", n.x, start=2, end=4)
    shape = n.add("Concat", i64(1, 2, 2), spatial, axis=0)
    return [n.add("Reshape", n.add("Reshape", n.x, shape), i64(1, 4, 6, 8))]


def cast_like(n):
    return [n.add("CastLike", n.add("Cast", n.x, to=TensorProto.INT32), f32(1))]


def trilu(n, upper=1):
    return [n.add("Trilu", n.x, i64(1), upper=upper)]


def trilu_mask(n):
    mask = n.add("Trilu", numpy.full((6, 8), -numpy.inf, numpy.float32), i64(1), upper=1)
    return [n.add("Softmax", n.add("Add", n.x, mask), axis=-1)]


def quantized(n, **attributes):
    q = n.add("QuantizeLinear", n.x, numpy.float32(0.05), *([] if attributes else [numpy.int8(3)]), **attributes)
    return [n.add("DequantizeLinear", q, numpy.float32(0.05), *([] if attributes else [numpy.int8(3)]))]


def scatter(n):
    at = numpy.tile(i64(1), (1, 4, 6, 1))
    return [n.add("ScatterElements", n.x, at, n.floats(1, 4, 6, 1), axis=3, reduction="none")]


def lstm(n):
    return [n.add("LSTM", n.x, n.floats(1, 12, 8), n.floats(1, 12, 3), count=3, hidden_size=3, layout=0)[0]]


def several(n):
    """As torch writes a block today."""
    y = n.add("HardSwish", batch_norm(n)[0])
    y = n.add("Resize", y, "", f32(1, 1, 2, 2), mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    parts = n.add("Split", y, count=2, axis=1, num_outputs=2)
    pooled = n.add("ReduceMean", n.add("Concat", *parts, n.add("Mish", parts[0]), axis=1), i64(2, 3), keepdims=1)
    return [n.add("Reshape", n.add("Identity", pooled), i64(1, 6), allowzero=0)]


def out_of(build, dims):
    build_with = lambda n: build(n)
    build_with.dims = dims
    return build_with


# Name, opset, what it is made of.  Operators that only took new types stand together in "older".
MODELS = [
    ("hard_swish", 14, unary("HardSwish")), ("hard_swish_22", 22, unary("HardSwish")),
    ("hard_sigmoid", 14, unary("HardSigmoid")), ("hard_sigmoid_odd", 14, unary("HardSigmoid", alpha=0.3, beta=0.6)),
    ("hard_sigmoid_falling", 14, unary("HardSigmoid", alpha=-0.3, beta=0.6)), ("hard_sigmoid_gate", 14, half_swish),
    ("mish", 18, unary("Mish")), ("gelu", 20, unary("Gelu")), ("gelu_tanh", 20, unary("Gelu", approximate="tanh")),
    ("max", 14, with_const("Max", numpy.float32(0.3))), ("min", 14, lambda n: [n.add("Min", f32(0.3), n.x)]),
    ("max_of_two", 14, lambda n: [n.add("Max", n.x, n.add("Abs", n.x))]),
    ("max_of_channels", 14, lambda n: [n.add("Max", n.x, n.floats(4, 1, 1))]),
    ("relu", 14, unary("Relu")), ("identity", 16, unary("Identity")), ("leaky_relu", 16, unary("LeakyRelu", alpha=0.2)), ("prelu", 16, prelu),
    ("pow", 15, with_const("Pow", numpy.float32(2))),
    ("arithmetic", 14, lambda n: [n.add("Div", n.add("Sub", n.add("Mul", n.add("Add", n.x, f32(3)), f32(2)), f32(1)), f32(7))]),
    ("where", 16, lambda n: [n.add("Where", n.add("Greater", n.x, f32(0)), n.x, f32(0.5))]),
    ("batch_norm", 14, batch_norm), ("batch_norm_15", 15, lambda n: batch_norm(n, training_mode=0)),
    ("layer_norm", 17, layer_norm), ("layer_norm_no_bias", 17, lambda n: layer_norm(n, bias=False)),
    ("layer_norm_axes", 17, lambda n: layer_norm(n, axis=-2)), ("layer_norm_unused", 17, layer_norm_outputs_unused),
    ("group_norm_18", 18, group_norm), ("group_norm_21", 21, group_norm), ("group_norm_each", 21, lambda n: group_norm(n, 4)),
    ("instance_norm", 22, lambda n: [n.add("InstanceNormalization", n.x, n.floats(4), n.floats(4))]),
    ("lp_norm", 14, unary("LpNormalization", axis=1)), ("lp_norm_1", 22, unary("LpNormalization", axis=-1, p=1)),
    ("split", 18, split), ("split_odd", 18, lambda n: split(n, 3, 3)), ("split_sizes", 18, split_by_sizes),
    ("reduce_mean", 18, lambda n: [n.add("ReduceMean", n.x, i64(2, 3))]),
    ("reduce_all", 18, lambda n: [n.add("ReduceMax", n.x, keepdims=1)]),
    ("reduce_noop", 18, lambda n: [n.add("ReduceMean", n.x, noop_with_empty_axes=1)]),
    ("reduce_kinds", 18, lambda n: [n.add(op, n.add("Sigmoid", n.x), i64(-1), keepdims=0) for op in ("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
                                                                                   "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSumSquare")]),
    ("reshape", 14, with_const("Reshape", i64(0, 2, -1, 8), allowzero=0)), ("reshape_allowzero", 19, with_const("Reshape", i64(1, 2, -1, 8), allowzero=1)),
    ("squeeze", 21, squeezed), ("shape_slice", 15, shape_slice), ("flatten", 21, lambda n: [n.add("Flatten", n.add("Transpose", n.x, perm=[0, 2, 3, 1]))]),
    ("pad", 18, with_const("Pad", i64(0, 0, 1, 2, 0, 0, 3, 1))), ("pad_axes", 18, lambda n: [n.add("Pad", n.x, i64(1, 2, 0, 1), f32(0).reshape(()), i64(-1, 2))]),
    ("pad_reflect", 19, lambda n: [n.add("Pad", n.x, i64(1, 2), "", i64(3), mode="reflect")]),
    ("centre_crop", 18, with_const("CenterCropPad", i64(3, 11), axes=[2, 3])), ("centre_pad", 18, with_const("CenterCropPad", i64(1, 4, 9, 8))),
    ("resize", 18, lambda n: [n.add("Resize", n.x, "", f32(1, 1, 2, 2), mode="linear")]),
    ("resize_axes", 18, lambda n: [n.add("Resize", n.x, "", f32(2, 3), mode="nearest", axes=[2, 3])]),
    ("resize_sizes", 18, lambda n: [n.add("Resize", n.x, "", "", i64(9, 12), mode="linear", axes=[2, 3], keep_aspect_ratio_policy="stretch")]),
    ("resize_aspect", 18, lambda n: [n.add("Resize", n.x, "", "", i64(12, 16), mode="linear", axes=[2, 3], keep_aspect_ratio_policy="not_larger")]),
    ("resize_antialias", 18, lambda n: [n.add("Resize", n.x, "", f32(1, 1, 2, 2), mode="linear", antialias=1)]),
    ("resize_symmetric", 19, lambda n: [n.add("Resize", n.x, "", f32(1, 1, 2, 2), mode="linear", coordinate_transformation_mode="half_pixel_symmetric")]),
    ("average_pool", 19, unary("AveragePool", kernel_shape=[3, 3], strides=[1, 1], pads=[1, 1, 1, 1], dilations=[1, 1])),
    ("average_pool_dilated", 19, unary("AveragePool", kernel_shape=[2, 3], dilations=[2, 2], pads=[1, 1, 1, 1], count_include_pad=1)),
    ("max_pool", 22, unary("MaxPool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])),
    ("deconv_grouped", 14, grouped_deconv), ("deconv_depthwise", 22, lambda n: grouped_deconv(n, 4)),
    ("cast", 19, lambda n: [n.add("Cast", n.add("Cast", n.x, to=TensorProto.INT32, saturate=1), to=TensorProto.FLOAT)]), ("cast_like", 15, cast_like),
    ("quantized", 19, quantized), ("quantized_without_zero", 21, lambda n: quantized(n, output_dtype=TensorProto.INT8)),
    ("trilu", 14, trilu), ("trilu_lower", 14, lambda n: trilu(n, 0)), ("trilu_mask", 14, trilu_mask),
    ("scatter", 18, scatter), ("lstm", 14, out_of(lstm, ROWS)), ("cumsum", 14, with_const("CumSum", numpy.array(3, numpy.int64))),
    ("dropout", 22, unary("Dropout")), ("softplus", 22, lambda n: [n.add("Softplus", n.add("Elu", n.add("Sin", n.x)))]),
    ("block_18", 18, several), ("block_20", 20, several), ("rows", 17, out_of(layer_norm, ROWS)),
    ("softmax_12", 12, lambda n: [n.add("Softmax", n.x), n.add("Softmax", n.x, axis=2), n.add("Softmax", n.x, axis=0)]),
    ("softmax_last", 12, lambda n: [n.add("Softmax", n.x, axis=-1), n.add("LogSoftmax", n.add("GlobalAveragePool", n.x))]),
    ("log_softmax_11", 11, unary("LogSoftmax", axis=-2)), ("hardmax_11", 11, unary("Hardmax", axis=3)),
    ("from_opset_11", 11, lambda n: [n.add("Clip", n.add("ReduceSum", n.x, axes=[3]), f32(-1).reshape(()), f32(1).reshape(()))]),
]


def two_means(n):
    y, mean, deviation = n.add("LayerNormalization", n.x, n.floats(8), count=3, axis=-1)
    return [n.add("Add", n.add("Mul", y, deviation), mean)]


def brain(n):
    return [n.add("Cast", n.add("Cast", n.x, to=TensorProto.BFLOAT16), to=TensorProto.FLOAT)]


def computed_axes(n):
    axis = n.add("Cast", n.add("ReduceMax", n.add("Clip", n.x, f32(3).reshape(()), f32(3).reshape(())), keepdims=0), to=TensorProto.INT64)
    return [n.add("ReduceMean", n.x, n.add("Reshape", axis, i64(1)))]


# Name, opset, what it is made of, words of the refusal.
REFUSED = [
    ("grid_sample", 16, lambda n: [n.add("GridSample", n.x, n.floats(1, 3, 3, 2))], ["GridSample_1", "opset 16"]),
    ("grid_sample_20", 20, lambda n: [n.add("GridSample", n.x, n.floats(1, 3, 3, 2), mode="linear")], ["GridSample_1", "opset 20"]),
    ("bfloat16", 18, brain, ["Cast_1", "opset 18", "float16"]),
    ("training", 15, lambda n: [n.add("BatchNormalization", n.x, *(numpy.abs(n.floats(4)) for _ in range(4)), count=3, training_mode=1)[0]], ["training mode"]),
    ("layer_norm_mean", 17, two_means, ["LayerNormalization_1", "mean"]), ("computed_axes", 18, computed_axes, ["ReduceMean", "run time"]),
    ("pad_wrap", 19, lambda n: [n.add("Pad", n.x, i64(0, 0, 1, 1, 0, 0, 1, 1), mode="wrap")], ["wrap"]),
    ("resize_smooth", 18, lambda n: [n.add("Resize", n.x, "", f32(1, 1, 0.5, 0.5), mode="linear", antialias=1)], ["antialias"]),
    ("resize_policy", 18, lambda n: [n.add("Resize", n.x, "", "", i64(12, 17), mode="linear", axes=[2, 3], keep_aspect_ratio_policy="not_larger")], ["policy"]),
    ("roi_align", 16, lambda n: [n.add("RoiAlign", n.x, f32(0, 0, 4, 4).reshape(1, 4), i64(0), output_height=2, output_width=2)], ["RoiAlign", "output_half_pixel"]),
    ("reduction", 16, lambda n: [n.add("ScatterElements", n.x, numpy.zeros((1, 4, 6, 1), numpy.int64), n.floats(1, 4, 6, 1), axis=3, reduction="add")], ["reduction"]),
    ("layout", 14, out_of(lambda n: [n.add("LSTM", n.x, n.floats(1, 12, 8), n.floats(1, 12, 3), count=3, hidden_size=3, layout=1)[0]], ROWS), ["layout"]),
    ("small_integers", 14, lambda n: [n.add("Cast", n.add("Add", n.add("Cast", n.x, to=TensorProto.INT8), numpy.int8(1)), to=TensorProto.FLOAT)], ["element type"]),
    ("bitwise", 18, lambda n: [n.add("Cast", n.add("BitwiseNot", n.add("Cast", n.x, to=TensorProto.INT32)), to=TensorProto.FLOAT)], ["BitwiseNot"]),
    ("deconv_groups", 14, lambda n: [n.add("ConvTranspose", n.x, n.add("Reshape", n.add("Slice", n.x, i64(0), i64(1), i64(2)), i64(4, 2, 2, 2)), group=2)], ["ConvTranspose", "weights"]),
    ("newer", 24, unary("Relu"), ["opset 24"]),
]


def build(folder, name, opset, make):
    net = Net(opset, getattr(make, "dims", IMAGE))
    path = folder / f"{name}.onnx"
    net.save(path, *make(net))
    return path


def convert(program, path, out, *options):
    shutil.rmtree(out, ignore_errors=True)
    return subprocess.run([program, "apply", path, "--opset", "13", "--sdk", "0.9", "--output", out, "-q", *options], capture_output=True, text=True)


def problems(path, form):
    """What the vendor's quantizer, or the reader of ONNX, would not take."""
    model = onnx.load(str(path))
    found = []
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError as e:
        found.append(str(e).splitlines()[0])
    if [i.version for i in model.opset_import if not i.domain] != [OLD]:
        found.append("another opset")
    if model.ir_version > 8:
        found.append(f"IR version {model.ir_version}")
    graph = model.graph
    known = {v.name: v for v in [*graph.value_info, *graph.output]}
    for name in (o for node in graph.node for o in node.output if o):
        shape = known[name].type.tensor_type if name in known else None
        if shape is None or not shape.elem_type or any(not d.HasField("dim_value") for d in shape.shape.dim):
            found.append(f"no fixed value_info of {name}")
    return found


def bound(path):
    """--dim for every free dimension of the inputs: 1, or 8 for the sides of images."""
    words = []
    for v in onnx.load(str(path)).graph.input:
        for axis, d in enumerate(v.type.tensor_type.shape.dim):
            if not d.HasField("dim_value") or d.dim_value < 0:
                words += ["--dim", f"{d.dim_param or f'{v.name}:{axis}'}={8 if axis > 1 else 1}"]
    return words


def raised(corpus, folder, only):
    """The networks of RAISED, each in a file of the folder; those that the converter of this onnx cannot raise are left out."""
    files = []
    for number, path in (line.split() for line in RAISED.split(",")):
        file = corpus / path
        if only not in path or not file.exists():
            continue
        files.append(folder / f"{file.stem}_to_{number}.onnx")
        try:
            onnx.save(onnx.version_converter.convert_version(onnx.load(str(file)), int(number)), files[-1])
        except Exception as e:  # noqa: BLE001 (the converter's own kinds)
            print(f"left out: {path} to opset {number}: {str(e).splitlines()[0][:120]}")
            files.pop()
    return files


def values(runtime, path, feed):
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"]).run(None, feed)


def feed_of(path):
    rng, model = numbers(), onnx.load(str(path))
    made = {t.name for t in model.graph.initializer}
    feed = {}
    for v in model.graph.input:
        dims = [d.dim_value or 1 for d in v.type.tensor_type.shape.dim]
        x = 2 * rng.normal(size=dims)
        if v.name not in made:
            feed[v.name] = x.astype(helper.tensor_dtype_to_np_dtype(v.type.tensor_type.elem_type) if hasattr(helper, "tensor_dtype_to_np_dtype") else numpy.float32)
    return feed


def distance(old, new):
    """Of the largest value, infinities and what is no number at the same places."""
    far = 0.0
    for a, b in zip(old, new, strict=True):
        a, b = numpy.asarray(a), numpy.asarray(b)
        if a.shape != b.shape or a.dtype != b.dtype:
            return numpy.inf
        a, b = a.astype(float), b.astype(float)
        finite = numpy.isfinite(a)
        if (numpy.isfinite(b) != finite).any():
            return numpy.inf
        if finite.any():
            far = max(far, float(numpy.abs(a[finite] - b[finite]).max() / max(1, numpy.abs(a[finite]).max())))
    return far


def twin_noticed(runtime, before, after, feed, folder):
    """The float constants of the converted model are others: the values must say so."""
    model = onnx.load(str(after))
    floats = [c for c in model.graph.initializer if c.data_type == TensorProto.FLOAT]
    for constant in floats:
        constant.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(constant) * f32(1.1) + f32(0.1), constant.name))
    if not floats:
        return True
    onnx.save(model, folder / "twin.onnx")
    try:
        return not distance(values(runtime, before, feed), values(runtime, folder / "twin.onnx", feed)) <= NEAR
    except Exception:  # noqa: BLE001 (onnxruntime's own kinds)
        return True


def check_model(runtime, program, path, folder):
    out = folder / "out"
    done = convert(program, path, out, *bound(path))
    if done.returncode:
        return f"status {done.returncode}: {done.stderr.strip()}"
    found = problems(out / "model.onnx", path)
    if found:
        return "; ".join(found)
    feed = feed_of(path)
    try:
        before = values(runtime, path, feed)
    except Exception as e:  # noqa: BLE001
        return f"not run: {str(e).splitlines()[0][:160]}"
    try:
        far = distance(before, values(runtime, out / "model.onnx", feed))
    except Exception as e:  # noqa: BLE001
        return f"the converted model does not run: {str(e).splitlines()[0][:200]}"
    if not far <= NEAR:
        return f"values differ by {far:g}"
    return None if twin_noticed(runtime, path, out / "model.onnx", feed, folder) else "a broken twin is not noticed"


def check_refused(program, path, folder, words):
    out = folder / "refused"
    done = convert(program, path, out)
    if done.returncode != 2 or out.exists() or len(done.stderr.strip().splitlines()) != 1:
        return f"status {done.returncode}, folder {out.exists()}: {done.stderr.strip()}"
    missing = [w for w in words if w not in done.stderr]
    return f"says nothing of {missing}: {done.stderr.strip()}" if missing else None


def table_problems():
    """Versions of the table that onnx.defs does not have, and the other way round, as far as this onnx knows."""
    table = {}
    for op, versions in re.findall(r'<opset op="(\w+)" versions="([^"]+)"', (ROOT / "graph/edit/opset_forms.xml").read_text()):
        table[op] = {int(v) for v in re.findall(r"V\((\d+)\)", versions)}
    newest = min(NEWEST, onnx.defs.onnx_opset_version())
    real = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "" and OLD < schema.since_version <= newest:
            real.setdefault(schema.name, set()).add(schema.since_version)
    table = {op: {v for v in versions if v <= newest} for op, versions in table.items()}
    return [f"{op}: {sorted(table.get(op, set()))}, onnx has {sorted(real.get(op, set()))}" for op in sorted(set(table) | set(real))
            if table.get(op, set()) != real.get(op, set())]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", default="build")
    p.add_argument("--corpus", help="instead of $NPU_ADVISE_CORPUS")
    p.add_argument("--only", default="")
    p.add_argument("--keep", help="leave the models and what they became in this folder")
    p.add_argument("--verbose", action="store_true")
    a = p.parse_args()
    try:
        import onnxruntime as runtime
    except ImportError:
        print("opset.py needs onnxruntime (pip install onnxruntime)")
        sys.exit(77)
    program = pathlib.Path(a.build).resolve() / "npu-advise"
    bad = table_problems() if not a.only else []
    failed = [("table", text) for text in bad]
    count = {"converted": 0, "refused": 0, "corpus": 0}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(a.keep or scratch)
        folder.mkdir(exist_ok=True)
        for name, opset, make in MODELS:
            if a.only in name:
                why = check_model(runtime, program, build(folder, name, opset, make), folder)
                count["converted"] += why is None
                if why:
                    failed.append((name, why))
                if a.keep and (folder / "out").exists():
                    shutil.copy(folder / "out/model.onnx", folder / f"{name}.13.onnx")
                if a.verbose:
                    print(name, why or "equal")
        for name, opset, make, words in REFUSED:
            if a.only in name:
                why = check_refused(program, build(folder, name, opset, make), folder, words)
                count["refused"] += why is None
                failed += [(name, why)] if why else []
        corpus = outside.corpus(given=a.corpus)
        files = [corpus / path for path in CORPUS + CORPUS_REFUSED if a.only in path and (corpus / path).exists()]
        files += raised(corpus, folder, a.only)
        for file in files:
            refused = file.name in {pathlib.Path(p).name for p in CORPUS_REFUSED}
            why = check_refused(program, file, folder, ["opset"]) if refused else check_model(runtime, program, file, folder)
            count["corpus"] += why is None
            failed += [(file.name, why)] if why else []
            if a.verbose:
                print(file.name, why or ("refused" if refused else "equal"))
    for name, why in failed:
        print(f"{name}: {why}")
    print(f"{count['converted']} of {len(MODELS)} models converted with equal values, {count['refused']} of {len(REFUSED)} refused with the node, "
          f"{count['corpus']} of {len(files)} files of the corpus, onnx {onnx.__version__}, onnxruntime {runtime.__version__}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

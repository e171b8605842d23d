"""Small models, written as text, with operators in rare forms between two Convs: the steps that each becomes, and the low-level operators on the NPU."""
import json
import math
import os
import subprocess

import numpy
import onnx
import onnx.parser
from onnx import numpy_helper

PROGRAM = os.environ["NPU_ADVISE"]


FAR = 2**63 - 1


def held(name, *shape, values=None, kind="f4"):
    n = math.prod(shape)
    return numpy_helper.from_array(numpy.array(values if values is not None else [(k % 17 - 8) / 8 for k in range(n)], kind).reshape(shape), name)


def write(body, inits=(), ins="float[1,16,12,10] x", opset=13):
    m = onnx.parser.parse_model(f'<ir_version: 7, opset_import: ["": {opset}]> g ({ins}) => (float y) {{ {body} }}')
    m.graph.initializer.extend(inits)
    for i, n in enumerate(m.graph.node):
        n.name = f"{n.op_type}{i}"
    open("m.onnx", "wb").write(m.SerializeToString())


def run(*words):
    done = subprocess.run([PROGRAM, "compile", "m.onnx", *words], capture_output=True, text=True)
    if done.returncode:
        return "refused: " + done.stderr.splitlines()[-1].removeprefix("npu-advise: ")
    r = json.loads(done.stdout)
    steps = [f"NPU[{' '.join(x['kind'].removeprefix('LowLevel') for x in s['lowlevel'])}]" if s["kind"] == "npu" else s["op"] for s in r["steps"] if s["kind"] in ("npu", "host")]
    return " ".join(steps).removeprefix("Quantize Pad ").removesuffix(" Slice Dequantize")


def lowered(body, *inits, **more):
    write(body, inits, **more)
    named = [i for i in inits if i.name not in ("w", "u", "scale", "bias", "mean", "variance")]
    consts = [f"{i.name}={numpy_helper.to_array(i).tolist()}" if i.data_type == onnx.TensorProto.INT64 or i.name == "s" else f"{i.name}{list(i.dims)}" for i in named]
    subject = body.replace("a = Conv<pads=[1,1,1,1]>(x, w) ", "").replace(" y = Conv(b, u)", "")
    print(" ".join([subject, *consts, *([more["ins"]] if "ins" in more else [])]).replace(str(FAR), "FAR"), "=>", run("--emit", "json"))


W, U = held("w", 16, 16, 3, 3), held("u", 8, 16, 1, 1)


def between(text, *inits, outs=16, **more):
    """`text` makes b of a, which a Conv makes, and a Conv reads it."""
    lowered(f"a = Conv<pads=[1,1,1,1]>(x, w) {text} y = Conv(b, u)", W, held("u", 8, outs, 1, 1), *inits, **more)


def ints(name, *values):
    return held(name, len(values), values=values, kind="i8")


for op in ("Relu", "LeakyRelu<alpha=0.1>", "Sigmoid", "Tanh", "Softmax<axis=1>", "Softmax<axis=-1>", "Elu", "HardSigmoid", "Softplus", "Exp", "Log", "Sqrt", "Neg", "Abs", "Erf", "Floor", "Identity", "Cast<to=1>", "Cast<to=10>", "GlobalAveragePool",
           "GlobalMaxPool", "Flatten", "Transpose<perm=[0,2,3,1]>", "Transpose<perm=[0,1,3,2]>", "Transpose", "DepthToSpace<blocksize=2>", "SpaceToDepth<blocksize=2>", "LpNormalization", "LRN<size=3>", "InstanceNormalization", "Dropout", "ArgMax<axis=1>",
           "ReduceMean<axes=[2,3]>", "ReduceMean<axes=[-1,-2]>", "ReduceMean<axes=[1,2]>", "ReduceMean<axes=[2]>", "ReduceMean<axes=[2,3], keepdims=0>", "ReduceMean", "ReduceMax<axes=[2,3]>", "ReduceMean<axes=[3,4]>", "ReduceL2<axes=[1]>", "NoSuch"):
    outs = 4 if "DepthTo" in op else 64 if "SpaceTo" in op else 12 if "perm=[0,2" in op else 10 if op == "Transpose" else 16
    between(f"b = {op}(a)", outs=outs)
for attrs in ("kernel_shape=[2,2]", "kernel_shape=[2,2], strides=[2,2]", "kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]", "kernel_shape=[7,7]", "kernel_shape=[8,8]", "kernel_shape=[12,10]", "kernel_shape=[3,3], dilations=[2,2]", "kernel_shape=[3,3], ceil_mode=1, strides=[2,2]"):
    between(f"b = MaxPool<{attrs}>(a)")
    if "dilations" not in attrs:
        between(f"b = AveragePool<{attrs}>(a)")
for attrs, shape in (("strides=[2,2]", (16, 16, 3, 3)), ("dilations=[2,2]", (16, 16, 3, 3)), ("group=16", (16, 1, 3, 3)), ("group=16", (32, 1, 3, 3)), ("group=2", (16, 8, 3, 3)), ("strides=[3,1], pads=[0,1,2,1]", (16, 16, 3, 3)), ("", (16, 16, 12, 10)), ("", (1, 16, 1, 1)),
                     ("", (33, 16, 1, 1)), ("auto_pad=\"SAME_UPPER\", strides=[2,2]", (16, 16, 3, 3))):
    between(f"b = Conv{f'<{attrs}>' * bool(attrs)}(a, v)", held("v", *shape), outs=shape[0])
    if "auto_pad" not in attrs and shape[2] == 3:
        per = shape[1] if shape[1] != 16 else 16
        between(f"b = ConvTranspose<{attrs}>(a, v)", held("v", 16, per, 3, 3), outs=per * (int(attrs.split("group=")[1]) if "group" in attrs else 1))
for op in ("Add", "Mul", "Sub", "Div", "Max", "Pow"):
    for c in (held("c", values=2.0), held("c", 16, 1, 1), held("c", 1, 16, 12, 10), held("c", 10), held("c", 1)):
        between(f"b = {op}(a, c)", c)
    between(f"b = {op}(a, a)")
    between(f"b = {op}(a, x)")
    between(f"b = {op}(c, a)", held("c", 16, 1, 1))
for starts, ends, axes, outs in (((0,), (8,), (1,), 8), ((4,), (12,), (2,), 16), ((-4,), (99,), (3,), 16), ((0, 2), (8, 9), (1, 3), 8), ((0, 0, 1), (1, 16, 11), (0, 1, 2), 16), ((0,), (16,), (1,), 16)):
    between("b = Slice(a, s, e, i)", ints("s", *starts), ints("e", *ends), ints("i", *axes), outs=outs)
    between("b = Slice(a, s, e, i, p)", ints("s", *starts), ints("e", *ends), ints("i", *axes), ints("p", *[2] * len(axes)), outs=outs // 2 if 1 in axes else outs)
for pads in ((0, 0, 1, 1, 0, 0, 1, 1), (0, 0, 1, 0, 0, 0, 0, 0), (0, 0, 0, 2, 0, 0, 0, 0), (0, 8, 0, 0, 0, 8, 0, 0), (1, 0, 0, 0, 0, 0, 0, 0), (0, 0, -1, 0, 0, 0, 0, -1), (0,) * 8, (0, 4, 1, 1, 0, 4, 1, 1)):
    between("b = Pad(a, p)", ints("p", *pads), outs=16 + pads[1] + pads[5])
for axis in (1, 2, 3, -1, -3):
    between(f"b = Concat<axis={axis}>(a, a)", outs=32 if axis in (1, -3) else 16)
    between(f"b, c = Split<axis={axis}>(a)", outs=8 if axis in (1, -3) else 16)
    between(f"b = Concat<axis={axis}>(a, x, a)", outs=48 if axis in (1, -3) else 16)
    between(f"b = Gather<axis={axis}>(a, i)", ints("i", 0, 1), outs=2 if axis in (1, -3) else 16)
for shape, outs in (((1, 16, 10, 12), 16), ((1, 16, 120, 1), 16), ((0, 0, 0, 0), 16), ((1, 8, 2, -1), 8), ((1, 4, 4, 120), 4), ((1, 120, 4, 4), 120)):
    between("b = Reshape(a, s)", ints("s", *shape), outs=outs)
for scales in ((1, 1, 2, 2), (1, 1, 1, 2), (1, 1, 0.5, 0.5), (1, 1, 3, 3), (1, 2, 1, 1), (1, 1, 1.5, 1.5)):
    for attrs in ("mode=\"nearest\"", "mode=\"linear\"", "mode=\"nearest\", coordinate_transformation_mode=\"asymmetric\", nearest_mode=\"floor\"", "mode=\"linear\", coordinate_transformation_mode=\"align_corners\""):
        between(f"b = Resize<{attrs}>(a, , s)", held("s", 4, values=scales), outs=32 if scales[1] == 2 else 16)
for body, *inits in (("a = Gemm(x, w) b = Relu(a) y = Gemm(b, u)", held("w", 32, 64), held("u", 64, 10)), ("a = Gemm<transB=1, alpha=2.0>(x, w) y = Gemm<transA=1>(a, u)", held("w", 64, 32), held("u", 4, 10)),
                     ("a = MatMul(x, w) y = MatMul(a, u)", held("w", 32, 64), held("u", 64, 10)), ("t = Transpose(x) y = MatMul(x, t)",), ("a = MatMul(x, w) y = Add(a, u)", held("w", 32, 64), held("u", 64))):
    lowered(body, *inits, ins="float[4,32] x")
lowered("a = MatMul(x, w) b = Softmax<axis=-1>(a) y = MatMul(b, u)", held("w", 2, 32, 16), held("u", 2, 16, 8), ins="float[2,9,32] x")
lowered("a = Conv(x, w) y = Relu(a)", held("w", 8, 16, 3), ins="float[1,16,20] x")
lowered("a = Conv(x, w) y = Relu(a)", held("w", 8, 16, 3, 3, 3), ins="float[1,16,8,8,8] x")
ROWS = "p = Slice(a, zero, far, rows, two) q = Slice(a, one, far, rows, two) "
PARTS = "r = Slice(p, zero, far, cols, two) s = Slice(q, zero, far, cols, two) t = Slice(p, one, far, cols, two) v = Slice(q, one, far, cols, two) "
JOIN = "b = Concat<axis=1>(r, s, t, v)"


def focus(text=ROWS + PARTS + JOIN, outs=64, ins="float[1,16,12,10] x", **given):
    """Every second row and column, four times, behind a Conv."""
    lists = {"zero": (0,), "one": (1,), "far": (FAR,), "rows": (2,), "cols": (3,), "two": (2,), **given}
    between(text, *(ints(name, *values) for name, values in lists.items()), outs=outs, ins=ins)


ODD = "float[1,16,11,10] x"
for given in ({}, {"rows": (-2,), "cols": (-1,)}, {"rows": (3,), "cols": (2,)}, {"far": (12,)}, {"far": (2**31 - 1,)}, {"two": (3,)}, {"rows": (3,)}, {"zero": (-12,), "cols": (2,), "rows": (3,)}):
    focus(**given)
focus(rows=(1,), outs=32)
focus(cols=(1,), outs=32)
early = ROWS.replace("far", "end", 1) + PARTS + JOIN
for end in (11, 10, 9, -1, -2):
    focus(early, ins=ODD, end=(end,))
focus(ROWS.replace("zero", "start") + PARTS + JOIN, ins=ODD, start=(2,))
JOINED = JOIN.replace("b =", "d =")
for old, new, outs in (("(r, s, t, v)", "(v, t, s, r)", 64), ("(r, s, t, v)", "(r, s, t, t)", 64), ("(r, s, t, v)", "(r, s, t)", 48), ("(r, s, t, v)", "(r, s, t, v, v)", 80), ("axis=1", "axis=2", 16), ("Slice(a, one", "Slice(x, one", 64), ("Slice(p, one", "Slice(q, one", 64),
                       ("t = Slice(p, one, far, cols, two)", "o = Slice(a, zero, far, rows, two) t = Slice(o, one, far, cols, two)", 64), ("s = Slice(q, zero, far, cols, two)", "s = MaxPool<kernel_shape=[1,2], strides=[1,2]>(q)", 64),
                       (JOIN, JOINED + " e = Concat<axis=1>(t, t, t, t) b = Add(d, e)", 64), (JOIN, JOINED + " e = Slice(p, zero, far, cols, two) b = Concat<axis=1>(d, e)", 80)):
    focus((ROWS + PARTS + JOIN).replace(old, new), outs=outs)
both = " ".join(f"{name} = Slice(a, {start}, ends, axes, steps)" for name, start in zip("rstv", ("zz", "oz", "zo", "oo"))) + " " + JOIN
BOTH = {"zz": (0, 0), "oz": (1, 0), "zo": (0, 1), "oo": (1, 1), "ends": (FAR, FAR), "axes": (2, 3), "steps": (2, 2)}
focus(both, **BOTH)
focus(both, **{**BOTH, "axes": (3, -2)})
focus(both, **{**BOTH, "steps": (2, 3)}, ins="float[1,16,12,9] x")
focus(both, **{**BOTH, "zz": (0, 0, 0), "oz": (1, 0, 0), "zo": (0, 1, 0), "oo": (1, 1, 0), "ends": (FAR, FAR, FAR), "axes": (2, 3, 1), "steps": (2, 2, 1)})
focus(both.replace(", steps", ""), **BOTH, outs=64)
for gate in ("g = Sigmoid(a)", "g = HardSigmoid(a)", "g = Tanh(a)", "f = Softplus(a) g = Tanh(f)", "f = Softplus(x) g = Tanh(f)", "f = Relu(a) g = Tanh(f)"):
    for product in ("b = Mul(a, g)", "b = Mul(g, a)", "b = Mul(g, x)", "b = Mul(g, g)", "b = Add(a, g)", "h = Mul(a, g) b = Add(h, g)", "h = Mul(a, g) b = Relu(h)", "b = Max(a, g)"):
        between(f"{gate} {product}")
between("f = Softplus(a) g = Tanh(f) h = Mul(a, g) b = Add(h, f)")
CHANNELS = [held(name, 16) for name in ("scale", "bias", "mean", "variance")]
for first in ("c = Relu(a)", "c = Add(a, x)", "c = Mul(a, k)", "c = MaxPool<kernel_shape=[1,1]>(a)", "c = LeakyRelu(a)", "c = BatchNormalization(a, scale, bias, mean, variance)", "c = Identity(a)", "d = MaxPool<kernel_shape=[1,1]>(a) c = BatchNormalization(d, scale, bias, mean, variance)", "c = Conv(a, u16)"):
    for then in ("b = Relu(c)", "b = Clip(c)", "b = LeakyRelu(c)", "b = PRelu(c, k)", "g = Sigmoid(c) b = Mul(c, g)", "b = Mul(c, k)", "b = BatchNormalization(c, scale, bias, mean, variance)", "d = Relu(c) b = Add(c, d)"):
        between(f"{first} {then}", held("k", 16, 1, 1), held("u16", 16, 16, 1, 1), *CHANNELS)
for shape in ((1,), (1, 1, 1, 1), (16,), (16, 1), (16, 1, 1), (1, 16, 1), (1, 16, 1, 1), (1, 1, 16, 1), (1, 16, 16, 1), (16, 16, 16)):
    for text in ("b = Add(a, k)", "b = Sub(k, a)", "b = Div(a, k)", "b = Div(k, a)"):
        between(text, held("k", *shape), ins="float[1,16,16,16] x")
for made in ("MatMul(x, w)", "Gemm(x, w)"):
    for shape in ((), (1,), (64,), (1, 64), (4, 1), (4, 64), (1, 1)):
        for text in ("b = Add(a, k)", "b = Div(k, a)"):
            lowered(f"a = {made} {text} c = Relu(b) y = MatMul(c, u)", held("w", 32, 64), held("k", *shape), held("u", 64, 10), ins="float[4,32] x")
lowered("a = MatMul(x, w) b = BatchNormalization(a, scale, bias, mean, variance) y = MatMul(b, u)", held("w", 32, 16), *CHANNELS, held("u", 16, 10), ins="float[4,32] x")

"""Small models, written as text, and edits of them: what becomes of each, or why it is refused."""
import math
import re
import subprocess

import numpy
import onnx
import onnx.parser
from onnx import numpy_helper


def held(name, *shape, start=1, step=1, kind="f4", values=None):
    n = math.prod(shape)
    data = numpy.array(values if values is not None else [start + step * k for k in range(n)], kind).reshape(shape)
    return numpy_helper.from_array(data, name)


def told(g):
    for i in g.initializer:
        yield f"{i.name} {list(i.dims)} [{', '.join(f'{v:.6g}' for v in numpy_helper.to_array(i).flatten()[:4])}]"
    for n in g.node:
        given = [f"{a.name}={onnx.helper.get_attribute_value(a)}" for a in n.attribute if a.type != a.GRAPH]
        yield f"{n.op_type}{'<' + ', '.join(given) + '>' if given else ''}({', '.join(n.input)}) -> {', '.join(n.output)}"


def edit(body, *words, ins="float[1,4,6,8] x", outs="float y", inits=(), opset=13):
    m = onnx.parser.parse_model(f'<ir_version: 7, opset_import: ["": {opset}]> g ({ins}) => ({outs}) {{ {body} }}')
    m.graph.initializer.extend(inits)
    open("before.onnx", "wb").write(m.SerializeToString())
    done = subprocess.run(["./edit_model", "before.onnx", "after.onnx", *words], capture_output=True, text=True)
    sizes = [] if ins == "float[1,4,6,8] x" else [ins]
    values = [f"{i.name}{list(i.dims)} = {numpy_helper.to_array(i).flatten()[:4].tolist()}" for i in inits]
    outcome = "; ".join(told(onnx.load("after.onnx").graph)) if done.returncode == 0 else re.sub(r"before.onnx: (rewrite '[^']*': )?", "refused: ", done.stderr.strip())
    print(", ".join([body, *sizes, *values]), "|", *words, "=>", outcome)


def rewrite(kind, body, *places, **more):
    edit(body, *(w for p in places or ("t",) for w in ("rewrite", p, kind)), **more)


def numbers(*values, name="c", kind="f4"):
    return held(name, len(values), values=values, kind=kind) if len(values) != 1 else held(name, values=values, kind=kind)


# What returns its input as it is, and what does not.
for op, same, other in (("Add", 0, 1e-30), ("Sub", 0, -1), ("Mul", 1, 0), ("Div", 1, 1.5), ("Pow", 1, 2)):
    for v in (same, other):
        rewrite("drop-identity", f"t = {op}(x, c) y = Relu(t)", inits=[numbers(v)])
        rewrite("drop-identity", f"t = {op}(c, x) y = Relu(t)", inits=[numbers(v)])
        rewrite("drop-identity", f"t = {op}(x, c) y = Relu(t)", inits=[held("c", 8, values=[v] * 8)])
        rewrite("drop-identity", f"t = {op}(x, c) y = Relu(t)", inits=[held("c", 2, 1, 1, 1, values=[v] * 2)])
for op in ("Concat<axis=1>", "Sum", "Mean", "Max", "Min", "Identity"):
    for ins in ("x",) if op == "Identity" else ("x", "x, x"):
        rewrite("drop-identity", f"t = {op}({ins}) y = Relu(t)")
        rewrite("drop-identity", f"t = {op}({ins})", outs="float t")
for body, inits in (("Dropout(x)", []), ("Dropout(x, c)", [numbers(0.0)]), ("Flatten<axis=1>(x)", []), ("Reshape(x, c)", [held("c", 4, values=[1, 4, 6, 8], kind="i8")]),
                    ("Reshape(x, c)", [held("c", 4, values=[0, 0, -1, 8], kind="i8")]), ("Reshape(x, c)", [held("c", 4, values=[1, 4, 8, 6], kind="i8")]),
                    ("Expand(x, c)", [held("c", 4, values=[1, 4, 6, 8], kind="i8")]), ("Expand(x, c)", [held("c", 4, values=[2, 4, 6, 8], kind="i8")]),
                    ("Tile(x, c)", [held("c", 4, values=[1] * 4, kind="i8")]), ("Tile(x, c)", [held("c", 4, values=[1, 1, 1, 2], kind="i8")]),
                    ("Pad(x, c)", [held("c", 8, values=[0] * 8, kind="i8")]), ("Pad(x, c)", [held("c", 8, values=[0, 0, 1, 0, 0, 0, -1, 0], kind="i8")]),
                    ("Cast<to=1>(x)", []), ("Cast<to=10>(x)", []), ("Transpose<perm=[0,1,2,3]>(x)", []), ("Transpose<perm=[0,1,3,2]>(x)", []), ("Clip(x)", []),
                    ("Resize(x, , s)", [held("s", 4, values=[1] * 4)]), ("Resize<coordinate_transformation_mode=\"tf_crop_and_resize\">(x, r, s)", [held("r", 8, values=[0] * 4 + [1] * 4), held("s", 4, values=[1] * 4)]),
                    ("Resize(x, , s)", [held("s", 4, values=[1, 1, 2, 1])])):
    rewrite("drop-identity", f"t = {body} y = Relu(t)", inits=inits)
rewrite("drop-identity", "t, m = Dropout(x) y = Relu(t) z = Not(m)", outs="float y, bool z")
for starts, ends, axes, steps in (([0], [9], [3], None), ([0], [8], [3], [1]), ([0], [8], [3], [2]), ([-1], [-9], [3], [-1]), ([0, 0], [6, 8], [2, 3], [1, 1]), ([0, 1], [6, 8], [2, 3], [1, 1])):
    more = [held(n, len(v), values=v, kind="i8") for n, v in zip("bead", (starts, ends, axes, steps)) if v]
    rewrite("drop-identity", f"t = Slice(x, b, e, a{', d' if steps else ''}) y = Relu(t)", inits=more)


def bn(c, name="s", **more):
    return [held("s", c, start=2), held("b", c, start=1), held("m", c, start=3), held("v", c, start=4)]


BN = "y = BatchNormalization{}(t, s, b, m, v)"
for group, outs, width in ((1, 3, 4), (2, 6, 2), (4, 4, 1), (4, 8, 1)):
    for bias in ([], [held("k", outs)], [held("k", 1)]):
        ins = "x, w, k" if bias else "x, w"
        rewrite("fold-bn", f"t = Conv<group={group}>({ins}) " + BN.format("<epsilon=0.5>"), "y", inits=[held("w", outs, width, 2, 1), *bias, *bn(outs)])
        rewrite("fold-bn", f"t = ConvTranspose<group={group}>({ins}) " + BN.format(""), "y", inits=[held("w", 4, outs // group, 2, 1), *bias, *bn(outs)])
for attrs in ("", "<transB=1>", "<transA=1>", "<alpha=2.0>", "<beta=2.0>", "<alpha=1.0, beta=1.0, transB=0>"):
    for bias in ("", ", k", ", r"):
        shape = (3, 5) if "transB=1" in attrs else (5, 3)
        rewrite("fold-bn", f"t = Gemm{attrs}(x, w{bias}) " + BN.format(""), "y", ins="float[2,5] x", inits=[held("w", *shape), held("k", 3), held("r", 2, 3), *bn(3)])
W3 = held("w", 3, 4, 1, 1)
rewrite("fold-bn", "t = Conv(x, w) " + BN.format("") + " z = Relu(t)", "y", outs="float y, float z", inits=[W3, *bn(3)])
rewrite("fold-bn", "t = Conv(x, w) " + BN.format(""), "y", outs="float y, float t", inits=[W3, *bn(3)])
rewrite("fold-bn", "t = Conv(x, w) " + BN.format(""), "y", inits=[W3, *bn(2)])
rewrite("fold-bn", "t = Relu(x) " + BN.format(""), "y", inits=bn(4))
rewrite("fold-bn", "t = Conv(x, q) q = Relu(w) " + BN.format(""), "y", inits=[W3, *bn(3)])
rewrite("fold-bn", "t = Conv(x, w) y, p, o = BatchNormalization<training_mode=1>(t, s, b, m, v)", "y", inits=[W3, *bn(3)], opset=14)
for values in ([1, 2, 0], [1, 2, -1], [1, 2, 3]):
    rewrite("fold-bn", "t = Conv(x, w) " + BN.format("<epsilon=0.0>"), "y", inits=[W3, *bn(3)[:3], held("v", 3, values=values)])

for group, outs in ((1, 4), (2, 4), (4, 4), (4, 8), (3, 6)):
    for bias in ("", ", k"):
        rewrite("split-groups", f"t = Conv<group={group}, pads=[1,0,0,1]>(x, w{bias}) y = Relu(t)", ins=f"float[1,{12 if group == 3 else 4},6,8] x",
                inits=[held("w", outs, (12 if group == 3 else 4) // group, 2, 1), held("k", outs)])
rewrite("split-groups", "t = Conv<group=2>(x, w)", outs="float t", inits=[held("w", 4, 2, 1, 1)])
rewrite("split-groups", "q = Relu(w) t = Conv<group=2>(x, q) y = Relu(t)", inits=[held("w", 4, 2, 1, 1)])
rewrite("split-groups", "t = Conv<group=2>(x, w) y = Relu(t)", inits=[held("w", 4, 2, 1, 1)], opset=9)
rewrite("split-groups", "t = Conv<group=2>(x, w) y = Relu(t)", inits=[held("w", 4, 2, 1)], ins="float[1,4,6] x")

PIXELS = "float[1,3,6,8] x"
K = [held("w", 2, 3, 2, 2, start=-3), held("k", 2)]
line = held("c", 1, 3, 1, 1, start=2)
for steps in ("p = Sub(x, c)", "p = Div(x, c)", "p = Mul(x, c)", "p = Add(x, c)", "p = Mul(c, x)", "p = Add(c, x)", "p = Sub(c, x)", "p = Div(c, x)", "q = Div(x, c) p = Sub(q, c)", "q = Sub(x, c) p = Div(q, c)",
              "r = Div(x, c) q = Sub(r, c) p = Div(q, c)", "q = Relu(x) p = Mul(q, c)"):
    for pads in ("", "<pads=[1,0,0,1]>", "<auto_pad=\"SAME_UPPER\">"):
        for kind in ("fold-normalisation", "fold-normalisation-borders"):
            rewrite(kind, f"{steps} t = Conv{pads}(p, w{', k' if 'q' in steps else ''}) y = Relu(t)", ins=PIXELS, inits=[*K, line])
for c in (numbers(2.0), held("c", 8), held("c", 3, 1, 1), held("c", 1, 3, 1, 1, values=[1, 0, 2]), held("c", 1, 3, 6, 8), held("c", 1, 1, 1, 1), held("c", 1, 2, 1, 1)):
    for op in ("Mul", "Div", "Sub"):
        rewrite("fold-normalisation", f"p = {op}(x, c) t = Conv(p, w) y = Relu(t)", ins=PIXELS, inits=[*K, c])
rewrite("fold-normalisation", "p = Mul(x, c) t = Conv(p, w) y = Relu(t) z = Relu(p)", ins=PIXELS, outs="float y, float z", inits=[*K, line])

for a, b in (("LeakyRelu<alpha=0.1>(x)", "LeakyRelu<alpha=0.1>(x)"), ("LeakyRelu<alpha=0.1>(x)", "LeakyRelu<alpha=0.2>(x)"), ("LeakyRelu(x)", "LeakyRelu<alpha=0.01>(x)"), ("Relu(x)", "Relu(x)"),
             ("Relu(x)", "Sigmoid(x)"), ("Flatten<axis=1>(x)", "Flatten<axis=2>(x)"), ("Transpose<perm=[0,2,3,1]>(x)", "Transpose<perm=[0,2,3,1]>(x)"), ("Transpose<perm=[0,2,3,1]>(x)", "Transpose<perm=[0,3,1,2]>(x)"),
             ("Transpose<perm=[0,2,3,1]>(x)", "Transpose(x)"), ("Add(x, c)", "Add(c, x)"), ("Add(x, c)", "Add(x, c)"), ("Add(x, c)", "Add(x, d)"), ("Add(x, c)", "Add(x, e)"), ("Add(x, c)", "Add(x, f)"),
             ("AveragePool<kernel_shape=[2,2], auto_pad=\"VALID\">(x)", "AveragePool<kernel_shape=[2,2], auto_pad=\"VALID\">(x)"),
             ("AveragePool<kernel_shape=[2,2], auto_pad=\"VALID\">(x)", "AveragePool<kernel_shape=[2,2], auto_pad=\"SAME_UPPER\">(x)"), ("RandomNormalLike(x)", "RandomNormalLike(x)"),
             ("Concat<axis=1>(x, x)", "Concat<axis=1>(x, x, x)"), ("Clip(x, c)", "Clip(x, , c)")):
    rewrite("merge-duplicates", f"s = {a} t = {b} p = Relu(s) q = Relu(t)", outs="float p, float q",
            inits=[numbers(2.0), numbers(2.0, name="d"), numbers(3.0, name="e"), held("f", 1, values=[2.0])])
    rewrite("merge-duplicates", f"s = {a} t = {b}", outs="float s, float t", inits=[numbers(2.0), numbers(2.0, name="d"), numbers(3.0, name="e"), held("f", 1, values=[2.0])])
rewrite("merge-duplicates", "s, i = TopK(x, k) t, j = TopK(x, k) p = Relu(s) q = Relu(t)", outs="float p, float q", inits=[held("k", 1, values=[2], kind="i8")])
rewrite("merge-duplicates", "s = Upsample<mode=\"nearest\">(x, k) t = Upsample<mode=\"nearest\">(x, k) p = Relu(s) q = Relu(t)", outs="float p, float q", inits=[held("k", 4, values=[1, 1, 2, 2])], opset=9)
for scales in ("1.0, 1.0, 2.0, 2.0", "1.0, 1.0, 2.0, 3.0"):
    rewrite("merge-duplicates", f"s = Upsample<scales=[1.0, 1.0, 2.0, 2.0]>(x) t = Upsample<scales=[{scales}]>(x) p = Relu(s) q = Relu(t)", outs="float p, float q", opset=7)

for attrs in ("kernel_shape=[3,3]", "kernel_shape=[3,1]", "kernel_shape=[1,3]", "kernel_shape=[3,5], strides=[2,3], pads=[1,2,0,1]", "kernel_shape=[3,3], dilations=[2,1]", "kernel_shape=[3,3], ceil_mode=1",
              "kernel_shape=[3,3], auto_pad=\"SAME_UPPER\"", "kernel_shape=[3,3], auto_pad=\"SAME_LOWER\", strides=[2,2]", "kernel_shape=[3,3], auto_pad=\"VALID\""):
    rewrite("split-kernel", f"t = MaxPool<{attrs}>(x) y = Relu(t)")
    if "dilations" not in attrs:
        rewrite("split-kernel", f"t = AveragePool<{attrs}>(x) y = Relu(t)")
        rewrite("split-kernel", f"t = AveragePool<{attrs}, count_include_pad=1>(x) y = Relu(t)")
rewrite("split-kernel", "t, i = MaxPool<kernel_shape=[3,3]>(x) y = Relu(t)", outs="float y, int64 i")
rewrite("split-kernel", "t = MaxPool<kernel_shape=[3]>(x) y = Relu(t)", ins="float[1,4,6] x")
for op in ("MaxPool", "AveragePool"):
    for scales in ([0.5], [0.5, 0.25, 0.5, 0.25]):
        rewrite("split-kernel", f"d = DequantizeLinear(x, s, o) t = {op}<kernel_shape=[3,3]>(d) y = Relu(t)", ins="int8[1,4,6,8] x",
                inits=[numbers(*scales, name="s"), numbers(*(3 for _ in scales), name="o", kind="i1")])
for first in ("0,2,3,1", "0,3,1,2", "0,1,3,2", "0,2,1,3"):
    for second in ("0,3,1,2", "0,1,3,2", "3,2,1,0"):
        rewrite("cancel-transposes", f"s = Transpose<perm=[{first}]>(x) t = Transpose<perm=[{second}]>(s) y = Relu(t)")
        rewrite("cancel-transposes", f"s = Transpose<perm=[{first}]>(x) r = Relu(s) t = Transpose<perm=[{second}]>(r) y = Sigmoid(t)")
        rewrite("cancel-transposes", f"s = Transpose<perm=[{first}]>(x) r = Pad(s, c) t = Transpose<perm=[{second}]>(r) y = Sigmoid(t)", inits=[held("c", 8, values=[0] * 8, kind="i8")])
rewrite("cancel-transposes", "s = Transpose(x) t = Transpose(s) y = Relu(t) z = Relu(s)", outs="float y, float z")

MODEL = "a = Conv<pads=[1,1,1,1]>(x, w) b = Relu(a) y = Conv(b, u) z = Sigmoid(b)"
KEPT = [held("w", 4, 4, 3, 3), held("u", 2, 4, 1, 1)]
for kind, where, values in (("width", "x", (0, 1, 7, 8, 9, -1)), ("height", "x", (0, 1, 5, 6, 12)), ("width", "q", (4,)), ("bind-dim", "x:0", (1, 2)), ("bind-dim", "N", (2,)),
                            ("cut-tail", "b", (0,)), ("cut-tail", "a", (0,)), ("cut-tail", "y", (0,)), ("cut-tail", "x", (0,)), ("cut-tail", "w", (0,)), ("cut-tail", "none", (0,)), ("cut-head", "a", (0,)), ("cut-head", "b", (0,)),
                            ("cut-head", "y", (0,)), ("cut-head", "x", (0,)), ("cut-head", "w", (0,)), ("drop-output", "y", (0,)), ("drop-output", "z", (0,)), ("drop-output", "b", (0,)), ("pad-output", "y", (9, 10, 8, 7, 6)),
                            ("replace-op", "b", ("Sigmoid", "Relu", "LeakyRelu", "Add", "None", "HardSwish", "Mish")), ("input-dtype", "x", ("uint8", "int8", "float32", "float16", "string", "odd")),
                            ("output-dtype", "y", ("uint8", "int8", "float32", "float16")), ("permute-input", "x", ("0,3,1,2", "0,2,3,1", "0,1,2,3", "0,1,2", "0,1,1,2", "0,1,2,4", "a")),
                            ("permute-output", "y", ("0,3,1,2", "0,2,3,1", "0,1,2", "0,0,1,2"))):
    for v in values:
        edit(MODEL, kind, where, str(v), outs="float y, float z", inits=KEPT)
        if kind in ("width", "bind-dim"):
            edit(MODEL, kind, where, str(v), ins="float[N,4,6,8] x", outs="float y, float z", inits=KEPT)
edit(MODEL, "drop-output", "y", "", "drop-output", "z", "", outs="float y, float z", inits=KEPT)
edit(MODEL, "permute-input", "x", "0,2,3,1", "permute-input", "x", "0,3,1,2", outs="float y, float z", inits=KEPT)
edit("a = Sigmoid(x) b = Mul(x, a) y = Relu(b)", "replace-op", "b", "Relu")
edit("a = Sigmoid(x) b = Mul(x, a) y = Relu(a)", "replace-op", "b", "Relu", outs="float y, float b")
QDQ = "q = QuantizeLinear(x, s, o) d = DequantizeLinear(q, s, o) r = Relu(d) e = QuantizeLinear(r, t, o) y = DequantizeLinear(e, t, o)"
SCALES = [numbers(0.5, name="s"), numbers(0.25, name="t"), held("o", values=[7], kind="u1")]
for words in (("input-dtype", "x", "uint8"), ("input-dtype", "x", "int8"), ("output-dtype", "y", "uint8"), ("output-dtype", "y", "int8"), ("output-dtype", "y", "int32"), ("pad-output", "y", "12"), ("cut-tail", "q", ""), ("cut-tail", "e", ""),
              ("cut-head", "q", ""), ("permute-output", "y", "0,2,3,1"), ("permute-input", "x", "0,2,3,1"), ("rewrite", "e", "drop-qdq"), ("rewrite", "q", "drop-qdq")):
    edit(QDQ, *words, inits=SCALES)
for a, b, c, d in (("s", "o", "s", "o"), ("s", "o", "t", "o"), ("s", "o", "s", "p"), ("s", "o", "s2", "o"), ("s", "o", "s", "o2")):
    rewrite("drop-qdq", f"q = QuantizeLinear(x, s, o) d = DequantizeLinear(q, {a}, {b}) t1 = QuantizeLinear(d, {c}, {d}) y = DequantizeLinear(t1, s, o)", "t1",
            inits=[*SCALES, held("p", values=[8], kind="u1"), numbers(0.5, name="s2"), held("o2", values=[7], kind="u1")])

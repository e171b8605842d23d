#!/usr/bin/python3
"""Rewrites of graph/edit/rewrite.h in the hands of others.

  tests/full/rewrites.py [--build DIR] [--only TEXT] [--verbose]

Every rewrite is done on small models made here, written, read by onnx.checker and run by onnxruntime; the outputs
must be those of the model as it was: to the bit, or up to the rounding of float32 for those that take sums in another
order.  The rewritten model must have lost, or gained, the nodes that it should.  For each rewrite a broken twin (other
weights, or another attribute where there are none) must be noticed.  Models for which a rewrite would not be exact are
refused in one line.  Models of other projects, as far as the installed onnx reads them, go the same way at every node
where a rewrite fits.  The models of the case inline-bodies, whose If, Loop and Scan are inlined, give the same bits on
ten inputs each.
"""
import collections
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

import edits
import outside
import packages

EXACT, ROUNDED = 0, 2e-5
MICROSOFT, ROWS = "com.microsoft", [1, 24, 8]
NUMBERS = numpy.random.default_rng(4)
KINDS = {"drop-qdq": EXACT, "cancel-transposes": EXACT, "fold-pad": EXACT, "fold-bn": ROUNDED, "drop-identity": EXACT,
         "merge-duplicates": EXACT, "split-kernel": ROUNDED, "split-groups": EXACT, "fold-normalisation": ROUNDED, "spell-out": ROUNDED,
         "choose-first": EXACT}
# Operators that a rewrite is asked for at, in models of other projects.
AT = {"drop-qdq": "QuantizeLinear", "cancel-transposes": "Transpose", "fold-pad": "Pad", "fold-bn": "BatchNormalization",
      "drop-identity": "Identity Slice Concat Mul Add Pad Resize Expand", "merge-duplicates": "Conv Reshape Transpose Relu",
      "split-kernel": "MaxPool AveragePool", "fold-normalisation": "Conv",
      "spell-out": "HardSigmoid HardSwish Max Min Div Reciprocal Neg ReduceMean LayerNormalization InstanceNormalization GlobalMaxPool Gather Slice Concat"}
CORPUS = """misc/slice_elim quantized/dup_qdq quantized/furiosa_named_tensors
    quantized/qtdnn_i32_bias vision/st_mobilenet_v2_035_128 vision/fastestdet_352 vision/ultraface_rfb_320
    nhwc/resnet8_keras custom/cct_opset20 image_out/fns_candy_bgr8 vision/light_shufflenet""".split()


def floats(*dims):
    return NUMBERS.normal(size=dims).astype(numpy.float32)


class Net:
    """A model of a few nodes: each call adds one and returns its output's name."""

    def __init__(self, dims, opset=13, dtype=TensorProto.FLOAT):
        self.nodes, self.constants, self.opset, self.outputs = [], [], opset, []
        self.inputs = [helper.make_tensor_value_info("x", dtype, dims)]

    def const(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.asarray(array), name))
        return name

    def add(self, op, *inputs, count=1, **attributes):
        inputs = [i if isinstance(i, str) else self.const(i) for i in inputs]
        outputs = [f"t{len(self.nodes)}" + (f"_{k}" if k else "") for k in range(count)]
        self.nodes.append(helper.make_node(op, inputs, outputs, name=f"n{len(self.nodes)}", **attributes))
        return outputs[0]

    def bn(self, t, channels):
        return self.add("BatchNormalization", t, floats(channels), floats(channels), floats(channels),
                        numpy.abs(floats(channels)) + 0.5)

    def save(self, path, *outputs):
        known = not any(n.domain for n in self.nodes)  # to onnx's shape inference
        values = [helper.make_empty_tensor_value_info(o) if known else helper.make_tensor_value_info(o, TensorProto.FLOAT, ROWS) for o in outputs]
        graph = helper.make_graph(self.nodes, "net", self.inputs, values, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset), helper.make_opsetid(MICROSOFT, 1)], ir_version=7)
        model = onnx.shape_inference.infer_shapes(model)
        onnx.save(model, path)


def i64(*values):
    return numpy.array(values, numpy.int64)


def scale(value=0.05, zero=128):
    return [numpy.float32(value), numpy.uint8(zero)]


# ---- the small models: kind, name, nodes that must be left, places, build ------------------------


def qdq_pair(n):
    s = scale()
    q = n.add("QuantizeLinear", "x", *s)
    second = n.add("QuantizeLinear", n.add("DequantizeLinear", q, *s), *s)
    return [second], [n.add("DequantizeLinear", second, *s)]


def qdq_moved(n):
    s = scale()
    t = n.add("DequantizeLinear", n.add("QuantizeLinear", "x", *s), *s)
    t = n.add("Reshape", n.add("Transpose", t, perm=[0, 2, 3, 1]), i64(1, 6, 32))
    q = n.add("QuantizeLinear", t, *s)
    return [q], [n.add("DequantizeLinear", q, *s)]


def dynamic_pair(n):
    n.nodes.append(helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]))
    second = n.add("QuantizeLinear", n.add("DequantizeLinear", "q", "s", "z"), "s", "z")
    return [second], [n.add("DequantizeLinear", second, "s", "z")]


def transposes_identity(n):
    t = n.add("Transpose", n.add("Relu", "x"), perm=[0, 2, 3, 1])
    t = n.add("Transpose", n.add("Mul", n.add("Sigmoid", t), numpy.float32(3)), perm=[0, 3, 1, 2])
    return [t], [n.add("Neg", t)]


def transposes_one(n):
    t = n.add("Transpose", n.add("Transpose", n.add("Relu", "x"), perm=[0, 2, 3, 1]), perm=[0, 2, 1, 3])
    return [t], [t]


def transposes_output(n):
    t = n.add("Transpose", n.add("Transpose", n.add("Relu", "x"), perm=[0, 2, 3, 1]), perm=[0, 3, 1, 2])
    return [t], [t]


def transpose_reshape(n):
    t = n.add("Transpose", n.add("Reshape", n.add("Relu", "x"), i64(1, 1, 8, 24)), perm=[2, 0, 1, 3])
    return [t], [n.add("Reshape", t, i64(8, 24))]


def reshape_undone(n):
    t = n.add("Reshape", n.add("Reshape", n.add("Relu", "x"), i64(1, 1, 24, 8)), i64(1, 24, 8, 1))
    t = n.add("Transpose", n.add("Tanh", t), perm=[0, 3, 1, 2])
    return [t], [n.add("Neg", t)]


def transposes_four(n):
    places, t = [], n.add("Relu", "x")
    for k in range(4):
        t = n.add("Transpose", t, perm=[0, 2, 3, 1] if k % 2 == 0 else [0, 3, 1, 2])
        places.append(t)
    return places[1:], [n.add("Neg", t)]


def pad_conv(n, pads=(0, 0, 1, 2, 0, 0, 3, 0)):
    p = n.add("Pad", n.add("Relu", "x"), i64(*pads))
    return [p], [n.add("Conv", p, floats(4, 4, 3, 3), floats(4), pads=[1, 1, 0, 0], strides=[2, 1])]


def pad_qdq(n):
    s = scale(0.02, 3)
    q = n.add("QuantizeLinear", n.add("Clip", "x", numpy.float32(0), numpy.float32(5)), *s)
    p = n.add("Pad", q, i64(0, 0, 1, 1, 0, 0, 1, 1), numpy.uint8(3))
    return [p], [n.add("Conv", n.add("DequantizeLinear", p, *s), floats(4, 4, 3, 3))]


def pad_average(n):
    p = n.add("Pad", n.add("Neg", "x"), i64(0, 0, 1, 1, 0, 0, 0, 1))
    return [p], [n.add("AveragePool", p, kernel_shape=[3, 3], strides=[2, 2])]


def pad_max(n):
    p = n.add("Pad", n.add("Relu", "x"), i64(0, 0, 1, 1, 0, 0, 1, 1), numpy.float32(0))
    return [p], [n.add("MaxPool", p, kernel_shape=[3, 3], strides=[2, 2])]


def bn_conv(n):
    t = n.bn(n.add("Conv", "x", floats(6, 2, 3, 3), group=2, pads=[1] * 4), 6)
    return [t], [n.add("Relu", t)]


def bn_transposed(n):
    t = n.bn(n.add("ConvTranspose", "x", floats(4, 3, 2, 2), floats(6), group=2, strides=[2, 2]), 6)
    return [t], [t]


def bn_gemm(n, trans=1):
    flat = n.add("Flatten", "x")
    t = n.bn(n.add("Gemm", flat, floats(5, 192) if trans else floats(192, 5), floats(5), transB=trans), 5)
    return [t], [n.add("Relu", t)]


def identities(n):
    t = n.add("Relu", "x")
    places = []
    for op, *more in (("Mul", numpy.float32(1)), ("Add", numpy.float32(0)), ("Pad", i64(*[0] * 8)), ("Concat",),
                      ("Slice", i64(0), i64(99), i64(2)), ("Identity",), ("Expand", i64(1, 1, 1, 1))):
        t = n.add(op, t, *more, **({"axis": 1} if op == "Concat" else {}))
        places.append(t)
    return places, [n.add("Neg", t)]


def operators_of_one(n):
    t = n.add("Relu", "x")
    places = []
    for op, more, attributes in (("Split", [i64(4)], {"axis": 1}), ("MaxPool", [], {"kernel_shape": [1, 1]}),
                                 ("AveragePool", [], {"kernel_shape": [1, 1]}), ("ReduceSum", [i64()], {"noop_with_empty_axes": 1}),
                                 ("ReduceMean", [], {"axes": [0]})):
        t = n.add(op, t, *more, **attributes)
        places.append(t)
    return places, [n.add("Neg", t)]


def einsum_of_same_axes(n):
    t = n.add("Einsum", n.add("Relu", "x"), equation="nchw->nchw")
    return [t], [n.add("Neg", t)]


def turned_by_einsum(n):
    square = n.add("Reshape", "x", i64(1, -1, 4, 4))
    return [n.add("Einsum", square, equation="abcd->abdc")], ["t1"]


def duplicates(n):
    w = floats(4, 4, 3, 3)
    left = n.add("Relu", n.add("Conv", "x", w.copy(), pads=[1] * 4))
    right = n.add("Relu", n.add("Conv", "x", w.copy(), pads=[1] * 4))
    return [right], [n.add("Add", left, n.add("Neg", right)), n.add("Sigmoid", right)]


def duplicate_outputs(n):
    left, right = n.add("Sigmoid", "x"), n.add("Sigmoid", "x")
    return [right], [left, right]


def split_max(n):
    t = n.add("MaxPool", "x", kernel_shape=[5, 4], pads=[2, 1, 1, 2], strides=[1, 2], dilations=[1, 2], ceil_mode=1)
    return [t], [t]


def split_average(n, include=0):
    t = n.add("AveragePool", "x", kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=include)
    return [t], [t]


def groups(n):
    t = n.add("Conv", "x", floats(8, 1, 3, 3), floats(8), group=4, pads=[1] * 4)
    return [t], [n.add("Relu", t)]


def normalised(n, pads=(0, 0, 0, 0)):
    t = n.add("Sub", "x", floats(1, 4, 1, 1))
    t = n.add("Mul", n.add("Div", t, numpy.abs(floats(4, 1, 1)) + 1), numpy.float32(0.5))
    t = n.add("Conv", t, floats(6, 4, 3, 3), floats(6), pads=list(pads), strides=[2, 2])
    return [t], [t]


def scaled(n):
    t = n.add("Conv", n.add("Mul", "x", numpy.float32(1 / 255)), floats(6, 2, 3, 3), group=2, pads=[1] * 4)
    return [t], [t]


def spelled(op, *more, before="Sigmoid", opset=13, **attributes):
    """One operator behind another, the further inputs as given; "other" is a second tensor."""
    def build(n):
        x = n.add(before, "x") if before else "x"
        other = n.add("Softplus", "x") if any(isinstance(m, str) for m in more) else None
        t = n.add(op, x, *(other if isinstance(m, str) else m for m in more), **attributes)
        return [t], [n.add("Tanh", t)]
    build.__name__, build.opset = op, opset
    return build


SPELLED = [spelled("HardSigmoid", alpha=0.3, beta=0.4), spelled("HardSigmoid"), spelled("HardSwish", before=None, opset=14),
           spelled("Max", numpy.float32(0.6)), spelled("Min", numpy.float32(0.4)), spelled("Div", "other"), spelled("Reciprocal"), spelled("Neg"),
           spelled("ReduceMean", axes=[-1]), spelled("ReduceMean", axes=[1, 3], keepdims=0), spelled("ReduceMean", i64(2), opset=18),
           spelled("LayerNormalization", floats(8), floats(8), opset=17, epsilon=0.01),
           spelled("LayerNormalization", floats(6, 8), opset=17, axis=2),
           spelled("InstanceNormalization", floats(4), floats(4), epsilon=0.01), spelled("GlobalMaxPool"),
           spelled("Gather", i64(1, 2, 3), axis=2), spelled("Gather", numpy.int64(-1), axis=1), spelled("Gather", i64(2, 1, 0, 3), axis=1),
           spelled("Slice", i64(2), i64(5), i64(3)), spelled("Slice", i64(-3), i64(2**60), i64(-1)), spelled("Concat", "other", axis=3)]


def fused(op, *more, **attributes):
    """The same of an operator of ONNX Runtime, on rows; "" leaves an input out."""
    def build(n):
        x = n.add("Reshape", n.add("Sigmoid", "x"), i64(*ROWS))
        other = n.add("Tanh", x)
        t = n.add(op, x, *(other if isinstance(m, str) and m else m for m in more), domain=MICROSOFT, **attributes)
        return [t], [n.add("Tanh", t)]
    build.__name__ = op
    return build


SPELLED += [fused("BiasGelu", floats(8)), fused("SkipLayerNormalization", "other", floats(8), floats(8)),
            fused("SkipLayerNormalization", "other", floats(8), "", floats(8), epsilon=0.01),
            fused("SkipSimplifiedLayerNormalization", "other", floats(8), floats(8)),
            fused("MultiHeadAttention", "other", "other", floats(24), num_heads=2),
            fused("MultiHeadAttention", "other", "other", floats(24), "", floats(1, 1, 24, 24), num_heads=4, scale=0.4)]


def chosen(op, **attributes):
    """A choice of a channel behind a nearest Resize."""
    def build(n):
        t = n.add("Resize", n.add("Sigmoid", "x"), numpy.array([], numpy.float32), numpy.array([1, 1, 3, 2], numpy.float32),
                  mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        t = n.add(op, t, axis=1, **attributes)
        return [t], [t]
    build.__name__ = op
    return build


def pad_max_behind(op, *constants):
    def build(n):
        p = n.add("Pad", n.add(op, "x", *constants), i64(0, 0, 1, 1, 0, 0, 1, 1))
        return [p], [n.add("MaxPool", p, kernel_shape=[3, 3])]
    build.__name__ = "pad_max_behind_" + op
    return build


BOUNDED = [pad_max_behind("Sigmoid"), pad_max_behind("Softmax"), pad_max_behind("HardSigmoid"), pad_max_behind("Clip", numpy.float32(0), numpy.float32(1))]

SMALL = [("drop-qdq", qdq_pair, -2), ("drop-qdq", qdq_moved, -2), ("drop-qdq", dynamic_pair, -2),
         ("cancel-transposes", transposes_identity, -2), ("cancel-transposes", transposes_one, -1),
         ("cancel-transposes", transposes_output, -1), ("cancel-transposes", transpose_reshape, 0),
         ("cancel-transposes", reshape_undone, -2),
         ("cancel-transposes", transposes_four, -4), ("fold-pad", pad_conv, -1), ("fold-pad", pad_qdq, -1),
         ("fold-pad", pad_average, -1), ("fold-pad", pad_max, -1), ("fold-bn", bn_conv, -1),
         ("fold-bn", bn_transposed, 0), ("fold-bn", bn_gemm, -1), ("fold-bn", lambda n: bn_gemm(n, 0), -1),
         ("drop-identity", identities, -7), ("drop-identity", operators_of_one, -5), ("drop-identity", einsum_of_same_axes, -1),
         ("merge-duplicates", duplicates, -2),
         ("merge-duplicates", duplicate_outputs, 0), ("split-kernel", split_max, 1),
         ("split-kernel", split_average, 1), ("split-kernel", lambda n: split_average(n, 1), 1),
         ("split-groups", groups, 4), ("fold-normalisation", normalised, -3), ("fold-normalisation", scaled, -1)]
SMALL += [("fold-pad", build, -1) for build in BOUNDED]
SMALL += [("spell-out", build, None) for build in SPELLED]
SMALL += [("choose-first", chosen("ArgMax"), None), ("choose-first", chosen("ArgMin", keepdims=0), None)]


# ---- what must be refused: it would be another function ------------------------------------------


def pad_value(n):
    p = n.add("Pad", "x", i64(0, 0, 1, 1, 0, 0, 1, 1), numpy.float32(0.5))
    return [p], [n.add("Conv", p, floats(4, 4, 3, 3))]


def pad_reflect(n):
    p = n.add("Pad", "x", i64(0, 0, 1, 1, 0, 0, 1, 1), mode="reflect")
    return [p], [n.add("Conv", p, floats(4, 4, 3, 3))]


def pad_max_negative(n):
    p = n.add("Pad", "x", i64(0, 0, 1, 1, 0, 0, 1, 1))
    return [p], [n.add("MaxPool", p, kernel_shape=[3, 3])]


def qdq_unequal(n):
    t = n.add("DequantizeLinear", n.add("QuantizeLinear", "x", *scale()), *scale())
    q = n.add("QuantizeLinear", t, *scale(0.06))
    return [q], [n.add("DequantizeLinear", q, *scale(0.06))]


def transposes_channel(n):
    t = n.add("Transpose", "x", perm=[0, 2, 3, 1])
    t = n.add("Transpose", n.add("Add", t, floats(4)), perm=[0, 3, 1, 2])
    return [t], [n.add("Relu", t)]


def bn_twice_read(n):
    conv = n.add("Conv", "x", floats(4, 4, 1, 1))
    t = n.bn(conv, 4)
    return [t], [n.add("Add", t, conv)]


def nearly_equal(n):
    return [n.add("Conv", "x", floats(4, 4, 1, 1)), n.add("Conv", "x", floats(4, 4, 1, 1))][1:], ["t0", "t1"]


def named_otherwise(n):
    n.add("Conv", "x", floats(4, 4, 1, 1), dilations=[2, 2])
    return [n.add("Conv", "x", "c0", strides=[2, 2])], ["t0", "t1"]


REFUSED = [("fold-pad", pad_value), ("fold-pad", pad_max_behind("Tanh")), ("fold-pad", pad_max_behind("Clip", numpy.float32(-1), numpy.float32(1))),
           ("merge-duplicates", named_otherwise), ("fold-pad", pad_reflect), ("fold-pad", pad_max_negative),
           ("drop-qdq", qdq_unequal), ("cancel-transposes", transposes_channel), ("fold-bn", bn_twice_read),
           ("merge-duplicates", nearly_equal), ("fold-normalisation", lambda n: normalised(n, (1, 1, 1, 1))),
           ("drop-identity", turned_by_einsum), ("drop-identity", lambda n: (["t0"], [n.add("Mul", "x", numpy.float32(2))])),
           ("spell-out", spelled("Max", "other")), ("spell-out", spelled("Div", numpy.float32(2))),
           ("spell-out", spelled("Gather", i64(2, 0), axis=2)), ("spell-out", spelled("Slice", i64(0), i64(8), i64(3), i64(2)))]


class Proof:
    def __init__(self, runtime, program, scratch, verbose):
        self.runtime, self.program, self.scratch, self.verbose = runtime, program, scratch, verbose
        self.good, self.bad, self.twinned = collections.Counter(), [], set()

    def rewrite(self, path, kind, places):
        out = self.scratch / "rewritten.onnx"
        words = [w for place in places for w in ("rewrite", place, kind)]
        done = subprocess.run([self.program, path, out, *words], capture_output=True, text=True)
        return out, done.returncode, done.stderr.strip()

    def differs(self, kind, written, original, feeds):
        (found, error), (wanted, trouble) = self.runtime.run([(written, feeds), (original, feeds)])
        if error or trouble:
            return error or f"original: {trouble}"
        for name, want in wanted.items():
            if name not in found or found[name].shape != want.shape:
                return f"output '{name}' is gone or of another shape"
            want, have = want.astype(numpy.float64), found[name].astype(numpy.float64)
            if KINDS[kind] == EXACT and not numpy.array_equal(want, have, equal_nan=True):
                return f"output '{name}' differs by up to {numpy.abs(want - have).max():g}"
            if not numpy.allclose(want, have, rtol=KINDS[kind], atol=KINDS[kind] * numpy.abs(want).max()):
                return f"output '{name}' differs by up to {numpy.abs(want - have).max():g}"
        return ""

    def twin(self, kind, written, original, feeds):
        """A good result with one thing changed must not pass."""
        if kind in self.twinned:
            return
        self.twinned.add(kind)
        twin = self.scratch / "twin.onnx"
        if not edits.with_other_weights(written, twin):
            model = onnx.load(written)
            model.graph.node.insert(len(model.graph.node) - 1, helper.make_node("Exp", ["x"], ["twin"]))
            model.graph.node[-1].input[0] = "twin"
            onnx.save(model, twin)
        if not self.differs(kind, twin, original, feeds):
            self.bad.append(f"{kind}: a broken twin was taken for the good one")

    def prove(self, kind, label, path, places, feeds, gained=None):
        written, status, said = self.rewrite(path, kind, places)
        if status:
            self.bad.append(f"{label}: refused: {said}")
            return
        difference = edits.check(written) or self.differs(kind, written, path, feeds)
        before, after = (sum(n.op_type != "Constant" for n in onnx.load(p).graph.node) for p in (path, written))
        if gained is not None and after - before != gained:
            difference = difference or f"{before} nodes became {after}, not {before + gained}"
        if difference:
            self.bad.append(f"{label}: {difference}")
            return
        self.good[kind] += 1
        self.twin(kind, written, path, feeds)
        if self.verbose:
            print(f"  {label}: equal, {before} nodes became {after}")

    def small(self, kind, build, gained):
        net, path = Net([1, 4, 6, 8], getattr(build, "opset", 13)), self.scratch / "small.onnx"
        places, outputs = build(net)
        net.save(path, *outputs)
        self.prove(kind, f"{kind} {build.__name__}", path, places, {"x": floats(1, 4, 6, 8)}, gained)

    def refuse(self, kind, build):
        net, path = Net([1, 4, 6, 8]), self.scratch / "small.onnx"
        places, outputs = build(net)
        net.save(path, *outputs)
        _, status, said = self.rewrite(path, kind, places)
        if status != 1 or not said or "\n" in said:
            self.bad.append(f"{kind} {build.__name__}: must be refused in one line: {status} {said}")
        self.good["refused"] += 1

    def inlined(self, bodies, name):
        """ONNX Runtime refuses some of the models as they were: the values are known by other means too."""
        (model, want), source, written = bodies.GOOD[name], self.scratch / "bodies.onnx", self.scratch / "rewritten.onnx"
        onnx.save(model, source)
        subprocess.run([self.program, source, written], check=True)
        feeds = [{"x": floats(*bodies.DIMS)} for _ in range(10)]
        found, first = (self.runtime.run([(path, f) for f in feeds]) for path in (written, source))
        for (have, error), (before, refused), f in zip(found, first, feeds):
            equal = not error and numpy.allclose(have["y"], want(f["x"]), rtol=0, atol=1e-6)
            misread = refused or name == "same-result-twice"  # ONNX Runtime 1.2x gives the second output other values
            if not equal or not misread and not numpy.array_equal(have["y"], before["y"]):
                self.bad.append(f"inlined {name}: {error or 'differs'}")
                return
        self.good["inlined"] += 1

    def model(self, path):
        unread = edits.check(path)
        if unread:
            print(f"{path.stem}: left out, onnx {onnx.__version__} does not read it: {unread}")
            return
        source = edits.Source(path)
        feeds = edits.plain_feeds(source)
        for kind, ops in AT.items():
            fits = [n.output[0] for n in source.model.graph.node
                    if n.op_type in ops.split() and n.output[0] and not self.rewrite(path, kind, [n.output[0]])[1]]
            for places in [fits[:1], fits[:16]] if len(fits) > 1 else [fits] if fits else []:
                self.prove(kind, f"{path.stem} {kind} at {len(places)}", path, places, feeds)


def main():
    options = edits.arguments()
    modules = packages.folder_with("onnxruntime-node")
    if not modules:
        print("needs the packages of tests/full/package.json")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        program = scratch / "edit_model"
        subprocess.run([edits.ROOT / "tests/tools/edit_model.sh", options.build, program], check=True)
        proof = Proof(edits.Runtime(modules, scratch), program, scratch, options.verbose)
        for kind, build, gained in SMALL:
            if options.only in kind:
                proof.small(kind, build, gained)
        for kind, build in REFUSED:
            if options.only in kind:
                proof.refuse(kind, build)
        spec = importlib.util.spec_from_file_location("bodies", edits.ROOT / "tests/cases/apply/inline-bodies/bodies.py")
        os.environ["ROOT"] = str(edits.ROOT)  # as tests/run says it to a case
        bodies = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(bodies)
        for name in bodies.GOOD if options.only in "inlined" else []:
            proof.inlined(bodies, name)
        for name in CORPUS if not options.only else []:
            proof.model(outside.corpus("models") / f"{name}.onnx")
    for text in proof.bad:
        print(text)
    print(", ".join(f"{k} {n}" for k, n in sorted(proof.good.items())) + f"; {len(proof.twinned)} broken twins noticed")
    return 1 if proof.bad else 0


if __name__ == "__main__":
    sys.exit(main())

import math
import os
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.environ["ROOT"], "tests", "tools"))
import executed  # noqa: E402

rng = numpy.random.default_rng(5)


def f(*dims):
    return rng.normal(size=dims).astype(numpy.float32)


def model(op, ins, outs="t", more=(), **has):
    """The operator on x, its Relu k, its Tanh v and constants; Sigmoids of its first and fourth output."""
    constants = {"b24": f(24), "b25": f(25), "b8": f(8), "gamma": f(8), "beta": f(8), "mask": f(1, 1, 5, 5)}
    node, names, outs = helper.make_node, ins.replace("_", "").split(" "), outs.replace("_", "").split(" ")
    nodes = [node("Relu", ["x"], ["k"]), node("Tanh", ["x"], ["v"]), *more, node(op, names, outs, domain="com.microsoft", **has)]
    nodes += [node("Sigmoid", [t], [end]) for t, end in zip(outs, ("y", "m", "", "z")) if t]
    ends = [n.output[0] for n in nodes if n.op_type == "Sigmoid"]
    g = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 5, 8])],
                          [helper.make_tensor_value_info(end, TensorProto.FLOAT, None) for end in ends],
                          [numpy_helper.from_array(a, name) for name, a in constants.items() if name in names])
    return helper.make_model(g, opset_imports=[helper.make_opsetid("", 13), helper.make_opsetid("com.microsoft", 1)], ir_version=8)


GOOD = {
    "attention": model("MultiHeadAttention", "x k v b24", num_heads=2),
    "attention-masked": model("MultiHeadAttention", "x k v b24 _ mask", num_heads=4, scale=0.3),
    "attention-to-itself": model("MultiHeadAttention", "x x x b24", num_heads=1),
    "norm": model("SkipLayerNormalization", "x k gamma beta"),
    "norm-biased": model("SkipLayerNormalization", "x k gamma beta b8", epsilon=0.01),
    "norm-without-beta": model("SkipLayerNormalization", "x k gamma _ b8"),
    "norm-and-sum": model("SkipLayerNormalization", "x k gamma beta b8", "t _ _ s"),
    "rms-norm": model("SkipSimplifiedLayerNormalization", "x k gamma"),
    "rms-norm-and-sum": model("SkipSimplifiedLayerNormalization", "x k gamma b8", "t _ _ s", epsilon=0.01),
    "gelu": model("BiasGelu", "x b8"),
}
REFUSED = {
    "attention-of-a-computed-bias": model("MultiHeadAttention", "x k v c", num_heads=2, more=[helper.make_node("ReduceMean", ["x"], ["r"], axes=[0, 1], keepdims=0), helper.make_node("Concat", ["r", "r", "r"], ["c"], axis=0)]),
    "attention-of-a-longer-bias": model("MultiHeadAttention", "x k v b25", num_heads=2),
    "norm-whose-mean-is-read": model("SkipLayerNormalization", "x k gamma", "t mean"),
}


def reference(m, x):
    n = next(n for n in m.graph.node if n.domain)
    has = {a.name: helper.get_attribute_value(a) for a in n.attribute}
    given = {t.name: numpy_helper.to_array(t) for t in m.graph.initializer} | {"x": x, "k": numpy.maximum(x, 0), "v": numpy.tanh(x), "": 0}
    ins = [given[name].astype("f8") if name else 0 for name in n.input] + [0] * 4
    if n.op_type == "BiasGelu":
        whole = ins[0] + ins[1]
        out = [whole * (1 + numpy.vectorize(math.erf)(whole / math.sqrt(2))) / 2]
    elif n.op_type == "MultiHeadAttention":
        parts = [(a + b).reshape(2, 5, has["num_heads"], -1).swapaxes(1, 2) for a, b in zip(ins, numpy.split(ins[3], 3))]
        scores = numpy.exp(parts[0] @ parts[1].swapaxes(2, 3) * has.get("scale", parts[0].shape[3] ** -0.5) + ins[5])
        out = [(scores / scores.sum(3, keepdims=True) @ parts[2]).swapaxes(1, 2).reshape(x.shape)]
    else:
        rms = "Simplified" in n.op_type
        total = ins[0] + ins[1] + ins[3 if rms else 4]
        off = total if rms else total - total.mean(2, keepdims=True)
        scaled = off / numpy.sqrt((off * off).mean(2, keepdims=True) + has.get("epsilon", 1e-12))
        out = [scaled * ins[2] + (0 if rms else ins[3])] + [total] * (len(n.output) > 1)
    return [1 / (1 + numpy.exp(-a)) for a in out]


for name, m in (GOOD | REFUSED).items():
    onnx.save(m, name + ".onnx")
    done = subprocess.run(["./edit_model", name + ".onnx", name + ".new.onnx", "rewrite", "t", "spell-out"], capture_output=True, text=True)
    if done.returncode:
        print(f"{name}: refused: {done.stderr.strip().split('spell-out: ')[-1]}")
        continue
    far = 0
    for _ in range(10):
        x = f(2, 5, 8)
        want, have = reference(m, x), executed.outputs(sys.argv[1], name + ".new.onnx", x)
        far = max(far, *(numpy.abs(a - b).max() if a.shape == b.shape else 1 for a, b in zip(want, have, strict=True)))
    ops = " ".join(n.op_type for n in onnx.load(name + ".new.onnx").graph.node if n.output[0] not in ("k", "v"))
    print(f"{name}: {'equal' if far < 2e-6 else far}; {ops}")
# A wrong spelling is noticed.
m = onnx.load("gelu.new.onnx")
for t in m.graph.initializer:
    if numpy_helper.to_array(t).size == 1 and float(numpy_helper.to_array(t)) == 0.5:
        t.CopyFrom(numpy_helper.from_array(numpy.float32(0.4), t.name))
onnx.save(m, "wrong.onnx")
x = f(2, 5, 8)
print("wrong:", "noticed" if numpy.abs(reference(GOOD["gelu"], x)[0] - executed.outputs(sys.argv[1], "wrong.onnx", x)[0]).max() > 2e-6 else "equal")

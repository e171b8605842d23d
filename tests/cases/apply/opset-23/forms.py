"""Writes models of opset 23, converts them, and runs the results on ten inputs."""
import os
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.environ["ROOT"], "tests", "tools"))
import executed  # noqa: E402

NUMBERS = numpy.random.default_rng(3)
N = helper.make_node
SHAPE = [2, 3, 5, 8]
SCALE, MASK = (NUMBERS.normal(size=dims).astype(numpy.float32) for dims in ([8], [5, 5]))


def model(name, *nodes):
    g = helper.make_graph(list(nodes), "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
                          [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                          [numpy_helper.from_array(SCALE, "scale"), numpy_helper.from_array(MASK, "mask")])
    onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 23)], ir_version=8), name + ".onnx")
    done = subprocess.run([os.environ["NPU_ADVISE"], "apply", name + ".onnx", "--opset", "13", "-q", "--output", name],
                          capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else ""


def softmax(s):
    e = numpy.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


GOOD = {
    "attention": ([N("Attention", ["x", "x", "x", "mask"], ["y"], scale=0.125)], lambda x: softmax(x @ x.swapaxes(2, 3) * 0.125 + MASK) @ x),
    "moved-before": ([N("Transpose", ["x"], ["t"], perm=[0, 1, 3, 2]), N("Identity", ["t"], ["i"]), N("Transpose", ["i"], ["b"], perm=[0, 1, 3, 2]),
              N("Attention", ["b", "x", "b"], ["y"], scale=1.0)], lambda x: softmax(x @ x.swapaxes(2, 3)) @ x),
}
REFUSED = {
    "causal": [N("Attention", ["x", "x", "x"], ["y"], is_causal=1)],
    "softcap": [N("Attention", ["x", "x", "x"], ["y"], softcap=2.0)],
    "rms-norm": [N("RMSNormalization", ["x", "scale"], ["y"], epsilon=0.01)],
    "rotary": [N("RotaryEmbedding", ["x", "mask", "mask"], ["y"])],
}
for name, (nodes, want) in GOOD.items():
    said = model(name, *nodes)
    off = max(numpy.abs(executed.outputs(sys.argv[1], name + "/model.onnx", x)[0] - want(x)).max() for x in (NUMBERS.normal(size=SHAPE).astype(numpy.float32) for _ in range(10))) if not said else 0
    print(f"{name}: {said or ('equal' if off < 5e-6 else f'off by {off:g}')}")
for name, nodes in REFUSED.items():
    print(f"{name}: {model(name, *nodes)}")

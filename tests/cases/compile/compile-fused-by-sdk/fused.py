"""Writes each pattern between two Convs; prints what the NPU and the host do with each SDK."""
import json
import os
import subprocess

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

N = helper.make_node


def save(name, nodes, channels, made, also=None, **constants):
    """x of 1x8x32x32 through a Conv, the nodes from c to n, and a Conv of `made` channels."""
    constants |= dict(w=numpy.ones((channels, 8, 1, 1), numpy.float32), v=numpy.ones((8, made, 1, 1), numpy.float32))
    g = helper.make_graph([N("Conv", ["x", "w"], ["c"]), *nodes, N("Conv", ["n", "v"], ["y"])], "g",
                          [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 8, 32, 32])],
                          [helper.make_tensor_value_info(t, TensorProto.FLOAT, None) for t in ("y", also) if t],
                          [numpy_helper.from_array(numpy.asarray(a), k) for k, a in constants.items()])
    onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), name + ".onnx")
    return name


def shuffle(name, six, perm, out, channels=16, also=None):
    return save(name, [N("Reshape", ["c", "six"], ["s"]), N("Transpose", ["s"], ["t"], perm=perm), N("Reshape", ["t", "four"], ["n"])],
                channels, out[1], also, six=numpy.int64(six), four=numpy.int64(out))


def norm(name, ops=("ReduceL2", "Clip", "Expand", "Div")):
    return save(name, [N(ops[0], ["c"], ["l"], axes=[1], keepdims=1), N(ops[1], ["l", "e"], ["k"]), N(ops[2], ["k", "size"], ["d"]),
                       N(ops[3], ["c", "d"], ["n"])], 16, 16, e=numpy.float32(1e-12), size=numpy.int64([1, 16, 32, 32]))


MODELS = [
    save("depth-to-space", [N("DepthToSpace", ["c"], ["n"], blocksize=2)], 16, 4),
    shuffle("shuffle-crd", [1, 4, 2, 2, 32, 32], [0, 1, 4, 2, 5, 3], [1, 4, 64, 64]),
    shuffle("shuffle-dcr", [1, 2, 2, 4, 32, 32], [0, 3, 4, 1, 5, 2], [1, 4, 64, 64]),
    shuffle("back-crd", [1, 16, 16, 2, 16, 2], [0, 1, 3, 5, 2, 4], [1, 64, 16, 16]),
    shuffle("back-dcr", [1, 16, 16, 2, 16, 2], [0, 3, 5, 1, 2, 4], [1, 64, 16, 16]),
    shuffle("not-square", [1, 4, 4, 1, 32, 32], [0, 1, 4, 2, 5, 3], [1, 4, 128, 32]),
    shuffle("other-order", [1, 4, 2, 2, 32, 32], [0, 1, 4, 3, 5, 2], [1, 4, 64, 64]),
    shuffle("read-inside", [1, 4, 2, 2, 32, 32], [0, 1, 4, 2, 5, 3], [1, 4, 64, 64], also="t"),
    norm("l2"), norm("l2-of-a-sum", ops=("ReduceSum", "Clip", "Expand", "Div")),
]
for model in MODELS:
    for sdk in ("0.8", "0.9", "0.10"):
        done = subprocess.run([os.environ["NPU_ADVISE"], "compile", model + ".onnx", "--sdk", sdk, "--emit", "json", "-q"], capture_output=True, text=True)
        steps = json.loads(done.stdout)["steps"]
        said = [f"NPU[{' '.join(x['kind'].removeprefix('LowLevel') for x in s['lowlevel'])}]" if s["kind"] == "npu" else s["op"]
                for s in steps if s["kind"] in ("npu", "host")]
        print(f"{model} {sdk} =>", " ".join(said))

"""Writes networks whose host operator is followed by a Conv, and counts the multiplications of both parts of a bundle."""
import json
import subprocess
import sys

import numpy
from onnx import TensorProto, helper, load, numpy_helper, save


def network(name, last, host="Floor", k=3, size=32):
    """Two Convs, an operator of the host, and a Conv of `last` channels."""
    rng, nodes, weights, at = numpy.random.default_rng(2), [], [], "x"

    def conv(x, ci, co, k, out):
        weights.append(numpy_helper.from_array((rng.normal(size=(co, ci, k, k)) / 20).astype(numpy.float32), "w_" + out))
        nodes.append(helper.make_node("Conv", [x, "w_" + out], [out], name=out, pads=[k // 2] * 4))
        return out
    for name_of in ("conv0", "conv1"):
        at = conv(at, 80, 80, k, name_of)
    nodes.append(helper.make_node(host, [at] + ["conv0"] * (host == "Max"), ["host"], name="host"))
    out = conv("host", 80, last, 1, "last")
    io = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [1, 80, size, size] if n == "x" else None) for n in ("x", out)]
    save(helper.make_model(helper.make_graph(nodes, "g", io[:1], io[1:], weights), opset_imports=[helper.make_opsetid("", 13)], ir_version=8), name)


def share(advise, folder):
    macs = [json.loads(subprocess.run([advise, "inspect", f"{folder}/{part}.onnx", "--json", "-"], check=True, capture_output=True).stdout)["totals"]["macs"]
            for part in ("model", "tail")]
    return f"{100 * macs[0] / sum(macs):.1f} % of the multiplications, tail: {' '.join(n.op_type for n in load(f'{folder}/tail.onnx').graph.node)}"


if len(sys.argv) == 1:
    network("few.onnx", 20)
    network("many.onnx", 20, k=1)
    network("kept.onnx", 20, "Max", size=40)
else:
    print(sys.argv[2], share(*sys.argv[1:]))

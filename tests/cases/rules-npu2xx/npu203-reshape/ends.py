"""Masks that a Reshape ends: it moves axes of one element, or mixes axes of several."""
import json
import pathlib
import shutil
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

KINDS = {
    "channels last of one channel": (1, [1, 256, 256, 1]),
    "the channel before the batch's": (1, [256, 1, 256, 1]),
    "near miss, channels last of four": (4, [1, 256, 256, 4]),
    "near miss, without the channel": (1, [1, 256, 256]),
    "near miss, as it is": (1, [1, 1, 256, 256]),
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def values(model, into):
    run(sys.argv[2], model, "--values", "--input-dir", "in", "--output-dir", into)
    return numpy.load(f"{into}/output_0.npy")


pathlib.Path("in").mkdir()
numpy.save("in/input_0.npy", numpy.random.default_rng(1).integers(0, 255, (1, 3, 256, 256)).astype("f4"))
for kind, (channels, shape) in KINDS.items():
    w = numpy_helper.from_array((numpy.random.default_rng(2).normal(size=(channels, 3, 3, 3)) / 5).astype("f4"), "w")
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"], pads=[1] * 4), helper.make_node("Sigmoid", ["c"], ["s"]), helper.make_node("Reshape", ["s", "k"], ["y"])]
    v = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "g", [v("x", TensorProto.FLOAT, [1, 3, 256, 256])], [v("y", TensorProto.FLOAT, shape)],
                              [w, numpy_helper.from_array(numpy.int64(shape), "k")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), "m.onnx")
    run(sys.argv[1], "m.onnx", "--input-dtype", "uint8", "--needs", "output", "--json", "r.json")
    r = json.loads(pathlib.Path("r.json").read_text())
    fixes = [c["fix"]["text"] for c in r["changes"] if c["rule_id"] == "NPU203"]
    print(f"{kind}: {' '.join(fixes) or 'no NPU203'}")
    if fixes:
        run(sys.argv[1], "apply", "m.onnx", "--result", "r.json", "--output", "b")
        before, after = values("m.onnx", "before"), values("b/model.onnx", "after")
        order = [int(i) for i in fixes[0].split("[")[1].split("]")[0].split(",")]
        same = numpy.array_equal(before.transpose(order), after)
        print(f"    ends with {onnx.load('b/model.onnx').graph.node[-1].op_type}; {'equal values' if same else 'other values'} of {'x'.join(map(str, after.shape))}")
        shutil.rmtree("b")

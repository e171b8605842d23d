"""Masks that a Reshape ends, in float and in QDQ form: it moves axes of one element, or mixes axes of several."""
import json
import pathlib
import shutil
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

KINDS = {
    "channels last of one channel": (1, [1, 256, 256, 1], ""),
    "the channel before the batch's": (1, [256, 1, 256, 1], ""),
    "near miss, channels last of four": (4, [1, 256, 256, 4], ""),
    "near miss, without the channel": (1, [1, 256, 256], ""),
    "near miss, as it is": (1, [1, 1, 256, 256], ""),
    "quantized once more": (1, [1, 256, 256, 1], "QR"),
    "quantized before only": (1, [1, 256, 256, 1], "R"),
    "near miss, quantized, channels last of four": (4, [1, 256, 256, 4], "QR"),
    "near miss, quantized, with another reader": (1, [1, 256, 256, 1], "QR+"),
    "near miss, quantized, with a ReduceSum after it": (1, [1, 256, 256, 1], "QRS"),
}
PIXELS = numpy.random.default_rng(1).integers(0, 255, (1, 3, 256, 256))
node = helper.make_node


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def values(model, into):
    kind = onnx.load(model).graph.input[0].type.tensor_type.elem_type
    numpy.save("in/input_0.npy", PIXELS.astype("u1" if kind == TensorProto.UINT8 else "f4"))
    run(sys.argv[2], model, "--values", "--input-dir", "in", "--output-dir", into)
    return numpy.load(f"{into}/output_0.npy")


def quantized(nodes, end):
    """The same in QDQ form; the Reshape reads codes ("R"), or numbers that are quantized once more ("QR")."""
    def pair(t, scale):
        return [node("QuantizeLinear", [t, scale, "zero"], [t + "q"]), node("DequantizeLinear", [t + "q", scale, "zero"], [t + "d"])]
    conv, sigmoid, _ = nodes
    conv.input[0], sigmoid.input[0] = "xd", "cd"
    nodes = pair("x", "one") + [conv, *pair("c", "half"), sigmoid, *pair("s", "byte")]
    if end == "R":
        nodes[-1] = node("Reshape", ["sq", "k"], ["r"])
        return nodes + [node("DequantizeLinear", ["r", "byte", "zero"], ["y"])]
    nodes += [node("Reshape", ["sd", "k"], ["r"]), *pair("r", "byte")]
    nodes[-1].output[0] = "last" if end == "QRS" else "y"
    return nodes + ([node("ReduceSum", ["last", "axis"], ["y"], keepdims=0)] if end == "QRS" else []) + ([node("Relu", ["r"], ["z"])] if end == "QR+" else [])


pathlib.Path("in").mkdir()
for kind, (channels, shape, end) in KINDS.items():
    w = numpy_helper.from_array((numpy.random.default_rng(2).normal(size=(channels, 3, 3, 3)) / 5).astype("f4"), "w")
    nodes = [node("Conv", ["x", "w"], ["c"], pads=[1] * 4), node("Sigmoid", ["c"], ["s"]), node("Reshape", ["s", "k"], ["y"])]
    constants = {"k": numpy.int64(shape)}
    if end:
        nodes = quantized(nodes, end)
        constants |= {"one": numpy.float32(1), "half": numpy.float32(0.5), "byte": numpy.float32(1 / 255), "zero": numpy.uint8(0), "axis": numpy.int64([3])}
    v = helper.make_tensor_value_info
    outputs = [v("y", TensorProto.FLOAT, shape[:3] if end == "QRS" else shape)] + ([v("z", TensorProto.FLOAT, shape)] if end == "QR+" else [])
    graph = helper.make_graph(nodes, "g", [v("x", TensorProto.FLOAT, [1, 3, 256, 256])], outputs,
                              [w, *(numpy_helper.from_array(numpy.asarray(c), name) for name, c in constants.items())])
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
        for folder in ("b", "before", "after"):
            shutil.rmtree(folder)

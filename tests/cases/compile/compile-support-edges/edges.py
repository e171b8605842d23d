"""Operators at the ends of what a target takes: one model of them all, for three SDKs and batches; where each runs and why."""
import json
import os
import re
import subprocess

import numpy
from onnx import TensorProto as T, helper as h, numpy_helper

nodes, constants, outputs = [], [], []


def constant(value, kind="i8"):
    constants.append(numpy_helper.from_array(numpy.array(value, kind), f"c{len(constants)}"))
    return constants[-1].name


def weights(out, each, size=1):
    return constant(numpy.ones((out, each, size, size)), "f4")


def op(name, kind, *inputs, outs=1, of="y", **attrs):
    made = [f"{name}.{k}" for k in range(outs)]
    nodes.append(h.make_node(kind, [of, *inputs], made, name, **attrs))
    outputs.extend(made)
    return made[0]


def model(batch):
    for used in (nodes, constants, outputs):
        used.clear()
    nodes.append(h.make_node("Conv", ["x", weights(260, 3)], ["y"], "first"))
    for group in (1, 2, 127, 128, 129, 130):  # two channels each
        cut = op(f"cut{group}", "Slice", constant([0]), constant([2 * group]), constant([1]))
        op(f"Conv group {group}", "Conv", weights(2 * group, 2), of=cut, group=group)
    for dilation in (1, 2, 11, 12, 13):
        op(f"Conv dilation {dilation}", "Conv", weights(8, 260, 3), dilations=[dilation, dilation], pads=[dilation] * 4)
        op(f"depthwise dilation {dilation}", "Conv", weights(260, 1, 3), group=260, dilations=[dilation, dilation], pads=[dilation] * 4)
    op("Conv dilation 13 on one axis", "Conv", weights(8, 260, 3), dilations=[1, 13], pads=[1, 13, 1, 13])
    op("Conv dilation 13 on the other", "Conv", weights(8, 260, 3), dilations=[13, 1], pads=[13, 1, 13, 1])
    for axis in (-4, -3, -2, -1, 0, 1, 2, 3):
        op(f"Concat axis {axis}", "Concat", "y", axis=axis)
        op(f"Slice axis {axis}", "Slice", constant([0]), constant([1]), constant([axis]))
        op(f"Softmax axis {axis}", "Softmax", axis=axis)
        op(f"Split axis {axis}", "Split", outs=1, axis=axis)
    op("Slice two axes", "Slice", constant([1, 1]), constant([3, 3]), constant([1, 2]))
    op("Slice three axes", "Slice", constant([1, 1, 1]), constant([3, 3, 3]), constant([1, 2, 3]))
    op("Slice by axes left out", "Slice", constant([0, 1]), constant([9, 3]))
    op("Slice in steps", "Slice", constant([0]), constant([16]), constant([2]), constant([2]))
    op("Slice backwards", "Slice", constant([15]), constant([-17]), constant([2]), constant([-1]))
    for axis in range(4):
        for side in (0, 4):
            pads = [0] * 8
            pads[axis + side] = 1
            op(f"Pad axis {axis} {'behind' if side else 'before'}", "Pad", constant(pads))
    op("Pad nothing", "Pad", constant([0] * 8))
    op("Pad two axes", "Pad", constant([0, 0, 1, 1, 0, 0, 1, 1]))
    op("Pad reflect", "Pad", constant([0, 0, 1, 0, 0, 0, 0, 0]), mode="reflect")
    for mode in ("DCR", "CRD"):
        op(f"DepthToSpace {mode}", "DepthToSpace", blocksize=2, mode=mode)
    op("DepthToSpace", "DepthToSpace", blocksize=2)
    op("SpaceToDepth", "SpaceToDepth", blocksize=2)
    for p in (1, 2):
        op(f"LpNormalization {p}", "LpNormalization", p=p, axis=1)
    op("LpNormalization", "LpNormalization", axis=1)
    for mode in ("linear", "nearest", "cubic"):
        op(f"Resize {mode}", "Resize", "", constant([1, 1, 2, 2], "f4"), mode=mode)
    op("Resize", "Resize", "", constant([1, 1, 2, 2], "f4"))
    for kind in ("Elu", "Erf", "Exp", "LeakyRelu", "Log", "Relu", "Sigmoid", "Softplus", "Sqrt", "Tanh", "HardSigmoid", "HardSwish", "Abs", "Neg", "Floor", "Sin", "GlobalAveragePool", "GlobalMaxPool", "Flatten", "Identity", "Softsign"):
        op(kind, kind)
    for kind in ("Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "PRelu"):
        op(kind, kind, constant(numpy.full((260, 1, 1), 2), "f4"))
    for kind in ("ReduceL2", "ReduceMean", "ReduceMax", "ReduceL1"):
        op(kind, kind, axes=[1])
    op("ReduceSum", "ReduceSum", constant([1]))
    for k, perm in enumerate(([0, 2, 3, 1], [0, 1, 3, 2], [0, 1, 2, 3], [1, 0, 2, 3])):
        op(f"Transpose {perm}", "Transpose", perm=perm)
    op("MaxPool", "MaxPool", kernel_shape=[2, 2])
    op("AveragePool", "AveragePool", kernel_shape=[2, 2])
    op("Clip", "Clip", constant(0, "f4"), constant(6, "f4"))
    op("Reshape", "Reshape", constant([batch, -1]))
    op("Unsqueeze", "Unsqueeze", constant([0]))
    op("Expand", "Expand", constant([2, 1, 1, 1, 1]))
    g = h.make_graph(nodes, "g", [h.make_tensor_value_info("x", T.FLOAT, [batch, 3, 16, 16])], [h.make_empty_tensor_value_info(i) for i in outputs], constants)
    m = h.make_model(g, opset_imports=[h.make_opsetid("", 13)])
    m.ir_version = 7
    return m


for batch in (1, 2, 3):
    open("m.onnx", "wb").write(model(batch).SerializeToString())
    for target, sdk in (("warboy", "0.8"), ("warboy-2pe", "0.9"), ("warboy-2pe", "0.10"), ("./narrow.xml", "0.10")):
        done = subprocess.run([os.environ["NPU_ADVISE"], "compile", "m.onnx", "--target", target, "--sdk", sdk, "--json", "r.json"], capture_output=True, text=True)
        print(f"== batch {batch}, {target}, SDK {sdk}")
        if done.returncode:
            continue
        where = {}
        for step in json.load(open("r.json"))["steps"]:
            for node in step["onnx"]:
                where.setdefault(node, set()).add(f"{step['op']} on the host, {step['reason']}: {step['why']}; would pass: {step['nearest']}" if step["kind"] != "npu" else "on the NPU")
        places = {node.name: "; ".join(sorted(where.get(node.name, ["in no step"]))) for node in nodes if not re.fullmatch(r"cut\d+|first", node.name)}
        print(f"{sum(place == 'on the NPU' for place in places.values())} of {len(places)} on the NPU; the others:")
        for name, place in places.items():
            if place != "on the NPU":
                print(f"{name} => {place}")

#!/usr/bin/python3
"""A network as lines that one can read, and back: how cases keep what an exporter wrote.

  onnx_lines.py write MODEL.onnx > LINES      onnx_lines.py make LINES FOLDER

  model NAME OPSET                            begins a network; `make` writes each as FOLDER/NAME.onnx
  in|out NAME TYPE DIMxDIM…
  const NAME TYPE DIMxDIM… [VALUES]           of integers and of a few floats with their values, else random ones
  OPERATOR NAME INPUTS > OUTPUTS ATTRIBUTES   in the file's order; inputs and outputs with commas between, "-" for none

Names and order are kept; what is as large as weights is not.
"""
import json
import pathlib
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

VALUES_MOST = 64
FLOATS = ("float32", "float16")


def dims_text(dims):
    return "x".join(str(d) for d in dims) or "scalar"


def dims_of(text):
    return [] if text == "scalar" else [int(d) for d in text.split("x")]


def value_text(tensor):
    array = numpy_helper.to_array(tensor)
    kept = array.size <= VALUES_MOST or array.dtype.name not in FLOATS
    return f"{array.dtype.name} {dims_text(array.shape)}" + (f" {json.dumps(array.ravel().tolist())}" if kept else "")


def value_of(words, numbers):
    dtype, dims = words[0], dims_of(words[1])
    array = json.loads(" ".join(words[2:])) if len(words) > 2 else numbers.normal(size=dims) * 0.1
    return numpy.array(array).astype(dtype).reshape(dims)


def attribute(a):
    value = helper.get_attribute_value(a)
    if isinstance(value, TensorProto):
        return {"tensor": value_text(value)}
    if isinstance(value, bytes):
        return value.decode()
    return list(value) if isinstance(value, (list, tuple)) or hasattr(value, "extend") else value


def names(listed):
    return ",".join(name or "-" for name in listed)


def write(path):
    model = onnx.load(path)
    print("model", pathlib.Path(path).stem, model.opset_import[0].version)
    for what, values in (("in", model.graph.input), ("out", model.graph.output)):
        for v in values:
            t = v.type.tensor_type
            print(what, v.name, TensorProto.DataType.Name(t.elem_type).lower(), dims_text([d.dim_value or 0 for d in t.shape.dim]))
    for t in model.graph.initializer:
        print("const", t.name, value_text(t))
    for n in model.graph.node:
        print(n.op_type, n.name or "-", names(n.input), ">", names(n.output), json.dumps({a.name: attribute(a) for a in n.attribute}))


def node_of(words, numbers):
    split = words.index(">")
    attributes = json.loads(" ".join(words[split + 2:]))
    for key, value in attributes.items():
        if isinstance(value, dict):
            attributes[key] = numpy_helper.from_array(value_of(value["tensor"].split(), numbers))
    read = lambda text: [] if not text else ["" if name == "-" else name for name in text.split(",")]
    return helper.make_node(words[0], read(words[2]) if split == 3 else [], read(words[split + 1]),
                            name="" if words[1] == "-" else words[1], **attributes)


def made(lines, numbers):
    ends, constants, nodes = {"in": [], "out": []}, [], []
    for words in lines:
        if words[0] in ends:
            dtype = getattr(TensorProto, words[2].upper())
            dims = None if words[0] == "out" else dims_of(words[3])
            ends[words[0]].append(helper.make_tensor_value_info(words[1], dtype, dims))
        elif words[0] == "const":
            constants.append(numpy_helper.from_array(value_of(words[2:], numbers), words[1]))
        else:
            nodes.append(node_of(words, numbers))
    return helper.make_graph(nodes, "lines", ends["in"], ends["out"], constants)


def make(path, folder):
    parts = []
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith("model "):
            parts.append([])
        if line and not line.startswith("#"):
            parts[-1].append(line.split())
    for (_, name, opset), *lines in parts:
        graph = made(lines, numpy.random.default_rng(1))
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", int(opset))], ir_version=7),
                  pathlib.Path(folder) / f"{name}.onnx")


if __name__ == "__main__":
    {"write": write, "make": make}[sys.argv[1]](*sys.argv[2:])

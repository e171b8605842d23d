#!/usr/bin/python3
"""Runs single operators on values: node_values.py NPU_EXEC FILE, and prints each with what came out.

FILE holds an operator per paragraph, its inputs below it:

  Conv@13 strides=2,2 auto_pad=SAME_UPPER -> 1     operator, opset (13), attributes; # comment
    float32 1x1x3x3  1 2 3 4 5 6 7 8 9             an input of the graph
    = int8 1x1x2x2  1 0 0 1                        a constant
    = int8*0.5,0.25+0,3@0 2x1  4 7                 dequantized: scales, zero points, axis
    -                                              left out

After -> stands how many outputs are asked for (1), or their types and shapes, float32:1x2,bool:3, where the file is
to state them.  Values that are fewer than the elements are repeated.  An operator that is refused prints the message.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import helper, numpy_helper

INPUT = re.compile(r"(=\s*)?(\w+?)(?:\*([\d.,]+)\+([\d.,-]+)(?:@(\d+))?)?\s+(\S+)\s*(.*)")

# ONNX calls these lists, however many numbers they hold.
LISTS = {"axes", "dilations", "ends", "kernel_shape", "output_padding", "output_shape", "pads", "perm", "scales", "split", "starts",
         "strides"}


def type_code(dtype):
    """As onnx numbers it; a table until onnx 1.13, a function since."""
    return helper.np_dtype_to_tensor_dtype(dtype) if hasattr(helper, "np_dtype_to_tensor_dtype") else onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[dtype]


def attribute(text):
    key, value = text.split("=", 1)
    try:
        numbers = [int(p) if re.fullmatch(r"-?\d+", p) else float(p) for p in value.split(",")]
    except ValueError:
        return key, value
    return key, numbers if key in LISTS else numbers[0]


def dims_of(shape):
    return [] if shape == "scalar" else [int(d) for d in shape.split("x")]


def array_of(kind, shape, text):
    """A TensorProto; bfloat16 in a way of its own, because NumPy has none."""
    dims = dims_of(shape)
    values = [float(v) if kind.startswith(("float", "bfloat")) else int(v) for v in text.split()]
    count = int(numpy.prod(dims, dtype=int))
    values = (values * (count // len(values) + 1))[:count] if values else []
    if kind == "bfloat16":
        return helper.make_tensor("", onnx.TensorProto.BFLOAT16, dims, values)
    return numpy_helper.from_array(numpy.array(values, kind).reshape(dims))


class Scene:
    def __init__(self, head, lines):
        words, _, outputs = head.partition("->")
        op, *attributes = words.split()
        op, _, opset = op.partition("@")
        domain, _, op = op.rpartition(".")
        self.nodes, self.inputs, self.constants, names = [], [], [], []
        for i, line in enumerate(lines):
            names.append("" if line == "-" else self.add(f"x{i}", line))
        results = self.outputs(outputs.strip() or "1")
        self.nodes.append(helper.make_node(op, names, [r.name for r in results], domain=domain, **dict(map(attribute, attributes))))
        graph = helper.make_graph(
            self.nodes, "case", [helper.make_tensor_value_info(t.name, t.data_type, t.dims) for t in self.inputs],
            results, self.constants)
        opsets = [helper.make_opsetid("", int(opset or 13)), helper.make_opsetid("com.microsoft", 1)]
        self.model = helper.make_model(graph, ir_version=8, opset_imports=opsets)

    @staticmethod
    def outputs(text):
        if text.isdigit():
            return [onnx.ValueInfoProto(name=f"y{i}") for i in range(int(text))]
        stated = [part.split(":") for part in text.split(",")]
        return [helper.make_tensor_value_info(f"y{i}", type_code(numpy.dtype(kind)), dims_of(shape))
                for i, (kind, shape) in enumerate(stated)]

    def constant(self, name, tensor):
        tensor.name = name
        self.constants.append(tensor)
        return name

    def add(self, name, line):
        fixed, kind, scales, zeros, axis, shape, values = INPUT.fullmatch(line).groups()
        tensor = array_of(kind, shape, values)
        tensor.name = name
        (self.constants if fixed else self.inputs).append(tensor)
        if not scales:
            return name
        lists = [scales.split(","), zeros.split(",")]
        form = "scalar" if len(lists[0]) == 1 else str(len(lists[0]))
        names = [name, self.constant(name + "s", array_of("float32", form, " ".join(lists[0]))),
                 self.constant(name + "z", array_of(kind, form, " ".join(lists[1])))]
        self.nodes.append(helper.make_node("DequantizeLinear", names, [name + "d"], **({"axis": int(axis)} if axis else {})))
        return name + "d"


def show(array):
    shape = "x".join(map(str, array.shape)) or "scalar"
    digits = {"float64": ".17g", "float32": ".6g", "float16": ".6g"}.get(str(array.dtype), "d")
    numbers = " ".join(format(v if digits != "d" else int(v), digits) for v in array.ravel())
    return f"  {array.dtype} {shape}  {numbers}"


def run(program, scene, folder):
    for i, tensor in enumerate(scene.inputs):
        (folder / f"input_{i}.pb").write_bytes(tensor.SerializeToString())
    onnx.save(scene.model, folder / "m.onnx")
    done = subprocess.run([program, "m.onnx", "--values", "--input-dir", ".", "--output-dir", "out"], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode:
        message = [line for line in done.stderr.splitlines() if ": note: " not in line]
        return ["  " + " ".join(message).replace("npu-exec: ", "", 1).replace("m.onnx: ", "") + f" (status {done.returncode})"]
    return [show(numpy.load(folder / "out" / f"output_{i}.npy")) for i in range(len(scene.model.graph.output))]


def main():
    program, path = sys.argv[1:]
    paragraphs = re.split(r"\n(?=\S)", re.sub(r"\s*#.*", "", pathlib.Path(path).read_text()).strip())
    for paragraph in filter(None, paragraphs):
        head, *lines = [line.strip() for line in paragraph.splitlines() if line.strip()]
        with tempfile.TemporaryDirectory() as folder:
            print(head, *run(program, Scene(head, lines), pathlib.Path(folder)), sep="\n")


main()

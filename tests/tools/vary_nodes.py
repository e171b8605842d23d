#!/usr/bin/python3
"""vary_nodes.py FOLDER EACH [MODEL…]: valid models of one or a few operators, and what strangers would send in their place: the tests that
ONNX publishes (package libonnx-testdata), or these MODELs, each EACH times with something changed, missing or in excess.

What was made of them is kept for the fuzz targets compile (-0 to -3, -6, -7), values (-0, -1, -3, -4, -5, -8), onnx (-1, -9) and
exec (-1), with tests/fuzz/kept: the same package gives the same files.  Of the models of tests/tools/wide_patterns.py: compile (-0 to
-4), exec and values (-5); facts (all of them, -0 to -2, and -1 of the package's).
"""
import pathlib
import random
import sys
import zlib

import onnx
from onnx import TensorProto, helper, numpy_helper

DATA = pathlib.Path(onnx.__file__).resolve().parent / "backend" / "test" / "data"
LARGEST_BYTES = 3000
TYPES = [TensorProto.FLOAT, TensorProto.UINT8, TensorProto.INT8, TensorProto.INT32, TensorProto.INT64, TensorProto.FLOAT16,
         TensorProto.DOUBLE, TensorProto.BOOL, TensorProto.STRING]
NUMBERS = (TensorProto.INT64, TensorProto.FLOAT, TensorProto.INT32)
WORDS = ["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET", "edge", "reflect", "constant", "nearest", "linear", "cubic", "half_pixel",
         "align_corners", "asymmetric", "floor", "DCR", "CRD", "add", "forward", "bidirectional", "none"]


def some_input(model, rng):
    with_shape = [i for i in model.graph.input if i.type.tensor_type.HasField("shape")]
    return rng.choice(with_shape).type.tensor_type if with_shape else None


def undeclared(model, rng):
    """Types and shapes are for the reader to find."""
    del model.graph.value_info[:]
    for output in model.graph.output:
        output.ClearField("type")


def given(model, rng, first=0):
    """Inputs that are constants, as the test's data has them: from the first on."""
    for i, value in list(enumerate(model.graph.input))[first:]:
        path = model.folder / "test_data_set_0" / f"input_{i}.pb"
        if not path.exists() or path.stat().st_size > LARGEST_BYTES:
            continue
        try:
            tensor = TensorProto.FromString(path.read_bytes())
        except Exception:  # a sequence or an optional value
            continue
        tensor.name = value.name
        model.graph.initializer.append(tensor)
        model.graph.input.remove(value)


def weights(model, rng):
    given(model, rng, 1)


def some_given(model, rng):
    given(model, rng, rng.randrange(3))


def named_dimension(model, rng):
    tensor = some_input(model, rng)
    for dim in tensor.shape.dim if tensor else []:
        if rng.random() < 0.5:
            dim.dim_param = rng.choice("NMK")


def other_dimension(model, rng):
    tensor = some_input(model, rng)
    if tensor and tensor.shape.dim:
        dim = rng.choice(tensor.shape.dim)
        dim.dim_value = max(0, rng.choice([dim.dim_value + 1, dim.dim_value - 1, 1, 0, 2 * dim.dim_value, 3 * dim.dim_value + 1]))


def other_rank(model, rng):
    tensor = some_input(model, rng)
    if tensor and tensor.shape.dim and rng.random() < 0.5:
        del tensor.shape.dim[rng.randrange(len(tensor.shape.dim))]
    elif tensor:
        tensor.shape.dim.insert(0, onnx.TensorShapeProto.Dimension(dim_value=rng.choice([1, 2])))


def no_shape(model, rng):
    tensor = some_input(model, rng)
    if tensor:
        tensor.ClearField("shape")


def other_type(model, rng):
    tensor = some_input(model, rng)
    if tensor:
        tensor.elem_type = rng.choice(TYPES)


def missing_input(model, rng):
    node = rng.choice(model.graph.node)
    if node.input:
        node.input[rng.randrange(len(node.input))] = ""


def fewer_inputs(model, rng):
    node = rng.choice(model.graph.node)
    if node.input:
        del node.input[-1]


def more_inputs(model, rng):
    node = rng.choice(model.graph.node)
    node.input.append(rng.choice(list(node.input) or [""]))


def fewer_outputs(model, rng):
    node = rng.choice(model.graph.node)
    if len(node.output) > 1:
        gone = node.output.pop()
        for output in [o for o in model.graph.output if o.name == gone]:
            model.graph.output.remove(output)


def other_attribute(model, rng):
    attributes = [(node, a) for node in model.graph.node for a in node.attribute]
    if not attributes:
        return
    node, a = rng.choice(attributes)
    if rng.random() < 0.25:
        node.attribute.remove(a)
    elif a.type == a.INT:
        a.i = rng.choice([a.i + 1, a.i - 1, -a.i - 1, 0, 1 - a.i, 1 << 40])
    elif a.type == a.FLOAT:
        a.f = rng.choice([a.f + 1, -a.f, 0, 2 * a.f])
    elif a.type == a.STRING:
        a.s = rng.choice(WORDS).encode()
    elif a.type == a.INTS and a.ints:
        at = rng.randrange(len(a.ints))
        how = rng.randrange(3)
        if how == 0:
            del a.ints[at]
        elif how == 1:
            a.ints[at] = rng.choice([a.ints[at] + 1, a.ints[at] - 1, -a.ints[at], 0, 7])
        else:
            a.ints.append(1)


def other_constant(model, rng):
    constants = [t for t in model.graph.initializer if t.data_type in NUMBERS and not t.HasField("segment")]
    if constants:
        tensor = rng.choice(constants)
        array = numpy_helper.to_array(tensor).copy()
        if array.size:
            at = rng.randrange(array.size)
            array.reshape(-1)[at] = rng.choice([array.reshape(-1)[at] + 1, -array.reshape(-1)[at], 0, 100])
        tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))


def other_version(model, rng):
    for opset in model.opset_import:
        if opset.domain == "":
            opset.version = rng.choice([6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])


def quantized(model, rng):
    """Codes in and codes out, as a quantizer leaves an operator."""
    graph = model.graph
    scale, zero = rng.choice([0.5, 0.02, 1.0]), rng.choice([0, 128, 3])
    graph.initializer.extend([helper.make_tensor("q.s", TensorProto.FLOAT, [], [scale]), helper.make_tensor("q.z", TensorProto.UINT8, [], [zero])])
    before, after = [], []
    for value in graph.input:
        if value.type.tensor_type.elem_type == TensorProto.FLOAT:
            before += [helper.make_node("QuantizeLinear", [value.name, "q.s", "q.z"], [value.name + ".q"]),
                       helper.make_node("DequantizeLinear", [value.name + ".q", "q.s", "q.z"], [value.name + ".d"])]
            for node in graph.node:
                for i, name in enumerate(node.input):
                    node.input[i] = name + ".d" if name == value.name else name
    for output in graph.output:
        if output.type.tensor_type.elem_type == TensorProto.FLOAT:
            for node in graph.node:
                for i, name in enumerate(node.output):
                    node.output[i] = name + ".o" if name == output.name else name
            after += [helper.make_node("QuantizeLinear", [output.name + ".o", "q.s", "q.z"], [output.name + ".q"]),
                      helper.make_node("DequantizeLinear", [output.name + ".q", "q.s", "q.z"], [output.name])]
    nodes = before + list(graph.node) + after
    del graph.node[:]
    graph.node.extend(nodes)


def followed(model, rng):
    """Something behind it that a compiler joins, or that it has to see through."""
    graph = model.graph
    output = rng.choice(graph.output) if graph.output else None
    makers = [node for node in graph.node if output and output.name in node.output]
    if makers:
        node = makers[0]
        node.output[list(node.output).index(output.name)] = "before"
        op = rng.choice(["Relu", "Identity", "Transpose", "Flatten", "Softmax", "Sigmoid", "Clip", "Neg", "Shape"])
        graph.node.append(helper.make_node(op, ["before"], [output.name]))
        output.ClearField("type")


CHANGES = [undeclared, some_given, weights, weights, named_dimension, other_dimension, other_dimension, other_rank, no_shape, other_type, missing_input, fewer_inputs,
           more_inputs, fewer_outputs, other_constant, other_attribute, other_attribute, other_attribute, other_version, quantized, quantized, followed]
# What the first ones of each model have.
ALWAYS = [[given, undeclared], [weights, quantized], [weights, quantized, followed], [weights, other_attribute]]


class Variant:
    """A model and where its data lies."""

    def __init__(self, path):
        self.proto, self.folder = onnx.load(path), path.parent
        self.graph, self.opset_import = self.proto.graph, self.proto.opset_import


def variants(name, path, each, always):
    for k in range(each):
        rng = random.Random(zlib.crc32(f"{name} {k}".encode()))
        model = Variant(path)
        chosen = always[k] if k < len(always) else rng.sample(CHANGES, rng.choice([1, 2, 2, 3]))
        for change in chosen:
            change(model, rng)
        model.proto.ClearField("producer_name")
        yield k, model.proto.SerializeToString(deterministic=True)


def main():
    folder, each, models = pathlib.Path(sys.argv[1]), int(sys.argv[2]), [(pathlib.Path(m).stem, pathlib.Path(m), []) for m in sys.argv[3:]]
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(DATA.glob("*/*/model.onnx")) if not models else []:
        if path.stat().st_size <= LARGEST_BYTES:
            models.append((path.parent.name, path, ALWAYS))
    for name, path, always in models:
        for k, data in variants(name, path, each, always):
            if len(data) <= 2 * LARGEST_BYTES:
                (folder / f"made-{name.removeprefix('test_')}-{k}").write_bytes(data)


main()

"""Draws models of one float operator, with shapes as vision networks have them: what host_operators.py measures.

A draw is a dictionary: the operator, its name in the laws (`finer` where the compiler has one), its inputs and constants as shapes,
its attributes.  `model` makes the ONNX file of a draw, `units` counts what the laws count.
"""
import random

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

SIDES = [7, 10, 13, 14, 20, 26, 28, 40, 52, 56, 80, 104, 112, 160, 208, 224, 320, 416]
CHANNELS = [3, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024]
TOKENS = [49, 50, 100, 196, 197, 256, 400, 577, 900, 1024]
WIDTHS = [64, 96, 128, 192, 256, 384, 512, 768, 1024]
HEADS = [1, 3, 4, 6, 8, 12, 16]
BOXES, FIELDS = [1344, 2100, 3549, 6300, 8400, 10647, 25200], [2, 4, 5, 6, 8, 16, 64, 80, 85]
LARGEST = 1 << 22
OPSET = 22


def feature_map(pick, largest=LARGEST):
    """[1, C, H, W]: sizes are drawn until one fits, so that small ones are as frequent as large ones."""
    while True:
        c, side = pick.choice(CHANNELS), pick.choice(SIDES)
        wide = side if pick.random() < 0.7 else pick.choice(SIDES)
        if 512 <= c * side * wide <= largest:
            return [1, c, side, wide]


def sequence(pick):
    return [1, pick.choice(TOKENS), pick.choice(WIDTHS)]


def any_shape(pick):
    kind = pick.random()
    return feature_map(pick) if kind < 0.6 else sequence(pick) if kind < 0.85 else [1, pick.choice(BOXES), pick.choice(FIELDS)]


def draw(op, inputs, constants=None, attributes=None, axes=None, **more):
    """`axes`: those that the operator adds up over; across: none of them is the innermost one."""
    across = axes is not None and not {-1, len(inputs[0]) - 1} & set(axes)
    return {"op": op, "inputs": inputs, "constants": constants or [], "attributes": attributes or {}, "across": across, **more}


def unary(op, **attributes):
    return lambda pick: draw(op, [any_shape(pick)], attributes=attributes)


def binary(op, **more):
    def sample(pick):
        shape, way = any_shape(pick), pick.random()
        if way < 0.5:
            return draw(op, [shape, shape], **more)
        if way < 0.6:
            return draw(op, [shape, [1, shape[1]] + [1] * (len(shape) - 2)], **more)
        if way < 0.8:
            return draw(op, [shape], [("float", [1])], **more)
        return draw(op, [shape], [("float", [shape[1], 1, 1] if len(shape) == 4 else [shape[-1]])], **more)
    return sample


def clip(pick):
    return draw("Clip", [any_shape(pick)], [("value", 0.0), ("value", 6.0)])


def prelu(pick):
    shape = feature_map(pick)
    return draw("PRelu", [shape], [("float", [shape[1], 1, 1])])


def power(pick):
    return draw("Pow", [any_shape(pick)], [("value", pick.choice([2.0, 2.0, 3.0, 0.5, 1.7]))])


def where(pick):
    shape = any_shape(pick)
    return draw("Where", [shape, shape, shape], types=["bool", "float", "float"])


def cast(pick):
    a, b = pick.choice([("float", "int64"), ("int64", "float"), ("float", "int32"), ("int32", "float"), ("uint8", "float"), ("bool", "float")])
    return draw("Cast", [any_shape(pick)], attributes={"to": TYPES[b]}, types=[a], gives=b)


def softmax(op):
    def sample(pick):
        way = pick.random()
        if way < 0.4:
            tokens = pick.choice(TOKENS[:8])
            return draw(op, [[1, pick.choice(HEADS[:5]), tokens, tokens]], attributes={"axis": -1})
        if way < 0.7:
            return draw(op, [any_shape(pick)], attributes={"axis": -1})
        return draw(op, [feature_map(pick)], attributes={"axis": 1}, axes=[1])
    return sample


def layer_norm(pick):
    shape = sequence(pick) if pick.random() < 0.8 else [1, pick.choice([14, 28, 56]), pick.choice([14, 28, 56]), pick.choice(WIDTHS)]
    return draw("LayerNormalization", [shape], [("float", shape[-1:]), ("float", shape[-1:])])


def instance_norm(pick):
    shape = feature_map(pick)
    return draw("InstanceNormalization", [shape], [("float", shape[1:2]), ("float", shape[1:2])])


def group_norm(pick):
    shape = feature_map(pick)
    while shape[1] % 8:
        shape = feature_map(pick)
    return draw("GroupNormalization", [shape], [("float", shape[1:2]), ("float", shape[1:2])], {"num_groups": pick.choice([1, 4, 8])})


def batch_norm(pick):
    shape = feature_map(pick)
    return draw("BatchNormalization", [shape], [("float", shape[1:2])] * 3 + [("positive", shape[1:2])])


def on_maps(op, **choices):
    return lambda pick: draw(op, [feature_map(pick)], attributes={k: pick.choice(v) for k, v in choices.items()})


def lp_norm(pick):
    shape, axis = any_shape(pick), pick.choice([-1, 1])
    return draw("LpNormalization", [shape], attributes={"axis": axis, "p": 2}, axes=[axis])


def pool(op):
    def sample(pick):
        shape = feature_map(pick)
        k, stride = pick.choice([(2, 2), (3, 2), (3, 1), (5, 1), (9, 1), (13, 1)] if op == "MaxPool" else [(2, 2), (3, 2), (3, 1), (7, 7), (5, 1)])
        pad = 0 if stride == k else k // 2
        return draw(op, [shape], attributes={"kernel_shape": [k, k], "strides": [stride, stride], "pads": [pad] * 4})
    return sample


def reduced_axes(pick):
    way = pick.random()
    if way < 0.4:
        return feature_map(pick), [2, 3]
    return any_shape(pick), [-1] if way < 0.75 else [1]


def reduction(op, as_input):
    def sample(pick):
        shape, axes = reduced_axes(pick)
        keep = {"keepdims": pick.choice([0, 1])}
        return draw(op, [shape], [("ints", axes)], keep, axes) if as_input else draw(op, [shape], None, {"axes": axes, **keep}, axes)
    return sample


def position_of_largest(op):
    def sample(pick):
        shape = any_shape(pick)
        axis = pick.choice([1, -1])
        return draw(op, [shape], attributes={"axis": axis, "keepdims": 0}, axes=[axis], gives="int64")
    return sample


def top_k(pick):
    way = pick.random()
    shape = [1, pick.choice(BOXES)] if way < 0.6 else [1, pick.choice([20, 80, 91]), pick.choice(BOXES[:5])] if way < 0.8 else sequence(pick)
    return draw("TopK", [shape], [("ints", [min(shape[-1], pick.choice([1, 10, 100, 300, 1000]))])], {"axis": -1}, gives="values and int64")


def transpose(moves):
    """Orders that keep the innermost axis in its place, or that move it."""
    def sample(pick):
        way = pick.random()
        if not moves:
            if way < 0.7:
                return draw("Transpose", [[1, pick.choice(TOKENS), pick.choice(HEADS), pick.choice([32, 64])]], attributes={"perm": [0, 2, 1, 3]})
            shape = feature_map(pick)
            groups = 2 if shape[1] % 2 == 0 else 1
            return draw("Transpose", [[1, groups, shape[1] // groups, shape[2], shape[3]]], attributes={"perm": [0, 2, 1, 3, 4]})
        if way < 0.35:
            return draw("Transpose", [feature_map(pick)], attributes={"perm": [0, 2, 3, 1]})
        if way < 0.55:
            shape = feature_map(pick)
            return draw("Transpose", [[1, shape[2], shape[3], shape[1]]], attributes={"perm": [0, 3, 1, 2]})
        if way < 0.75:
            return draw("Transpose", [pick.choice([sequence(pick), [1, pick.choice(FIELDS), pick.choice(BOXES)]])], attributes={"perm": [0, 2, 1]})
        if way < 0.9:
            return draw("Transpose", [[1, pick.choice(TOKENS), pick.choice(HEADS), pick.choice([32, 64])]], attributes={"perm": [0, 2, 3, 1]})
        side = pick.choice([10, 20, 40, 80])
        return draw("Transpose", [[1, 3, pick.choice([6, 85]), side, side]], attributes={"perm": [0, 1, 3, 4, 2]})
    return sample


def concat(pick):
    if pick.random() < 0.7:
        shape, n = feature_map(pick, LARGEST // 4), pick.choice([2, 2, 3, 4])
        return draw("Concat", [shape] * n, attributes={"axis": 1})
    shape = [1, pick.choice(BOXES), pick.choice(FIELDS)]
    return draw("Concat", [shape, [1, shape[1], pick.choice(FIELDS)]], attributes={"axis": 2})


def split(pick):
    shape = feature_map(pick)
    while shape[1] % 4:
        shape = feature_map(pick)
    n = pick.choice([2, 4])
    if pick.random() < 0.3:
        shape = sequence(pick)
        return draw("Split", [shape], attributes={"axis": 2, "num_outputs": n}, outputs=n)
    return draw("Split", [shape], attributes={"axis": 1, "num_outputs": n}, outputs=n)


def cut(pick):
    way = pick.random()
    if way < 0.4:
        shape = feature_map(pick)
        return draw("Slice", [shape], [("ints", [0]), ("ints", [max(1, shape[1] // 2)]), ("ints", [1]), ("ints", [1])])
    if way < 0.6:
        return draw("Slice", [feature_map(pick)], [("ints", [pick.choice([0, 1])]), ("ints", [1 << 30]), ("ints", [pick.choice([2, 3])]), ("ints", [2])])
    if way < 0.7:
        return draw("Slice", [feature_map(pick)], [("ints", [1, 1]), ("ints", [-1, -1]), ("ints", [2, 3]), ("ints", [1, 1])])
    shape = [1, pick.choice(BOXES), pick.choice([5, 6, 85])]
    a = pick.choice([0, 2, 4])
    return draw("Slice", [shape], [("ints", [a]), ("ints", [pick.choice([a + 1, 1 << 30])]), ("ints", [2]), ("ints", [1])])


def pad(pick):
    n = pick.choice([1, 2, 3, 16])
    return draw("Pad", [feature_map(pick)], [("ints", [0, 0, n, n, 0, 0, n, n])], {"mode": pick.choice(["constant", "constant", "reflect", "edge"])})


def gather(pick):
    way = pick.random()
    if way < 0.4:
        shape = feature_map(pick)
        return draw("Gather", [shape], [("indices", [max(1, shape[1] // pick.choice([1, 2, 4]))], shape[1])], {"axis": 1})
    if way < 0.7:
        shape = pick.choice([[pick.choice(BOXES), pick.choice(FIELDS)], [pick.choice(TOKENS), pick.choice(WIDTHS)]])
        return draw("Gather", [shape], [("indices", [pick.choice([1, 50, 100, 300, 1000, shape[0]])], shape[0])], {"axis": 0})
    shape = [1, pick.choice(BOXES), pick.choice([4, 6, 85])]
    return draw("Gather", [shape], [("indices", [pick.choice([1, 2])], shape[2])], {"axis": 2})


def gather_elements(pick):
    shape, n = [1, pick.choice(BOXES), pick.choice(FIELDS)], pick.choice([100, 300, 900])
    return draw("GatherElements", [shape], [("indices", [1, n, shape[2]], shape[1])], {"axis": 1})


def gather_nd(pick):
    shape = [pick.choice(BOXES), pick.choice(FIELDS)]
    return draw("GatherND", [shape], [("indices", [pick.choice([100, 300, 1000, shape[0]]), 1], shape[0])])


def scatter_nd(pick):
    shape = [pick.choice(BOXES), pick.choice(FIELDS)]
    n = pick.choice([100, 300, 1000])
    return draw("ScatterND", [shape, [n, shape[1]]], [("indices", [n, 1], shape[0])], order=[0, 2, 1])


def expand(pick):
    shape = feature_map(pick)
    return draw("Expand", [[1, shape[1], 1, 1]], [("ints", shape)])


def tile(pick):
    shape = any_shape(pick)
    times = [1] * len(shape)
    times[pick.choice([1, len(shape) - 1])] = 2
    return draw("Tile", [shape], [("ints", times)])


def blocks(op):
    def sample(pick):
        while True:
            shape, b = feature_map(pick), 2
            if (shape[1] % 4 == 0) if op == "DepthToSpace" else shape[2] % 2 == 0 == shape[3] % 2:
                return draw(op, [shape], attributes={"blocksize": b})
    return sample


def cumulative_sum(pick):
    return draw("CumSum", [any_shape(pick)], [("scalar", 1)], axes=[1])


def matmul(pick):
    if pick.random() < 0.6:
        shape = sequence(pick)
        return draw("MatMul", [shape], [("float", [shape[2], pick.choice([shape[2], 3 * shape[2], 4 * shape[2], 128])])])
    h, t, d = pick.choice(HEADS), pick.choice(TOKENS), pick.choice([32, 64])
    return draw("MatMul", pick.choice([[[1, h, t, d], [1, h, d, t]], [[1, h, t, t], [1, h, t, d]]]))


def gemm(pick):
    k, n = pick.choice([128, 256, 512, 768, 1024, 2048, 4096]), pick.choice([10, 128, 256, 1000, 1024, 4096])
    return draw("Gemm", [[pick.choice([1, 1, 1, 49, 197]), k]], [("float", [n, k]), ("float", [n])], {"transB": 1})


def convolution(pick):
    while True:
        shape, k, stride = feature_map(pick), pick.choice([1, 1, 3, 3, 3, 5, 7]), pick.choice([1, 1, 2])
        out = pick.choice([c for c in CHANNELS if c >= 16])
        if 1e5 < shape[1] * out * k * k * shape[2] * shape[3] / stride ** 2 < 1.5e9:
            return draw("Conv", [shape], [("float", [out, shape[1], k, k]), ("float", [out])],
                        {"kernel_shape": [k, k], "strides": [stride] * 2, "pads": [k // 2] * 4})


def depthwise(pick):
    shape, k, stride = feature_map(pick), pick.choice([3, 3, 5, 7]), pick.choice([1, 1, 2])
    return draw("Conv", [shape], [("float", [shape[1], 1, k, k]), ("float", [shape[1]])],
                {"kernel_shape": [k, k], "strides": [stride] * 2, "pads": [k // 2] * 4, "group": shape[1]}, finer="DepthwiseConv")


def transposed_convolution(pick):
    while True:
        shape, out, (k, p) = feature_map(pick), pick.choice(CHANNELS[2:10]), pick.choice([(2, 0), (4, 1), (3, 1)])
        if 1e5 < shape[1] * out * k * k * shape[2] * shape[3] < 1.5e9:
            return draw("ConvTranspose", [shape], [("float", [shape[1], out, k, k])],
                        {"kernel_shape": [k, k], "strides": [2, 2], "pads": [p] * 4})


def einsum(pick):
    h, t, d = pick.choice(HEADS), pick.choice(TOKENS), pick.choice([32, 64])
    return draw("Einsum", [[1, h, t, d], [1, h, t, d]], attributes={"equation": "bhid,bhjd->bhij"})


def recurrent(op, gates):
    def sample(pick):
        steps, width, hidden = pick.choice([16, 32, 64, 128]), pick.choice([64, 128, 256]), pick.choice([64, 128, 256])
        return draw(op, [[steps, 1, width]], [("float", [1, gates * hidden, width]), ("float", [1, gates * hidden, hidden])],
                    {"hidden_size": hidden}, unnamed=True)
    return sample


def resize_by_factor(pick):
    """Nearest by any factor; but for the doubling of ResizeTwice it is one code."""
    factor = pick.choice([2, 2, 3, 4, 4, 8, 1.5])
    shape = feature_map(pick, int(LARGEST / factor ** 2))
    to = [int(n * factor) for n in shape[2:]]
    way = {"coordinate_transformation_mode": "half_pixel", "nearest_mode": "round_prefer_floor"}
    if factor != 2 and pick.random() < 0.5:
        way = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    return draw("Resize", [shape], [None, None, ("ints", [1, shape[1], *to])], {"mode": "nearest", **way}, law="ResizeNearest")


def resize(mode):
    def sample(pick):
        shape = feature_map(pick, LARGEST // 4)
        way = "asymmetric" if mode == "nearest" else pick.choice(["half_pixel", "align_corners"])
        to = [2 * n for n in shape[2:]] if pick.random() < 0.7 else [n * 3 // 2 for n in shape[2:]]
        more = {"nearest_mode": "floor"} if mode == "nearest" else {}
        law = {"law": "ResizeTwice"} if mode == "nearest" and to[0] == 2 * shape[2] else {}
        return draw("Resize", [shape], [None, None, ("ints", [1, shape[1], *to])], {"mode": mode, "coordinate_transformation_mode": way, **more},
                    mode=mode, **law)
    return sample


def grid_sample(pick):
    shape, side = feature_map(pick), pick.choice(SIDES[:14])
    return draw("GridSample", [shape, [1, side, side, 2]], attributes={"mode": "linear"})


def view(op, constants=()):
    """Nothing moves: several in a row between two Relu, less the two alone, is what they take."""
    return lambda pick: draw(op, [any_shape(pick)], list(constants), row=2)


UNARY = ("Relu Abs Neg Sqrt Reciprocal Floor Ceil Round Exp Log Sigmoid Tanh Erf HardSigmoid HardSwish LeakyRelu Elu Softplus Softsign "
         "Mish Gelu Sin Cos").split()
BINARY = "Add Sub Mul Div Min Max".split()
OPERATORS = {
    **{op: unary(op) for op in UNARY}, **{op: binary(op) for op in BINARY},
    "Greater": binary("Greater", gives="bool"), "Equal": binary("Equal", gives="bool"), "Clip": clip, "PRelu": prelu, "Pow": power, "Where": where, "Cast": cast,
    "Softmax": softmax("Softmax"), "LogSoftmax": softmax("LogSoftmax"), "LayerNormalization": layer_norm, "InstanceNormalization": instance_norm,
    "GroupNormalization": group_norm, "BatchNormalization": batch_norm, "LRN": on_maps("LRN", size=[3, 5]), "LpNormalization": lp_norm,
    "MeanVarianceNormalization": on_maps("MeanVarianceNormalization"),
    "MaxPool": pool("MaxPool"), "AveragePool": pool("AveragePool"), "GlobalAveragePool": on_maps("GlobalAveragePool"), "GlobalMaxPool": on_maps("GlobalMaxPool"),
    **{op: reduction(op, True) for op in ("ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceL2")},
    "ArgMax": position_of_largest("ArgMax"), "TopK": top_k, "Transpose": transpose(True), "TransposeRows": transpose(False),
    "Concat": concat, "Split": split, "Slice": cut, "Pad": pad, "Gather": gather, "GatherElements": gather_elements, "GatherND": gather_nd,
    "ScatterND": scatter_nd, "Expand": expand, "Tile": tile, "DepthToSpace": blocks("DepthToSpace"), "SpaceToDepth": blocks("SpaceToDepth"),
    "CumSum": cumulative_sum, "MatMul": matmul, "Gemm": gemm, "Conv": convolution, "DepthwiseConv": depthwise, "ConvTranspose": transposed_convolution,
    "Einsum": einsum, "LSTM": recurrent("LSTM", 4), "GRU": recurrent("GRU", 3), "ResizeNearest": resize("nearest"), "ResizeLinear": resize("linear"),
    "ResizeCubic": resize("cubic"), "GridSample": grid_sample,
    "Reshape": view("Reshape", [("ints", [1, -1])]), "Flatten": view("Flatten"), "Unsqueeze": view("Unsqueeze", [("ints", [0])]), "Identity": view("Identity"),
}
TYPES = {"float": TensorProto.FLOAT, "int64": TensorProto.INT64, "int32": TensorProto.INT32, "bool": TensorProto.BOOL, "uint8": TensorProto.UINT8}
ARRAYS = {"float": numpy.float32, "int64": numpy.int64, "int32": numpy.int32, "bool": numpy.bool_, "uint8": numpy.uint8}


FIT_ONLY = {"ResizeFactor": resize_by_factor}  # added after `others` had chosen among OPERATORS


def draws(seed, each):
    """`each` draws of every operator, with the operator's name."""
    return [(name, k, sample(random.Random(f"{seed} {name} {k}"))) for name, sample in {**OPERATORS, **FIT_ONLY}.items() for k in range(each)]


def others(seed, count):
    """One draw each of `count` operators."""
    names = list(OPERATORS)
    random.Random(seed).shuffle(names)
    return [(name, 0, OPERATORS[name](random.Random(f"{seed} {name}"))) for name in names[:count]]


def values(random_state, shape, kind):
    if kind == "bool":
        return random_state.random(shape) < 0.5
    x = random_state.standard_normal(shape)
    return x.astype(ARRAYS[kind]) if kind in ("float",) else (numpy.abs(x) * 40).astype(ARRAYS[kind])


def constant(random_state, name, what):
    kind, shape = what[:2]
    if kind == "value":
        return numpy_helper.from_array(numpy.float32(shape), name)
    if kind in ("ints", "scalar"):
        return numpy_helper.from_array(numpy.array(shape, numpy.int64), name)
    if kind == "indices":
        return numpy_helper.from_array(random_state.integers(0, what[2], shape).astype(numpy.int64), name)
    x = values(random_state, shape, "float")
    return numpy_helper.from_array(numpy.abs(x) + numpy.float32(0.5) if kind == "positive" else x, name)


def model(d, row=None):
    """The ONNX model of a draw, and its inputs; `row`: how many of a view follow each other."""
    state = numpy.random.default_rng(1)
    types = d.get("types", ["float"] * len(d["inputs"]))
    inputs = [helper.make_tensor_value_info(f"x{i}", TYPES[t], s) for i, (t, s) in enumerate(zip(types, d["inputs"]))]
    constants = [constant(state, f"c{i}", c) for i, c in enumerate(d["constants"]) if c]
    names = [x.name for x in inputs] + ["" if c is None else f"c{i}" for i, c in enumerate(d["constants"])]
    names = [names[i] for i in d["order"]] if "order" in d else names
    if "row" in d:
        nodes = [helper.make_node("Relu", ["x0"], ["v0"])]
        count = d["row"] if row is None else row
        nodes += [helper.make_node(d["op"], [f"v{i}", *names[1:]], [f"v{i + 1}"], **d["attributes"]) for i in range(count)]
        nodes += [helper.make_node("Relu", [f"v{count}"], ["y"])]
        outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    else:
        gives = d.get("gives", "float")
        outputs = [(f"y{i}", gives) for i in range(d.get("outputs", 1))]
        outputs = [("y0", "float"), ("y1", "int64")] if gives == "values and int64" else outputs
        nodes = [helper.make_node(d["op"], names, [n for n, _ in outputs], name="n", **d["attributes"])]
        outputs = [helper.make_tensor_value_info(n, TYPES[t], None) for n, t in outputs]
    graph = helper.make_graph(nodes, "one", inputs, outputs, constants)
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    feeds = {x.name: values(state, s, t) for x, s, t in zip(inputs, d["inputs"], types)}
    if d["op"] in ("Sqrt", "Log", "Pow"):
        feeds["x0"] = numpy.abs(feeds["x0"]) + numpy.float32(0.01)
    if d["op"] == "GridSample":
        feeds["x1"] = numpy.clip(feeds["x1"] / 2, -1, 1)
    return proto, feeds

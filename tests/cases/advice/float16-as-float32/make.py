"""Writes three networks, each in float16 and in float32 with the same numbers."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

N = helper.make_node


class Network:
    def __init__(self, kind):
        self.kind, self.nodes, self.constants = kind, [], []
        self.numbers = numpy.random.default_rng(0)

    def constant(self, name, value):
        half = numpy.asarray(value).astype("float16")
        array = half if self.kind == TensorProto.FLOAT16 else half.astype("float32")
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def weight(self, name, *shape):
        return self.constant(name, self.numbers.standard_normal(shape) * .1)

    def value(self, name, shape):
        return helper.make_tensor_value_info(name, self.kind, shape)

    def save(self, name, shape, result, ir=8):
        inputs = [self.value("x", shape)] + ([self.value(c.name, c.dims) for c in self.constants] if ir < 4 else [])
        g = helper.make_graph(self.nodes, name, inputs, [self.value("y", result)], self.constants)
        name += "16" if self.kind == TensorProto.FLOAT16 else "32"
        onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=ir), name + ".onnx")


def norm(kind):
    """LayerNorm as torch writes it below opset 17, four times before a product."""
    n, x = Network(kind), "x"
    two, epsilon = n.constant("two", 2), n.constant("epsilon", 1e-5)
    for k in range(4):
        y = "y" if k == 3 else f"y{k}"
        n.nodes += [N("ReduceMean", [x], [f"m{k}"], axes=[-1]), N("Sub", [x, f"m{k}"], [f"d{k}"]),
                    N("Pow", [f"d{k}", two], [f"p{k}"]), N("ReduceMean", [f"p{k}"], [f"v{k}"], axes=[-1]),
                    N("Add", [f"v{k}", epsilon], [f"e{k}"]), N("Sqrt", [f"e{k}"], [f"s{k}"]),
                    N("Div", [f"d{k}", f"s{k}"], [f"n{k}"]),
                    N("MatMul", [f"n{k}", n.weight(f"w{k}", 192, 192)], [y])]
        x = y
    n.save("norm", [1, 197, 192], [1, 197, 192])


def branch(kind):
    """Conv and BatchNormalization, a Cast there and back, and a branch with a constant of its own."""
    def body(name, nodes):
        return helper.make_graph(nodes, name, [], [n.value(name, [1, 8, 32, 32])])

    n = Network(kind)
    half = numpy_helper.from_array(numpy.array(2, helper.mapping.TENSOR_TYPE_TO_NP_TYPE[kind]))
    n.nodes = [N("Conv", ["x", n.weight("w", 8, 3, 3, 3)], ["c"], pads=[1] * 4),
               N("BatchNormalization", ["c"] + [n.constant(p, numpy.full(8, v)) for p, v in
                                                (("scale", 1.5), ("bias", .25), ("mean", .5), ("variance", 2))], ["b"]),
               N("Cast", ["b"], ["f"], to=TensorProto.FLOAT), N("ReduceSum", ["f"], ["s"], keepdims=0),
               N("Cast", ["s"], ["t"], to=TensorProto.BOOL),
               N("If", ["t"], ["y"], then_branch=body("relu", [N("Relu", ["b"], ["relu"])]),
                 else_branch=body("twice", [N("Constant", [], ["k"], value=half), N("Mul", ["b", "k"], ["twice"])]))]
    n.save("branch", [1, 3, 32, 32], [1, 8, 32, 32])


def old(kind):
    """Of IR version 3, whose constants are inputs as well."""
    n = Network(kind)
    n.nodes = [N("Conv", ["x", n.weight("w", 8, 3, 3, 3)], ["c"], pads=[1] * 4), N("Relu", ["c"], ["y"])]
    n.save("old", [1, 3, 32, 32], [1, 8, 32, 32], 3)


for each in (TensorProto.FLOAT16, TensorProto.FLOAT):
    norm(each)
    branch(each)
    old(each)

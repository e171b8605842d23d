"""Writes two convolutions with an operator between or after them that changes nothing, each kind once."""
import numpy
from onnx import TensorProto, helper, numpy_helper, save

SHAPE = [1, 32, 64, 64]


# Name: [(operator, constants, attributes)] in a row.
KINDS = {
    "none": [], "Split in one": [("Split", [numpy.int64([64])], {"axis": 3})], "Sum of one": [("Sum", [], {})],
    "Resize by 1": [("Resize", ["", numpy.float32([1] * 4)], {"mode": "nearest"})], "MaxPool of a pixel": [("MaxPool", [], {"kernel_shape": [1, 1]})],
    "AveragePool of a pixel": [("AveragePool", [], {"kernel_shape": [1, 1]})], "DepthToSpace by 1": [("DepthToSpace", [], {"blocksize": 1})],
    "Transpose and back": [("Transpose", [], {"perm": [0, 2, 3, 1]}), ("Transpose", [], {"perm": [0, 3, 1, 2]})],
    "Reshape to the same": [("Reshape", [numpy.int64(SHAPE)], {})],
    "Unsqueeze and back": [("Unsqueeze", [numpy.int64([0])], {}), ("Squeeze", [numpy.int64([0])], {})],
    "Reshape and back": [("Reshape", [numpy.int64([1, 32, 4096])], {}), ("Reshape", [numpy.int64(SHAPE)], {})],
    "Sigmoid": [("Sigmoid", [], {})]}


def network(path, between, after):
    weights = [numpy_helper.from_array((numpy.random.default_rng(1).normal(size=(32, 32, 3, 3)) / 17).astype("f"), "w")]
    nodes, at = [], "x"
    for op, constants, attributes in [("Conv", ["w"], {"pads": [1] * 4}), *between, ("Conv", ["w"], {"pads": [1] * 4}), *after]:
        names = [c if isinstance(c, str) else f"c{len(nodes)}" for c in constants]
        weights += [numpy_helper.from_array(c, n) for c, n in zip(constants, names) if not isinstance(c, str)]
        nodes.append(helper.make_node(op, [at, *names], [f"t{len(nodes)}"], **attributes))
        at = nodes[-1].output[0]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
                              [helper.make_tensor_value_info(at, TensorProto.FLOAT, SHAPE)], weights)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), path)


for number, (name, operators) in enumerate(KINDS.items()):
    network(f"between-{number}.onnx", operators, [])
    network(f"after-{number}.onnx", [], operators)
print(*KINDS, sep="\n")

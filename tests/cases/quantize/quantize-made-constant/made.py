"""Writes products beside a constant that operators make of another one, and two inputs for them."""
import pathlib

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

N = helper.make_node
NUMBERS = numpy.random.default_rng(3)
TABLE = NUMBERS.normal(size=(400, 400)).astype(numpy.float32)


WEIGHT = NUMBERS.normal(size=(16, 400)).astype(numpy.float32)


def save(name, nodes, **inits):
    v = helper.make_tensor_value_info
    nodes = nodes + [N("MatMul", ["x", "w"], ["p"]), N("Add", ["p", "b"], ["y"])]
    g = helper.make_graph(nodes, name, [v("x", TensorProto.FLOAT, [1, 400, 16])], [v("y", TensorProto.FLOAT, None)],
                          [numpy_helper.from_array(a, k) for k, a in dict(inits, w=WEIGHT).items()])
    onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), name + ".onnx")


def pair(name, nodes, stored, **inits):
    """The constant made by nodes, and the same numbers as an initializer."""
    save(name, nodes, **inits)
    save(name + "-stored", [], b=stored)


REVERSE, HALVES = numpy.arange(399, -1, -1), numpy.int64([200, 200])
pair("turned", [N("Transpose", ["table"], ["b"], perm=[1, 0])], TABLE.T.copy(), table=TABLE)
pair("gathered", [N("Gather", ["table", "rows"], ["b"], axis=0)], TABLE[REVERSE], table=TABLE, rows=REVERSE)
pair("widened", [N("Transpose", ["table"], ["t"], perm=[1, 0]), N("Unsqueeze", ["t", "axes"], ["b"])], TABLE.T[None].copy(), table=TABLE,
     axes=numpy.int64([0]))
pair("scaled", [N("Split", ["table", "halves"], ["l", "r"], axis=1), N("Concat", ["r", "l"], ["t"], axis=1), N("Mul", ["t", "two"], ["b"])],
     numpy.roll(TABLE, 200, 1) * numpy.float32(2), table=TABLE, halves=HALVES, two=numpy.float32(2))
pair("spread", [N("Expand", ["row", "size"], ["t"]), N("Add", ["t", "table"], ["b"])], TABLE + TABLE[:1], table=TABLE, row=TABLE[:1],
     size=numpy.int64([400, 400]))
save("activated", [N("Sigmoid", ["table"], ["b"])], table=TABLE)
save("large", [N("Expand", ["row", "size"], ["b"])], row=TABLE[None], size=numpy.int64([7, 400, 400]))
pathlib.Path("data").mkdir(exist_ok=True)
for i in range(2):
    numpy.save(f"data/{i}.npy", NUMBERS.normal(size=(1, 400, 16)).astype(numpy.float32))

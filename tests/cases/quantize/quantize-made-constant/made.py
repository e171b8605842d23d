"""Writes products beside a constant that operators make of another one, and two inputs for them."""
import pathlib

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

N = helper.make_node
NUMBERS = numpy.random.default_rng(3)
TABLE = NUMBERS.normal(size=(400, 400)).astype(numpy.float32)


def save(name, nodes, **inits):
    v = helper.make_tensor_value_info
    nodes = nodes + [N("MatMul", ["x", "w"], ["p"]), N("Add", ["p", "b"], ["y"])]
    inits["w"] = NUMBERS.normal(size=(16, 400)).astype(numpy.float32)
    g = helper.make_graph(nodes, name, [v("x", TensorProto.FLOAT, [1, 400, 16])], [v("y", TensorProto.FLOAT, [1, 400, 400])],
                          [numpy_helper.from_array(a, k) for k, a in inits.items()])
    onnx.save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), name + ".onnx")


save("turned", [N("Transpose", ["table"], ["b"], perm=[1, 0])], table=TABLE)
save("gathered", [N("Gather", ["table", "rows"], ["b"], axis=0)], table=TABLE, rows=numpy.arange(399, -1, -1))
save("widened", [N("Transpose", ["table"], ["t"], perm=[1, 0]), N("Unsqueeze", ["t", "axes"], ["b"])], table=TABLE, axes=numpy.int64([0]))
save("stored", [], b=TABLE)
pathlib.Path("data").mkdir(exist_ok=True)
for i in range(2):
    numpy.save(f"data/{i}.npy", NUMBERS.normal(size=(1, 400, 16)).astype(numpy.float32))

"""Makes the inputs of this case."""
import os
import numpy
import onnx
from onnx import TensorProto, helper
f, i = TensorProto.FLOAT, TensorProto.INT64
def model(name, op, inputs, **attributes):
    node = helper.make_node(op, [n for n, _, _ in inputs], ["y"], **attributes)
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info(*v) for v in inputs], [helper.make_tensor_value_info("y", f, None)])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), name)
def feed(folder, *arrays):
    os.makedirs(folder, exist_ok=True)
    for k, a in enumerate(arrays):
        numpy.save(f"{folder}/input_{k}.npy", a)
model("reshape.onnx", "Reshape", [("x", f, [2, 3]), ("shape", i, [2])])
feed("reshape", numpy.arange(6, dtype=numpy.float32).reshape(2, 3), numpy.array([3, -1], numpy.int64))
feed("wrong", numpy.arange(6, dtype=numpy.float32).reshape(2, 3), numpy.array([4, 4], numpy.int64))
model("slice.onnx", "Slice", [("x", f, [1, 4]), ("starts", i, [1]), ("ends", i, [1]), ("axes", i, [1])])
feed("slice", numpy.array([[1, 2, 3, 4]], numpy.float32), *(numpy.array([k], numpy.int64) for k in (1, 3, 1)))
model("range.onnx", "Range", [("start", f, []), ("limit", f, []), ("delta", f, [])])
feed("range", *(numpy.array(k, numpy.float32) for k in (1, 2.5, 0.5)))

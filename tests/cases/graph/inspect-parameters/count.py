"""How many numbers a model has learnt: small models, a line each."""
import json
import os
import subprocess

import numpy
from onnx import TensorProto as T, helper as h, numpy_helper

MS = "com.microsoft"


def stored(name, size, kind="f4"):
    return numpy_helper.from_array(numpy.ones(size, kind), name)


def count(title, nodes, constants, inputs=(("x", [1, 4]),), **more):
    g = h.make_graph(nodes, "g", [h.make_tensor_value_info(n, T.FLOAT, s) for n, s in inputs], [h.make_empty_tensor_value_info("y")], constants)
    m = h.make_model(g, opset_imports=[h.make_opsetid("", 13), h.make_opsetid(MS, 1)])
    m.ir_version = 7
    open("m.onnx", "wb").write(m.SerializeToString())
    done = subprocess.run([os.environ["NPU_ADVISE"], "inspect", "m.onnx", "--json", "r.json", "-q"], capture_output=True, text=True)
    r = json.load(open("r.json")) if done.returncode == 0 else {}
    print(f"{title}: {r['totals']['parameters'] if r else done.stderr.strip()}")


def one(title, op, kinds, domain="", **attrs):
    """Each input a constant of other size: 2, 4, 8 and so on, so that the sum tells which are counted; the first is fed."""
    constants = [stored(f"c{i}", 2 << i, kind) for i, kind in enumerate(kinds) if i and kind]
    names = ["x"] + [f"c{i}" if kind else "" for i, kind in enumerate(kinds) if i]
    count(title, [h.make_node(op, names, ["y"], domain=domain, **attrs)], constants)
    fed = [stored("x", 2, kinds[0])] + constants
    count(title + ", all stored", [h.make_node(op, names, ["y"], domain=domain, **attrs)], fed, ())


for kind in ("f4", "f2", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?"):
    count(f"Add of {kind}", [h.make_node("Add", ["x", "c"], ["y"])], [stored("c", 3, kind)])
count("of no axis", [h.make_node("Add", ["x", "c"], ["y"])], [stored("c", ())])
count("of one number", [h.make_node("Add", ["x", "c"], ["y"])], [stored("c", (1, 1))])
count("of none", [h.make_node("Concat", ["x", "c"], ["y"], axis=1)], [stored("c", (1, 0))])
count("that nobody reads", [h.make_node("Relu", ["x"], ["y"])], [stored("c", 3)])
count("that two read", [h.make_node("Add", ["x", "c"], ["z"]), h.make_node("Mul", ["z", "c"], ["y"])], [stored("c", 3)])
count("read twice", [h.make_node("Add", ["c", "c"], ["y"])], [stored("c", 3)])
count("two of them", [h.make_node("Add", ["x", "c"], ["z"]), h.make_node("Mul", ["z", "d"], ["y"])], [stored("c", 3), stored("d", 5)])
count("without inputs", [h.make_node("Add", ["c", "d"], ["y"])], [stored("c", 3), stored("d", 1)], ())
count("made by Constant", [h.make_node("Constant", [], ["c"], value=stored("v", 7)), h.make_node("Add", ["x", "c"], ["y"])], [])
count("made by Identity of one", [h.make_node("Identity", ["c"], ["d"]), h.make_node("Add", ["x", "d"], ["y"])], [stored("c", 7)])
body = [h.make_graph([h.make_node("Constant", [], [f"k{i}"], value=stored("v", 3 + i)), h.make_node("Add", [f"k{i}", "c"], [f"b{i}"])], f"b{i}", [], [h.make_empty_tensor_value_info(f"b{i}")]) for i in (0, 1)]
count("of bodies", [h.make_node("Cast", ["x"], ["w"], to=T.BOOL), h.make_node("If", ["w"], ["y"], then_branch=body[0], else_branch=body[1])], [stored("c", 16)])
body = [h.make_graph([h.make_node("Add", ["x", f"c{i}"], [f"b{i}"])], f"b{i}", [], [h.make_empty_tensor_value_info(f"b{i}")], [stored(f"c{i}", 3 + i)]) for i in (0, 1)]
count("stored in bodies", [h.make_node("Cast", ["x"], ["w"], to=T.BOOL), h.make_node("If", ["w"], ["y"], then_branch=body[0], else_branch=body[1])], [])
one("Gemm", "Gemm", ["f4", "f4", "f4"])
one("Where", "Where", ["?", "f4", "f4"])
one("Concat", "Concat", ["f4"] * 4, axis=0)
one("Gather", "Gather", ["f4", "i4"])
one("Reshape", "Reshape", ["f4", "i8"])
one("Expand", "Expand", ["f4", "i4"])
one("Resize", "Resize", ["f4", "f4", "f4"])
one("Upsample", "Upsample", ["f4", "f4"])
one("Pad", "Pad", ["f4", "i4", "f4"])
one("Slice", "Slice", ["f4", "i4", "i4", "i4", "i4"])
one("Tile", "Tile", ["f4", "i4"])
one("nobody's operator", "Other", ["f4"] * 8, "nobody")
one("BatchNormalization", "BatchNormalization", ["f4"] * 5)
one("PRelu", "PRelu", ["f4", "f4"])
one("LSTM", "LSTM", ["f4"] * 8, hidden_size=2)
one("ReduceSum", "ReduceSum", ["f4", "i8"])
one("QuantizeLinear", "QuantizeLinear", ["f4", "f4", "i1"])
one("DequantizeLinear", "DequantizeLinear", ["i1", "f4", "i1"])
one("QLinearConv", "QLinearConv", ["i1", "f4", "i1", "i1", "f4", "i1", "f4", "i1", "i4"])
one("QLinearMatMul", "QLinearMatMul", ["i1", "f4", "i1", "i1", "f4", "i1", "f4", "i1"])
one("ConvInteger", "ConvInteger", ["i1"] * 4)
one("MatMulInteger", "MatMulInteger", ["i1"] * 4)
for op, n in (("QuantizeLinear", 3), ("DequantizeLinear", 3), ("QLinearConv", 9), ("QLinearAdd", 8), ("QLinearMul", 8), ("QGemm", 9), ("MatMulInteger16", 2), ("QAttention", 9), ("QLinearWhere", 9),
              ("MatMulIntegerToFloat", 7), ("DynamicQuantizeMatMul", 5)):
    one(f"com.microsoft.{op}", op, ["i1"] * n, MS)
one("ten inputs, eight of them missing", "Concat", ["f4"] + [None] * 8 + ["f4"], axis=0)

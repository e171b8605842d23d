"""Small nets of a Pad before a window, or of Transposes, each rewritten; what comes out is told node by node."""
import subprocess

import numpy
import onnx
from onnx import TensorProto as T, helper as h, numpy_helper


def stored(name, values, dtype=numpy.int64):
    return numpy_helper.from_array(numpy.array(values, dtype), name)


def shown(node):
    given = ", ".join(f"{a.name}={h.get_attribute_value(a)}".replace("b'", "'") for a in node.attribute)
    return f"{', '.join(node.output)} = {node.op_type}{f'<{given}>' if given else ''}({', '.join(node.input)})"


def rewrite(kind, place, nodes, consts, opset=18, size=(1, 4, 6, 8), last="y"):
    g = h.make_graph(nodes, "g", [h.make_tensor_value_info("x", T.FLOAT, size)], [h.make_tensor_value_info(last, T.FLOAT, None)], consts)
    m = h.make_model(g, opset_imports=[h.make_opsetid("", opset)])
    m.ir_version = 8
    open("before.onnx", "wb").write(m.SerializeToString())
    done = subprocess.run(["./edit_model", "before.onnx", "after.onnx", "rewrite", place, kind], capture_output=True, text=True)
    values = [f"{t.name}={numpy_helper.to_array(t).tolist()}" for t in consts if t.name not in "wk"]
    outcome = "; ".join(map(shown, onnx.load("after.onnx").graph.node)) if done.returncode == 0 else "refused: " + done.stderr.strip().split(": ", 2)[2]
    print(" ".join(["; ".join(map(shown, nodes)), *values, f"x{list(size)}"]), "=>", outcome)


W = stored("w", numpy.ones((4, 4, 3, 3)), numpy.float32)
for pads, axes in (([1, 2, 3, 4], [2, 3]), ([1, 2, 3, 4], [3, 2]), ([1, 2, 3, 4], [-2, -1]), ([1, 2, 3, 4], [-1, -2]), ([1, 2], [2]), ([1, 2], [3]), ([1, 2], [-1]), ([1, 2], [1]), ([0, 0], [1]), ([0, 0], [0]), ([1, 2], [4]), ([1, 2], [-5]),
                   ([0, 1, 0, 1], [1, 2]), ([1, 1, 0, 1], [1, 2]), ([0, 0, 1, 2, 0, 0, 3, 4], [0, 1, 2, 3]), ([0, -1, 0, 1], [2, 3]), ([0, 0], [2])):
    for value in ([], [stored("v", 0, numpy.float32)], [stored("v", 1, numpy.float32)]):
        nodes = [h.make_node("Pad", ["x", "p", "v" if value else "", "a"], ["z"]), h.make_node("Conv", ["z", "w"], ["y"])]
        rewrite("fold-pad", "z", nodes, [W, stored("p", pads), stored("a", axes), *value])
for pads in ([0, 0, 1, 2, 0, 0, 3, 4], [0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 2, 0, 0, 3, 4], [1, 2], [1, 2, 3, 4], [1, 2, 3]):
    rewrite("fold-pad", "z", [h.make_node("Pad", ["x", "p"], ["z"]), h.make_node("Conv", ["z", "w"], ["y"], pads=[1, 0, 2, 5])], [W, stored("p", pads)], 13)
    rewrite("fold-pad", "z", [h.make_node("Pad", ["x"], ["z"], pads=pads), h.make_node("Conv", ["z", "w"], ["y"], strides=[2, 2])], [W], 10)
    rewrite("fold-pad", "z", [h.make_node("Pad", ["x", "p", "v"], ["z"]), h.make_node("MaxPool", ["z"], ["y"], kernel_shape=[5, 6])], [stored("p", pads), stored("v", -numpy.inf, numpy.float32)], 13)
    rewrite("fold-pad", "z", [h.make_node("Pad", ["x", "p"], ["z"]), h.make_node("AveragePool", ["z"], ["y"], kernel_shape=[5, 6], count_include_pad=1)], [stored("p", pads)], 13)
for auto in ("VALID", "SAME_UPPER", "NOTSET"):
    rewrite("fold-pad", "z", [h.make_node("Pad", ["x", "p"], ["z"]), h.make_node("Conv", ["z", "w"], ["y"], auto_pad=auto)], [W, stored("p", [0, 0, 1, 2, 0, 0, 3, 4])], 13)
# Through codes: the Pad's value becomes a zero point, and 0 again where both are the same.
P, S = stored("p", [0, 0, 1, 2, 0, 0, 3, 4]), stored("s", 0.5, numpy.float32)
for into, back in ((7, 7), (7, 0), (0, 7), (0, 0), (7, None), (None, 7), (None, None), (7, "x"), ("x", 7)):
    zeros = [stored(name, at, numpy.uint8) for name, at in (("i", into), ("b", back)) if isinstance(at, int)]
    q = h.make_node("QuantizeLinear", ["z", "s", *([] if into is None else ["i"])], ["q"])
    d = h.make_node("DequantizeLinear", ["q", "s", *([] if back is None else ["b"])], ["d"])
    made = [h.make_node("Cast", ["x"], ["all"], to=T.UINT8), h.make_node("ReduceMax", ["all"], ["i" if into == "x" else "b"], keepdims=0)] if "x" in (into, back) else []
    rewrite("fold-pad", "z", [*made, h.make_node("Pad", ["x", "p"], ["z"]), q, d, h.make_node("Conv", ["d", "w"], ["y"])], [W, P, S, *zeros], 13)
for value, zero in ((7, 7), (0, 7), (None, 7), (None, 0), (None, None), (7, None), (0, None)):
    consts = [W, P, S] + [stored(name, at, numpy.uint8) for name, at in (("v", value), ("b", zero)) if at is not None]
    nodes = [h.make_node("QuantizeLinear", ["x", "s"], ["q"]), h.make_node("Pad", ["q", "p", *([] if value is None else ["v"])], ["z"]),
             h.make_node("DequantizeLinear", ["z", "s", *([] if zero is None else ["b"])], ["d"]), h.make_node("Conv", ["d", "w"], ["y"])]
    rewrite("fold-pad", "z", nodes, consts, 13)
LOW = [stored("low", v, numpy.float32) for v in (0, 0.5, -1)]
for maker, consts in (("", []), ("Relu", []), ("Sigmoid", []), ("Softmax", []), ("HardSigmoid", []), ("Tanh", []), *(("Clip", [low]) for low in LOW), ("Clip", [])):
    before = [h.make_node(maker, ["x", *(t.name for t in consts)], ["m"])] if maker else []
    for op in ("MaxPool", "AveragePool"):
        rewrite("fold-pad", "z", [*before, h.make_node("Pad", ["m" if maker else "x", "p"], ["z"]), h.make_node(op, ["z"], ["y"], kernel_shape=[4, 5])], [P, *consts], 13)
for low in (0.0, 0.5, -1.0):
    rewrite("fold-pad", "z", [h.make_node("Clip", ["x"], ["m"], min=low), h.make_node("Pad", ["m"], ["z"], pads=[0, 0, 1, 2, 0, 0, 3, 4]), h.make_node("MaxPool", ["z"], ["y"], kernel_shape=[4, 5])], [], 10)
for kernel, more in (([3, 5], {}), ([4, 4], {}), ([4, 5], dict(ceil_mode=1)), ([4, 5], dict(pads=[0, 0, 0, 0])), ([5, 6], dict(pads=[1, 1, 1, 1])), ([5, 6], dict(pads=[0, 1, 0, 0])), ([5, 6], dict(pads=[2, 0, 0, 0])), ([5, 6], dict(pads=[0, 0, 2, 0]))):
    for op in ("MaxPool", "AveragePool"):
        rewrite("fold-pad", "z", [h.make_node("Relu", ["x"], ["m"]), h.make_node("Pad", ["m", "p"], ["z"]), h.make_node(op, ["z"], ["y"], kernel_shape=kernel, **more)], [P], 13)
rewrite("fold-pad", "z", [h.make_node("Relu", ["x"], ["m"]), h.make_node("Pad", ["m", "p"], ["z"]), h.make_node("AveragePool", ["z"], ["y"], kernel_shape=[5, 6], pads=[1, 1, 1, 1], count_include_pad=1)], [P], 13)
for dilations in ([2, 1], [1, 2]):
    rewrite("fold-pad", "z", [h.make_node("Relu", ["x"], ["m"]), h.make_node("Pad", ["m", "p"], ["z"]), h.make_node("MaxPool", ["z"], ["y"], kernel_shape=[4, 5], dilations=dilations)], [P], 13)
pad, conv = h.make_node("Pad", ["x", "p"], ["z"]), h.make_node("Conv", ["z", "w"], ["y"])
rewrite("fold-pad", "z", [pad, conv, h.make_node("Relu", ["z"], ["other"])], [W, P], 13)
rewrite("fold-pad", "z", [pad], [P], 13, last="z")
rewrite("fold-pad", "z", [pad, h.make_node("Conv", ["w", "z"], ["y"])], [stored("w", numpy.ones((1, 4, 20, 20)), numpy.float32), P], 13)
rewrite("fold-pad", "z", [pad, h.make_node("QuantizeLinear", ["z", "s", ""], ["q"]), h.make_node("DequantizeLinear", ["q", "s", ""], ["d"]), h.make_node("Conv", ["d", "w"], ["y"])], [W, P, S], 13)
for op in ("Add", "Mul"):
    rewrite("fold-pad", "z", [pad, h.make_node(op, ["z", "s"], ["c"]), h.make_node("Conv", ["c", "w"], ["y"])], [W, P, S], 13)
rewrite("fold-pad", "z", [pad, h.make_node("Relu", ["z"], ["c"]), h.make_node("Conv", ["c", "w"], ["y"])], [W, P], 13)
for chain in (4, 5, 6):
    consts, nodes, at = [W, P, S, stored("zero", 0, numpy.uint8)], [h.make_node("Pad", ["x", "p"], ["z"])], "z"
    for k in range(chain):
        nodes.append(h.make_node("DequantizeLinear" if k % 2 else "QuantizeLinear", [at, "s", "zero"], [f"c{k}"]))
        at = f"c{k}"
    rewrite("fold-pad", "z", [*nodes, h.make_node("Conv", [at, "w"], ["y"])], consts, 13)
consts = [W, P, stored("s", [0.5] * 4, numpy.float32)]
rewrite("fold-pad", "z", [h.make_node("Pad", ["x", "p"], ["z"]), h.make_node("QuantizeLinear", ["z", "s"], ["q"]), h.make_node("DequantizeLinear", ["q", "s"], ["d"]), h.make_node("Conv", ["d", "w"], ["y"])], consts, 13)
for size, one, two in (((1, 4, 6, 8), [0, 2, 3, 1], [0, 3, 1, 2]), ((1, 4, 6, 8), [0, 2, 3, 1], [0, 2, 3, 1]), ((1, 4, 6, 8), [3, 2, 1, 0], [3, 2, 1, 0]), ((4,), [0], [0]), ((2, 3), [1, 0], [1, 0]), ((2, 3, 4), [2, 0, 1], [1, 2, 0]), ((2, 3, 4), [2, 0, 1], [2, 0, 1]),
                       ((1, 2, 3, 4, 5, 6), [5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 1, 0]), ((1, 2, 3, 4, 5, 6, 7, 8), list(range(7, -1, -1)), list(range(7, -1, -1))), ((1,) * 9, list(range(9)), list(range(9))), ((2, 3), [1, 0, 2], [1, 0]), ((2, 3), [1], [1, 0]), ((2, 3), None, [1, 0]), ((2, 3), [1, 1], [1, 0]), ((2, 3), [0, 0], [1, 0]), ((2, 3), [0, 2], [1, 0]), ((2, 3), [2, 0], [1, 0]), ((2, 3), [-1, 0], [1, 0]), ((2, 3), [0, -1], [1, 0]), ((2, 3), [1, 0], [1, 1]), ((2, 3), [1, 0], None), ((2, 3), None, None),
                       ((2, 3), [1, 0], [2, 1]), ((2, 3), [1, 0], [-1, 0]), ((2, 3), [33, 32], [1, 0]), ((2, 3), [-31, -32], [1, 0]), ((1, 3), [1, 1], [1, 0]), ((1, 3), [-1, 0], [0, 1]), ((1, 3, 1), [2, 1, 0], [0, 1, 2]), ((2, 3, 4), None, None), ((2, 1, 3, 1), [0, 2, 1, 3], [0, 1, 2, 3]), ((), [], []),
                       ((2, 3), [0, 1], [1, 0]), ((2, 3), [1, 0], [0, 1]), ((2, 1, 3), [1, 0, 2], [0, 1, 2]), ((2, 1, 3), [0, 2, 1], [0, 1, 2])):
    nodes = [h.make_node("Transpose", ["x"], ["t"], **(dict(perm=one) if one else {})), h.make_node("Transpose", ["t"], ["z"], **(dict(perm=two) if two else {})), h.make_node("Relu", ["z"], ["y"])]
    rewrite("cancel-transposes", "z", nodes, [], 13, size)
    rewrite("cancel-transposes", "t", nodes, [], 13, size)

"""Writes networks with If, lets edit_model write them again, and runs the results."""
import os
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.environ["ROOT"], "tests", "tools"))
import executed  # noqa: E402

NUMBERS = numpy.random.default_rng(5)
N = helper.make_node
DIMS = [2, 4, 1, 1]


def const(name, value):
    return numpy_helper.from_array(numpy.asarray(value), name)


def value(name, kind=TensorProto.FLOAT, dims=None):
    return helper.make_tensor_value_info(name, kind, dims)


def body(nodes, outputs, inputs=(), inits=()):
    return helper.make_graph(nodes, "body", list(inputs), [value(o) if isinstance(o, str) else o for o in outputs],
                             list(inits))


def branch(name, out="t"):
    """Adds the constant `name` to x."""
    return body([N("Add", ["x", name], [out])], [out])


def choose(condition, yes=None, no=None, outputs=("y",)):
    return N("If", [condition], list(outputs), then_branch=yes or branch("one"), else_branch=no or branch("two"))


def loop(nodes):
    """Carries x three times through the nodes, from "state" to "next"."""
    b = body([N("Identity", ["before"], ["go"])] + nodes, [value("go", TensorProto.BOOL), "next"],
             [value("i", TensorProto.INT64, []), value("before", TensorProto.BOOL, []), value("state")])
    return N("Loop", ["trips", "yes", "x"], ["y"], body=b)


def scanning(trips, go="yes", after="go", nodes=None, rows=True):
    """A Loop that carries x, reads its iteration, and hands out a row for each."""
    nodes = nodes or [N("Cast", ["i"], ["f"], to=1), N("Add", ["state", "f"], ["next"]), N("Mul", ["next", "two"], ["row"])]
    outputs = [value(after, TensorProto.BOOL), "next"] + (["row"] if rows else [])
    b = body([N("Identity", ["before"], ["go"])] + nodes, outputs,
             [value("i", TensorProto.INT64, []), value("before", TensorProto.BOOL, []), value("state")])
    return N("Loop", [trips, go, "x"], ["y", "rows"] if rows else ["y"], body=b)


def model(nodes, rank=4, **inits):
    known = dict(one=numpy.float32(1), two=numpy.float32(2), yes=numpy.bool_(True), no=numpy.bool_(False), trips=numpy.int64(3))
    known.update(inits)
    used = str(nodes)
    g = helper.make_graph(nodes, "g", [value("x", dims=DIMS)], [value("y", dims=[None] * rank)],
                          [const(k, v) for k, v in known.items() if f'"{k}"' in used])
    return helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def squeeze(axis, x, y):
    """As torch.onnx writes Tensor.squeeze(axis)."""
    a = y + "_"
    return [N("Shape", [x], [a + "s"]), N("Gather", [a + "s", f"axis{axis}"], [a + "d"]), N("Equal", [a + "d", "one_int"], [a + "c"]),
            choose(a + "c", body([N("Squeeze", [x, f"axes{axis}"], ["t"])], ["t"]), body([N("Identity", [x], ["e"])], ["e"]), [y])]


def rename(node, output):
    node.output[0] = output
    return node


def again(x):
    node = loop([DOUBLE])
    node.input[2] = x
    return node


DOUBLE = N("Add", ["state", "state"], ["next"])
SQUEEZING = dict(one_int=numpy.int64(1), axis1=numpy.int64(1), axis3=numpy.int64(3), axes1=numpy.int64([1]), axes3=numpy.int64([3]))
OF_ROWS = [N("ReduceMax", ["rows"], ["largest"], axes=[0], keepdims=0), N("Add", ["last", "largest"], ["y"])]
DATA = [N("ReduceSum", ["x"], ["sum"], keepdims=0), N("Greater", ["sum", "one"], ["c"])]

GOOD = {
    "initializer": (model([choose("yes")]), lambda x: x + 1),
    "initializer-no": (model([choose("no")]), lambda x: x + 2),
    "computed": (model([N("Not", ["yes"], ["c"]), choose("c")]), lambda x: x + 2),
    "squeeze": (model([N("Relu", ["x"], ["r"])] + squeeze(3, "r", "s1") + squeeze(1, "s1", "s2") + [N("Sigmoid", ["s2"], ["y"])], rank=3, **SQUEEZING),
                lambda x: 1 / (1 + numpy.exp(-numpy.maximum(x, 0)[..., 0]))),
    "two-results": (model([choose("yes", body([N("Add", ["x", "one"], ["t"]), N("Add", ["t", "t"], ["u"])], ["u", "t"]),
                                  body([N("Relu", ["x"], ["t"]), N("Relu", ["t"], ["u"])], ["t", "u"]), ["a", "b"]),
                           N("Sub", ["a", "b"], ["y"])]), lambda x: x + 1),
    "same-result-twice": (model([choose("yes", body([N("Add", ["x", "one"], ["t"])], ["t", "t"]),
                                        body([N("Add", ["x", "two"], ["t"])], ["t", "t"]), ["a", "b"]), N("Add", ["a", "b"], ["y"])]),
                          lambda x: 2 * x + 2),
    "own-constant": (model([choose("yes", body([N("Add", ["x", "k"], ["t"])], ["t"], inits=[const("k", numpy.float32(5))]))]), lambda x: x + 5),
    "names-used-twice": (model([choose("yes", outputs=["a"]), N("Relu", ["a"], ["t"]), choose("no", branch("one", "t2"), body([N("Add", ["t", "two"], ["u"])], ["u"]))]),
                         lambda x: numpy.maximum(x + 1, 0) + 2),
    "inside-a-branch": (model([choose("yes", body([choose("no", branch("one", "t1"), branch("two", "t2"), ["t"]), N("Add", ["t", "one"], ["v"])], ["v"]))]), lambda x: x + 3),
    "loop": (model([loop([DOUBLE])]), lambda x: 8 * x),
    "loop-rows": (model([rename(scanning("trips"), "last")] + OF_ROWS), lambda x: x + 1 + 2 + 2 * (x + 1 + 2)),
    "loop-of-a-shape": (model([N("Shape", ["x"], ["s"]), N("Gather", ["s", "one_int"], ["n"]), scanning("n", rows=False)], one_int=numpy.int64(1)),
                        lambda x: x + 1 + 2 + 3),
    "loop-without-condition": (model([scanning("trips", "", rows=False)]), lambda x: x + 1 + 2),
    "loop-own-condition": (model([scanning("trips", after="always", rows=False, nodes=[
        N("Constant", [], ["always"], value=const("v", numpy.bool_(True))), N("Cast", ["i"], ["f"], to=1), N("Add", ["state", "f"], ["next"])])]),
        lambda x: x + 1 + 2),
    "loop-ends-after-one": (model([scanning("trips", after="never", rows=False, nodes=[N("Not", ["before"], ["never"]), DOUBLE])]), lambda x: 2 * x),
    "loop-of-one": (model([scanning("one_int", after="data", rows=False, nodes=[
        N("ReduceSum", ["state"], ["sum"], keepdims=0), N("Greater", ["sum", "two"], ["data"]), DOUBLE])], one_int=numpy.int64(1)), lambda x: 2 * x),
    "loop-of-none": (model([scanning("trips", "no", rows=False), ]), lambda x: x),
    "loop-in-a-branch": (model([choose("yes", body([rename(loop([DOUBLE]), "z")], ["z"]))]), lambda x: 8 * x),
    "loop-after-loop": (model([rename(loop([DOUBLE]), "z"), again("z")]), lambda x: 64 * x),
    "loop-own-constant": (model([N("Loop", ["trips", "yes", "x"], ["y"], body=body(
        [N("Identity", ["before"], ["go"]), N("Add", ["state", "k"], ["next"])], [value("go", TensorProto.BOOL), "next"],
        [value("i", TensorProto.INT64, []), value("before", TensorProto.BOOL, []), value("state")], [const("k", numpy.float32(5))]))]), lambda x: x + 5 + 5 + 5),
}
B, I64 = TensorProto.BOOL, TensorProto.INT64
TWICE, ONCE = body([N("Add", ["state", "state"], ["u"])], ["u"]), body([N("Identity", ["state"], ["w"])], ["w"])


def choosing(condition, *nodes):
    """A Loop that doubles what it carries or leaves it, by a condition that it computes."""
    return scanning("trips", rows=False, nodes=[*nodes, choose(condition, TWICE, ONCE, ["next"])])


def until(after, nodes, count="", states=(), start="yes", **inits):
    """A Loop that doubles x until `after`, which the nodes compute, is false."""
    b = body([N("Add", ["state", "state"], ["next"])] + nodes, [value(after, B, []), "next"] + [value(o, k, d) for _, _, o, k, d in states],
             [value("i", I64, []), value("before", B, []), value("state")] + [value(n, k, d) for _, n, _, k, d in states])
    outputs = ["y"] + ["end_" + n for _, n, *_ in states]
    return model([N("Loop", [count, start, "x"] + [s for s, *_ in states], outputs, body=b)], last=numpy.int64(2), zero=numpy.int64(0), step=numpy.int64(3), **inits)


def scan(attributes, first="x", outputs=("rows",), more=(), nodes=None, opset=13, rank=4, **inits):
    """Adds up the parts of x along an axis, and hands out every sum."""
    nodes = nodes or [N("Add", ["state", "part"], ["sum"]), N("Mul", ["sum", "two"], ["row"])]
    b = body(nodes, ["sum", "row"], [value("state"), value("part")])
    lengths = [""] if opset == 8 else []
    m = model([N("Scan", [*lengths, "start", first], ["last", "rows"], body=b, num_scan_inputs=1, **attributes), *more], rank, **inits)
    m.opset_import[0].version = opset
    return m


def cumulated(x, axis, reverse=False, out=0, out_reverse=False):
    parts = numpy.moveaxis(x, axis, 0)[::-1 if reverse else 1]
    rows = 2 * numpy.cumsum(parts, 0)[::-1 if out_reverse else 1]
    return numpy.moveaxis(rows, 0, out)


LESS, COUNTED = N("Less", ["i", "last"], ["more"]), ("zero", "n", "m", I64, [])
ROWS = [N("Identity", ["rows"], ["y"])]
GOOD.update({
    "loop-by-its-number": (until("more", [LESS]), lambda x: 8 * x),
    "loop-by-number-and-count": (until("more", [LESS], "two_int", two_int=numpy.int64(2)), lambda x: 4 * x),
    "loop-by-not": (until("more", [N("Greater", ["i", "last"], ["done"]), N("Not", ["done"], ["more"])]), lambda x: 16 * x),
    "loop-by-and": (until("more", [N("And", ["before", "yes"], ["both"]), N("Less", ["i", "last"], ["few"]), N("And", ["both", "few"], ["more"])]),
                    lambda x: 8 * x),
    "loop-by-a-counter": (until("more", [N("Add", ["n", "step"], ["m"]), N("Less", ["m", "ten"], ["more"])], states=[COUNTED], ten=numpy.int64(10)),
                          lambda x: 16 * x),
    "loop-by-a-float-counter": (until("more", [N("Mul", ["n", "half"], ["m"]), N("Greater", ["m", "tenth"], ["more"])], half=numpy.float32(.5),
                                      states=[("one", "n", "m", TensorProto.FLOAT, [])], tenth=numpy.float32(.1)), lambda x: 16 * x),
    "loop-by-a-shape": (until("more", [N("Concat", ["n", "n"], ["m"], axis=0), N("Shape", ["m"], ["s"]), N("Squeeze", ["s"], ["length"]),
                                       N("Less", ["length", "five"], ["more"])], states=[("zeros", "n", "m", I64, [None])],
                              zeros=numpy.zeros(1, numpy.int64), five=numpy.int64(5)), lambda x: 8 * x),
    "count-of-a-constant-node": (model([N("Constant", [], ["k"], value=const("v", numpy.int64(2))), N("Identity", ["k"], ["n"]), scanning("n", rows=False)]),
                                 lambda x: x + 1),
    "count-of-shape-filled": (model([N("ConstantOfShape", ["none"], ["k"], value=const("v", numpy.int32([3]))), N("Cast", ["k"], ["n"], to=7),
                                     scanning("n", rows=False)], none=numpy.zeros(0, numpy.int64)), lambda x: x + 3),
    "condition-of-equal-shapes": (model([N("Relu", ["x"], ["r"]), N("Shape", ["r"], ["a"]), N("Shape", ["x"], ["b"]), N("Equal", ["a", "b"], ["each"]),
                                         N("Cast", ["each"], ["k"], to=7), N("ReduceMin", ["k"], ["m"], keepdims=0), N("Cast", ["m"], ["c"], to=9), choose("c")]),
                                  lambda x: x + 1),
    "choice-in-a-loop": (model([choosing("before")]), lambda x: 8 * x),
    "choice-by-the-number": (model([choosing("few", N("Less", ["i", "one_int"], ["few"]))], one_int=numpy.int64(1)), lambda x: 2 * x),
    "choice-calls-what-the-loop-makes": (model([scanning("trips", rows=False, nodes=[
        N("Cast", ["i"], ["f"], to=1), N("Add", ["state", "f"], ["t"]), choose("before", body([N("Mul", ["t", "f"], ["u"])], ["u"]), ONCE, ["next"])])]),
        lambda x: ((x * 0 + 1) * 1 + 2) * 2),
    "loop-in-a-loop": (model([scanning("trips", rows=False, nodes=[N("Loop", ["i", "before", "state"], ["next"], body=body(
        [N("Identity", ["go_in"], ["go_on"]), N("Add", ["inner", "one"], ["grown"])], [value("go_on", B), "grown"],
        [value("j", I64, []), value("go_in", B, []), value("inner")]))])]), lambda x: x + 0 + 1 + 2),
    "scan": (scan({}, more=ROWS, start=numpy.zeros(DIMS[1:], "f")), lambda x: cumulated(x, 0)),
    "scan-axis": (scan(dict(scan_input_axes=[1], scan_output_axes=[3]), more=ROWS, start=numpy.zeros([2, 1, 1], "f")), lambda x: cumulated(x, 1, out=3)),
    "scan-reverse": (scan(dict(scan_input_axes=[-3], scan_input_directions=[1], scan_output_directions=[1], scan_output_axes=[-1]), more=ROWS,
                          start=numpy.zeros([2, 1, 1], "f")), lambda x: cumulated(x, 1, True, 3, True)),
    "scan-last": (scan(dict(scan_input_axes=[1]), more=[N("Identity", ["last"], ["y"])], rank=3, start=numpy.zeros([2, 1, 1], "f")), lambda x: x.sum(1)),
    "scan-opset-9": (scan(dict(scan_input_axes=[1]), more=ROWS, opset=9, start=numpy.zeros([2, 1, 1], "f")), lambda x: cumulated(x, 1)),
    "scan-opset-18": (scan(dict(scan_input_axes=[1]), more=ROWS, opset=18, start=numpy.zeros([2, 1, 1], "f")), lambda x: cumulated(x, 1)),
    "scan-of-two": (model([N("Relu", ["x"], ["r"]), N("Scan", ["a", "b", "x", "r"], ["p", "q", "s", "t"], num_scan_inputs=2, scan_input_axes=[1, 1],
                                                  scan_input_directions=[0, 1], body=body(
        [N("Add", ["a_", "x_"], ["a2"]), N("Max", ["b_", "r_"], ["b2"]), N("Add", ["a2", "b2"], ["s_"]), N("Sub", ["x_", "r_"], ["t_"])],
        ["a2", "b2", "s_", "t_"], [value(k) for k in ("a_", "b_", "x_", "r_")])), N("Add", ["p", "q"], ["u"]), N("Add", ["s", "t"], ["v"]), N("Add", ["u", "v"], ["y"])],
                          a=numpy.zeros([2, 1, 1], "f"), b=numpy.zeros([2, 1, 1], "f")), lambda x: two_states(x)),
})


def two_states(x):
    a = b = numpy.zeros([2, 1, 1], "f")
    r, s, t = numpy.maximum(x, 0), [], []
    for i in range(4):
        a, b = a + x[:, i], numpy.maximum(b, r[:, 3 - i])
        s.append(a + b), t.append(x[:, i] - r[:, 3 - i])
    return a + b + (numpy.stack(s) + numpy.stack(t))


def nested(depth):
    """Loops of 64 iterations, one in the other."""
    nodes = [N("Add", [f"s{depth - 1}", f"s{depth - 1}"], [f"n{depth - 1}"])]
    for d in reversed(range(depth)):
        b = body([N("Identity", [f"g{d}"], [f"h{d}"])] + nodes, [value(f"h{d}", B), f"n{d}"],
                 [value(f"i{d}", I64, []), value(f"g{d}", B, []), value(f"s{d}")])
        nodes = [N("Loop", ["many", "yes", f"s{d - 1}" if d else "x"], [f"n{d - 1}" if d else "y"], body=b)]
    return model(nodes, many=numpy.int64(64))


KEPT = {
    "choice-by-data-in-a-loop-by-data": model(DATA + [N("Cast", ["c"], ["n"], to=7), N("Loop", ["n", "", "x"], ["y"], body=body(
        [N("Identity", ["before"], ["go"]), choose("before", TWICE, ONCE, ["next"])], [value("go", B), "next"],
        [value("i", I64, []), value("before", B, []), value("state")]))]),
    "loop-by-number-and-data": until("more", [N("Less", ["i", "last"], ["few"]), N("ReduceSum", ["next"], ["sum"], keepdims=0),
                                              N("Greater", ["sum", "two"], ["much"]), N("And", ["much", "few"], ["more"])]),
    "loop-by-number-begun-by-data": model(DATA + [N("Loop", ["", "c", "x"], ["y"], body=body([DOUBLE, LESS], [value("more", B, []), "next"],
                                          [value("i", I64, []), value("before", B, []), value("state")]))], last=numpy.int64(2)),
    "loop-by-a-far-number": until("more", [N("Less", ["i", "far"], ["more"])], far=numpy.int64(64)),
    "loop-without-progress": until("more", [N("Add", ["n", "zero"], ["m"]), N("Less", ["m", "last"], ["more"])], states=[COUNTED]),
    "loops-in-loops": nested(8),
    "scan-of-many": scan(dict(scan_input_axes=[1]), "wide", more=[N("Add", ["x", "last"], ["y"])], start=numpy.zeros([1], "f"), wide=numpy.zeros([1, 65], "f")),
    "scan-of-opset-8": scan({}, more=ROWS, opset=8, start=numpy.zeros([2, 1, 1], "f")),
    "scan-of-unknown-length": model([N("NonZero", ["x"], ["places"]), N("Cast", ["places"], ["some"], to=1), N("Scan", ["start", "some"], ["last", "rows"],
                                     num_scan_inputs=1, scan_input_axes=[1], body=body([N("Add", ["state", "part"], ["sum"]), N("Neg", ["sum"], ["row"])],
                                     ["sum", "row"], [value("state"), value("part")])), N("Gather", ["last", "zero"], ["first"]), N("Add", ["x", "first"], ["y"])],
                                    start=numpy.zeros(4, "f"), zero=numpy.int64(0)),
    "loop-over-data": model(DATA + [N("Cast", ["c"], ["n"], to=7), scanning("n", rows=False)]),
    "loop-until-data": model([scanning("trips", after="data", rows=False, nodes=[
        N("ReduceSum", ["state"], ["sum"], keepdims=0), N("Greater", ["sum", "two"], ["data"]), DOUBLE])]),
    "loop-of-many": model([scanning("many", rows=False)], many=numpy.int64(65)),
    "loop-without-end": model([scanning("", rows=False)]),
    "data": model(DATA + [choose("c")]),
}


def inlined(name, m):
    onnx.save(m, name + ".onnx")
    subprocess.run(["./edit_model", name + ".onnx", name + ".new.onnx"], check=True)
    if m.opset_import[0].version <= onnx.defs.onnx_opset_version():
        onnx.checker.check_model(name + ".new.onnx")
    return " ".join(n.op_type for n in onnx.load(name + ".new.onnx").graph.node)


def worst(name, want):
    """The largest difference on ten inputs."""
    inputs = [NUMBERS.normal(size=DIMS).astype(numpy.float32) for _ in range(10)]
    have = [executed.outputs(sys.argv[1], name + ".new.onnx", x)[0] for x in inputs]
    if have[0].shape != want(inputs[0]).shape:
        return f"has {have[0].shape}"
    off = max(numpy.abs(a - want(x)).max() for a, x in zip(have, inputs))
    return "equal" if off < 1e-6 else f"off by {off:g}"


if __name__ == "__main__":
    for name, (m, want) in GOOD.items():
        print(f"{name}: {inlined(name, m)}; {worst(name, want)}")
    for name, m in KEPT.items():
        print(f"{name}: kept: {inlined(name, m)}")
    print("wrong:", worst("initializer", lambda x: x)[:6])

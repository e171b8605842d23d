"""Writes networks with If, lets edit_model write them again, and runs the results."""
import pathlib
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

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
KEPT = {
    "loop-over-data": model(DATA + [N("Cast", ["c"], ["n"], to=7), scanning("n", rows=False)]),
    "loop-until-data": model([scanning("trips", after="data", rows=False, nodes=[
        N("ReduceSum", ["state"], ["sum"], keepdims=0), N("Greater", ["sum", "two"], ["data"]), DOUBLE])]),
    "loop-of-many": model([scanning("many", rows=False)], many=numpy.int64(65)),
    "loop-without-end": model([scanning("", rows=False)]),
    "data": model(DATA + [choose("c")]),
    "bodies-in-a-loop": model([loop([choose("before", body([N("Add", ["state", "one"], ["u"])], ["u"]), body([N("Add", ["state", "two"], ["w"])], ["w"]), ["next"])])]),
}


def run(path, x):
    folder = pathlib.Path(path + ".in")
    folder.mkdir(exist_ok=True)
    numpy.save(folder / "input_0.npy", x)
    done = subprocess.run([sys.argv[1], path, "--values", "--input-dir", folder, "--output-dir", path + ".out"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path}: {done.stderr}")
    return numpy.load(pathlib.Path(path + ".out") / "output_0.npy")


def inlined(name, m):
    onnx.save(m, name + ".onnx")
    subprocess.run(["./edit_model", name + ".onnx", name + ".new.onnx"], check=True)
    onnx.checker.check_model(name + ".new.onnx")
    return " ".join(n.op_type for n in onnx.load(name + ".new.onnx").graph.node)


def worst(name, want):
    """The largest difference on ten inputs."""
    inputs = [NUMBERS.normal(size=DIMS).astype(numpy.float32) for _ in range(10)]
    have = [run(name + ".new.onnx", x) for x in inputs]
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

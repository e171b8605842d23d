"""SiLU of codes, as onnxruntime writes operators (QLinearConv, QLinearSigmoid, QLinearMul), and its twin between Quantize and Dequantize."""
import json
import pathlib
import subprocess
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save

SHAPE, MS, REPEATS = [1, 16, 256, 256], "com.microsoft", 10


class Net:
    """Convolutions of 16 channels; `codes` says whether operators take codes or floats with conversions around them."""

    def __init__(self, codes, dtype):
        self.rng, self.codes, self.dtype, self.nodes, self.inits = numpy.random.default_rng(6), codes, dtype, [], []
        self.zero = 128 if dtype == "uint8" else 0
        self.at = self.steps(.05)

    def const(self, value):
        self.inits.append(numpy_helper.from_array(numpy.asarray(value), f"k{len(self.inits)}"))
        return self.inits[-1].name

    def steps(self, scale, zero=None):
        return [self.const(numpy.float32(scale)), self.const(numpy.array(self.zero if zero is None else zero, self.dtype))]

    def op(self, kind, *inputs, **attributes):
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, [*inputs], [name], **attributes))
        return name

    def floats(self, kind, inputs, steps, **attributes):
        """The operator between conversions of its inputs, which are pairs of codes and steps, and of its result."""
        values = [self.op("DequantizeLinear", t, *s) for t, s in inputs]
        return self.op("QuantizeLinear", self.op(kind, *values, **attributes), *steps), steps

    def conv(self, x, scale=.05):
        w = self.const(self.rng.integers(-99, 99, (16, 16, 1, 1)).astype("i1")), [self.const(numpy.float32(.006)), self.const(numpy.int8(0))]
        if not self.codes:
            return self.floats("Conv", [x, w], self.steps(scale))
        steps = self.steps(scale)
        return self.op("QLinearConv", x[0], *x[1], w[0], *w[1], *steps), steps

    def gate(self, x, steps, kind="Sigmoid"):
        if not self.codes or kind != "Sigmoid":
            return self.floats(kind, [x], steps)
        return self.op("QLinearSigmoid", x[0], *x[1], *steps, domain=MS), steps

    def mul(self, a, b, scale=.05):
        steps = self.steps(scale)
        return (self.op("QLinearMul", a[0], *a[1], b[0], *b[1], *steps, domain=MS), steps) if self.codes else self.floats("Mul", [a, b], steps)

    def save(self, name, build):
        x = self.op("QuantizeLinear", "x", *self.at), self.at
        y = self.conv(x)
        for _ in range(REPEATS):
            y = self.conv(build(self, y))
        self.nodes.append(helper.make_node("DequantizeLinear", [y[0], *y[1]], ["y"]))
        v = lambda n: helper.make_tensor_value_info(n, TensorProto.FLOAT, SHAPE)
        g = helper.make_graph(self.nodes, "g", [v("x")], [v("y")], self.inits)
        save(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13), helper.make_opsetid(MS, 1)], ir_version=7), name)


def silu(n, x, swapped=False, scale=1 / 256, out=.05, kind="Sigmoid"):
    g = n.gate(x, n.steps(scale, 0 if n.zero else -128), kind)
    return n.mul(*((g, x) if swapped else (x, g)), out)


def beside(n, x):
    """The product's result is of the Sigmoid's kind of codes, its gate of floats."""
    codes, n.codes = n.codes, False
    y = silu(n, x)
    n.codes = codes
    return y


def of_another(n, x):
    return n.mul(n.conv(x), n.gate(x, n.steps(1 / 256, -128)))


KINDS = {
    "as onnxruntime writes it": (silu, "int8"),
    "the gate first": (lambda n, x: silu(n, x, swapped=True), "int8"),
    "uint8, another scale of the gate": (lambda n, x: silu(n, x, scale=1 / 250), "uint8"),
    "another scale of the product": (lambda n, x: silu(n, x, out=.04), "int8"),
    "two in a row": (lambda n, x: silu(n, silu(n, x)), "int8"),
    "HardSigmoid between conversions": (lambda n, x: silu(n, x, kind="HardSigmoid"), "int8"),
    "SiLU between conversions": (beside, "int8"),
    "near miss, the gate of another value": (of_another, "int8"),
    "near miss, a constant factor": (lambda n, x: n.mul(x, (n.const(numpy.int8([[[3]]] * 16)), n.steps(.01))), "int8"),
}


ASKED = ["--needs", "retrain", "--input-dtype", "uint8", "--output-dtype", "int8", "--min-gain", "0ns"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if not done.returncode else (done.stderr.strip().splitlines() or ["?"])[-1]


def advise(model):
    """What is found at which place, its figures and those of the plans; the networks differ in names only."""
    run(sys.argv[1], model, *ASKED, "--json", "r.json")
    r = json.loads(pathlib.Path("r.json").read_text())
    return (["{} {}x".format(c["rule_id"], len(c["occurrences"])) for c in r["changes"]],
            [c["alone"]["predicted"] for c in r["changes"]], [p["after"]["latency_ns"] for p in r["plans"]], r["now"]["latency_ns"])


def values(model):
    run(sys.argv[2], model, "--values", "--input-dir", "in", "--output-dir", "o")
    return numpy.load("o/output_0.npy").astype("i4")


def main():
    pathlib.Path("in").mkdir()
    for kind, (build, dtype) in KINDS.items():
        found, made = [], []
        for codes in (True, False):
            name = "codes.onnx" if codes else "floats.onnx"
            Net(codes, dtype).save(name, build)
            found.append(advise(name))
            numpy.save("in/input_0.npy", numpy.random.default_rng(3).integers(0, 255, SHAPE).astype("u1"))
            if not run(sys.argv[1], "apply", name, *ASKED, "--output", "b"):
                made.append(values("b/model.onnx"))
            run("rm", "-rf", "b")
        places = [f for f in found[0][0] if f.startswith("NPU303")]
        print(f"{kind}: {', '.join(places) or 'no NPU303'}, {'as its twin' if found[0] == found[1] else 'other than its twin'}", end="")
        if len(made) == 2:
            print(f"; values up to {numpy.abs(made[0] - made[1]).max()} steps apart, {'many' if made[0].std() > 9 else 'few'} of them", end="")
        print()


main()

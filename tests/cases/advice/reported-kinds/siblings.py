"""Small networks of the kinds that users reported, each in a form that the report did not have, and what the advice on them says."""
import json
import re
import subprocess
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save

F, H, Q = numpy.float32, numpy.float16, numpy.uint8
E4M3FN, E5M2, INT4 = 17, 19, 22  # types of ONNX 1.14 and 1.16


class Net:
    def __init__(self, opset=13, dtype=F):
        self.rng, self.nodes, self.constants, self.opset, self.dtype = numpy.random.default_rng(5), [], [], opset, dtype

    def const(self, value, raw=None):
        t = numpy_helper.from_array(numpy.asarray(value), f"c{len(self.constants)}")
        if raw:
            t.data_type = raw
        self.constants.append(t)
        return t.name

    def op(self, op, *inputs, outputs=1, **attributes):
        inputs = [x if isinstance(x, str) else self.const(x) for x in inputs]
        names = [f"t{len(self.nodes)}_{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def weights(self, *shape):
        return (self.rng.normal(size=shape) / 8).astype(self.dtype)

    def conv(self, x, into, out, kernel=3):
        return self.op("Conv", x, self.weights(out, into, kernel, kernel), pads=[kernel // 2] * 4)

    def save(self, name, shape, *outputs):
        types = {F: TensorProto.FLOAT, H: TensorProto.FLOAT16, Q: TensorProto.UINT8}
        g = helper.make_graph(self.nodes, "g", [helper.make_tensor_value_info("x", types[self.dtype], shape)],
                              [helper.make_empty_tensor_value_info(o) for o in outputs], self.constants)
        for o in g.output:
            o.type.tensor_type.elem_type = types[self.dtype]
        save(helper.make_model(g, opset_imports=[helper.make_opsetid("", self.opset), helper.make_opsetid("com.microsoft", 1)], ir_version=8), name)


def norm(n, x, size, **attributes):
    one, zero = numpy.ones(size, n.dtype), numpy.zeros(size, n.dtype)
    return n.op("LayerNormalization", x, one, zero, axis=-1, **attributes)


def written_out(n, x, size):
    axes = dict(axes=[-1])
    far = n.op("Sub", x, n.op("ReduceMean", x, **axes))
    spread = n.op("Sqrt", n.op("Add", n.op("ReduceMean", n.op("Mul", far, far), **axes), n.dtype(1e-5)))
    return n.op("Div", far, spread)


def rows(kind, dtype=F):
    """64 rows of 96 numbers through products and norms."""
    n = Net(17, dtype)
    x = n.op("MatMul", "x", n.weights(96, 96))
    if kind == "three in a row":
        x = norm(n, norm(n, norm(n, x, 96), 96), 96)
    elif kind == "on a residual":
        first = norm(n, x, 96)
        x = norm(n, n.op("Add", first, n.op("MatMul", norm(n, first, 96), n.weights(96, 96))), 96)
    elif kind == "written out before":
        x = norm(n, written_out(n, x, 96), 96)
    elif kind == "one":
        x = norm(n, x, 96)
    elif kind == "written out":
        x = written_out(n, x, 96)
    elif kind == "two":
        x = n.op("MatMul", norm(n, x, 96), n.weights(96, 96))
        x = norm(n, x, 96, epsilon=1e-6)
    n.save("m.onnx", [1, 64, 96], n.op("MatMul", x, n.weights(96, 96)))


def coded(kind):
    """QDQ around a Conv, in float8."""
    n = Net(19)
    of = E5M2 if kind == "E5M2" else E4M3FN
    per_channel, alone = kind == "a scale for each channel", kind == "weights alone"

    def through(x, size=0):
        scale = numpy.full(size, .1, F) if size else F(.1)
        zero = n.const(numpy.zeros(size or (), Q), of)
        axis = dict(axis=0) if size else {}
        return n.op("DequantizeLinear", n.op("QuantizeLinear", x, scale, zero, **axis), scale, zero, **axis)
    x = "x" if alone else through("x")
    w = through(n.const(n.weights(8, 8, 3, 3)), 8 if per_channel else 0)
    x = n.op("Conv", x, w, pads=[1] * 4)
    n.save("m.onnx", [1, 8, 64, 64], x if alone else through(x))


def between(kind):
    """An operator that the NPU lacks, or that only keeps an order, with Convs before and after."""
    n = Net()
    x = n.conv("x", 3, 16)
    if kind == "Reshape and back":
        x = n.op("Reshape", n.op("Erf", n.op("Reshape", x, numpy.array([1, 16, 4096]))), numpy.array([1, 16, 64, 64]))
    elif kind == "Unsqueeze and Squeeze":
        x = n.op("Squeeze", n.op("Erf", n.op("Unsqueeze", x, numpy.array([2]))), numpy.array([2]))
    elif kind == "Flatten of rows":
        x = n.op("Reshape", n.op("Round", n.op("Flatten", x, axis=2)), numpy.array([1, 16, 64, 64]))
    n.save("m.onnx", [1, 3, 64, 64], n.conv(x, 16, 8))


def ended(kind):
    """An image at the end, of known or of unknown range."""
    n = Net()
    x = n.conv("x", 3, 3)
    op, of = n.op, lambda op: n.op(op, x)
    bounds = lambda t, lo, hi: op("Min", op("Max", t, F(lo)), F(hi))
    x = {"Sigmoid": lambda: of("Sigmoid"), "Clip to 1": lambda: op("Clip", x, F(0), F(1)),
         "Clip to 6": lambda: op("Clip", x, F(0), F(6)), "Relu": lambda: of("Relu"), "Tanh": lambda: of("Tanh"),
         "half of Tanh": lambda: op("Mul", op("Add", of("Tanh"), F(1)), F(.5)),
         "Tanh by 2, plus .5": lambda: op("Add", op("Div", of("Tanh"), F(2)), F(.5)),
         ".5 less half of Tanh, a number for each channel": lambda: op("Sub", F(.5), op("Mul", F([[[.5]]] * 3), of("Tanh"))),
         "Clip to 6, by 6": lambda: op("Div", op("Clip", x, F(0), F(6)), F(6)),
         "Min and Max": lambda: bounds(x, 0, 1), "1 less Sigmoid": lambda: op("Sub", F(1), of("Sigmoid")),
         "Tanh above zero, turned": lambda: op("Transpose", op("Relu", of("Tanh")), perm=[0, 1, 3, 2]),
         "half of Tanh, Clip without end": lambda: op("Clip", op("Mul", of("Tanh"), F(1)), F(0)),
         "Tanh plus 1": lambda: op("Add", of("Tanh"), F(1)), "half of Tanh alone": lambda: op("Mul", of("Tanh"), F(.5)),
         "by an image": lambda: op("Div", of("Sigmoid"), op("Add", of("Sigmoid"), F(.001))),
         "twice Sigmoid": lambda: op("Mul", of("Sigmoid"), F(2))}[kind]()
    n.save("m.onnx", [1, 3, 512, 512], x)


SIZES = {"height and width": {"H": 240, "W": 304}, "batch and width": {"N": 1, "W": 336}, "rows": {"L": 80}}


def sized(kind, of):
    """A network whose input has these sizes, numbers or names."""
    n = Net()
    if kind == "rows":
        x = n.op("Softmax", n.op("MatMul", "x", n.weights(96, 96)), axis=-1)
        n.save("m.onnx", [1, of("L"), 96], n.op("MatMul", x, n.weights(96, 96)))
        return
    x = n.op("HardSigmoid", n.conv("x", 3, 16))
    shape = [1, 3, of("H"), of("W")] if kind == "height and width" else [of("N"), 3, 64, of("W")]
    n.save("m.onnx", shape, n.conv(x, 16, 8))


def bound(kind):
    found = []
    for of, options in ((SIZES[kind].get, []), (str, [word for name, size in SIZES[kind].items() for word in ("--dim", f"{name}={size}")])):
        sized(kind, of)
        r, _ = advise(*options)
        found.append(([(c["rule_id"], c["alone"]["predicted"]) for c in r["changes"]], [p["after"] for p in r["plans"]], r["now"]))
    return f"changes: {len(found[0][0])}, {'as with the numbers in it' if found[0] == found[1] else 'other than with the numbers'}"


def advise(*options):
    done = subprocess.run([sys.argv[1], "m.onnx", "--json", "r.json", *options], capture_output=True, text=True)
    return json.load(open("r.json")), done.stdout + done.stderr


def host_norms(model):
    done = subprocess.run([sys.argv[1], "compile", model, "--emit", "json"], capture_output=True, text=True)
    return sum(s["kind"] == "host" and s.get("op") in ("LayerNormalization", "ReduceMean", "Div", "Sqrt") for s in json.loads(done.stdout)["steps"])


def fixed(kind):
    rows(kind)
    before = host_norms("m.onnx")
    subprocess.run([sys.argv[1], "apply", "m.onnx", "--needs", "accuracy", "--output", "b"], capture_output=True, check=True)
    after = host_norms("b/model.onnx")
    subprocess.run(["rm", "-r", "b"], check=True)
    return f"{before} host operators of norms, {after} after apply"


def half(kind):
    rows(kind, H)
    r, text = advise()
    said = "quantize it again" in text
    first = next((c["fix"]["text"] for k in ("changes", "by_hand") for c in r[k] if c["rule_id"] == "NPU301"), "none")
    return f"{'quantize it again' if said else 'float32 first' if 'float32' in text else 'nothing said'}; {first.split(';')[0]}"


def float8(kind):
    coded(kind)
    r, text = advise()
    if "takes no float16 or narrower" in " ".join(text.split()):
        return "refused: no numbers that narrow"
    fix = next((c["fix"]["text"] for c in r["by_hand"] if c["rule_id"] == "NPU301"), "no fix")
    return f"float8 is named; {fix}" if "float8" in json.dumps(r) + text else f"not named; {[c['rule_id'] for c in r['changes']]}"


def otherwise(kind):
    """Weights or activations of other bits than 8: what the user is told to do."""
    n = Net(21)
    if kind == "MatMulNBits":
        codes = numpy.zeros((96, 3, 16), Q)
        y = n.op("MatMulNBits", "x", codes, numpy.ones(288, F), domain="com.microsoft", K=96, N=96, bits=4, block_size=32)
        n.save("m.onnx", [1, 64, 96], y)
    else:
        wide, four = numpy.zeros((8, 8, 3, 3), numpy.int16), n.const(numpy.zeros(288, Q), INT4)
        n.constants[-1].dims[:] = [8, 8, 3, 3]
        x = "x"
        if kind != "weights of 4 bits":
            zero = numpy.uint16(9) if kind == "activations of 16 bits" else numpy.int8(0)
            x = n.op("DequantizeLinear", n.op("QuantizeLinear", x, F(.1), zero), F(.1), zero)
        narrow = numpy.zeros((8, 8, 3, 3), numpy.int8)
        w = {"weights of 4 bits": four, "weights of 16 bits": wide}.get(kind, narrow)
        n.save("m.onnx", [1, 8, 64, 64], n.op("Conv", x, n.op("DequantizeLinear", w, F(.1)), pads=[1] * 4))
    r, text = advise("--verbose")
    fixes = [c["fix"]["text"] for c in r["by_hand"] if c["rule_id"] == "NPU301"]
    said = re.search(r"the quantizer takes no .*? quantization|\d (conversion|constant) .*? to int8", " ".join(text.split()))
    return "; ".join(fixes) or (said[0] if said else "nothing said")


def middle(kind):
    between(kind)
    r, _ = advise()
    texts = [c["fix"]["text"] for k in ("changes", "by_hand") for c in r[k] if c["rule_id"] == "NPU301"]
    return "left to the application" if any("application" in t for t in texts) else "; ".join(texts) or "none"


def image(kind):
    ended(kind)
    r, _ = advise("--sdk", "0.9")
    planned = {c["id"] for p in r["plans"] for c in p["changes"]}
    found = [("planned" if c["id"] in planned else "not planned") for c in r["changes"] if c["rule_id"] == "NPU103"]
    return found[0] if found else "silent"


KINDS = {
    "sizes bound": (bound, list(SIZES)),
    "norm after norm": (fixed, ["three in a row", "on a residual", "written out before"]),
    "norms in float16": (half, ["one", "written out", "two"]),
    "codes of float8": (float8, ["E5M2", "a scale for each channel", "weights alone"]),
    "quantized otherwise": (otherwise, ["activations of 16 bits", "weights of 16 bits", "weights of 4 bits", "MatMulNBits"]),
    "in the middle": (middle, ["Reshape and back", "Unsqueeze and Squeeze", "Flatten of rows"]),
    "image of 0.9": (image, ["Sigmoid", "Clip to 1", "half of Tanh", "Tanh by 2, plus .5", ".5 less half of Tanh, a number for each channel", "Clip to 6, by 6",
                             "Min and Max", "1 less Sigmoid", "Tanh above zero, turned", "half of Tanh, Clip without end",
                             "Clip to 6", "Relu", "Tanh", "Tanh plus 1", "half of Tanh alone", "by an image", "twice Sigmoid"]),
}
for kind, (ask, siblings) in KINDS.items():
    for sibling in siblings:
        try:
            print(f"{kind}, {sibling}: {ask(sibling)}")
        except Exception as e:
            print(f"{kind}, {sibling}: {type(e).__name__} {e}")

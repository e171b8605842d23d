"""Writes the models: a convolution of codes, and behind it what its lines say."""
import numpy
import onnx
from onnx import TensorProto as T, helper as h, numpy_helper

rng = numpy.random.default_rng(3)
INT8, UINT8 = numpy.int8, numpy.uint8


class Model:
    def __init__(self, opset=13):
        self.nodes, self.constants, self.opset = [], [], opset
        self.x = self.codes("x", 0.05, 3)

    def constant(self, values, dtype):
        self.constants.append(numpy_helper.from_array(numpy.array(values, dtype), f"c{len(self.constants)}"))
        return self.constants[-1].name

    def add(self, op, *names, outs=1, **attributes):
        made = [f"n{len(self.nodes)}.{k}" for k in range(outs)]
        self.nodes.append(h.make_node(op, names, made, **attributes))
        return made[0] if outs == 1 else made

    def codes(self, name, scale, zero, dtype=INT8):
        return self.add("QuantizeLinear", name, self.constant(scale, "f"), self.constant(zero, dtype))

    def real(self, name, scale, zero, dtype=INT8):
        return self.add("DequantizeLinear", name, self.constant(scale, "f"), self.constant(zero, dtype))

    def conv(self, channels=6, scale=0.02, kernel=3, per_channel=False, bias=True, group=1, **attributes):
        """Floats; the input is quantized already."""
        w = self.constant(rng.integers(-100, 100, (channels, 4 // group, kernel, kernel)), INT8)
        scales = [scale * (k + 1) / 4 for k in range(channels)] if per_channel else scale
        real = self.add("DequantizeLinear", w, self.constant(scales, "f"), self.constant([0] * channels if per_channel else 0, INT8), axis=0)
        b = [self.constant(rng.normal(size=channels), "f")] if bias else []
        return self.add("Conv", self.real(self.x, 0.05, 3), real, *b, pads=[kernel // 2] * 4, group=group, **attributes)

    def coded(self, scale=0.3, zero=-5, dtype=INT8, **attributes):
        return self.codes(self.conv(**attributes), scale, zero, dtype)

    def save(self, name, *outputs):
        graph = h.make_graph(self.nodes, "g", [h.make_tensor_value_info("x", T.FLOAT, [2, 4, 5, 7])], [h.make_empty_tensor_value_info(o) for o in outputs], self.constants)
        onnx.save(h.make_model(graph, opset_imports=[h.make_opsetid("", self.opset)], ir_version=8), f"made/{name}-codes.onnx")


def moved(name, op, *constants, outs=1, **attributes):
    m = Model()
    made = m.add(op, m.coded(), *(m.constant(c, "q") for c in constants), outs=outs, **attributes)
    m.save(name, *[m.real(each, 0.3, -5) for each in ([made] if outs == 1 else made)])


# Codes themselves.
moved("transpose", "Transpose", perm=[0, 2, 3, 1])
moved("reversed", "Transpose")
moved("slice", "Slice", [1, 0], [6, 4], [1, 3], [2, 1])
moved("reshape", "Reshape", [2, 3, 70])
moved("flatten", "Flatten", axis=2)
moved("unsqueeze", "Unsqueeze", [0, 3])
moved("gather", "Gather", [4, 0, 0], axis=1)
moved("split", "Split", [1, 5], outs=2, axis=1)
moved("pad", "Pad", [0, 0, 1, 0, 0, 1, 0, 2])
moved("tile", "Tile", [1, 2, 1, 2])
moved("expand", "Expand", [3, 1, 1, 1, 1])
moved("pool", "MaxPool", kernel_shape=[2, 3], strides=[1, 2])
moved("largest", "ReduceMax", axes=[1, 2])
moved("depth", "SpaceToDepth", blocksize=1)
moved("same", "Identity")

m = Model()
m.save("numbers", m.conv())
m = Model()
m.save("numbers-each", m.conv(per_channel=True, bias=False))
m = Model()
m.save("numbers-two", m.conv(channels=2, per_channel=True))
m = Model()
m.save("numbers-groups", m.conv(group=2))
m = Model()
m.save("numbers-strides", m.conv(strides=[2, 3], kernel=1))
m = Model()
w = m.constant(rng.integers(-100, 100, (6, 4, 3, 3)), INT8)
m.save("integers", m.add("ConvInteger", m.x, w, m.constant(3, INT8)))


def joined(name, *parts, axis=1, relu=False, scale=0.4, zero=7, dtype=INT8):
    """Floats side by side, and as codes; a part is a function of the model."""
    m = Model()
    y = m.add("Concat", *(part(m) for part in parts), axis=axis)
    y = m.add("Relu", y) if relu else y
    m.save(name, m.real(m.codes(y, scale, zero, dtype), scale, zero, dtype))


def part(scale=0.4, zero=7, dtype=INT8, then="", **attributes):
    def make(m):
        real = m.real(m.coded(scale, zero, dtype, **attributes), scale, zero, dtype)
        return m.add(then, real) if then else real
    return make


joined("concat", part(), part(0.3, -5))
joined("concat-alike", part(), part())
joined("concat-three", part(channels=1), part(0.2, 100, UINT8, channels=5), part(0.3, -5, channels=3))
joined("concat-unsigned", part(0.4, 7), part(0.2, 100, UINT8), dtype=UINT8)
joined("concat-back", part(), part(0.3, -5, channels=2), axis=-3)
joined("concat-rows", part(), part(0.3, -5), axis=2)
joined("concat-images", part(), part(0.3, -5), axis=0)
joined("concat-relu", part(), part(0.3, -5), relu=True)
joined("concat-functions", part(then="Sigmoid"), part(0.3, -5, then="Neg"), scale=0.01, zero=-20)
joined("concat-one", part(0.3, -5))
joined("concat-numbers", part(), lambda m: m.conv(channels=2))
joined("concat-input", part(), lambda m: "x")


def paired(name, op, a, b, relu=False, scale=0.6, zero=-9, dtype=INT8):
    m = Model()
    y = m.add(op, a(m), b(m))
    y = m.add("Relu", y) if relu else y
    m.save(name, m.real(m.codes(y, scale, zero, dtype), scale, zero, dtype))


for op in ("Add", "Sub", "Mul", "Div", "Max"):
    paired(op.lower(), op, part(), part(0.3, 105, UINT8))
paired("add-relu", "Add", part(), part(0.3, -5), relu=True)
paired("add-channels", "Add", part(), part(0.3, -5, channels=1))
paired("add-number", "Mul", part(), lambda m: m.constant(-1.5, "f"), dtype=UINT8, zero=90)
paired("add-numbers", "Add", part(), lambda m: m.conv())

m = Model()
a, b = m.coded(), m.coded(scale=0.2, zero=100, dtype=UINT8)
sum_ = m.codes(m.add("Relu", m.add("Add", m.real(a, 0.3, -5), m.real(b, 0.2, 100, UINT8))), 0.4, -90)
both = m.codes(m.add("Concat", m.add("Sigmoid", m.real(sum_, 0.4, -90)), m.real(m.add("MaxPool", a, kernel_shape=[1, 1]), 0.3, -5), axis=1), 0.3, 2)
m.save("everything", m.real(m.add("Transpose", both, perm=[0, 2, 3, 1]), 0.3, 2), m.conv(channels=2))

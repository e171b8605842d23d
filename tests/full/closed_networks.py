"""Ten small networks with random weights for closed_loop.py: blocks that exports for the NPU hold, in opsets 11 to 18."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

import opset


class Net(opset.Net):
    """A network of a few blocks: each call of add gives the name of its output."""

    def __init__(self, version, seed=7, **inputs):
        self.opset, self.inputs, self.rng = version, inputs, numpy.random.default_rng(seed)
        self.nodes, self.constants = [], []

    def const(self, array):
        array = numpy.asarray(array)
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(array.astype(numpy.float32) if array.dtype == numpy.float64 else array, name))
        return name

    def conv(self, x, cin, cout, k=3, stride=1, group=1):
        weights = self.rng.normal(size=(cout, cin // group, k, k)) * (2 / (cin // group * k * k)) ** 0.5
        return self.add("Conv", x, weights, self.rng.normal(size=cout) * 0.1, kernel_shape=[k, k], strides=[stride, stride],
                        pads=[k // 2] * 4, group=group)

    def norm(self, x, channels):
        return self.add("BatchNormalization", x, numpy.ones(channels), numpy.zeros(channels), numpy.zeros(channels), numpy.ones(channels))

    def linear(self, x, cin, cout):
        return self.add("Gemm", x, self.rng.normal(size=(cout, cin)) * cin ** -0.5, self.rng.normal(size=cout) * 0.1, transB=1)

    def project(self, x, cin, cout):
        return self.add("Add", self.add("MatMul", x, self.rng.normal(size=(cin, cout)) * cin ** -0.5), self.rng.normal(size=cout) * 0.1)

    def silu(self, x):
        return self.add("Mul", x, self.add("Sigmoid", x))

    def reduced(self, x, op, axes, keep=1):
        if self.opset >= 18 or (op == "ReduceSum" and self.opset >= 13):
            return self.add(op, x, numpy.array(axes), keepdims=keep)
        return self.add(op, x, axes=axes, keepdims=keep)

    def save(self, path, *outputs):
        graph = helper.make_graph(self.nodes, path.stem, [helper.make_tensor_value_info(n, TensorProto.FLOAT, d) for n, d in self.inputs.items()],
                                  [helper.make_tensor_value_info(o, TensorProto.FLOAT, None) for o in outputs], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)
        onnx.save(onnx.shape_inference.infer_shapes(model), path)


IMAGE = [1, 3, 224, 224]


def residual_18():
    n = Net(18, image=IMAGE)
    x = n.add("Relu", n.norm(n.conv("image", 3, 32, 7, 2), 32))
    x = n.add("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    for _ in range(2):
        y = n.conv(n.add("Relu", n.norm(n.conv(x, 32, 32), 32)), 32, 32)
        x = n.add("Relu", n.add("Add", x, y))
    x = n.add("Flatten", n.add("GlobalAveragePool", n.conv(x, 32, 128, 1)))
    return n, [n.add("Softmax", n.linear(x, 128, 1000), axis=1)]


def detector_18():
    """Blocks of YOLOv8 with one decoded head, as its exporter writes them today."""
    n = Net(18, images=[1, 3, 320, 320])
    x = n.silu(n.conv(n.silu(n.conv("images", 3, 16, 3, 2)), 16, 32, 3, 2))
    a, b = n.add("Split", x, count=2, axis=1, num_outputs=2)
    c = n.add("Add", b, n.silu(n.conv(b, 16, 16)))
    x = n.silu(n.conv(n.add("Concat", a, b, c, axis=1), 48, 32, 1))
    deep = n.silu(n.conv(x, 32, 64, 3, 2))
    pools = [deep]
    for _ in range(3):
        pools.append(n.add("MaxPool", pools[-1], kernel_shape=[5, 5], strides=[1, 1], pads=[2, 2, 2, 2]))
    deep = n.silu(n.conv(n.add("Concat", *pools, axis=1), 256, 64, 1))
    up = n.add("Resize", deep, "", numpy.float32([1, 1, 2, 2]), mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    x = n.silu(n.conv(n.add("Concat", up, x, axis=1), 96, 64))
    boxes = n.add("Reshape", n.conv(x, 64, 64, 1), numpy.array([1, 4, 16, 6400]))
    scores = n.add("Sigmoid", n.add("Reshape", n.conv(x, 64, 80, 1), numpy.array([1, 80, 6400])))
    dfl = n.add("Softmax", n.add("Transpose", boxes, perm=[0, 2, 1, 3]), axis=1)
    dfl = n.add("Reshape", n.add("Conv", dfl, numpy.arange(16.0).reshape(1, 16, 1, 1)), numpy.array([1, 4, 6400]))
    low, high = n.add("Split", dfl, count=2, axis=1, num_outputs=2)
    anchors = numpy.stack(numpy.meshgrid(numpy.arange(80) + 0.5, numpy.arange(80) + 0.5)).reshape(1, 2, 6400)
    low, high = n.add("Sub", anchors, low), n.add("Add", anchors, high)
    centre = n.add("Div", n.add("Add", low, high), numpy.float32(2))
    box = n.add("Mul", n.add("Concat", centre, n.add("Sub", high, low), axis=1), numpy.float32(4))
    return n, [n.add("Concat", box, scores, axis=1)]


def layer_norm_17():
    """Blocks of ConvNeXt."""
    n = Net(17, x=IMAGE)
    x = n.add("Conv", "x", n.rng.normal(size=(64, 3, 4, 4)) / 7, n.rng.normal(size=64) / 9, kernel_shape=[4, 4], strides=[4, 4])
    for _ in range(2):
        y = n.add("Transpose", n.conv(x, 64, 64, 7, group=64), perm=[0, 2, 3, 1])
        y = n.add("LayerNormalization", y, n.rng.uniform(0.5, 1.5, size=64), n.rng.normal(size=64) * 0.1, axis=-1, epsilon=1e-6)
        y = n.project(y, 64, 256)
        y = n.add("Mul", n.add("Mul", y, n.add("Add", n.add("Erf", n.add("Div", y, numpy.float32(2 ** 0.5))), numpy.float32(1))), numpy.float32(0.5))
        y = n.add("Transpose", n.project(y, 256, 64), perm=[0, 3, 1, 2])
        x = n.add("Add", x, y)
    x = n.add("Flatten", n.add("GlobalAveragePool", x))
    x = n.add("LayerNormalization", x, n.rng.uniform(0.5, 1.5, size=64), n.rng.normal(size=64) * 0.1, axis=-1)
    return n, [n.linear(x, 64, 1000)]


def hard_swish_14():
    """Blocks of MobileNetV3: HardSwish, and HardSigmoid in squeeze and excitation."""
    n = Net(14, x=IMAGE)
    x = n.add("HardSwish", n.norm(n.conv("x", 3, 16, 3, 2), 16))
    for stride in (2, 1, 1):
        y = n.add("HardSwish", n.norm(n.conv(n.add("HardSwish", n.conv(x, 16, 64, 1)), 64, 64, 5, stride, 64), 64))
        gate = n.conv(n.add("Relu", n.conv(n.add("GlobalAveragePool", y), 64, 16, 1)), 16, 64, 1)
        y = n.conv(n.add("Mul", y, n.add("HardSigmoid", gate, alpha=1 / 6)), 64, 16, 1)
        x = y if stride == 2 else n.add("Add", x, y)
    x = n.add("HardSwish", n.linear(n.add("Flatten", n.add("GlobalAveragePool", n.conv(x, 16, 96, 1))), 96, 128))
    return n, [n.linear(x, 128, 1000)]


def two_inputs_13():
    """Images of two cameras, and a depth map of another size."""
    n = Net(13, left=IMAGE, depth=[1, 1, 112, 112])
    a = n.add("Relu", n.conv("left", 3, 32, 3, 2))
    b = n.add("Relu", n.conv("depth", 1, 32))
    x = n.add("Relu", n.conv(n.add("Concat", a, b, axis=1), 64, 32, 3, 2))
    return n, [n.add("Sigmoid", n.conv(x, 32, 4, 1)), n.add("Softmax", n.linear(n.add("Flatten", n.add("GlobalAveragePool", x)), 32, 10), axis=1)]


def attention_13():
    """One block of a transformer over the patches of an image."""
    n = Net(13, x=IMAGE)
    x = n.add("Conv", "x", n.rng.normal(size=(96, 3, 16, 16)) / 28, n.rng.normal(size=96) / 9, kernel_shape=[16, 16], strides=[16, 16])
    x = n.add("Add", n.add("Transpose", n.add("Reshape", x, numpy.array([1, 96, 196])), perm=[0, 2, 1]), n.rng.normal(size=(1, 196, 96)) / 9)
    heads = [n.add("Transpose", n.add("Reshape", n.project(x, 96, 96), numpy.array([1, 196, 3, 32])), perm=p)
             for p in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])]
    scores = n.add("Softmax", n.add("Mul", n.add("MatMul", heads[0], heads[1]), numpy.float32(32 ** -0.5)), axis=-1)
    y = n.add("Reshape", n.add("Transpose", n.add("MatMul", scores, heads[2]), perm=[0, 2, 1, 3]), numpy.array([1, 196, 96]))
    x = n.add("Add", x, n.project(y, 96, 96))
    return n, [n.linear(n.reduced(x, "ReduceMean", [1], 0), 96, 1000)]


def segmenter_12():
    """An encoder and a decoder with transposed convolutions that ends in the class of each pixel."""
    n = Net(12, x=IMAGE)
    low = n.add("Relu", n.conv("x", 3, 16, 3, 2))
    x = n.add("Relu", n.conv(low, 16, 32, 3, 2))
    x = n.add("ConvTranspose", x, n.rng.normal(size=(32, 16, 2, 2)) / 11, n.rng.normal(size=16) / 9, kernel_shape=[2, 2], strides=[2, 2])
    x = n.conv(n.add("Relu", n.conv(n.add("Concat", x, low, axis=1), 32, 16)), 16, 21, 1)
    x = n.add("Resize", x, "", numpy.float32([1, 1, 2, 2]), mode="linear", coordinate_transformation_mode="half_pixel")
    return n, [n.add("Cast", n.add("ArgMax", x, axis=1, keepdims=0), to=TensorProto.FLOAT)]


def super_resolution_11():
    n = Net(11, x=[1, 3, 120, 160])
    x = n.add("PRelu", n.conv("x", 3, 32, 5), n.rng.uniform(0.1, 0.3, size=(32, 1, 1)))
    x = n.add("Add", x, n.add("LeakyRelu", n.conv(x, 32, 32), alpha=0.1))
    return n, [n.add("Clip", n.add("DepthToSpace", n.conv(x, 32, 27), blocksize=3), numpy.float32(0), numpy.float32(1))]


def normalized_13():
    """Blocks of MobileNetV2 after the normalization of pixels in the graph, and a head with a padded AveragePool."""
    n = Net(13, image=IMAGE)
    x = n.add("Div", n.add("Sub", "image", numpy.float32([123, 116, 104]).reshape(1, 3, 1, 1)), numpy.float32([58, 57, 57]).reshape(1, 3, 1, 1))
    clip = lambda y: n.add("Clip", y, numpy.float32(0), numpy.float32(6))  # noqa: E731
    x = clip(n.conv(x, 3, 16, 3, 2))
    for _ in range(2):
        y = n.conv(clip(n.conv(clip(n.conv(x, 16, 96, 1)), 96, 96, group=96)), 96, 16, 1)
        x = n.add("Add", x, y)
    x = n.add("AveragePool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    return n, [n.add("Tanh", n.conv(x, 16, 8, 1))]


def pyramid_16():
    """Three strides joined by Resize with align_corners, and L2-normalized features."""
    n = Net(16, x=[1, 3, 256, 256])
    c3 = n.silu(n.conv("x", 3, 32, 3, 4))
    c4 = n.add("LeakyRelu", n.conv(c3, 32, 64, 3, 2), alpha=0.1)
    p4 = n.conv(c4, 64, 32, 1)
    up = n.add("Resize", p4, "", numpy.float32([1, 1, 2, 2]), mode="linear", coordinate_transformation_mode="align_corners")
    x = n.add("Relu", n.conv(n.add("Add", c3, up), 32, 32))
    norm = n.add("Clip", n.reduced(x, "ReduceL2", [1]), numpy.float32(1e-6))
    return n, [n.add("Div", x, norm), n.add("GlobalMaxPool", p4)]


NETWORKS = [residual_18, detector_18, layer_norm_17, hard_swish_14, two_inputs_13, attention_13, segmenter_12, super_resolution_11,
            normalized_13, pyramid_16]

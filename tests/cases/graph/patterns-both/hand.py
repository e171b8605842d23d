"""The networks of torch.txt in other words: other operators, other names, the nodes last first."""
import numpy

from backwards import Net, i, n

numbers = numpy.random.default_rng(1)


def w(*dims):
    return (numbers.standard_normal(dims) * 0.1).astype(numpy.float32)


def conv(net, x, width, before=3, size=3, step=1):
    return net.add("Conv", x, w(width, before, size, size), strides=[step] * 2, pads=[size // 2] * 4)


def pyramid(net, x, width, out, size=1):
    """Three maps, each half of the one before, and a product of each."""
    x, maps = net.add("Relu", conv(net, x, width, step=4)), []
    for _ in range(3):
        x = net.add("Relu", conv(net, x, width, width, step=2))
        maps.append(conv(net, x, out, width, size))
    return maps


def anchors():
    net, rows = Net("anchors", 1, 3, 320, 320), []
    for k, m in enumerate(pyramid(net, "in", 32, 75)):
        cells = (40 >> k) ** 2
        t = net.add("Transpose", net.add("Reshape", m, i(1, 3, 25, cells)), perm=[0, 1, 3, 2])
        xy, wh, rest = net.add("Split", net.add("Sigmoid", t), i(2, 2, 21), outputs=3, axis=3)
        xy = net.add("Mul", net.add("Add", w(1, 1, cells, 2), net.add("Mul", n(2), xy)), n(8 << k))
        wh = net.add("Mul", w(1, 3, 1, 2), net.add("Pow", net.add("Add", wh, wh), n(2)))
        rows.append(net.add("Reshape", net.add("Concat", xy, wh, rest, axis=-1), i(1, -1, 25)))
    net.save(net.add("Concat", *rows, axis=1))


def dfl():
    """Boxes and scores of one product; the mean of the distribution is a MatMul; low and high corner are not halved."""
    net = Net("dfl", 1, 3, 320, 320)
    flat = [net.add("Reshape", m, i(1, 144, -1)) for m in pyramid(net, "in", 32, 144)]
    box, score = net.add("Split", net.add("Concat", *flat, axis=2), i(64, 80), outputs=2, axis=1)
    bins = net.add("Softmax", net.add("Transpose", net.add("Reshape", box, i(1, 4, 16, -1)), perm=[0, 1, 3, 2]), axis=3)
    d = net.add("Squeeze", net.add("MatMul", bins, numpy.arange(16, dtype=numpy.float32).reshape(16, 1)), i(3))
    low, high = net.add("Split", d, i(2, 2), outputs=2, axis=1)
    centre = w(1, 2, 2100)
    low, high = net.add("Sub", centre, low), net.add("Add", high, centre)
    box = net.add("Concat", net.add("Mul", net.add("Add", high, low), n(0.5)), net.add("Sub", high, low), axis=1)
    net.save(net.add("Concat", net.add("Sigmoid", score), box, axis=1))


def ssd_nms():
    net = Net("ssd-nms", 1, 3, 320, 320)
    flat = [net.add("Reshape", net.add("Transpose", m, perm=[0, 2, 3, 1]), i(1, -1, 25))
            for m in pyramid(net, "in", 32, 100, 3)]
    box, score = net.add("Split", net.add("Concat", *flat, axis=1), i(4, 21), outputs=2, axis=2)
    xy, wh = net.add("Split", box, i(2, 2), outputs=2, axis=2)
    centre = net.add("Add", net.add("Mul", xy, w(1, 8400, 2)), w(1, 8400, 2))
    half = net.add("Mul", net.add("Mul", net.add("Exp", wh), w(1, 8400, 2)), n(0.5))
    boxes = net.add("Concat", net.add("Sub", centre, half), net.add("Add", centre, half), axis=2)
    scores = net.add("Transpose", net.add("Softmax", score, axis=2), perm=[0, 2, 1])
    net.save(net.add("Cast", net.add("NonMaxSuppression", boxes, scores, i(100), n(0.5), n(0.05)), to=1))


def mean_of_square(net, x, **where):
    return net.add("Add", n(1e-6), net.add("ReduceMean", net.add("Mul", x, x), **where))


def layer_norm(net, x):
    off = net.add("Sub", x, net.add("ReduceMean", x, axes=[2]))
    inverse = net.add("Reciprocal", net.add("Sqrt", mean_of_square(net, off, axes=[2])))
    return net.add("Add", w(128), net.add("Mul", w(128), net.add("Mul", inverse, off)))


def rms_norm(net, x):
    root = net.add("Pow", mean_of_square(net, x, axes=[-1]), n(0.5))
    return net.add("Mul", net.add("Div", x, root), w(128))


def gelu(net, x):
    return net.add("Mul", net.add("Mul", n(0.5), net.add("Add", n(1), net.add("Erf", net.add("Mul", x, n(0.70710678))))), x)


def attend(net, x):
    """One Split for all three; the scale is before the product."""
    parts = net.add("Split", net.add("MatMul", x, w(128, 384)), i(128, 128, 128), outputs=3, axis=2)
    q, k, v = (net.add("Transpose", net.add("Reshape", part, i(1, 196, 4, 32)), perm=[0, 2, 1, 3]) for part in parts)
    scores = net.add("MatMul", net.add("Mul", q, n(0.177)), net.add("Transpose", k, perm=[0, 1, 3, 2]))
    mixed = net.add("MatMul", net.add("Softmax", scores, axis=3), v)
    flat = net.add("Reshape", net.add("Transpose", mixed, perm=[0, 2, 1, 3]), i(1, 196, 128))
    return net.add("MatMul", flat, w(128, 128))


def block(name, norm, activation):
    net = Net(name, 1, 3, 224, 224)
    x = net.add("Transpose", net.add("Reshape", net.add("Conv", "in", w(128, 3, 16, 16), strides=[16, 16]), i(1, 128, 196)),
                perm=[0, 2, 1])
    x = net.add("Add", attend(net, norm(net, x)), x)
    wide = activation(net, net.add("MatMul", norm(net, x), w(128, 512)))
    net.save(net.add("Add", net.add("MatMul", wide, w(512, 128)), x))


def gelu_alone():
    net = Net("gelu", 1, 3, 64, 64)
    net.save(conv(net, gelu(net, conv(net, "in", 64)), 64, 64))


def shuffle():
    """In one Gather, which the NPU has not."""
    net = Net("shuffle", 1, 3, 224, 224)
    x = net.add("Relu", conv(net, "in", 64, step=2))
    mixed = net.add("Gather", x, i(*(g * 16 + c for c in range(16) for g in range(4))), axis=1)
    net.save(net.add("Conv", mixed, w(64, 16, 3, 3), group=4, pads=[1] * 4))


def transform_input():
    net = Net("transform-input", 1, 3, 224, 224)
    part = [net.add("Add", net.add("Mul", net.add("Unsqueeze", net.add("Gather", "in", numpy.int64(c), axis=1), i(1)), n(0.45)), n(-0.1))
            for c in range(3)]
    net.save(net.add("Relu", conv(net, net.add("Concat", *part, axis=1), 32, step=2)))


def input_norm():
    net = Net("input-norm", 1, 3, 224, 224)
    mean, deviation = (numpy.float32(v).reshape(1, 3, 1, 1) for v in ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]))
    x = net.add("Div", net.add("Sub", net.add("Mul", "in", n(1 / 255)), mean), deviation)
    net.save(net.add("Relu", conv(net, x, 32, step=2)))


def bgr_to_rgb():
    net = Net("bgr-to-rgb", 1, 3, 224, 224)
    b, g, r = net.add("Split", "in", i(1, 1, 1), outputs=3, axis=1)
    net.save(net.add("Relu", conv(net, net.add("Concat", r, g, b, axis=1), 32, step=2)))


def instance_norm():
    net = Net("instance-norm", 1, 3, 224, 224)
    x = conv(net, "in", 32, step=2)
    off = net.add("Sub", x, net.add("ReduceMean", x, axes=[2, 3]))
    root = net.add("Sqrt", net.add("Add", net.add("ReduceMean", net.add("Pow", off, n(2)), axes=[2, 3]), n(1e-5)))
    net.save(conv(net, net.add("Div", off, root), 32, 32))


def tail(name, behind):
    net = Net(name, 1, 3, 224, 224)
    net.save(behind(net, conv(net, net.add("Relu", conv(net, "in", 64, 3, 7, 4)), 64, 64)))


def best_five(net, x):
    flat = net.add("Flatten", net.add("GlobalAveragePool", x))
    return net.add("TopK", net.add("Softmax", flat, axis=1), i(5), outputs=2, axis=1)[0]


anchors()
dfl()
ssd_nms()
block("layer-norm", layer_norm, gelu)
block("rms-norm", rms_norm, lambda net, x: net.add("Relu", x))
gelu_alone()
shuffle()
transform_input()
input_norm()
bgr_to_rgb()
instance_norm()
tail("argmax", lambda net, x: net.add("Cast", net.add("ArgMax", net.add("Softmax", x, axis=1), axis=1), to=1))
tail("topk", best_five)
tail("softmax", lambda net, x: net.add("Softmax", net.add("Transpose", x, perm=[0, 2, 3, 1]), axis=3))

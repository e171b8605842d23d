#!/usr/bin/python3
"""Build ONNX graphs of the networks whose frame rates Rockchip publishes (rknn_model_zoo), as its exports end.

  make_rknn_networks.py --all -o DIR

Layers and shapes are those of the public definitions; weights are not (make_networks.py, whose options are taken).  Ends: YOLOv5
hands over sigmoids of its three maps, and begins with a Conv 2x2 of 12 channels and one 3x3 in place of one 6x6 (the names
convsp and conv of measured tables); YOLOv8 hands over boxes, sigmoids of the scores and, for each pixel, their sum, limited
to 1.  Networks with masks have coefficients for each pixel, and prototypes.  The only table of yolov5s_relu has the stem of 6x6
and plain maps.  Pose and oriented boxes are left out: how their exports end is in no source.
"""
import collections
import sys

import make_networks as m


class Relu(m.Net):
    """ReLU where the network has SiLU."""

    def silu(self, x, path):
        return self.relu(x, path)


def stem(net, x, path, c, k, s):
    """The 6x6 Conv with stride 2 as blocks of pixels and a Conv 3x3."""
    return m.cba(net, net.conv(x, path + "/convsp", 12, 2, 2, pad=0, bn=False), path + "/conv", c, 3)


m.BLOCKS["Stem"] = (stem, 1, False)


def score_sum(net, x, path):
    n, _, h, w = net.shape[x]
    y = net.add("ReduceSum", [x, net.ints([1], path)], path, [(n, 1, h, w)], keepdims=1)
    net.output(net.add("Clip", [y, net.constant(0.0, path), net.constant(1.0, path)], path, [(n, 1, h, w)], [(0.0, 1.0)]))


def end_v5(net, feats, path, masks=0):
    for i, f in enumerate(feats):
        y = net.conv(f, "%s/m.%d" % (path, i), 255, bn=False)
        net.output(y if isinstance(net, Relu) else net.sigmoid(y, path))
        if masks:
            net.output(net.conv(f, "%s/s.%d" % (path, i), 3 * masks, bn=False))


def end_v8(net, feats, path, masks=0, classes=80):
    first = net.shape[feats[0]][1]
    widths = [("cv2", max(16, first // 4, 64), 64), ("cv3", max(first, min(classes, 100)), classes)]
    if masks:
        widths.append(("cv4", max(first // 4, masks), masks))
    for i, f in enumerate(feats):
        for key, mid, last in widths:
            scope = "%s/%s.%d/%s.%d" % (path, key, i, key, i)
            y = m.cba(net, m.cba(net, f, scope + ".0", mid, 3), scope + ".1", mid, 3)
            y = net.conv(y, scope + ".2", last, bn=False)
            y = net.sigmoid(y, path) if key == "cv3" else y
            net.output(y)
            if key == "cv3":
                score_sum(net, y, path)


def twice(net, x, path, c):
    """A transposed convolution of 2x2 with stride 2."""
    n, cin, h, w = net.shape[x]
    weight, bias = net.param(path, "weight"), net.param(path, "bias")
    net.weight[weight], net.weight[bias] = ((cin, c, 2, 2), (cin * net.power[x]) ** -0.5), ((c,), 0.05)
    net.macs += 4 * h * w * cin * c
    return net.add("ConvTranspose", [x, weight, bias], path, [(n, c, 2 * h, 2 * w)], [(-6.0, 6.0)], [1.0], dilations=[1, 1],
                   group=1, kernel_shape=[2, 2], pads=[0] * 4, strides=[2, 2])


def prototypes(net, x, path, c, v8):
    y = m.cba(net, x, path + "/proto/cv1", c, 3)
    y = twice(net, y, path + "/proto/upsample", c) if v8 else net.upsample(y, path + "/proto/upsample")
    y = m.cba(net, y, path + "/proto/cv2", c, 3)
    net.output(m.cba(net, y, path + "/proto/cv3", 32))


def yolov5u(opt, name, scale):
    net = m.Net(name, opt)
    outs = m.run_layers(net, net.input("images", opt.height, opt.width), m.V5_P5, *m.V5_SCALE[scale])
    end_v8(net, [outs[i] for i in (17, 20, 23)], "/model.24")
    return net


def yolo(opt, name, scale, v8, masks=False, kind=m.Net):
    net = kind(name, opt)
    rows, levels, scales = (m.V8_P5, (15, 18, 21), m.V8_SCALE) if v8 else (m.V5_P5, (17, 20, 23), m.V5_SCALE)
    if not v8 and kind is m.Net:
        rows = [rows[0].replace("Conv", "Stem")] + rows[1:]
    outs = m.run_layers(net, net.input("images", opt.height, opt.width), rows, *scales[scale])
    feats, path = [outs[i] for i in levels], "/model.%d" % len(rows)
    (end_v8 if v8 else end_v5)(net, feats, path, 32 if masks else 0)
    if masks:
        prototypes(net, feats[0], path, int(256 * scales[scale][1]), v8)
    return net


def mobilenet_v2(opt, name):
    net = m.Net(name, opt)
    x = net.relu6(net.conv(net.input("input", opt.height, opt.width), "/stem", 32, 3, 2), "/stem")
    for t, c, n, s in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for i in range(n):
            path, cin, y = "/b%d.%d" % (c, i), net.shape[x][1], x
            if t > 1:
                y = net.relu6(net.conv(y, path + "/expand", cin * t), path)
            y = net.relu6(net.conv(y, path + "/depthwise", cin * t, 3, s if i == 0 else 1, g=cin * t), path)
            y = net.conv(y, path + "/project", c)
            x = net.residual(x, y, path) if i else y
    x = net.relu6(net.conv(x, "/last", 1280), "/last")
    net.output(net.gemm(net.flatten(net.global_avgpool(x, "/pool"), ""), "/classifier", 1000))
    return net


def norm_relu(net, x, path):
    """A BatchNorm before its convolution, which no convolution takes."""
    c = net.shape[x][1]
    parts = [net.param(path, p) for p in ("gamma", "beta", "mean", "variance")]
    for p in parts:
        net.weight[p] = ((c,), 0.05)
    return net.relu(net.add("BatchNormalization", [x] + parts, path, [net.shape[x]]), path)


def resnet50_v2(opt, name):
    net = m.Net(name, opt)
    x = net.relu(net.conv(net.input("data", opt.height, opt.width), "/conv0", 64, 7, 2), "/relu0")
    x = net.maxpool(x, "/pool0", 3, 2, 1)
    for stage, (c, blocks) in enumerate(((256, 3), (512, 4), (1024, 6), (2048, 3)), 1):
        for i in range(blocks):
            path, s = "/stage%d/%d" % (stage, i), 2 if stage > 1 and i == 0 else 1
            a = norm_relu(net, x, path + "/norm")
            skip = net.conv(a, path + "/down", c, 1, s, pad=0) if i == 0 else x
            y = net.relu(net.conv(a, path + "/conv1", c // 4), path + "/relu1")
            y = net.relu(net.conv(y, path + "/conv2", c // 4, 3, s), path + "/relu2")
            x = net.residual(net.conv(y, path + "/conv3", c), skip, path)
    x = norm_relu(net, x, "/last")
    net.output(net.gemm(net.flatten(net.global_avgpool(x, "/pool"), ""), "/dense", 1000))
    return net


def catalogue():
    models = collections.OrderedDict()
    for v8, family in ((False, "yolov5"), (True, "yolov8")):
        for s in "nsm":
            models[family + s] = m.Entry(lambda o, n, s=s, v=v8: yolo(o, n, s, v), 640, "%s, boxes" % family, None)
            models[family + s + "-seg"] = m.Entry(lambda o, n, s=s, v=v8: yolo(o, n, s, v, True), 640, "%s, masks" % family, None)
    for s in "ns":
        models["yolov5%su" % s] = m.Entry(lambda o, n, s=s: yolov5u(o, n, s), 640, "YOLOv5 with the end of YOLOv8", None)
    models["yolov5s_relu"] = m.Entry(lambda o, n: yolo(o, n, "s", False, kind=Relu), 640, "YOLOv5s with ReLU", None)
    models["mobilenetv2-12"] = m.Entry(mobilenet_v2, 224, "MobileNet v2", None)
    models["resnet50-v2-7"] = m.Entry(resnet50_v2, 224, "ResNet50 v2: norms before the convolutions", None)
    return models


if __name__ == "__main__":
    sys.exit(m.main(catalogue(), __doc__))

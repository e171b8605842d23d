#!/usr/bin/python3
"""Fits the figures of RV1126 and RK1808 that no source gives, and compares them with the targets: the terms mac, depthwise and table.

  rknn_fit.py [--build DIR] [--corpus DIR]

The vendor's rates of ten networks (fps.csv, int8) are all that is public of these chips.  YOLOv5 is none of them: its pair of SiLU
and ReLU judges (rknn_pairs.py).  YOLOv6, which is built here, tells convolutions with ReLU from those with SiLU.  The sum of squared
logarithms is minimal; no term is below 1 cycle.  Fails where a target's figure is more than 2 % from the fit.  RV1109, an RV1126 at
594 MHz, was in no fit: its rates are compared with RV1126's figures at its clock, and must lie within 35 % in the median.

Two things were decided on these ten networks: activations but ReLU are rows of their own, and no minimum of cycles for a product.
"""
import argparse
import csv
import itertools
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "full"), str(ROOT / "tests" / "networks")]
import make_networks as m  # noqa: E402
import make_rknn_networks as vendor  # noqa: E402
import outside  # noqa: E402

CHIPS = {"rv1126": "RV1126", "rk1808": "RK1808"}  # as fps.csv spells them
SLOW_CHIP, SLOW_CLOCK, SLOW_MEDIAN = "RV1109", "594e6", 0.35
NETWORKS = ("mobilenetv2-12", "resnet50-v2-7", "yolov8n", "yolov8s", "yolov8m", "yolov8n-seg", "yolov8s-seg", "yolov8m-seg", "yolov6n", "yolov6s")
FITTED = ("mac", "depthwise", "table")
LEAST = (1.0, 1.0, 1e-4)
APART = 0.02


def unit(net, x, path, c, k=1, s=1):
    return m.cba(net, x, path, c, k, s, act="relu")


def blocks(net, x, path, c, n):
    for i in range(n):
        x = unit(net, x, f"{path}/{i}", c, 3)
    return x


def pyramid(net, x, path, c):
    a = unit(net, unit(net, unit(net, x, path + "/cv1", c // 2), path + "/cv3", c // 2, 3), path + "/cv4", c // 2)
    pools = [a]
    for i in range(3):
        pools.append(net.maxpool(pools[-1], f"{path}/m{i}", 5, 1, 2))
    y = unit(net, unit(net, net.concat(pools, path + "/pools"), path + "/cv5", c // 2), path + "/cv6", c // 2, 3)
    return unit(net, net.concat([unit(net, x, path + "/cv2", c // 2), y], path + "/both"), path + "/cv7", c)


def fusion(net, coarse, same, fine, path, c):
    fine = unit(net, unit(net, fine, path + "/cv2", c), path + "/down", c, 3, 2)
    parts = [vendor.twice(net, coarse, path + "/up", c), unit(net, same, path + "/cv1", c), fine]
    return unit(net, net.concat(parts, path + "/parts"), path + "/cv3", c)


def yolov6(opt, name, width):
    """YOLOv6 3.0 as it is deployed: a block of three branches is one convolution."""
    net = m.Net(name, opt)
    x, feats = unit(net, net.input("images", opt.height, opt.width), "/stem", int(64 * width), 3, 2), []
    for c, n in ((128, 2), (256, 4), (512, 6), (1024, 2)):
        c = int(c * width)
        x = blocks(net, unit(net, x, f"/b{c}", c, 3, 2), f"/b{c}/r", c, n)
        feats.append(x)
    c = int(128 * width)
    top = unit(net, pyramid(net, x, "/pyramid", 8 * c), "/reduce0", 2 * c)
    q4 = blocks(net, fusion(net, top, feats[2], feats[1], "/f0", 2 * c), "/p4", 2 * c, 4)
    middle = unit(net, q4, "/reduce1", c)
    q3 = blocks(net, fusion(net, middle, feats[1], feats[0], "/f1", c), "/p3", c, 4)
    n3 = blocks(net, net.concat([unit(net, q3, "/down2", c, 3, 2), middle], "/c3"), "/n3", 2 * c, 4)
    n4 = blocks(net, net.concat([unit(net, n3, "/down1", 2 * c, 3, 2), top], "/c4"), "/n4", 4 * c, 4)
    for i, f in enumerate((q3, n3, n4)):
        path, c = f"/head{i}", net.shape[f][1]
        stem = m.cba(net, f, path + "/stem", c)
        net.output(net.conv(m.cba(net, stem, path + "/reg", c, 3), path + "/boxes", 4, bn=False))
        y = net.sigmoid(net.conv(m.cba(net, stem, path + "/cls", c, 3), path + "/scores", 80, bn=False), path)
        net.output(y)
        vendor.score_sum(net, y, path)
    return net


def build_networks(folder):
    models = vendor.catalogue()
    for s, width in (("n", 0.25), ("s", 0.5)):
        models["yolov6" + s] = m.Entry(lambda o, n, w=width: yolov6(o, n, w), 640, "YOLOv6", None)
    if m.main(models, "", argv=[*NETWORKS, "-o", str(folder)]):
        sys.exit("the networks cannot be built")


def with_terms(text, value):
    """The target with these values of terms (all others 0): TERM -> value, or None for the file's own."""
    def term(found):
        name = found[1]
        if name in value and value[name] is None:
            return found[0]
        v = value.get(name, 1e-9)
        return re.sub(r'value="[^"]*" lo="[^"]*" hi="[^"]*"', f'value="{v}" lo="{v}" hi="{v}"', found[0])
    return re.sub(r'<term name="(\w+)"[^>]*>', term, text)


def row_times(build, model, text):
    """Nanoseconds of each row, and whether the NPU runs it."""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "own.xml"
        target.write_text(text)
        out = subprocess.run([build / "npu-advise", "compile", model, "--target", target, "--csv", "-", "--quiet"],
                             check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(out.splitlines()))
    return [(float(r["time_ns"]), r["runs_on"] == "npu") for r in rows]


def shares(build, model, text):
    """Of each row: what is not fitted, and what each fitted term is at 1."""
    names = re.findall(r'<term name="(\w+)"', text)
    fixed = row_times(build, model, with_terms(text, {n: None for n in names if n not in FITTED}))
    each = [row_times(build, model, with_terms(text, {n: 1})) for n in FITTED]
    return [(f[0], *(t[i][0] if f[1] else 0 for t in each)) for i, f in enumerate(fixed)]


def network_time(rows, figure):
    mac, depthwise, table = figure
    return sum(f + max(mac * a + depthwise * d, table * o) for f, a, d, o in rows)


def loss(networks, measured, logs):
    figure = [math.exp(v) for v in logs]
    below = sum(max(0, math.log(least) - v) ** 2 for least, v in zip(LEAST, logs))
    return sum(math.log(network_time(rows, figure) / t) ** 2 for rows, t in zip(networks, measured)) + 1e3 * below


def minimum(f, start):
    """Steps along each axis that halve where none helps."""
    at, step = list(start), 0.5
    best = f(at)
    while step > 1e-4:
        for move in itertools.product((-1, 0, 1), repeat=len(at)):
            to = [a + step * d for a, d in zip(at, move)]
            if f(to) < best:
                at, best = to, f(to)
                break
        else:
            step /= 2
    return at, best


def published(corpus):
    return {(r["model"], r["chip"]): 1e9 / float(r["value"])
            for r in csv.DictReader(open(corpus / "rk3588" / "fps.csv")) if (r["dtype"], r["unit"]) == ("INT8", "fps")}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    p.add_argument("--corpus")
    a = p.parse_args()
    rates, failed = published(outside.corpus(given=a.corpus)), False
    with tempfile.TemporaryDirectory() as folder:
        build_networks(folder)
        models = [pathlib.Path(folder) / f"{n}-fp32-f32.onnx" for n in NETWORKS]
        for chip, name in CHIPS.items():
            text = (ROOT / "rules" / "targets" / f"{chip}.xml").read_text()
            networks, measured = [shares(a.build, model, text) for model in models], [rates[n, name] for n in NETWORKS]
            logs, least = min((minimum(lambda v: loss(networks, measured, v), [math.log(v) for v in start])
                               for start in itertools.product((1.2, 3), (1.2, 4), (0.02, 0.5))), key=lambda found: found[1])
            have = [float(re.search(rf'<term name="{term}"[^>]* value="([^"]*)"', text)[1]) for term in FITTED]
            for term, v, h, low in zip(FITTED, logs, have, LEAST):
                good = abs(math.log(h) - v) <= APART or max(h, math.exp(v)) <= low * (1 + APART)
                failed |= not good
                print(("ok    " if good else "FAIL  ") + f"{chip} {term}: {math.exp(v):.4g} by the fit, {h:.4g} in the target")
            off = [network_time(rows, have) / t - 1 for rows, t in zip(networks, measured)]
            print(f"{chip}: {100 * math.sqrt(least / len(off)):.0f} % in the mean square, " + ", ".join(f"{n} {o:+.0%}" for n, o in zip(NETWORKS, off)))
            if chip == "rv1126":
                slow = re.sub(r'(<p name="clock" value=")[^"]*', rf"\g<1>{SLOW_CLOCK}", text)
                off = [sum(t for t, _ in row_times(a.build, model, slow)) / rates[n, SLOW_CHIP] - 1 for n, model in zip(NETWORKS, models)]
                median = statistics.median(abs(o) for o in off)
                failed |= median > SLOW_MEDIAN
                print(f"{SLOW_CHIP} with the figures of {chip}: {median:.0%} in the median, " + ", ".join(f"{n} {o:+.0%}" for n, o in zip(NETWORKS, off)))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

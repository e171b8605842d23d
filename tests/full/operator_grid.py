#!/usr/bin/python3
"""Prediction and executor on one operator at a time, over a grid of kinds, shapes, ranks and places.

  tests/full/operator_grid.py [--build DIR] [--only TEXT] [--seed N] [--far N]

Each cell is a model of one operator, as exporters write it, in a place: SDK 0.9, SDK 0.8, or the host alone (a target
without a support table).  Compared are the time of the NPU's task between launch and last result, and on the host the sum of
its steps; both from `compile --operators` and from `npu-exec` after warm-up without noise.  Cells further apart than
2 are printed; status 1 when there are more than --far (10).  --seed draws another set of shapes from the same ranges.
At the end a vision transformer and a depth network: the predicted latency of the plan and the executor's.
Needs onnx and numpy.
"""
import argparse
import collections
import concurrent.futures
import csv
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper

import closed_networks

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTOR, FAR, NETWORK_FACTOR = 2, 12, 1.5
SHAPES = {
    2: [[1, 10], [1, 256], [1, 1000], [1, 4096], [16, 512], [64, 1024]],
    3: [[1, 49, 96], [1, 196, 384], [1, 197, 768], [1, 1024, 64], [1, 16, 2048], [1, 8400, 32]],
    4: [[1, 3, 224, 224], [1, 16, 160, 160], [1, 32, 112, 112], [1, 64, 56, 56], [1, 128, 28, 28], [1, 256, 14, 14],
        [1, 255, 20, 20], [1, 512, 7, 7], [1, 1280, 1, 1], [1, 80, 33, 45], [1, 24, 320, 96], [4, 64, 28, 28]]}
PLACES = {"0.9": ["--sdk", "0.9"], "0.8": ["--sdk", "0.8"], "host": ["--sdk", "0.9"]}


def drawn(seed):
    """As many shapes of each rank, of the same sizes."""
    rng = random.Random(seed)

    def size(least, most):
        return int(round(least * (most / least) ** rng.random()))
    pixels = [(size(4, 160), size(4, 160)) for _ in range(12)]
    return {2: [[1, size(8, 4096)] for _ in range(4)] + [[size(4, 64), size(32, 1024)] for _ in range(2)],
            3: [[1, size(16, 2048), size(32, 1024)] for _ in range(6)],
            4: [[1, size(3, max(4, min(1024, 400000 // (h * w)))), h, w] for h, w in pixels]}


# ---- kinds: name of the cell, and what is added to a net with input x of the shape --------------


def plain(op, *constants, **attributes):
    return lambda n, s: n.add(op, "x", *constants, **attributes)


def conv(cout, k, stride=1, group=1, dilation=1):
    def build(n, s):
        c = s[1]
        g = c if group == "all" else group
        if len(s) != 4 or c % g or min(s[2:]) < k or (c if group == "all" else cout) % g:
            return None
        out = c if group == "all" else cout
        w = n.rng.normal(size=(out, c // g, k, k)) * 0.05
        pad = dilation * (k // 2)
        return n.add("Conv", "x", w, strides=[stride] * 2, group=g, dilations=[dilation] * 2, pads=[pad] * 4)
    return build


def transposed(cout, k, stride):
    def build(n, s):
        if len(s) != 4:
            return None
        return n.add("ConvTranspose", "x", n.rng.normal(size=(s[1], cout, k, k)), strides=[stride] * 2)
    return build


def pool(op, k, stride, pad=0):
    def build(n, s):
        if len(s) != 4 or min(s[2:]) < k:
            return None
        return n.add(op, "x", kernel_shape=[k, k], strides=[stride] * 2, pads=[pad] * 4)
    return build


def product(columns):
    return lambda n, s: n.add("MatMul", "x", n.rng.normal(size=(s[-1], columns)))


def gemm(columns):
    def build(n, s):
        return n.add("Gemm", "x", n.rng.normal(size=(s[1], columns)), n.rng.normal(size=columns)) if len(s) == 2 else None
    return build


def self_product(n, s):
    """Rows by rows of one tensor, as attention's scores."""
    if len(s) < 3:
        return None
    order = list(range(len(s)))
    order[-2:] = order[-1], order[-2]
    return n.add("MatMul", "x", n.add("Transpose", "x", perm=order))


def with_itself(op):
    return lambda n, s: n.add(op, "x", n.add("Relu", "x"))


def with_constant(op, of):
    def build(n, s):
        shape = {"one": [1], "channel": [1, s[1]] + [1] * (len(s) - 2), "all": s}[of]
        return n.add(op, "x", n.rng.uniform(0.5, 2, size=shape))
    return build


def reduce(op, axes):
    def build(n, s):
        real = [a % len(s) for a in axes]
        if len(s) < 3 and axes != [-1] or min(real) < 1:
            return None
        if op == "ReduceSum":
            return n.add(op, "x", numpy.array(real), keepdims=1)
        return n.add(op, "x", axes=real, keepdims=1)
    return build


def concat(count, axis):
    def build(n, s):
        if axis >= len(s):
            return None
        return n.add("Concat", "x", *[n.add("Relu", "x") for _ in range(count - 1)], axis=axis)
    return build


def split(parts, axis):
    def build(n, s):
        if axis >= len(s) or s[axis] % parts:
            return None
        made = n.split("x", parts, axis)
        return n.add("Add", made[0], made[1])
    return build


def cut(axis):
    def build(n, s):
        if axis >= len(s) or s[axis] < 4:
            return None
        return n.add("Slice", "x", numpy.array([1]), numpy.array([s[axis] // 2]), numpy.array([axis]))
    return build


def pad(axis):
    def build(n, s):
        if axis >= len(s):
            return None
        before = [0] * len(s)
        before[axis] = 2
        return n.add("Pad", "x", numpy.array(before + before))
    return build


def transpose(rank, *order):
    return lambda n, s: n.add("Transpose", "x", perm=list(order)) if len(s) == rank else None


def reshape(n, s):
    return n.add("Reshape", "x", numpy.array([s[0], -1])) if len(s) > 2 else n.add("Reshape", "x", numpy.array(s + [1, 1]))


def resize(mode, factor, coordinates):
    def build(n, s):
        if len(s) != 4 or s[1] * s[2] * s[3] * factor * factor > 4e6:
            return None
        more = {"nearest_mode": "floor"} if mode == "nearest" else {}
        return n.add("Resize", "x", "", numpy.array([1, 1, factor, factor], numpy.float32), mode=mode,
                     coordinate_transformation_mode=coordinates, **more)
    return build


def blocks(op, **attributes):
    def build(n, s):
        if len(s) != 4 or (s[1] % 4 if op == "DepthToSpace" else s[2] % 2 or s[3] % 2):
            return None
        return n.add(op, "x", blocksize=2, **attributes)
    return build


def expand(n, s):
    return n.add("Expand", "x", numpy.array([s[0], s[1], 4, 4])) if len(s) == 4 and s[2] == s[3] == 1 else None


def softmax(axis):
    return lambda n, s: n.add("Softmax", "x", axis=axis)


def layer_norm(n, s):
    return n.add("LayerNormalization", "x", numpy.ones(s[-1]), numpy.zeros(s[-1]), axis=-1)


def gather(n, s):
    return n.add("Gather", "x", numpy.arange(0, s[1], 2), axis=1)


UNARY = ["Relu", "Sigmoid", "Tanh", "Elu", "Exp", "Erf", "Sqrt", "Softplus", "LeakyRelu", "Abs", "Neg", "HardSigmoid", "HardSwish", "Log"]
KINDS = {op: plain(op) for op in UNARY}
KINDS |= {"Clip": plain("Clip", numpy.float32(0), numpy.float32(6)), "Pow": plain("Pow", numpy.float32(2))}
KINDS |= {f"Conv {k}x{k} to {c} /{st}": conv(c, k, st) for c, k, st in
          [(16, 1, 1), (64, 1, 1), (256, 1, 1), (1024, 1, 1), (32, 3, 1), (64, 3, 2), (256, 3, 1), (64, 5, 1), (32, 7, 2)]}
KINDS |= {f"Conv depthwise {k}x{k} /{st}": conv(0, k, st, "all") for k, st in [(3, 1), (3, 2), (5, 1), (7, 1)]}
KINDS |= {"Conv of 4 groups": conv(64, 3, 1, 4), "Conv of 16 groups": conv(64, 3, 1, 16), "Conv dilated": conv(64, 3, 1, 1, 4)}
KINDS |= {"ConvTranspose 2 /2": transposed(32, 2, 2), "ConvTranspose 4 /2": transposed(16, 4, 2)}
KINDS |= {f"{op} {k} /{st}": pool(op, k, st, p) for op in ("MaxPool", "AveragePool") for k, st, p in [(2, 2, 0), (3, 2, 1), (3, 1, 1), (5, 1, 2), (7, 7, 0)]
          if op == "MaxPool" or not p}
KINDS |= {op: (lambda o: lambda n, s: n.add(o, "x") if len(s) == 4 else None)(op) for op in ("GlobalAveragePool", "GlobalMaxPool")}
KINDS |= {f"MatMul to {c}": product(c) for c in (16, 256, 1024)} | {f"Gemm to {c}": gemm(c) for c in (10, 1000, 4096)} | {"MatMul of itself": self_product}
KINDS |= {op: with_itself(op) for op in ("Add", "Mul", "Sub", "Max")}
KINDS |= {f"{op} with {of}": with_constant(op, of) for op, of in itertools.product(("Add", "Mul", "Div"), ("one", "channel", "all"))}
KINDS |= {f"{op} {axes}": reduce(op, axes) for op in ("ReduceMean", "ReduceSum", "ReduceL2", "ReduceMax") for axes in ([-1], [-2, -1], [1])}
KINDS |= {f"Concat {c} on {axis}": concat(c, axis) for c in (2, 4, 6) for axis in (1, 2, 3)}
KINDS |= {f"Split {p} on {axis}": split(p, axis) for p in (2, 4) for axis in (1, 2, 3)}
KINDS |= {f"Slice on {axis}": cut(axis) for axis in (1, 2, 3)} | {f"Pad on {axis}": pad(axis) for axis in (1, 2, 3)}
KINDS |= {"Transpose 021": transpose(3, 0, 2, 1), "Transpose 0231": transpose(4, 0, 2, 3, 1), "Transpose 0213": transpose(4, 0, 2, 1, 3),
          "Transpose 0132": transpose(4, 0, 1, 3, 2), "Reshape": reshape, "Expand": expand, "Gather": gather, "LayerNormalization": layer_norm}
KINDS |= {f"Resize {m} {f}": resize(m, f, c) for m, f, c in [("nearest", 2, "asymmetric"), ("nearest", 4, "asymmetric"), ("linear", 2, "half_pixel")]}
KINDS |= {"DepthToSpace CRD": blocks("DepthToSpace", mode="CRD"), "DepthToSpace DCR": blocks("DepthToSpace", mode="DCR"), "SpaceToDepth": blocks("SpaceToDepth")}
KINDS |= {"Softmax last": softmax(-1), "Softmax of channels": softmax(1)}


class Net(closed_networks.Net):
    def split(self, x, parts, axis):
        names = [f"{x}_part{i}" for i in range(parts)]
        self.nodes.append(helper.make_node("Split", [x], names, axis=axis))
        return names


def write(path, build, shape):
    n = Net(17 if build is layer_norm else 13, x=shape)
    out = build(n, shape)
    if out is None:
        return False
    graph = helper.make_graph(n.nodes, "cell", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info(out, TensorProto.FLOAT, None)], n.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", n.opset)], ir_version=8)
    onnx.save(onnx.shape_inference.infer_shapes(model), path)
    return True


# ---- the two sides ------------------------------------------------------------------------------


class Sides:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.data = {"host": without_support(folder / "host_only")}

    def run(self, place, program, *arguments):
        env = dict(os.environ)
        if place in self.data:
            env["NPU_ADVISE_DATA"] = str(self.data[place])
        done = subprocess.run([self.build / program, *arguments], capture_output=True, text=True, env=env, check=False)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.strip()[:300]}")
        return done.stdout

    def predicted(self, place, model):
        """{NPU, host}: ns"""
        text = self.run(place, "npu-advise", "compile", model, *PLACES[place], "--csv", "-", "--quiet")
        sums = collections.Counter()
        for row in csv.DictReader(text.splitlines()):
            if row["runs_on"] in ("npu", "host") and row["operator"] != "between steps":
                sums[row["runs_on"]] += float(row["time_ns"])
        return sums

    def simulated(self, place, model):
        trace, result = model.with_suffix(f".{place}.trace"), model.with_suffix(f".{place}.result")
        self.run(place, "npu-exec", model, *PLACES[place], "--no-noise", "--warmup", "12", "--json", result, "--trace", trace)
        run = json.loads(result.read_text())["simulation"]["npu_run_ns"]
        times = {"npu": run, "host": host_spans(json.loads(trace.read_text()))}
        trace.unlink()
        result.unlink()
        return times


def host_spans(events):
    """Time of the host's operators of the one inference, ns."""
    total, begun = 0, {}
    for e in events:
        if e.get("cat") == "Nux" and e["name"] not in ("Inference", "NPU"):
            key = e["name"], e["tid"]
            if e["ph"] == "B":
                begun[key] = e["ts"]
            elif key in begun:
                total += (e["ts"] - begun.pop(key)) * 1e3
    return total


def without_support(folder):
    """A data folder whose target leaves every operator to the host."""
    shutil.copytree(ROOT / "rules", folder / "rules")
    shutil.copytree(ROOT / "npu_exec" / "silicon", folder / "silicon")
    target = folder / "rules" / "targets" / "warboy.xml"
    text = re.sub(r"<support .*</support>", "<support/>", target.read_text(), flags=re.S)
    target.write_text(re.sub(r'type="int8"', 'type="float"', text))
    return folder


# ---- the grid -----------------------------------------------------------------------------------


def cell(sides, folder, kind, shape):
    """[label, side, predicted, simulated] of each place."""
    model = folder / (re.sub(r"\W+", "_", kind) + "_" + "x".join(map(str, shape)) + ".onnx")
    rows = []
    try:
        if not write(model, KINDS[kind], shape):
            return []
        for place in PLACES:
            ours, theirs = sides.predicted(place, model), sides.simulated(place, model)
            side = "host" if place == "host" else "npu"
            if ours[side] > 0 or theirs[side] > 0:
                rows.append((f"{kind} of {'x'.join(map(str, shape))}, {place}", side, ours[side], theirs[side]))
        model.unlink()
    except RuntimeError as error:
        rows.append((f"{kind} of {shape}: {error}", "error", 0, 0))
    return rows


def apart(ours, theirs):
    return max(ours / theirs, theirs / ours) if min(ours, theirs) > 0 else float("inf")


def grid(sides, folder, shapes, only):
    cells = [(k, s) for k in KINDS for rank in shapes for s in shapes[rank] if only in k]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return [r for rows in pool.map(lambda c: cell(sides, folder, *c), cells) for r in rows]


def vit():
    n = Net(17, x=[1, 3, 224, 224])
    x = n.add("Transpose", n.add("Reshape", n.add("Conv", "x", n.rng.normal(size=(192, 3, 16, 16)), strides=[16, 16]), numpy.array([1, 192, 196])), perm=[0, 2, 1])
    for _ in range(6):
        y = n.add("LayerNormalization", x, numpy.ones(192), numpy.zeros(192), axis=-1)
        heads = [n.add("Transpose", n.add("Reshape", n.project(y, 192, 192), numpy.array([1, 196, 3, 64])), perm=p) for p in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])]
        scores = n.add("Softmax", n.add("MatMul", heads[0], heads[1]), axis=-1)
        y = n.add("Reshape", n.add("Transpose", n.add("MatMul", scores, heads[2]), perm=[0, 2, 1, 3]), numpy.array([1, 196, 192]))
        x = n.add("Add", x, n.project(y, 192, 192))
        y = n.add("Erf", n.project(n.add("LayerNormalization", x, numpy.ones(192), numpy.zeros(192), axis=-1), 192, 768))
        x = n.add("Add", x, n.project(y, 768, 192))
    return n, n.project(n.add("ReduceMean", x, axes=[1], keepdims=0), 192, 1000)


def depth():
    """An encoder and a decoder with skips, nearest upsampling and one map of depths."""
    n, x, kept, c = Net(13, x=[1, 3, 192, 640]), "x", [], 3
    for width in (32, 64, 128, 256):
        x = n.add("Relu", n.conv(x, c, width, 3, 2))
        x = n.add("Relu", n.conv(x, width, width))
        kept.append((x, width))
        c = width
    for skip, width in reversed(kept[:-1]):
        x = n.add("Resize", n.add("Relu", n.conv(x, c, width)), "", numpy.array([1, 1, 2, 2], numpy.float32), mode="nearest",
                  coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        x = n.add("Relu", n.conv(n.add("Concat", x, skip, axis=1), 2 * width, width))
        c = width
    return n, n.add("Sigmoid", n.conv(x, c, 1))


def networks(sides, folder):
    """Predicted latency of the plan beside the executor's; the number of those too far apart."""
    far = 0
    for build in (vit, depth):
        n, out = build()
        model = folder / (build.__name__ + ".onnx")
        n.save(model, out)
        for place in PLACES:
            ours, theirs = sum(sides.predicted(place, model).values()), sum(sides.simulated(place, model).values())
            far += apart(ours, theirs) > NETWORK_FACTOR
            print(f"{build.__name__}, {place}: predicted {ours / 1e6:.2f} ms, executor {theirs / 1e6:.2f} ms, {apart(ours, theirs):.2f} times")
    return far


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    p.add_argument("--only", default="", help="kinds whose name has this text")
    p.add_argument("--seed", type=int, help="draw the shapes")
    p.add_argument("--far", type=int, default=FAR, help="cells that may be too far apart")
    o = p.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sides = Sides(o.build.resolve(), folder)
        rows = grid(sides, folder, drawn(o.seed) if o.seed else SHAPES, o.only)
        bad = [r for r in rows if r[1] == "error" or apart(*r[2:]) > FACTOR]
        for label, side, ours, theirs in bad:
            print(f"FAR {label}: {side}, predicted {ours / 1e3:.2f} us, executor {theirs / 1e3:.2f} us, {apart(ours, theirs):.1f} times")
        far = networks(sides, folder) if not o.only else 0
    kinds = len({label.split(" of ")[0] for label, *_ in rows})
    print(f"{len(rows)} cells of {kinds} kinds: {len(bad)} further apart than {FACTOR}")
    return 1 if len(bad) > o.far or far or not rows else 0


if __name__ == "__main__":
    sys.exit(main())

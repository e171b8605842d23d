#!/usr/bin/python3
"""The plans that are printed, in the quantizer of SDK 0.9: which operators stay in float before and after `apply`.

  tests/full/vendor_advice.py [--build DIR] [--corpus DIR] [--only TEXT] [--other BUILD]

The models are float forms of the networks that demo and cases have (tests/networks/make_networks.py), the networks of
closed_networks.py, blocks of a ViT and of YOLO12, and the networks of the corpus with weights drawn for each tensor: there all tensors have the
same ones, and with uint8 inputs the quantizer merges operators whose constants are equal (six Conv of y8pose_17).  For each the bundle of the recommended plan runs with the
real packages (closed_loop.py); an operator in float there that `compile` of the bundle's model does not name is an error.  The
rows are Markdown: the first advice, the operators in float of the model as it is given (only converted to opset 13), and of the bundle.
Rows of the models that tests/vendor/README.md lists must be as there.
--other: a row says, too, whether the first advice of that build is another.  Status 77 without the packages (vendor_venv.py).
"""
import argparse
import collections
import json
import pathlib
import sys
import tempfile

import numpy
import onnx
import onnx.numpy_helper

import closed_loop
import closed_networks
import vendor_placement
import outside
import vendor_venv

FLOAT_NETWORKS = "mnist mobilenet_v1 resnet50 ssd_mobilenet efficientnet_b0 yolov5n yolov8n".split()
CORPUS = "convnext_atto_13 mobilenetv3_small_100_13 edgenext_xx_small_13 y11n_13 y8n_12 y8n_def y8pose_17 ghostnet_100_13".split()


def vit_17():
    """One block of a vision transformer with a class token, as torch writes it."""
    n = closed_networks.Net(17, x=[1, 3, 96, 96])
    x = n.add("Conv", "x", n.rng.normal(size=(96, 3, 16, 16)) / 28, n.rng.normal(size=96) / 9, kernel_shape=[16, 16], strides=[16, 16])
    x = n.add("Transpose", n.add("Reshape", x, numpy.array([1, 96, 36])), perm=[0, 2, 1])
    x = n.add("Add", n.add("Concat", n.rng.normal(size=(1, 1, 96)) / 9, x, axis=1), n.rng.normal(size=(1, 37, 96)) / 9)
    norm = lambda y: n.add("LayerNormalization", y, n.rng.uniform(0.5, 1.5, size=96), n.rng.normal(size=96) * 0.1, axis=-1)  # noqa: E731
    y = norm(x)
    q, k, v = (n.add("Transpose", n.add("Reshape", n.project(y, 96, 96), numpy.array([1, 37, 3, 32])), perm=p)
               for p in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]))
    scores = n.add("Softmax", n.add("Mul", n.add("MatMul", q, k), numpy.float32(32 ** -0.5)), axis=-1)
    y = n.add("Reshape", n.add("Transpose", n.add("MatMul", scores, v), perm=[0, 2, 1, 3]), numpy.array([1, 37, 96]))
    x = n.add("Add", x, n.project(y, 96, 96))
    y = n.project(norm(x), 96, 384)
    y = n.add("Mul", n.add("Mul", y, n.add("Add", n.add("Erf", n.add("Div", y, numpy.float32(2 ** 0.5))), numpy.float32(1))), numpy.float32(0.5))
    x = norm(n.add("Add", x, n.project(y, 384, 96)))
    return n, [n.linear(n.add("Gather", x, numpy.array(0), axis=1), 96, 1000)]


def yolo12_18():
    """Area attention of YOLO12 behind its stem: four areas, two heads, and a depthwise convolution of the values as position."""
    n = closed_networks.Net(18, images=[1, 3, 128, 128])
    x = n.silu(n.conv(n.silu(n.conv(n.silu(n.conv("images", 3, 16, 3, 2)), 16, 32, 3, 2)), 32, 64, 3, 2))
    qkv = n.add("Reshape", n.conv(x, 64, 192, 1), numpy.array([1, 192, 256]))
    areas = n.add("Reshape", n.add("Transpose", qkv, perm=[0, 2, 1]), numpy.array([4, 64, 192]))
    parts = n.add("Split", n.add("Transpose", n.add("Reshape", areas, numpy.array([4, 64, 2, 96])), perm=[0, 2, 3, 1]), count=3, axis=2, num_outputs=3)
    scores = n.add("Mul", n.add("MatMul", n.add("Transpose", parts[0], perm=[0, 1, 3, 2]), parts[1]), numpy.float32(32 ** -0.5))
    y = n.add("MatMul", parts[2], n.add("Transpose", n.add("Softmax", scores, axis=-1), perm=[0, 1, 3, 2]))
    back = lambda t: n.add("Transpose", n.add("Reshape", n.add("Transpose", t, perm=[0, 3, 1, 2]), numpy.array([1, 16, 16, 64])), perm=[0, 3, 1, 2])  # noqa: E731
    y = n.conv(n.add("Add", back(y), n.conv(back(parts[2]), 64, 64, 7, 1, 64)), 64, 64, 1)
    x = n.add("Add", x, y)
    x = n.add("Add", x, n.conv(n.silu(n.conv(x, 64, 128, 1)), 128, 64, 1))
    return n, [n.add("Sigmoid", n.conv(x, 64, 80, 1))]


def recorded_rows():
    """By model, what the list in tests/vendor says besides the first advice by the pages."""
    rows = [line.strip("| ").split(" | ") for line in (vendor_venv.ROOT / "tests/vendor/README.md").read_text().splitlines() if line.startswith("| ")]
    return {row[0]: row[2:] for row in rows if row[0] != "model"}


def make_float(name, folder):
    done = closed_loop.run(vendor_venv.ROOT / "tests/networks/make_networks.py", "--dtype", "fp32", "--weights", "real", "--out", folder, name)
    if done.returncode:
        raise ValueError(f"{name}: {done.stderr.strip().splitlines()[-1]}")
    (path,) = folder.glob(f"{name}-*.onnx")
    whole = folder / f"{name}.onnx"
    onnx.save(onnx.load(str(path)), whole)  # with the weights inside
    path.unlink()
    return whole


def with_own_weights(path, to):
    """The network, each of its larger float tensors drawn: of deviation 1 over the root of what a sum has terms, vectors of 0.1."""
    model, rng = onnx.load(str(path)), numpy.random.default_rng(1)
    for t in model.graph.initializer:
        dims = list(t.dims)
        if t.data_type == onnx.TensorProto.FLOAT and numpy.prod(dims) > 8:
            deviation = numpy.prod(dims[1:]) ** -0.5 if len(dims) > 1 else 0.1
            t.CopyFrom(onnx.numpy_helper.from_array((rng.normal(size=dims) * deviation).astype(numpy.float32), t.name))
    onnx.save(model, str(to))
    return to


def models(corpus, folder, only):
    for make in (*closed_networks.NETWORKS, vit_17, yolo12_18):
        if only in make.__name__:
            net, outputs = make()
            net.save(folder / f"{make.__name__}.onnx", *outputs)
            yield folder / f"{make.__name__}.onnx"
    for name in FLOAT_NETWORKS:
        if only in name:
            yield make_float(name, folder)
    for name in CORPUS:
        path = corpus / "vendor_tools/networks" / f"{name}.onnx"
        if only in name and path.exists():
            yield with_own_weights(path, folder / f"{name}.onnx")


def words(operators):
    return " ".join(f"{k}×{n}" if n > 1 else k for k, n in sorted(collections.Counter(operators).items())) or "none"


def first_advice(program, model):
    done = closed_loop.run(program, model, "--sdk", "0.9", "-q", "--json", "-")
    result = json.loads(done.stdout) if done.returncode in (0, 3) and done.stdout else {}
    best = [p for p in result.get("plans", []) if p["recommended"]] or [{"changes": []}]
    changes = {c["id"]: c for c in result.get("changes", [])}
    rows = [changes[row["id"]] for row in best[0]["changes"]] or result.get("recommendations", [])  # the latter: result version 1
    return f"{rows[0]['rule_id']} {rows[0]['title']}" if rows else "none"


def before(program, python, model, folder):
    """Operators in float of the model as it is, or the quantizer's refusal."""
    done = closed_loop.run(program, "apply", model, "--opset", "13", "--sdk", "0.9", "-o", folder / "only", "-q")
    if done.returncode:
        return done.stderr.strip()
    told = vendor_placement.ask(python, folder / "only")["model"]
    return told.get("error") or words(told["float"])


def row_of(program, other, python, model, folder):
    folder.mkdir(exist_ok=True)
    advice, was = first_advice(program, model), before(program, python, model, folder)
    bundle = folder / f"{model.stem}-0.9"
    told, bad = closed_loop.check(program, python, "0.9", model, bundle, [])
    dot = next(bundle.glob("*.dot"), None)
    after = words(vendor_venv.operators(dot.read_text())[0]) if dot else "-"
    old = first_advice(other, model) if other else None
    note = [] if other is None else ["the same" if old == advice else old]
    print("| " + " | ".join([model.stem, advice, was, after, *note]) + " |", flush=True)
    if recorded_rows().get(model.stem, [advice, was, after]) != [advice, was, after]:
        bad.append(f"tests/vendor/README.md says {recorded_rows()[model.stem]}")
    for line in bad:
        print(f"{model.stem}: {line}", flush=True)
    return bad


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--corpus", help="instead of $NPU_ADVISE_CORPUS")
    p.add_argument("--only", default="")
    p.add_argument("--other")
    o = p.parse_args()
    python = vendor_venv.pythons(o.build, "0.9")["0.9"]
    program = pathlib.Path(o.build).resolve() / "npu-advise"
    other = o.other and pathlib.Path(o.other).resolve() / "npu-advise"
    failed, total = 0, 0
    print("| model | first advice | in float as given | in float after apply |" + (" first advice of the other build |" if other else ""))
    print("|--|--|--|--|" + ("--|" if other else ""))
    with tempfile.TemporaryDirectory() as scratch:
        for model in models(outside.corpus(given=o.corpus), pathlib.Path(scratch), o.only):
            failed += bool(row_of(program, other, python, model, pathlib.Path(scratch) / f"{model.stem}.d"))
            total += 1
    print(f"{total - failed} of {total} models: the result names every operator in float")
    sys.exit(1 if failed or not total else 0)


if __name__ == "__main__":
    main()

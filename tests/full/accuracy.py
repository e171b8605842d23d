#!/usr/bin/python3
"""Accuracy beside the gain, on trained networks of the corpus and photographs of Debian's packages.

For each network, recipe and rule: what `npu-advise --data` measures, and whether a limit of 1 % lets the change pass
("exact", "harmless": it differs but passes, "blocked").  NPU104 and NPU108 hand the application the codes that the host would have scaled:
exact wherever they stand alone, so no row of them is blocked; behind a cut (NPU302) a tail that was quantized runs in floats.  Where a network lacks what a rule is about, it is put around it
(scores behind ArgMax, a normalisation before the first Conv).  A row that turns out otherwise than it says here fails.
Pictures: those of python3-skimage and mate-backgrounds (apt-get download), or of the folder in NPU_ADVISE_PICTURES.

  tests/full/accuracy.py [--build BUILD] [--images N] [TEXT]      TEXT: only rows that contain it
Ends with 77 where the corpus or the pictures cannot be had.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = pathlib.Path(os.environ.get("NPU_ADVISE_CORPUS", ROOT.parent / "shared" / "corpus")) / "models"
# network, what is put around it, recipe, options, rule, outcome at 1 %
ROWS = [
    ("vision/mnist8_cntk", "", "pixels", "", "NPU108", "exact"),
    ("vision/mnist8_cntk", "argmax", "pixels", "", "NPU104", "exact"),
    ("vision/mnist8_cntk", "softmax-argmax", "pixels", "", "NPU104", "exact"),
    ("vision/st_mobilenet_v2_035_128", "softmax-argmax", "ssd", "", "NPU104", "exact"),
    ("vision/ultraface_rfb_320", "", "ssd,mean=127,std=128", "", "NPU108", "exact"),
    ("vision/yunet_n_320", "", "pixels,order=bgr", "", "NPU101", "exact"),
    ("vision/yunet_n_320", "", "pixels,order=bgr", "", "NPU108", "exact"),
    ("vision/ultraface_rfb_320", "", "ssd,mean=127,std=128", "", "NPU101", "exact"),
    ("vision/ultraface_rfb_320", "", "imagenet", "", "NPU101", "blocked"),
    ("vision/st_mobilenet_v2_035_128", "", "ssd", "", "NPU101", "harmless"),
    ("vision/st_mobilenet_v2_035_128", "", "imagenet", "", "NPU101", "blocked"),
    ("vision/st_mobilenet_v2_035_128", "argmax", "ssd", "", "NPU104", "exact"),
    ("vision/st_mobilenet_v2_035_128", "normalise", "pixels", "", "NPU102", "blocked"),
    ("vision/mlperf_tiny_resnet8", "normalise", "pixels", "", "NPU102", "blocked"),
    ("vision/ultraface_rfb_320", "normalise", "pixels", "", "NPU102", "harmless"),
    ("image_out/super_resolution_d2s", "", "unit", "", "NPU101", "exact"),
    ("image_out/super_resolution_d2s", "", "unit", "", "NPU103", "exact"),
    ("image_out/super_resolution_d2s", "", "unit", "--sdk=0.9", "NPU103", "harmless"),
    ("image_out/super_resolution_d2s", "", "pixels", "--sdk=0.9", "NPU103", "blocked"),
]


def pictures(scratch):
    given = os.environ.get("NPU_ADVISE_PICTURES")
    if given:
        return pathlib.Path(given)
    for package in "python3-skimage", "mate-backgrounds":
        subprocess.run(["apt-get", "download", "-qq", package], cwd=scratch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for archive in scratch.glob("*.deb"):
        subprocess.run(["dpkg", "-x", archive, scratch / "x"], check=True)
    chosen = scratch / "pictures"
    chosen.mkdir()
    for pattern in "x/usr/lib/python3/dist-packages/skimage/data/*", "x/usr/share/backgrounds/mate/nature/*":
        for path in scratch.glob(pattern):
            if path.suffix in (".png", ".jpg") and 30000 < path.stat().st_size < 2000000 and path.name != "truncated.jpg":
                path.rename(chosen / path.name)
    return chosen if any(chosen.iterdir()) else None


def around_scores(graph, operators):
    """Its first output through one operator after the other, of which the last one chooses."""
    name = graph.output[0].name
    for operator, made in operators:
        keep = {"keepdims": 0} if operator == "ArgMax" else {}
        graph.node.append(helper.make_node(operator, [name], [made], axis=1, **keep))
        name = made
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info(name, TensorProto.INT64, None))


def around(path, what, out):
    """The network with ArgMax behind its scores, or pixels and a normalisation before its first node."""
    model = onnx.load(path)
    graph = model.graph
    weights = {t.name for t in graph.initializer}
    if what == "argmax":
        around_scores(graph, [("ArgMax", "answer")])
    elif what == "softmax-argmax":
        around_scores(graph, [("Softmax", "likely"), ("ArgMax", "answer")])
    elif what == "normalise":
        name = next(v.name for v in graph.input if v.name not in weights)
        for node in graph.node:
            node.input[:] = ["normalised" if i == name else i for i in node.input]
        for constant, value in ("mean", 127.5), ("deviation", 127.5):
            graph.initializer.append(numpy_helper.from_array(numpy.full((1, 3, 1, 1), value, numpy.float32), constant))
        graph.node.insert(0, helper.make_node("Sub", [name, "mean"], ["centred"]))
        graph.node.insert(1, helper.make_node("Div", ["centred", "deviation"], ["normalised"]))
    onnx.save(model, out)
    return out


def outcome(rec):
    accuracy = rec["accuracy"]
    if rec["verdict"] == "accuracy-blocked":
        return "blocked"
    return "unmeasured" if not accuracy else "exact" if accuracy["exact"] else "harmless"


def judge(row, build, data, images, scratch):
    network, what, recipe, options, rule, wanted = row
    model = CORPUS / (network + ".onnx")
    if what:
        model = around(model, what, scratch / f"{what}-{model.name}")
    result = scratch / "r.json"
    done = subprocess.run([build / "npu-advise", model, "--data", data, "--preprocess", recipe, "--images", str(images),
                           "--max-accuracy-loss", "1%", "--min-gain", "1ns", "--min-share", "0", "--json", result, "-q"]
                          + options.split(), capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        return f"status {done.returncode}: {done.stderr.strip()}", False
    found = json.loads(result.read_text())
    recs = [r for r in found["recommendations"] if r["rule_id"] == rule]
    if not recs:
        return f"no recommendation; has {', '.join(r['rule_id'] for r in found['recommendations'])}", False
    rec = max(recs, key=lambda r: (r["accuracy"] or {"loss": {"mid": -1}})["loss"]["mid"])
    gain, accuracy = rec["gain"]["predicted"], rec["accuracy"]
    if not accuracy:
        return f"not measured: {rec.get('accuracy_reason')} {found['notes']}", False
    text = f"gain {gain['mid'] / 1e3:.0f} us [{gain['lo'] / 1e3:.0f} {gain['hi'] / 1e3:.0f}], {accuracy['metric']} " \
           f"{accuracy['value']:.4g} [{accuracy['lo']:.4g} {accuracy['hi']:.4g}], loss {100 * accuracy['loss']['mid']:.2f} %, " \
           f"{accuracy['images']} images: {outcome(rec)}"
    return text, wanted in ("any", outcome(rec))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    p.add_argument("--images", type=int, default=24)
    p.add_argument("text", nargs="?", default="")
    a = p.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        data = pictures(scratch)
        if not CORPUS.is_dir() or not data:
            print("skipped: needs the corpus, and pictures (apt-get download, or NPU_ADVISE_PICTURES)")
            return 77
        for row in ROWS:
            if a.text not in " ".join(row):
                continue
            text, good = judge(row, a.build.resolve(), data, a.images, scratch)
            print("ok  " if good else "BAD ", *(x for x in row[:5] if x), "--", text, flush=True)
            failed += not good
    print(f"{failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

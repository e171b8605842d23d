#!/usr/bin/python3
"""mAP beside pycocotools' (pip install pycocotools; or its folder in PYTHONPATH).

A runner of this script's own hands out drawn boxes, scores and placements, so that the boxes in the picture as it was are known: random
objects of five categories with gaps in their numbers, one in ten of them a crowd, boxes near them and anywhere, classes confused, objects
that nobody drew, pictures without either.  mAP and mAP at IoU 0.5, before and after, have to agree to 1e-6, also where a run goes on
from its log.  Decoding, suppression and placement are done again here, with numpy.  A twin whose annotations are moved by a fifth of
the picture has to be told apart.

  tests/full/average_precision.py [--build BUILD] [--pictures N] [--seeds N]
Ends with 77 where pycocotools cannot be had.
"""
import argparse
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

ROWS, SIDE = 160, 64
CATEGORIES = [3, 8, 1, 40, 17]      # numbers, in the order of the list: class k is the k-th
RUNNER = """#!/usr/bin/python3
import json, pathlib, sys
import numpy
argument = sys.argv
out = pathlib.Path(argument[argument.index("--output-dir") + 1])
first, count = (int(n) for n in next(a for a in argument if a.startswith("--slice=")).split("=")[1].split(":"))
here = pathlib.Path(__file__).parent
of = "after" if any(a.startswith("--input-dtype") or a.startswith("--output-dtype") for a in argument) else "before"
drawn, placed = numpy.load(here / (of + ".npy")), json.loads((here / "placed.json").read_text())
end = min(first + count, len(drawn))
numpy.save(out / "output_0.npy", drawn[first:end])
(out / "samples.json").write_text(json.dumps({"images": len(drawn), "runs": len(drawn), "files": [f"{k:04}.png" for k in range(first, end)],
                                              "placed": placed[first:end]}))
"""


def network(path):
    """QDQ, from a picture to rows of centre, size, whether there is something, and classes; what it computes does not matter."""
    wide = 5 + len(CATEGORIES)
    weight = numpy.ones((ROWS * wide, 3, 1, 1), numpy.int8)
    put = [numpy_helper.from_array(numpy.array(v, t), n) for n, v, t in (("s", 0.01, numpy.float32), ("z", 0, numpy.uint8), ("zw", 0, numpy.int8))]
    put += [numpy_helper.from_array(weight, "w"), numpy_helper.from_array(numpy.array([1, ROWS, wide]), "shape")]
    nodes = [("QuantizeLinear", ["x", "s", "z"], "q"), ("DequantizeLinear", ["q", "s", "z"], "d"), ("GlobalAveragePool", ["d"], "g"),
             ("QuantizeLinear", ["g", "s", "z"], "gq"), ("DequantizeLinear", ["gq", "s", "z"], "gd"), ("DequantizeLinear", ["w", "s", "zw"], "wd"),
             ("Conv", ["gd", "wd"], "c"), ("QuantizeLinear", ["c", "s", "z"], "cq"), ("Reshape", ["cq", "shape"], "r"), ("DequantizeLinear", ["r", "s", "z"], "y")]
    graph = helper.make_graph([helper.make_node(op, given, [made], made) for op, given, made in nodes], "drawn",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, SIDE, SIDE])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, ROWS, wide])], put)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), path)


def made_truth(rng, pictures):
    """Annotations as COCO has them, and where each picture was placed."""
    images, annotations, placed = [], [], []
    for k in range(pictures):
        width, height = (int(v) for v in rng.integers(40, 300, 2))
        images.append({"id": 1000 + 3 * k, "file_name": f"{k:04}.png", "width": width, "height": height})
        scale = rng.uniform(0.5, 1) * SIDE / max(width, height)
        across, down = max(1, int(width * scale)), max(1, int(height * scale))
        placed.append([width, height, int(rng.integers(-5, SIDE - across + 5)), int(rng.integers(-5, SIDE - down + 5)), across, down])
        for _ in range(rng.integers(0, 7)):
            w, h = rng.uniform(8, width / 2), rng.uniform(8, height / 2)
            box = [round(float(v), 2) for v in (rng.uniform(0, width - w), rng.uniform(0, height - h), w, h)]
            annotations.append({"id": len(annotations) + 1, "image_id": 1000 + 3 * k, "category_id": int(rng.choice(CATEGORIES[:4])), "bbox": box,
                                "area": box[2] * box[3], "iscrowd": int(rng.uniform() < 0.1)})
    return {"images": images, "annotations": annotations, "categories": [{"id": c, "name": str(c)} for c in CATEGORIES]}, placed


def made_boxes(rng, truth, placed, error):
    """What a detector of that error says of each picture: [pictures, 1, ROWS, 5 + classes]."""
    found = rng.uniform(0, 1, (len(placed), 1, ROWS, 5 + len(CATEGORIES))).astype(numpy.float32)
    found[..., :2] *= SIDE
    found[..., 2:4] = 2 + found[..., 2:4] * SIDE / 3
    found[..., 4:] *= 0.5
    for k, (image, (width, height, left, top, across, down)) in enumerate(zip(truth["images"], placed)):
        row = 0
        for a in (a for a in truth["annotations"] if a["image_id"] == image["id"]):
            for _ in range(rng.integers(0, 4)):
                x, y, w, h = (v + rng.normal(0, error) * a["bbox"][2 + i % 2] for i, v in enumerate(a["bbox"]))
                x, w, y, h = left + x * across / width, abs(w) * across / width, top + y * down / height, abs(h) * down / height
                found[k, 0, row, :4] = x + w / 2, y + h / 2, w, h
                found[k, 0, row, 4] = rng.uniform(0.4, 1)
                found[k, 0, row, 5 + (CATEGORIES.index(a["category_id"]) if rng.uniform() < 0.85 else rng.integers(5))] = rng.uniform(0.5, 1)
                row += 1
    return found


def overlap(box, others):
    low, high = numpy.maximum(box[:2], others[:, :2]), numpy.minimum(box[2:], others[:, 2:])
    both = numpy.prod(numpy.clip(high - low, 0, None), 1)
    return both / (numpy.prod(box[2:] - box[:2]) + numpy.prod(others[:, 2:] - others[:, :2], 1) - both)


def decoded(rows):
    """Corners, score and class of what is left of one picture's rows."""
    rows = rows.astype(float)
    kind = rows[:, 5:].argmax(1)
    score = rows[:, 4] * rows[:, 5:].max(1)
    corners = numpy.hstack([rows[:, :2] - rows[:, 2:4] / 2, rows[:, :2] + rows[:, 2:4] / 2])
    kept = []
    for i in (i for i in numpy.argsort(-score, kind="stable") if score[i] >= 0.001):
        same = [k for k in kept if kind[k] == kind[i]]
        if not same or overlap(corners[i], corners[same]).max() <= 0.6:
            kept.append(i)
    return [(corners[i], score[i], kind[i]) for i in kept]


def as_coco(truth, placed, found):
    results = []
    for image, (width, height, left, top, across, down), rows in zip(truth["images"], placed, found):
        for corners, score, kind in decoded(rows[0]):
            x = numpy.clip((corners[::2] - left) * width / across, 0, width)
            y = numpy.clip((corners[1::2] - top) * height / down, 0, height)
            results.append({"image_id": image["id"], "category_id": CATEGORIES[kind], "score": float(score),
                            "bbox": [x[0], y[0], x[1] - x[0], y[1] - y[0]]})
    return results


def theirs(path, results):
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO(str(path))
        evaluation = COCOeval(truth, truth.loadRes(results), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return [float(v) for v in evaluation.stats[:2]]


def ours(build, folder, log):
    done = subprocess.run([build / "npu-advise", folder / "drawn.onnx", "--data", folder / "data", "--preprocess", "pixels", "--runner", folder / "runner",
                           "--min-gain", "1ns", "--min-share", "0", "--json", folder / "r.json", "--resume", log, "-q"], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"npu-advise: status {done.returncode}: {done.stderr}")
    result = json.loads((folder / "r.json").read_text())
    for accuracy in (row["accuracy"] for plan in result["plans"] for row in plan["changes"]):
        if accuracy and accuracy["metric"] == "map":
            more = {m["metric"]: m["value"] for m in accuracy["more"]}
            return [more["map_before"], more["map50_before"], accuracy["value"], more["map50"]], accuracy
    sys.exit(f"no mAP: {done.stderr} {[(c['rule_id'], c.get('accuracy_reason')) for c in result['changes']]}")


def judge(build, seed, pictures, folder):
    rng = numpy.random.default_rng(seed)
    truth, placed = made_truth(rng, pictures)
    (folder / "data").mkdir()
    annotations = folder / "data" / "instances_made.json"
    annotations.write_text(json.dumps(truth))
    network(folder / "drawn.onnx")
    (folder / "runner").write_text(RUNNER)
    (folder / "runner").chmod(0o755)
    (folder / "placed.json").write_text(json.dumps(placed))
    wanted = []
    for name, error in ("before", 0.06), ("after", 0.1):
        found = made_boxes(rng, truth, placed, error)
        numpy.save(folder / f"{name}.npy", found)
        wanted += theirs(annotations, as_coco(truth, placed, found))
    found, accuracy = ours(build, folder, folder / "log")
    again, _ = ours(build, folder, folder / "log")
    moved = json.loads(annotations.read_text())
    for a in moved["annotations"]:
        a["bbox"][0] += 0.2 * next(i["width"] for i in moved["images"] if i["id"] == a["image_id"])
    annotations.write_text(json.dumps(moved))
    twin, _ = ours(build, folder, folder / "twin.log")
    far = max(abs(a - b) for a, b in zip(wanted, found))
    good = far <= 1e-6 and again == found and abs(twin[0] - found[0]) > 0.05
    words = " ".join(f"{v:.6f}" for v in found)
    print("ok  " if good else "BAD ", f"seed {seed}: mAP, mAP50 before and after {words}, loss [{accuracy['loss']['lo']:.4f} {accuracy['loss']['hi']:.4f}],"
          f" {far:.1e} from pycocotools'; moved {twin[0]:.3f}", "" if again == found else "; not the same from its log", flush=True)
    return good


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    p.add_argument("--pictures", type=int, default=60)
    p.add_argument("--seeds", type=int, default=3)
    a = p.parse_args()
    try:
        import pycocotools.cocoeval  # noqa: F401
    except ImportError:
        print("skipped: needs pycocotools")
        return 77
    good = True
    for seed in range(a.seeds):
        with tempfile.TemporaryDirectory() as folder:
            good &= judge(a.build.resolve(), seed, a.pictures, pathlib.Path(folder))
    return not good


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""A model's trace is that of its twins: the same network renamed, exported by another tool, or calibrated again.

  twins.py [--build DIR] [--networks DIR] [--corpus DIR] [--list]

Each of twelve networks, six of them of other projects, is traced in two set-ups; each twin (tests/tools/twin_model.py) is advised
with that trace and nothing else said.  It must not be called another model, and grade, matched time, set-up and all that was
measured must be those of the model itself.  Status 1 when one is not; 77 without networks.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import outside

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILT = ["mnist-qdq-u8-nhwc", "mobilenet_v1-qdq-u8-nhwc", "resnet50-qdq-u8", "resnet50-fp32-f32", "ssd_mobilenet-qdq-u8", "yolov5s-qdq-f32"]
CORPUS = ["vision/yunet_n_320", "torch/tv_resnet18_ptq_qdq", "torch/tv_mobilenet_v2_ptq_qdq", "vision/fastestdet_352",
          "vision/mlperf_tiny_resnet8", "vision/ultraface_rfb_320"]
SETUPS = [["--runs", "40"], ["--runs", "60", "--target", "warboy", "--workers", "2", "--sdk", "0.9"]]
TWINS = ["renamed", "reexported", "requantized", "reordered"]


def advise(build, model, trace, folder):
    out = folder / "r.json"
    subprocess.run([build / "npu-advise", model, "--trace", trace, "--json", out], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return json.loads(out.read_text())


def said(result):
    """What must not depend on whose export it is."""
    setup = {k: (v["value"], v["candidates"]) for k, v in result["setup"].items()}
    return {"refuted": result["evidence"]["refuted"], "grade": result["evidence"]["grade"], "setup": setup,
            "matched": round(result["coverage"]["matched_time_share"], 3), "measured": result["measured"]}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build", type=pathlib.Path)
    p.add_argument("--networks", default="build/networks", type=pathlib.Path)
    p.add_argument("--corpus", help="instead of $NPU_ADVISE_CORPUS")
    p.add_argument("--list", action="store_true")
    a = p.parse_args()
    corpus = outside.corpus("models", a.corpus)
    models = [f for f in [a.networks / f"{n}.onnx" for n in BUILT] + [corpus / f"{n}.onnx" for n in CORPUS] if f.exists()]
    if not models:
        sys.exit(77)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="twins"))
    tried, wrong = collections.Counter(), collections.Counter()
    for model in models:
        for number, setup in enumerate(SETUPS):
            trace = folder / "t.json"
            subprocess.run([a.build / "npu-exec", model, "--seed", "5", "--trace", trace, *setup], check=True, stdout=subprocess.DEVNULL)
            own = said(advise(a.build, model, trace, folder))
            for kind in TWINS:
                twin = folder / "twin.onnx"
                made = subprocess.run([ROOT / "tests/tools/rename_model.py", model, twin] if kind == "renamed" else
                                      [ROOT / "tests/tools/twin_model.py", kind, model, twin, str(number + 1)])
                if made.returncode == 77:
                    continue
                other = said(advise(a.build, twin, trace, folder))
                apart = [k for k in own if own[k] != other[k]]
                apart += ["refuted"] if other["refuted"] else []
                tried[kind] += 1
                wrong[kind] += bool(apart)
                if apart or a.list:
                    print(model.stem, " ".join(setup[2:]) or "as it is", kind, f"differs in {', '.join(apart)}" if apart else "matches",
                          f"(grade {other['grade']})")
    for kind in TWINS:
        print(f"{kind}: {tried[kind]} twins of {len(models)} models, {wrong[kind]} do not match their model's trace")
    sys.exit(any(wrong[kind] for kind in TWINS))


main()

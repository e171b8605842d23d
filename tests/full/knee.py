#!/usr/bin/python3
"""Whether a printed plan is on the knee: a grid over the files of its own bundle finds nothing better on both axes.

  knee.py [--build DIR] [MODEL…]      without models: 20 of the corpus and of the generated networks

Per model and objective the recommended plan is applied with its own command.  The bundle's model.onnx is then predicted with each PE mode,
batches of 1 to 32 and 1 to 8 workers.  No point may have 5 % more throughput and 5 % less latency than the plan, and a plan for
throughput has at most 1.5 times the lowest latency among the points within 5 % of the best rate.  One line per model; status 1 for a miss.
"""
import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

import outside

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODES, BATCHES, WORKERS = ("warboy", "warboy-2pe"), (1, 2, 4, 8, 16, 32), range(1, 9)
BETTER, RATE_NEAR, SLOWER = 0.05, 0.05, 1.5
CORPUS = ("vision/fastestdet_352", "vision/yolox_nano_416", "vision/yunet_n_320", "vision/st_mobilenet_v2_035_128",
          "vision/mlperf_tiny_resnet8", "vision/ultraface_rfb_320", "nhwc/blazeface_front_128", "nhwc/resnet8_keras",
          "image_out/super_resolution_d2s", "image_out/fns_candy_bgr8")
NETWORKS = ("mnist-qdq-u8-nhwc", "mobilenet_v1-qdq-u8-nhwc", "mobilenet_v1-qdq-u8", "resnet50-fp32-f32", "resnet50-qdq-u8",
            "ssd_mobilenet-qdq-u8", "yolov5n6-qdq-u8", "yolov5s-qdq-f32", "yolov8m-qdq-u8", "yolov5l-qdq-u8")


def models(build):
    corpus = outside.corpus("models")
    listed = [*(corpus / f"{c}.onnx" for c in CORPUS), *(build / "networks" / f"{n}.onnx" for n in NETWORKS)]
    return [m for m in listed if m.exists()]


def advise(build, *words):
    run = subprocess.run([build / "npu-advise", *words, "--json", "-"], capture_output=True, text=True, check=False)
    return json.loads(run.stdout) if run.stdout.startswith("{") else None


def replaced(options, **changes):
    """Options of the bundle with others in their place."""
    words = list(options)
    for name, value in changes.items():
        flag = f"--{name}"
        if flag in words:
            words[words.index(flag) + 1] = str(value)
        else:
            words += [flag, str(value)]
    return words


def grid(build, model, options):
    for mode in MODES:
        for batch in BATCHES:
            for workers in WORKERS:
                r = advise(build, model, *replaced(options, target=mode, batch=batch, workers=workers), "--isolated")
                now = r and r["now"]
                if now and now["throughput_per_s"] and now["latency_ns"]:
                    yield f"{mode} x {batch} x {workers}", now["throughput_per_s"], now["latency_ns"]


def judge(build, path, objective, folder):
    result = advise(build, path, "--objective", objective, "--isolated")
    plan = result and next((p for p in result["plans"] if p["recommended"]), None)
    if not plan:
        return "no plan", True
    command = shlex.split(plan["bundle"]["command"])
    command[0], command[-1], command[command.index(path.name)] = build / "npu-advise", folder, path
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return "its command failed", False
    model = pathlib.Path(folder, "model.onnx")
    rate, latency = plan["after"]["throughput_per_s"]["mid"], plan["after"]["latency_ns"]["mid"]
    points = list(grid(build, model if model.exists() else path, plan["bundle"]["run"]))
    better = [p for p in points if p[1] > (1 + BETTER) * rate and p[2] < (1 - BETTER) * latency]
    most = max([rate, *(p[1] for p in points)])
    best = min((p[2] for p in points if p[1] >= (1 - RATE_NEAR) * most), default=latency)
    text = f"{rate:.0f}/s at {latency / 1e6:.3f} ms, {len(points)} points"
    if better:
        return f"{text}: {better[0][0]} gives {better[0][1]:.0f}/s at {better[0][2] / 1e6:.3f} ms", False
    if objective == "throughput" and latency > SLOWER * best:
        return f"{text}: {latency / best:.2f} times the lowest latency within 5 % of the best rate", False
    return text, True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="*", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    args = parser.parse_args()
    build, missed, n = args.build.resolve(), 0, 0
    for path in map(pathlib.Path.resolve, args.model or models(build)):
        for objective in ("latency", "throughput"):
            with tempfile.TemporaryDirectory() as folder:
                text, good = judge(build, path, objective, folder)
            print(f"{'ok  ' if good else 'MISS'} {path.name} {objective}: {text}", flush=True)
            missed, n = missed + (not good), n + 1
    print(f"{n} plans, {missed} missed")
    sys.exit(missed > 0)


main()

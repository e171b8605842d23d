#!/usr/bin/python3
"""Compares predicted changes with pairs of measurements of RKNN's chips: corpus/rk3588/pairs.csv, fps.csv, totals.csv and batch.csv.

  rknn_pairs.py [--build DIR] [--corpus DIR]

SiLU to ReLU: YOLOv5s as Rockchip exports it (make_rknn_networks.py), against the vendor's two rates, on every chip that has a target;
within 8 points.  Contexts: 1 to 3 on six networks as they were recorded (DDR at 1560 MHz), against rknn_run's times; within 10 %.
Cores of one context on networks with SiLU, batch on one core: measured without a gain, so none of 3 % or more may be predicted.
Batch on three cores: measured three times as fast, so a gain must be predicted.  OSNet, which the batches were measured on, is in
no list of networks here: ResNet50 stands in.  No figure of the targets was chosen on the pair of YOLOv5s: RV1126's and RK1808's
are those of rknn_fit.py.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import outside  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHIPS = {"rk3588": "RK3588", "rk3576": "RK3576", "rk3566": "RK3566_68", "rv1126": "RV1126", "rk1808": "RK1808"}  # as fps.csv spells them
ACTIVATION_POINTS, CONTEXTS, NO_GAIN = 8, 0.10, 0.03
CONTEXT_NETWORKS = ("yolov5n", "yolov5s", "yolov5nu", "yolov5su", "yolov8n", "yolov8s")


class Program:
    def __init__(self, build, nets):
        self.build, self.nets = build, nets

    def result(self, model, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "result.json"
            subprocess.run([self.build / "npu-advise", self.nets / f"{model}-fp32-f32.onnx", *options, "--quiet", "--json", path],
                           check=True, capture_output=True)
            return json.loads(path.read_text())

    def rate(self, model, *options):
        return self.result(model, "--objective", "throughput", *options)["now"]["throughput_per_s"]


def activation(program, corpus):
    rates = {(r["model"], r["chip"]): float(r["value"]) for r in csv.DictReader(open(corpus / "rk3588" / "fps.csv")) if r["dtype"] == "INT8"}
    for chip, name in CHIPS.items():
        found = program.result("yolov5s", "--target", chip, "--needs", "all")
        plan = next(p for p in found["plans"] if p["route"] == "retrain")
        said = 100 * (plan["after"]["latency_ns"]["mid"] / found["now"]["latency_ns"] - 1)
        measured = 100 * (rates["yolov5s", name] / rates["yolov5s_relu", name] - 1)
        yield (abs(said - measured) <= ACTIVATION_POINTS,
               f"SiLU -> ReLU, {chip}: {said:+.1f} % predicted, {measured:+.1f} % measured: {abs(said - measured):.1f} points")


def contexts(program, corpus):
    for r in csv.DictReader(open(corpus / "rk3588" / "totals.csv")):
        if r["model"] not in CONTEXT_NETWORKS:
            continue
        here = ("--target", "rk3588", "--ddr-mhz", "1560")
        said = program.rate(r["model"], *here, "--workers", "3") / program.rate(r["model"], *here)
        measured = 3 * float(r["rknn_run_ms_1ctx"]) / float(r["rknn_run_ms_3ctx"])
        yield abs(said / measured - 1) <= CONTEXTS, f"1 -> 3 contexts, {r['model']}: x{said:.2f} predicted, x{measured:.2f} measured ({said / measured - 1:+.1%})"


def gains(program):
    for model in ("yolov8n", "yolov8n-seg"):
        said = program.rate(model, "--target", "rk3588-3pe") / program.rate(model, "--target", "rk3588") - 1
        yield said < NO_GAIN, f"three cores of one context, {model}: {said:+.1%} predicted, none measured"
    for chip, cores, gain in (("rk3566", "rk3566", False), ("rk3588", "rk3588-3pe", True)):
        said = program.rate("resnet50-v2-7", "--target", cores, "--batch", "8") / program.rate("resnet50-v2-7", "--target", chip) - 1
        yield (said >= NO_GAIN) == gain, f"batch 8, {chip}: {said:+.1%} predicted, {'+215' if gain else '-4'} % measured"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    p.add_argument("--corpus")
    a = p.parse_args()
    failed, corpus = 0, outside.corpus(given=a.corpus)
    with tempfile.TemporaryDirectory() as folder:
        nets = pathlib.Path(folder)
        subprocess.run([ROOT / "tests" / "networks" / "make_rknn_networks.py", "--all", "-o", nets], check=True, stdout=subprocess.DEVNULL)
        program = Program(a.build, nets)
        for good, line in (*activation(program, corpus), *contexts(program, corpus), *gains(program)):
            failed += not good
            print(("ok    " if good else "FAIL  ") + line)
    print(f"{failed} of the pairs failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())

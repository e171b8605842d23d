#!/usr/bin/env python3
"""Compares predicted with measured times of layers: corpus/rk3588/layers.csv (RK3588, DDR at 1560 MHz).

usage: rknn_layers.py BUILD [CORPUS]        NPU_ADVISE_NETWORKS: a folder of make_networks.py's models

Of a table only its floor is taken (the median of what its rows leave); the figures of memory are those of
rules/targets/rk3588.xml at the clock of the recording.  Convolutions are matched by type, cycles and output (the
exports name their nodes otherwise); rows of the bad stretches (facts: yolov5s from 42, yolov5su from 75) are left out.
"""
import csv
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

MEMORY = ("read", "weight", "add", "concat", "split", "resize", "pool", "softmax")
CLOCK = 2112 / 1560
BAD = {"yolov5s": 42, "yolov5su": 75}


def target(rules, folder):
    """The target as it is, with the memory at the clock of the recording and no floor."""
    text = (rules / "targets" / "rk3588.xml").read_text()

    def scaled(match):
        line, name = match[0], match[1]
        if name not in MEMORY and name != "op":
            return line
        factor = CLOCK if name in MEMORY else 0
        return re.sub(r'\b(value|lo|hi)="([^"]+)"', lambda m: f'{m[1]}="{float(m[2]) * factor:.6g}"', line)
    path = pathlib.Path(folder) / "recording.xml"
    path.write_text(re.sub(r'<term name="(\w+)"[^>]*>', scaled, text))
    return path


def main():
    build = sys.argv[1]
    corpus = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else os.environ["NPU_ADVISE_CORPUS"])
    nets = pathlib.Path(os.environ["NPU_ADVISE_NETWORKS"])
    root = pathlib.Path(__file__).resolve().parents[2]
    tables = {}
    for r in csv.DictReader(open(corpus / "rk3588" / "layers.csv")):
        tables.setdefault(r["model"], []).append(r)
    every = []
    with tempfile.TemporaryDirectory() as folder:
        recording = target(root / "rules", folder)
        for model, rows in tables.items():
            found = sorted(nets.glob(f"{model}_sp.onnx")) or sorted(nets.glob(f"{model}-fp32-f32.onnx"))
            if not found:
                continue
            out = subprocess.run([f"{build}/npu-advise", "compile", found[0], "--target", recording, "--csv", "-", "--quiet"],
                                 capture_output=True, text=True, check=True).stdout
            mine = {}
            for r in csv.DictReader(out.splitlines()):
                mine.setdefault((r["operator"], r["cycles"], r["output"]), float(r["time_ns"] or 0) / 1e3)
            pairs = [(r["optype"], mine[key], float(r["time_us"])) for r in rows
                     if (key := (r["optype"], r["cyc_npu"], "x".join(re.findall(r"\d+", r["out_shape"])))) in mine and r["target"] == "NPU"
                     and int(r["row"]) < BAD.get(model, 1 << 30)]
            if not pairs:
                continue
            floor = statistics.median(t - p for _, p, t in pairs)
            error = [(kind, abs(p + floor - t) / t) for kind, p, t in pairs]
            every += error
            conv = sorted(e for _, e in error)
            print(f"{model}: {len(pairs)} of {len(rows)} rows, floor {floor:.1f} us, Conv rows: median "
                  f"{100 * statistics.median(conv):.1f} %, p90 {100 * conv[int(0.9 * len(conv))]:.1f} %")
    every = sorted(e for _, e in every)
    if every:
        print(f"all: {len(every)}, median {100 * statistics.median(every):.1f} %, p90 {100 * every[int(0.9 * len(every))]:.1f} %")


if __name__ == "__main__":
    main()

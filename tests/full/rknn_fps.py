#!/usr/bin/python3
"""Compares predicted latencies with the frame rates that Rockchip publishes for the networks of make_rknn_networks.py.

  rknn_fps.py [--build DIR] [--corpus DIR]

No table of these networks was measured on the vendor's board.  One line per network and chip; then mean and median of the errors
and the share in the 90 % interval.  Fails above 12 % in the mean or 9 % in the median, or outside 85 to 97 % in the interval.
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import outside

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHIPS = {"RK3588": "rk3588", "RK3576": "rk3576"}
MEAN, MEDIAN, INSIDE = 0.12, 0.09, (0.85, 0.97)


def latency(build, model, chip):
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        subprocess.run([build / "npu-advise", model, "--target", chip, "--quiet", "--json", result], check=True, capture_output=True)
        return json.loads(result.read_text())["prediction"]["latency_ns"]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    p.add_argument("--corpus", help="instead of $NPU_ADVISE_CORPUS")
    a = p.parse_args()
    corpus = outside.corpus(given=a.corpus)
    errors, inside = [], 0
    with tempfile.TemporaryDirectory() as nets:
        subprocess.run([ROOT / "tests" / "networks" / "make_rknn_networks.py", "--all", "-o", nets], check=True, stdout=subprocess.DEVNULL)
        for row in csv.DictReader(open(corpus / "rk3588" / "fps.csv")):
            model = pathlib.Path(nets) / f"{row['model']}-fp32-f32.onnx"
            if row["chip"] not in CHIPS or row["dtype"] != "INT8" or not model.exists():
                continue
            t, said = 1e9 / float(row["value"]), latency(a.build, model, CHIPS[row["chip"]])
            errors.append(abs(said["mid"] / t - 1))
            inside += said["lo"] <= t <= said["hi"]
            print(f"{row['model']:16} {row['chip']} {said['mid'] / 1e6:6.2f} ms, vendor {t / 1e6:6.2f} ms, {100 * (said['mid'] / t - 1):+6.1f} %"
                  f"{'' if said['lo'] <= t <= said['hi'] else ', outside'}")
    mean, median, share = statistics.mean(errors), statistics.median(errors), inside / len(errors)
    print(f"{len(errors)} networks: mean {100 * mean:.1f} %, median {100 * median:.1f} %, in 90 % interval {100 * share:.0f} %")
    return not (mean <= MEAN and median <= MEDIAN and INSIDE[0] <= share <= INSIDE[1])


if __name__ == "__main__":
    sys.exit(main())

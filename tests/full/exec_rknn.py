#!/usr/bin/env python3
"""Compares npu-exec's rows with measured ones: corpus/rk3588/layers.csv (RK3588, DDR at 1560 MHz), and whole networks of all
chips with the vendor's rates (fps.csv).

usage: exec_rknn.py BUILD [CORPUS] [--silicon FILE]      NPU_ADVISE_NETWORKS: a folder of make_networks.py's models

The rates are those of Rockchip's exports (stem, ends), which make_rknn_networks.py builds.  YOLOv5n and YOLOv8n are those that the silicon was tuned on; all others are left out, but the table unit of RK3576 was chosen
with its other networks seen: they judge nothing there.  Of a table only its floor is taken
(the median of what its rows leave), as in rknn_layers.py; rows of the bad stretches are left out.  Fails where half of the
Conv rows or networks that were left out are further off than 8 or 12 % (the vendor's rates of RK3566 are of RK3566 or
RK3568).  --silicon is RK3588's.
"""
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import outside  # noqa: E402
from rknn_layers import measured, quantiles  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONV_MEDIAN, NETWORK_MEDIAN = 0.08, 0.12
TUNED = ("yolov5n", "yolov8n")
CLOCK = ["--ddr-mhz", "1560"]
CHIPS = {"rk3588": "RK3588", "rk3576": "RK3576", "rk3566": "RK3566_68"}  # as fps.csv spells them


def run(build, model, *options, chip="rk3588"):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "trace.json"
        subprocess.run([f"{build}/npu-exec", model, "--target", chip, "--no-noise", "--trace", out, *options],
                       capture_output=True, check=True)
        spans = json.loads(out.read_text())
    return spans["traceEvents"] if isinstance(spans, dict) else spans


def rows(build, model, options):
    """Microseconds of the NPU's rows by type, cycles and output: npu-exec has them in the order of `compile`."""
    out = subprocess.run([f"{build}/npu-advise", "compile", model, "--target", "rk3588", "--csv", "-", "--quiet"],
                         capture_output=True, text=True, check=True).stdout
    keys = [(r["operator"], r["cycles"], r["output"]) for r in csv.DictReader(out.splitlines()) if r["runs_on"] == "npu"]
    spans = [e for e in run(build, model, *CLOCK, *options) if e.get("cat") == "NPU" and "instruction_index" in e.get("args", {})]
    times = [e["dur"] for e in spans if e["name"] not in ("Load", "Store", "Task")]
    assert len(times) == len(keys), (model, len(times), len(keys))
    return dict(zip(keys, times))


def compare(build, corpus, options):
    """(name, all rows of its table, relative errors of its Conv rows and of all)"""
    for model, path, table, count in measured(corpus, outside.networks()):
        have = rows(build, path, options)
        pairs = [(key[0], t, have[key]) for key, t in table if key in have]
        floor = statistics.median(t - s for _, t, s in pairs)
        yield model, count, len(pairs), floor, [(k, abs(s + floor - t) / t, s + floor - t) for k, t, s in pairs]


def networks(build, corpus, exports, options, chip):
    for r in csv.DictReader(open(corpus / "rk3588" / "fps.csv")):
        found = sorted(pathlib.Path(exports).glob(f"{r['model']}-fp32-f32.onnx"))
        if found and (r["chip"], r["dtype"], r["unit"]) == (CHIPS[chip], "INT8", "fps"):
            ends = {e["ph"]: e["ts"] for e in run(build, found[0], *options, "--warmup", "20", chip=chip) if e["name"] == "Inference"}
            yield r["model"], 1e3 / float(r["value"]), (ends["e"] - ends["b"]) / 1e3


def main():
    words, options = [w for w in sys.argv[1:] if w != "--build"], []
    if not words:
        sys.exit(__doc__)
    if "--silicon" in words:
        options = words[words.index("--silicon"):][:2]
        words = [w for w in words if w not in options]
    corpus = outside.corpus(given=words[1] if len(words) > 1 else None)
    left = []
    for model, count, n, floor, found in compare(words[0], corpus, options):
        conv = [e for k, e, _ in found if k.startswith("Conv")]
        left += [] if model in TUNED else conv
        print(f"{model}: {n} of {count} rows, floor {floor:+.1f} us, Conv rows: {quantiles(conv)}; all: {quantiles(e for _, e, _ in found)}")
    print(f"left out: {len(left)} Conv rows, {quantiles(left)}")
    failed = not left or statistics.median(left) > CONV_MEDIAN
    with tempfile.TemporaryDirectory() as exports:
        subprocess.run([ROOT / "tests" / "networks" / "make_rknn_networks.py", "--all", "-o", exports], check=True, stdout=subprocess.DEVNULL)
        for chip in CHIPS:
            error = []
            for model, ms, have in networks(words[0], corpus, exports, options if chip == "rk3588" else [], chip):
                error += [] if model in TUNED else [abs(have / ms - 1)]
                print(f"{chip} {model}: the vendor's {ms:.2f} ms, npu-exec {have:.2f} ms ({have / ms - 1:+.1%})")
            print(f"{chip} left out: {len(error)} networks, {quantiles(error)}")
            failed |= not error or statistics.median(error) > NETWORK_MEDIAN
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

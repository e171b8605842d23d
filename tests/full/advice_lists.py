#!/usr/bin/python3
"""What every list of advice must hold: figures first, nothing twice, nothing of weight left out.

  advice_lists.py [--build DIR] [--quick] [--show]

Over the models of other projects and 30 generated networks, without a trace and with one of npu-exec, for latency and
for throughput:
  - the first recommendation has a figure, and at least 85 % of all do;
  - no operator that the host runs ended as an observation;
  - no list asks for the same change of the same place twice;
  - where 30 % of the latency or more are steps of the host, what remains of that time with all recommendations followed at
    once, bounds included, is a tenth at most, or the result says that the model does not suit;
  - bounds whose action could be tried as well are at most twice what the trial gains, in the median (what is verified is in
    the report card: tests/full/advice.py).
--quick: no traces; --show: a line for every list; --only TEXT: models whose name has it.
"""
import argparse
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUPS = "torch vision nhwc image_out custom dynamic quantized subgraph misc tflite".split()
NETWORKS = [f"{name} --dtype {dtype} --input {pixels} --heads {heads}"
            for name, heads in (("mnist", "raw"), ("mobilenet_v1", "decoded"), ("resnet50", "decoded"), ("ssd_mobilenet", "decoded"),
                                ("yolov5n", "decoded"), ("yolov5s", "decoded"), ("yolov8n", "decoded"), ("yolov8n", "raw"))
            for dtype, pixels in itertools.product(("fp32", "qdq"), ("f32", "u8"))][:30]
HOST_SHARE, COVERED, FIGURES = 0.3, 0.9, 0.85
CONVERSIONS = {"Quantize", "Dequantize", "Lower", "Unlower", "Pad", "Slice"}


def corpus():
    for place in [os.environ.get("NPU_ADVISE_CORPUS"), ROOT.parent / "shared" / "corpus"]:
        if place and (pathlib.Path(place) / "models").is_dir():
            return pathlib.Path(place) / "models"
    return None


def networks(folder):
    for line in NETWORKS:
        made = pathlib.Path(folder) / line.replace(" --", "-").replace(" ", "_")
        made.mkdir()
        subprocess.run([ROOT / "tests/networks/make_networks.py", *line.split(), "--no-check", "-o", made], check=True,
                       capture_output=True)
        yield from sorted(made.glob("*.onnx"))


def advise(build, model, *more):
    done = subprocess.run([build / "npu-advise", model, "-q", "--json", "-", *more], capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout) if done.returncode == 0 else None


def trace(build, model, path):
    done = subprocess.run([build / "npu-exec", model, "--runs", "30", "--trace", path], capture_output=True, timeout=300)
    return done.returncode == 0


def time_of(step):
    return (step["measured_ns"] or {}).get("median") or (step["predicted_ns"] or {}).get("mid") or 0


def host_steps(result):
    return [s for s in result["steps"] if s["kind"] == "host"]


def uncovered(result):
    """Host time that remains with all advice followed, and all of it."""
    host = sum(time_of(s) for s in host_steps(result))
    left = result["ceiling"]["advised_host_ns"]
    return host if left is None else left, host


def twice(result):
    seen = set()
    for r in result["recommendations"]:
        for lever in r["levers"]:
            key = (lever["lever"], lever["index"], lever["value"])
            if key in seen:
                yield r["rule_id"], key
            seen.add(key)


def observed_hosts(result):
    """Observations whose place is an operator on the host with a known time, which no recommendation speaks of."""
    at = {n for s in host_steps(result) if s["op"] not in CONVERSIONS for n in s["onnx_nodes"]}
    told = {p["where"]["node"] if "where" in p else p["node"] for r in result["recommendations"] for p in r["places"]}
    for o in result["observations"]:
        if o["where"]["node"] in at - told:
            yield o["rule_id"], o["where"]["node"]


class Count:
    def __init__(self, show):
        self.show, self.lists, self.all, self.figures, self.problems, self.ratios = show, 0, 0, 0, [], []

    def add(self, label, result):
        recommended = result["recommendations"]
        figures = [r["gain"]["predicted"] is not None for r in recommended]
        self.lists += 1
        self.all += len(figures)
        self.figures += sum(figures)
        if figures and not figures[0]:
            self.problems.append(f"{label}: {recommended[0]['rule_id']} stands first, without a figure")
        self.problems += [f"{label}: {rule} says {key} again" for rule, key in twice(result)]
        self.problems += [f"{label}: {rule} at {node} is only observed" for rule, node in observed_hosts(result)]
        if result["objective"] == "latency":
            self.cover(label, result)
        if self.show:
            print(f"{label}: {' '.join(r['rule_id'] for r in recommended)}", flush=True)

    def cover(self, label, result):
        left, host = uncovered(result)
        latency = (result["measured"] or {}).get("latency_ns", {}).get("median") or result["prediction"]["latency_ns"]["mid"]
        suits = not any("does not suit" in n for n in result["notes"])
        if not latency or host < HOST_SHARE * latency or not suits or left <= (1 - COVERED) * host:
            return
        self.problems.append(f"{label}: {left / 1e3:.0f} of {host / 1e3:.0f} us on the host are no recommendation's")

    def bound(self, result):
        """A stand-in beside the bound of the same places says how far the bound may be off."""
        for r in result["recommendations"]:
            gains = {p["value"].split("[")[0]: (p["gain"] or {}).get("mid") for p in r["sweep"]}
            tried = gains.get("rewrite") or gains.get("stand-in")
            if gains.get("without") and tried and tried > 0:
                self.ratios.append(gains["without"] / tried)

    def close(self):
        share = self.figures / max(1, self.all)
        print(f"{self.lists} lists, {self.all} recommendations, {100 * share:.0f} % with a figure (at least {100 * FIGURES:.0f} %)")
        if share < FIGURES:
            self.problems.append("too few have a figure")
        if self.ratios:
            middle = statistics.median(self.ratios)
            print(f"{len(self.ratios)} bounds with a trial beside them: {middle:.2f} times what it gains in the median (at most 2)")
            if middle > 2:
                self.problems.append("bounds are too large")
        print(*self.problems[:40], sep="\n", end="\n" if self.problems else "")
        print(f"{len(self.problems)} problems")
        return bool(self.problems) or not self.lists


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", default="")
    o = parser.parse_args()
    build, models = pathlib.Path(o.build).resolve(), corpus()
    if not models:
        print("needs the corpus of other projects' models (NPU_ADVISE_CORPUS)")
        sys.exit(77)
    count = Count(o.show)
    with tempfile.TemporaryDirectory() as scratch:
        files = [f for g in GROUPS for f in sorted((models / g).glob("*.*")) if f.suffix in (".onnx", ".tflite")]
        for model in [*files, *networks(scratch)]:
            name = model.name if model.parent.parent == models else model.parent.name
            if o.only not in name:
                continue
            run = pathlib.Path(scratch) / "run.trace"
            ways = [("", [])] + ([(" traced", ["--trace", str(run)])] if not o.quick and trace(build, model, run) else [])
            for (how, more), objective in itertools.product(ways, ("latency", "throughput")):
                result = advise(build, model, "--objective", objective, *more)
                if result:
                    count.add(f"{name} {objective}{how}", result)
                    count.bound(result)
    sys.exit(count.close())


if __name__ == "__main__":
    main()

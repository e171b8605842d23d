#!/usr/bin/python3
"""What traces tell without being told: set-up, model, load.  Prints what holds and what does not.

  setup.py [--build DIR] [--networks DIR] [--corpus DIR] [--part setup|models|load] [--share S] [--chosen N]
           [--plain] [--list]

setup   every set-up of four networks, traced on the plain chip and on three perturbed ones, and advised with no option but the
        trace: right, undecided or wrong, item by item, and the grades of what is wrong
models  twelve networks, among them three pairs with equal operator lists, against each other's traces with a budget that
        every time meets: inconclusive, and no gain set against them; their own traces match
load    six networks under four and eight workers: throughput, requests under way and busy times against the executor's
        own statistics

The networks are not those that constants were chosen on.  Status 1 when something that is called right is wrong with grade A
or B, a trace of another structure is believed, or a busy time is more than 2 points off.
"""
import argparse
import collections
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import outside

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILT = ["yolov5n", "yolov5s", "yolov8n", "yolov8s", "resnet50", "resnet50 --size 320", "mnist", "mobilenet_v1", "ssd_mobilenet"]
CORPUS = ["vision/yunet_n_320.onnx", "torch/tv_resnet18_ptq_qdq.onnx", "vision/fastestdet_352.onnx",
          "vision/mlperf_tiny_resnet8.onnx", "vision/ultraface_rfb_320.onnx"]
PAIRS = [{"yolov5n", "yolov5s"}, {"yolov8n", "yolov8s"}, {"resnet50", "resnet50-320"}]
SETUPS = ["resnet50", "yolov5s", "yunet_n_320", "tv_resnet18_ptq_qdq"]
PERTURBED = [None, 3, 7, 11]


class Bench:
    def __init__(self, a):
        self.build, self.share, self.chosen, self.list = pathlib.Path(a.build), a.share, a.chosen, a.list
        self.chips = [None] if a.plain else PERTURBED
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="setup"))
        self.models = {}
        for flags in BUILT:
            name = flags.split()[0] + ("-" + flags.split()[-1] if "--size" in flags else "")
            self.models[name] = self.network(flags, pathlib.Path(a.networks))
        models = outside.corpus("models", a.corpus)
        for path in CORPUS:
            file = models / path
            if file.exists():
                self.models[file.stem] = file

    @staticmethod
    def network(flags, folder):
        size = "-" + flags.split()[-1] if "--size" in flags else ""
        file = folder / f"{flags.split()[0]}-qdq-u8{size}.onnx"
        if not file.exists():
            subprocess.run([ROOT / "tests/networks/make_networks.py", *flags.split(), "--dtype", "qdq", "--input", "u8", "-o", folder,
                            "--no-check"], check=True, stdout=subprocess.DEVNULL)
        return file

    def execute(self, model, *options):
        trace, stats = self.folder / "t.json", self.folder / "s.json"
        subprocess.run([self.build / "npu-exec", model, "--trace", trace, "--json", stats, *map(str, options)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return trace, json.loads(stats.read_text())["simulation"]

    def advise(self, model, trace, *options):
        out = self.folder / "r.json"
        run = subprocess.run([self.build / "npu-advise", model, "--trace", trace, "--json", out, *map(str, options)],
                             capture_output=True, text=True)
        return run.returncode, run.stdout, json.loads(out.read_text())


def inputs(bench, model):
    shown = subprocess.run([bench.build / "npu-advise", "inspect", model, "--json", "-"], capture_output=True, text=True)
    return [i["name"] for i in json.loads(shown.stdout)["inputs"]]


def check_setup(bench):
    tally, bad = collections.Counter(), 0
    cases = itertools.product(SETUPS, ["warboy", "warboy-2pe"], [1, 4, 8, 32], [1, 4], ["0.9", "0.10"], ["uint8", "float32"], bench.chips)
    chosen = random.Random(bench.chosen)
    for name, target, batch, workers, sdk, dtype, seed in cases:
        if name not in bench.models or chosen.random() >= bench.share:
            continue
        model = bench.models[name]
        options = ["--target", target, "--batch", batch, "--workers", workers, "--sdk", sdk, "--runs", 30]
        options += [w for i in inputs(bench, model) for w in ("--input-dtype", f"{i}={dtype}")]
        trace, _ = bench.execute(model, *options, *(["--perturb", seed] if seed else []))
        _, _, result = bench.advise(model, trace)
        refused = result["evidence"]["refuted"]
        tally["own trace", "perturbed" if seed else "plain", f"refuted: {refused}" if refused else "believed"] += 1
        if refused:
            print(f"refused: {name} {target} batch {batch} workers {workers} SDK {sdk} {dtype} chip {seed}: "
                  f"{result['evidence']['issues'][0]['text']}")
        wanted = {"target": target, "sdk": sdk, "workers": workers, "batch": batch, "input_dtypes": dtype}
        for item, value in wanted.items():
            found = result["setup"][item]
            state = "right" if found["value"] == value else "undecided" if found["value"] is None else "WRONG"
            tally[item, "perturbed" if seed else "plain", state] += 1
            if state == "undecided" and bench.list:
                print(f"undecided: {name} {target} batch {batch} workers {workers} SDK {sdk} {dtype} chip {seed}: "
                      f"{item} {' or '.join(map(str, found['candidates']))}")
            if state == "WRONG":
                grade = result["evidence"]["grade"]
                bad += grade in "AB"
                print(f"wrong: {name} {target} batch {batch} workers {workers} SDK {sdk} {dtype} chip {seed}: "
                      f"{item} {found['value']}, grade {grade}")
    for (item, chip, state), n in sorted(tally.items()):
        print(f"{item:14}{chip:11}{state:16}{n:6}")
    return bad


def check_models(bench):
    tally, bad, traces = collections.Counter(), 0, {}
    for name, model in bench.models.items():
        trace, _ = bench.execute(model, "--runs", 30)
        traces[name] = trace.rename(bench.folder / f"{name}.json")
    for (name, model), (other, trace) in itertools.product(bench.models.items(), traces.items()):
        code, _, result = bench.advise(model, trace, "--budget", "latency_ns=100s")
        refused = code == 3 and result["evidence"]["refuted"] in ("model", "size") and result["now"]["source"] == "predicted"
        kind = "its own" if name == other else "equal lists" if {name, other} in PAIRS else "another"
        right = refused != (name == other)
        tally[kind, right] += 1
        bad += not right
        if not right:
            print(f"{kind}: {name} with the trace of {other}: status {code}")
    for (kind, right), n in sorted(tally.items()):
        print(f"{kind:14}{'right' if right else 'WRONG':10}{n:6}")
    return bad


def check_load(bench):
    bad = 0
    for name in ["yolov5n", "resnet50", "mobilenet_v1", "ssd_mobilenet", "yunet_n_320", "fastestdet_352"]:
        for target, workers in (("warboy", 4), ("warboy-2pe", 8)) if name in bench.models else ():
            trace, run = bench.execute(bench.models[name], "--target", target, "--workers", workers, "--runs", 100)
            _, _, result = bench.advise(bench.models[name], trace)
            m, wall = result["measured"], run["total_ns"]
            rate = m["throughput_per_s"] / run["images_per_s"] / result["setup"]["batch"]["value"] - 1 \
                if result["setup"]["batch"]["value"] else 0
            pe = max(abs(a - b / wall) for a, b in zip(m["busy"]["pe"], run["npu_busy_ns"]))
            host = abs(m["busy"]["host"] - run["core_busy_ns"] / wall)
            bad += abs(rate) > 0.01 or pe > 0.02 or host > 0.02
            print(f"{name:16}{target:11}{workers} workers: rate {100 * rate:+.2f} %, PE {100 * pe:.2f} points, host {100 * host:.2f} points off, "
                  f"waits {m['waiting_ns'] / 1e3:.0f} us")
    return bad


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build")
    p.add_argument("--networks", default=ROOT / "build" / "networks")
    p.add_argument("--corpus", help="instead of $NPU_ADVISE_CORPUS")
    p.add_argument("--part", choices=["setup", "models", "load"])
    p.add_argument("--list", action="store_true", help="what is undecided")
    p.add_argument("--plain", action="store_true", help="the plain chip alone")
    p.add_argument("--chosen", type=int, default=5, help="which set-ups those are")
    p.add_argument("--share", type=float, default=0.1, help="of the set-ups")
    a = p.parse_args()
    bench = Bench(a)
    parts = {"setup": check_setup, "models": check_models, "load": check_load}
    bad = 0
    for name, check in parts.items():
        if a.part in (None, name):
            print(f"== {name}")
            bad += check(bench)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

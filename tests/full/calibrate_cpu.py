#!/usr/bin/python3
"""Calibration where nobody tuned it: onnxruntime-node on this machine's CPU, and a target file of guesses (cpu.xml).

Records the profiles of all models in one run (one thread, node by node), round after round, so that a slow minute hits every
model.  Each model in turn is left out: `npu-advise calibrate` fits the laws to the others' profiles, and `npu-advise MODEL
--calibration` predicts the one that it has not seen, in all and per operator type.  Fails when the median error of the totals
is above BOUND, when calibrating does not help, or when a profile whose convolutions take three times as long passes for good.

Of every node the shortest time of all runs counts: others use this machine too, and what they take away only ever adds.  How
steady that is, two halves of the rounds tell: the noise printed is by how much they differ.
"""
import argparse
import collections
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import outside
import packages

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "tests/full/cpu.xml"
BOUND = 0.15
FEWEST, ROUNDS, RUNS = 10, 4, 8
SLOWED, FACTOR = "Conv", 3
SUFFIX = "_kernel_time"
NETWORKS = {"mobilenet_v1": 224, "resnet50": 160, "ssd_mobilenet": 192, "yolov5n": 320, "yolov5s": 192, "yolov8n": 256,
            "yolov8s": 160, "yolov5nu": 224, "yolov5n6": 256, "yolov5m": 128}
CORPUS = ("vision/fastestdet_352", "vision/yolox_nano_416", "vision/yunet_n_320", "vision/st_mobilenet_v2_035_128",
          "vision/mlperf_tiny_resnet8", "vision/ultraface_rfb_320", "nhwc/blazeface_front_128", "nhwc/resnet8_keras")


def skip(why):
    print(why)
    sys.exit(77)


def run(command, **more):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True, **more).stdout


def make_models(folder):
    for name, size in NETWORKS.items():
        run([sys.executable, ROOT / "tests/networks/make_networks.py", name, "--size", size, "--weights", "real", "--no-check",
             "-o", folder])
    corpus = outside.corpus("models")
    return sorted(folder.glob("*.onnx")) + [m for m in (corpus / f"{c}.onnx" for c in CORPUS) if m.exists()]


class Profile:
    """The shortest time of every node over all runs, and of what lies between them, in us."""

    def __init__(self):
        self.node, self.between = {}, None  # name -> (operator type, us), in the order of execution

    def add(self, events):
        of_run = 0
        for e in events:
            if e.get("cat") == "Node" and e["name"].endswith(SUFFIX):
                of_run += e["dur"]
                name, kind = e["name"][:-len(SUFFIX)], e["args"]["op_name"]
                self.node[name] = kind, min(e["dur"], self.node.get(name, (kind, e["dur"]))[1])
            elif e["name"] == "model_run":
                between = max(0, e["dur"] - of_run)
                self.between = between if self.between is None else min(self.between, between)
                of_run = 0

    def total(self):
        return self.between + sum(us for _, us in self.node.values())

    def per_type(self):
        spent = collections.Counter()
        for kind, us in self.node.values():
            spent[kind] += us
        return spent

    def slowed(self):
        other = Profile()
        other.between = self.between
        other.node = {n: (k, us * FACTOR if k == SLOWED else us) for n, (k, us) in self.node.items()}
        return other

    def write(self, path):
        """As onnxruntime writes it: one inference, the nodes one after another."""
        events, ts = [], 0
        for name, (kind, us) in self.node.items():
            events.append({"cat": "Node", "pid": 1, "tid": 1, "ph": "X", "ts": ts, "dur": us, "name": name + SUFFIX,
                           "args": {"op_name": kind}})
            ts += us
        whole = {"cat": "Session", "pid": 1, "tid": 1, "ph": "X", "ts": 0, "dur": self.total(), "name": "model_run", "args": {}}
        path.write_text(json.dumps([whole, *events]))


def record(modules, models, folder):
    """Profiles of all models: of all rounds, and of every second one."""
    profiles = [[Profile() for _ in models] for _ in range(3)]
    for k in range(ROUNDS):
        for i, model in enumerate(models):
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                name = run(["node", ROOT / "tests/full/trace_record.cjs", model, scratch, RUNS],
                           env={**os.environ, "NODE_PATH": str(modules), "GRAPH_OPTIMIZATION": "disabled"}).strip()
                events = by_end(json.loads((pathlib.Path(scratch) / name).read_text()))
            profiles[0][i].add(events)
            profiles[1 + k % 2][i].add(events)
    return profiles


def by_end(events):
    """A run comes after its nodes."""
    return sorted(events, key=lambda e: e["ts"] + e.get("dur", 0))


def calibrate(advise, models, traces, to):
    run([advise, "calibrate", *models, *(a for t in traces for a in ("--trace", t)), "--target", TARGET, "-o", to])


def predict(advise, model, calibration, folder):
    """Total and time per operator type, in us."""
    more = ["--calibration", calibration] if calibration else []
    run([advise, model, "--target", TARGET, "--json", folder / "r.json", *more])
    result = json.loads((folder / "r.json").read_text())
    spent = collections.Counter()
    for s in result["steps"]:
        spent[s["op"]] += (s["predicted_ns"] or {"mid": 0})["mid"] / 1000
    return result["prediction"]["latency_ns"]["mid"] / 1000, spent


def off(predicted, measured):
    return predicted / measured - 1


def describe(name, guess, total, spent, profile, noise):
    measured = profile.total()
    print(f"{name:34} {measured / 1000:8.2f} {total / 1000:9.2f} {off(total, measured):+7.1%} {off(guess, measured):+9.0%} "
          f"{noise:6.1%}   " + ", ".join(f"{kind} {off(spent[kind], us):+.0%} of {us / 1000:.2f}"
                                         for kind, us in profile.per_type().most_common(4)))


def complaints(advise, model, calibration, profile, folder):
    """How many convolutions the advice says are slower than the calibration explains."""
    profile.write(folder / "twin.json")
    run([advise, model, "--target", TARGET, "--calibration", calibration, "--trace", folder / "twin.json", "--json",
         folder / "r.json"])
    issues = json.loads((folder / "r.json").read_text())["evidence"]["issues"]
    return sum(i["text"].startswith(f"{SLOWED} took") and "slower" in i["text"] for i in issues)


def notices(advise, model, calibration, total, profile, folder):
    """The twin whose convolutions take three times as long: the total is off, and the advice says what is slower."""
    slow = profile.slowed()
    return abs(off(total, slow.total())) > 2 * BOUND and complaints(advise, model, calibration, slow, folder) > 0


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--build", default=str(ROOT / "build"))
    advise = pathlib.Path(p.parse_args().build).resolve() / "npu-advise"
    modules = packages.folder_with("onnxruntime-node")
    if not modules:
        skip("needs node and the packages of tests/full/package.json")
    with tempfile.TemporaryDirectory() as scratch:
        return prove(advise, modules, pathlib.Path(scratch))


def prove(advise, modules, folder):
    (folder / "networks").mkdir()
    models = make_models(folder / "networks")
    profiles, *halves = record(modules, models, folder)
    traces = [folder / f"{i}.json" for i in range(len(models))]
    for profile, trace in zip(profiles, traces):
        profile.write(trace)
    print(f"{len(models)} models, {ROUNDS} rounds of {RUNS} runs, load {os.getloadavg()[0]:.1f}; ms: measured, predicted from the "
          "others, error, error of the guesses, noise; per operator type")
    errors, guesses, missed, of_type = [], [], [], collections.defaultdict(list)
    for i, (model, profile) in enumerate(zip(models, profiles)):
        others = [k for k in range(len(models)) if k != i]
        calibrate(advise, [models[k] for k in others], [traces[k] for k in others], folder / "cal.xml")
        guess, _ = predict(advise, model, None, folder)
        total, spent = predict(advise, model, folder / "cal.xml", folder)
        errors.append(abs(off(total, profile.total())))
        guesses.append(abs(off(guess, profile.total())))
        for kind, us in profile.per_type().items():
            of_type[kind].append(abs(off(spent[kind], us)))
        describe(model.stem, guess, total, spent, profile, abs(off(halves[0][i].total(), halves[1][i].total())))
        if not notices(advise, model, folder / "cal.xml", total, profile, folder):
            missed.append(model.stem)
    return judge(errors, guesses, missed, of_type)


def judge(errors, guesses, missed, of_type):
    middle, before = statistics.median(errors), statistics.median(guesses)
    low, _, high = statistics.quantiles(errors, n=4)
    print("median error per operator type: " + ", ".join(
        f"{k} {statistics.median(v):.0%}" for k, v in sorted(of_type.items(), key=lambda kv: -len(kv[1])) if len(v) > 2))
    print(f"total time of a model that the calibration has not seen: median error {middle:.1%}, mean {statistics.mean(errors):.1%}, "
          f"quartiles {low:.1%} … {high:.1%}, worst {max(errors):.1%}; with the guesses alone {before:.1%}")
    failed = []
    if len(errors) < FEWEST:
        failed.append(f"only {len(errors)} models")
    if not middle <= BOUND:
        failed.append(f"median error above {BOUND:.0%}")
    if not middle < before:
        failed.append("calibrating does not help")
    if missed:
        failed.append(f"{SLOWED} three times as slow passes for good: {', '.join(missed)}")
    print("; ".join(failed) or f"within {BOUND:.0%}; {SLOWED} three times as slow is noticed in every model")
    return 1 if failed else 0


sys.exit(main())

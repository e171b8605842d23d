#!/usr/bin/python3
"""Blind silicon: does a calibration find what nobody told it?  And is the executor another instrument at all?

For each of ten seeds every constant of the executor's silicon is multiplied by 0.7 to 1.4 (npu-exec --perturb),
the model is calibrated on the traces of three networks, and predicts six others, drawn by the seed.  The three follow
from the compiled programs alone, by a rule that no result may change: of all networks in the order of their MACs, the
first, the middle one (the upper of two) and the last.  Demanded:

  each seed    median error of the calibrated model at most 10 %, for NPU time and for latency and NPU time together
  each seed    the target's own figures are off by 5 % or more; under 1 % would mean that both programs share code
  all seeds    and by 5 to 30 % in the middle: one draw alone may well be further off, since the clock alone moves by 40 %
  unperturbed  over all networks, on one PE and on two fused, the median |executor - prediction| / prediction lies
               between 1 and 30 %, for NPU time and for latency; of no network is everything equal

Before that, the judge is shown an executor that agrees with the model, and one that nothing predicts: it must refuse both.
"""
import argparse
import concurrent.futures
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAKE = ROOT / "tests" / "networks" / "make_networks.py"
FLAGS = "--dtype qdq --input u8"
TESTED = 6
SEEDS = range(1, 11)
RUNS = ["--runs", "150", "--warmup", "5"]
METRICS = ["npu_ms", "end_to_end_ms"]
TARGETS = ["warboy-2pe", "warboy"]


class Bench:
    """The two programs, the networks, and a folder for what they write."""

    def __init__(self, build, scratch):
        self.build, self.scratch = build, scratch
        self.networks = build / "networks-all"
        self.names = names_of_networks()
        if not all(self.model(n).exists() for n in self.names):
            call("/usr/bin/python3", MAKE, "--all", *FLAGS.split(), "--no-check", "-o", self.networks)
        by_size = sorted(self.names, key=lambda n: (self.macs(n), n))
        self.training = [by_size[0], by_size[len(by_size) // 2], by_size[-1]]

    def model(self, name):
        return self.networks / f"{name}-qdq-u8.onnx"

    def macs(self, name):
        return json.loads(call(self.build / "npu-advise", "compile", self.model(name), "--emit", "json"))["summary"]["macs"]

    def trace(self, name, target, seed):
        return self.scratch / f"{name}-{target}-{seed}.json"

    def measure(self, name, target="warboy-2pe", seed=None):
        """Runs a network; returns its median times in ns per metric, as npu-advise reads them from the trace."""
        trace = self.trace(name, target, seed)
        perturb = [] if seed is None else ["--perturb", str(seed)]
        call(self.build / "npu-exec", self.model(name), "--target", target, *RUNS, *perturb, "--trace", trace)
        read = json.loads(call(self.build / "npu-advise", "trace", trace, "--json", "-"))
        npu = statistics.median(e["run_ns"] for e in read["npu_executions"])
        return {"npu_ms": npu, "end_to_end_ms": read["summary"]["median"]}

    def calibrate(self, seed):
        file = self.scratch / f"warboy.{seed}.cal.xml"
        traces = [word for n in self.training for word in ("--trace", self.trace(n, "warboy-2pe", seed))]
        call(self.build / "npu-advise", "calibrate", *map(self.model, self.training), *traces, "-o", file)
        return file

    def predict(self, names, target="warboy-2pe", calibration=None):
        """ns per (name, metric), of all networks in one go: `validate` takes any list of points."""
        points = self.scratch / f"points-{calibration.name if calibration else target}.json"
        points.write_text(json.dumps([point(n, target, m) for n in names for m in METRICS]))
        more = ["--calibration", calibration] if calibration else []
        result = points.with_suffix(".result")
        call(self.build / "npu-advise", "validate", "--points", points, "--models", self.networks,
             "--json", result, *more)
        return {(p["model"], p["metric"]): p["predicted_ns"]["mid"] for p in json.loads(result.read_text())["points"]}


def names_of_networks():
    return [line.split()[0] for line in call("/usr/bin/python3", MAKE, "--list").splitlines()]


def point(name, target, metric):
    return {"model": name, "flags": f"{name} {FLAGS}", "target": target, "batch": 1, "metric": metric,
            "value_ms": 1.0, "meaning": "to be predicted", "source": "blind.py"}


def call(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stderr}{done.stdout}")
    return done.stdout


def median_error(predicted, measured, names, metrics=METRICS):
    return statistics.median(abs(predicted[n, m] / measured[n][m] - 1) for n in names for m in metrics)


def judge_round(before, after):
    """What is wrong with a round; both are {'NPU': error, 'all': error}."""
    wrong = [f"calibrated {what} is off by {off:.1%}" for what, off in after.items() if off > 0.10]
    wrong += [f"uncalibrated {what} is off by {off:.1%} only" for what, off in before.items() if off < 0.05]
    return wrong


def judge_rounds(befores):
    """What is wrong with all rounds together."""
    return [f"uncalibrated {what} is off by {middle:.1%} in the middle, not by 5 to 30 %"
            for what in befores[0] for middle in [statistics.median(b[what] for b in befores)]
            if not 0.05 <= middle <= 0.30]


def judge_instrument(gaps):
    """gaps: per network, the gaps of its figures."""
    wrong = []
    for k, metric in enumerate(METRICS):
        middle = statistics.median(g[k] for g in gaps.values())
        if not 0.01 <= middle <= 0.30:
            wrong.append(f"{metric}: the median gap is {middle:.2%}, not 1 to 30 %")
    return wrong + [f"{n}: everything is equal" for n, g in gaps.items() if max(g) < 0.01]


def blind_round(bench, seed, uncalibrated):
    others = [n for n in bench.names if n not in bench.training]
    tested = random.Random(seed).sample(others, TESTED)
    measured = {n: bench.measure(n, seed=seed) for n in bench.training + tested}
    calibrated = bench.predict(tested, calibration=bench.calibrate(seed))
    off = [{"NPU": median_error(p, measured, tested, ["npu_ms"]), "all": median_error(p, measured, tested)}
           for p in (uncalibrated, calibrated)]
    return seed, tested, *off, judge_round(*off)


def gaps_of(bench, target):
    predicted = bench.predict(bench.names, target)
    measured = {n: bench.measure(n, target) for n in bench.names}
    return {n: [abs(measured[n][m] / predicted[n, m] - 1) for m in METRICS] for n in bench.names}


def check_judges():
    same, far = {"NPU": 0.002, "all": 0.004}, {"NPU": 0.14, "all": 0.17}
    assert judge_round(same, same) and judge_round(far, far) and not judge_round(far, same)
    assert judge_rounds([same, same, far]) and not judge_rounds([far, far, same])
    assert judge_instrument({"a": [0.001, 0.002]}) and judge_instrument({"a": [0.5, 0.4]})
    assert not judge_instrument({"a": [0.05, 0.1]})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    build = pathlib.Path(parser.parse_args().build).resolve()
    check_judges()
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        bench = Bench(build, pathlib.Path(scratch))
        for target in TARGETS:
            gaps = gaps_of(bench, target)
            wrong = judge_instrument(gaps)
            middle = [statistics.median(g[k] for g in gaps.values()) for k in range(len(METRICS))]
            print(f"{target}, {len(gaps)} networks: executor and model are {middle[0]:.1%} apart in NPU time, "
                  f"{middle[1]:.1%} in latency (medians){'; ' * bool(wrong)}{'; '.join(wrong)}")
            failed += bool(wrong)
        uncalibrated = bench.predict(bench.names)
        befores, afters = [], []
        print("calibrated on", ", ".join(bench.training))
        for seed, tested, before, after, wrong in pool.map(lambda s: blind_round(bench, s, uncalibrated), SEEDS):
            print(f"seed {seed:2}: NPU time {before['NPU']:6.1%} -> {after['NPU']:5.1%}, with latency "
                  f"{before['all']:6.1%} -> {after['all']:5.1%}  {'FAILED ' + '; '.join(wrong) if wrong else 'ok'}  "
                  f"({' '.join(tested)})")
            failed += bool(wrong)
            befores.append(before)
            afters.append(after)
        for what in befores[0]:
            worst = max(range(len(afters)), key=lambda k: afters[k][what])
            outside = [SEEDS[k] for k, b in enumerate(befores) if not 0.05 <= b[what] <= 0.30]
            print(f"{what}: worst calibrated {afters[worst][what]:.1%} (seed {SEEDS[worst]}); uncalibrated outside 5 to 30 %: "
                  f"{', '.join(f'seed {k}' for k in outside) or 'none'}")
        for wrong in judge_rounds(befores):
            print(wrong)
            failed += 1
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

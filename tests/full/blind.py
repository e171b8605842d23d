#!/usr/bin/python3
"""Blind silicon: does a calibration find what nobody told it?  And is the executor another instrument at all?

For each of ten seeds every constant of the executor's silicon is multiplied by 0.7 to 1.4 (npu-exec --perturb),
the model is calibrated on the traces of three networks, and predicts six others, drawn by the seed.  The three follow
from the compiled programs alone, by a rule that no result may change: of all networks in the order of their MACs, the
first, the middle one (the upper of two) and the last.  NPU times are a trace's, latencies those of a run without the
profiler: that is what is predicted.  Demanded:

  each seed     median error of the calibrated model at most 10 %, for NPU time and for latency and NPU time together
  each seed     the target's own figures are off by 5 to 30 %, in the median over all networks and both times; it has
                seen none of them, so none is left out.  Of the six alone the figure is printed
  each network  the median |executor - prediction| / prediction of NPU time lies between 1 and 30 %, over one PE and two
                fused and the batches 1, 2, 4 and 8 on the unperturbed silicon: under 1 % would mean shared code

Before that, the judges are shown an executor that agrees with the model, and one that nothing predicts: they refuse both.
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
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAKE = ROOT / "tests" / "networks" / "make_networks.py"
FLAGS = "--dtype qdq --input u8"
TESTED = 6
SEEDS = range(1, 11)
MANY_SEEDS = range(1, 41)  # --many
RUNS = ["--runs", "150", "--warmup", "5"]
METRICS = ["npu_ms", "end_to_end_ms"]
TARGETS = ["warboy", "warboy-2pe"]
BATCHES = [1, 2, 4, 8]


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
        return {"npu_ms": npu, "end_to_end_ms": self.simulate(name, target, *RUNS, *perturb)["latency_median_ns"]}

    def simulate(self, name, target, *options):
        """Statistics of a run without the profiler."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            result = pathlib.Path(folder) / "run.json"
            call(self.build / "npu-exec", self.model(name), "--target", target, *options, "--json", result)
            return json.loads(result.read_text())["simulation"]

    def gap(self, name, target, batch):
        """|executor - prediction| / prediction of NPU time and of latency."""
        facts = call(self.build / "npu-advise", "facts", self.model(name), "--target", target, "--batch", batch)
        time = ElementTree.fromstring(facts).find("time")
        run = self.simulate(name, target, "--batch", batch, "--runs", "5", "--no-noise")
        return [abs(run[figure] / float(time.get(predicted)) - 1)
                for figure, predicted in (("npu_run_ns", "npu-ns"), ("latency_median_ns", "latency-ns"))]

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
    """What is wrong with a round; before: an error over all networks, after: {'NPU': error, 'all': error}."""
    wrong = [f"calibrated {what} is off by {off:.1%}" for what, off in after.items() if off > 0.10]
    if not 0.05 <= before <= 0.30:
        wrong.append(f"uncalibrated is off by {before:.1%}, not by 5 to 30 %")
    return wrong


def judge_instrument(gaps):
    """gaps: per network, those of its NPU times."""
    middles = {n: statistics.median(g) for n, g in gaps.items()}
    return [f"{n}: the median gap is {m:.1%}, not 1 to 30 %" for n, m in middles.items() if not 0.01 <= m <= 0.30]


def blind_round(bench, seed, uncalibrated):
    others = [n for n in bench.names if n not in bench.training]
    tested = random.Random(seed).sample(others, TESTED)
    measured = {n: bench.measure(n, seed=seed) for n in bench.names}
    calibrated = bench.predict(tested, calibration=bench.calibrate(seed))
    off = [{"NPU": median_error(p, measured, tested, ["npu_ms"]), "all": median_error(p, measured, tested)}
           for p in (uncalibrated, calibrated)]
    before = median_error(uncalibrated, measured, bench.names)
    return seed, tested, before, *off, judge_round(before, off[1])


def check_judges():
    same, far = {"NPU": 0.002, "all": 0.004}, {"NPU": 0.14, "all": 0.17}
    assert judge_round(0.004, same) and judge_round(0.17, far) and judge_round(0.31, same) and not judge_round(0.17, same)
    assert judge_instrument({"a": [0.001, 0.002, 0.4]}) and judge_instrument({"a": [0.5, 0.4, 0.1]})
    assert not judge_instrument({"a": [0.001, 0.1, 0.4]})


def compare_instruments(bench, pool):
    """Prints how far executor and model are apart; returns what is wrong."""
    grid = [(n, t, b) for n in bench.names for t in TARGETS for b in BATCHES]
    gap = dict(zip(grid, pool.map(lambda point: bench.gap(*point), grid)))
    for n in bench.names:
        npu = [gap[n, t, b][0] for t in TARGETS for b in BATCHES]
        print(f"{n:14} NPU time {statistics.median(npu):6.1%}  (batch 1, 2, 4, 8: one PE "
              f"{' '.join(f'{g:.1%}' for g in npu[:4])}, two {' '.join(f'{g:.1%}' for g in npu[4:])})")
    for k, what in enumerate(["NPU time", "latency"]):
        print(f"all {len(bench.names)} networks: {what} {statistics.median(g[k] for g in gap.values()):.1%} apart (median)")
    return judge_instrument({n: [gap[n, t, b][0] for t in TARGETS for b in BATCHES] for n in bench.names})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--many", action="store_true", help="forty seeds instead of ten: where does the rule end?")
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    seeds = MANY_SEEDS if options.many else SEEDS
    check_judges()
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        bench = Bench(build, pathlib.Path(scratch))
        wrong = compare_instruments(bench, pool)
        print("\n".join(wrong) or "another instrument on every network")
        failed += len(wrong)
        uncalibrated = bench.predict(bench.names)
        afters = []
        print("calibrated on", ", ".join(bench.training))
        for seed, tested, everywhere, before, after, wrong in pool.map(lambda s: blind_round(bench, s, uncalibrated), seeds):
            print(f"seed {seed:2}: uncalibrated {everywhere:5.1%}; the six: NPU time {before['NPU']:5.1%} -> {after['NPU']:5.1%}, "
                  f"with latency {before['all']:5.1%} -> {after['all']:5.1%}  "
                  f"{'FAILED ' + '; '.join(wrong) if wrong else 'ok'}  ({' '.join(tested)})")
            failed += bool(wrong)
            afters.append(after)
        for what in afters[0]:
            worst = max(range(len(afters)), key=lambda k: afters[k][what])
            print(f"{what}: worst calibrated {afters[worst][what]:.1%} (seed {seeds[worst]})")
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

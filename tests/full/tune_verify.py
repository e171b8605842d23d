#!/usr/bin/python3
"""Points of `npu-advise tune` in the executor.

  tune_verify.py NPU_ADVISE NPU_EXEC MODEL... [--fronts N] [--runs N] [--traced] [--batch B]

Every model, for latency, throughput and throughput under a limit (1.5 times the latency as it is): the recommended point run with
--verify; how far its objective is from the runs' and whether they lie inside its interval.  Runs are compared as the share of their own
baseline that they take, or reach, of what is there now: a trace is of one chip, and those that run are others (verified.now of the list
of advice says it in the same way).  The last line has the bare figures too.  Of the first N models each point of the front: no point
beats another in latency and throughput by more than the intervals of that one.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

p = argparse.ArgumentParser()
p.add_argument("advise")
p.add_argument("exec")
p.add_argument("model", nargs="+")
p.add_argument("--fronts", type=int, default=3)
p.add_argument("--runs", type=int, default=30)
p.add_argument("--batch", type=int, help="no other batch is looked at")
p.add_argument("--traced", action="store_true", help="each model with a trace of it as it is, of one chip of the ensemble")
o = p.parse_args()
errors, inside, beaten, fronts = [], 0, 0, 0
bare_errors, bare_inside = [], 0


def tune(folder, model, *more):
    out, trace = folder / "t.json", folder / "trace.json"
    if o.traced and not trace.exists():
        subprocess.run([o.exec, model, "--runs", "40", "--warmup", "5", "--seed", "7", "--trace", trace], check=True, stdout=subprocess.DEVNULL)
    if o.traced:
        more = (*more, "--trace", trace)
    if o.batch:
        more = (*more, "--batch", str(o.batch))
    subprocess.run([o.advise, "tune", model, "-q", "--json", out, *more], check=True, stdout=subprocess.DEVNULL)
    return json.loads(out.read_text())


for number, model in enumerate(o.model):
    with tempfile.TemporaryDirectory() as f:
        folder, name = pathlib.Path(f), pathlib.Path(model).stem
        now = tune(folder, model)["baseline"]["latency_ns"]["mid"]
        for goal in (["latency"], ["throughput"], ["throughput", "--latency-limit", f"{int(1.5 * now)}ns"]):
            t = tune(folder, model, "--objective", *goal, "--verify", "--runs", str(o.runs))
            best = t["recommended"]
            if not best or not best["verified"]:
                print(f"{name:32} {goal[0] + (' under a limit' if goal[1:] else ''):26} nothing to run: {'no point' if not best else best['verdict'] or 'as it is'}")
                continue
            metric = "latency_ns" if goal[0] == "latency" else "throughput_per_s"
            x, bare = best[metric], best["verified"]["median"]
            v = bare * t["baseline"][metric]["mid"] / best["verified"]["baseline"]
            errors.append(abs(x["mid"] / v - 1))
            bare_errors.append(abs(x["mid"] / bare - 1))
            held = x["lo"] <= v <= x["hi"]
            inside += held
            bare_inside += x["lo"] <= bare <= x["hi"]
            print(f"{name:32} {goal[0] + (' under a limit' if goal[1:] else ''):26} {x['mid']:.4g} [{x['lo']:.4g} {x['hi']:.4g}] run {v:.4g}"
                  f" {100 * (x['mid'] / v - 1):+.1f} % {'inside' if held else 'OUTSIDE'} {best['verdict']}", flush=True)
        if number >= o.fronts:
            continue
        # Both figures of a point, each verified as an objective of its own.
        rate = tune(folder, model, "--objective", "throughput", "--verify", "--runs", str(o.runs))["front"]
        wait = tune(folder, model, "--objective", "latency", "--verify", "--runs", str(o.runs))["front"]
        key = lambda x: json.dumps([x["options"], [q["levers"] for q in x["parts"]]])  # noqa: E731
        waits = {key(x): x for x in wait}
        points = [(x, waits[key(x)]["verified"]["median"], x["verified"]["median"]) for x in rate
                  if x["verified"] and key(x) in waits and waits[key(x)]["verified"]]
        print(f"{name}: {len(points)} points of the front of {len(rate)} run for both")
        fronts += len(points)
        for i, (x, latency, per_s) in enumerate(points):
            a, b = x["latency_ns"], x["throughput_per_s"]
            for k, (_, l2, r2) in enumerate(points):
                if i != k and l2 < latency - (a["hi"] - a["mid"]) * latency / a["mid"] and r2 > per_s + (b["hi"] - b["mid"]) * per_s / b["mid"]:
                    beaten += 1
                    print(f"  point {i + 1} ({latency:.4g} ns, {per_s:.4g} /s) is beaten by {k + 1} ({l2:.4g} ns, {r2:.4g} /s) by more than its intervals")
                    break
if not errors:
    sys.exit("nothing was run")
print(f"{len(errors)} points: median error {100 * statistics.median(errors):.1f} %, inside {inside} = {100 * inside / len(errors):.0f} %; "
      f"{fronts} points of fronts, {beaten} beaten by more than the intervals; by bare figures {100 * statistics.median(bare_errors):.1f} %, {bare_inside}")
sys.exit(statistics.median(errors) > 0.1 or inside < 0.85 * len(errors) or beaten > 0)

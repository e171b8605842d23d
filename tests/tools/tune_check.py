#!/usr/bin/python3
"""Holds `npu-advise tune` against every point of the space, tried one by one (tests/tools/tune_brute.c), for latency, throughput and
throughput under a limit; and against each single change that advice has tried, and the list of advice as it stands.

  tune_check.py NPU_ADVISE BRUTE MODEL [--batches N] [--workers N] [--depths N] [--limit NS] [--within SHARE]
BRUTE is the program of tune_brute.c, beside the build's rules; "-" leaves it out, for spaces that nobody can enumerate.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

p = argparse.ArgumentParser()
p.add_argument("advise")
p.add_argument("brute")
p.add_argument("model")
p.add_argument("--batches", default="16")
p.add_argument("--workers", default="16")
p.add_argument("--depths", default="0")
p.add_argument("--limit", type=int, default=10_000_000)
p.add_argument("--within", type=float, default=0.01)
p.add_argument("--quiet", action="store_true", help="no figures, for a golden case")
o = p.parse_args()
# Plans of one route: between routes the needs decide, not the figures alone.
SAME_OUTPUTS = ["--needs", "requests,input,accuracy"]
GOALS = [("latency", []), ("throughput", []), ("throughput", ["--latency-limit", f"{o.limit}ns"])]
bad = 0


def say(name, text, good):
    global bad
    bad += not good
    print(f"{name}: {text}" if not o.quiet or not good else f"{name}: holds")


def run(*args):
    with tempfile.TemporaryDirectory() as d:
        out = pathlib.Path(d) / "r.json"
        subprocess.run([o.advise, *args, *SAME_OUTPUTS, "--json", out, "-q"], check=True, stdout=subprocess.DEVNULL)
        return json.loads(out.read_text()), out.read_text()


def value(result, goal):
    """The objective of the best plan without retraining; now where none is better."""
    better = [p for p in result["plans"] if p["route"] != "retrain"]
    plan = next((p for p in better if p["recommended"]), None)
    if goal == "latency":
        return plan["after"]["latency_ns"]["mid"] + plan["application_ns"]["mid"] if plan else result["now"]["latency_ns"]
    return plan["after"]["throughput_per_s"]["mid"] if plan else result["now"]["throughput_per_s"]


def better(goal, x, y):
    """By how much x is better than y, as a share."""
    return (y / x if goal == "latency" else x / y) - 1


def tried(result, goal):
    """(what, objective) of what-ifs of each change without retraining."""
    for r in result["changes"]:
        gain = r["alone"]
        if gain["basis"] == "what-if" and gain["predicted"] and "retrain" not in r["needs"]:
            yield r["rule_id"], gain["baseline"] + (-1 if goal == "latency" else 1) * gain["predicted"]["mid"]


tuned = [run("tune", o.model, "--objective", goal, *more)[0] for goal, more in GOALS]
brute = None
if o.brute != "-":
    with tempfile.TemporaryDirectory() as d:
        f = pathlib.Path(d) / "tuned.json"
        f.write_text(json.dumps(tuned[0]))
        done = subprocess.run([o.brute, o.model, f, o.batches, o.workers, o.depths, str(o.limit)], capture_output=True, text=True, check=True)
        brute = json.loads(done.stdout)
        if not o.quiet:
            print(f"{brute['points']} points tried one by one")
for (goal, more), t, key in zip(GOALS, tuned, ["latency", "throughput", "limited"]):
    name, found = key, value(t, goal)
    if brute:
        # Of the best rates within 5 % the plan has the lowest latency.
        short = better(goal, brute[key], found)
        say(name, f"{found:.6g}, every point {brute[key]:.6g}: {100 * short:+.3f} %", short <= (o.within if goal == "latency" else 0.05 + o.within))
    if more:
        plan = next(p for p in t["plans"] if p["recommended"])
        took = plan["after"]["latency_ns"]["mid"] + plan["application_ns"]["mid"]
        say(name + " limit", f"{took:.0f} ns", took <= o.limit)
    advice = run(o.model, "--objective", goal, *more)[0]
    for what, x in tried(advice, goal):
        say(f"{name} against {what}", f"{x:.6g}: {100 * better(goal, x, found):+.4f} %", better(goal, x, found) <= (1e-5 if goal == "latency" else 0.05))
sys.exit(bad > 0)

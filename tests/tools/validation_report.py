#!/usr/bin/python3
"""validation_report.py --models DIR… --output FILE [--build DIR] [--runs N] [--seed N] [--jobs N] [--runner CMD]: how good advice is.

Advises about each model for both objectives and SDK 0.9 and 0.10, twice: from nothing, and from a trace of the baseline
that the runner writes under another seed. Each plan is run. Savings are shares of now, so that one scale fits all models and
both objectives. Writes all of it as JSON, and prints one row per route and per group:
  all        plans that npu-advise predicts, of every route
  claims     those of them whose interval excludes 0
  together   the recommended plans
A plan that ran without a saving is not printed by npu-advise; such changes are counted as no-gain.
Status 3 if a run has no result or no change was run.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
Run = collections.namedtuple("Run", "model objective sdk traced")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--models", type=pathlib.Path, action="append", required=True, help="a folder of *.onnx files (may be repeated)")
    p.add_argument("--output", type=pathlib.Path, required=True)
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    p.add_argument("--runs", type=int, default=100)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--runner", help="default: npu-exec of the build, without its ensemble")
    return p.parse_args()


def seed_of(o, stream, run):
    """A seed for each run: under one seed all models would share the draw of their first operator."""
    return zlib.crc32(f"{o.seed} {stream} {run.model.name} {run.objective} {run.sdk} {run.traced}".encode())


def gain_of(name, plan, result):
    """A plan that was predicted and run, as shares of now."""
    key, better = ("throughput_per_s", 1) if result["objective"] == "throughput" else ("latency_ns", -1)
    now, ran, told = result["now"][key], plan["after"][key], plan["predicted"]
    base = now if result["measured"] else result["prediction"][key]["mid"]  # without a trace now was simulated as well

    def shares(names, x, of):
        return dict(zip(names, sorted(better * (x[k] / of - 1) for k in ("lo", "mid", "hi"))))
    p, v = shares(("lo", "mid", "hi"), told, base), shares(("lo", "median", "hi"), ran, now)
    return {"rule_id": name, "verdict": plan["verdict"], "predicted": p, "verified": v,
            "after": {"predicted": told["mid"] / base, "verified": ran["mid"] / now}}


def gains_of(result):
    for plan in result["plans"]:
        if plan["after"]["source"] != "predicted" and plan["predicted"]:
            yield gain_of(plan["route"], plan, result)
            if plan["recommended"]:
                yield gain_of("together", plan, result)


def advise(o, runner, run):
    """The result of npu-advise, or the reason why there is none."""
    with tempfile.TemporaryDirectory() as scratch:
        result, trace = f"{scratch}/result.json", f"{scratch}/trace.json"
        command = [o.build / "npu-advise", run.model, "--verify", "--isolated", "-q", "--runner", runner, "--runs", str(o.runs),
                   "--objective", run.objective, "--sdk", run.sdk, "--seed", str(seed_of(o, "verify", run)), "--json", result]
        if run.traced:
            made = subprocess.run([*runner.split(), run.model, "--sdk", run.sdk, "--runs", str(o.runs), "--seed",
                                   str(seed_of(o, "trace", run)), "--trace", trace], capture_output=True, text=True)
            if made.returncode:
                return None, made.stderr.strip() or f"status {made.returncode}"
            command += ["--trace", trace]
        done = subprocess.run(command, capture_output=True, text=True)
        if not os.path.exists(result):
            return None, done.stderr.strip() or f"status {done.returncode}"
        return json.loads(pathlib.Path(result).read_text()), None


def ranks(values):
    order = sorted(values)
    return [order.index(v) + (order.count(v) - 1) / 2 for v in values]


def correlation(x, y):
    try:
        return statistics.correlation(x, y)
    except statistics.StatisticsError:  # fewer than two, or all the same
        return 1


def score(gains):
    pairs = [(g["predicted"], g["verified"]["median"]) for g in gains]
    return {"n": len(pairs),
            "sign": statistics.mean((p["mid"] > 0) == (v > 0) for p, v in pairs),
            "spearman": correlation(ranks([p["mid"] for p, _ in pairs]), ranks([v for _, v in pairs])),
            "median_error": statistics.median(abs(p["mid"] / v - 1) if v else float("inf") for p, v in pairs),
            "coverage": statistics.mean(p["lo"] <= v <= p["hi"] for p, v in pairs)}


def groups_of(gains):
    sure = [g for g in gains if g["rule_id"] != "together"]
    groups = {rule: [g for g in sure if g["rule_id"] == rule] for rule in sorted({g["rule_id"] for g in sure})}
    groups.update({objective: [g for g in sure if g["objective"] == objective] for objective in ("latency", "throughput")})
    groups["all"] = sure
    groups["claims"] = [g for g in sure if g["predicted"]["lo"] > 0 or g["predicted"]["hi"] < 0]
    groups["together"] = [g for g in gains if g["rule_id"] == "together"]
    for name, members in groups.items():
        for traced in (True, False):
            chosen = [g for g in members if g["traced"] == traced]
            if chosen:
                yield {"name": name, "traced": traced, **score(chosen)}


def show(report):
    rows = {(g["name"], g["traced"]): g for g in report["groups"]}
    print(f"{report['models']} models, {report['runs']} runs, {len(report['refused'])} of them without a result\n\n"
          f"{'':11}|{' replayed from a trace':33}|{' predicted without one'}\n"
          f"{'rule':11}|{'   n  sign    rank error   90 %':33}|{'   n  sign    rank error   90 %'}")
    for name in dict.fromkeys(g["name"] for g in report["groups"]):
        cells = [rows.get((name, traced)) for traced in (True, False)]
        print(f"{name:11}|" + "|".join(
            f"{c['n']:4} {c['sign']:5.0%} {c['spearman']:7.2f} {c['median_error']:5.0%} {c['coverage']:6.0%}   " if c else f"{0:4}{'':29}"
            for c in cells))
    print("\nchanges tried without a gain:", report["no_gain"])


def last_line(report):
    """The line that the README quotes."""
    rows = {g["traced"]: g for g in report["groups"] if g["name"] == "all"}
    if len(rows) < 2:
        return "Advice: nothing was run"
    a, b = rows[True], rows[False]
    return (f"Advice on {report['models']} models, from a trace: sign right {a['sign']:.0%} of {a['n']}, Spearman {a['spearman']:.2f}, "
            f"median error {a['median_error']:.0%}, 90 % intervals hold {a['coverage']:.0%}; without one: {b['sign']:.0%} of {b['n']}, "
            f"{b['spearman']:.2f}, {b['median_error']:.0%}, {b['coverage']:.0%}").replace("%", " %").replace("90  %", "90 %")


def main():
    o = arguments()
    runner = o.runner or str(o.build / "npu-exec")
    models = [m for folder in o.models for m in sorted(folder.glob("*.onnx"))]
    runs = [Run(m, objective, sdk, traced) for m in models for traced in (False, True) for sdk in ("0.9", "0.10")
            for objective in ("latency", "throughput")]
    gains, refused, fired, no_gain = [], [], collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for run, (result, reason) in zip(runs, pool.map(lambda run: advise(o, runner, run), runs)):
            about = dict(run._asdict(), model=run.model.name)
            if not result:
                refused.append({**about, "reason": reason})
                continue
            fired.update({x["rule_id"] for part in ("changes", "by_hand", "observations", "suppressed") for x in result[part]})
            no_gain += sum(x["reason"] == "no-gain" for x in result["suppressed"])
            gains += [{**about, **g} for g in gains_of(result)]
    report = {"runner": runner, "models": len(models), "runs": len(runs), "groups": list(groups_of(gains)),
              "fired": dict(sorted(fired.items())), "no_gain": no_gain, "gains": gains, "refused": refused}
    o.output.write_text(json.dumps(report, indent=1))
    show(report)
    print(last_line(report))
    return 3 if refused or not gains else 0


if __name__ == "__main__":
    sys.exit(main())

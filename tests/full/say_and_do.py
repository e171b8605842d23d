#!/usr/bin/python3
"""Compares what npu-advise says with what its bundles do.

  say_and_do.py BUILD MODEL... [--objective latency|throughput] [--setup OPTIONS]... [--silicon FILE] [--verify]

For each model and set-up: npu-exec records a trace, npu-advise advises on it, every plan that it prints is applied with the
command that it prints, and npu-exec runs the bundle on the silicon of the trace with the options of the plan.  A plan is right
if the command ends with 0, and the run lies within the interval of `after`.  One line per plan; a summary by route.
"""
import argparse
import collections
import json
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

RUNS = 60


def run(words, **more):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, **more)


def measure(build, model, options, silicon, runs, trace=None):
    """(median latency in ns, images per second) of a simulated run; None with the reason when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        stats = pathlib.Path(folder) / "stats.json"
        words = [build / "npu-exec", model, *options, "--runs", runs, "--json", stats]
        words += ["--silicon", silicon] if silicon else []
        words += ["--trace", trace or pathlib.Path(folder) / "trace.json"]  # the profiler slows the host down
        done = run(words)
        if done.returncode:
            return None, (done.stderr.strip().splitlines() or ["?"])[-1]
        out = json.loads(stats.read_text())
    seen = out["simulation"]
    return (seen["latency_median_ns"], seen["images_per_s"]), ""


def judge(plan, seen, throughput):
    """(figure, interval, run)"""
    after = plan["after"]["throughput_per_s" if throughput else "latency_ns"]
    return after["mid"], (after["lo"], after["hi"]), seen[1] if throughput else seen[0]


def one(build, model, objective, setup, silicon, verify, table):
    name = f"{model.name} {objective} {' '.join(setup) or '-'}"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        trace, result = folder / "trace.json", folder / "result.json"
        seen, why = measure(build, model, setup, silicon, 40, trace)
        if not seen:
            return print(f"SKIP {name}: {why}")
        words = [build / "npu-advise", model, "--trace", trace, "--objective", objective, *setup, "--json", result]
        done = run(words + (["--verify"] if verify else []))
        if done.returncode not in (0, 3) or not result.exists():
            table["error"].append(name)
            return print(f"FAIL {name}: npu-advise ends with {done.returncode}: {done.stderr.strip()[-200:]}")
        r = json.loads(result.read_text())
        for plan in r["plans"]:
            check_plan(build, model, r, result, plan, folder, name, objective, silicon, table)


def check_plan(build, model, r, result, plan, folder, name, objective, silicon, table):
    title = f"{name} {plan['route']} {plan['id']}"
    bundle = folder / plan["id"]
    words = shlex.split(plan["bundle"]["command"])
    at = words.index("apply")
    words = [build / "npu-advise", "apply", model, *words[at + 2:words.index("--output")], "--result", result, "--output", bundle]
    words = [folder / "trace.json" if w == "trace.json" else w for w in words]
    done = run(words)
    if done.returncode:
        table["command"].append(title)
        return print(f"FAIL {title}: apply ends with {done.returncode}: {done.stderr.strip()[-200:]}")
    files = [f for f in ("model.onnx", "model.tflite") if (bundle / f).exists()]
    run_model = bundle / files[0] if files else model
    batch = plan["settings"]["batch"]
    runs = RUNS + 20 * plan["settings"]["workers"]
    seen, why = measure(build, run_model, plan["bundle"]["run"], silicon, runs)
    if not seen:
        table["run"].append(title)
        return print(f"FAIL {title}: the bundle does not run: {why}")
    figure, (lo, hi), now = judge(plan, seen, objective == "throughput")
    inside = lo <= now <= hi
    table[plan["route"]].append((inside, abs(now - figure) / figure if figure else 9, (hi - lo) / figure if figure else 0))
    print(f"{'ok  ' if inside else 'MISS'} {title}: says {figure:.6g} [{lo:.6g}, {hi:.6g}], does {now:.6g} ({now / figure - 1:+.0%})"
          if figure else f"MISS {title}: no figure")
    sys.stdout.flush()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("build", type=pathlib.Path)
    p.add_argument("model", nargs="+", type=pathlib.Path)
    p.add_argument("--objective", action="append")
    p.add_argument("--setup", action="append", default=[])
    p.add_argument("--silicon")
    p.add_argument("--verify", action="store_true")
    a = p.parse_args()
    table = collections.defaultdict(list)
    for model in a.model:
        for objective in a.objective or ["latency", "throughput"]:
            for setup in a.setup or [""]:
                one(a.build, model, objective, setup.split(), a.silicon, a.verify, table)
    for kind in ("error", "command", "run"):
        print(f"{kind}: {len(table[kind])} failed")
    for route in ("same_outputs", "new_outputs", "retrain"):
        rows = table[route]
        if rows:
            print(f"{route}: {len(rows)} plans, {sum(r[0] for r in rows) / len(rows):.0%} inside, median error "
                  f"{statistics.median(r[1] for r in rows):.1%}, median width {statistics.median(r[2] for r in rows):.2f}")
    return 0


sys.exit(main())

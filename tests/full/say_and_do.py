#!/usr/bin/python3
"""Compares what npu-advise says with what its bundles do.

  say_and_do.py BUILD MODEL... [--objective latency|throughput] [--setup OPTIONS]... [--silicon NAME|FILE | --perturb SEED] [--verify]
                [--target CHIP [--chip SEED | --simulated]]

For each model and set-up: npu-exec records a trace, npu-advise advises on it, every plan that it prints is applied with the
command that it prints, and npu-exec runs the bundle on the silicon of the trace with the options of the plan.  A plan is right
if the command ends with 0, and the run lies within the interval of `after` (a rate at most what the host's cores leave beside the
application's share).  A trace of the bundle is then advised on: what a
plan of the same route would still gain is the second figure.  One line per plan; a summary by route.  A plan whose bundle is
refused by the vendor's quantizer (`bundle.refused`) has no command on the screen: it is counted apart.  NAME is one of
tests/silicon: the shipped silicon with one mechanism changed.  --target: a chip of RKNN, which tests/tools/rknn_board.py stands in
for, on a law of its own or (--simulated) with the times of npu-exec; the trace is then the table of one run.
"""
import argparse
import collections
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

RUNS = 60
ROOT = pathlib.Path(__file__).resolve().parents[2]
CHANGED = sorted(f.stem for f in (ROOT / "tests" / "silicon").glob("*.xml"))


def run(words, **more):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, **more)


def silicon_words(o, folder):
    """The options with which npu-exec (or the board) runs as the chip of the trace."""
    if o.target:
        return ["--simulated"] if o.simulated else ["--chip", o.chip]
    if o.perturb:
        return ["--perturb", o.perturb]
    if o.silicon not in CHANGED:
        return ["--silicon", o.silicon] if o.silicon else []
    file = pathlib.Path(folder) / f"{o.silicon}.xml"
    subprocess.run([ROOT / "tests" / "tools" / "structural_silicon.py", o.silicon, file], check=True)
    return ["--silicon", file, "--member", "1"]


def measure(build, model, options, silicon, runs, trace=None):
    """(median latency in ns, images per second) of a simulated run; None with the reason when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        stats, board = pathlib.Path(folder) / "stats.json", silicon[:1] in (["--chip"], ["--simulated"])
        words = [ROOT / "tests" / "tools" / "rknn_board.py" if board else build / "npu-exec", model, *options, *silicon, "--runs", runs, "--json", stats]
        words += ["--table" if board else "--trace", trace or pathlib.Path(folder) / "trace.json"]  # the profiler slows the host down
        done = run(words, env={**os.environ, "NPU_ADVISE": str(build / "npu-advise")})
        if done.returncode:
            return None, (done.stderr.strip().splitlines() or ["?"])[-1]
        out = json.loads(stats.read_text())
    seen = out["simulation"]
    tasks = max(1, seen.get("completed", 1))
    return (seen["latency_median_ns"], seen["images_per_s"], seen.get("core_busy_ns", 0) / tasks, seen.get("images_per_task", 1)), ""


def judge(plan, seen, throughput, cores):
    """(figure, interval, run); no run has the application's share, which takes the host's cores"""
    after = plan["after"]["throughput_per_s" if throughput else "latency_ns"]
    share, rate = plan["application_ns"]["mid"], seen[1]
    if share:
        rate = min(rate, 1e9 * seen[3] * cores / (seen[2] + share))
    return after["mid"], (after["lo"], after["hi"]), rate if throughput else seen[0]


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


def gain_left(build, model, trace, plan, objective, folder):
    """What a plan of the same route gains on the bundle, as a share of its time or rate; 0 where there is none."""
    result = folder / "again.json"
    result.unlink(missing_ok=True)
    run([build / "npu-advise", model, "--trace", trace, "--objective", objective, *plan["bundle"]["run"], "--json", result])
    if not result.exists():
        return 9
    r = json.loads(result.read_text())
    if not r["now"]:
        return 0  # a part of unknown time
    key = "throughput_per_s" if objective == "throughput" else "latency_ns"
    now, after = r["now"][key], [p["after"][key]["mid"] for p in r["plans"] if p["route"] == plan["route"]]
    return max([0] + [a / now - 1 if objective == "throughput" else 1 - a / now for a in after])


def check_plan(build, model, r, result, plan, folder, name, objective, silicon, table):
    title = f"{name} {plan['route']} {plan['id']}"
    bundle = folder / plan["id"]
    if plan["bundle"].get("refused"):
        table["refused"].append(title)
        return print(f"refused {title}: {plan['bundle']['refused'][:100]}")
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
    traced = folder / "after.json"
    seen, why = measure(build, run_model, plan["bundle"]["run"], silicon, runs, traced)
    if not seen:
        table["run"].append(title)
        return print(f"FAIL {title}: the bundle does not run: {why}")
    figure, (lo, hi), now = judge(plan, seen, objective == "throughput", r["options"]["host_cores"])
    inside = lo <= now <= hi
    more = gain_left(build, run_model, traced, plan, objective, folder)
    error, width = (abs(now - figure) / figure, (hi - lo) / figure) if figure else (9, 0)
    table[plan["route"]].append((inside, error, width, more < 0.05))
    if more >= 0.05:
        print(f"MORE {title}: the applied model would gain {more:.0%} by the same route")
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
    p.add_argument("--perturb")
    p.add_argument("--target", help="a chip of RKNN")
    p.add_argument("--chip", default="1")
    p.add_argument("--simulated", action="store_true")
    p.add_argument("--verify", action="store_true")
    a = p.parse_args()
    table = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        silicon = silicon_words(a, folder)
        for model in a.model:
            for objective in a.objective or ["latency", "throughput"]:
                for setup in a.setup or [""]:
                    words = setup.split() + (["--target", a.target] if a.target else [])
                    one(a.build, model, objective, words, silicon, a.verify, table)
    for kind in ("error", "command", "run"):
        print(f"{kind}: {len(table[kind])} failed")
    print(f"refused: {len(table['refused'])}")
    for route in ("same_outputs", "new_outputs", "retrain"):
        rows = table[route]
        if rows:
            print(f"{route}: {len(rows)} plans, {sum(r[0] for r in rows) / len(rows):.0%} inside, median error "
                  f"{statistics.median(r[1] for r in rows):.1%}, median width {statistics.median(r[2] for r in rows):.2f}, "
                  f"{sum(r[3] for r in rows)} with less than 5 % left")
    return 0


sys.exit(main())

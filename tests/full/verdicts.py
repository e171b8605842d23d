#!/usr/bin/python3
"""Are confirmed plans real on silicon that was never run before?

  verdicts.py [--build DIR] [--silicons 901-920] [--share N] [--only TEXT] [--json FILE]

The networks of the validation report on twenty perturbed silicons.  Each network is advised on with a trace of that silicon (or
without one), the plans are simulated on the ensemble as a user would, applied, and both models run on the silicon itself with
other seeds: real means that every pair of runs shows a saving there.  Network i on silicon s has setting (i + s) / N mod 8 of
objective, SDK and trace; --share N takes every N-th pair of network and silicon (default 3).
At least 95 % of the confirmed plans must be real.  Prints the table of verdicts and lists the false ones.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import outside

GROUPS = ["vision", "nhwc", "image_out"]
REAL, SEEDS = 0.95, (77, 78, 79, 80)


def networks(build):
    folders = [build / "networks", *(outside.corpus("models") / g for g in GROUPS)]
    # Sizes that nobody states cannot be run.
    return sorted((p for f in folders for p in f.glob("*.onnx") if "dynamic" not in p.stem), key=lambda p: p.name)


def settings(k):
    return ["--sdk", "0.10" if k & 2 else "0.9", "--objective", "throughput" if k & 1 else "latency"], bool(k & 4)


def measure(build, model, options, silicon, seed, throughput, scratch):
    """Images per second, or the median latency in ns with a minus: more is better."""
    stats = scratch / "stats.json"
    subprocess.run([build / "npu-exec", model, *options, "--perturb", str(silicon), "--seed", str(seed), "--runs", "100", "--json", stats],
                   check=True, capture_output=True)
    seen = json.loads(stats.read_text())["simulation"]
    return seen["images_per_s"] if throughput else -seen["latency_median_ns"]


def change_there(build, model, result, plan, words, silicon, scratch):
    """What the plan changes on the silicon, as shares of now: one figure for each seed."""
    bundle = scratch / plan["id"]
    subprocess.run([build / "npu-advise", "apply", model, *words, "--plan", plan["id"], "--result", result, "--output", bundle],
                   check=True, capture_output=True)
    applied = bundle / "model.onnx" if (bundle / "model.onnx").exists() else model
    for seed in SEEDS:
        before = measure(build, model, words[:2], silicon, seed, "throughput" in words, scratch)
        after = measure(build, applied, plan["bundle"]["run"], silicon, seed, "throughput" in words, scratch)
        yield (after - before) / abs(before)


def run_one(build, model, silicon, k, scratch):
    """[(route, verdict of the ensemble, changes on the silicon)]"""
    words, traced = settings(k)
    result = scratch / "result.json"
    if traced:
        trace = scratch / "trace.json"
        subprocess.run([build / "npu-exec", model, *words[:2], "--perturb", str(silicon), "--warmup", "5", "--runs", "60",
                        "--seed", str(silicon * 7 + 3), "--trace", trace], capture_output=True, check=True)
        words = [*words, "--trace", trace]
    done = subprocess.run([build / "npu-advise", model, *words, "--verify", "--quiet", "--json", result], capture_output=True, check=False)
    if done.returncode == 3:  # the trace of this silicon is taken for another model's: no plan is given
        return []
    done.check_returncode()
    return [(plan["route"], plan["verdict"], list(change_there(build, model, result, plan, words, silicon, scratch)))
            for plan in json.loads(result.read_text())["plans"] if plan["verdict"]]


def show(table, false):
    print(f"{'ensemble says':16} {'plans':>6} {'real':>6}")
    for verdict, n in sorted(table.items()):
        print(f"{verdict:16} {sum(n.values()):6} {n[True]:6}")
    for line in false:
        print("false:", line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--silicons", default="901-920")
    parser.add_argument("--share", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=pathlib.Path)
    o = parser.parse_args()
    build = pathlib.Path(o.build).resolve()
    first, last = map(int, o.silicons.split("-"))
    table, false, rows = collections.defaultdict(collections.Counter), [], []
    with tempfile.TemporaryDirectory() as work:
        for s in range(first, last + 1):
            for i, model in enumerate(networks(build)):
                if (i + s) % o.share or o.only not in model.stem:
                    continue
                with tempfile.TemporaryDirectory(dir=work) as scratch:
                    words, traced = settings((i + s) // o.share)
                    for route, verdict, changes in run_one(build, model, s, (i + s) // o.share, pathlib.Path(scratch)):
                        real = min(changes) > 0
                        rows.append((model.stem, s, route, verdict, changes))
                        table[verdict][real] += 1
                        if verdict == "confirmed" and not real:
                            false.append(f"{route} of {model.stem} on {s}, {words[3]}, SDK {words[1]}, {'trace' if traced else 'no trace'}: "
                                         + " ".join(f"{x:+.1%}" for x in changes))
            print(f"silicon {s}: {len(rows)} plans", file=sys.stderr, flush=True)
    if o.json:
        o.json.write_text(json.dumps(rows))
    show(table, false)
    confirmed = table["confirmed"]
    real = confirmed[True] / max(1, sum(confirmed.values()))
    print(f"confirmed plans: {sum(confirmed.values())}, real in {real:.1%}")
    sys.exit(0 if real >= REAL else 1)


if __name__ == "__main__":
    main()

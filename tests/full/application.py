#!/usr/bin/python3
"""Compares the predicted rates of more workers, in an application with work of its own per request, with the executor's runs.

  application.py [--build DIR] [--networks DIR] [--only NETWORK]

Networks of one to some 40 ms are traced with one worker and an application that works for 3 ms before each request, or 3 ms after, with
a queue or with blocking calls.  The rates of 2, 4 and 8 workers (`curves` of the result) are compared with the executor's.  One thread
that blocks keeps one request in flight: to keep more, it needs a queue, so the executor then runs with one.  Passes if each rate is
within 10 % of the executor's (blocking calls take longer by themselves, and a trace of them does not say by how much: those rates are
printed only), and NPU512 names the application wherever it limits the executor with eight workers.
"""
import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

from loads import network

ROOT = pathlib.Path(__file__).resolve().parents[2]
NETWORKS = ["yolov5n6", "resnet50", "yolov8n", "efficientnet_b0"]
WAYS = [("--submit-time", "3000"), ("--receive-time", "3000")]
WORKERS, RUNS, OWN_US = [2, 4, 8], 200, 3000


def execute(build, folder, model, workers, way, api):
    trace, stats = folder / "t.json", folder / "s.json"
    subprocess.run([build / "npu-exec", model, "--workers", str(workers), *way, "--api", api, "--runs", str(RUNS), "--trace", trace,
                    "--json", stats], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return trace, json.loads(stats.read_text())["simulation"]["images_per_s"]


def advise(build, folder, model, trace):
    """{workers: predicted rate}, and whether the application is named."""
    out = folder / "r.json"
    subprocess.run([build / "npu-advise", model, "--trace", trace, "--objective", "throughput", "--workers", "1", "--json", out], check=True,
                   capture_output=True)
    result = json.loads(out.read_text())
    named = any(r["rule_id"] == "NPU512" for part in ("changes", "by_hand", "suppressed", "observations") for r in result[part])
    return {x["workers"]: x["throughput_per_s"] for x in result["curves"]["workers"]}, named


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    p.add_argument("--networks", default=ROOT / "build" / "networks", type=pathlib.Path)
    p.add_argument("--only", default="")
    a = p.parse_args()
    folder, bad, worst = pathlib.Path(tempfile.mkdtemp(prefix="application")), 0, 0
    for flags, way, api in itertools.product(NETWORKS, WAYS, ["queue", "sync"]):
        if a.only not in flags:
            continue
        model = network(flags, a.networks)
        trace, _ = execute(a.build, folder, model, 1, way, api)
        predicted, named = advise(a.build, folder, model, trace)
        text = f"{flags} {way[0][2:]} {api}:"
        for n in WORKERS:
            _, real = execute(a.build, folder, model, n, way, "queue")
            rate = predicted.get(n)
            if not rate:
                bad += 1
                text += f"  {n} workers: NO FIGURE"
                continue
            off = rate["mid"] / real - 1
            bad += abs(off) > 0.1 and api == "queue"
            worst = max(worst, abs(off)) if api == "queue" else worst
            text += f"  {n} workers {rate['mid']:.0f} [{rate['lo']:.0f} {rate['hi']:.0f}] /s, executor {real:.0f} ({100 * off:+.1f} %)"
        limits = abs(real * OWN_US * 1e-6 - 1) < 0.1
        bad += limits and not named
        print(text + ("; the application limits" + ("" if named else ", and is NOT NAMED") if limits else ""))
    print(f"worst {100 * worst:.1f} % of an application that queues")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

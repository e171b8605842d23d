#!/usr/bin/python3
"""An application that takes its own time before or after each request: what more workers bring, against the executor's runs.

  application.py [--build DIR] [--networks DIR] [--only NETWORK]

Networks of one to some 40 ms are traced with one worker and an application that takes 3 ms before each request, or 3 ms after, that
queues or that blocks, and asked what 2, 4 and 8 workers bring.  One thread that blocks keeps one request under way: to keep more,
it hands them to a queue, so that is what the executor then runs.  Holds when each rate is within 10 % of the executor's with as many
(calls that block take longer by themselves, and a trace of them does not tell by how much: those rates are shown, and hold nothing),
and the application is named as what limits wherever, with eight workers, the executor serves what one thread hands over.
"""
import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

from loads import RULE, network

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
    out = folder / "r.json"
    subprocess.run([build / "npu-advise", model, "--trace", trace, "--objective", "throughput", "--workers", "1", "--rules", folder / "rules",
                    "--json", out], check=True, capture_output=True)
    result = json.loads(out.read_text())
    rows = result["recommendations"] + result["suppressed"]
    named = any(r["rule_id"] == "NPU512" for r in rows + result["observations"])
    now = result["measured"]["throughput_per_s"]
    said = {r["rule_id"]: {k: now + v for k, v in r["gain"]["predicted"].items() if k in ("lo", "mid", "hi")}
            for r in rows if r["rule_id"].startswith("APP") and r["gain"]["predicted"]}
    return said, named


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    p.add_argument("--networks", default=ROOT / "build" / "networks", type=pathlib.Path)
    p.add_argument("--only", default="")
    a = p.parse_args()
    folder, bad, worst = pathlib.Path(tempfile.mkdtemp(prefix="application")), 0, 0
    (folder / "rules").mkdir()
    for n in WORKERS:
        rule = RULE.format(number=n, lever="workers", value=n).replace("LOD", "APP")
        (folder / "rules" / f"APP{n:03d}.xml").write_text(rule)
    for flags, way, api in itertools.product(NETWORKS, WAYS, ["queue", "sync"]):
        if a.only not in flags:
            continue
        model = network(flags, a.networks)
        trace, _ = execute(a.build, folder, model, 1, way, api)
        said, named = advise(a.build, folder, model, trace)
        text = f"{flags} {way[0][2:]} {api}:"
        for n in WORKERS:
            _, real = execute(a.build, folder, model, n, way, "queue")
            rate = said.get(f"APP{n:03d}")
            if not rate:
                bad += 1
                text += f"  {n} workers: NOT SAID"
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

#!/usr/bin/python3
"""Speed of the executor on ResNet50: inferences and events per second at tile level and by recurrence,
and the memory and time of 1,000 traced inferences.

  bench/exec.py [BUILD]     needs the network resnet50-qdq-u8 in BUILD/networks (tests/run makes it)

Time per inference is the slope between a short and a long run, so that loading and compiling do not
count; medians of 5 interleaved rounds.
"""
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS, SHORT, LONG = 5, 1000, 21000


def run(program, model, runs, *more):
    started = time.perf_counter()
    subprocess.run([program, model, "--runs", str(runs), *more], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build")
    program, model = build / "npu-exec", build / "networks" / "resnet50-qdq-u8.onnx"
    if not model.exists():
        print("skipped: no", model)
        return
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "r.json")
        run(program, model, SHORT, "--json", result)
        events = json.load(open(result))["simulation"]["events"] / SHORT
        slope = {"tile level": [], "recurrence": []}
        for _ in range(ROUNDS):
            for name, flags in (("tile level", ()), ("recurrence", ("--fast",))):
                slope[name].append((run(program, model, LONG, *flags) - run(program, model, SHORT, *flags))
                                   / (LONG - SHORT))
        for name, goal in (("tile level", 1000), ("recurrence", 20000)):
            rate = 1 / statistics.median(slope[name])
            rounds = f"  {events * rate / 1e6:.1f} M events/s" if name == "tile level" else ""
            print(f"{name}: {rate:,.0f} inferences/s (goal {goal:,}){rounds}")
        trace = os.path.join(folder, "t.json")
        took = run(program, model, 1000, "--trace", trace)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(f"1,000 traced inferences: {took:.2f} s, {os.path.getsize(trace) / 1e6:.0f} MB of trace, "
              f"{peak / 1024:.0f} MB of memory (goal 100)")


main()

#!/usr/bin/python3
"""Whether the shards of a plan end together: predicted cost against processor time.

  plan_balance.py [--build DIR] [--models DIR] [--shards N]

The corpus x 2 SDKs x 2 objectives in sixteen shards, each run as it would be, one process at a time: the longest takes at most 1.3 times the
mean.  The same items dealt out in turns, and all of them by one cost, are printed beside it.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import outside

BAR = 1.3


def processor_s(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def longest(loads):
    return max(loads) / (sum(loads) / len(loads))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--shards", default=16, type=int)
    parser.add_argument("--repeat", default=3, type=int, help="the least of so many: a loaded machine only adds")
    given = parser.parse_args()
    models = given.models or outside.corpus("models")
    advise = given.build.resolve() / "npu-advise"
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        told = str(models.resolve())
        subprocess.run([advise, "shards", told, "--matrix", "sdk=0.9,0.10", "objective=latency,throughput", "-o", "shards.ndjson"], cwd=folder, check=True)
        cost = {}
        for line in (folder / "shards.ndjson").read_text().splitlines()[1:]:
            item = json.loads(line)
            cost[" ".join([item["model"], *("=".join(pair) for pair in item["settings"])])] = item["cost_us"] / 1e6
        predicted, measured = [], []
        for i in range(1, given.shards + 1):
            command = [advise, "--shards", "shards.ndjson", "--shard", f"{i}/{given.shards}", "--ndjson", f"{i}.part", "--jobs", "1"]
            times = []
            for _ in range(given.repeat):
                (folder / f"{i}.part").unlink(missing_ok=True)
                times.append(processor_s(command, folder))
            measured.append(min(times))
            rows = [json.loads(line)["model"] for line in (folder / f"{i}.part").read_text().splitlines()[1:]]
            predicted.append(sum(cost[row] for row in rows))
            print(f"shard {i}: {len(rows)} items, predicted {predicted[-1]:.2f} s, took {measured[-1]:.2f} s", flush=True)
        turns = [0.0] * given.shards
        for i, seconds in enumerate(cost.values()):
            turns[i % given.shards] += seconds
        print(f"{len(cost)} items: the longest shard is {longest(predicted):.3f} of the mean as predicted, {longest(measured):.3f} as measured; in turns it were {longest(turns):.3f} as predicted")
        return 0 if longest(measured) <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())

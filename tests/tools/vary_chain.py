#!/usr/bin/python3
"""vary_chain.py NPU_EXEC TARGET FOLDER EACH MODEL…: for each model EACH inputs of the fuzz target chain: the model, a trace of it and
settings, each as a user might have them; traces with what goes wrong with traces, settings that hold, fail and are met exactly.

TARGET is that program: what it says the same of as of one before is left out.  The same programs give the same files.
Kept: 4 each, of the models of the cases npu…-fires; 1 each, of those that tests/tools/wide_patterns.py writes.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import zlib

RUNS = [["--runs", "3"], ["--runs", "4", "--workers", "2"], ["--runs", "3", "--sdk", "0.9"], ["--runs", "3", "--perturb", "5"],
        ["--runs", "4", "--rate", "300"], ["--runs", "2", "--batch", "4"], ["--runs", "3", "--target", "warboy"],
        ["--runs", "3", "--verbosity", "detailed"], ["--record", "a:2", "--pause", "1", "--record", "b:1"]]
RULES = ["NPU101", "NPU102", "NPU103", "NPU104", "NPU108", "NPU201", "NPU204", "NPU301", "NPU401", "NPU501", "NPU504", "NPU511", "NPU901"]
COUNTS = ["host_steps", "npu_segments", "transfers", "unknown_nodes", "host:Quantize", "host:Lower", "host:Pad"]
LEVELS = ["info", "warn", "error"]
ONE_OF = {"sdk": ["0.8", "0.9", "0.10"], "target": ["warboy", "warboy-2pe"], "objective": ["latency", "throughput"], "workers": [1, 2, 5],
          "host_cores": [1, 4], "devices": [1, 2], "queue_depth": [1, 8], "io_threads": [1, 4], "fill": [1, 3], "batch": [1, 2, 8],
          "latency_limit": ["1ms", "20us"], "min_share": [0, 5, 60], "min_gain": ["1us", "1ms"], "aggregation": ["median", "p90", "pessimistic"],
          "fail_on": LEVELS, "inconclusive": ["pass", "fail"], "regression_percent": [0, 10], "regression_floor": ["10us"]}
TIMES = ["latency_ns", "npu_ns", "host_ns", "io_ns"]


def slower(events, rng):
    name, factor = rng.choice(events).get("name"), rng.choice([0, 0.5, 3, 40])
    for e in events:
        if e.get("name") == name and "dur" in e:
            e["dur"] *= factor


def without_a_kind(events, rng):
    kind = rng.choice(events).get("name")
    events[:] = [e for e in events if e.get("name") != kind]


def without_the_end(events, rng):
    del events[len(events) - rng.randrange(1, 12):]


def shifted(events, rng):
    thread, by = rng.choice(events).get("tid"), rng.choice([-3, 0.5, 200, 1e6])
    for e in events:
        if e.get("tid") == thread and "ts" in e:
            e["ts"] += by


def renamed(events, rng):
    old = rng.choice(events).get("name")
    for e in events:
        if e.get("name") == old:
            e["name"] = "another"


def another_category(events, rng):
    rng.choice(events)["cat"] = rng.choice(["Runtime", "NPU", "other", ""])


def twice(events, rng):
    events += [dict(e) for e in rng.sample(events, min(5, len(events)))]


def other_order(events, rng):
    rng.shuffle(events)


def without_arguments(events, rng):
    for e in events:
        if rng.random() < 0.3:
            e.pop("args", None)


def one_longer(events, rng):
    timed = [e for e in events if "dur" in e]
    if timed:
        rng.choice(timed)["dur"] += rng.choice([1000, 5e4])


def as_it_is(events, rng):
    pass


CHANGES = [slower, slower, slower, without_a_kind, without_the_end, shifted, renamed, another_category, twice, other_order, without_arguments,
           one_longer, one_longer, as_it_is, as_it_is, as_it_is]


def trace_of(program, model, rng):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run([program, model, *rng.choice(RUNS), "--seed", str(rng.randrange(9)), "--trace", out.name], capture_output=True, check=False)
        text = pathlib.Path(out.name).read_text()
    if not text:
        return b""
    trace = json.loads(text)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace  # SDK 0.9's is the list alone
    for change in rng.sample(CHANGES, rng.choice([1, 1, 2])):
        if events:
            change(events, rng)
    return json.dumps(trace, separators=(",", ":")).replace("},{", "},\n{").encode()


def settings(rng):
    found = {key: rng.choice(values) for key, values in ONE_OF.items() if rng.random() < 0.25}
    if rng.random() < 0.6:
        found["budgets"] = {**{rng.choice(COUNTS): rng.randrange(6) for _ in range(rng.randrange(3))},
                            **{rng.choice(TIMES): rng.choice(["1ms", "100us", "3ms", "50us"]) for _ in range(rng.randrange(2))}}
    if rng.random() < 0.5:
        found["rules"] = {rule: rng.choice(["off", *LEVELS]) for rule in rng.sample(RULES, 4)}
    if rng.random() < 0.3:
        found["suppressions"] = [{"fingerprint": rng.choice(RULES), "reason": "known", **rng.choice([{}, {"until": "2030-01-01"}, {"until": "2020-01-01"}])}]
    if rng.random() < 0.3:
        found["models"] = [{"model": rng.choice(["*", "fd/*", "other"]), "budgets": {"host_steps": rng.randrange(5)}}]
    return json.dumps(found).encode()


def hashes(target, files):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run([target, "--write", out.name, *map(str, files)], capture_output=True, check=True)
        return sum((line.split()[1:] for line in pathlib.Path(out.name).read_text().splitlines()), [])


def main():
    program, target, folder, each = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4])
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for model in map(pathlib.Path, sys.argv[5:]):
        name = model.parent.name if model.stem == "model" else model.stem
        for k in range(each):
            rng = random.Random(zlib.crc32(f"{name} {k}".encode()))
            parts = [model.read_bytes(), trace_of(program, model, rng)] + ([settings(rng)] if k % 2 else [])
            files.append(folder / f"made-{name}-{k}")
            files[-1].write_bytes(b"\n%%%%\n".join(parts))
    known = set()
    for path, word in zip(files, hashes(target, files)):
        if word in known:
            path.unlink()
        known.add(word)


main()

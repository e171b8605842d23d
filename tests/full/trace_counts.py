#!/usr/bin/python3
"""Spans counted twice: every trace of the corpus by npu-advise, and by a few lines of Python.

X events, B/E pairs by a stack per thread, asynchronous pairs by their id.  TensorRT: one span per
layer (exportProfile), five per inference (exportTimes).  What is no JSON must be refused in one
line or mended with a count.  JSON test-suite samples under --strict: y_ accepted, n_ refused.
"""
import argparse
import collections
import gzip
import importlib.util
import json
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile

import outside

ROOT = pathlib.Path(__file__).resolve().parents[2]


def not_a_number(word):
    raise ValueError(word)  # Python takes NaN and Infinity, JSON does not


def parse(path):
    """The file's value, or None when Python takes it for no JSON."""
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        raw = gzip.decompress(raw)
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=not_a_number)
    except (ValueError, RecursionError):
        return None


def count_chrome(events):
    spans, stack, waiting = 0, collections.Counter(), collections.Counter()
    for e in events:
        if not isinstance(e, dict):
            continue
        phase, thread = e.get("ph"), (e.get("pid"), e.get("tid"))
        key = (phase in "be" if phase else None, e.get("cat"), e.get("id"), e.get("scope"),
               json.dumps(e.get("id2")))
        if phase == "X":
            spans += 1
        elif phase == "B":
            stack[thread] += 1
        elif phase == "E":
            if stack[thread]:
                stack[thread] -= 1
                spans += 1
        elif phase in ("b", "S"):
            waiting[key] += 1
        elif phase in ("e", "F") and waiting[key]:
            waiting[key] -= 1
            spans += 1
    return spans


def count(value):
    if isinstance(value, dict) and "traceEvents" in value:
        return count_chrome(value["traceEvents"])
    if not isinstance(value, list):
        return 0
    spans = count_chrome(value)
    for e in value:
        if isinstance(e, dict) and "averageMs" in e:
            spans += 1
        if isinstance(e, dict) and "startComputeMs" in e:
            spans += 5
    return spans


def run(program, path, *flags):
    done = subprocess.run([program, "trace", path, "--format", "json", *flags], capture_output=True,
                          text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def check(program, path):
    value = parse(path)
    status, out, err = run(program, path)
    if status == 2:
        return None if value is None and len(err.strip().splitlines()) == 1 else "refused: " + err.strip()
    found = json.loads(out)
    summary = isinstance(value, dict) and "performance_summary" in value  # its stages are a table of `trace`
    if status != (0 if found["spans"] or summary else 3):
        return f"status {status} with {found['spans']} spans"
    if value is None:  # trtexec's log is text, and needs no mending
        return None if found["format"] == "tensorrt" or sum(found["repaired"].values()) else "mended, but no count says so"
    expected = count(value)
    return None if found["spans"] == expected else f"{found['spans']} spans, counted {expected}"


def check_strict(program, path):
    status, _, err = run(program, path, "--strict")
    refused = status == 2
    kind = path.name[0]
    if kind == "y" and refused:
        return "strict refuses a valid file: " + err.strip()
    if kind == "n" and not refused:
        return "strict accepts an invalid file"
    return None


def check_figures(program, folder):
    """Count, sum, median, extremes of every operator of a generated trace with overlapping spans."""
    spec = importlib.util.spec_from_file_location("bench_trace", ROOT / "bench" / "trace.py")
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    path, database = folder / "made.json", folder / "made.sqlite"
    bench.make(path, 5)
    names = collections.defaultdict(list)
    for e in json.loads(path.read_text()):
        if e["ph"] == "X" and e["cat"] == "NPU" and e["name"] not in ("Task", "Load", "Store"):
            names[e["name"]].append(round(e["dur"] * 1000))
    expected = [(n, len(d), sum(d), int(statistics.median(d)), min(d), max(d)) for n, d in sorted(names.items())]
    subprocess.run([program, "trace", path, "--format", "sqlite", "--output", database], check=True)
    found = sqlite3.connect(database).execute(
        "select name, count, total_ns, median_ns, min_ns, max_ns from operators where side = 'npu_operator' order by name").fetchall()
    print(f"{len(expected)} operators of {sum(e[1] for e in expected)} spans: "
          + ("same count, sum, median and extremes" if found == expected else f"found {found}, expected {expected}"))
    return found == expected


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--build", default=str(ROOT / "build"))
    program = pathlib.Path(p.parse_args().build) / "npu-advise"
    traces = outside.corpus("traces")
    failures, files = 0, 0
    for path in sorted(f for f in traces.rglob("*") if f.is_file()):
        files += 1
        for problem in [check(program, path),
                        check_strict(program, path) if path.parent.name == "json" else None]:
            if problem:
                failures += 1
                print(f"{path.relative_to(traces)}: {problem}")
    print(f"{files} traces, {failures} disagree")
    with tempfile.TemporaryDirectory() as scratch:
        good = check_figures(program, pathlib.Path(scratch))
    return 0 if good and not failures else 1


if __name__ == "__main__":
    sys.exit(main())

"""Compares every figure that `diff --verbose` prints of two traces with those that a script computes from the spans.

  printed.py OLD NEW TEXT

Operators are means per inference.  The latency is the median of the inferences after warm-up: the leading
ones that lie above the later half (3 scaled MAD or 5 %), and as many more as make the halves of the rest agree within 5 %, at most
a quarter.  NPU total is the
median of the tasks, run that of the operators in a task, and I/O wait that of the rest.  Status 1 where a figure differs.
"""
import collections
import json
import re
import statistics
import sys

import per_inference as own

UNIT = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}


def tasks(path):
    """(whole, run) in ns of each NPU task: the operators that lie within it on its PE."""
    events = [e for e in json.load(open(path))["traceEvents"] if e["ph"] == "X" and e.get("cat") == "NPU"]
    run = collections.Counter()
    for e in events:
        if e["name"].startswith("LowLevel"):
            run[e["args"]["trace_id"]] += round(1000 * e["dur"])
    for e in events:
        if e["name"] == "Task":
            yield round(1000 * e["dur"]), run[e["args"]["trace_id"]]


def settled(values):
    """The values after warm-up."""
    tail = values[len(values) // 2 :]
    middle = statistics.median(tail)
    far = max(3 * 1.4826 * statistics.median(abs(v - middle) for v in tail), 0.05 * middle)
    quarter = len(values) // 4
    lead = next((i for i in range(quarter) if values[i] <= middle + far), quarter)
    begin = lead
    while begin <= quarter:
        rest = values[begin:]
        first, second = (statistics.median(part) for part in (rest[: len(rest) // 2], rest[len(rest) // 2 :]))
        if abs(first - second) < 0.05 * second:
            return rest
        begin += 1 + begin // 4
    return values[lead:]


def figures(path):
    latency = [end - start for _, name, start, end in sorted(own.spans(path), key=lambda s: s[2]) if name == "Inference"]
    warm, all_tasks = settled(latency), list(tasks(path))
    return {
        "inference": statistics.median(warm),
        "NPU total per inference": statistics.median(whole for whole, _ in all_tasks),
        "NPU run per inference": statistics.median(run for _, run in all_tasks),
        "NPU I/O wait per inference": statistics.median(whole - run for whole, run in all_tasks),
        **{name: ns for name, (ns, _) in own.per_inference(path).items()},
    }


def printed(text):
    """The numbers of a figure in ns, and half a unit of its last digit."""
    number, unit = text.split()
    digits = len(number.partition(".")[2])
    return float(number) * UNIT[unit], 0.5001 * 10**-digits * UNIT[unit]


def is_right(change, before, after):
    """Shares have one decimal; below half a percent of noise they are words."""
    share = re.fullmatch(r"([+-]\d+\.\d) %", change)
    return abs(100 * (after / before - 1) - float(share[1])) < 0.051 if share else change in ("unchanged", "within noise")


def main():
    old, new = map(figures, sys.argv[1:3])
    seen = wrong = 0
    for line in open(sys.argv[3]):
        row = re.match(r"(\S.*?) {2,}([\d.]+ \S+) +([\d.]+ \S+) +(\S.*)", line.replace("\u00a0", " "))
        if not row:
            continue
        seen += 1
        name, change = row[1], row[4].strip()
        for text, mine in ((row[2], old[name]), (row[3], new[name])):
            value, half = printed(text)
            if abs(value - mine) > half + 1:
                wrong += 1
                print("%s: %s is printed, the spans say %.0f ns" % (name, text, mine))
        if not is_right(change, old[name], new[name]):
            wrong += 1
            print("%s: %s is printed" % (name, change))
    print("%d of %d rows printed, %d wrong" % (seen, len(old.keys() | new.keys()), wrong))
    return wrong > 0 or seen < len(old.keys() | new.keys())


if __name__ == "__main__":
    sys.exit(main())

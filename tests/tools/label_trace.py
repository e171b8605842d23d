#!/usr/bin/python3
"""label_trace.py TRACE LABEL MICROSECONDS [COUNT]: adds a user label to the start of each inference (of the first COUNT)."""
import json
import sys

path, label, microseconds, *count = sys.argv[1:]
trace = json.load(open(path))
events = trace["traceEvents"] if isinstance(trace, dict) else trace
starts = [e["ts"] for e in events if e["name"] == "Inference" and e["ph"] in "bX"]
for ts in starts[:int(count[0]) if count else None]:
    events.append({"name": label, "cat": "Runtime", "ph": "X", "ts": ts + 1, "dur": float(microseconds), "pid": 1000, "tid": 77})
json.dump(trace, open(path, "w"))

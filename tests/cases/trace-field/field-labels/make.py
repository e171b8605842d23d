#!/usr/bin/python3
"""Traces of PyTorch without step(): labels of the user's, or none."""
import json
def write(name, labels, runs):
    ev = []
    for i in range(runs):
        t = i * 2000
        ev += [{"ph": "X", "cat": "user_annotation", "name": n, "pid": 1, "tid": 1, "ts": t + a, "dur": d} for n, a, d in labels]
        ev += [{"ph": "X", "cat": "cpu_op", "name": "aten::conv2d", "pid": 1, "tid": 1, "ts": t + 100, "dur": 800}]
    if labels and len(labels) > 1:
        ev.append({"ph": "X", "cat": "user_annotation", "name": "whole run", "pid": 1, "tid": 1, "ts": 0, "dur": runs * 2000})
    json.dump({"schemaVersion": 1, "traceEvents": ev}, open(name, "w"))
write("one.json", [("model_inference", 0, 1000)], 4)
write("nested.json", [("model_inference", 0, 1000), ("block", 100, 800), ("load", 1000, 500)], 4)
write("none.json", [], 4)

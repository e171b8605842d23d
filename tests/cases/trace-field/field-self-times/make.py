#!/usr/bin/python3
"""Spans that begin and end in the same microsecond."""
import json
def write(name, *spans):
    json.dump({"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": n, "pid": 1, "tid": 1, "ts": t, "dur": d,
               "args": {"External id": i} if i else {}} for n, t, d, i in spans]}, open(name, "w"))
write("ids.json", ("aten::slice", 0, 5, 1), ("aten::narrow", 100, 10, 10), ("aten::slice", 100, 10, 11), ("aten::as_strided", 103, 4, 12))
write("order.json", ("aten::slice", 0, 5, 0), ("aten::narrow", 100, 10, 0), ("aten::slice", 100, 10, 0), ("aten::as_strided", 103, 4, 0))
write("child-first.json", ("aten::slice", 0, 5, 1), ("aten::slice", 100, 10, 11), ("aten::narrow", 100, 10, 10), ("aten::as_strided", 103, 4, 12))
N = lambda n, op, t, d: {"cat": "Node", "pid": 1, "tid": 1, "ph": "X", "ts": t, "dur": d, "name": n + "_kernel_time", "args": {"op_name": op}}
json.dump([N("inner", "Relu", 5, 10), N("outer", "If", 5, 10)], open("subgraph.json", "w"))

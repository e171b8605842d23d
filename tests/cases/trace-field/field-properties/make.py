#!/usr/bin/python3
"""Runs of operators whose names say little."""
import json
t, ev = 96802, []
for op, d in (("Conv", 12944), ("BatchNormalization", 9342), ("Relu", 1500), ("Conv", 8000), ("MaxPool", 700), ("Gemm", 2000)):
    ev.append({"cat": "Node", "pid": 1, "tid": 1, "dur": d, "ts": t, "ph": "X", "name": "_kernel_time", "args": {"op_name": op}})
    t += d + 4
ev.append({"cat": "Session", "pid": 1, "tid": 1, "dur": t - 96802, "ts": 96800, "ph": "X", "name": "model_run", "args": {}})
json.dump(ev, open("unnamed.json", "w"))
ops = [("ConvolutionForward", 2.0, 100e6, [[1, 3, 224, 224], [64, 3, 7, 7]], 1000000),
       ("ConvolutionForward", 1.0, 10e6, [[1, 64, 56, 56], [64, 64, 3, 3]], 200000),
       ("ConvolutionForward", 3.0, 1e6, [[1, 512, 7, 7], [512, 512, 1, 1]], 30000), ("Elemwise", 0.5, 8e5, [[1, 64, 112, 112]], 6400000)]
for two in (False, True):
    o, t = {"graph_exec": {"var": [], "operator": {}}, "profiler": {"device": {}, "host": {}, "opr_footprint": {}}}, 0.0
    for i, (n, ms, fl, sh, mem) in enumerate(ops):
        o["graph_exec"]["operator"][str(i)] = {"input": [], "output": [], "name": n, "type": "imperative", "id": i}
        d = o["profiler"]["device"][str(i)] = {"gpu0:0": {"start": t, "kern": t, "end": t + ms / 1e3}}
        if two:
            d["gpu0:1"] = {"start": t, "kern": t, "end": t + ms / 2e3}
        o["profiler"]["opr_footprint"][str(i)] = {"in_shapes": sh, "out_shapes": [], "memory": mem, "computation": fl}
        t += (ms + .1) / 1e3
    json.dump(o, open("devices%d.json" % (1 + two), "w"))
X = lambda n, t, dims: {"ph": "X", "cat": "cpu_op", "name": n, "pid": 1, "tid": 1, "ts": t, "dur": 10, "args": {"Input Dims": dims}}
json.dump({"schemaVersion": 1, "traceEvents": [X("aten::mm", 0, [[2, 3], [3, 4]]), X("aten::mm", 20, [[2, 3], [3, 4]]),
           X("aten::mm", 40, [[2, 5], [5, 4]]), X("aten::relu", 60, [[2, 4]]), X("aten::relu", 80, [[2, 4]])]}, open("shapes.json", "w"))
N = lambda op, t, d: {"cat": "Node", "pid": 1, "tid": 1, "dur": d, "ts": t, "ph": "X", "name": "n_kernel_time", "args": {"op_name": op}}
json.dump([N("Conv", 0, 30), N("Relu", 40, 10), {"cat": "Session", "pid": 1, "tid": 1, "dur": 60, "ts": 0, "ph": "X", "name": "model_run"}], open("one-name.json", "w"))

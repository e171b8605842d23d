#!/usr/bin/python3
"""hand_trace.py SPEC OUT: a trace from a page that one can check by hand.

  run N PERIOD                N requests, one every PERIOD microseconds (0: one after the other)
  NAME THREAD START DUR       a span of each request, in microseconds after its beginning; names that begin with
                              LowLevel, and Task, run on the NPU, whose PE 0 is thread 1; Inference is the request itself
  once NAME THREAD START DUR  a span of the whole run
START, DUR, PERIOD and THREAD may be expressions in k, the number of the request from 0."""
import json
import sys


def value(text, k):
    return eval(text, {"__builtins__": {}}, {"k": k})


def span(name, thread, start, dur, ids):
    npu = name == "Task" or name.startswith("LowLevel") or name in ("Load", "Store")
    return {"name": name, "cat": "NPU" if npu else "Runtime", "ph": "X", "ts": round(start, 3), "dur": round(dur, 3),
            "pid": 2000 if npu else 1000, "tid": int(thread), "args": {key: str(v) for key, v in ids.items()}}


def main():
    lines = [line.split("#")[0].split() for line in open(sys.argv[1])]
    head = next(w for w in lines if w and w[0] == "run")
    spans = [w for w in lines if w and w[0] not in ("run", "once")]
    events = [span(w[1], w[2], 1 + value(w[3], 0), value(w[4], 0), {}) for w in lines if w and w[0] == "once"]
    at = 1.0
    for k in range(int(head[1])):
        trace_id, npu = f"{k + 1:032x}", 0
        for i, (name, thread, start, dur) in enumerate(spans):
            ids = {"trace_id": trace_id, "span_id": f"{(k << 16) + i + 1:016x}"}
            if name != "Inference":
                ids["parent_span_id"] = f"{(k << 16) + 1:016x}"
            if name == "Task":
                ids.update(pe_index=int(value(thread, k)) - 1, execution_index=npu)
                npu += 1
            events.append(span(name, value(thread, k), at + value(start, k), value(dur, k), ids))
        period = value(head[2], k)
        at += period if period else value(next(w for w in spans if w[0] == "Inference")[3], k)
    json.dump({"traceEvents": events}, open(sys.argv[2], "w"))


main()

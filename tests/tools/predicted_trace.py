#!/usr/bin/python3
"""predicted_trace.py RESULT.json OUT [WHAT=FACTOR…]: a trace of 30 inferences in which everything takes as long as the
result predicts, but for what is named: a step by its operator ("Quantize"), "npu" (every operator of every task), or one
operator of the NPU by its number in the result ("op:7").  A later word goes before an earlier one."""
import json
import sys

INFERENCES, GAP_US = 30, 5.0


def factor(factors, *names):
    return next((f for what, f in reversed(factors) if what in names), 1.0)


def spans(result, factors):
    """(name, category, operator index, duration in us, inner spans) of one inference."""
    inner = {}
    for i, o in enumerate(result["operators"]):
        us = o["predicted_ns"]["mid"] / 1e3 * factor(factors, "npu", f"op:{i}")
        inner.setdefault(o["step_id"], []).append((o["kind"], us))
    for index, s in enumerate(result["steps"]):
        us = s["predicted_ns"]["mid"] / 1e3 * factor(factors, s["op"])
        if s["kind"] == "npu":
            yield "Task", "NPU", index, sum(u for _, u in inner[s["id"]]) + 0.01, inner[s["id"]]
        elif s["kind"] == "host":
            yield s["op"], "Runtime", index, us, []
        else:
            yield {"h2d": "WriteToDram", "d2h": "ReadFromDram"}[s["kind"]], "Runtime", index, us, []


def event(name, cat, ts, dur, pid, args):
    return {"name": name, "cat": cat, "ph": "X", "ts": round(ts, 4), "dur": round(dur, 4), "pid": pid, "tid": 1, "args": args}


def main():
    result, target = json.load(open(sys.argv[1])), sys.argv[2]
    factors = [(w.split("=")[0], float(w.split("=")[1])) for w in sys.argv[3:]]
    events, now, task = [], 0.0, 0
    for n in range(INFERENCES):
        begin, ids = now, {"trace_id": f"{n + 1:032x}", "span_id": f"{n + 1:016x}"}
        for name, cat, index, us, ops in spans(result, factors):
            now += GAP_US
            args = dict(ids, operator_index=str(index)) if cat == "Runtime" else dict(ids, pe_index="0", execution_index=str(task))
            events.append(event(name, cat, now, us, 2 if cat == "NPU" else 1, args))
            at = now
            for i, (kind, op_us) in enumerate(ops):
                events.append(event(kind, "NPU", at, op_us, 2, dict(args, instruction_index=str(i))))
                at += op_us
            task += cat == "NPU"
            now += us
        now += GAP_US
        events.append(event("Inference", "Runtime", begin, now - begin, 1, ids))
        now += GAP_US
    json.dump({"traceEvents": events}, open(target, "w"))


if __name__ == "__main__":
    main()

"""Makes the inputs of this case."""
import json
events = [{"name": "process_name", "ph": "M", "pid": 2000 + i, "args": {"name": "npu:0:%d" % i}} for i in (0, 1)]
def span(name, cat, pid, tid, at, dur, **args):
    events.append({"name": name, "cat": cat, "ph": "X", "pid": pid, "tid": tid, "ts": at, "dur": dur,
                   "args": {k: str(v) for k, v in args.items()}})
# Request k of 40 has lane k % 2; a lane serves one after the other, a request begins 280 us before its task.
for k in range(40):
    task = 1000 + 200 * (k // 2)
    begin = task - 280
    span("Inference", "Runtime", 1000, 30 + k % 4, begin, 520, span_id="%016x" % (k + 1))
    span("Quantize", "Runtime", 1000, 30 + k % 4, begin, 100, parent_span_id="%016x" % (k + 1), operator_index=0)
    span("WriteToDram", "Runtime", 1000, 60 + k % 2, begin + 100, 20, parent_span_id="%016x" % (k + 1))
    span("Task", "NPU", 2000 + k % 2, 1, task, 200, pe_index=k % 2, execution_index=0, parent_span_id="%016x" % (k + 1))
    span("ReadFromDram", "Runtime", 1000, 60 + k % 2, task + 200, 40, parent_span_id="%016x" % (k + 1))
json.dump({"traceEvents": events}, open("t.trace", "w"))

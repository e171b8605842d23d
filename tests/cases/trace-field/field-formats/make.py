#!/usr/bin/python3
"""Traces whose format one word would tell wrongly."""
import json
ev = [{"name": "process_labels", "pid": 20, "tid": 0, "ph": "M", "args": {"labels": "NPU"}}]
t = 1000.0
for i in range(6):
    for n, d in (("aclnnMatMul_MatMulV2", 50.5), ("Conv2D", 30.25), ("Slice", 5.0), ("Pad", 2.0)):
        ev.append({"name": n, "pid": 20, "tid": 3, "ts": str(t), "dur": d, "ph": "X", "args": {"Task Type": "AI_CORE"}}); t += d + 4
json.dump(ev, open("msprof.json", "w"))
X = lambda n, c, ts, d, pid, tid: dict({"name": n, "ph": "X", "ts": ts, "dur": d, "pid": pid, "tid": tid, "args": {}}, **({"cat": c} if c else {}))
json.dump({"traceEvents": [X("void at::native::add", "Kernel", 77, 4, 0, 7), X("cudaLaunchKernel", "Runtime", 65, 9, 10, 10), X("gemm", "Kernel", 90, 26, 0, 7)]}, open("kineto.json", "w"))
json.dump([X("aten::linear", 0, 1200, 60, "CPU functions", 1), X("aten::addmm", 0, 1210, 40, "CPU functions", 1), X("aten::mul", 0, 1300, 3, "CPU functions", 1), X("sgemm", 0, 1250, 30, "CUDA functions", 0)], open("autograd.json", "w"))
old = []
for i, name in enumerate(("Convolution", "Elemwise")):
    for tid, dur in (("host", 5), ("gpu0:0", 40)):
        old += [{"name": name, "ph": p, "ts": 100 * i + t, "pid": 7, "tid": tid, "args": {"__id__": "[%d]" % i}, **({"cat": name} if tid == "host" else {})}
                for p, t in (("B", 0), ("E", dur))]
json.dump(old, open("megengine10.json", "w"))
json.dump([{"name": "host work", "cat": "app", "ph": "X", "ts": 1, "dur": 2, "pid": 1, "tid": "host", "args": {"note": "NPU Node Runtime aten::mm"}}], open("words.json", "w"))

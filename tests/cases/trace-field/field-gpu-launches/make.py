#!/usr/bin/python3
"""ONNX Runtime with a provider for GPUs: launches in "Node", kernels in "Kernel"."""
import json
def run(name, parents, place, provider="CUDA"):
    ev, t = [], 10000
    for r in range(10):
        s, kernels = t, []
        for node, op, cpu, k in (("conv1", "Conv", 30, 900), ("relu1", "Relu", 10, 50), ("conv2", "Conv", 28, 700), ("fc", "Gemm", 25, 200)):
            ev.append({"cat": "Node", "pid": 5, "tid": 5, "dur": cpu, "ts": t, "ph": "X", "name": node + "_kernel_time",
                       "args": {"op_name": op, "provider": provider + "ExecutionProvider", "output_type_shape": [{"float": [1, 8, 4, 4]}],
                                "input_type_shape": [{"float": [1, 4, 6, 6]}, {"float": [8, 4, 3, 3]}]}})
            args = dict({"op_name": op, "stream": "13"}, **({"parent_name": node + "_kernel_time"} if parents else {}))
            kernel = {"cat": "Kernel", "pid": -1, "tid": -1, "dur": k, "ts": t + 40, "ph": "X", "name": "sm80_" + node, "args": args}
            (ev if place == "beside" else kernels).append(kernel)
            t += cpu + 2
        ev.append({"cat": "Node", "pid": 5, "tid": 5, "dur": 7, "ts": t, "ph": "X", "name": "top_kernel_time", "args": {"op_name": "TopK", "provider": "CPUExecutionProvider"}})
        ev = kernels + ev if place == "before" else ev + kernels
        t += 1800
        ev.append({"cat": "Session", "pid": 5, "tid": 5, "dur": t - s, "ts": s, "ph": "X", "name": "model_run", "args": {}})
        t += 50
    json.dump(ev, open(name, "w"))
run("beside.json", False, "beside")
run("parents.json", True, "behind")
run("before.json", True, "before", "ROCM")

#!/usr/bin/python3
"""A profile of 1 ms, and what was measured of it or of another engine."""
import json
T = lambda n, d, f: {"Name": n, "Dimensions": d, "Format/Datatype": f, "Location": "Device"}
L, P, cur = [], [], T("x", [1, 40, 256], "Half")
for i in range(4):
    q, m = T("q%d" % i, [1, 40, 256], "Int8"), T("m%d" % i, [1, 40, 1024], "Half")
    L.append({"Name": "quant%d" % i, "LayerType": "kgen", "Inputs": [cur], "Outputs": [q], "TacticName": "k", "StreamId": 0})
    L.append({"Name": "fc%d" % i, "LayerType": "gemm", "Inputs": [q], "Outputs": [m], "TacticName": "sm80_xmma_gemm_i8f32_i8i32_f32_tn_n", "StreamId": 0})
    P += [.05, .2]
    cur = m
json.dump({"Layers": L, "Bindings": ["x", "m3"]}, open("engine.json", "w"))
R = [{"name": l["Name"], "timeMs": t * 200, "averageMs": t, "medianMs": t, "percentage": 1} for l, t in zip(L, P)]
json.dump([{"count": 200}] + R, open("profile.json", "w"))
json.dump([{"count": 200}] + R[:3], open("part.json", "w"))
for name, m, more in (("other", "0.0106", ""), ("slow", "9.5", ""), ("same", "0.99", ""), ("unstable", "0.99", "[W] * GPU compute time is unstable, with coefficient of variance = 5.10254%.\n")):
    open(name + ".log", "w").write("&&&& RUNNING TensorRT.trtexec [TensorRT v8401] # trtexec --loadEngine=a.engine\n[I] === Performance summary ===\n"
        "[I] GPU Compute Time: min = %s ms, max = %s ms, mean = %s ms, median = %s ms, percentile(99%%) = %s ms\n" % (m, m, m, m, m) + more)

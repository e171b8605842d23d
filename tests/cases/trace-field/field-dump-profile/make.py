#!/usr/bin/python3
"""Logs of trtexec with tables of layers, of TensorRT 7 and of 8.5 and 8.6, and times of 7."""
import json
L = [("Reformatting CopyNode for Input Tensor 0 to Conv_0", 58.18), ("Conv_0", 49.20), ("Reformatting CopyNode for Output Tensor 0 to Conv_0", 45.83),
     ("Abs_1", 45.83), ("Conv 2 of 3", 51.44), ("Div_3", 67.12)]
S, N, H = sum(t for _, t in L), 137, "[05/08/2024-14:05:14] [I] "
new = ["&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --dumpProfile", H + "=== Profile (%d iterations ) ===" % N,
       H + "   Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer"]
new += [H + "%11.2f %12.4f %12.4f %9.1f   %s" % (t, t / N, t / N, 100 * t / S, n) for n, t in L + [("Total", S)]]
old = ["&&&& RUNNING TensorRT.trtexec # trtexec --dumpProfile", H + "=== Profile (%d iterations ) ===" % N, H + "%55s   Time (ms)   Avg. Time (ms)   Time %%" % "Layer"]
old += [H + "%55s %11.2f %16.4f %8.1f" % (n, t, t / N, 100 * t / S) for n, t in L + [("Total", S)]]
open("new.log", "w").write("\n".join(new) + "\n")
open("old.log", "w").write("\n".join(old) + "\n")
json.dump({"Layers": [n for n, _ in L], "Bindings": ["x", "y"]}, open("graph.json", "w"))
json.dump([{"name": n, "timeMs": t, "averageMs": t / N, "percentage": 1} for n, t in L], open("no-count.json", "w"))
open("seven.log", "w").write("""&&&& RUNNING TensorRT.trtexec # trtexec --loadEngine=a.engine
[03/01/2021-10:00:00] [I] Host latency
[03/01/2021-10:00:00] [I] min: 1.20 ms (end to end 2.00 ms)
[03/01/2021-10:00:00] [I] max: 2.20 ms (end to end 3.00 ms)
[03/01/2021-10:00:00] [I] mean: 1.50 ms (end to end 2.20 ms)
[03/01/2021-10:00:00] [I] median: 1.40 ms (end to end 2.10 ms)
[03/01/2021-10:00:00] [I] percentile: 2.10 ms at 99% (end to end 2.90 ms at 99%)
[03/01/2021-10:00:00] [I] throughput: 640.5 qps
[03/01/2021-10:00:00] [I] walltime: 3.002 s
[03/01/2021-10:00:00] [I] Enqueue Time
[03/01/2021-10:00:00] [I] min: 0.10 ms
[03/01/2021-10:00:00] [I] max: 0.30 ms
[03/01/2021-10:00:00] [I] median: 0.15 ms
[03/01/2021-10:00:00] [I] mean: 0.16 ms
[03/01/2021-10:00:00] [I] GPU Compute
[03/01/2021-10:00:00] [I] min: 1.00 ms
[03/01/2021-10:00:00] [I] max: 2.00 ms
[03/01/2021-10:00:00] [I] mean: 1.30 ms
[03/01/2021-10:00:00] [I] median: 1.25 ms
[03/01/2021-10:00:00] [I] percentile: 1.90 ms at 99%
""")
json.dump([dict(startInMs=i, endInMs=i + .1, startComputeMs=i + .1, endComputeMs=i + .5, startOutMs=i + .5, endOutMs=i + .7, inMs=.1, computeMs=.4,
                outMs=.2, latencyMs=.7, endToEndMs=.9) for i in range(3)], open("times7.json", "w"))

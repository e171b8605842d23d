#!/usr/bin/python3
"""Speed of advice on a TensorRT engine of 1,000 layers with its profile, the times of 3,000 queries and a verbose log.

  bench/engine.py [BUILD] [ROUNDS]

Residual blocks in int8 of which every third falls into float16, with the reformats and Quantize layers that this costs; the
log tells 20,000 tactics, 200 missing scales and the list of layers.  Whole processes in turn with Python reading the same
files as JSON and lines, so that a busy machine shows; printed are medians of wall and processor time.  Goal: 100 ms.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

LAYERS, QUERIES, TACTICS, SCALES = 1000, 3000, 20000, 200
INT8, HALF, FLOAT = ("Thirty-two wide channel vectorized row major Int8 format", "Channel major FP16 format where channel % 8 == 0",
                     "Row major linear FP32")
PEER = """
import json, sys
for path in sys.argv[1:]:
    if path.endswith("log"):
        lines = [line.split("] ", 1)[-1] for line in open(path)]
    else:
        json.load(open(path))
"""


def tensor(name, text):
    return {"Name": name, "Location": "Device", "Dimensions": [8, 64, 56, 56], "Format/Datatype": text}


def layer(name, kind, reads, makes, **more):
    return {"Name": name, "LayerType": kind, "Inputs": reads, "Outputs": [makes], "StreamId": 0,
            "Metadata": f"[ONNX Layer: {name}]", "ParameterType": kind.replace("Cask", ""), **more}


def engine():
    """Blocks of four layers: convolution, what comes of its type, another one, and the sum with what came before."""
    last, layers = tensor("x", FLOAT), []
    layers.append(layer("Q_in", "Reformat", [last], tensor("q", INT8), Origin="QDQ"))
    last = layers[-1]["Outputs"][0]
    while len(layers) < LAYERS - 3:
        n, first = len(layers), last
        falls = n // 4 % 3 == 0
        a, b, c = tensor(f"a{n}", HALF if falls else INT8), tensor(f"b{n}", INT8), tensor(f"c{n}", INT8)
        convolution = {"OutMaps": 64, "Groups": 1, "TacticName": "sm80_xmma_fprop_implicit_gemm_interleaved_i8i8_i8i32_f32_nchw_vect_c_32kcrs",
                       "Weights": {"Type": "Int8", "Count": 36864}}
        layers.append(layer(f"/block{n}/conv1/Conv + /block{n}/relu/Relu", "CaskConvolution", [first], a, **convolution))
        kind, origin = ("Reformat", {"Origin": "QDQ"}) if falls else ("CaskPooling", {})
        layers.append(layer(f"/block{n}/middle", kind, [a], b, **origin))
        layers.append(layer(f"/block{n}/conv2/Conv + /block{n}/Add", "CaskConvolution", [b, first], c, **convolution))
        last = c
    layers.append(layer("Reformatting CopyNode for Output Tensor 0 to last", "Reformat", [last], tensor("y", FLOAT), Origin="REFORMAT"))
    return {"Layers": layers, "Bindings": ["x", "y"]}


def profile(layers):
    rows = [{"count": 500}] + [{"name": x["Name"], "timeMs": 5.0 + i % 7, "averageMs": 0.01 + i % 7 / 500, "medianMs": 0.01 + i % 7 / 500,
                                "percentage": 0.1} for i, x in enumerate(layers)]
    return "[\n  " + "\n, ".join(json.dumps(r) for r in rows) + "\n]\n"


def times():
    rows = []
    for k in range(QUERIES):
        t, run = k * 16.0, 14.9 + k % 5 / 100
        rows.append({"startEnqMs": t, "endEnqMs": t + 1.2, "startH2dMs": t, "endH2dMs": t + 0.4, "startComputeMs": t + 0.4,
                     "endComputeMs": t + 0.4 + run, "startD2hMs": t + 15.4, "endD2hMs": t + 15.6, "h2dMs": 0.4, "computeMs": run,
                     "d2hMs": 0.2, "latencyMs": run + 0.6})
    return "[ " + "\n, ".join(json.dumps(r) for r in rows) + "\n]\n"


def log(layers):
    head = "[11/22/2026-12:00:00] "
    lines = ["&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=model.onnx --int8 --fp16 --verbose",
             head + "[I] === Build Options ===", head + "[I] Precision: FP32+FP16+INT8", head + "[I] === Inference Options ==="]
    for k in range(TACTICS):
        lines.append(f"{head}[V] [TRT] Tactic: 0x{k:016x} Time: {0.01 + k % 97 / 1000:.6g}")
    lines += [f"{head}[W] [TRT] Missing scale and zero-point for tensor a{k}, expect fall back to non-int8 implementation" for k in range(SCALES)]
    lines.append(head + "[V] [TRT] Engine Layer Information:")
    lines += [f"Layer({x['LayerType']}): {x['Name']}, Tactic: 0x0000000000000001, i (Int8[8,64:32,56,56]) -> o (Int8[8,64:32,56,56])" for x in layers]
    row = "min = 14.8 ms, max = 15.1 ms, mean = 14.9 ms, median = 14.9 ms, percentile(90%) = 15 ms, percentile(95%) = 15 ms, percentile(99%) = 15.1 ms"
    lines += [head + "[I] === Performance summary ===", head + "[I] Throughput: 62.5 qps", head + "[I] GPU Compute Time: " + row,
              head + "[I] Total Host Walltime: 48 s", head + "[I] Total GPU Compute Time: 44.7 s"]
    return "\n".join(lines) + "\n"


def seconds(command):
    """(wall, processor)"""
    start = time.perf_counter()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command[0]}: status {status}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    with tempfile.TemporaryDirectory() as folder:
        graph = engine()
        made = {"graph.json": json.dumps(graph), "profile.json": profile(graph["Layers"]), "times.json": times(), "build.log": log(graph["Layers"])}
        files = [pathlib.Path(folder) / name for name in made]
        for path, text in zip(files, made.values()):
            path.write_text(text)
        ours = [build / "npu-advise", files[0], *(x for f in files[1:] for x in ("--trace", f))]
        theirs = ["/usr/bin/python3", "-c", PEER, *files]
        pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
        wall, used, peer_wall, peer_used = (statistics.median(p[i][k] for p in pairs) * 1e3 for i in (0, 1) for k in (0, 1))
        ratio = statistics.median(a[1] / b[1] for a, b in pairs)
        print(f"{len(graph['Layers'])} layers, {sum(map(len, made.values())) / 2**20:.1f} MiB of files, {rounds} pairs: {wall:.0f} ms, of the "
              f"processor {used:.0f} ms (goal 100); Python reading them {peer_wall:.0f}, {peer_used:.0f} ms; ratio {ratio:.2f}")


main()

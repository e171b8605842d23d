#!/usr/bin/python3
"""engine_forms.py FOLDER: one small engine as each version of TensorRT, and odd machines, would write its files.

Hand-made after what trtexec's sources write at each version (no public file has all of these forms).  Each form is a
set of files FORM.graph.json, FORM.profile.json, and where it has them FORM.times.json and FORM.log; FORM.traces lists
the --trace options.  All forms are of the same engine: what is told of each must be the same as far as its files hold it.
"""
import gzip
import json
import pathlib
import sys

RUNS = 100
FORMATS = {
    "x": "Row major linear FP32", "q": "Four wide channel vectorized row major Int8 format",
    "a": "Thirty-two wide channel vectorized row major Int8 format", "b": "Channel major FP16 format where channel % 8 == 0",
    "c": "Channel major FP16 format where channel % 8 == 0", "d": "Thirty-two wide channel vectorized row major Int8 format",
    "e": "Thirty-two wide channel vectorized row major Int8 format", "z": "Row major linear FP32",
}
SHAPES = {"x": [1, 3, 64, 64], "q": [1, 3, 64, 64], "a": [1, 32, 32, 32], "b": [1, 32, 32, 32], "c": [1, 32, 16, 16],
          "d": [1, 32, 16, 16], "e": [1, 32, 16, 16], "z": [1, 32, 16, 16]}
SHORT = {"x": "Float", "q": "Int8", "a": "Int8", "b": "Half", "c": "Half", "d": "Int8", "e": "Int8", "z": "Float"}
WIDE = {"q": 4, "a": 32, "d": 32, "e": 32}
CONV = {"ParameterType": "Convolution", "OutMaps": 32, "Groups": 1, "TacticName": "sm80_xmma_fprop_implicit_gemm"}
LAYERS = [  # parts of the name, type, in, out, ms, parameters
    (["Q_in"], "Reformat", "x", "q", 0.05, {"ParameterType": "Reformat", "Origin": "QDQ"}),
    (["w1", "Q_w1", "Conv_1", "Relu_2"], "CaskConvolution", "q", "a", 0.2, {**CONV, "Weights": {"Type": "Int8", "Count": 864}}),
    (["w3", "Q_w3", "Conv_3"], "CaskConvolution", "a", "b", 0.15, {**CONV, "Weights": {"Type": "Int8", "Count": 9216}}),
    (["Pool_4"], "CaskPooling", "b", "c", 0.1, {"ParameterType": "Pooling", "TacticName": "sm50_xmma_pooling"}),
    (["Q_5"], "Reformat", "c", "d", 0.04, {"ParameterType": "Reformat", "Origin": "QDQ"}),
    (["w6", "Q_w6", "Conv_6"], "CaskConvolution", "d", "e", 0.16, CONV),
    (["Reformatting CopyNode for Output Tensor 0 to Conv_6"], "Reformat", "e", "z", 0.06,
     {"ParameterType": "Reformat", "Origin": "REFORMAT"}),
]
KERNELS = [  # of TensorRT 9 and 10, without times
    {"Name": "__myl_MulAdd_myl0_1", "LayerType": "kgen", "Inputs": [], "Outputs": [], "TacticName": "__myl_MulAdd_0x1"},
    {"Name": "[trainStation1]", "LayerType": "TrainStation"}, {"Name": "sc", "LayerType": "shape_call", "Inputs": []}]


def graph(join=" + ", metadata=None, location=True, bindings=True, names=False, dot="", profiles=1, unknown=False, more=()):
    layers = []
    for parts, kind, read, made, _, parameters in LAYERS:
        def tensor(name):
            shape = [-1] + SHAPES[name][1:] if unknown else SHAPES[name]
            return {"Name": name, **({"Location": "Device"} if location else {}), "Dimensions": shape,
                    "Format/Datatype": FORMATS[name] + dot}
        layer = {"Name": join.join(parts), "LayerType": kind, "Inputs": [tensor(read)], "Outputs": [tensor(made)], **parameters}
        if metadata:
            layer.update(StreamId=0, Metadata=metadata.join(f"[ONNX Layer: {p}]" for p in parts if p[0] not in "wR"))
        layers.append(layer["Name"] if names else layer)
    layers += more
    for k in range(1, profiles):
        layers += [x + f" [profile {k}]" if names else {**x, "Name": x["Name"] + f" [profile {k}]"} for x in layers[:len(LAYERS)]]
    return {"Layers": layers, **({"Bindings": ["x", "z"] + (["x [profile 1]"] if profiles > 1 else [])} if bindings else {})}


def number(value, comma):
    return f"{value:.6g}".replace(".", ",") if comma else f"{value:.6g}"


def profile(join=" + ", median=True, comma=False, quote=False):
    """As trtexec prints it: names are not escaped."""
    total, rows = sum(x[4] for x in LAYERS), []
    for parts, *_, ms, _ in LAYERS:
        name = join.join(parts).replace("Pool_4", 'Pool "4"' if quote else "Pool_4")
        fields = [("timeMs", ms * RUNS), ("averageMs", ms)] + [("medianMs", ms)] * median + [("percentage", ms / total * 100)]
        rows.append(f', {{ "name" : "{name}", ' + ", ".join(f'"{k}" : {number(v, comma)}' for k, v in fields) + " }\n")
    return f'[\n  {{ "count" : {RUNS} }}\n' + "".join(rows) + "]\n"


def times(style, comma=False, start=0.0):
    """Six digits in all: behind 1000 ms the ends have two decimals."""
    h2d, d2h = {"7": ("In", "Out")}.get(style, ("H2d", "D2h"))
    rows = []
    for k in range(200):
        at, up, run, down = start + 0.8 * k, 0.05, 0.7 + 0.001 * (k % 3), 0.03
        ends = {} if style == "7" else {"startEnqMs": at, "endEnqMs": at + 0.008}
        ends |= {f"start{h2d}Ms": at, f"end{h2d}Ms": at + up, "startComputeMs": at + up, "endComputeMs": at + up + run,
                 f"start{d2h}Ms": at + up + run, f"end{d2h}Ms": at + up + run + down}
        lengths = {h2d.lower() + "Ms" if style == "7" else "h2dMs": up, "computeMs": run,
                   d2h.lower() + "Ms" if style == "7" else "d2hMs": down, "latencyMs": up + run + down}
        rows.append("{ " + ", ".join(f'"{k}" : {number(v, comma)}' for k, v in (ends | lengths).items()) + " }")
    return "[ " + "\n, ".join(rows) + "\n]\n"


HEAD = "[11/22/2026-12:00:00] [I] "
SUMMARY = "min = 0.7 ms, max = 0.72 ms, mean = 0.701 ms, median = 0.701 ms, percentile({}%) = 0.71 ms"
BLOCKS = """Host latency
min: 0.75 ms (end to end 0.9 ms)
max: 0.8 ms (end to end 0.95 ms)
mean: 0.781 ms (end to end 0.9 ms)
median: 0.781 ms (end to end 0.9 ms)
percentile: 0.8 ms at 99% (end to end 0.95 ms at 99%)
GPU Compute
min: 0.7 ms
max: 0.72 ms
mean: 0.701 ms
median: 0.701 ms
percentile: 0.71 ms at 99%"""


def log(version, lines=(), blocks=False, comma=False, percentiles="90%) = 0.705 ms, percentile(95%) = 0.706 ms, percentile(99"):
    head = [f"&&&& RUNNING TensorRT.trtexec [TensorRT v{version}] # trtexec --onnx=a.onnx", HEAD + "=== Build Options ===",
            HEAD + "Precision: FP32+FP16+INT8", HEAD + "=== Inference Options ===", HEAD + "Batch: Explicit"]
    rest = BLOCKS if blocks else "=== Performance summary ===\nGPU Compute Time: " + SUMMARY.format(percentiles)
    text = "\n".join([*head, *(HEAD + x for x in rest.split("\n")), *lines]) + "\n"
    return text.replace(" 0.", " 0,") if comma else text


def layer_lines(head=""):
    def tensor(name):
        shape = [str(d) for d in SHAPES[name]]
        shape[1] += f":{WIDE[name]}" if name in WIDE else ""
        return f"{name} ({SHORT[name]}[{','.join(shape)}])"
    return ["[11/22/2026-12:00:00] [V] [TRT] Engine Layer Information:"] + [
        f"{head}Layer({kind}): {' + '.join(parts)}, Tactic: 0x0000000000000000, {tensor(read)} -> {tensor(made)}"
        for parts, kind, read, made, *_ in LAYERS]


WARNING = "[11/22/2026-12:00:00] [W] [TRT] "
SCALE = "Missing scale and zero-point for tensor c, expect fall back to non-int8 implementation for any layer consuming it"


def text_of(form):
    """Files of a form as {ending: text or bytes}."""
    files = {end: json.dumps(x) if isinstance(x, dict) else x for end, x in form.items()}
    files.setdefault("graph.json", json.dumps(graph()))
    files.setdefault("profile.json", profile())
    if "profile.json.gz" in files:
        del files["profile.json"]
    return files


FORMS = {
    "8.2": {"graph.json": graph(location=False, bindings=False, dot="."), "profile.json": profile(median=False),
            "log": log(8201, percentiles="99")},
    "8.4": {"graph.json": graph(location=False), "times.json": times("8"), "log": log(8401)},
    "8.5": {"log": log(8503)},
    "8.6": {"graph.json": graph("\x1e", "\x1e"), "profile.json": profile("\x1e"), "log": log(8601)},
    "9.0": {"graph.json": graph("\x1e", "\x1e", more=KERNELS), "profile.json": profile("\x1e"), "log": log(9001)},
    "10.16": {"graph.json": graph("\x1f", "\x1f"), "profile.json": profile("\x1f"), "log": log(101600)},
    "11.1": {"graph.json": graph("\x1f", "\x1f"), "profile.json": profile("\x1f"), "log": log(110100)},
    "graph-of-8.6-with-times-of-7": {"graph.json": graph("\x1e", "\x1e"), "profile.json": profile(median=False),
                                     "times.json": times("7"), "log": log(7203, blocks=True)},
    "raw-separators": {"graph.json": json.dumps(graph("\x1e", "\x1e")).replace("\\u001e", "\x1e"), "profile.json": profile("\x1e")},
    "names": {"graph.json": graph(names=True)},
    "names-fused": {"graph.json": graph("\x1f", names=True), "profile.json": profile("\x1f")},
    "names-and-log": {"graph.json": graph(names=True), "log": log(8502, layer_lines())},
    "names-and-log-with-heads": {"graph.json": graph(names=True), "log": log(8502, layer_lines("[11/22/2026-12:00:00] [V] [TRT] "))},
    "two-profiles": {"graph.json": graph(profiles=2)},
    "names-of-two-profiles": {"graph.json": graph(names=True, profiles=2)},
    "unknown-sizes": {"graph.json": graph(unknown=True)},
    "quotes-in-a-name": {"graph.json": json.dumps(graph()).replace("Pool_4", 'Pool \\"4\\"'), "profile.json": profile(quote=True)},
    "windows": {"graph.json": "\ufeff" + json.dumps(graph(), indent=1).replace("\n", "\r\n"),
                "profile.json": "\ufeff" + profile().replace("\n", "\r\n"),
                "log": b"\xff\xfe" + log(8503).replace("\n", "\r\n").encode("utf-16-le")},
    "commas": {"profile.json": profile(comma=True), "times.json": times("8", comma=True), "log": log(8503, comma=True)},
    "commas-in-the-log": {"log": log(8503, comma=True)},
    "metadata-on-one-line": {"metadata.json": json.dumps(
        {"performance_summary": {"GPU Compute Time": [0.7, 0.72, 0.701, 0.701, 0.71]}},
        separators=(",", ":"))},
    "after-1000-ms": {"times.json": times("8", start=1000.0)},
    "gzip": {"profile.json.gz": gzip.compress(profile().encode(), mtime=0)},
    "missing-scale": {"log": log(8503, [WARNING + SCALE])},
    "missing-scale-in-python": {"log": "[11/22/2026-12:00:00] [TRT] [W] " + SCALE + "\n"},
    "int8-rejected": {"log": log(8503, ["[V] [TRT] Rejecting some int8 implementation of layer Pool_4 due to missing int8 scales for "
                                        "an output tensor"])},
    "dla": {"log": log(8503, [WARNING + "Layer 'Pool_4' (POOLING): Unsupported on DLA. Switching this layer's device type to GPU."])},
    "dla-of-7": {"log": log(7203, [WARNING + "Default DLA is enabled but layer Pool_4 is not supported on DLA, falling back to GPU."],
                            blocks=True)},
    "dla-of-8.0": {"log": log(8001, [WARNING + "DLA only supports FP16 and Int8 precision type. Switching Pool_4 device type to GPU."],
                              percentiles="99")},
}


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, form in FORMS.items():
        files = text_of(form)
        for end, text in files.items():
            (folder / f"{name}.{end}").write_bytes(text if isinstance(text, bytes) else text.encode())
        traces = [f"--trace {name}.{end}" for end in files if end != "graph.json"]
        (folder / f"{name}.traces").write_text(" ".join(traces) + "\n")
    (folder / "forms").write_text("\n".join(FORMS) + "\n")


if __name__ == "__main__":
    main()

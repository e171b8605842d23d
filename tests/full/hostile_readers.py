"""Files built to exhaust, of the newer readers: TensorFlow Lite, engines and their times, tables of operators, parts of a run, settings
that pair models with traces.  Each generator gives (name, bytes); hostile_set.py runs them."""
import json
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import make_tflite  # noqa: E402

FLOAT = {"type": "float32", "shape": [1, 8]}
RELU, ADD, CONV, CONCAT, RESHAPE, CUSTOM, WHILE = 19, 0, 3, 2, 22, 32, 119


def tensors(n, **more):
    return [dict(FLOAT, name=f"t{i}", **more) for i in range(n)]


def operators(op, n, **more):
    return [dict(op=op, **{"in": [i], "out": [i + 1]}, **more) for i in range(n)]


def flat(op, n, **more):
    return {"tensors": tensors(n + 1), "operators": operators(op, n, **more), "inputs": [0], "outputs": [n]}


def pointed(data, at, word):
    """The same file with one word changed: counts and offsets that lead beyond the file."""
    return data[:at] + struct.pack("<I", word) + data[at + 4:]


def tflites():
    make = make_tflite.make
    for n in (1000, 20000, 60000):
        yield f"chain-relu-{n}", make(flat(RELU, n))
        yield f"chain-custom-{n}", make(flat(CUSTOM, n, custom="Mine"))
        yield f"customs-{n}", make({"tensors": tensors(n + 1), "inputs": [0], "outputs": [n],
                                    "operators": [{"op": CUSTOM, "custom": f"Mine{i}", "in": [i], "out": [i + 1]} for i in range(n // 4)]})
        yield f"fanin-{n}", make({"tensors": tensors(2), "operators": [{"op": CONCAT, "in": [0] * n, "out": [1]}], "inputs": [0], "outputs": [1]})
        yield f"inputs-{n}", make({"tensors": tensors(n), "operators": [], "inputs": list(range(n)), "outputs": list(range(n))})
        yield f"graphs-{n}", make(dict(flat(RELU, 1), more=[flat(RELU, 1)] * n))
        yield f"scales-{n}", make({"tensors": [dict(FLOAT, name="x", type="int8", scale=[0.5] * n, zero=[0] * n)] + tensors(1),
                                   "operators": [{"op": 6, "in": [0], "out": [1]}], "inputs": [0], "outputs": [1]})
        yield f"rank-{n}", make({"tensors": [dict(FLOAT, name="x", shape=[1] * n)] * 2, "operators": operators(RELU, 1), "inputs": [0], "outputs": [1]})
    for dims in ((2**31 - 1,) * 4, (65536, 65536, 65536), (2**31 - 1, 1), (0, 3), (-1, -1, -1, -1), (1, 2**20, 2**10, 2**10)):
        for op in (RELU, ADD, CONV, RESHAPE):
            ins = [0] if op == RELU else [0, 0, 0] if op == CONV else [0, 0]
            yield f"dims-{op}-{len(dims)}-{dims[0]}", make({"tensors": [dict(FLOAT, name="x", shape=list(dims)), dict(FLOAT, name="y", shape=list(dims))],
                                                           "operators": [{"op": op, "in": ins, "out": [1]}], "inputs": [0], "outputs": [1]})
    for depth in (1, 30, 3000):
        graphs = [dict(flat(RELU, 1), operators=[{"op": WHILE, "in": [0], "out": [1], "options": [92, {"0": ["i32", i + 1], "1": ["i32", i + 1]}]}]) for i in range(depth)]
        yield f"while-{depth}", make(dict(graphs[0], more=graphs[1:] + [flat(RELU, 1)]))
        yield f"while-round-{depth}", make(dict(flat(RELU, 1), operators=[{"op": WHILE, "in": [0], "out": [1], "options": [92, {"0": ["i32", 0], "1": ["i32", 0]}]}] * depth))
    small = make(flat(RELU, 40))
    for at in range(8, 200, 12):
        for word in (2**31 - 1, 2**32 - 1, 2**30):
            yield f"word-{at}-{word}", pointed(small, at, word)
    yield "long-name", make({"tensors": [dict(FLOAT, name="n" * (8 << 20))] + tensors(1), "operators": operators(RELU, 1), "inputs": [0], "outputs": [1]})
    data = [0] * (4 << 20)
    big = {"type": "float32", "shape": [len(data)], "name": "w", "data": data}
    yield "shared-constant", make({"tensors": [big] + [dict(FLOAT, name=f"t{i}", shape=[len(data)], buffer=1) for i in range(200)] + tensors(1),
                                   "operators": [{"op": ADD, "in": [i, i + 1], "out": [201]} for i in range(200)], "inputs": [], "outputs": [201]})


def layer(i, **more):
    t = {"Name": f"t{i}", "Location": "Device", "Dimensions": [1, 8, 8, 8], "Format/Datatype": "Row major linear FP32"}
    return dict({"Name": f"l{i}", "LayerType": "Convolution", "Inputs": [t], "Outputs": [dict(t, Name=f"t{i + 1}")], "ParameterType": "Convolution"}, **more)


def engine(layers, bindings=("t0", "t1")):
    return json.dumps({"Layers": layers, "Bindings": list(bindings)}).encode()


def engines():
    for n in (1000, 30000, 100000):
        yield f"layers-{n}", engine([layer(i) for i in range(n)])
        yield f"same-name-{n}", engine([layer(0) for _ in range(n)])
        yield f"names-only-{n}", engine([f"layer {i}" for i in range(n)])
        yield f"inputs-{n}", engine([layer(0, Inputs=[layer(i)["Inputs"][0] for i in range(n)]), layer(1)])
        yield f"dims-{n}", engine([layer(0, Inputs=[dict(layer(0)["Inputs"][0], Dimensions=[1] * n)]), layer(1)])
        yield f"fused-{n}", engine([layer(0, Name=" + ".join(f"n{i}" for i in range(n))), layer(1)])
        yield f"tactics-{n}", engine([layer(i, TacticName="x" * 500, Metadata="[ONNX Layer: a]" * 20) for i in range(n // 10)])
        yield f"bindings-{n}", engine([layer(0), layer(1)], [f"t{i}" for i in range(n)])
        yield f"steps-{n}", json.dumps({"schema_version": 1, "target": "warboy", "sdk": "0.10", "batch": 1, "images": 1, "precision": "int8", "options": {}, "summary": {},
                                        "coverage": {}, "tensors": [], "folded": [], "steps": [{"id": i, "kind": "host", "op": "Quantize", "inputs": [], "outputs": [],
                                                                                               "deps": list(range(max(0, i - 3), i))} for i in range(n)]}).encode()
        yield f"dot-{n}", b"digraph g {\n" + b"".join(b'n%d [label="Conv2d"];\nn%d -> n%d;\n' % (i, i, i + 1) for i in range(n)) + b"}\n"
    for depth in (150, 250, 100000):
        yield f"nested-{depth}", b'{"Layers": ' + b"[" * depth + b"]" * depth + b"}"
    yield "huge-dims", engine([layer(i, Inputs=[dict(layer(i)["Inputs"][0], Dimensions=[2**62, 2**62])]) for i in range(100)])
    yield "blanks", b'{"Layers": [' + b" " * (63 << 20) + b"]}"
    yield "strings", b'{"Layers": ["' + b"a" * (60 << 20) + b'"]}'
    yield "too-large", b'{"Layers": [' + b" " * (70 << 20) + b"]}"


def engine_times():
    for n in (1000, 100000, 400000):
        yield f"profile-{n}", json.dumps([{"count": 100}] + [{"name": f"l{i}", "timeMs": 1, "averageMs": 0.01, "medianMs": 0.01, "percentage": 0} for i in range(n)]).encode()
        yield f"profile-same-{n}", json.dumps([{"count": 100}] + [{"name": "l0", "timeMs": 1, "averageMs": 0.01, "percentage": 0}] * n).encode()
        yield f"queries-{n}", json.dumps([{"startEnqMs": i, "endEnqMs": i, "startComputeMs": i, "endComputeMs": i + 1, "computeMs": 1, "latencyMs": 1,
                                           "h2dMs": 0, "inMs": 0, "outMs": 0, "startInMs": i, "endInMs": i, "startOutMs": i, "endOutMs": i} for i in range(n)]).encode()
        line = b"[11/22/2025-10:00:00] [W] [TRT] Missing scale and zero-point for tensor t%d, expect fall back to non-int8 implementation\n"
        yield f"log-{n}", b"&&&& RUNNING TensorRT.trtexec [TensorRT v8601]\n[11/22/2025-10:00:00] [I] === Model Options ===\n" + b"".join(line % i for i in range(n))
    yield "log-line", b"&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # " + b"a" * (40 << 20)
    yield "log-options", b"&&&& RUNNING TensorRT.trtexec [TensorRT v8601]\n[11/22/2025-10:00:00] [I] === Build Options ===\n" + b"".join(b"[11/22/2025-10:00:00] [I] K%d: v\n" % i for i in range(300000))


def tables():
    head = b"name,average_elapsed_ns,count\n"
    for n in (1000, 60000, 400000):
        yield f"names-{n}", head + b"".join(b"LowLevelConv2d%d,5327.8,60\n" % i for i in range(n))
        yield f"same-{n}", head + b"LowLevelConv2d,5327.8,60\n" * n
    yield "count", head + b"LowLevelConv2d,0.5,1048576\n" * 20000
    yield "quotes", head + b'"' + b'a""' * (4 << 20) + b'",1,1\n'
    yield "open-quote", head + b'"' + b"a,1,1\n" * 3000000
    yield "columns", b"name,average_elapsed_ns,count" + b",x" * 2000000 + b"\n"
    yield "long-name", head + b"L" * (30 << 20) + b",1,1\n"


def plan(models, **more):
    return json.dumps(dict({"kind": "plan", "schema_version": 1, "version": "0.1.0", "settings": "", "shard": 1, "of": 1, "dims": [], "models": models}, **more)).encode() + b"\n"


def outcome(i, model, result=None, **more):
    return json.dumps(dict({"kind": "outcome", "index": i, "model": model, "status": 0, "error": None, "result": result}, **more)).encode() + b"\n"


def parts(example):
    for n in (100, 20000, 200000):
        names = [f"m{i}.onnx" for i in range(n)]
        yield f"plan-{n}", plan(names)
        yield f"errors-{n}", plan(names) + b"".join(outcome(i, m, status=2, error="e") for i, m in enumerate(names))
        yield f"same-{n}", plan(names) + outcome(0, names[0], status=2, error="e") * n
        yield f"plans-{n}", plan(names[:10]) * (n // 10)
        yield f"dims-{n}", plan(["a.onnx"], dims=names) + outcome(0, "a.onnx", example)
    yield "results", plan([f"m{i}.onnx" for i in range(2000)]) + b"".join(outcome(i, f"m{i}.onnx", example) for i in range(2000))
    yield "wide-result", plan(["a.onnx"]) + outcome(0, "a.onnx", dict(example, notes=["n"] * 2000000))
    yield "long-line", plan(["a.onnx"]) + b'{"kind": "outcome", "x": "' + b"a" * (300 << 20) + b'"}\n'
    for depth in (900, 100000):
        yield f"nested-{depth}", plan(["a.onnx"]) + b'{"kind":"outcome","index":0,"model":"a.onnx","status":0,"error":null,"result":' + b"[" * depth + b"]" * depth + b"}\n"
    yield "shards", plan(["a.onnx"], of=100000)
    yield "no-end", plan(["a.onnx"]).strip() * 100000


def pairs():
    for n in (10, 2000, 9000):
        yield f"traces-{n}", json.dumps({"models": [{"model": "good.onnx", "trace": f"t{i}.json"} for i in range(n)]}).encode()
        yield f"baselines-{n}", json.dumps({"models": [{"model": f"*{i}*.onnx", "baseline": "b.json", "trace": "t.json"} for i in range(n)]}).encode()
        yield f"stars-{n}", json.dumps({"models": [{"model": "*" * n + "/" + "?" * n, "fail_on": "warn"} for i in range(20)]}).encode()
    yield "itself", json.dumps({"trace": "npu-advise.json", "baseline": "npu-advise.json"}).encode()

"""Results whose pages are unlike: pages.py EXAMPLE.json ENGINE.json. What stands where hangs on its number alone."""
import copy
import json
import sys
import zlib

example, engine = (json.load(open(path)) for path in sys.argv[1:3])


def dice(n, *what):
    return zlib.crc32(":".join(map(str, what)).encode()) % n


def predicted(ns):
    return {"lo": int(ns * 0.8), "mid": ns, "hi": int(ns * 1.3)}


def measured(ns):
    return {"median": int(ns), "lo": int(ns * 0.8), "hi": int(ns * 1.3)}


def step(i, kind, name, ns, deps):
    return {"id": i, "kind": kind, "op": kind, "onnx_nodes": [name], "deps": deps, "inputs": [], "outputs": [], "reason": "none", "predicted_ns": predicted(ns),
            "measured_ns": measured(ns * 1.1), "limited_by": "unknown", "sensitivity": None}


def operator(i, of, kind, names, ns, deps):
    return {"step_id": of, "kind": kind, "onnx_nodes": names, "deps": deps, "output_shape": [1, 8, 8, 1 + i % 7], "macs": 1000 * (i % 7), "bytes": 4096, "sram_bytes": (i * 37 % 100) << 16,
            "predicted_ns": predicted(ns), "measured_ns": measured(ns * 1.1) if i % 5 else None, "limited_by": ("mac", "vector", "sram", "dram", "launch")[i % 5]}


def write(name, base, **change):
    json.dump({**copy.deepcopy(base), **change}, open(name, "w"))


def program(name, count, period, host_every):
    """count operators in steps on host and NPU, blocks of `period` that repeat, names that share a beginning."""
    steps, ops = [], []
    for i in range(max(3, count // host_every)):
        kind = ("host", "npu", "d2h", "host", "h2d", "npu")[i % 6]
        steps.append(step(i, kind, f"/model/{kind}.{i}/out", 1000 + dice(9000, name, i), [i - 1] if i else []))
    on_npu = [s["id"] for s in steps if s["kind"] == "npu"]
    for i in range(count):
        of = on_npu[i * len(on_npu) // count]
        block = i // period
        names = [f"/backbone/layer{block // 3}/block.{block}/conv{i % period}/Conv", f"backbone.bn{i}"][: 1 + i % 2] if i % 11 else []
        ops.append(operator(i % period, of, ("LowConv", "LowPad", "LowAdd", "LowConcat")[i % period % 4], names, 100 + dice(5000, name, "op", i), [i - 1] if i else []))
    write(name, example, steps=steps, operators=ops)


def layers(name, count, span, none_every):
    """count layers of an engine; edges that skip up to `span` layers."""
    types = ("float32", "float16", "int8", "bfloat16", "int32")
    steps = []
    for i in range(count):
        deps = sorted({max(0, i - 1 - dice(span, name, i, k)) for k in range(1 + dice(3, name, i))}) if i else []
        if i % 13 == 12:
            deps += [-1, i]
        kind = ("noop", "constant")[i % 2] if (none_every > 0 and i % none_every == none_every - 1) or (none_every < 0 and i % (1 - none_every)) else ("convolution", "pointwise", "reformat", "pooling", "matmul", "other")[i % 6]
        tensor = {"name": f"t{i}", "dtype": types[dice(5, name, "t", i)], "layout": ("CHW", "CHW32", "NHWC8", None)[i % 4], "bytes": 64}
        ns = dice(9000, name, "ns", i)
        work = ("compute", "layout", "copy", "cast", "type", "transfer", "")[dice(14, name, "w", i) % 7]
        steps.append({**step(i, "layer", f"/m/{i}", ns, deps), "op": kind, "predicted_ns": None, "measured_ns": {**measured(ns), "mean": ns} if i % 9 else None,
                      "layer": {"name": f"layer_{i}" * (1 + i % 5), "kind": kind, "work": work, "origin": None, "tactic": None, "weights": None,
                                "inputs": [tensor] if i % 4 else [], "outputs": [tensor] if i % 7 else []}})
    total = sum(s["measured_ns"]["mean"] for s in steps if s["measured_ns"])
    write(name, engine, steps=steps, compiled={**engine["compiled"], "sum_ns": total})


for n, (count, period, host) in enumerate([(1, 1, 1), (2, 1, 1), (40, 4, 10), (41, 5, 3), (64, 1, 64), (65, 8, 65), (130, 13, 20), (300, 37, 100), (700, 60, 50), (500, 500, 5)]):
    program(f"program-{n}.odd", count, period, host)
program("program-whole.odd", 9994, 17, 2500)
program("program-more.odd", 10500, 17, 2500)
for n, (count, span, none) in enumerate([(0, 1, 0), (1, 1, 0), (2, 1, 0), (12, 3, 4), (30, 30, 0), (60, 12, 5), (120, 3, 2), (160, 40, 0), (161, 5, 0), (420, 25, 3), (90, 90, 7), (40, 1, -14), (40, 1, -15), (40, 1, -16), (40, 1, -17)]):
    layers(f"layers-{n}.odd", count, span, none)

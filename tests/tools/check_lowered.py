#!/usr/bin/python3
"""Checks lowered.json from outside: check_lowered.py FILE...

Every node in exactly one step or folded; bytes of a step are those of its tensors; transfers move
what they get; lowered bytes are at least the real ones; what waits comes later; no two boxes of
SRAM at one address at one time.  Prints one line per broken promise; status 1 if there is one.
"""
import json
import sys

BITS = {"float32": 32, "float16": 16, "float64": 64, "int8": 8, "uint8": 8, "bool": 8, "int32": 32, "int64": 64}


def problems(d):
    seen = [n for s in d["steps"] for n in s["nodes"]] + [f["index"] for f in d["folded"]]
    if len(seen) != d["coverage"]["nodes"] or len(set(seen)) != len(seen):
        yield "nodes are not in exactly one place each"
    if not all(f["reason"] for f in d["folded"]):
        yield "a node is folded without a reason"
    tensors = {t["id"]: t for t in d["tensors"]}
    for t in d["tensors"]:
        yield from tensor_problems(d, t)
    done = set()
    for s in d["steps"]:
        yield from step_problems(s, tensors, done)
        done.add(s["id"])
    yield from box_problems(d)


def tensor_problems(d, t):
    n, c, h, w = t["shape"]
    if t["at_most"] and t["layout"] != "plain":
        yield f"tensor {t['id']}: a bound is not laid out"
    if not t["elements"] or t["at_most"]:
        return
    if n * c * h * w != t["elements"]:
        yield f"tensor {t['id']}: {t['shape']} are not {t['elements']} elements"
    bits = BITS.get(t["dtype"])
    if bits is None:
        return
    units = {"plain": n * c * h * w, "padded": n * c * h * t["w"],
             "lowered": n * t["ho"] * t["co"] * t["hi"] * t["ci"] * t["w"]}[t["layout"]]
    if t["bytes"] != units * bits // 8 or t["bytes"] < t["elements"] * bits // 8:
        yield f"tensor {t['id']}: {t['bytes']} bytes"
    slices = 128 if d["target"] == "warboy-2pe" else 64
    if t["ho"] * t["co"] != slices or t["ho"] * t["hi"] < h or t["co"] * t["ci"] < c or t["w"] < w:
        yield f"tensor {t['id']} does not fit its slices"


def step_problems(s, tensors, done):
    if s["bytes_in"] != sum(tensors[i]["bytes"] for i in s["inputs"]) or \
            s["bytes"] != sum(tensors[i]["bytes"] for i in s["outputs"]):
        yield f"step {s['id']}: bytes are not those of its tensors"
    if s["kind"] in ("h2d", "d2h") and s["bytes_in"] != s["bytes"]:
        yield f"step {s['id']}: a transfer changes its bytes"
    makers = {tensors[i]["producer"] for i in s["inputs"]} - {None}
    if makers != set(s["deps"]) or not makers <= done:
        yield f"step {s['id']} does not wait for what it reads"
    if s["kind"] == "host" and (s["reason"] in (None, "none") or not s["why"]):
        yield f"step {s['id']} is on the host without a reason"
    for i in s["inputs"]:
        place = tensors[i]["place"]
        if place != ("npu" if s["kind"] in ("npu", "d2h") else "host"):
            yield f"step {s['id']} reads tensor {i} in the wrong place"


def box_problems(d):
    events = []
    for i, b in enumerate(d["sram"]):
        if b["address"] + b["bytes"] > d["summary"]["sram_bytes"]:
            yield f"box {i} lies outside SRAM"
        events += [(b["first"], 1, i), (b["last"] + 1, 0, i)]
    live = set()
    for _, opens, i in sorted(events):
        if not opens:
            live.discard(i)
            continue
        a = d["sram"][i]
        for j in live:
            b = d["sram"][j]
            if a["address"] < b["address"] + b["bytes"] and b["address"] < a["address"] + a["bytes"]:
                yield f"boxes {i} and {j} overlap"
                return
        live.add(i)


status = 0
for path in sys.argv[1:]:
    with open(path) as f:
        for text in problems(json.load(f)):
            print(f"{path}: {text}")
            status = 1
sys.exit(status)

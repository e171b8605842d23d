#!/usr/bin/python3
"""The first day of an ONNX Runtime user: profiles recorded here and now by onnxruntime-node, in `npu-advise trace --model`.

Counted a second time, by python3-onnx and a few lines of Python: spans, inferences, time per operator, and of every
operator that multiplies its node, its computation, FLOPS and bandwidth.  The operators' computation must sum to that of
the model, whatever the runtime fused or padded.  Broken twins are refused: a profile that lost one span, and a model whose
nodes and tensors have other names.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import outside
import packages

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = 4
MULTIPLY = ("Conv", "Gemm", "MatMul")
SUFFIX = "_kernel_time"


def skip(why):
    print(why)
    sys.exit(77)


try:
    import onnx
except ImportError:
    skip("needs python3-onnx")


def run(command, **more):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True, **more).stdout


def models(build):
    """Model, values of its symbolic dimensions."""
    networks = build / "networks"
    yield networks / "resnet50-fp32-f32.onnx", {}
    yield networks / "mobilenet_v1-qdq-u8-nhwc.onnx", {}
    corpus = outside.corpus("models")
    yield corpus / "vision/fastestdet_352.onnx", {}
    yield corpus / "dynamic/mnist_pytorch_dynbatch.onnx", {"batch_size": 2}


def flop_by_node(path, dims):
    """Name of every node that multiplies -> 2 x multiplications, from python3-onnx's shapes."""
    model = onnx.load(str(path), load_external_data=False)
    for value in model.graph.input:
        for d in value.type.tensor_type.shape.dim:
            if d.dim_param in dims:
                d.dim_value = dims[d.dim_param]
    g = onnx.shape_inference.infer_shapes(model).graph
    shape = {v.name: [d.dim_value for d in v.type.tensor_type.shape.dim] for v in [*g.input, *g.value_info, *g.output]}
    shape.update({i.name: list(i.dims) for i in g.initializer})
    flop = {}
    for n in g.node:
        if n.op_type == "Conv":
            summed = math.prod(shape[n.input[1]][1:])
        elif n.op_type in MULTIPLY:
            summed = shape[n.input[0]][-1]
        else:
            continue
        flop[n.name] = 2 * summed * math.prod(shape[n.output[0]])
    return flop


def time_by_operator(events):
    spent = collections.Counter()
    for e in events:
        if e.get("cat") == "Node" and e["name"].endswith(SUFFIX):
            spent[e["name"][:-len(SUFFIX)]] += e["dur"] * 1000
    return spent


def near(a, b):
    return abs(a - b) <= 1e-9 * abs(b)


def wrong(read, events, flop):
    """What `read` (our result) has wrong about the profile and the model."""
    spans = sum(e.get("ph") == "X" for e in events)
    if read["spans"] != spans:
        yield f"{read['spans']} spans, {spans} X events"
    spent = time_by_operator(events)
    if {o["name"]: round(o["time_ns"] * RUNS) for o in read["operators"]} != dict(spent):
        yield "time per operator differs"
    named = 0
    for o in read["operators"]:
        if not any(m in o["type"] for m in MULTIPLY):
            continue
        named += 1
        expected = flop.get(o["node"])
        if expected is None:
            yield f"{o['name']} ({o['type']}) is said to be node {o['node']}"
            continue
        if o["computation"] != expected or not o["in_shapes"] or not o["out_shapes"]:
            yield f"{o['name']}: computation {o['computation']}, expected {expected}"
        elif not near(o["flops"], expected / o["time_ns"] * 1e9) or not near(o["bandwidth"], o["memory_bytes"] / o["time_ns"] * 1e9):
            yield f"{o['name']}: FLOPS or bandwidth"
    total = sum(o["computation"] or 0 for o in read["operators"])
    if not named or total != sum(flop.values()):
        yield f"{total} operations in all, the model has {sum(flop.values())}"


def read_trace(advise, profile, model, dims):
    dim = [a for d, v in dims.items() for a in ("--dim", f"{d}={v}")]
    common = [advise, "trace", profile, "--format", "json", *dim]
    result = json.loads(run([*common, "--table", "operators", "--model", model]))
    result["inferences"] = json.loads(run(common))["summary"]["count"]
    return result


def lose_one(events):
    """The profile without its last Conv, Gemm or MatMul span."""
    at = max(i for i, e in enumerate(events) if any(m in e.get("args", {}).get("op_name", "") for m in MULTIPLY))
    return events[:at] + events[at + 1:]


def rename(path, to):
    model = onnx.load(str(path), load_external_data=False)
    for i, n in enumerate(model.graph.node):
        n.name = f"other_{i}"
        n.input[:] = [x and "t_" + x for x in n.input]
        n.output[:] = [x and "t_" + x for x in n.output]
    for v in [*model.graph.input, *model.graph.output, *model.graph.initializer, *model.graph.value_info]:
        v.name = "t_" + v.name
    onnx.save(model, str(to))


def twins(advise, profile, events, model, dims, flop, folder):
    """Names of the broken twins that pass for whole."""
    lost, renamed = folder / "lost.json", folder / "renamed.onnx"
    lost.write_text(json.dumps(lose_one(events)))
    rename(model, renamed)
    if not list(wrong(read_trace(advise, lost, model, dims), events, flop)):
        yield "a profile that lost a span"
    if not list(wrong(read_trace(advise, profile, renamed, dims), events, flop)):
        yield "a model with other names"


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--build", default=str(ROOT / "build"))
    build = pathlib.Path(p.parse_args().build)
    modules = packages.folder_with("onnxruntime-node")
    if not modules:
        skip("needs node and the packages of tests/full/package.json")
    advise, failed, tried = build / "npu-advise", 0, 0
    for model, dims in models(build):
        if not model.exists():
            continue
        tried += 1
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            name = run(["node", ROOT / "tests/full/trace_record.cjs", model, folder, RUNS, *(f"{d}={v}" for d, v in dims.items())],
                       env={**os.environ, "NODE_PATH": str(modules)}).strip()
            events, flop = json.loads((folder / name).read_text()), flop_by_node(model, dims)
            read = read_trace(advise, folder / name, model, dims)
            found = list(wrong(read, events, flop))
            if read["inferences"] != RUNS:
                found.append(f"{read['inferences']} inferences of {RUNS}")
            found += [f"not noticed: {t}" for t in twins(advise, folder / name, events, model, dims, flop, folder)]
        failed += len(found)
        print(f"{model.name}: {read['spans']} spans, {len(read['operators'])} operators, {sum(flop.values()) / 1e9:.3f} GFLOP: "
              f"{'; '.join(found[:5]) or 'as counted a second time, twins told'}")
    if not tried:
        skip("needs the networks of `tests/run`, or the corpus")
    return 1 if failed else 0


sys.exit(main())

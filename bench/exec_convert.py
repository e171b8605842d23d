#!/usr/bin/python3
"""Conversions of `npu-exec --host real` and --values against memcpy, XNNPACK and onnxruntime's own kernels.

  bench/exec_convert.py [BUILD] [ROUNDS=3]

Each round runs one process of ours, which times ours, memcpy and XNNPACK in turns, and one of onnxruntime-node per operator
(its profiler's kernel times, unoptimised, one thread); printed are medians over the rounds of the medians within each, and
medians of the rounds' ratios.  Goals E1, E2: Quantize and Dequantize <= 1.4 XNNPACK, 0.9 onnxruntime, 1.6 memcpy; three
channels <= 0.25 onnxruntime, 1.5 memcpy; pad and slice <= 0.6, 1.5; 255 x 80 x 80 <= 1.2, 6.5.  Peers that the machine does
not have are left out: XNNPACK is libxnnpack-dev, onnxruntime-node comes from tests/full/package.json.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import onnx
from onnx import TensorProto, helper

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = 41
# Inputs are ones, not zeros: pages that were never written share one page, which would cost the peer no memory.
PEER = """
const ort = require('onnxruntime-node'), arrays = {float32: Float32Array, int8: Int8Array};
const [model, prefix, runs] = process.argv.slice(1);
(async () => {
    const session = await ort.InferenceSession.create(model, {enableProfiling: true, profileFilePrefix: prefix, intraOpNumThreads: 1,
        interOpNumThreads: 1, graphOptimizationLevel: 'disabled'});
    const {name, type, shape} = session.inputMetadata[0];
    const feeds = {[name]: new ort.Tensor(type, new arrays[type](shape.reduce((a, b) => a * b, 1)).fill(1), shape)};
    for (let i = 0; i < Number(runs); i++) await session.run(feeds);
    session.endProfiling();
})().catch((e) => { console.error(e.message); process.exit(1); });
"""
# Goals against onnxruntime, memcpy, XNNPACK.
GOALS = {"quantize": (0.9, 1.6, 1.4), "dequantize": (0.9, 1.6, 1.4), "nhwc-nchw": (0.25, 1.5, None), "nchw-nhwc": (0.25, 1.5, None),
         "pad": (0.6, 1.5, None), "slice": (0.6, 1.5, None), "255x80": (1.2, 6.5, None)}


def goals_of(name):
    kind, _, size = name.rpartition("-")
    return GOALS[size if size in GOALS else kind]


def model_of(name, path):
    """The operator as onnxruntime has it, on the same sizes."""
    kind, _, size = name.rpartition("-")
    c, h, w = (255, 80, 80) if size == "255x80" else (3, int(size), int(size))
    pixels, rows, narrow, step = [1, h, w, c], [1, c, h, w], [1, c, h, 1250], ["scale", "zero"]
    made = {"quantize": ("QuantizeLinear", step, rows, {}), "dequantize": ("DequantizeLinear", step, rows, {}),
            "nhwc-nchw": ("Transpose", [], pixels, {"perm": [0, 3, 1, 2]}), "nchw-nhwc": ("Transpose", [], rows, {"perm": [0, 2, 3, 1]}),
            "pad": ("Pad", ["pads"], narrow, {}), "slice": ("Slice", ["starts", "ends"], rows, {})}
    op, more, shape, attributes = made[kind]
    constants = [helper.make_tensor("scale", TensorProto.FLOAT, [], [0.02]), helper.make_tensor("zero", TensorProto.INT8, [], [3]),
                 helper.make_tensor("pads", TensorProto.INT64, [8], [0] * 7 + [30]),
                 helper.make_tensor("starts", TensorProto.INT64, [4], [0] * 4), helper.make_tensor("ends", TensorProto.INT64, [4], narrow)]
    source, target = (TensorProto.FLOAT if kind == "quantize" else TensorProto.INT8), (TensorProto.FLOAT if kind == "dequantize" else TensorProto.INT8)
    graph = helper.make_graph([helper.make_node(op, ["x", *more], ["y"], **attributes)], "bench",
                              [helper.make_tensor_value_info("x", source, shape)], [helper.make_tensor_value_info("y", target, None)],
                              [t for t in constants if t.name in more])
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)]), path)
    return op


def build_program(build):
    program = build / "bench-exec-convert"
    command = [*os.environ.get("CC", "cc").split(), "-std=c11", "-O2", "-D_GNU_SOURCE", f"-I{ROOT}", ROOT / "bench/exec_convert.c"]
    tail = [build / "libnpu_exec.a", "-o", program, "-lm"]
    if subprocess.run([*command, "-DWITH_XNNPACK", *tail, "-lXNNPACK"], capture_output=True).returncode:
        subprocess.run([*command, *tail], check=True)
    return program


def run_ours(program):
    """name: (ours, memcpy, XNNPACK or None), ns."""
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: [None if f == "-" else float(f) for f in figures] for name, *figures in map(str.split, lines)}


def run_theirs(name, scratch, modules):
    """Median kernel time in ns; None where onnxruntime refuses."""
    op = model_of(name, scratch / "m.onnx")
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        if subprocess.run(["node", "-e", PEER, scratch / "m.onnx", f"{folder}/profile", str(RUNS)], capture_output=True,
                          env={**os.environ, "NODE_PATH": str(modules)}).returncode:
            return None
        events = json.loads(next(pathlib.Path(folder).glob("profile*")).read_text())
    times = [e["dur"] * 1e3 for e in events if e.get("name", "").endswith("_kernel_time") and e["args"].get("op_name") == op]
    return statistics.median(times[1:]) if len(times) > 1 else None


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    modules = pathlib.Path(os.environ.get("NPU_ADVISE_NODE_MODULES", ROOT / "tests/full/node_modules"))
    has_ort = (modules / "onnxruntime-node").is_dir()
    program, found = build_program(build), {}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(rounds):
            for name, (ours, copy, xnnpack) in run_ours(program).items():
                theirs = run_theirs(name, pathlib.Path(scratch), modules) if has_ort else None
                found.setdefault(name, []).append((ours, theirs, copy, xnnpack))
    missed = 0
    for name, turns in found.items():
        text = f"{name:17} {statistics.median(t[0] for t in turns) / 1e3:7.1f} us"
        for k, (peer, goal) in enumerate(zip(("onnxruntime", "memcpy", "XNNPACK"), goals_of(name)), 1):
            if goal is None or any(t[k] is None for t in turns):
                continue
            ratio = statistics.median(t[0] / t[k] for t in turns)
            missed += ratio > goal
            text += f"  {ratio:5.2f} x {peer} ({goal}{', missed' if ratio > goal else ''})"
        print(text)
    print(f"{len(found)} conversions, {missed} ratios missed" + ("" if has_ort else "; onnxruntime-node is not here"))


main()

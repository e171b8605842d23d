#!/usr/bin/python3
"""Stands in for a board with RKNN: runs a model as npu-exec would, on a law of its own.

  rknn_board.py MODEL [compile options] [--workers N] [--runs N] [--seed S] [--trace SPANS] [--table FILE] [--json FILE]
                [--chip SEED | --simulated]

The rows are those that `npu-advise compile` gives (NPU_ADVISE, else the one of this tree); their times are not: a row reads while
it computes, the slower of the two counts and a part of the other; moves, table unit and floor have rates that --chip draws
around those of the tables that were measured; every run scatters.  Cores share the memory: what moves bytes takes longer with each
core that is busy.  --table writes what the runtime prints of one run, --trace one span per inference, --json the figures that
npu-exec writes.  --simulated: npu-exec runs the model, whose times the table and the figures have.  It is a runner (`--runner tests/tools/rknn_board.py`), so that plans for a chip that npu-exec does not simulate can
be run.
"""
import argparse
import csv
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE_ACTIVATIONS = ("Swish", "Sigmoid", "Tanh", "Elu", "Mish", "Gelu", "Softplus")
HEAD = ["ID", "OpType", "DataType", "Target", "InputShape", "OutputShape", "Cycles(DDR/NPU/Total)", "Time(us)", "MacUsage(%)",
        "WorkLoad(0/1/2)", "RW(KB)", "FullName"]
CORES = {"rk3588": 3, "rk3576": 2}
TABLE_NS = {"rk3576": 0.25, "rk3566": 1, "rk3568": 1}  # of an output of the table unit; 0.5 of the others


class Chip:
    """Rates, each off by some percent: ns per cycle, output of the table unit, byte; ns per row."""

    def __init__(self, name, seed):
        r = random.Random(seed)

        def near(x, spread):
            return x * r.lognormvariate(0, spread)
        self.cycle, self.table, self.read, self.weight = near(0.99, .03), near(TABLE_NS.get(name, 0.5), .03), near(0.064, .05), near(0.027, .15)
        self.move = {k: near(v, .06) for k, v in (("Add", .061), ("Concat", .068), ("Split", .068), ("Resize", .084), ("MaxPool", .105), ("Softmax", .3))}
        self.floor, self.overlap = near(12e3, .15), r.uniform(0, 0.25)
        self.host_call, self.host_byte, self.shared = near(12e3, .2), near(0.3, .2), r.uniform(0.01, 0.05)


def compiled(model, options):
    """(rows as the compiler's table has them, geometry of each operator)"""
    tool = os.environ.get("NPU_ADVISE", ROOT / "build" / "npu-advise")

    def call(*more):
        done = subprocess.run([tool, "compile", model, *options, *more, "--quiet"], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr.strip())
        return done.stdout
    rows = [r for r in csv.DictReader(call("--csv", "-").splitlines()) if r["operator"] != "between steps"]
    program = json.loads(call("--emit", "json"))
    ops = [o for s in program["steps"] for o in (s["lowlevel"] if s["kind"] == "npu" else [s])]
    return rows, ops, program


def up(n, block):
    return -(-n // block) * block


def time_of(chip, row, op, busy):
    """ns of one row with `busy` other cores at work; a Conv by its cycles, the table unit and its bytes."""
    bytes_ns = 1 + chip.shared * busy
    kind, moved = row["operator"], int(row["bytes"] or 0)
    if row["runs_on"] == "host":
        return chip.host_call * (0.5 if kind in ("InputOperator", "OutputOperator") else 1) + moved * (
            0.005 if kind in ("InputOperator", "OutputOperator") else chip.host_byte)
    if kind == "Reshape":
        return 4e3
    if int(row["cycles"] or 0):
        n, c, h, w = (op["out"] + [1] * 4)[:4]
        table = chip.table * n * h * w * up(c, 32) if any(a in kind for a in TABLE_ACTIVATIONS) else 0
        work = max(chip.cycle * int(row["cycles"]), table)
        read = (chip.read * op["bytes_in"] + chip.weight * op["w_bytes"]) * bytes_ns
        return chip.floor + max(work, read) + (1 - chip.overlap) * min(work, read)
    rate = next((v for k, v in chip.move.items() if k in kind), chip.move["Add"])
    return chip.floor + rate * moved * bytes_ns


def shape(dims):
    return "(" + ",".join(str(d) for d in dims) + ")"


def write_table(path, chip, rows, ops, times, tensors):
    out = [f"I RKNN: [00:00:00.000] RKNN Model Information, version: 6, toolkit version: 2.3.2, target platform: {chip}",
           f"Total Time(us): {sum(times) / 1e3:.0f}", "-" * 99, "Network Layer Information Table", "-" * 99, " ".join(HEAD), "-" * 99]
    for i, (r, o, ns) in enumerate(zip(rows, ops, times)):
        if "out" in o:
            made, read = shape(o["out"]), shape([o["out"][0], *o["in"]])
            if o["kind"] == "LowLevelConv2d" and o["group"] == 1:
                read += "," + shape([o["out"][1], o["in"][0], *o["kernel"]]) + "," + shape([o["out"][1]])
        else:
            read, made = (shape(tensors[t[0]]) if t else "\\" for t in (o["inputs"], o["outputs"]))
        read = "\\" if r["operator"] == "InputOperator" else read
        made = "\\" if r["operator"] == "OutputOperator" else made
        load = "0.0%/0.0%/0.0%" if r["runs_on"] == "host" else "100.0%/0.0%/0.0%"
        cycles = r["cycles"] or 0
        out.append(f"{i + 1} {r['operator']} INT8 {'CPU' if r['runs_on'] == 'host' else 'NPU'} {read} {made} 0/{cycles}/{cycles} {ns / 1e3:.1f} {load} "
                   f"{int(r['bytes'] or 0) // 1024} {r['operator']}:{r['node'] or i}")
    out += ["-" * 99, f"Total Operator Elapsed Per Frame Time(us): {sum(round(t / 1e3, 1) for t in times):.1f}",
            f"Total Memory Read/Write Per Frame Size(KB): {sum(int(r['bytes'] or 0) // 1024 for r in rows)}"]
    pathlib.Path(path).write_text("\n".join(out) + "\n")


def simulated(a, options, rows, ops, program):
    """The run of npu-exec, and its last inference as a table."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        tool = os.environ.get("NPU_EXEC", pathlib.Path(os.environ.get("NPU_ADVISE", ROOT / "build" / "npu-advise")).parent / "npu-exec")

        def run(*more):
            done = subprocess.run([tool, a.model, *options, "--seed", str(a.seed), *more], capture_output=True, text=True)
            if done.returncode:
                sys.exit(done.stderr.strip())
        run("--workers", str(a.workers), "--runs", str(a.runs), "--warmup", str(a.warmup), *(["--json", a.json] if a.json else []),
            *(["--trace", a.trace] if a.trace else []))
        run("--warmup", "20", "--trace", trace)
        spans = [e for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] == "X" and e["name"] not in ("Load", "Store")
                 and {"operator_index", "instruction_index"} & set(e.get("args", {}))]
    times = [1e3 * e["dur"] for e in sorted(spans, key=lambda e: e["ts"])]
    assert len(times) == len(rows), (len(times), len(rows))
    if a.table:
        write_table(a.table, program["target"].split("-")[0], rows, ops, times, [t.get("shape", t.get("dims", [])) for t in program["tensors"]])


def requests(spans, workers, cores):
    """(worker, begin, end) of each: a context's rows on the CPU hold none of the cores, which take one inference at a time."""
    free, idle, out = [0.0] * cores, [0.0] * workers, []
    for cpu, npu in spans:
        w = min(range(workers), key=idle.__getitem__)
        c = min(range(cores), key=free.__getitem__)
        begin = idle[w]
        free[c] = idle[w] = end = max(begin + cpu, free[c]) + npu
        out.append((w, begin, end))
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("model")
    for name, kind in (("--workers", int), ("--runs", int), ("--warmup", int), ("--seed", int), ("--chip", int)):
        p.add_argument(name, type=kind, default=1)
    p.add_argument("--simulated", action="store_true")
    for name in ("--trace", "--table", "--json", "--devices", "--queue-depth", "--io-threads", "--fill"):
        p.add_argument(name)
    a, options = p.parse_known_args()
    rows, ops, program = compiled(a.model, options)
    if a.simulated:
        return simulated(a, options, rows, ops, program)
    name = program["target"].split("-")[0]
    chip, draw = Chip(name, a.chip), random.Random(a.seed)
    cores = CORES.get(name, 1)
    plain = [time_of(chip, r, o, 0) for r, o in zip(rows, ops)]
    loaded = [time_of(chip, r, o, min(a.workers, cores) - 1) for r, o in zip(rows, ops)]
    runs = [[t * draw.lognormvariate(0, .01) for t in loaded] for _ in range(a.runs)]
    on_cpu = [r["runs_on"] == "host" for r in rows]
    done = requests([(sum(t for t, c in zip(r, on_cpu) if c), sum(t for t, c in zip(r, on_cpu) if not c)) for r in runs], a.workers, cores)
    if a.table:
        tensors = [t["shape"] if "shape" in t else t.get("dims", []) for t in program["tensors"]]
        write_table(a.table, name, rows, ops, [t * draw.lognormvariate(0, .01) for t in plain], tensors)
    if a.trace:
        events = [{"name": "Inference", "cat": "Runtime", "ph": "X", "ts": b / 1e3, "dur": (e - b) / 1e3, "pid": 1, "tid": w} for w, b, e in done]
        pathlib.Path(a.trace).write_text(json.dumps({"traceEvents": events}))
    if a.json:
        images = program["images"]
        seen = {"latency_median_ns": statistics.median(e - b for _, b, e in done), "images_per_s": images * len(done) * 1e9 / max(e for _, _, e in done)}
        pathlib.Path(a.json).write_text(json.dumps({"simulation": seen}))
    return 0


if __name__ == "__main__":
    sys.exit(main())

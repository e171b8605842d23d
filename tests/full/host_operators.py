#!/usr/bin/python3
"""What float operators take on one core: measures them with ONNX Runtime, fits the laws of the targets, judges them.

  tests/full/host_operators.py measure [--rounds N]    writes host_operators.csv: needs onnxruntime 1.32.0 and onnx
  tests/full/host_operators.py fit                     prints the laws, with their errors on shapes that each fit leaves out
  tests/full/host_operators.py judge [--build DIR]     compares the binary with 60 draws that no fit has seen

host_shapes.py draws the models: thirty of each operator for the fit, and one each of sixty operators, from another seed,
for the judgement.  A model is one operator; it runs alone, on one thread, with every optimization off, and its time is the
processor time of a call, the least over blocks of calls and over rounds (others use the machine, and only ever add).  The
time includes the call, some microseconds: the runtime of an NPU calls such an operator alone too.  Of operators that move
nothing several follow each other, and the call is subtracted.
"""
import argparse
import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "host_operators.csv"
FIT, JUDGE = "fit", "judge"
EACH, HELD_OUT = 30, 60
VERSION = "1.32.0"
BLOCK_NS, ROUND_NS, BLOCKS_MIN, BLOCKS_MAX = 5e5, 6e7, 4, 40


def all_draws():
    import host_shapes
    return [(FIT, *x) for x in host_shapes.draws(FIT, EACH)] + [(JUDGE, *x) for x in host_shapes.others(JUDGE, HELD_OUT)]


def times_of_call(proto, feeds):
    """Processor time of one call, per block of calls."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for name, x in feeds.items():
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(x))
    for out in session.get_outputs():
        binding.bind_output(out.name)
    for _ in range(3):
        session.run_with_iobinding(binding)
    start = time.thread_time_ns()
    session.run_with_iobinding(binding)
    once = max(1, time.thread_time_ns() - start)
    calls = max(1, int(BLOCK_NS / once))
    blocks = min(BLOCKS_MAX, max(BLOCKS_MIN, int(ROUND_NS / (once * calls))))
    found = []
    for _ in range(blocks):
        start = time.thread_time_ns()
        for _ in range(calls):
            session.run_with_iobinding(binding)
        found.append((time.thread_time_ns() - start) / calls)
    return found


def measure_once(draw):
    import host_shapes
    found = times_of_call(*host_shapes.model(draw))
    if "row" not in draw:
        return min(found), statistics.median(found)
    alone = times_of_call(*host_shapes.model(draw, 0))
    more = times_of_call(*host_shapes.model(draw, 16 * draw["row"]))
    return max(1, min(more) - min(alone)) / (16 * draw["row"]), max(1, statistics.median(more) - statistics.median(alone)) / (16 * draw["row"])


def measure(o):
    try:
        import onnx
        import onnxruntime
    except ImportError as e:
        sys.exit(f"needs onnx and onnxruntime {VERSION}: {e}")
    if onnxruntime.__version__ != VERSION:
        sys.exit(f"needs onnxruntime {VERSION}, not {onnxruntime.__version__}")
    best = {}
    for k in range(o.rounds):
        for part, name, number, draw in all_draws():
            least, middle = measure_once(draw)
            old = best.get((part, name, number), (math.inf, math.inf))
            best[part, name, number] = min(least, old[0]), min(middle, old[1])
        print(f"round {k + 1}: {len(best)} models", flush=True)
        with TABLE.open("w") as f:
            f.write("set,operator,number,ns,median_ns\n")
            f.writelines(f"{','.join(map(str, key))},{a:.0f},{b:.0f}\n" for key, (a, b) in best.items())


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["measure", "fit", "judge"])
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build")
    o = p.parse_args()
    {"measure": measure}[o.what](o)


if __name__ == "__main__":
    main()

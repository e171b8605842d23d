#!/usr/bin/python3
"""What float operators take on one core: measures them with ONNX Runtime, fits the laws of the targets, judges them.

  tests/full/host_operators.py measure [--rounds N]    writes host_operators.csv; needs onnx and onnxruntime 1.32.0
  tests/full/host_operators.py fit                     prints the rows of rules/targets and npu_exec/silicon (host_laws.py)
  tests/full/host_operators.py judge                   compares the binary with draws that no fit has seen (host_judge.py)

host_shapes.py draws the models: thirty of each operator for the fit, and one each of sixty operators, from another seed,
for the judgement.  A model is one operator; it runs alone, on one thread, with every optimization off, and its time is the
processor time of a call, the least over blocks of calls and over rounds (others use the machine, and only ever add).  The
time includes the call, 1.5 us: the runtime of an NPU calls such an operator alone too.  Of operators that move nothing
several follow each other, and the call is subtracted; they are not judged.  Data are random: up to some ten thousand
elements a processor learns the signs that PRelu and Where branch on, and both are faster there than their laws say.
"""
import argparse
import csv
import json
import math
import pathlib
import re
import statistics
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


def units_of(build, folder, draw):
    """What the laws count, as the binary does: a target on which one unit takes 1 ns tells how many there are."""
    import host_judge
    import host_laws
    import host_shapes
    model, counted = folder / "one.onnx", {}
    model.write_bytes(host_shapes.model(draw, 1)[0].SerializeToString())
    for unit in host_laws.UNITS:
        row = f'<host op="operator" unit="{unit}" fixed_ns="0" per_unit_ns="1" kind="assumed" source="counts"/>'
        target = host_judge.host_target(folder, lambda text: re.sub(r"<host op(erators)?=.*(?=<profile)", row, text, flags=re.S))
        counted[unit] = round(host_judge.predicted(build, model, target))
    return counted


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
    write(o.build, best)


def write(build, best):
    import host_laws
    with TABLE.open("w") as f, tempfile.TemporaryDirectory() as folder:
        f.write("set,operator,number,law," + ",".join(host_laws.UNITS.values()) + ",ns,median_ns\n")
        for part, name, number, draw in all_draws():
            units = units_of(build, pathlib.Path(folder), draw)
            law = draw.get("law", name) + ("Across" if draw.get("across") else "")
            f.write(",".join(map(str, [part, name, number, law, *units.values()])) + ",{:.0f},{:.0f}\n".format(*best[part, name, number]))


def fit(_):
    import host_laws
    found = host_laws.read(TABLE, FIT)
    host_laws.target_rows(found)
    host_laws.silicon_rows(found)
    return 0


def judge(o):
    import host_judge
    with TABLE.open() as f:
        measured = {r["operator"]: float(r["ns"]) for r in csv.DictReader(f) if r["set"] == JUDGE}
    return host_judge.judge(o.build, [(name, draw) for part, name, _, draw in all_draws() if part == JUDGE and "row" not in draw], measured)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", nargs="?", default="judge", choices=["measure", "fit", "judge"])
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build")
    o = p.parse_args()
    return {"measure": measure, "fit": fit, "judge": judge}[o.what](o)


if __name__ == "__main__":
    sys.exit(main())

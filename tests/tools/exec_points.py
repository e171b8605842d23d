#!/usr/bin/python3
"""The executor against the published measurements.

  exec_points.py NPU_EXEC NETWORKS PUBLISHED.json LIMIT [--table] [--members]

Runs every point of kind npu_ms, npu_total_ms, end_to_end_ms and host_op_ms whose network is in the folder NETWORKS, at
tile level without noise and after warm-up, and compares: npu_ms of a trace with NPU Run, other NPU times with NPU Total,
period_ms of a batch with NPU Total per image and PE, as if no PE ever waited.
Prints the verdict and ends with 1 when the mean absolute error of NPU times exceeds LIMIT (percent).

--members: the same for every member of the ensemble; ends with 1 when one is more than twice as far off as the best,
in NPU times, end-to-end times or host operators (the latter two without points that hold more than the silicon: blocking
calls from Python).
"""
import json
import pathlib
import subprocess
import sys
import tempfile

PES = 2  # of a card, each with a batch of its own
GROUPS = {"npu": ["npu_ms", "npu_total_ms", "period_ms"], "end to end": ["end_to_end_ms"], "host": ["host_op_ms"]}
OPERATORS = ["Quantize", "Lower", "Unlower", "Dequantize"]


def file_of(flags):
    """The file name that make_networks.py gives to these flags."""
    words = flags.split()
    name = words[0] + "-qdq" + ("-u8" if "--input" in words else "-f32")
    name += "-nhwc" if "--layout" in words else ""
    return name + ("-b" + words[words.index("--batch") + 1] if "--batch" in words else "") + ".onnx"


def operators(trace):
    """Time of each host operator of the one inference of a trace, ms."""
    tree = json.loads(trace.read_text())
    events = tree["traceEvents"] if isinstance(tree, dict) else tree
    return {name: sum(e["dur"] for e in events if e.get("name") == name and "dur" in e) / 1e3 for name in OPERATORS}


def measure(program, model, point, folder, member):
    """All figures of one run, ms."""
    result, trace = pathlib.Path(folder) / "result.json", pathlib.Path(folder) / "trace.json"
    command = [program, model, "--target", point["target"], "--sdk", point.get("sdk", "0.10")[:4], "--member", str(member),
               "--no-noise", "--warmup", "12", "--json", result, "--trace", trace]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    simulation = json.loads(result.read_text())["simulation"]
    return {"run": simulation["npu_run_ns"] / 1e6, "total": simulation["npu_total_ns"] / 1e6,
            "latency": simulation["latency_median_ns"] / 1e6, "host": operators(trace)}


def figure_of(run, point):
    if point["metric"] == "end_to_end_ms":
        return run["latency"]
    if point["metric"] == "host_op_ms":
        return run["host"].get(point.get("operator"), 0)
    if point["metric"] == "period_ms":
        return run["total"] / (PES * point["batch"])
    return run["run" if point["metric"] == "npu_ms" and "trace" in point else "total"]


def is_compared(point):
    """What the silicon alone decides: the blocking calls of ResNet50 and the guide's traces wait for Python."""
    alone = point["model"] not in ("resnet50", "mobilenet_v1", "mnist")
    if point["metric"] == "period_ms":
        return point["batch"] > 1
    return point["metric"] in GROUPS["npu"] + GROUPS["host"] or point["metric"] == "end_to_end_ms" and alone


def errors_of(program, networks, points, member, table):
    errors, runs = {name: [] for name in GROUPS}, {}
    with tempfile.TemporaryDirectory() as folder:
        for point in points:
            model = pathlib.Path(networks) / file_of(point["flags"])
            key = (point["flags"], point["target"], point.get("sdk"))
            if not is_compared(point) or not model.exists():
                continue
            if key not in runs:
                runs[key] = measure(program, model, point, folder, member)
            time = figure_of(runs[key], point)
            if time <= 0:
                continue
            error = 100 * (time / point["value_ms"] - 1)
            next(errors[n] for n, m in GROUPS.items() if point["metric"] in m).append(abs(error))
            if table:
                print(f"{point['flags']:45} {point['target']:10} {point['metric']:13} {point['value_ms']:8.3f} "
                      f"{time:8.3f} {error:+6.1f} %")
    return errors


def mean(values):
    return sum(values) / len(values) if values else 0


def members(program, networks, points, count):
    """Errors of each member; the groups in which one is more than twice as far off as the best."""
    rows = [errors_of(program, networks, points, k, False) for k in range(count + 1)]
    for k, row in enumerate(rows):
        print(f"member {k}: " + ", ".join(f"{name} {mean(row[name]):.1f} % of {len(row[name])}" for name in GROUPS))
    bad = []
    for name in GROUPS:
        best = min(mean(row[name]) for row in rows)
        bad += [(k, name) for k, row in enumerate(rows) if mean(row[name]) > 2 * best]
    for k, name in bad:
        print(f"member {k} is more than twice as far off as the best: {name}")
    if not bad:
        print("each member is within twice the best one's error")
    return 1 if bad else 0


def main():
    program, networks, published, limit = sys.argv[1:5]
    points = json.loads(pathlib.Path(published).read_text())
    if "--members" in sys.argv:
        silicon = pathlib.Path(program).resolve().parents[1] / "npu_exec" / "silicon" / "warboy.xml"
        return members(program, networks, points, silicon.read_text().count("<member>"))
    errors = errors_of(program, networks, points, 0, "--table" in sys.argv)["npu"]
    good = mean(errors) <= float(limit)
    if not good or "--table" in sys.argv:
        print(f"{len(errors)} points, mean error {mean(errors):.1f} %, median {sorted(errors)[len(errors) // 2]:.1f} %")
    print("mean error within" if good else "mean error above", limit, "%")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

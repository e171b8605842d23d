#!/usr/bin/python3
"""The executor against the published measurements.

  exec_points.py NPU_EXEC NETWORKS PUBLISHED.json LIMIT [--table]

Runs every point of kind npu_ms and npu_total_ms whose network is in the folder NETWORKS, at tile level
without noise, and compares: npu_ms of a trace with NPU Run, everything else with NPU Total.
Prints the verdict and ends with 1 when the mean absolute error exceeds LIMIT (percent).
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def file_of(flags):
    """The file name that make_networks.py gives to these flags."""
    words = flags.split()
    name = words[0] + "-qdq" + ("-u8" if "--input" in words else "-f32")
    name += "-nhwc" if "--layout" in words else ""
    return name + ("-b" + words[words.index("--batch") + 1] if "--batch" in words else "") + ".onnx"


def measure(program, model, point, folder):
    result = pathlib.Path(folder) / "result.json"
    command = [program, model, "--target", point["target"], "--sdk", point.get("sdk", "0.10")[:4],
               "--no-noise", "--json", result]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    simulation = json.loads(result.read_text())["simulation"]
    run = point["metric"] == "npu_ms" and "trace" in point
    return simulation["npu_run_ns" if run else "npu_total_ns"] / 1e6


def main():
    program, networks, published, limit = sys.argv[1:5]
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        for point in json.loads(pathlib.Path(published).read_text()):
            model = pathlib.Path(networks) / file_of(point["flags"])
            if point["metric"] not in ("npu_ms", "npu_total_ms") or not model.exists():
                continue
            time = measure(program, model, point, folder)
            error = 100 * (time / point["value_ms"] - 1)
            errors.append(abs(error))
            if "--table" in sys.argv:
                print(f"{point['flags']:45} {point['target']:10} {point['metric']:12} "
                      f"{point['value_ms']:8.3f} {time:8.3f} {error:+6.1f} %")
    mean = sum(errors) / len(errors)
    good = mean <= float(limit)
    if not good or "--table" in sys.argv:
        print(f"{len(errors)} points, mean error {mean:.1f} %, median {sorted(errors)[len(errors) // 2]:.1f} %")
    print("mean error within" if good else "mean error above", limit, "%")
    return 0 if good else 1


sys.exit(main())

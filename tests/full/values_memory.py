#!/usr/bin/python3
"""What a run of values holds at most, anonymous, on one thread and on two.

Of each network of bench/values.py no more than MOST_MIB, what was measured and a twentieth more: an output kept in floats, a
second copy of the weights or a thread's own buffers twice would be beyond it.  And no less than its weights, or the measurement
saw nothing; where the machine is busy a look may come too late, so the most of three runs counts.  A bound below the weights
must be refused.

  tests/full/values_memory.py [--build BUILD]       ends with 77 where oneDNN is not there
"""
import argparse
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOUND = importlib.util.spec_from_file_location("bench_values", ROOT / "bench" / "values.py")
bench = importlib.util.module_from_spec(FOUND)
FOUND.loader.exec_module(bench)

MOST_MIB = {"resnet50-qdq-u8": (32.9, 33.0), "torch/tv_mobilenet_v2_ptq_qdq": (10.3, 10.3), "yolov5s-qdq-f32": (23.5, 23.8)}
RUNS = 3


def is_within(held, weights, most):
    return weights <= held <= most


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    build, failed, seen = parser.parse_args().build.resolve(), 0, 0
    for name, bounds in MOST_MIB.items():
        model = bench.path_of(name, build)
        if not model.is_file():
            print(f"{name}: not there")
            continue
        weights = bench.bytes_of(model)[0] / 2**20
        with tempfile.TemporaryDirectory() as folder:
            command = bench.ours(build, model, pathlib.Path(folder), bench.FEW)
            if subprocess.run([*command, "--kernels", "onednn"], capture_output=True, check=False).returncode:
                print("skipped: oneDNN is not there")
                return 77
            for threads, most in enumerate(bounds, 1):
                held = max(bench.memory_of(command, threads)[0] for _ in range(RUNS))
                good = is_within(held, weights, most) and not is_within(held, weights, weights)
                failed, seen = failed + (not good), seen + 1
                print(f"{'ok' if good else 'FAILED'}: {name}, {threads} thread{'s' * (threads > 1)}: {held:.1f} of {most} MiB", flush=True)
    return 1 if failed or not seen else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Speed of one prediction of ResNet50, and of 50,000 ops.

  bench/cost.py [BUILD]     needs a C compiler and the network resnet50-qdq-u8 in BUILD/networks (tests/run makes it)

A search predicts hundreds of variants, so a prediction must cost far less than a compilation.
"""
import os
import pathlib
import subprocess
import sys

PACKAGES = ["libxml-2.0", "libprotobuf-c", "libcjson", "zlib", "nettle", "yaml-0.1"]


def config(what):
    return subprocess.run(["pkg-config", what, *PACKAGES], check=True, capture_output=True, text=True).stdout.split()


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else root / "build").resolve()
    model = build / "networks" / "resnet50-qdq-u8.onnx"
    if not model.exists():
        print("skipped: no", model)
        return
    program = build / "bench-cost"
    libraries = [str(build / f"lib{room}.a") for room in ("cost_model", "trace", "graph", "onnxpb")]
    subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-O2", "-D_GNU_SOURCE", f"-I{root}", f"-I{build}/gen",
                    *config("--cflags"), str(root / "bench" / "cost.c"), *libraries, "-o", str(program),
                    *config("--libs"), "-lm"], check=True)
    subprocess.run([program, model], check=True)


main()

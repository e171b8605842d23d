#!/bin/sh
# The main job on a real network: YOLOv5s (640 x 640, int8, float32 input), its trace from the
# simulated NPU, advice that is verified by applying it and running again, and the HTML report.
set -eu
build=${1:-build}
demo=$build/demo
mkdir -p "$demo"
run() { printf '\n$ %s\n' "$*" >&2; "$@"; }

model=$demo/yolov5s-qdq-f32.onnx
[ -f "$model" ] || /usr/bin/python3 tests/networks/make_networks.py yolov5s --dtype qdq --input f32 -o "$demo" >/dev/null
run "$build/npu-exec" "$model" --sdk 0.9 --runs 40 --trace "$demo/trace.json" >"$demo/npu-exec.txt"
run "$build/npu-advise" "$model" --trace "$demo/trace.json" --verify --html "$demo/report.html" --json "$demo/result.json"
printf '\nReport: %s\n' "$(pwd)/$demo/report.html"

#!/bin/sh
# Traces of npu-exec, and traces that `npu-advise trace --merge-into` wrote again, in speedscope and in Chromium's trace engine: see trace_clients.mjs.  Needs chromium, node, and npm
# for the pinned packages.
set -eu
build=${2:-build}
root=$(cd "$(dirname "$0")/../.." && pwd)
case $build in /*) ;; *) build=$root/$build ;; esac
for tool in node npm "${CHROMIUM:-/usr/bin/chromium}"; do
    command -v "$tool" > /dev/null || { echo "needs $tool"; exit 77; }
done
cd "$root/tests/full"
./packages > /dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
model=$build/networks/ssd_mobilenet-qdq-u8.onnx
traces=
trace() { # NAME OPTION…: a run's trace, and what npu-advise reads in it
    name=$1; shift
    "$build/npu-exec" "$model" "$@" --trace "$scratch/$name.json" > /dev/null
    "$build/npu-advise" trace "$scratch/$name.json" --format json > "$scratch/$name.read"
    traces="$traces $scratch/$name.json $scratch/$name.read"
}
for sdk in 0.9 0.10; do
    for workers in 1 4; do
        for verbosity in detailed layer none; do
            trace "sdk-$sdk-workers-$workers-$verbosity" --sdk $sdk --workers $workers --verbosity $verbosity --runs 8
        done
    done
    trace "sdk-$sdk-labels" --sdk $sdk --record 'warm up:2' --record trace:4
    trace "sdk-$sdk-sync" --sdk $sdk --api sync --workers 2 --runs 4
    trace "sdk-$sdk-all-at-once" --sdk $sdk --workload T --workers 4 --runs 12 --verbosity detailed
    trace "sdk-$sdk-open-loop" --sdk $sdk --rate 400 --workers 4 --runs 12
    trace "sdk-$sdk-two-cards" --sdk $sdk --target warboy --devices 'warboy(1)*4' --workers 6 --runs 12 --verbosity detailed
    trace "sdk-$sdk-cpu" --sdk $sdk --profile cpu --runs 4
    trace "sdk-$sdk-npu" --sdk $sdk --profile npu --runs 4
done
merge() { # NAME MODEL TRACE: the trace with predictions and recommendations beside it
    "$build/npu-advise" trace "$3" --model "$2" --merge-into "$scratch/merged-$1.json" > "$scratch/log" 2>&1
    "$build/npu-advise" trace "$scratch/merged-$1.json" --strict --format json > "$scratch/merged-$1.read"
    traces="$traces $scratch/merged-$1.json $scratch/merged-$1.read"
}
for sdk in 0.9 0.10; do merge "sdk-$sdk" "$model" "$scratch/sdk-$sdk-workers-4-detailed.json"; done
corpus=${NPU_ADVISE_CORPUS:-}
if [ -d "$corpus/traces" ]; then
    merge onnxruntime "$corpus/models/nhwc/blazeface_front_128.onnx" "$corpus/traces/ort/ort1.30_blazeface_front_128.json"
    merge vendor "$corpus/models/dynamic/mnist_pytorch_dynbatch.onnx" "$corpus/traces/furiosa/profiler_result.json"
    merge kineto "$corpus/models/misc/pad_conv.onnx" "$corpus/traces/pytorch/resnet50_num_workers_4.pt.trace.json.gz"
fi
# shellcheck disable=SC2086
node trace_clients.mjs $traces

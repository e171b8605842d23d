#!/bin/sh
# The report in two browsers: see html.mjs, workbench.mjs and html_firefox.mjs.  Needs chromium, firefox-esr, node, java, pdftotext and a
# Korean font (fonts-noto-cjk or fonts-nanum), and npm for the pinned packages.
set -eu
build=${2:-build}
root=$(cd "$(dirname "$0")/../.." && pwd)
case $build in /*) ;; *) build=$root/$build ;; esac
for tool in node npm java pdftotext fc-list "${CHROMIUM:-/usr/bin/chromium}" "${FIREFOX:-/usr/bin/firefox-esr}"; do
    command -v "$tool" > /dev/null || { echo "needs $tool"; exit 77; }
done
cd "$root/tests/full"
./packages > /dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
advise=$build/npu-advise exec=$build/npu-exec net=$build/networks
report() { # NAME ARGUMENT…: a report and its JSON
    name=$1; shift
    "$advise" "$@" --html "$scratch/$name.html" --json "$scratch/$name.json" > /dev/null 2>&1
    pages="$pages $scratch/$name.html $scratch/$name.json"
}
pages=
hostile=$root/tests/tools/hostile_result.py example=$root/docs/schema/result.example.json
model=$net/yolov5s-qdq-f32.onnx
"$exec" "$model" --sdk 0.9 --runs 30 --trace "$scratch/trace.json" > /dev/null
"$exec" "$model" --sdk 0.9 --runs 30 --seed 2 --batch 2 --trace "$scratch/slow.json" > /dev/null
report yolo "$model" --trace "$scratch/trace.json" --verify
report throughput "$model" --objective throughput --lang ko
report example show "$example"
"$hostile" "$example" "$scratch/hostile-in.json"
report hostile show "$scratch/hostile-in.json"
(cd "$scratch" && "$root/tests/tools/make_engine.py" "$root/tests/cases/trt103/engines.txt")
report engine "$scratch/fires.graph.json" --trace "$scratch/fires.profile.json"
report engine-ko "$scratch/near-miss.graph.json" --trace "$scratch/near-miss.profile.json" --lang ko
report diff diff "$scratch/trace.json" "$scratch/slow.json"
report engines-diff diff "$scratch/engine.json" "$scratch/engine-ko.json"
engines=${NPU_ADVISE_CORPUS:-$root/../shared/corpus}/traces/trex # larger ones, where they are to be had
if [ -d "$engines" ]; then
    traced() { # NAME FOLDER MODEL TRACE…
        as=$1 folder=$engines/$2 graph=$3; shift 3
        for file; do shift; set -- "$@" --trace "$folder/$file"; done
        report "$as" "$folder/$graph" "$@"
    }
    traced engine-qat pytorch_resnet_qat graph.json profile.json timing.json profile.metadata.json
    traced engine-residual pytorch_resnet_qat_residual graph.json profile.json timing.json profile.metadata.json
    traced engine-names orin_yolo_names layer_info.json profile.json
    traced engine-blocks controlnet_fp16 graph.json profile.json
    report engines-diff-qat diff "$scratch/engine-qat.json" "$scratch/engine-residual.json"
    report engines-diff-ko diff "$scratch/engine-residual.json" "$scratch/engine-qat.json" --lang ko
fi
"$hostile" --tame --nodes 50000 "$example" "$scratch/large-in.json"
report large show "$scratch/large-in.json"
size=$(wc -c < "$scratch/large.html")
[ "$size" -lt 3000000 ] || { echo "the report of 50,000 nodes has $size bytes"; exit 1; }
echo "report of 50,000 nodes: $size bytes"
# shellcheck disable=SC2086
node html.mjs $pages
node workbench.mjs "$scratch/yolo.html" "$scratch/yolo.json" "$scratch/throughput.html" "$scratch/throughput.json"
# shellcheck disable=SC2086
node html_firefox.mjs $(printf '%s\n' $pages | grep '\.html$')

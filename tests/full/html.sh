#!/bin/sh
# The report in two browsers: see html.mjs, first_page.mjs, front.mjs, workbench.mjs and html_firefox.mjs.  Needs chromium, firefox-esr, node, java, pdftotext and a
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
corpus=${NPU_ADVISE_CORPUS:-}
hostile=$root/tests/tools/hostile_result.py example=$root/docs/schema/result.example.json
. "$root/tests/full/reports.sh"
eight_reports
work=$made # somebody works with those of them that are of a model
model=$net/yolov5s-qdq-f32.onnx
traced slow "$model" --sdk 0.9 --seed 2 --batch 2
reported throughput "$model" --objective throughput --lang ko
reported small-ko "$net/mnist-qdq-u8-nhwc.onnx" --verify --lang ko
reported example show "$example"
"$hostile" "$example" "$scratch/hostile-in.json"
reported hostile show "$scratch/hostile-in.json"
(cd "$scratch" && "$root/tests/tools/make_engine.py" "$root/tests/cases/rules-trt/trt103/engines.txt")
reported engine "$scratch/fires.graph.json" --trace "$scratch/fires.profile.json"
reported engine-ko "$scratch/near-miss.graph.json" --trace "$scratch/near-miss.profile.json" --lang ko
reported diff diff "$scratch/detector.trace.json" "$scratch/slow.trace.json"
reported engines-diff diff "$scratch/engine.json" "$scratch/engine-ko.json"
plans=$made
state_reports
states=$made made="$plans $made"
engines=$corpus/traces/trex # larger ones, where they are to be had
if [ -d "$engines" ]; then
    of_engine() { # NAME FOLDER MODEL TRACE…
        as=$1 folder=$engines/$2 graph=$3; shift 3
        for file; do shift; set -- "$@" --trace "$folder/$file"; done
        reported "$as" "$folder/$graph" "$@"
    }
    of_engine engine-residual pytorch_resnet_qat_residual graph.json profile.json timing.json profile.metadata.json
    of_engine engine-names orin_yolo_names layer_info.json profile.json
    of_engine engine-blocks controlnet_fp16 graph.json profile.json
    reported engines-diff-qat diff "$scratch/compiled.json" "$scratch/engine-residual.json"
    reported engines-diff-ko diff "$scratch/engine-residual.json" "$scratch/compiled.json" --lang ko
fi
"$hostile" --tame --nodes 50000 "$example" "$scratch/large-in.json"
reported large show "$scratch/large-in.json"
least() { # NAME BYTES: a page is no larger
    size=$(wc -c < "$scratch/$1.html")
    echo "the page $1 has $size bytes"
    [ "$size" -le "$2" ] || { echo "more than $2"; exit 1; }
}
for detector in detector throughput; do least $detector 210000; done # the second in Korean
least large 2000000
[ ! -f "$scratch/transformer.html" ] || least transformer 400000
# shellcheck disable=SC2086
node page_times.mjs "$scratch/detector.html" "$scratch/large.html" $(printf "%s\n" $made | grep transformer.html)
work=$(printf '%s\n' $work | grep -v compiled)
work="$work $scratch/throughput.html $scratch/throughput.json"
# Half of the pages, the others and Firefox at once; each says what it found when all are done.
half=$(($(printf '%s\n' $made | wc -l) / 4 * 2))
# shellcheck disable=SC2046,SC2086
(node html.mjs $(printf '%s\n' $made | head -n $half) &&
    node first_page.mjs "$scratch/headings" "$scratch/detector.html" "$scratch/detector.json" $(printf '%s\n' $states | grep -v folder) &&
    node front.mjs "$scratch/detector.html" "$scratch/detector.json" "$scratch/nhwc.html" "$scratch/nhwc.json" "$scratch/one-pe.html" "$scratch/one-pe.json" \
        "$scratch/throughput.html" "$scratch/throughput.json") > "$scratch/pages.log" 2>&1 &
pages=$!
# shellcheck disable=SC2046,SC2086
(node html.mjs $(printf '%s\n' $made | tail -n +$((half + 1))) && node workbench.mjs chromium $work) > "$scratch/more-pages.log" 2>&1 &
more=$!
# shellcheck disable=SC2046,SC2086
(node html_firefox.mjs $(printf '%s\n' $made | grep '\.html$') && node workbench.mjs firefox $work) > "$scratch/firefox.log" 2>&1 &
firefox=$!
failed=
wait $pages || failed="$failed pages"
wait $more || failed="$failed more-pages"
wait $firefox || failed="$failed firefox"
cat "$scratch/pages.log" "$scratch/more-pages.log" "$scratch/firefox.log"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
echo "every page is right in both browsers"

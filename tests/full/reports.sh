# Eight reports as people bring them, for the proofs that look at pages.  Read in by a script that has set
#   advise exec net  the programs and the generated networks
#   corpus           the folder of models that nobody here wrote; without it only the generated ones are made
#   scratch          where NAME.html, NAME.json and traces go
# Each call sets `made` to the pairs "NAME.html NAME.json" of what it made.

reported() { # NAME ARGUMENT…: a report and its JSON
    name=$1; shift
    "$advise" "$@" --html "$scratch/$name.html" --json "$scratch/$name.json" > /dev/null 2>&1 || [ -s "$scratch/$name.html" ]
    made="$made $scratch/$name.html $scratch/$name.json"
}
traced() { # NAME MODEL ARGUMENT…: run by npu-exec, 40 inferences
    trace=$scratch/$1.trace.json model=$2; shift 2
    "$exec" "$model" --runs 40 "$@" --trace "$trace" > /dev/null
}
verified() { # NAME MODEL ARGUMENT… of npu-exec
    name=$1 model=$2
    traced "$@"
    reported "$name" "$model" --trace "$scratch/$name.trace.json" --verify
}

eight_reports() {
    made=
    verified detector "$net/yolov5s-qdq-f32.onnx" --sdk 0.9
    verified nhwc "$net/mobilenet_v1-qdq-u8-nhwc.onnx"
    traced one-pe "$net/resnet50-qdq-u8.onnx" --target warboy --workers 4 --runs 80
    reported one-pe "$net/resnet50-qdq-u8.onnx" --trace "$scratch/one-pe.trace.json" --objective throughput --verify
    [ -d "$corpus/models" ] || return 0
    verified small "$corpus/models/vision/mlperf_tiny_resnet8.onnx"
    verified second-detector "$corpus/models/vision/yolox_nano_416.onnx"
    reported image-to-image "$corpus/models/image_out/super_resolution_d2s.onnx"
    reported transformer "$corpus/models/torch/tv_vit_b_16_noweights.onnx"
    engine=$corpus/traces/trex/pytorch_resnet_qat
    reported compiled "$engine/graph.json" --trace "$engine/profile.json" --trace "$engine/timing.json" --trace "$engine/profile.metadata.json"
}

state() { # NAME HEADING ARGUMENT…: a report, and the pattern of its heading for first_page.mjs
    as=$1 heading=$2; shift 2
    reported "$as" "$@"
    printf '%s\t%s\n' "$as" "$heading" >> "$scratch/headings"
}

# Each state that a page has beside a plan with a trace.
state_reports() {
    made=
    printf '%s\tThe host quantizes\n' detector > "$scratch/headings"
    detector="$net/yolov5s-qdq-f32.onnx" cnn="$net/mobilenet_v1-qdq-u8-nhwc.onnx" digits="$net/mnist-qdq-u8-nhwc.onnx"
    traced quantized "$net/yolov8m-qdq-u8.onnx"
    state quantized '^Recommended: .* → ' "$net/yolov8m-qdq-u8.onnx" --trace "$scratch/quantized.trace.json" --verify
    state no-trace 'The host quantizes' "$net/resnet50-qdq-f32.onnx"
    (cd "$scratch" && PYTHONPATH=$root/tests/tools /usr/bin/python3 "$root/tests/cases/facts/does-not-suit/made.py")
    state unsuitable '^Does not suit the NPU: 2. %' "$scratch/recurrent.onnx"
    traced digits "$digits" --runs 60
    state faster '^Runs faster on one CPU core' "$digits" --trace "$scratch/digits.trace.json" --input-dtype uint8 --target warboy-2pe
    traced classes "$net/resnet50-qdq-u8.onnx"
    state nothing '^Nothing left to improve above' "$net/resnet50-qdq-u8.onnx" --trace "$scratch/classes.trace.json"
    traced other "$cnn"
    state ignored '^(The trace|Trace) ' "$net/resnet50-qdq-u8.onnx" --trace "$scratch/other.trace.json"
    state gate '' "$cnn" --budget latency_ns=1us --budget host_steps=0 --fail-on warn
    state tune '' tune "$detector" --trace "$scratch/detector.trace.json"
    state served 'images/s' tune "$cnn" --rate 100
    state limit '^Lowest latency reachable' "$detector" --trace "$scratch/detector.trace.json" --latency-limit 1ms
    (cd "$scratch" && "$root/tests/tools/rknn_tables.py" make "$root/tests/cases/rknn/rknn-screen/tables.txt")
    state table '' "$scratch/timed.txt"
    [ -d "$corpus/models" ] || return 0
    state short 'of the time is unattributed' "$digits" --trace "$corpus/traces/furiosa/profiler_result.json"
    state refused "^Refused by the vendor's quantizer: .*float16" "$corpus/models/misc/trt_matmul_bf16.onnx"
    state conversion 'The host quantizes' "$corpus/models/image_out/super_resolution_d2s.onnx"
    state by-hand 'by hand$' "$corpus/models/misc/sklearn_randomforest.onnx"
    mkdir "$scratch/set" "$scratch/folder"
    cp "$corpus"/models/vision/*.onnx "$corpus"/models/image_out/*.onnx "$corpus/models/misc/sklearn_randomforest.onnx" "$scratch/set"
    "$advise" "$scratch/set" --html "$scratch/folder" --json "$scratch/folder.json" > /dev/null 2>&1 || [ -s "$scratch/folder/index.html" ]
    made="$made $scratch/folder/index.html $scratch/folder.json"
}

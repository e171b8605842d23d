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

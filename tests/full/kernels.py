#!/usr/bin/python3
"""Values by oneDNN beside values by the plain kernels, on networks of the corpus and of our own.

Quantized networks (QDQ, QLinear, ConvInteger) give the same bits, on every set of instructions that oneDNN can be held to
(DNNL_MAX_CPU_ISA); float networks give the same numbers but for 1e-5 of the largest.  Inputs span the whole range of their
type.  A twin with one element off must be refused.

  tests/full/kernels.py [--build BUILD] [TEXT]      ends with 77 where oneDNN is not there
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx

import values

OURS = ["mnist-qdq-u8-nhwc", "mobilenet_v1-qdq-u8-nhwc", "resnet50-qdq-u8", "ssd_mobilenet-qdq-u8", "yolov5s-qdq-f32"]
INTEGER = ["quantized/conv_qdq_s8s8_perchannel", "quantized/conv_qdq_u8u8", "quantized/mnist_convinteger", "torch/tv_mobilenet_v2_ptq_qdq",
           "torch/tv_resnet18_ptq_qdq", "quantized/mobilenet_edgetpu_qdq_excerpt", "quantized/furiosa_named_tensors",
           "quantized/mnist_dynamic_quant"]
FLOAT = ["vision/mnist8_cntk", "vision/mlperf_tiny_resnet8", "vision/st_mobilenet_v2_035_128", "vision/yunet_n_320",
         "image_out/super_resolution_d2s", "nhwc/blazeface_front_128"]
ISAS = ["", "SSE41", "AVX2", "AVX512_CORE"]
CLOSE = 1e-5


def inputs(graph, rng):
    for name, array in values.random_inputs(graph, rng):
        if numpy.issubdtype(array.dtype, numpy.integer):
            limits = numpy.iinfo(array.dtype)
            array = rng.choice([limits.min, limits.max, 0, 1, 127], array.shape).astype(array.dtype)
        yield name, array


def run(program, model, folder, out, kernels, isa=""):
    environment = {**os.environ, **({"DNNL_MAX_CPU_ISA": isa} if isa else {})}
    done = subprocess.run([program, model, "--values", "--input-dir", folder, "--output-dir", out, "--kernels", kernels],
                          capture_output=True, text=True, env=environment)
    if done.returncode:
        return done.stderr.strip().splitlines()[-1]
    return [numpy.load(p) for p in sorted(out.glob("output_*.npy"))]


def differs(plain, other, exact):
    """What is wrong, or None; and the largest difference in parts of the largest number."""
    worst = 0.0
    for a, b in zip(plain, other):
        if a.shape != b.shape or a.dtype != b.dtype:
            return "other shapes or types", worst
        off = numpy.abs(a.astype(float) - b.astype(float))
        worst = max(worst, off.max() / max(numpy.abs(a.astype(float)).max(), 1e-30) if a.size else 0)
    if exact and not all(numpy.array_equal(a, b) for a, b in zip(plain, other)):
        return f"not the same bits ({worst:.1e} apart)", worst
    return (f"{worst:.1e} apart" if worst > CLOSE else None), worst


def judge(program, model, exact, scratch):
    graph = onnx.load(model, load_external_data=False).graph
    (scratch / "in").mkdir()
    for i, (_, array) in enumerate(inputs(graph, numpy.random.default_rng(5))):
        numpy.save(scratch / "in" / f"input_{i}.npy", array)
    plain = run(program, model, scratch / "in", scratch / "plain", "plain")
    if isinstance(plain, str):
        return [plain], ""
    twin = [a.copy() for a in plain]
    twin[0].reshape(-1)[0] = twin[0].reshape(-1)[0] + 1
    wrong = [] if differs(plain, twin, exact)[0] else ["a broken twin is taken for good"]
    said = []
    for isa in ISAS:
        other = run(program, model, scratch / "in", scratch / f"isa{isa}", "onednn", isa)
        trouble, worst = (other, 0) if isinstance(other, str) else differs(plain, other, exact)
        wrong += [f"{isa or 'all'}: {trouble}"] if trouble else []
        said.append(f"{isa or 'all'} {'equal' if worst == 0 else f'{worst:.0e}'}")
    return wrong, ", ".join(said)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("text", nargs="?", default="")
    args = parser.parse_args()
    build = pathlib.Path(args.build).resolve()
    there = subprocess.run([build / "npu-exec", "nothing.onnx", "--values", "--input-dir", ".", "--output-dir", ".", "--kernels", "onednn"],
                           capture_output=True, text=True)
    if "--kernels onednn" in there.stderr:
        print(there.stderr.strip())
        return 77
    models = [(build / "networks" / f"{n}.onnx", True) for n in OURS] + [(values.CORPUS / f"{n}.onnx", True) for n in INTEGER]
    models += [(values.CORPUS / f"{n}.onnx", False) for n in FLOAT]
    failed = count = 0
    for model, exact in models:
        if not model.exists() or args.text not in model.stem:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            wrong, line = judge(build / "npu-exec", model, exact, pathlib.Path(scratch))
        print(f"{model.stem} ({'integers' if exact else 'floats'}): " + (f"FAILED {'; '.join(wrong)} " if wrong else "") + line, flush=True)
        failed += bool(wrong)
        count += 1
    print(f"{count} models, {failed} failed")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Models quantized by npu-advise, in onnxruntime, and beside those of onnxruntime's own quantizer.

Float networks of the corpus are quantized on the same 16 random samples and run on 8 others.  For each:
  - onnxruntime takes the quantized model, and what lies between its outputs and npu-exec's is at least 10 dB below what
    quantization itself costs (sums in another order turn a code here and there, and deep networks carry that on), or 60 dB; where
    it is not, each operator by itself, on the codes that went into it in that run, is what exact arithmetic makes of them, in ours and in
    onnxruntime's run alike, but for one code where the exact value is within 1e-4 of the middle between two, and that of at most one
    element in 10,000 (codes_by_operator.py): then nothing but ties lies between the two;
  - where onnxruntime's quantizer is to be had (a chroot with python3-onnxruntime, NPU_ADVISE_ORT_CHROOT, with /proc, /sys and
    /dev), the signal-to-noise ratio of the outputs against the float model is at most 1 dB below that of its model at the
    same method.
A twin with the scales of two activations 64 times as large must be refused by both.

  tests/full/quantize.py [--build BUILD] [--method M] [TEXT]      TEXT: only networks whose name contains it
Ends with 77 where onnxruntime-node cannot be had.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnx.numpy_helper

import codes_by_operator
import packages
import values

CHROOT = os.environ.get("NPU_ADVISE_ORT_CHROOT")
NETWORKS = ["vision/mnist8_cntk", "vision/mlperf_tiny_resnet8", "vision/st_mobilenet_v2_035_128", "vision/yunet_n_320",
            "image_out/super_resolution_d2s", "image_out/espcn_subpixel_float", "nhwc/blazeface_front_128", "nhwc/resnet8_keras"]
CALIBRATION, TEST = 16, 8
LEAST_DB, CLEAR_DB = 1.0, 10.0
TIE, MOST_TIES, WITNESSES = 1e-4, 1e-4, 2

# In the chroot: quantizes MODEL with the samples of a folder as onnxruntime does.
QUANTIZER = """
import glob, sys
import onnx.reference
import numpy, onnx
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
model, data, out, method = sys.argv[1:]
import onnx.version_converter
onnx.save(onnx.version_converter.convert_version(onnx.load(model), 13), model) if onnx.load(model).opset_import[0].version < 13 else None
name = onnx.load(model).graph.input[0].name
class Reader(CalibrationDataReader):
    def __init__(self): self.files = iter(sorted(glob.glob(data + "/*.npy")))
    def get_next(self):
        file = next(self.files, None)
        return None if file is None else {name: numpy.load(file)}
kind = {"min-max": CalibrationMethod.MinMax, "percentile": CalibrationMethod.Percentile, "entropy": CalibrationMethod.Entropy}[method]
extra = {"CalibPercentile": 99.99} if method == "percentile" else {}
quantize_static(model, out, Reader(), quant_format=QuantFormat.QDQ, per_channel=True, activation_type=QuantType.QInt8,
                weight_type=QuantType.QInt8, calibrate_method=kind, extra_options=extra)
"""


def samples(graph, rng, count):
    """Smooth pictures, not noise: neighbours are alike, as in what networks were trained on."""
    weights = {t.name for t in graph.initializer}
    value = [v for v in graph.input if v.name not in weights][0]
    dims = [max(d.dim_value, 0) or 1 for d in value.type.tensor_type.shape.dim]
    channels_last = dims[-1] in (1, 3)
    for _ in range(count):
        c, h, w = (dims[3], dims[1], dims[2]) if channels_last else dims[1:]
        coarse = rng.uniform(0, 1, (c, 8, 8))
        fine = numpy.kron(coarse, numpy.ones((1, -(-h // 8), -(-w // 8))))[:, :h, :w]
        fine = (fine + numpy.roll(fine, 3, 1) + numpy.roll(fine, 3, 2)) / 3 + rng.normal(0, 0.02, fine.shape)
        yield value.name, numpy.clip(fine.transpose(1, 2, 0) if channels_last else fine, 0, 1)[None].astype(numpy.float32)


def decibel(wanted, found):
    noise = sum(((a.astype(float) - b) ** 2).sum() for a, b in zip(wanted, found))
    return 10 * numpy.log10(sum((a.astype(float) ** 2).sum() for a in wanted) / max(noise, 1e-30))


def outputs_of(models, feeds, scratch, modules):
    """Per model, per sample: the outputs in onnxruntime; or what it says."""
    answers = values.reference([(m, [f]) for m in models for f in feeds], scratch, modules)[::2]
    found = []
    for k in range(len(models)):
        part = answers[k * len(feeds):(k + 1) * len(feeds)]
        wrong = [a["error"] for a in part if "error" in a]
        found.append(wrong[0] if wrong else [[values.array_of(o) for o in a["outputs"]] for a in part])
    return found


def theirs(model, data, method, scratch):
    """The path of onnxruntime's model, or None where it cannot be made."""
    if not CHROOT or method == "mse":
        return None
    inside = pathlib.Path(CHROOT) / "tmp" / "quantize"
    shutil.rmtree(inside, ignore_errors=True)
    shutil.copytree(data, inside / "data")
    shutil.copy(model, inside / "model.onnx")
    (inside / "run.py").write_text(QUANTIZER)
    done = subprocess.run(["chroot", CHROOT, "/usr/bin/python3", "/tmp/quantize/run.py", "/tmp/quantize/model.onnx", "/tmp/quantize/data",
                           "/tmp/quantize/out.onnx", method], capture_output=True, text=True)
    if done.returncode:
        print("  onnxruntime's quantizer:", (done.stderr.strip().splitlines() or ["failed"])[-1][:150])
        return None
    return shutil.copy(inside / "out.onnx", scratch / "theirs.onnx")


def broken_twin(model, path):
    """The same with the scales of its first and its last activation 64 times as large."""
    twin = onnx.load(model)
    scales = [n.input[1] for n in twin.graph.node if n.op_type == "QuantizeLinear"]
    for tensor in twin.graph.initializer:
        if tensor.name in (scales[0], scales[-1]):
            larger = numpy.array(onnx.numpy_helper.to_array(tensor) * 64, numpy.float32)
            tensor.CopyFrom(onnx.numpy_helper.from_array(larger, tensor.name))
    onnx.save(twin, path)
    return path


def nearness(program, quantized, feeds, given, scratch, modules):
    """How near npu-exec's outputs of `given` are to onnxruntime's of `quantized`, in dB, and that in words."""
    answers = values.reference([(quantized, [f]) for f in feeds], scratch, modules)
    wanted, found, itself = [], [], []
    for k, feed in enumerate(feeds):
        folder = scratch / f"ours{k}"
        shutil.rmtree(folder, ignore_errors=True)
        trouble = values.execute(program, given, [feed], folder)
        if trouble:
            return -numpy.inf, trouble
        for answer in answers[2 * k:2 * k + 2]:
            if "error" in answer:
                return -numpy.inf, answer["error"][:200]
        plain, optimised = ([values.array_of(o) for o in a["outputs"]] for a in answers[2 * k:2 * k + 2])
        ours = [numpy.load(folder / "out" / f"output_{i}.npy") for i in range(len(plain))]
        if [(a.shape, a.dtype) for a in ours] != [(a.shape, a.dtype) for a in plain]:
            return -numpy.inf, "other shapes or types"
        wanted, found, itself = wanted + plain, found + ours, itself + optimised
    near, own = decibel(wanted, found), decibel(wanted, itself)
    return near, f"{near:.0f} dB from onnxruntime, which is {own:.0f} from itself"


def only_ties(program, quantized, feeds, given, scratch, modules):
    """Whether each operator by itself is exact but for ties, in both runs; and that in words."""
    models = [codes_by_operator.with_codes(m, scratch / f"codes{i}.onnx") for i, m in enumerate((quantized, given))]
    names = [o.name for o in onnx.load(models[0]).graph.output]
    answers = values.reference([(models[0], [f]) for f in feeds[:WITNESSES]], scratch, modules)[::2]
    rows = {"ours": [], "onnxruntime's": []}
    for k, feed in enumerate(feeds[:WITNESSES]):
        folder = scratch / f"codes_of{k}"
        shutil.rmtree(folder, ignore_errors=True)
        trouble = values.execute(program, models[1], [feed], folder) or answers[k].get("error")
        if trouble:
            return False, trouble[:200]
        ours = [numpy.load(folder / "out" / f"output_{i}.npy") for i in range(len(names))]
        theirs = [values.array_of(o) for o in answers[k]["outputs"]]
        for who, found in zip(rows, (ours, theirs)):
            rows[who] += codes_by_operator.off(quantized, dict(zip(names, found)))
    good, words = True, []
    for who, list_of in rows.items():
        elements, differ = (sum(r[i] for r in list_of) for i in (1, 2))
        good &= max(r[3] for r in list_of) <= 1 and max(r[4] for r in list_of) <= TIE and differ <= MOST_TIES * elements
        words.append(f"{who} {differ} of {elements} codes by at most {max(r[3] for r in list_of):.0f}, {max(r[4] for r in list_of):.0e} from a tie")
    return good, "operator by operator off exact arithmetic: " + "; ".join(words)


def judge(build, model, method, scratch, modules):
    graph = onnx.load(model).graph
    data = scratch / "data"
    data.mkdir()
    for i, (_, array) in enumerate(samples(graph, numpy.random.default_rng(1), CALIBRATION)):
        numpy.save(data / f"{i:02}.npy", array)
    feeds = list(samples(graph, numpy.random.default_rng(2), TEST))
    ours = scratch / "ours.onnx"
    done = subprocess.run([build / "npu-advise", "quantize", model, "--data", data, "--method", method, "-o", ours],
                          capture_output=True, text=True)
    if done.returncode:
        return [done.stderr.strip().splitlines()[-1]], ""
    onnx.checker.check_model(onnx.load(ours), full_check=True)
    twin = broken_twin(ours, scratch / "twin.onnx")
    other = theirs(model, data, method, scratch)
    answers = outputs_of([model, ours, twin] + ([other] if other else []), feeds, scratch, modules)
    if any(isinstance(a, str) for a in answers):
        return [str(a)[:200] for a in answers if isinstance(a, str)], ""
    ratio = [decibel(sum(answers[0], []), sum(a, [])) for a in answers[1:]]
    near, line = nearness(build / "npu-exec", ours, feeds, ours, scratch, modules)
    line += f"; {ratio[0]:.1f} dB from the float model"
    wrong = []
    if near < min(60, ratio[0] + CLEAR_DB):
        good, words = only_ties(build / "npu-exec", ours, feeds, ours, scratch, modules)
        line += "; " + words
        wrong += [] if good else [line]
        if only_ties(build / "npu-exec", ours, feeds, twin, scratch, modules)[0]:
            wrong.append("a broken twin is taken for good, operator by operator")
    if nearness(build / "npu-exec", ours, feeds, twin, scratch, modules)[0] >= min(60, ratio[0] + CLEAR_DB):
        wrong.append("a broken twin is taken for good")
    if other:
        line += f", onnxruntime's quantizer {ratio[2]:.1f} dB"
        if ratio[0] < ratio[2] - LEAST_DB:
            wrong.append(f"{ratio[2] - ratio[0]:.1f} dB worse than onnxruntime's quantizer")
    return wrong, line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--method", default="min-max")
    parser.add_argument("text", nargs="?", default="")
    args = parser.parse_args()
    modules = packages.folder_with("onnxruntime-node")
    if modules is None:
        print("needs the packages of tests/full/package.json")
        return 77
    failed = count = 0
    for name in NETWORKS:
        model = values.CORPUS / f"{name}.onnx"
        if args.text not in name or not model.exists():
            continue
        with tempfile.TemporaryDirectory() as scratch:
            wrong, line = judge(pathlib.Path(args.build).resolve(), model, args.method, pathlib.Path(scratch), modules)
        print(f"{name}: " + (f"FAILED {'; '.join(wrong)} " if wrong else "") + line, flush=True)
        failed += bool(wrong)
        count += 1
    print(f"{count} models by {args.method}, {failed} failed" + ("" if CHROOT else "; onnxruntime's quantizer was not there"))
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())

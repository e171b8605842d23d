#!/usr/bin/python3
"""npu-exec --values beside onnxruntime, on quantized networks of the corpus and of our own.

Both execute the same model on the same random input.  Where an output was dequantized, its step is the scale of that
DequantizeLinear; elsewhere a step is 1/255 of the output's range.  Rounding differs between any two runtimes, and deep
networks carry a difference on.  So onnxruntime is held against itself first, unoptimised (floats) against optimised
(integers), and that is the yardstick: our result may be as far from the unoptimised one, or a step, by the root of the
mean square and, with one step more, at the most.  A twin of each result, whose every eighth element is off by as many
steps as its output has in all, must be refused.

  tests/full/values.py [--build BUILD]      ends with 77 where onnxruntime-node cannot be had
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnx.mapping
import onnx.numpy_helper

import outside
import packages

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = outside.corpus("models")
OURS = ["mnist-qdq-u8-nhwc", "mobilenet_v1-qdq-u8-nhwc", "resnet50-qdq-u8", "ssd_mobilenet-qdq-u8"]
OTHERS = ["quantized/conv_qdq_s8s8_perchannel", "quantized/conv_qdq_u8u8", "quantized/mnist_convinteger",
          "quantized/mnist_dynamic_quant", "quantized/mobilenet_edgetpu_qdq_excerpt", "quantized/qtdnn_i32_bias",
          "quantized/layout_transform_const_folding.qdq", "torch/tv_mobilenet_v2_ptq_qdq", "torch/tv_resnet18_ptq_qdq",
          "quantized/furiosa_named_tensors", "quantized/dup_qdq", "external/conv_qdq_external_ini"]


def random_inputs(graph, rng):
    """Name and array per real input; free dimensions are 1."""
    weights = {t.name for t in graph.initializer}
    feeds = []
    for value in graph.input:
        if value.name in weights:
            continue
        kind = value.type.tensor_type
        dims = [max(d.dim_value, 0) or 1 for d in kind.shape.dim]
        dtype = onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[kind.elem_type]
        integer = numpy.issubdtype(dtype, numpy.integer)
        lo = max(numpy.iinfo(dtype).min, -128) if integer else 0
        array = rng.integers(lo, lo + 256, dims) if integer else rng.normal(0, 1, dims)
        feeds.append((value.name, array.astype(dtype)))
    return feeds


def steps_of(graph, outputs):
    """The quantization step of each output."""
    producer = {name: node for node in graph.node for name in node.output}
    constant = {t.name: t for t in graph.initializer}
    constant.update({n.output[0]: n.attribute[0].t for n in graph.node if n.op_type == "Constant" and n.attribute})
    steps = []
    for value, array in zip(graph.output, outputs):
        node = producer.get(value.name)
        span = float(array.max()) - float(array.min()) if array.size else 0.0
        step = 1.0 if numpy.issubdtype(array.dtype, numpy.integer) else span / 255 or 1e-6
        if node is not None and node.op_type == "DequantizeLinear" and node.input[1] in constant:
            scale = onnx.numpy_helper.to_array(constant[node.input[1]])
            step = float(scale.max())
        steps.append(step)
    return steps


def distance(a, b, step):
    """Root of the mean square, and maximum, in steps."""
    off = numpy.abs(a.astype(float) - b.astype(float)).ravel() / step
    return (float(numpy.sqrt((off ** 2).mean())), float(off.max())) if off.size else (0.0, 0.0)


def judge(ours, theirs, step, yardstick):
    """What is wrong; and the distance."""
    if ours.shape != theirs.shape:
        return f"{ours.shape} against {theirs.shape}", (0.0, 0.0)
    mean, most = distance(ours, theirs, step)
    if not mean <= max(0.5, 1.25 * yardstick[0]) or not most <= max(1.001, yardstick[1] + 1.001):
        return f"{mean:.2f} steps off (at most {most:.1f}), onnxruntime from itself {yardstick[0]:.2f} ({yardstick[1]:.1f})", (mean, most)
    return None, (mean, most)


def twin_of(array):
    flat = array.astype(float).ravel()
    flat[::8] += (flat.max() - flat.min()) or 1.0
    return flat.reshape(array.shape)


def execute(program, model, feeds, folder):
    (folder / "in").mkdir(parents=True)
    for i, (_, array) in enumerate(feeds):
        numpy.save(folder / "in" / f"input_{i}.npy", array)
    done = subprocess.run([program, model, "--values", "--input-dir", folder / "in", "--output-dir", folder / "out"],
                          capture_output=True, text=True)
    return done.stderr.strip().splitlines()[-1] if done.returncode else None


def reference(models, folder, modules):
    jobs = []
    for k, (model, feeds) in enumerate(models):
        words = []
        for i, (name, array) in enumerate(feeds):
            file = folder / f"{k}.{i}.raw"
            file.write_bytes(array.tobytes())
            words.append({"name": name, "type": str(array.dtype), "dims": list(array.shape), "file": str(file)})
        for level in ("disabled", "all"):
            jobs.append({"model": str(model), "out": str(folder / f"{k}.{level}"), "feeds": words, "level": level})
    (folder / "jobs.json").write_text(json.dumps(jobs))
    done = subprocess.run(["node", ROOT / "tests" / "full" / "edits.cjs", folder / "jobs.json"], capture_output=True,
                          text=True, check=True, env={**os.environ, "NODE_PATH": str(modules)})
    return json.loads(done.stdout)


def array_of(output):
    dtype = numpy.dtype(output["type"])
    return numpy.frombuffer(pathlib.Path(output["file"]).read_bytes(), dtype).reshape([int(d) for d in output["dims"]])


def compare(graph, plain, optimised, folder):
    """What is wrong, and the largest of all outputs' distances: ours, and onnxruntime's from itself."""
    theirs = [array_of(o) for o in plain["outputs"]]
    itself = [array_of(o) for o in optimised["outputs"]]
    wrong, ours_off, itself_off = [], (0.0, 0.0), (0.0, 0.0)
    for i, (array, other, step) in enumerate(zip(theirs, itself, steps_of(graph, theirs))):
        ours = numpy.load(folder / "out" / f"output_{i}.npy")
        yardstick = distance(array, other, step)
        trouble, off = judge(ours, array, step, yardstick)
        ours_off, itself_off = max(ours_off, off), max(itself_off, yardstick)
        if trouble or ours.dtype != array.dtype:
            wrong.append(f"output {i}: {trouble or ours.dtype}")
        elif array.size and not judge(twin_of(ours), array, step, yardstick)[0]:
            wrong.append(f"output {i}: a broken twin is taken for good")
    return wrong, ours_off, itself_off


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    build = pathlib.Path(parser.parse_args().build).resolve()
    modules = packages.folder_with("onnxruntime-node")
    if modules is None:
        print("needs the packages of tests/full/package.json")
        return 77
    paths = [build / "networks" / f"{n}.onnx" for n in OURS] + [CORPUS / f"{n}.onnx" for n in OTHERS]
    paths = [p for p in paths if p.exists()]
    graphs = [onnx.load(p, load_external_data=False).graph for p in paths]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        feeds = [random_inputs(g, numpy.random.default_rng(k)) for k, g in enumerate(graphs)]
        answers = reference(list(zip(paths, feeds)), scratch, modules)
        for k, (path, graph) in enumerate(zip(paths, graphs)):
            plain, optimised = answers[2 * k], answers[2 * k + 1]
            if "error" in plain:
                print(f"{path.stem}: onnxruntime refuses it: {plain['error'][:100]}")
                continue
            trouble = execute(build / "npu-exec", path, feeds[k], scratch / str(k))
            wrong, ours, itself = ([trouble], None, None) if trouble else compare(graph, plain, optimised, scratch / str(k))
            print(f"{path.stem}: " + ("FAILED " + "; ".join(wrong) if wrong else
                  f"{ours[0]:.2f} steps apart (at most {ours[1]:.1f}); onnxruntime from itself {itself[0]:.2f} ({itself[1]:.1f})"))
            failed += bool(wrong)
    print(f"{len(paths)} models, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Values of quantized networks: npu-exec beside onnxruntime (node, all optimisations), each on one thread.

  bench/values.py [BUILD]

On one thread and on two, once everything is made, in turns: of npu-exec what 52 images take more than 4, 48 times
less (kernels are made at the first or the second); of onnxruntime a run.  The median of the ratios of neighbours, in processor
time on one thread, which others do not disturb, and by the clock on two.  Then one cold image (all of the process), and the
most memory that was held: anonymous (RssAnon of the whole process, looked at every millisecond: weights as they are
multiplied, activations, oneDNN's objects, the model, what libraries write to), and all that was resident, pages of
program, libraries and files included.  Both run the same model on the same random bytes.  Ends with 77 where
onnxruntime-node cannot be had.
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
import onnx.shape_inference

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "full"))
import packages  # noqa: E402
import values  # noqa: E402

MODELS = ["resnet50-qdq-u8", "torch/tv_mobilenet_v2_ptq_qdq", "yolov5s-qdq-f32"]
ROUNDS, FEW, MORE = 5, 4, 48


def path_of(name, build):
    return values.CORPUS / (name + ".onnx") if "/" in name else build / "networks" / (name + ".onnx")


def start(command, threads):
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": str(threads)})


def end(process):
    error = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        raise RuntimeError(error.decode().strip())
    return used


def spend(command, threads):
    """Seconds of processor time and by the clock."""
    began = time.monotonic()
    used = end(start(command, threads))
    return used.ru_utime + used.ru_stime, time.monotonic() - began


def memory_of(command, threads):
    """The most that was anonymous, and resident, in MiB."""
    process, most = start(command, threads), 0
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        held = re.search(r"RssAnon:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())
        most = max(most, int(held.group(1)) if held else 0)
        time.sleep(0.001)
    return most / 1024, end(process).ru_maxrss / 1024


def random_input(model):
    return values.random_inputs(onnx.load(model, load_external_data=False).graph, numpy.random.default_rng(1))[0]


def ours(build, model, folder, count):
    data = folder / str(count)
    if not data.is_dir():
        data.mkdir()
        numpy.save(data / "x.npy", numpy.concatenate([random_input(model)[1]] * count))
    return [build / "npu-exec", model, "--values", "--data", data, "--output-dir", folder / "out"]


def theirs(model, folder, modules, threads):
    name, array = random_input(model)
    (folder / "x.raw").write_bytes(array.tobytes())
    feed = {"name": name, "type": str(array.dtype), "dims": list(array.shape), "file": str(folder / "x.raw")}
    job = [{"model": str(model), "out": str(folder / "ort"), "feeds": [feed], "level": "all", "repeat": MORE, "threads": threads}]
    (folder / "job.json").write_text(json.dumps(job))
    done = subprocess.run(["node", ROOT / "tests" / "full" / "edits.cjs", folder / "job.json"], capture_output=True, text=True, check=True,
                          env={**os.environ, "NODE_PATH": str(modules)})
    answer = json.loads(done.stdout)[0]
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer["median_cpu_ns" if threads == 1 else "median_ns"] / 1e9


def compare(build, model, folder, modules, threads):
    """Milliseconds an image, ours and theirs, and the ratio."""
    pairs = []
    for _ in range(ROUNDS):
        few, more = (spend(ours(build, model, folder, n), threads) for n in (FEW, FEW + MORE))
        what = 0 if threads == 1 else 1
        pairs.append(((more[what] - few[what]) / MORE, theirs(model, folder, modules, threads)))
    middle = statistics.median
    return 1e3 * middle(a for a, _ in pairs), 1e3 * middle(b for _, b in pairs), middle(a / b for a, b in pairs)


def bytes_of(model):
    """Of the weights, and of the largest activation: bytes where it is quantized, inputs and outputs as they are."""
    graph = onnx.shape_inference.infer_shapes(onnx.load(model, load_external_data=False)).graph
    size = {1: 4, 2: 1, 3: 1, 6: 4, 7: 8}
    weights = sum(size.get(t.data_type, 4) * int(numpy.prod(t.dims)) for t in graph.initializer)
    weights += sum(len(a.t.raw_data) for n in graph.node if n.op_type == "Constant" for a in n.attribute)
    coded = {name for n in graph.node if n.op_type == "QuantizeLinear" for name in n.output}
    kept = [(v, 1) for v in graph.value_info if v.name in coded]
    kept += [(v, size.get(v.type.tensor_type.elem_type, 4)) for v in [*graph.input, *graph.output]]
    return weights, max(each * int(numpy.prod([d.dim_value for d in v.type.tensor_type.shape.dim])) for v, each in kept)


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
    modules = packages.folder_with("onnxruntime-node")
    if not modules:
        print("skipped: onnxruntime-node cannot be had")
        return 77
    for name in MODELS:
        model = path_of(name, build)
        if not model.is_file():
            print(f"{name}: not there")
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for threads in 1, 2:
                mine, peer, ratio = compare(build, model, folder, modules, threads)
                print(f"{model.stem}, {threads} thread{'s' * (threads > 1)}: {mine:.1f} ms an image, onnxruntime {peer:.1f} ms: {ratio:.2f} times", flush=True)
            cold = statistics.median(spend(ours(build, model, folder, 1), 1)[0] for _ in range(ROUNDS))
            anonymous, resident = memory_of(ours(build, model, folder, FEW), 1)
            before = memory_of([build / "npu-exec", model, "--runs", "1"], 1)[0]
            weights, largest = bytes_of(model)
            print(f"{model.stem}: one cold image {1e3 * cold:.0f} ms; at most {anonymous:.1f} MiB anonymous, of which compiling alone takes {before:.1f} "
                  f"({resident:.0f} MiB resident), where weights, {weights / 2**20:.1f} MiB, and twice the largest activation, {largest / 2**20:.1f} MiB, are by a fifth more "
                  f"{(weights + 2 * largest) * 1.2 / 2**20:.1f} MiB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

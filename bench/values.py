#!/usr/bin/python3
"""Values of quantized networks: npu-exec beside onnxruntime (node, all optimisations), each on one thread.

  bench/values.py [BUILD]

Processor time of one image once everything is made, the least of several rounds in turns: of npu-exec what 17 images take
more than one, sixteen times less; of onnxruntime a run.  Then one cold image (all of the process), and the most memory it
held.  Both run the same model on the same random bytes.  Ends with 77 where onnxruntime-node cannot be had.
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy
import onnx

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "full"))
import packages  # noqa: E402
import values  # noqa: E402

MODELS = ["resnet50-qdq-u8", "torch/tv_mobilenet_v2_ptq_qdq", "yolov5s-qdq-f32"]
ROUNDS, MORE = 4, 16


def path_of(name, build):
    return values.CORPUS / (name + ".onnx") if "/" in name else build / "networks" / (name + ".onnx")


def spend(command):
    """Processor time in s and most resident memory in MiB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"})
    error = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        raise RuntimeError(error.decode().strip())
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def ours(build, model, folder, count):
    data = folder / str(count)
    if not data.is_dir():
        data.mkdir()
        name, first = values.random_inputs(onnx.load(model, load_external_data=False).graph, numpy.random.default_rng(1))[0]
        numpy.save(data / "x.npy", numpy.concatenate([first] * count))
    return spend([build / "npu-exec", model, "--values", "--data", data, "--output-dir", folder / "out"])


def theirs(model, folder, modules):
    feeds = []
    for i, (name, array) in enumerate(values.random_inputs(onnx.load(model, load_external_data=False).graph, numpy.random.default_rng(1))):
        (folder / f"{i}.raw").write_bytes(array.tobytes())
        feeds.append({"name": name, "type": str(array.dtype), "dims": list(array.shape), "file": str(folder / f"{i}.raw")})
    job = [{"model": str(model), "out": str(folder / "ort"), "feeds": feeds, "level": "all", "repeat": MORE}]
    (folder / "job.json").write_text(json.dumps(job))
    done = subprocess.run(["node", ROOT / "tests" / "full" / "edits.cjs", folder / "job.json"], capture_output=True, text=True, check=True,
                          env={**os.environ, "NODE_PATH": str(modules)})
    answer = json.loads(done.stdout)[0]
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer["cpu_ns"] / 1e9


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
            per_image, peer, cold = [], [], []
            for _ in range(ROUNDS):
                one, memory = ours(build, model, folder, 1)
                many, _ = ours(build, model, folder, 1 + MORE)
                cold.append(one)
                per_image.append((many - one) / MORE)
                peer.append(theirs(model, folder, modules))
            print(f"{model.stem}: {1e3 * min(per_image):.1f} ms an image, onnxruntime {1e3 * min(peer):.1f} ms: "
                  f"{min(per_image) / min(peer):.2f} times; cold {1e3 * min(cold):.0f} ms, {memory:.0f} MiB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

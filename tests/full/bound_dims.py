#!/usr/bin/python3
"""A model bound by --dim and the same model with the numbers in its inputs give one result.

  bound_dims.py [--build DIR] [MODEL NAME=VALUE …]      without a model: the eleven of LIST, from the corpus

Both are advised for throughput and for latency.  Compared is all of the JSON but the model's hash, and words of commands that
give --dim or name the dimensions that it sets.  Status 1 if anything differs."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import outside

import onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = (("dynamic/mnist_pytorch_dynbatch", "batch_size=2"), ("dynamic/yunet_n_dynamic", "batch=1", "height=320", "width=320"),
        ("image_out/super_resolution_d2s", "batch_size=1"), ("image_out/super_resolution_reshape", "batch_size=1"),
        ("nhwc/bodypix_stride16_dynamic", "unk__349=225", "unk__350=225"), ("nhwc/nhwc_conv_clip_relu", "N=4"),
        ("nhwc/resnet8_keras", "unk__126=8"), ("quantized/qdq_minimal_model", "batch=1", "height=64", "width=64"),
        ("torch/tv_densenet121_dynamic_hw_noweights", "batch=1", "height=224", "width=224"),
        ("torch/tv_shufflenet_v2_x0_5_dynbatch_noweights", "batch=2"), ("vision/st_mobilenet_v2_035_128", "unk__608=1"))


def write_bound(path, dims, out):
    model = onnx.load(path, load_external_data=False)
    for value in model.graph.input:
        for d in value.type.tensor_type.shape.dim:
            if d.dim_param in dims:
                d.dim_value = dims[d.dim_param]
    onnx.save(model, out)


def without_dims(text):
    words = text.split(" ")
    gone = {i + k for i, w in enumerate(words) if w == "--dim" for k in (0, 1)}
    return " ".join(w for i, w in enumerate(words) if i not in gone)


def without_pairs(words):
    """A list of options without --dim and its values."""
    out, gone = [], False
    for w in words:
        gone = w == "--dim" or (gone and isinstance(w, str) and not w.startswith("--"))
        if not gone:
            out.append(w)
    return out


def without_bound(sentence, dims):
    """What `apply` also sets, without the dimensions that only a model with free ones has to set."""
    for name, size in dims.items():
        sentence = sentence.replace(f", {name} = {size}", "").replace(f"{name} = {size}, ", "")
    return sentence


def comparable(value, dims):
    """The result without hashes and bindings, and with the numbers of bound names."""
    if isinstance(value, dict):
        if isinstance(value.get("conversion"), str):
            value = value | {"conversion": without_bound(value["conversion"], dims)}
        return {k: comparable(v, dims) for k, v in value.items() if k not in ("sha256", "dim", "fingerprint")}
    if isinstance(value, list):
        return [comparable(v, dims) for v in without_pairs(value)]
    return dims.get(value, without_dims(value)) if isinstance(value, str) else value


def differences(a, b, where=""):
    if type(a) is not type(b):
        yield f"{where}: {str(a)[:60]} | {str(b)[:60]}"
    elif isinstance(a, dict):
        for k in sorted(a.keys() | b.keys()):
            yield from differences(a.get(k), b.get(k), f"{where}.{k}")
    elif isinstance(a, list):
        if len(a) != len(b):
            yield f"{where}: {len(a)} | {len(b)} items"
        for i, pair in enumerate(zip(a, b)):
            yield from differences(*pair, f"{where}[{i}]")
    elif a != b:
        yield f"{where}: {str(a)[:60]} | {str(b)[:60]}"


def advise(build, folder, dims, *options):
    run = subprocess.run([build / "npu-advise", "model.onnx", *options, "--isolated", "--json", "-"], cwd=folder, capture_output=True,
                         text=True, check=False)
    if not run.stdout.startswith("{"):
        return {"status": run.returncode, "error": run.stderr}
    return comparable(json.loads(run.stdout), dims)


def compare(build, path, bindings):
    dims = {n: int(v) for n, _, v in (b.partition("=") for b in bindings)}
    given = [w for b in bindings for w in ("--dim", b)]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        free, bound = pathlib.Path(folder, "free"), pathlib.Path(folder, "bound")
        for sub in (free, bound):
            sub.mkdir()
        (free / "model.onnx").symlink_to(path)
        write_bound(path, dims, bound / "model.onnx")
        for objective in ("latency", "throughput"):
            results = advise(build, free, dims, *given, "--objective", objective), advise(build, bound, dims, "--objective", objective)
            found += [f"{objective}{d}" for d in differences(*results)]
            if "error" in results[0]:
                found.append(f"{objective}: {results[0]['error'].strip()}")
    print(f"{path.name} {' '.join(bindings)}: {len(found)} differences")
    for line in found[:8]:
        print("  " + line)
    return not found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", type=pathlib.Path)
    parser.add_argument("dim", nargs="*")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    args = parser.parse_args()
    jobs = [(args.model.resolve(), args.dim)] if args.model else [(outside.corpus("models") / f"{name}.onnx", b) for name, *b in LIST]
    same = [compare(args.build.resolve(), path, b) for path, b in jobs]
    print(f"{sum(same)} of {len(same)} equal")
    sys.exit(not all(same))


main()

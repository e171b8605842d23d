#!/usr/bin/python3
"""Every tensor of the corpus and of the generated networks: `npu-advise inspect` against
onnx.shape_inference (with data propagation).

  tests/full/shapes_corpus.py [--build DIR] [--models DIR]...

Symbols that inspect binds (a first dimension becomes the batch, 1) are bound the same way for the
peer.  Goal: no contradiction; beside it, how many tensors each of the two knows completely.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import numpy
import onnx
import outside


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--models", action="append")
    return p.parse_args()


def default_folders(build):
    return [outside.corpus("models"), pathlib.Path(build) / "networks"]


def bind_batch(model):
    initial = {i.name for i in model.graph.initializer}
    symbols = set()
    for value in model.graph.input:
        dims = value.type.tensor_type.shape.dim
        if value.name in initial or not dims or dims[0].HasField("dim_value") and dims[0].dim_value >= 0:
            continue
        if dims[0].dim_param:
            symbols.add(dims[0].dim_param)
        dims[0].dim_value = 1
    for value in model.graph.input:
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param in symbols:
                dim.dim_value = 1


def peer(path):
    """name -> (dtype, shape) of what the peer infers, or None when it cannot open the model."""
    try:
        model = onnx.load(path, load_external_data=False)
        bind_batch(model)
        del model.graph.value_info[:]
        for output in model.graph.output:
            output.type.tensor_type.ClearField("shape")
        model = onnx.shape_inference.infer_shapes(model, data_prop=True)
    except Exception:
        return None
    found = {}
    for value in list(model.graph.value_info) + list(model.graph.output):
        if not value.type.HasField("tensor_type"):
            continue
        t = value.type.tensor_type
        dtype = onnx.mapping.TENSOR_TYPE_TO_NP_TYPE.get(t.elem_type)
        name = "bfloat16" if t.elem_type == 16 else None if dtype is None else "string" if dtype == numpy.dtype("O") else str(dtype)
        shape = [d.dim_value if d.HasField("dim_value") and d.dim_value >= 0 else None for d in t.shape.dim] if t.HasField("shape") else None
        found[value.name] = name, shape
    return found


def ours(program, path):
    run = subprocess.run([program, "inspect", "--json", "-", path], capture_output=True)
    if run.returncode:
        return None
    return {t["name"]: (None if t["dtype"] == "unknown" else t["dtype"], t["shape"]) for t in json.loads(run.stdout)["tensors"]}


def complete(dtype, shape):
    return dtype is not None and shape is not None and all(isinstance(d, (int, float)) for d in shape)


def contradiction(a, b):
    if a[0] and b[0] and a[0] != b[0]:
        return True
    if a[1] is None or b[1] is None:
        return False
    if len(a[1]) != len(b[1]):
        return True
    return any(isinstance(x, (int, float)) and isinstance(y, (int, float)) and x != y for x, y in zip(a[1], b[1]))


def main():
    options = arguments()
    folders = [pathlib.Path(f) for f in options.models] if options.models else default_folders(options.build)
    paths = sorted(p for f in folders if f.is_dir() for p in f.rglob("*.onnx"))
    if not paths:
        print("no models")
        return 77
    program = str(pathlib.Path(options.build) / "npu-advise")
    tensors = wrong = known = peer_known = only_peer = 0
    for path in paths:
        mine, theirs = ours(program, path), peer(path)
        if mine is None or theirs is None:
            print(f"  {'refused by inspect' if mine is None else 'not opened by the peer'}: {path.name}")
            continue
        for name, found in theirs.items():
            if name not in mine:
                continue
            tensors += 1
            known += complete(*mine[name])
            peer_known += complete(*found)
            if contradiction(mine[name], found):
                wrong += 1
                print(f"  CONTRADICTION {path.name} {name}: {mine[name]}, peer {found}")
            elif complete(*found) and not complete(*mine[name]):
                only_peer += 1
                print(f"  only the peer knows {path.name} {name}: {mine[name]}, peer {found}")
    print(f"{len(paths)} models, {tensors} tensors; inspect knows {known}, onnx.shape_inference {peer_known}; "
          f"{only_peer} only the latter; {wrong} contradictions")
    return 1 if wrong else 0


sys.exit(main())

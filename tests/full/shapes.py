#!/usr/bin/python3
"""Types and shapes against what the models of libonnx-testdata really compute.

  tests/full/shapes.py [--build DIR] [--data DIR]

Every model is copied without its value_info and without the declared shapes of its outputs; what
`npu-advise inspect` says of each output is compared with the expected output stored beside the
model.  Goal: none wrong, and at least 1,000 known; with the values of the inputs (--input-dir), at
least 1,150.  A stored uint16 matches a declared bfloat16; sequences and optionals are not counted.
Beside it, the same question for onnx.shape_inference.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import numpy_helper

DATA = "/usr/share/libonnx-testdata/data"
GOAL_KNOWN, GOAL_KNOWN_WITH_VALUES = 1000, 1150


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--data", default=DATA)
    return p.parse_args()


def strip(model):
    del model.graph.value_info[:]
    for output in model.graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    return model


def expected(folder, index):
    """(dtype, shape) of the stored output, or None for sequences and optionals."""
    path = folder / f"test_data_set_0/output_{index}.pb"
    if not path.exists():
        return None
    tensor = onnx.TensorProto()
    try:
        tensor.ParseFromString(path.read_bytes())
        array = numpy_helper.to_array(tensor)
    except Exception:  # a SequenceProto or OptionalProto read as a tensor
        return None
    if not tensor.data_type:
        return None
    dtype = "string" if array.dtype == object else str(array.dtype)
    return dtype, list(array.shape)


def inspect(program, path, values=None):
    command = [program, "inspect", "--json", "-", path] + (["--input-dir", values] if values else [])
    run = subprocess.run(command, capture_output=True)
    if run.returncode:
        return None, run.stderr.decode("utf8", "replace").strip()
    return json.loads(run.stdout), ""


def judge(found, wanted, declared):
    """wrong, unknown, or known: type and every dimension are there and right."""
    dtype, shape = wanted
    if found["dtype"] not in ("unknown", None) and found["dtype"] != dtype:
        if not (dtype == "uint16" and "bfloat16" in (found["dtype"], declared)):
            return "wrong"
    if found["shape"] is not None:
        if len(found["shape"]) != len(shape):
            return "wrong"
        if any(isinstance(f, (int, float)) and f != w for f, w in zip(found["shape"], shape)):
            return "wrong"
    complete = found["shape"] is not None and all(isinstance(d, (int, float)) for d in found["shape"])
    return "known" if complete and found["dtype"] not in ("unknown", None) else "unknown"


def by_onnx(model):
    """What onnx.shape_inference says of each output, in the same form."""
    try:
        inferred = onnx.shape_inference.infer_shapes(model)
    except Exception:
        inferred = model
    result = []
    for output in inferred.graph.output:
        t = output.type.tensor_type
        dtype = onnx.mapping.TENSOR_TYPE_TO_NP_TYPE.get(t.elem_type)
        shape = [d.dim_value if d.HasField("dim_value") else None for d in t.shape.dim] if t.HasField("shape") else None
        name = "unknown" if dtype is None else "string" if dtype == numpy.dtype("O") else str(dtype)
        result.append({"dtype": "bfloat16" if t.elem_type == 16 else name, "shape": shape})
    return result


def look(program, folder):
    """(the model without its shapes, what is said of it, and with the values of its inputs, what went wrong)."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch) / "model.onnx"
        model = onnx.load(folder / "model.onnx", load_external_data=False)
        onnx.save(strip(model), copy)
        bare, error = inspect(program, copy)
        given, error_given = inspect(program, copy, folder / "test_data_set_0")
        return model, bare, given, "" if bare and given else error or error_given or "nothing was said"


class Tally:
    def __init__(self, name):
        self.name, self.count, self.lines = name, {"known": 0, "unknown": 0, "wrong": 0}, []

    def add(self, folder, output, found, wanted):
        declared = "bfloat16" if output.type.tensor_type.elem_type == 16 else ""
        verdict = judge(found, wanted, declared)
        self.count[verdict] += 1
        if verdict != "known":
            self.lines.append(f"  {verdict.upper() if verdict == 'wrong' else verdict} {folder.parent.name}/{folder.name} "
                              f"{output.name}: {found['dtype']} {found['shape']}, stored {wanted[0]} {wanted[1]}")

    def print(self, everything):
        for line in sorted(self.lines):
            if everything or line.startswith("  WRONG"):
                print(line)
        print("{:28} {known} known, {unknown} unknown, {wrong} wrong".format(self.name, **self.count))


def main():
    options = arguments()
    folders = sorted(p.parent for p in pathlib.Path(options.data).rglob("model.onnx"))
    if not folders:
        print(f"no models below {options.data} (apt-get install libonnx-testdata)")
        return 77
    program = str(pathlib.Path(options.build) / "npu-advise")
    plain, valued, peer = Tally("npu-advise"), Tally("npu-advise --input-dir"), Tally("onnx.shape_inference")
    failed, others = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for folder, (model, bare, given, error) in zip(folders, pool.map(lambda f: look(program, f), folders)):
            if error:
                failed.append(f"{folder.name}: {error}")
                continue
            theirs = by_onnx(model)
            for index, output in enumerate(model.graph.output):
                wanted = expected(folder, index)
                if not wanted:
                    others += 1
                    continue
                plain.add(folder, output, bare["outputs"][index], wanted)
                valued.add(folder, output, given["outputs"][index], wanted)
                peer.add(folder, output, theirs[index], wanted)
    for name in failed:
        print("  WRONG " + name)
    print(f"{len(folders)} models, {len(failed)} did not load; {others} outputs are sequences or optionals")
    plain.print(True)
    valued.print(True)
    peer.print(False)
    good = not failed and not plain.count["wrong"] and not valued.count["wrong"]
    good = good and plain.count["known"] >= GOAL_KNOWN and valued.count["known"] >= GOAL_KNOWN_WITH_VALUES
    return 0 if good else 1


sys.exit(main())

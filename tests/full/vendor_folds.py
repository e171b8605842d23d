#!/usr/bin/python3
"""Which operators the quantizer of SDK 0.9 folds into the Conv before them, and which Conv it copies for that.

  tests/full/vendor_folds.py [--build DIR] [--only TEXT] [--verbose]

The networks are those of the case compile-folded-copies.  Each goes through optimize_model, Calibrator and quantize of the real
packages; `compile` of the DFG that they write must have the low-level operators of `compile --sdk 0.9` of the float model, by
kind and number.  EXPLAINED has the reason of the others.  Status 77 without the packages (vendor_venv.py).
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

NETS = "tests/cases/compile/compile-folded-copies/nets.txt"
EXPLAINED = {
    "norm_and_output": "the vendor's optimizer drops the output of a Conv that BatchNormalization alone reads",
}


def write_dfg(path):
    import numpy
    import onnx
    from furiosa.optimizer import optimize_model
    from furiosa.quantizer import CalibrationMethod, Calibrator, quantize
    model = optimize_model(onnx.load(path))
    calibrator = Calibrator(model, CalibrationMethod.MIN_MAX_ASYM)
    calibrator.collect_data([[numpy.random.default_rng(3).normal(size=[1, 16, 8, 8]).astype(numpy.float32)]])
    path.with_suffix(".dfg").write_bytes(bytes(quantize(model, calibrator.compute_range())))


def with_shapes(path):
    import onnx
    model = onnx.load(path)
    for value in model.graph.output:
        value.CopyFrom(onnx.helper.make_tensor_value_info(value.name, onnx.TensorProto.FLOAT, [1, 16, 8, 8]))
    onnx.save(onnx.shape_inference.infer_shapes(model), path)


def low_level(program, path):
    if path.with_suffix(".error").exists() and path.suffix == ".dfg":
        return path.with_suffix(".error").read_text()
    done = subprocess.run([program, "compile", path, "--sdk", "0.9", "-q", "--json", "-"], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    kinds = collections.Counter(op["kind"] for step in json.loads(done.stdout)["steps"] for op in step.get("lowlevel") or [])
    return " ".join(f"{kind[8:]} {n}" for kind, n in sorted(kinds.items()))


def main():
    if sys.argv[1:2] == ["--inside"]:
        for path in sorted(pathlib.Path(sys.argv[2]).glob("*.onnx")):
            try:
                write_dfg(path)
            except BaseException as e:  # noqa: BLE001 (the tool panics, too)
                path.with_suffix(".error").write_text(f"{type(e).__name__}: {(str(e).splitlines() or [''])[0]}")
        return
    import vendor_venv
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--only", default="")
    p.add_argument("--verbose", action="store_true")
    o = p.parse_args()
    python, program = vendor_venv.pythons(o.build, "0.9")["0.9"], pathlib.Path(o.build).resolve() / "npu-advise"
    failed, total = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([vendor_venv.ROOT / "tests/tools/onnx_lines.py", "make", vendor_venv.ROOT / NETS, folder], check=True)
        files = sorted(f for f in pathlib.Path(folder).glob("*.onnx") if o.only in f.stem)
        for path in files:
            with_shapes(path)
        subprocess.run([python, pathlib.Path(__file__).resolve(), "--inside", folder], capture_output=True, cwd=folder)
        for path in files:
            theirs, ours = low_level(program, path.with_suffix(".dfg")), low_level(program, path)
            why = None if theirs == ours else EXPLAINED.get(path.stem, "not explained")
            if why or o.verbose:
                print(f"{path.stem}: {ours} here, {theirs} at the vendor" + (f": {why}" if why else ""))
            total, failed = total + 1, failed + (why == "not explained" or (theirs == ours and path.stem in EXPLAINED))
    print(f"{total - failed} of {total} networks: the same low-level operators, or explained")
    sys.exit(1 if failed or not total else 0)


if __name__ == "__main__":
    main()

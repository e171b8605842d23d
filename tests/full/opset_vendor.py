#!/usr/bin/python3
"""`npu-advise apply --opset 13`, and then the vendor's own tools.

  tests/full/opset_vendor.py [--build DIR] [--corpus DIR] [--only TEXT] [--verbose]

The models of tests/full/opset.py and the exports of newer opsets in the corpus are converted; furiosa-optimizer's
optimize_model and the quantizer of SDK 0.9 and 0.10 must take every one, and the graph of 0.9 leaves no operator in float that came from
a conversion.  As they are, they are taken by neither as a rule: the count is printed.

Status 77 without the packages (vendor_venv.py).

  opset_vendor.py --inside SDK FOLDER     in the vendor's Python: a line of JSON for each model of the folder
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import vendor_venv

def quantize_one(sdk, path):
    import numpy
    import onnx
    from furiosa.optimizer import optimize_model
    from furiosa.quantizer import CalibrationMethod, Calibrator, quantize
    model = onnx.load(path)
    model = optimize_model(model)
    made = {t.name for t in model.graph.initializer}
    rng = numpy.random.default_rng(3)
    calibrator = Calibrator(model, CalibrationMethod.MIN_MAX_ASYM)
    for _ in range(2):
        calibrator.collect_data([[rng.normal(size=[d.dim_value for d in v.type.tensor_type.shape.dim]).astype(numpy.float32)
                                  for v in model.graph.input if v.name not in made]])
    graph = quantize(model, calibrator.compute_range())
    if sdk == "0.10":
        bytes(graph)
        return {"float": [], "all": []}
    names, every = vendor_venv.operators(graph._to_dot())
    return {"float": names, "all": every}


def inside(sdk, folder):
    for path in sorted(pathlib.Path(folder).glob("*.onnx")):
        try:
            told = quantize_one(sdk, path)
        except BaseException as e:  # noqa: BLE001 (the tool panics, too)
            lines = str(e).splitlines() or [""]
            told = {"error": f"{type(e).__name__}: {lines[0][:200]}"}
        print("\n@@" + json.dumps({"name": path.stem, **told}), flush=True)


def ask(python, sdk, folder):
    done = subprocess.run([python, pathlib.Path(__file__).resolve(), "--inside", sdk, folder], capture_output=True, text=True, cwd=folder)
    told = [json.loads(line[2:]) for line in done.stdout.splitlines() if line.startswith("@@")]
    return {t["name"]: t for t in told}


# What stays in float by the table of the vendor's operators (facts/vendor_tools.md, 4): the model is about another operator, or the
# operator is the same one in opset 13.
FLOAT_ANYWAY = {
    "where": "Greater Where", "cumsum": "CumSum", "lstm": "LSTM", "scatter": "ScatterElements", "instance_norm": "InstanceNormalization",
    "max_of_two": "Max", "max_of_channels": "Max", "pad_reflect": "Pad", "cast": "Cast", "cast_like": "Cast", "reduce_all": "ReduceMax",
    "reduce_kinds": "ReduceLogSum ReduceLogSumExp ReduceMax ReduceMin ReduceProd ReduceSumSquare", "average_pool": "AveragePool",
    "resize_sizes": "Resize", "cct_opset20": "MatMul Softmax", "y8n_def": "Softmax", "y8pose_17": "Softmax",
    "edgenext_xx_small_13_to_19": "MatMul Softmax", "y11n_13_to_20": "MatMul Softmax", "y8n_12_to_18": "Softmax",
    "softmax_12": "Softmax", "softmax_last": "LogSoftmax Softmax", "log_softmax_11": "LogSoftmax", "hardmax_11": "Hardmax",
    "fastestdet_352_to_14": "Gather Softmax", "ultraface_rfb_320_to_19": "Softmax",
}
# Quantized already, or with a constant of infinities, of which the quantizer of 0.9 says "should be finite number".
NOT_FOR_IT = {"quantized", "quantized_without_zero", "dup_qdq", "trilu_mask"}


def main():
    if sys.argv[1:2] == ["--inside"]:
        inside(*sys.argv[2:4])
        return
    import onnx
    import opset
    import outside
    p = argparse.ArgumentParser()
    p.add_argument("--build", default="build")
    p.add_argument("--corpus", help="instead of $NPU_ADVISE_CORPUS")
    p.add_argument("--only", default="")
    p.add_argument("--verbose", action="store_true")
    a = p.parse_args()
    corpus = outside.corpus(given=a.corpus)
    pythons = vendor_venv.pythons(a.build, "0.9", "0.10")
    program = pathlib.Path(a.build).resolve() / "npu-advise"
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "before").mkdir()
        (folder / "after").mkdir()
        files = [opset.build(folder / "before", name, number, make) for name, number, make in opset.MODELS
                 if a.only in name and name not in NOT_FOR_IT]
        for path in opset.CORPUS:
            file = corpus / path
            if file.exists() and a.only in path and file.stem not in NOT_FOR_IT:
                files.append(folder / "before" / file.name)
                onnx.save(onnx.load(str(file)), files[-1])  # with the weights inside
        files += opset.raised(corpus, folder / "before", a.only)
        for file in files:
            done = opset.convert(program, file, folder / "out", *opset.bound(file))
            if done.returncode:
                print(f"{file.stem}: {done.stderr.strip()}")
                sys.exit(1)
            shutil.copy(folder / "out/model.onnx", folder / "after" / file.name)
        failed, taken = 0, {}
        for sdk, python in pythons.items():
            before, after = ask(python, sdk, folder / "before"), ask(python, sdk, folder / "after")
            taken[sdk] = sum("error" not in t for t in before.values()), sum("error" not in t for t in after.values())
            for name in sorted(f.stem for f in files):
                t = after.get(name, {"error": "no answer"})
                left = set(t.get("float", [])) - set(FLOAT_ANYWAY.get(name, "").split())
                wrong = t.get("error") or (left and f"in float: {' '.join(sorted(left))}")
                failed += bool(wrong)
                if wrong or a.verbose:
                    print(sdk, name, wrong or f"taken; {' '.join(t['all'])}" + (f"; in float anyway: {' '.join(t['float'])}" if t["float"] else ""))
    for sdk, (before, after) in taken.items():
        print(f"SDK {sdk}: {before} of {len(files)} files taken as they are, {after} converted")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

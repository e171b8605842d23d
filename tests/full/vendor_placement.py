#!/usr/bin/python3
"""The type of each operator, at the quantizer of SDK 0.9 and here, on the models of placement_cases.py and on networks.

  tests/full/vendor_placement.py [--build DIR] [--only TEXT] [--networks FOLDER] [--verbose] [--write]

Each model goes through optimize_model, Calibrator and quantize of the real packages.  Its type is refused where they stop, host
where an operator stays in float, else int8; `npu-advise compile --sdk 0.9` must say the same of at least 98 %, and of the others EXPLAINED
has the reason.  tests/vendor/placement_0.9.json has the types at the vendor, which `make check` uses: --write makes it anew, else it must be as recorded.
--networks: files of a folder instead, whose operators in float are compared by kind and number.
Status 77 without the packages (vendor_venv.py).
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

LEAST = 0.98
RECORD = pathlib.Path(__file__).resolve().parents[1] / "vendor" / "placement_0.9.json"
# Where the types differ, with the reason.
EXPLAINED = {
    "dropout": "the compiler folds a Dropout away, as an export for inference does; the vendor's optimizer leaves it",
    "tr_resized": "a Resize is taken to have its image in order; the quantizer still knows of the Transpose before it",
}


def quantize_one(path):
    import numpy
    import onnx
    import vendor_venv
    from furiosa.optimizer import optimize_model
    from furiosa.quantizer import CalibrationMethod, Calibrator, quantize
    model = optimize_model(onnx.load(path))
    made = {t.name for t in model.graph.initializer}
    rng = numpy.random.default_rng(3)
    calibrator = Calibrator(model, CalibrationMethod.MIN_MAX_ASYM)
    calibrator.collect_data([[rng.normal(size=[d.dim_value for d in v.type.tensor_type.shape.dim]).astype(numpy.float32)
                              for v in model.graph.input if v.name not in made]])
    names, every = vendor_venv.operators(quantize(model, calibrator.compute_range())._to_dot())
    return {"float": names, "all": every}


def inside(folder):
    for path in sorted(pathlib.Path(folder).glob("*.onnx")):
        try:
            told = quantize_one(path)
        except BaseException as e:  # noqa: BLE001 (the tool panics, too)
            told = {"error": f"{type(e).__name__}: {(str(e).splitlines() or [''])[0][:200]}"}
        print("\n@@" + json.dumps({"name": path.stem, **told}), flush=True)


def ask(python, folder):
    done = subprocess.run([python, pathlib.Path(__file__).resolve(), "--inside", folder], capture_output=True, text=True, cwd=folder)
    told = [json.loads(line[2:]) for line in done.stdout.splitlines() if line.startswith("@@")]
    return {t["name"]: t for t in told}


def type_of(theirs):
    return "refused" if "error" in theirs else "host" if theirs["float"] else "int8"


def compare_record(told, write, only):
    types = {name: type_of(t) for name, t in sorted(told.items())}
    if write:
        RECORD.write_text(json.dumps(types, indent=1) + "\n")
    old = {name: t for name, t in json.loads(RECORD.read_text()).items() if only in name}
    other = sorted(name for name in old | types if old.get(name) != types.get(name))
    print(*(f"{name}: {types.get(name)}, recorded {old.get(name)}" for name in other), sep="\n", end="\n" if other else "")
    return not other


def compare_case(placement, program, path, theirs, verbose):
    compiled, _ = placement.compiled(program, path)
    ours, operators = placement.verdict(compiled), sorted(s["op"] for s in placement.in_float(compiled))
    wanted = type_of(theirs)
    if ours != wanted or verbose:
        print(f"{path.stem}: {ours} here ({' '.join(operators)}), {wanted} at the vendor ({theirs.get('error') or ' '.join(theirs['float']) or ' '.join(theirs['all'])}): "
              f"{'equal' if ours == wanted else EXPLAINED.get(path.stem, 'not explained')}")
    return ours == wanted


def compare_network(placement, program, path, theirs):
    compiled, _ = placement.compiled(program, path)
    ours = collections.Counter(s["op"] for s in placement.in_float(compiled))
    wanted = collections.Counter(theirs.get("float", []))
    refused = placement.verdict(compiled) == "refused"
    same = refused if "error" in theirs else ours == wanted and not refused
    told = ["refused: " + theirs["error"] if "error" in theirs else " ".join(f"{k}:{n}" for k, n in sorted(wanted.items())) or "none",
            "refused" if refused else " ".join(f"{k}:{n}" for k, n in sorted(ours.items())) or "none"]
    print(f"{path.stem}: {told[0]}" + ("" if same else f" at the vendor, {told[1]} here"))
    return same


def main():
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2])
        return
    import placement_cases
    import vendor_venv
    sys.path.insert(0, str(vendor_venv.ROOT / "tests" / "tools"))
    import placement
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--only", default="")
    p.add_argument("--networks")
    p.add_argument("--verbose", action="store_true")
    p.add_argument("--write", action="store_true")
    o = p.parse_args()
    python = vendor_venv.pythons(o.build, "0.9")["0.9"]
    program = pathlib.Path(o.build).resolve() / "npu-advise"
    recorded = True
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(o.networks or scratch).resolve()
        for name in placement_cases.CASES if not o.networks else []:
            if o.only in name:
                placement_cases.build(name, folder / f"{name}.onnx")
        files = [f for f in sorted(folder.glob("*.onnx")) if o.only in f.stem]
        told = ask(python, folder)
        if o.networks:
            same = [compare_network(placement, program, f, told[f.stem]) for f in files]
        else:
            same = [compare_case(placement, program, f, told[f.stem], o.verbose) for f in files]
            recorded = compare_record(told, o.write, o.only)
    print(f"type: {sum(same)} of {len(files)} equal ({100 * sum(same) / max(1, len(files)):.1f} %)")
    sys.exit(not recorded or not files or sum(same) < (len(files) if o.networks else LEAST * len(files)))


if __name__ == "__main__":
    main()

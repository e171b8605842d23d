#!/usr/bin/python3
"""Plans that need no check of the accuracy: what their bundles compute, on ten inputs.

  tests/full/equal_codes.py [--build DIR] [--only TEXT] MODEL...

For each model and set of needs without `accuracy` (none; requests; input and output), every plan with a changed model is applied,
and both models run on the same ten inputs in onnxruntime and in `npu-exec --values`.  Outputs are transposed
back, or stripped of what was added, as the plan's levers say; plans that permute an input or cut a tail are left to edits.py.  A quantized model is right
if no output is off by more than one code (the range of its values / 255); a float one if within 1e-4 of its largest value.  A
model that one of them cannot run is run by the other, and counted.  As the check must be able to fail, each bundle's values are held
against a second input too, and must differ there.  Status 1 when one is wrong; 77 without onnxruntime.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tools"))
INPUTS = 10
NEEDS = ["none", "requests", "requests,input,output"]


def drawn(model, seed):
    numbers, feeds = numpy.random.default_rng(seed), []
    constants = {t.name for t in model.graph.initializer}
    for v in model.graph.input:
        if v.name in constants:
            continue
        dims = [d.dim_value or 1 for d in v.type.tensor_type.shape.dim]
        kind = onnx.helper.tensor_dtype_to_np_dtype(v.type.tensor_type.elem_type)
        x = numbers.random(dims) if kind == numpy.float32 else numbers.integers(0, 128, dims)
        feeds.append(x.astype(kind))
    return feeds


def by_runtime(ort, path, feeds):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(str(path), options, ["CPUExecutionProvider"])
    names = [x.name for x in session.get_inputs()]
    return [dict(zip([y.name for y in session.get_outputs()], session.run(None, dict(zip(names, x))))) for x in feeds]


def by_executor(build, path, feeds, options):
    """One call for an input; None where it does not run the model."""
    seen, names = [], [y.name for y in onnx.load(path, load_external_data=False).graph.output]
    for x in feeds:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "in").mkdir()
            for i, value in enumerate(x):
                numpy.save(folder / "in" / f"input_{i}.npy", value)
            done = subprocess.run([build / "npu-exec", path, "--values", "--input-dir", folder / "in", "--output-dir", folder / "out", *options],
                                  capture_output=True, text=True)
            if done.returncode:
                return None, done.stderr.strip().splitlines()[-1][:160]
            seen.append({n: numpy.load(folder / "out" / f"output_{i}.npy") for i, n in enumerate(names)})
    return seen, ""


def restored(values, levers, wanted):
    """The outputs as the model had them: axes back, what was added off."""
    out = dict(values)
    for x in levers:
        if x["lever"] == "permute-output":
            name = x["index"].split(":", 1)[-1] if isinstance(x["index"], str) else list(wanted)[int(x["index"])]
            axes = [int(k) for k in x["value"].split(",")]
            out[name] = out[name].transpose(numpy.argsort(axes))
    return {n: y[tuple(slice(0, d) for d in wanted[n].shape)] if n in wanted and y.ndim == wanted[n].ndim else y for n, y in out.items()}


def is_quantized(model):
    return any(n.op_type in ("QuantizeLinear", "DequantizeLinear", "QLinearConv", "ConvInteger") for n in model.graph.node)


def worst(a, b, quantized):
    """The largest difference, in codes of 8 bits or in parts of 1e-4."""
    off = 0.0
    for name, x in a.items():
        y = b.get(name)
        if y is None or y.shape != x.shape:
            return float("inf")
        x, y = x.astype(numpy.float64), y.astype(numpy.float64)
        span = (x.max() - x.min()) / 255 if quantized else numpy.abs(x).max() * 1e-4
        if numpy.isnan(x).any():
            x, y = numpy.nan_to_num(x), numpy.nan_to_num(y)
        most = numpy.abs(x - y).max()
        off = max(off, most / span if span > 0 else (most > 0) * float("inf"))
    return off


def check(build, ort, path, plan, bundle, title, table):
    after = bundle / "model.onnx"
    if not after.exists():
        return
    before = onnx.load(path, load_external_data=False)
    quantized = is_quantized(before)
    feeds = [drawn(before, seed) for seed in range(INPUTS)]
    levers = plan["levers"]
    if any(x["lever"] == "permute-input" for x in levers) or (bundle / "tail.onnx").exists():
        table["left to edits.py"].append(title)
        return
    for who in ("onnxruntime", "npu-exec"):
        run = (lambda f, x: (by_runtime(ort, f, x), "")) if who == "onnxruntime" else (lambda f, x: by_executor(build, f, x, []))
        try:
            (a, why), (b, why_not) = run(path, feeds), run(after, feeds)
        except Exception as e:
            a = b = None
            why = why_not = str(e).splitlines()[0][:120]
        if not a or not b:
            table[f"not run by {who}"].append(title)
            print(f"     {title}: {who}: {why or why_not}")
            continue
        b = [restored(y, levers, x) for x, y in zip(a, b)]
        off = max(worst(x, y, quantized) for x, y in zip(a, b))
        other = worst(a[0], b[1], quantized)
        right = off <= 1.001 and other > 0
        table["right" if right else "wrong"].append(title)
        print(f"{'ok  ' if right else 'OFF '} {title}: {who}: off by {off:.3g} {'codes' if quantized else 'x 1e-4'}, "
              f"another input by {other:.3g}", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    p.add_argument("--only", default="")
    p.add_argument("model", nargs="+", type=pathlib.Path)
    a = p.parse_args()
    try:
        import onnxruntime as ort
    except ImportError:
        print("needs onnxruntime")
        return 77
    table, build = {k: [] for k in ("right", "wrong", "left to edits.py", "not run by onnxruntime", "not run by npu-exec")}, a.build.resolve()
    for model in a.model:
        done = set()
        for needs in NEEDS if a.only in model.name else []:
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                subprocess.run([build / "npu-advise", model, "-q", "--needs", needs, "--json", folder / "r.json"], capture_output=True)
                told = json.loads((folder / "r.json").read_text()) if (folder / "r.json").exists() else {"plans": []}
                for plan in told["plans"]:
                    title = f"{model.name} {needs} {plan['id']}"
                    if "accuracy" in plan["needs"] or "retrain" in plan["needs"] or plan["id"] in done:
                        continue
                    done.add(plan["id"])
                    written = subprocess.run([build / "npu-advise", "apply", model, "-q", "--result", folder / "r.json", "--plan", plan["id"],
                                              "--output", folder / plan["id"]], capture_output=True, text=True)
                    if written.returncode:
                        print(f"     {title}: not applied: {written.stderr.strip()[-120:]}")
                        continue
                    check(build, ort, model, plan, folder / plan["id"], title, table)
    print(", ".join(f"{k}: {len(v)}" for k, v in table.items()))
    return 1 if table["wrong"] or not table["right"] else 0


sys.exit(main())

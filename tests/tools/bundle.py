#!/usr/bin/python3
"""Applies advice, runs what was written, and asks again.

  bundle.py NPU_ADVISE MODEL FOLDER [OPTION…]

`apply` with the options writes FOLDER.  Its quantize.py runs on two samples of random numbers under vendor_api.py, its
model.onnx is read by onnx.checker, reproduce.sh is one for the shell and names only files that are there, runtime.json
is JSON; and no plan for the result has a rule that was applied, plans with retraining apart.  Says in a line what was
applied and written; in one line each what is wrong, with status 1.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import onnx

HERE = pathlib.Path(__file__).resolve().parent
NUMPY = {1: "float32", 10: "float16", 2: "uint8", 3: "int8", 6: "int32", 7: "int64", 9: "bool"}
MADE = {"model_quantized.onnx", "model_quantized.dfg", "model.enf"}


def run(*words):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True)


def calibration(model, folder):
    numbers = numpy.random.default_rng(1)
    constants = {t.name for t in model.graph.initializer}
    for k in range(2):
        numpy.savez(folder / f"{k}.npz", **{
            v.name: numbers.integers(0, 200, [d.dim_value or 1 for d in v.type.tensor_type.shape.dim])
            .astype(NUMPY[v.type.tensor_type.elem_type]) for v in model.graph.input if v.name not in constants})


def check_quantize(folder, sdk):
    model = onnx.load(folder / "model.onnx", load_external_data=False)
    with tempfile.TemporaryDirectory() as scratch:
        calibration(model, pathlib.Path(scratch))
        done = run(sys.executable, HERE / "vendor_api.py", sdk, folder / "quantize.py", scratch, pathlib.Path(scratch) / "out")
    return [] if done.returncode == 0 else [f"quantize.py: {(done.stderr.strip().splitlines() or ['?'])[-1]}"]


def check_way(folder):
    bad = [] if run("sh", "-n", folder / "reproduce.sh").returncode == 0 else ["reproduce.sh is not one for the shell"]
    named = set(re.findall(r"[\w.-]+\.(?:onnx|py|yaml|json|dfg|enf)\b", (folder / "reproduce.sh").read_text()))
    return bad + [f"reproduce.sh names {name}" for name in sorted(named - MADE) if not (folder / name).exists()]


def main():
    advise, model, folder, *options = sys.argv[1:]
    folder = pathlib.Path(folder)
    done = run(advise, "apply", model, "--output", folder, "--json", "-", "-q", *options)
    if done.returncode:
        print("wrote a part of the bundle:" if any(folder.iterdir()) else "", done.stderr.strip())
        return 1
    told = json.loads(done.stdout)
    rules, words = [a["rule_id"] for a in told["applied"]], told["options"]
    sdk = words[words.index("--sdk") + 1]
    bad = [f"{name} is not there" for name in told["files"] if not (folder / name).is_file()]
    for name in ("model.onnx", "tail.onnx"):
        if (folder / name).exists():
            onnx.checker.check_model(str(folder / name))
    if (folder / "quantize.py").exists():
        bad += check_quantize(folder, sdk)
    if (folder / "runtime.json").exists():
        json.loads((folder / "runtime.json").read_text())
    bad += check_way(folder)
    objective = [w for i, w in enumerate(options) if "--objective" in (w, options[i - 1] if i else "")]
    again = run(advise, told["model"], "-q", "--json", "-", *words, *objective)
    if again.returncode:
        bad.append(again.stderr.strip())
    else:
        result = json.loads(again.stdout)
        planned = {row["id"] for plan in result["plans"] if plan["route"] != "retrain" for row in plan["changes"]}
        fires = [r["rule_id"] for r in result["changes"] if r["id"] in planned]
        bad += [f"{rule} is advised again" for rule in dict.fromkeys(rules) if rule in fires]
    print(" ".join(rules), "->", " ".join(told["files"]))
    print(*bad, sep="\n", end="\n" if bad else "")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

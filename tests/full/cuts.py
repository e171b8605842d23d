#!/usr/bin/python3
"""Applies every plan that cuts a graph's end, and looks at what the application is left with.

  tests/full/cuts.py [--build DIR] [--only TEXT] [MODEL]...

Every network of tests/networks/list, every model of $NPU_ADVISE_CORPUS, and every model that a script of
$NPU_ADVISE_REPORTS writes.  For each plan with the lever cut-tail: model.onnx has at least 90 % of the multiplications
of the model that the plan's other changes leave, and each Conv, Gemm or MatMul with constant weights in tail.onnx
is one that the NPU cannot run, or downstream of such an operator, as the Conv of a YOLOv8 head is downstream of a Softmax
of too many rows.  Prints each plan that does not, and how many there are.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEIGHTED = ("Conv", "ConvTranspose", "Gemm", "MatMul")
CONVERSIONS = ("Quantize", "Dequantize", "Lower", "Unlower", "Pad", "Slice")
SHARE = 0.9


def made(folder, reports):
    """Models of the reports' scripts, each script run in a folder that has npu-advise in PATH."""
    for script in sorted(reports.glob("*/*.py")) if reports else []:
        at = folder / script.parent.name / script.stem
        at.mkdir(parents=True)
        for f in script.parent.glob("*.onnx"):
            (at / f.name).symlink_to(f)
        subprocess.run([sys.executable, script], cwd=at, capture_output=True, timeout=600)
        yield from sorted(p for p in [*at.rglob("*.onnx"), *at.rglob("*.tflite")] if not p.is_symlink())


def constants(g):
    """What is known without an input: initializers, and what is computed of them alone."""
    known = {t.name for t in g.initializer} | {""}
    for n in g.node:
        if all(i in known for i in n.input):
            known.update(n.output)
    return known


def early_products(g, on_host):
    """Products with constant weights that no operator of the host is before."""
    known, after, found = constants(g), set(), []
    for n in g.node:
        name = n.name or n.output[0]
        if name in on_host or any(i in after for i in n.input):
            after.update(n.output)
        elif n.op_type in WEIGHTED and n.input[1] in known and n.input[0] not in known:
            found.append(name)
    return found


class Cuts:
    def __init__(self, build):
        self.advise, self.counts, self.problems = pathlib.Path(build).resolve() / "npu-advise", collections.Counter(), []

    def run(self, *command):
        return subprocess.run([self.advise, *command], capture_output=True, text=True, timeout=900)

    def macs(self, path):
        return json.loads(self.run("inspect", path, "--json", "-").stdout)["totals"]["macs"]

    def on_host(self, path):
        """Names of the operators of the whole model that the host runs."""
        done = self.run("compile", path, "--json", "-")
        return {name for s in json.loads(done.stdout)["steps"] if s["kind"] == "host" and s["op"] not in CONVERSIONS for name in s["onnx"]}

    def look(self, model, plan, result):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run("apply", model, "--result", result, "--plan", plan["id"], "--output", folder)
            tail = pathlib.Path(folder) / "tail.onnx"
            if not tail.is_file():
                self.counts["without a tail"] += 1
                return
            self.counts["plans"] += 1
            rest, left = self.macs(tail), self.macs(pathlib.Path(folder) / "model.onnx")
            heavy = early_products(onnx.load(tail, load_external_data=False).graph, self.on_host(model))
        if left < SHARE * (left + rest):
            self.problems.append(f"{model} {plan['id']} {plan['route']}: {100 * left / (left + rest):.1f} % of {left + rest:,} multiplications left")
        if heavy:
            self.problems.append(f"{model} {plan['id']} {plan['route']}: the tail has {' '.join(heavy[:4])}")

    def model(self, model):
        self.counts["models"] += 1
        with tempfile.NamedTemporaryFile(suffix=".json") as f:
            if self.run(model, "--json", f.name).returncode not in (0, 1, 3) or not os.path.getsize(f.name):
                self.counts["not advised"] += 1
                return
            for plan in json.load(open(f.name))["plans"]:
                if any(x["lever"] == "cut-tail" for x in plan["levers"]):
                    self.look(model, plan, f.name)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build")
    p.add_argument("--only", default="")
    p.add_argument("models", nargs="*")
    given = p.parse_args()
    cuts = Cuts(given.build)
    os.environ["PATH"] = f"{cuts.advise.parent}:{os.environ['PATH']}"
    corpus, reports = (pathlib.Path(os.environ[v]) if v in os.environ else None for v in ("NPU_ADVISE_CORPUS", "NPU_ADVISE_REPORTS"))
    with tempfile.TemporaryDirectory() as folder:
        models = given.models or [*sorted((pathlib.Path(given.build) / "networks").glob("*.onnx")),
                                  *(sorted(f for f in corpus.rglob("*") if f.suffix in (".onnx", ".tflite")) if corpus else []),
                                  *made(pathlib.Path(folder), reports)]
        for model in models:
            if given.only in str(model):
                cuts.model(str(model))
    print(*cuts.problems, sep="\n", end="\n" if cuts.problems else "")
    print(", ".join(f"{n} {what}" for what, n in cuts.counts.items()), f"; {len(cuts.problems)} problems", sep="")
    for what, of in (("NPU_ADVISE_CORPUS", corpus), ("NPU_ADVISE_REPORTS", reports)):
        if not of and not given.models:
            print(f"without ${what}")
    return 1 if cuts.problems else 0


sys.exit(main())

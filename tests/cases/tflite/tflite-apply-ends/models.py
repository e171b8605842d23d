"""Quantized models with two inputs and outputs, in files as they also are: with open batches, further graphs, constants behind the tables."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["ROOT"], "tests", "tools"))
import make_tflite  # noqa: E402


def model(batch=None, prefix="", more=(), **rest):
    """Two pictures, each to codes, convolved, and back to floats; a branch that no output needs."""
    tensors, ops, ins, outs = [], [], [], []
    for k, name in enumerate(("in", "in/b")):
        at = len(tensors)
        signature = {"signature": [batch, 96, 96, 4]} if batch else {}
        wide = {"signature": [batch, 48, 48, 32]} if batch else {}
        tensors += [
            {"name": prefix + name, "type": "float32", "shape": [1, 96, 96, 4], **signature},
            {"name": name + "/codes", "type": "int8", "shape": [1, 96, 96, 4], "scale": [0.02], "zero": [-3 + k], **signature},
            {"name": f"kernel{k}", "type": "int8", "shape": [32, 3, 3, 4], "data": [(7 * i + k) % 251 - 125 for i in range(32 * 36)], "scale": [0.01] * 32, "zero": [0] * 32},
            {"name": f"map{k}", "type": "int8", "shape": [1, 48, 48, 32], "scale": [0.3], "zero": [5], **wide},
            {"name": f"out{k}", "type": "float32", "shape": [1, 48, 48, 32], **wide},
            {"name": f"idle{k}", "type": "float32", "shape": [1, 96, 96, 4], **signature}]
        ops += [{"op": 114, "in": [at], "out": [at + 1]}, {"op": 14, "in": [at], "out": [at + 5]},
                {"op": 3, "in": [at + 1, at + 2, -1], "out": [at + 3], "options": [1, {"0": ["i8", 0], "1": ["i32", 2], "2": ["i32", 2]}]},
                {"op": 6, "in": [at + 3], "out": [at + 4]}]
        ins.append(at)
        outs.append(at + 4)
    return {"tensors": tensors, "operators": ops, "inputs": ins, "outputs": outs, "more": list(more), **rest}


INNER = {"tensors": [{"name": "a", "type": "float32", "shape": [2]}, {"name": "b", "type": "float32", "shape": [2]}],
         "operators": [{"op": 14, "in": [0], "out": [1]}], "inputs": [0], "outputs": [1]}
MODELS = {"plain": model(), "outside": model(outside=True, signatures=True, description="two"), "graphs": model(more=[INNER, INNER]), "batch": model(batch=-1)}
for name, m in MODELS.items():
    with open(f"{name}.tflite", "wb") as f:
        f.write(make_tflite.make(m))
    for which, needs in (("NPU108", "output,accuracy"), ("NPU101", "input,accuracy")):
        folder = f"{name}-{which[-3:]}"
        done = subprocess.run([os.environ["NPU_ADVISE"], "apply", f"{name}.tflite", "--needs", needs, "--output", folder], capture_output=True, text=True)
        print(f"== {name} {which}: {done.returncode}", *sorted(os.listdir(folder)) if os.path.isdir(folder) else [])
        print(*(line for line in (done.stdout + done.stderr).splitlines() if line.startswith(("wrote", "npu-advise"))), sep="\n")
        for made in (f"{folder}/model.tflite", f"{folder}/model.onnx"):
            if os.path.exists(made):
                r = json.loads(subprocess.run([os.environ["NPU_ADVISE"], "inspect", made, "--json", "-", "-q"], capture_output=True, text=True).stdout)
                print(*(f"{v['name']} {v['dtype']} {v['shape']}" for v in r["inputs"] + r["outputs"]), sep="; ")
                print(len(r["nodes"]), "nodes,", sum(n["macs"] or 0 for n in r["nodes"]), "MACs", r.get("source", {}).get("subgraphs", ""))

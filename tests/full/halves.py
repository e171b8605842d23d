#!/usr/bin/python3
"""Applies the recommended cut to detectors (NPU302) and runs both halves.

  tests/full/halves.py [--build DIR] [--only TEXT]

YOLOv5s and YOLOv8n with decoded heads (make_networks.py), SSD300 and SSDlite as torchvision exports them, and YOLOX-nano
of the corpus, fed float32 and uint8, with and without a trace of npu-exec:
  - a plan has the cut, and its simulated time is below now; none has it where npu-exec saves less than a tenth by a cut
    at the same convolutions, which is made here (PLAN_WORTH of advisor/candidate/search/plan.h);
  - the cut names the heads' last convolutions (told here by the names that their authors gave them), all of them, and none
    downstream of another;
  - `apply` writes both halves; onnx.checker accepts them, and in onnxruntime they return what the model returned, to the bit;
    other numbers in the first half's outputs are noticed;
  - the time of npu-exec for the first half is within the interval that is predicted for it;
  - prints the second half's own time in onnxruntime with one thread.
What is missing here (torch, onnxruntime) is named and left out.
"""
import argparse
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnx.utils

import edits
import outside
import packages

ROOT = edits.ROOT
RUNS = 30
CUT = ["--needs", "output"]  # no change of types or accuracy
WORTH = 0.1
# Name, the tensors that its heads' last convolutions make, and how many.
HEADS = {"yolov5s": (r"model\.24/m\.\d/Conv", 3), "yolov8n": (r"cv[23]\.\d\.2/Conv", 6),
         "ssd300": (r"(regression|classification)_head/module_list\.\d/Conv", 12),
         "ssdlite": (r"(regression|classification)_head/module_list\.\d/module_list\.\d\.1/Conv", 12),
         "yolox": (r"(1045|1062|1063|1087|1104|1105|1129|1146|1147)$", 9)}
# torchvision's detectors take a list of images of any size and resize them first.
TORCH = {"ssd300": ("ssd300_vgg16", 300), "ssdlite": ("ssdlite320_mobilenet_v3_large", 320)}


def generated(folder, name, pixels):
    subprocess.run([ROOT / "tests/networks/make_networks.py", name, "--heads", "decoded", "--input", pixels, "--weights", "real",
                    "--no-check", "-o", folder], check=True, capture_output=True)
    return next(pathlib.Path(folder).glob("*.onnx"))


def exported(folder, name):
    """As a person exports it; None without torch."""
    if not all(importlib.util.find_spec(m) for m in ("torch", "torchvision")):
        return None
    model, size = TORCH[name]
    path = pathlib.Path(folder) / f"{name}.onnx"
    script = f"""
import warnings; warnings.filterwarnings("ignore")
import torch
from torchvision.models import detection
torch.manual_seed(0)
net = detection.{model}(weights=None, weights_backbone=None).eval()
torch.onnx.export(net, ([torch.rand(3, {size}, {size})],), "{path}", opset_version=11, input_names=["input"],
                  output_names=["boxes", "scores", "labels"])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    if done.returncode:
        print(f"{name}: torch cannot export it: {done.stderr.strip().splitlines()[-1]}")
    return path if done.returncode == 0 else None


def downstream(model, tensors):
    """Tensors that depend on these."""
    found = set()
    for node in model.graph.node:
        if any(i in found or i in tensors for i in node.input):
            found.update(node.output)
    return found


class Proof:
    def __init__(self, build, runtime, scratch):
        self.build, self.runtime, self.scratch, self.bad, self.good = build, runtime, scratch, [], 0

    def hold(self, label, what, good):
        self.good += bool(good)
        if not good:
            self.bad.append(f"{label}: {what}")

    def advise(self, model, *more):
        done = subprocess.run([self.build / "npu-advise", model, "-q", "--json", "-", *more], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)

    def execute(self, model, trace, *more):
        subprocess.run([self.build / "npu-exec", model, "--runs", str(RUNS), "--trace", trace, *more], check=True, capture_output=True)
        spans = json.loads(subprocess.run([self.build / "npu-advise", "trace", trace, "-q", "--json", "-"], capture_output=True,
                                          check=True).stdout)
        return spans["summary"]["median"]

    def network(self, name, path, pixels):
        model = onnx.load(path)
        for traced in (False, True):
            label = f"{name} {pixels}{' traced' if traced else ''}"
            options = ["--input-dtype", f"{model.graph.input[0].name}=uint8"] if pixels == "u8" and model.graph.input[0].type.tensor_type.elem_type == 1 else []
            trace = self.scratch / "run.trace"
            if traced:
                self.execute(path, trace, *options)
            self.listed(label, name, model, path, [*options, *(["--trace", str(trace)] if traced else [])])

    def listed(self, label, name, model, path, options):
        result = self.advise(path, "--verify", *CUT, *options)
        numbers = {c["id"]: c for c in result["changes"] if c["rule_id"] == "NPU302"}
        plans = [p for p in result["plans"] if any(row["id"] in numbers for row in p["changes"])]
        if not plans:
            saved = self.saved_by_cut(name, model, path, self.untraced(options))
            print(f"{label}: no plan has NPU302; npu-exec saves {100 * saved:.1f} % by it")
            self.hold(label, f"no plan has NPU302, which saves {100 * saved:.1f} %", saved < WORTH)
            return
        plan = plans[0]
        after, now = plan["after"]["latency_ns"], result["now"]["latency_ns"]
        self.hold(label, f"{plan['after']['source']} {after}, now {now}", plan["after"]["source"] == "simulated" and after["mid"] < now)
        names = [lever["index"] for lever in plan["levers"] if lever["lever"] == numbers[next(iter(numbers))]["levers"][0]["lever"]]
        pattern, count = HEADS[name]
        self.hold(label, f"ends at {names}", len(names) == count and all(re.search(pattern, n) for n in names))
        makers = {o: n for n in model.graph.node for o in n.output}
        self.hold(label, "ends at what is no convolution", all(makers[n].op_type == "Conv" for n in names))
        self.hold(label, "ends downstream of itself", not downstream(model, set(names)) & set(names))
        self.halves(label, path, options, plan, now)

    @staticmethod
    def untraced(options):
        return [o for i, o in enumerate(options) if "--trace" not in (o, options[i - 1])]

    def saved_by_cut(self, name, model, path, options):
        """The share of the time that npu-exec saves if the model ends at its heads' last convolutions."""
        half, trace, (pattern, count) = self.scratch / "cut.onnx", self.scratch / "cut.trace", HEADS[name]
        ends = [n.output[0] for n in model.graph.node if n.op_type == "Conv" and re.search(pattern, n.output[0])]
        assert len(ends) == count, ends
        onnx.utils.extract_model(str(path), str(half), [i.name for i in model.graph.input], ends, check_model=False)
        return 1 - self.execute(half, trace, *options) / self.execute(path, trace, *options)

    def halves(self, label, path, options, plan, now):
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            folder = pathlib.Path(folder)
            subprocess.run([self.build / "npu-advise", "apply", path, "-q", *CUT, "--plan", plan["id"], "--output", folder, *options], check=True,
                           capture_output=True)
            first, second = folder / "model.onnx", folder / "tail.onnx"
            for half in (first, second):
                onnx.checker.check_model(str(half))
            plain = self.untraced(options)
            took = self.execute(first, self.scratch / "half.trace", *plain)
            predicted = self.advise(first, *plain)["prediction"]["latency_ns"]
            self.hold(label, f"npu-exec takes {took / 1e6:.2f} ms for the first half, predicted {predicted}",
                      predicted["lo"] <= took <= predicted["hi"])
            tail = self.together(label, path, first, second)
            print(f"{label}: {now / 1e6:.1f} -> {plan['after']['latency_ns']['mid'] / 1e6:.2f} ms with {len(plan['changes'])} changes, {plan['after']['source']};"
                  f" first half {took / 1e6:.2f} ms in npu-exec, second half {tail} in onnxruntime", flush=True)

    def together(self, label, path, first, second):
        if not self.runtime:
            return "not run"
        source = edits.Source(path)
        feeds = edits.plain_feeds(source)
        if source.dtype(source.inputs[0]) == "float32":
            feeds = {k: v / numpy.float32(255) for k, v in feeds.items()}
        (whole, error), (half, error_half) = self.runtime.run([(path, feeds), (first, feeds)])
        if error or error_half:
            self.hold(label, f"onnxruntime: {error or error_half}", False)
            return "not run"
        wanted = {i.name for i in onnx.load(second).graph.input}
        given = {k: v for k, v in {**feeds, **half}.items() if k in wanted}
        wrong = {k: v + numpy.float32(0.5) if k in half else v for k, v in given.items()}
        (rest, error), (other, _) = self.runtime.run([(second, given), (second, wrong)])
        equal = not error and set(rest) == set(whole) and all(numpy.array_equal(rest[k], whole[k], equal_nan=True) for k in whole)
        self.hold(label, f"both halves together differ {error}", equal)
        self.hold(label, "there is nothing to compare", all(v.size for v in whole.values()))
        self.hold(label, "other numbers are not noticed",
                  any(k not in other or not numpy.array_equal(other[k], whole[k], equal_nan=True) for k in whole))
        return f"{self.runtime.time(second, given) / 1e6:.2f} ms"


class Runtime(edits.Runtime):
    def time(self, model, feeds):
        """Minimum processor time of ten runs, optimised, one thread."""
        answer = {}
        read, self.read = self.read, lambda a: (answer.update(a), "")
        self.run([(model, feeds)], level="all", repeat=10)
        self.read = read
        return answer.get("cpu_ns", 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", default="")
    o = parser.parse_args()
    modules = packages.folder_with("onnxruntime-node")
    missing = [] if modules else ["onnxruntime"]
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        proof = Proof(pathlib.Path(o.build).resolve(), Runtime(modules, scratch) if modules else None, scratch)
        for name in HEADS:
            for pixels in ("f32", "u8"):
                if o.only not in f"{name} {pixels}":
                    continue
                with tempfile.TemporaryDirectory(dir=scratch) as place:
                    path = outside.corpus("models/vision") / "yolox_nano_416.onnx" if name == "yolox" else \
                        exported(place, name) if name in TORCH else generated(place, name, pixels)
                    if path:
                        proof.network(name, path, pixels)
                    else:
                        missing.append(f"{name} {pixels}")
    print(*proof.bad, sep="\n", end="\n" if proof.bad else "")
    print(f"{proof.good} checks hold, {len(proof.bad)} do not" + (f"; not to be had here: {', '.join(missing)}" if missing else ""))
    return 1 if proof.bad else 77 if not proof.good else 0


if __name__ == "__main__":
    sys.exit(main())

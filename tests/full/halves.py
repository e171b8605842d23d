#!/usr/bin/python3
"""Detectors in two halves: the cut that is advised, carried out, and run.

  tests/full/halves.py [--build DIR] [--only TEXT]

YOLOv5s and YOLOv8n with decoded heads (make_networks.py), SSD300 and SSDlite as torchvision exports them, and YOLOX-nano
of the corpus, fed float32 and uint8, with and without a trace of npu-exec:
  - the cut (NPU302) stands first, or second to NPU101, with a predicted and a verified gain above zero;
  - it names the heads' last convolutions (told here by the names that their authors gave them), all of them, and none
    that lies downstream of another;
  - int8 outputs on top of it (NPU108) have a gain of their own where one can be had;
  - `apply` writes both halves; onnx.checker takes them, and in onnxruntime they give what the model gave, to the bit;
    other numbers in the first half's outputs are noticed;
  - what npu-exec takes for the first half lies within the interval that is predicted for it, and with a trace what is saved
    lies within that of the gain;
  - the second half's own time in onnxruntime, one thread, stands beside it (no more than the interval allows, NonMaxSuppression
    left out: it takes what the picture makes it take).
What cannot be had here (torch, the corpus, onnxruntime) is said and left out.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import onnx

import edits
import packages

ROOT = edits.ROOT
RUNS = 30
# Name, the tensors that its heads' last convolutions make, and how many.
HEADS = {"yolov5s": (r"model\.24/m\.\d/Conv", 3), "yolov8n": (r"cv[23]\.\d\.2/Conv", 6),
         "ssd300": (r"(regression|classification)_head/module_list\.\d/Conv", 12),
         "ssdlite": (r"(regression|classification)_head/module_list\.\d/module_list\.\d\.1/Conv", 12),
         "yolox": (r"(1045|1062|1063|1087|1104|1105|1129|1146|1147)$", 9)}
# torchvision's detectors take a list of pictures as large as they like; they bring them to their own size first.
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


def behind(model, tensors):
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
        result = self.advise(path, "--verify", *options)
        order = [r["rule_id"] for r in result["recommendations"]]
        self.hold(label, f"NPU302 is not among {order}", "NPU302" in order)
        if "NPU302" not in order:
            return
        self.hold(label, f"the order is {order}", order[0] == "NPU302" or order[:2] == ["NPU101", "NPU302"])
        cut = result["recommendations"][order.index("NPU302")]
        gain = cut["gain"]
        self.hold(label, f"gain {gain}", gain["predicted"]["lo"] > 0 and gain["verified"] and gain["verified"]["lo"] > 0)
        names = [lever["index"] for lever in cut["levers"]]
        pattern, count = HEADS[name]
        self.hold(label, f"ends at {names}", len(names) == count and all(re.search(pattern, n) for n in names))
        makers = {o: n for n in model.graph.node for o in n.output}
        self.hold(label, "ends at what is no convolution", all(makers[n].op_type == "Conv" for n in names))
        self.hold(label, "ends downstream of itself", not behind(model, set(names)) & set(names))
        codes = [r for r in result["recommendations"] if r["rule_id"] == "NPU108" and cut["rank"] in r["on_top_of"]]
        small = [r for r in result["suppressed"] if r["rule_id"] == "NPU108" and r["reason"] == "small"]
        self.hold(label, "no int8 outputs on top of the cut", small or codes and (codes[0]["gain"]["verified"] or {}).get("lo", 0) > 0)
        self.halves(label, name, path, options, cut, result, codes[0]["gain"] if codes else None)

    def halves(self, label, name, path, options, cut, result, codes):
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            folder = pathlib.Path(folder)
            subprocess.run([self.build / "npu-advise", "apply", path, "-q", "--set", "NPU302", "--output", folder, *options], check=True,
                           capture_output=True)
            first, second = folder / "model.onnx", folder / "tail.onnx"
            for half in (first, second):
                onnx.checker.check_model(str(half))
            plain = [o for i, o in enumerate(options) if "--trace" not in (o, options[i - 1])]
            took = self.execute(first, self.scratch / "half.trace", *plain)
            predicted = self.advise(first, *plain)["prediction"]["latency_ns"]
            handed = sum(int(numpy.prod([d.dim_value for d in i.type.tensor_type.shape.dim])) for i in onnx.load(second).graph.input
                         if i.name in {lever["index"] for lever in cut["levers"]})
            one_pass = 4 * handed * PASS
            self.hold(label, f"npu-exec takes {took / 1e6:.2f} ms for the first half, predicted {predicted}",
                      predicted["lo"] <= took <= predicted["hi"])
            left, gain = result["measured"] and result["measured"]["latency_ns"]["median"] - took - one_pass, cut["gain"]["predicted"]
            self.hold(label, f"{left} ns less than the trace's median, predicted {gain}", left is None or gain["lo"] <= left <= gain["hi"])
            tail = self.together(label, path, first, second)
            print(f"{label}: rank {cut['rank']}, gain {cut['gain']['predicted']['mid'] / 1e6:.1f} ms"
                  f" [{cut['gain']['predicted']['lo'] / 1e6:.1f} {cut['gain']['predicted']['hi'] / 1e6:.1f}],"
                  f" verified {cut['gain']['verified']['median'] / 1e6:.1f}; int8 outputs"
                  f" {codes['predicted']['mid'] / 1e6 if codes else 0:.2f} more, verified {codes['verified']['median'] / 1e6 if codes else 0:.2f}; first half {took / 1e6:.2f} ms in npu-exec, one pass"
                  f" {one_pass / 1e6:.2f}; second half {tail} in onnxruntime", flush=True)

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
        """Least processor time of ten runs, optimised, one thread."""
        answer = {}
        read, self.read = self.read, lambda a: (answer.update(a), "")
        self.run([(model, feeds)], level="all", repeat=10)
        self.read = read
        return answer.get("cpu_ns", 0)


def figure(name):
    text = (ROOT / "rules/targets/warboy.xml").read_text()
    return float(re.search(rf'name="{name}" value="([^"]*)"', text).group(1))


PASS = figure("pass")


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
                    path = (edits.corpus() and edits.corpus() / "vision/yolox_nano_416.onnx") if name == "yolox" else \
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

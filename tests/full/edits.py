#!/usr/bin/python3
"""Edits of graph/edit/edit.h in the hands of others.

  tests/full/edits.py [--build DIR] [--only TEXT] [--verbose]

Every edit that applies to a dozen models of other projects is written, read by onnx.checker and run by
onnxruntime; its outputs are held against those of the model as it was: to the bit where axes, outputs or sizes
change, within half a quantization step where a type does.  What a resized model should give is told by a
copy whose dimensions this script rewrites by itself.  For each kind of edit two broken twins are made of a good
result: one without its first node, which the checker or onnxruntime must refuse, and one with other weights, which
the comparison must notice.  Edits that do not apply are refused in one line, and counted.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import numpy_helper

import outside
import packages

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODELS = """image_out/super_resolution_reshape image_out/super_resolution_d2s image_out/espcn_subpixel_float
    vision/st_mobilenet_v2_035_128 vision/yunet_n_320 dynamic/yunet_n_dynamic vision/ultraface_rfb_320 vision/fastestdet_352
    nhwc/blazeface_front_128 nhwc/resnet8_keras vision/mlperf_tiny_resnet8 dynamic/mnist_pytorch_dynbatch
    torch/tv_mobilenet_v2_ptq_qdq torch/tv_squeezenet1_1_u8_nhwc vision/mnist8_cntk""".split()
TYPE = {1: "float32", 2: "uint8", 3: "int8", 6: "int32", 7: "int64", 11: "float64"}


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--only", default="")
    p.add_argument("--verbose", action="store_true")
    return p.parse_args()


# ---- a model as this script sees it ------------------------------------------------------------


class Source:
    """The model as it was, what it reads and makes."""

    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.model = onnx.load(path)
        graph = self.model.graph
        self.constant = {t.name: t for t in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant" and node.attribute[0].name == "value":
                self.constant[node.output[0]] = node.attribute[0].t
        self.inputs = [v for v in graph.input if v.name not in {t.name for t in graph.initializer}]
        self.outputs = [v.name for v in graph.output]
        self.maker = {o: n for n in graph.node for o in n.output}

    def dims(self, value, batch=1, free=64):
        """Numbers for every dimension: the first free one is the batch."""
        dims = value.type.tensor_type.shape.dim
        return [d.dim_value if d.dim_value > 0 else batch if i == 0 else free for i, d in enumerate(dims)]

    def dtype(self, value):
        return TYPE.get(value.type.tensor_type.elem_type)

    def value(self, name):
        return numpy_helper.to_array(self.constant[name])

    def quantization(self, node):
        """(scale, zero point) of a QuantizeLinear or DequantizeLinear with one of each, or None."""
        if not node or node.op_type not in ("QuantizeLinear", "DequantizeLinear"):
            return None
        if any(name not in self.constant for name in node.input[1:]):
            return None
        scale = self.value(node.input[1])
        zero = self.value(node.input[2]) if len(node.input) > 2 else numpy.uint8(0)
        return None if scale.size != 1 else (numpy.float32(scale.reshape(-1)[0]), zero.reshape(-1)[0])

    def reader(self, name):
        return next((n for n in self.model.graph.node if name in n.input), None)


def random_input(dims, dtype, seed):
    numbers = numpy.random.default_rng(seed)
    if dtype in ("uint8", "int8"):
        info = numpy.iinfo(dtype)
        return numbers.integers(info.min, info.max, dims, dtype=dtype, endpoint=True)
    return numbers.integers(0, 256, dims).astype(dtype)


# ---- one edit: what to write, what to feed, what to expect -------------------------------------


class Trial:
    """An edit and how its result is compared.  `feeds` of the edited model, `original_feeds` of the reference, which
    is the original unless `reference` is another file; `expect` turns the reference's outputs (name: array) into
    pairs of (expected, step) by name of the edited model's outputs; step 0 means equal."""

    def __init__(self, kind, where, value, feeds, original_feeds, expect=None, reference=None):
        self.kind, self.where, self.value = kind, where, str(value)
        self.feeds, self.original_feeds, self.reference = feeds, original_feeds, reference
        self.expect = expect or (lambda outputs, edited: {k: (v, 0) for k, v in outputs.items()})


def plain_feeds(source, seed=1):
    return {v.name: random_input(source.dims(v), source.dtype(v), seed + i) for i, v in enumerate(source.inputs)}


def input_types(source):
    """A type that is fed directly stands for the values that the model would have made of it."""
    for v in source.inputs:
        was, reader = source.dtype(v), source.reader(v.name)
        q = source.quantization(reader)
        for want in ("uint8", "int8", "float32"):
            feeds, original = plain_feeds(source), plain_feeds(source)
            if want == was or was not in TYPE.values():
                continue
            if was == "float32":
                feeds[v.name] = raw = random_input(source.dims(v), want, 7)
                original[v.name] = raw.astype(was)
                if q:
                    zero = int(q[1]) + {("uint8", "int8"): -128, ("int8", "uint8"): 128}.get((q[1].dtype.name, want), 0)
                    original[v.name] = ((raw.astype(numpy.int32) - zero) * q[0]).astype(numpy.float32)
            elif want == "float32":
                zero, scale = (int(q[1]), q[0]) if q else (0, numpy.float32(1))
                feeds[v.name] = ((original[v.name].astype(numpy.int32) - zero) * scale).astype(numpy.float32)
            else:
                original[v.name] = numpy.minimum(original[v.name], 127)
                feeds[v.name] = original[v.name].astype(want)
            yield Trial("input-dtype", v.name, want, feeds, original)


def dequantized(array, edited, name):
    """The values that the edited model's 8-bit output stands for, and the step between them."""
    q = edited.quantization(edited.maker.get(name))
    if q is None:
        q = edited.exposed(name)
    return None if q is None else ((array.astype(numpy.int32) - int(q[1])) * q[0], float(q[0]))


def output_types(source):
    for value in source.model.graph.output:
        name, was = value.name, source.dtype(value)
        for want in ("uint8", "int8", "float32"):
            if want == was:
                continue
            yield Trial("output-dtype", name, want, plain_feeds(source), plain_feeds(source))


def permutations(source):
    for v in source.inputs:
        for axes in ((0, 3, 1, 2), (0, 2, 3, 1)):
            if len(v.type.tensor_type.shape.dim) != 4:
                continue
            feeds, original = plain_feeds(source), plain_feeds(source)
            feeds[v.name] = numpy.ascontiguousarray(original[v.name].transpose(axes))
            yield Trial("permute-input", v.name, ",".join(map(str, axes)), feeds, original)
    for value in source.model.graph.output[:3]:
        rank = len(value.type.tensor_type.shape.dim)
        if rank >= 2:
            axes = (0, *range(2, rank), 1) if rank > 2 else (1, 0)
            yield Trial("permute-output", value.name, ",".join(map(str, axes)), plain_feeds(source), plain_feeds(source),
                        lambda outputs, edited, n=value.name, a=axes:
                        {k: (v.transpose(a) if k == n else v, 0) for k, v in outputs.items()})


def with_outputs(source, names, path):
    model = onnx.ModelProto()
    model.CopyFrom(source.model)
    del model.graph.output[:]
    model.graph.output.extend(onnx.ValueInfoProto(name=n) for n in names)
    onnx.save(model, path)
    return path


def cuts(source, scratch):
    nodes = [n for n in source.model.graph.node if n.op_type not in ("Constant", "Identity", "Shape", "Gather", "Cast")]
    for k in (1, 2, 3):
        name = nodes[len(nodes) * k // 4].output[0]
        if name not in source.outputs and name not in source.constant:
            file = with_outputs(source, source.outputs + [name], scratch / f"cut{k}.onnx")
            yield Trial("cut-tail", name, "", plain_feeds(source), plain_feeds(source), reference=file)
    for name in source.outputs[:2] if len(source.outputs) > 1 else []:
        yield Trial("drop-output", name, "", plain_feeds(source), plain_feeds(source))


def resized(source, change, path):
    """The model with other numbers in its inputs, made without our editor; `change` maps (input, axis) to a size."""
    model = onnx.ModelProto()
    model.CopyFrom(source.model)
    del model.graph.value_info[:]
    for v in model.graph.input:
        for axis, dim in enumerate(v.type.tensor_type.shape.dim):
            if (v.name, axis) in change:
                dim.dim_value = change[v.name, axis]
    for v in model.graph.output:
        v.type.tensor_type.ClearField("shape")
    onnx.save(model, path)
    return path


def sizes(source, scratch):
    for v in source.inputs:
        dims = source.dims(v)
        last_is_channel = len(dims) == 4 and dims[3] in (1, 3, 4)
        if len(dims) != 4 or last_is_channel == (dims[1] in (1, 3, 4)):
            continue
        for kind, axis in (("height", 1 if last_is_channel else 2), ("width", 2 if last_is_channel else 3)):
            size = dims[axis] + 64
            feeds = plain_feeds(source)
            dims_now = [size if i == axis else d for i, d in enumerate(dims)]
            feeds[v.name] = random_input(dims_now, source.dtype(v), 5)
            file = resized(source, {(v.name, axis): size}, scratch / f"{kind}.onnx")
            yield Trial(kind, v.name, size, feeds, feeds, reference=file)


def bindings(source):
    for v in source.inputs:
        for axis, d in enumerate(v.type.tensor_type.shape.dim):
            if d.dim_value > 0:
                continue
            size = source.dims(v)[axis]
            for name in filter(None, (d.dim_param, f"{v.name}:{axis}")):
                yield Trial("bind-dim", name, size, plain_feeds(source), plain_feeds(source))


def pads(source):
    for value in source.model.graph.output[:1]:
        def expect(outputs, edited, name=value.name):
            grown = dict((k, (v, 0)) for k, v in outputs.items())
            array = outputs[name]
            grown[name] = (numpy.concatenate([array, numpy.zeros_like(array)], axis=-1), 0)
            return grown
        width = value.type.tensor_type.shape.dim[-1].dim_value if value.type.tensor_type.shape.dim else 0
        yield Trial("pad-output", value.name, 2 * width, plain_feeds(source), plain_feeds(source), expect)


# ---- running and judging -----------------------------------------------------------------------


class Runtime:
    def __init__(self, modules, scratch):
        self.modules, self.scratch, self.count = modules, scratch, 0

    def run(self, jobs, **more):
        """[(model, feeds)] -> [({name: array}, error)]; more: what edits.cjs takes besides."""
        listing = []
        for model, feeds in jobs:
            self.count += 1
            listed = []
            for i, (name, array) in enumerate(feeds.items()):
                file = self.scratch / f"feed{self.count}.{i}"
                file.write_bytes(array.tobytes())
                listed.append({"name": name, "type": str(array.dtype), "dims": list(array.shape), "file": str(file)})
            listing.append({"model": str(model), "out": str(self.scratch / f"out{self.count}"), "feeds": listed, **more})
        jobs_file = self.scratch / "jobs.json"
        jobs_file.write_text(json.dumps(listing))
        done = subprocess.run(["node", str(ROOT / "tests/full/edits.cjs"), str(jobs_file)], capture_output=True,
                              env=dict(os.environ, NODE_PATH=str(self.modules)))
        if done.returncode:
            return [({}, done.stderr.decode("utf8", "replace")[-300:])] * len(jobs)
        return [self.read(answer) for answer in json.loads(done.stdout)]

    def read(self, answer):
        if "error" in answer:
            return {}, answer["error"]
        arrays = {}
        for o in answer["outputs"]:
            kind = {"bool": "uint8", "float16": "float16"}.get(o["type"], o["type"])
            arrays[o["name"]] = numpy.fromfile(o["file"], dtype=kind).reshape(o["dims"])
            os.unlink(o["file"])
        return arrays, ""


class Edited(Source):
    def __init__(self, path, source):
        super().__init__(path)
        self.source = source

    def exposed(self, name):
        """Quantization of an output whose DequantizeLinear was taken away."""
        return self.source.quantization(self.source.maker.get(name))


def compare(trial, edited, found, reference):
    """None when the outputs are equal within what the edit means, else what differs."""
    expected = trial.expect(reference, edited)
    for name, array in found.items():
        if name not in expected:
            return f"output '{name}' is new"
        want, step = expected[name]
        if trial.kind == "output-dtype" and name == trial.where:
            values = dequantized(array, edited, name)
            array, step = values if values and array.dtype != want.dtype and want.dtype == numpy.float32 else (array.astype(want.dtype), 0)
            if step:  # what does not fit into 8 bits saturates
                q = edited.quantization(edited.maker.get(name)) or edited.exposed(name)
                low, high = ((numpy.iinfo(found[name].dtype).min, numpy.iinfo(found[name].dtype).max))
                want = numpy.clip(want, (low - int(q[1])) * q[0], (high - int(q[1])) * q[0])
        if array.shape != want.shape:
            return f"output '{name}' is {array.shape}, expected {want.shape}"
        if step == 0 and not numpy.array_equal(array, want, equal_nan=array.dtype.kind == "f"):
            return f"output '{name}' differs by up to {numpy.abs(array.astype(float) - want).max():g}"
        if step and numpy.abs(array - want).max() > 0.501 * step:
            return f"output '{name}' differs by {numpy.abs(array - want).max():g}, the step is {step:g}"
    kept = set(expected) - {trial.where} if trial.kind == "drop-output" else set()
    return f"output '{min(kept - set(found))}' is gone" if kept - set(found) else None


def check(path):
    try:
        onnx.checker.check_model(str(path))
    except Exception as error:  # the checker raises several kinds
        return str(error).split("\n")[0][:200]
    return ""


def without_first_node(path, out):
    model = onnx.load(path)
    node = next(n for n in model.graph.node if n.op_type != "Constant" and len(n.output) == 1)
    model.graph.node.remove(node)
    onnx.save(model, out)


def with_other_weights(path, out):
    """Every float weight another one; False when there is none."""
    model = onnx.load(path)
    changed = False
    tensors = list(model.graph.initializer)
    tensors += [n.attribute[0].t for n in model.graph.node if n.op_type == "Constant" and n.attribute[0].name == "value"]
    for tensor in tensors:
        if tensor.data_type == onnx.TensorProto.FLOAT:
            array = numpy_helper.to_array(tensor)
            tensor.CopyFrom(numpy_helper.from_array((array * 1.5 + 0.1).astype(numpy.float32), tensor.name))
            changed = True
    onnx.save(model, out)
    return changed


class Proof:
    def __init__(self, options, runtime, program, scratch):
        self.options, self.runtime, self.program, self.scratch = options, runtime, program, scratch
        self.good, self.refused, self.bad = collections.Counter(), collections.Counter(), []
        self.known, self.twinned, self.twins = {}, set(), 0

    def say(self, text):
        if self.options.verbose:
            print("  " + text)

    def twins_of(self, trial, edited, written, reference):
        """Two broken twins of a good result, once for each kind of edit."""
        if trial.kind in self.twinned:
            return
        self.twinned.add(trial.kind)
        twin = self.scratch / "twin.onnx"
        without_first_node(written, twin)
        if not check(twin) and not self.runtime.run([(twin, trial.feeds)])[0][1]:
            self.bad.append(f"{trial.kind}: accepted a twin without its first node")
        self.twins += 1
        if with_other_weights(written, twin):
            found, error = self.runtime.run([(twin, trial.feeds)])[0]
            if not error and not compare(trial, edited, found, reference):
                self.bad.append(f"{trial.kind}: a twin with other weights was taken for the good one")
            self.twins += 1

    def runs(self, edited, original):
        """Both results; the original's is kept, because most edits are fed the same."""
        digest = hashlib.sha256()
        for name, array in sorted(original[1].items()):
            digest.update(name.encode() + str(array.shape).encode() + array.tobytes())
        key = (str(original[0]), digest.hexdigest())
        if key not in self.known:
            found, self.known[key] = self.runtime.run([edited, original])
            return found, self.known[key]
        return self.runtime.run([edited])[0], self.known[key]

    def judge(self, source, trial):
        place = f"{source.name}: {trial.kind} '{trial.where}' {trial.value}"
        written = self.scratch / "edited.onnx"
        done = subprocess.run([self.program, source.path, written, trial.kind, trial.where, trial.value], capture_output=True)
        said = done.stderr.decode("utf8", "replace").strip()
        if done.returncode:
            self.refused[trial.kind] += 1
            self.say(f"refused: {said}")
            if done.returncode != 1 or "\n" in said or not said:
                self.bad.append(f"{place}: status {done.returncode}: {said[:200]}")
            return
        error = check(written)
        if error:
            self.bad.append(f"{place}: onnx.checker: {error}")
            return
        (found, error), (reference, original_error) = self.runs(
            (written, trial.feeds), (trial.reference or source.path, trial.original_feeds))
        if original_error:  # nothing to compare with: sizes that the model cannot have
            self.say(f"{place}: onnxruntime refuses the reference: {original_error[:150]}")
            if not error:
                self.bad.append(f"{place}: runs, the reference does not: {original_error[:150]}")
            elif trial.kind in ("width", "height"):
                self.bad.append(f"{place}: written, but the model cannot have that size: {error[:150]}")
            return
        edited = Edited(written, source)
        difference = error or compare(trial, edited, found, reference)
        if difference:
            self.bad.append(f"{place}: {difference}")
            return
        self.good[trial.kind] += 1
        self.say(f"{place}: equal")
        self.twins_of(trial, edited, written, reference)

    def model(self, path):
        source = Source(path)
        self.known = {}
        trials = [*input_types(source), *output_types(source), *permutations(source), *cuts(source, self.scratch),
                  *sizes(source, self.scratch), *bindings(source), *pads(source)]
        for trial in trials:
            self.judge(source, trial)


def main():
    options = arguments()
    models = outside.corpus("models")
    modules = packages.folder_with("onnxruntime-node")
    if not modules:
        print("needs the packages of tests/full/package.json")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        program = scratch / "edit_model"
        subprocess.run([ROOT / "tests/tools/edit_model.sh", options.build, program], check=True)
        proof = Proof(options, Runtime(modules, scratch), program, scratch)
        for name in MODELS:
            if options.only in name:
                proof.model(models / f"{name}.onnx")
    kinds = sorted(set(proof.good) | set(proof.refused))
    for kind in kinds:
        print(f"{kind:16} {proof.good[kind]:4} equal {proof.refused[kind]:4} refused in one line")
    for line in proof.bad:
        print("WRONG " + line)
    print(f"{sum(proof.good.values())} edits equal, {sum(proof.refused.values())} refused, {len(proof.bad)} wrong, "
          f"{proof.twins} broken twins noticed")
    return 1 if proof.bad or not proof.good else 0


if __name__ == "__main__":
    sys.exit(main())

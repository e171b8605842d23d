#!/usr/bin/python3
"""npu-exec --values beside Arm NN's reference backend, on TensorFlow Lite files of the corpus.

Both read the same .tflite, random inputs and the extremes of the input type.  Floats agree within 1e-4 of the largest value, 8-bit
codes within one step in at least 99.9 % of elements.  What Arm NN refuses is listed with its reason.  A quantised PAD is filled with the zero point
here, as TensorFlow Lite's kernel does (kernels/pad.cc), and with 0 in Arm NN 22: models that have one are compared up to it, where only the border may
differ, by the zero point.  A twin of each result whose every eighth element is off by two steps must be refused.

  tests/full/tflite_values.py [--build BUILD]      ends with 77 where python3-pyarmnn cannot be had
"""
import argparse
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import outside

CORPUS = outside.corpus("models")
MODELS = sorted((CORPUS / "tflite").glob("*.tflite")) + sorted((CORPUS / "compiled").glob("*.tflite"))
LEAST_COMPARED = 7
PADDED = {"mobilenet_v2_tinynn_nchw_int8.tflite": (105, -14)}  # the first PAD's result, and its zero point


def arm_nn():
    """Arm NN, and beside it the FlatBuffers library."""
    quiet = io.StringIO()
    for attempt in range(2):
        try:
            with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
                import flatbuffers  # noqa: F401
                import pyarmnn
            return pyarmnn
        except ImportError:
            if attempt or os.geteuid():
                return None
            subprocess.run(["apt-get", "install", "-y", "-qq", "python3-pyarmnn", "python3-flatbuffers"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, check=False)


def inputs_of(kind, shape, how):
    rng = np.random.default_rng(11)
    if kind == np.float32:
        return rng.normal(0, 1, shape).astype(kind) if how == "random" else np.full(shape, 1.0, kind)
    info = np.iinfo(kind)
    return rng.integers(info.min, info.max + 1, shape).astype(kind) if how == "random" else np.full(shape, info.max, kind)


class Reference:
    """A model in Arm NN: its inputs' types and shapes, and what it makes of values."""

    def __init__(self, nn, path):
        self.nn, parser = nn, nn.ITfLiteParser()
        network = parser.CreateNetworkFromBinaryFile(str(path))
        self.inputs = [parser.GetNetworkInputBindingInfo(0, n) for n in parser.GetSubgraphInputTensorNames(0)]
        self.outputs = [parser.GetNetworkOutputBindingInfo(0, n) for n in parser.GetSubgraphOutputTensorNames(0)]
        self.runtime = nn.IRuntime(nn.CreationOptions())
        made, _ = nn.Optimize(network, [nn.BackendId("CpuRef")], self.runtime.GetDeviceSpec(), nn.OptimizerOptions())
        self.number, _ = self.runtime.LoadNetwork(made)

    def feeds(self, how):
        types = {self.nn.DataType_Float32: np.float32, self.nn.DataType_QAsymmU8: np.uint8, self.nn.DataType_QAsymmS8: np.int8}
        return [inputs_of(types[i[1].GetDataType()], tuple(i[1].GetShape()[k] for k in range(i[1].GetShape().GetNumDimensions())), how)
                for i in self.inputs]

    def run(self, feeds):
        into, out = self.nn.make_input_tensors(self.inputs, feeds), self.nn.make_output_tensors(self.outputs)
        self.runtime.EnqueueWorkload(self.number, into, out)
        return [np.asarray(a) for a in self.nn.workload_tensors_to_ndarray(out)]


def ours(program, path, feeds, folder):
    for i, a in enumerate(feeds):
        np.save(f"{folder}/input_{i}.npy", a)
    r = subprocess.run([program, path, "--values", "--input-dir", folder, "--output-dir", folder], capture_output=True, text=True)
    if r.returncode:
        raise ValueError(r.stderr.strip().splitlines()[-1])
    return [np.load(f"{folder}/output_{i}.npy") for i in range(len(list(pathlib.Path(folder).glob("output_*.npy"))))]


def differs(a, b):
    """What is wrong with a beside b, or None."""
    if a.dtype != b.dtype or a.size != b.size:
        return f"{a.dtype} {a.shape} beside {b.dtype} {b.shape}"
    d = np.abs(a.astype(np.float64).ravel() - b.astype(np.float64).ravel())
    if b.dtype == np.float32:
        limit = 1e-4 * max(1.0, np.abs(b).max())
        return f"off by {d.max():.3g}, more than {limit:.3g}" if d.max() > limit else None
    share = (d > 1).mean()
    return f"{share:.2%} of codes are off by more than one step" if share > 0.001 else None


def twin(a):
    t = a.copy().reshape(-1)
    t[::8] = t[::8] + 3e-4 * np.abs(a).max() + 1e-3 if a.dtype == np.float32 else t[::8] ^ 8
    return t.reshape(a.shape)


def ending_with(data, tensor):
    """The file with that tensor as its first output."""
    u32 = lambda at: int.from_bytes(data[at:at + 4], "little")  # noqa: E731

    def field(table, index):
        vtable = table - int.from_bytes(data[table:table + 4], "little", signed=True)
        return table + int.from_bytes(data[vtable + 4 + 2 * index:][:2], "little")

    def follow(at):
        return at + u32(at)
    graph = follow(follow(field(follow(0), 2)) + 4)
    at = follow(field(graph, 2)) + 4
    return data[:at] + tensor.to_bytes(4, "little") + data[at + 4:]


def pads_alone(nn, program, path, tensor, border):
    """Up to a quantised PAD: equal but for the border, which is the zero point here and 0 there."""
    with tempfile.TemporaryDirectory() as folder:
        cut = pathlib.Path(folder) / "cut.tflite"
        cut.write_bytes(ending_with(path.read_bytes(), tensor))
        reference = Reference(nn, cut)
        feeds = reference.feeds("random")
        a, b = ours(program, cut, feeds, folder)[0], reference.run(feeds)[0]
    inner = (slice(None), slice(1, -1), slice(1, -1))
    same = np.array_equal(a.reshape(b.shape)[inner], b[inner])
    return same and a.flat[0] == border and b.flat[0] == 0


def compare(nn, program, path):
    reference = Reference(nn, path)
    notes = []
    for how in ("random", "extreme"):
        feeds = reference.feeds(how)
        expected = reference.run(feeds)
        with tempfile.TemporaryDirectory() as folder:
            found = ours(program, path, feeds, folder)
        for i, b in enumerate(expected):
            fault = differs(found[i], b)
            if fault:
                return f"output {i}, {how}: {fault}"
            if not differs(twin(found[i]), b):
                return f"output {i}, {how}: a twin that is off was taken"
            notes.append(np.abs(found[i].astype(np.float64).ravel() - b.astype(np.float64).ravel()).max())
    print(f"  {path.name}: equal, largest difference {max(notes):.3g}")
    return None


def second_reader(path):
    """Names of the outputs and number of operators, by the FlatBuffers library for Python."""
    from flatbuffers.number_types import Int32Flags, UOffsetTFlags
    from flatbuffers.table import Table
    data = bytearray(path.read_bytes())

    def at(table, index):
        return table.Pos + table.Offset(4 + 2 * index)

    def element(table, index, i):
        return Table(data, table.Indirect(table.Vector(at(table, index) - table.Pos) + 4 * i))
    root = Table(data, UOffsetTFlags.packer_type.unpack_from(data, 0)[0])
    graph = element(root, 2, 0)
    outputs = graph.Offset(8)
    numbers = [graph.Get(Int32Flags, graph.Vector(outputs) + 4 * i) for i in range(graph.VectorLen(outputs))]
    tensors = [element(graph, 0, i) for i in numbers]
    return [t.String(t.Pos + t.Offset(10)).decode() for t in tensors], graph.VectorLen(graph.Offset(10))


def edited(nn, build):
    """A file with floats at both ends, its output taken as codes by `apply`: opened by both readers, values equal to ours."""
    with tempfile.TemporaryDirectory() as folder:
        model = CORPUS / "tflite" / "litert_depthwise_multiplier_pc.tflite"
        # NPU203 would write an ONNX model.
        settings = pathlib.Path(folder) / "npu-advise.json"
        settings.write_text('{"rules": {"NPU203": "off"}}')
        subprocess.run([build / "npu-advise", "apply", model, "--config", settings, "--needs", "output,accuracy", "--output", f"{folder}/made"],
                       check=True, capture_output=True)
        path = pathlib.Path(folder) / "made" / "model.tflite"
        names, operators = second_reader(path)
        fault = compare(nn, build / "npu-exec", path)
    if fault or (names, operators) != (["output_int8"], 2):
        print(f"WRONG edited file: {fault} {names} {operators}")
    return bool(fault) or (names, operators) != (["output_int8"], 2)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", default="build")
    build = pathlib.Path(p.parse_args().build).resolve()
    program, nn = build / "npu-exec", arm_nn()
    if not nn or not MODELS:
        print("needs python3-pyarmnn and the corpus")
        return 77
    compared = wrong = 0
    for path in MODELS:
        try:
            fault = compare(nn, program, path)
        except (RuntimeError, ValueError, KeyError) as e:
            print(f"  {path.name}: not compared: {str(e).splitlines()[0][:150]}")
            continue
        compared += not fault
        pad = PADDED.get(path.name)
        if fault and pad and pads_alone(nn, program, path, *pad):
            print(f"  {path.name}: differs by the border of its quantised PADs alone")
            continue
        wrong += bool(fault)
        if fault:
            print(f"WRONG {path.name}: {fault}")
    wrong += edited(nn, build)
    print(f"{compared} models equal, {wrong} wrong")
    return 1 if wrong or compared < LEAST_COMPARED else 0


sys.exit(main())

#!/usr/bin/python3
"""`npu-advise quantize` beside the vendor's quantizers, on the same model and the same data, with min-max ranges.

  tests/full/vendor_quantize.py [--build DIR] [--only TEXT] [--keep DIR]

The networks of closed_networks.py are converted to opset 13.  SDK 0.9: int8 weights in its DFG are those of the QDQ file that
`quantize` writes, to the bit (but for single codes where a BatchNormalization was folded); so are scales and zero points (1e-6: QDQ keeps float32), except around
Concat, Resize and Split (shared_scales).  Biases are counted: those of a MatMul are an Add of their own in QDQ, and a bias follows the scale of what it is
added to.  SDK 0.10: the file that `quantize --sdk 0.10` writes has the same keys as the vendor's, types as asked for, and ranges equal to 1e-6.
Status 77 without the packages (vendor_venv.py).
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
import yaml
from onnx import numpy_helper

import closed_loop
import closed_networks
import vendor_venv

# In the vendor's Python: ranges of min-max on the samples, and what the quantizer writes.
QUANTIZE = """
import pathlib, sys
import numpy, onnx
from furiosa.optimizer import optimize_model
from furiosa.quantizer import CalibrationMethod, Calibrator, quantize
model, data, output, *uint8 = sys.argv[1:]
model = optimize_model(onnx.load(model))
made = {t.name for t in model.graph.initializer}
calibrator = Calibrator(model, CalibrationMethod.MIN_MAX_ASYM)
for path in sorted(pathlib.Path(data).glob("*.npz")):
    with numpy.load(path) as arrays:
        calibrator.collect_data([[arrays[v.name] for v in model.graph.input if v.name not in made]])
ranges = calibrator.compute_range()
if uint8:
    from furiosa.quantizer import ModelEditor, TensorType
    editor = ModelEditor(model)
    for v in model.graph.input:
        editor.convert_input_type(v.name, TensorType.UINT8)
    for v in model.graph.output:
        editor.convert_output_type(v.name, TensorType.INT8)
pathlib.Path(output).write_bytes(bytes(quantize(model, ranges)))
"""


# ---- a DFG: protobuf after ten bytes (the schema: graph/import/dfg.proto) ----

def fields(data):
    """(number, value) of a message; values are integers or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
            continue
        size = varint() if kind == 2 else 8 if kind == 1 else 4
        yield key >> 3, data[at:at + size]
        at += size


def first(data, *path):
    for number in path:
        data = next((v for n, v in fields(data) if n == number), b"")
    return data


def dfg_tensors(path):
    """(element: 2 uint8, 3 int8, 4 int32; ranges; bytes of a constant or None; names in the ONNX model)"""
    body = pathlib.Path(path).read_bytes()[10:]
    for number, entry in fields(first(body, 1)):
        tensor = first(entry, 2)
        element = next(((n, v) for n, v in fields(first(tensor, 2)) if n in (2, 3, 4)), None)
        if not element:
            continue
        ranges = [tuple(numpy.frombuffer(next((v for n, v in fields(r) if n == k), bytes(8)))[0] for k in (1, 2))
                  for n, r in fields(first(element[1], 1)) if n == 1]
        names = [first(v, 1).decode() for n, v in fields(first(tensor, 5, 1, 1)) if n == 1] if first(tensor, 5) else []
        constant = next((v for n, v in fields(tensor) if n == 3), None)
        yield element[0], ranges, constant, names


# ---- ours ----

def qdq_constants(model):
    """Bytes of each int8 or int32 initializer that a DequantizeLinear reads."""
    read = {n.input[0] for n in model.graph.node if n.op_type == "DequantizeLinear"}
    return [numpy_helper.to_array(t) for t in model.graph.initializer if t.name in read]


def layouts(array):
    """The array's bytes, and those of a matrix the other way round."""
    yield array.tobytes()
    if array.ndim == 2:
        yield array.T.tobytes()


def qdq_ranges(model):
    known = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    for n in model.graph.node:
        if n.op_type == "QuantizeLinear" and known[n.input[1]].ndim == 0:
            scale, zero = float(known[n.input[1]]), int(known[n.input[2]]) if len(n.input) > 2 else 0
            yield n.input[0], scale, zero


def shared_scales(model):
    """Tensors to which the quantizer of 0.9 gives another tensor's scale: operands of a Concat the result's, results of Resize the
    operand's; and results of Split, to which it gives their own."""
    named = set()
    for n in model.graph.node:
        named |= set(n.input if n.op_type == "Concat" else n.output if n.op_type in ("Resize", "Split", "Slice") else ())
    return named


def nearly(constant, arrays):
    """One code more or less in one of 1,000 elements: the folding of a BatchNormalization is rounded once more."""
    wanted = numpy.frombuffer(constant, numpy.int8).astype(int)
    return any(a.size == wanted.size and a.dtype == numpy.int8 and abs(a.reshape(-1) - wanted).max() <= 1
               and (a.reshape(-1) != wanted).mean() <= 1e-3 for a in arrays)


def compare_weights(tensors, ours):
    """(weights bit-equal, all but for single codes, number; biases bit-equal, number)"""
    arrays = qdq_constants(ours)
    have = {b for array in arrays for b in layouts(array)}
    wanted = [(element, c) for element, ranges, c, _ in tensors
              if c is not None and element in (3, 4) and len(c) > 8 and len(ranges) > 1]
    weights, biases = ([c for e, c in wanted if e == element] for element in (3, 4))
    return (sum(c in have for c in weights), sum(c in have or nearly(c, arrays) for c in weights), len(weights),
            sum(c in have for c in biases), len(biases))


def compare_scales(tensors, ours, explained):
    scales = {name: (s, z) for name, s, z in qdq_ranges(ours)}
    equal, bad, left_out = 0, [], 0
    for element, ranges, constant, names in tensors:
        low, high = (min(ranges[0][0], 0), max(ranges[0][1], 0)) if len(ranges) == 1 else (0, 0)
        if constant is not None or element != 3 or not names or names[0] not in scales or high <= low:
            continue
        scale = (high - low) / 255
        zero, name = -128 - int(numpy.trunc(low / scale - 0.5)), names[0]
        same = abs(scales[name][0] - scale) <= 1e-6 * scale and scales[name][1] == zero
        equal += same
        left_out += not same and name in explained
        if not same and name not in explained:
            bad.append(f"{name}: scale and zero point {scales[name]} here, {(scale, zero)} at the vendor")
    return equal, left_out, bad


def keys(path):
    return {p.key: p.value for p in onnx.load(path).metadata_props}


def compare_keys(theirs, ours):
    a, b = keys(theirs), keys(ours)
    bad = [f"keys {sorted(b)}, {sorted(a)} at the vendor"] if sorted(a) != sorted(b) else []
    for key in set(a) & set(b) - {"FurisoaAI.CalibrationResult"}:
        if sorted(a[key].strip("[]").replace("),(", ");(").replace(",", ";" if "(" not in a[key] else ",").split(";")) != sorted(
                b[key].strip("[]").replace("),(", ");(").replace(",", ";" if "(" not in b[key] else ",").split(";")):
            bad.append(f"{key} is {b[key]}, {a[key]} at the vendor")
    ranges = [yaml.safe_load(k.get("FurisoaAI.CalibrationResult", "{}")) for k in (a, b)]
    common = set(ranges[0]) & set(ranges[1])
    bad += ["no ranges in both"] if not common else []
    bad += [f"range of {n}: {ranges[1][n]}, {ranges[0][n]} at the vendor" for n in sorted(common)
            if any(abs(x - y) > 1e-6 * max(1, abs(x)) for x, y in zip(map(float, ranges[0][n]), map(float, ranges[1][n])))]
    missing = sorted(set(ranges[0]) - set(ranges[1]) & closed_loop.all_names(ours))
    return bad, len(common), len(ranges[0]), missing


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{pathlib.Path(str(words[0])).name}: {(done.stderr.strip().splitlines() or ['?'])[-1]}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--only", default="")
    p.add_argument("--keep")
    o = p.parse_args()
    pythons = vendor_venv.pythons(o.build, "0.9", "0.10")
    program, failed, total = pathlib.Path(o.build).resolve() / "npu-advise", 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(o.keep or scratch).resolve()
        for make in closed_networks.NETWORKS:
            name = make.__name__
            if o.only not in name:
                continue
            folder = scratch / name
            (folder / "data").mkdir(parents=True, exist_ok=True)
            net, outputs = make()
            net.save(folder / "given.onnx", *outputs)
            run(program, "apply", folder / "given.onnx", "--opset", "13", "--sdk", "0.9", "-o", folder / "opset", "-q")
            model = folder / "opset" / "model.onnx"
            closed_loop.write_samples(onnx.load(model), folder / "data")
            run(pythons["0.9"], "-c", QUANTIZE, model, folder / "data", folder / "vendor.dfg")
            run(pythons["0.10"], "-c", QUANTIZE, model, folder / "data", folder / "vendor.onnx", "uint8")
            run(program, "quantize", model, "--data", folder / "data", "-o", folder / "qdq.onnx")
            tensors, ours = list(dfg_tensors(folder / "vendor.dfg")), onnx.load(folder / "qdq.onnx")
            exact, near, weights, equal, biases = compare_weights(tensors, ours)
            scales, left_out, bad = compare_scales(tensors, ours, shared_scales(onnx.load(model)))
            bad += [f"{weights - near} of {weights} weights differ"] if near < weights else []
            print(f"{name}: SDK 0.9: {exact} of {weights} weights and {equal} of {biases} biases bit-equal; "
                  f"{scales} scales and zero points equal, {left_out} of Concat, Resize and Split not", flush=True)
            run(program, "quantize", model, "--data", folder / "data", "--sdk", "0.10", "--input-dtype", "uint8", "--output-dtype", "int8",
                "-o", folder / "keys.onnx")
            wrong, common, told, missing = compare_keys(folder / "vendor.onnx", folder / "keys.onnx")
            print(f"{name}: SDK 0.10: {common} of {told} ranges in both", flush=True)
            bad += wrong + [f"no range of {n}" for n in missing]
            print(*(f"  {line}" for line in bad), sep="\n", end="\n" if bad else "")
            failed, total = failed + bool(bad), total + 1
    print(f"{total - failed} of {total} networks equal")
    sys.exit(1 if failed or not total else 0)


if __name__ == "__main__":
    main()

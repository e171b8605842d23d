#!/usr/bin/python3
"""`npu-advise quantize` beside the vendor's quantizers, on the same model and the same data, with min-max ranges.

  tests/full/vendor_quantize.py [--build DIR] [--only TEXT] [--keep DIR] [--methods]

The networks of closed_networks.py are converted to opset 13.  SDK 0.9: int8 weights in its DFG are those of the QDQ file that
`quantize --sdk 0.9` writes, to the bit; so are scales and zero points (1e-6: QDQ keeps float32).  With the vendor's ranges biases are equal to the
bit, too, but for those of a MatMul, which are an Add of their own in QDQ; with our own ranges they are counted, since the order of a sum in
float32 decides their last code.  SDK 0.10: the file that `quantize --sdk 0.10` writes has the same keys as the vendor's, types as asked for, and
ranges equal to 1e-6; of those that are not it says whether onnxruntime without its blocked layout (PLAIN) has ours.  --methods: prints a table instead, how far the ranges of the other methods differ.
Status 77 without the packages (vendor_venv.py).
"""
import argparse
import json
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

# In the vendor's Python: ranges on the samples, beside what the quantizer writes.
QUANTIZE = """
import json, pathlib, sys
import numpy, onnx
from furiosa.optimizer import optimize_model
from furiosa.quantizer import CalibrationMethod, Calibrator, quantize
model, data, output, method, *uint8 = sys.argv[1:]
model = optimize_model(onnx.load(model))
made = {t.name for t in model.graph.initializer}
calibrator = Calibrator(model, CalibrationMethod[method])
for path in sorted(pathlib.Path(data).glob("*.npz")):
    with numpy.load(path) as arrays:
        calibrator.collect_data([[arrays[v.name] for v in model.graph.input if v.name not in made]])
ranges = calibrator.compute_range()
pathlib.Path(output + ".json").write_text(json.dumps({"ranges": {name: [float(x) for x in ends] for name, ends in ranges.items()}}))
if uint8:
    from furiosa.quantizer import ModelEditor, TensorType
    editor = ModelEditor(model)
    for v in model.graph.input:
        editor.convert_input_type(v.name, TensorType.UINT8)
    for v in model.graph.output:
        editor.convert_output_type(v.name, TensorType.INT8)
pathlib.Path(output).write_bytes(bytes(quantize(model, ranges)))
"""
# Ranges by the calibrator's own onnxruntime, but in the layout of the model: in blocks of channels it adds up what GlobalAveragePool
# averages one after the other in float32, which is off by 1e-6 after some thousand elements.
PLAIN = """
import json, pathlib, sys
import numpy, onnx, onnxruntime
from furiosa.optimizer import optimize_model
model, data, *names = sys.argv[1:]
model = optimize_model(onnx.load(model))
del model.graph.output[:]
model.graph.output.extend(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in names)
options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
ends = {name: [] for name in names}
for path in sorted(pathlib.Path(data).glob("*.npz")):
    with numpy.load(path) as arrays:
        for name, values in zip(names, session.run(names, {v.name: arrays[v.name] for v in session.get_inputs()})):
            ends[name] += [float(values.min()), float(values.max())]
print(json.dumps({name: [min(seen), max(seen)] for name, seen in ends.items()}))
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


def compare_weights(tensors, ours):
    """(weights bit-equal, number; biases bit-equal, number)"""
    have = {b for array in qdq_constants(ours) for b in layouts(array)}
    wanted = [(element, c) for element, ranges, c, _ in tensors
              if c is not None and element in (3, 4) and len(c) > 8 and len(ranges) > 1]
    weights, biases = ([c for e, c in wanted if e == element] for element in (3, 4))
    return sum(c in have for c in weights), len(weights), sum(c in have for c in biases), len(biases)


def products(model):
    """MatMul nodes with constant weights: the vendor makes each a convolution with a bias."""
    known = {t.name for t in model.graph.initializer}
    return sum(n.op_type == "MatMul" and not known.isdisjoint(n.input) for n in model.graph.node)


def compare_scales(tensors, ours):
    """A value that is requantized is there twice, with either scale."""
    scales, theirs = {name: (s, z) for name, s, z in qdq_ranges(ours)}, {}
    for element, ranges, constant, names in tensors:
        low, high = (min(ranges[0][0], 0), max(ranges[0][1], 0)) if len(ranges) == 1 else (0, 0)
        if constant is None and element == 3 and names and names[0] in scales and high > low:
            scale = (high - low) / 255
            theirs.setdefault(names[0], []).append((scale, -128 - int(numpy.trunc(low / scale - 0.5))))
    same = {name: any(abs(scales[name][0] - s) <= 1e-6 * s and scales[name][1] == z for s, z in each) for name, each in theirs.items()}
    return sum(same.values()), [f"{name}: scale and zero point {scales[name]} here, {theirs[name]} at the vendor" for name in same if not same[name]]


def keys(path):
    return {p.key: p.value for p in onnx.load(path).metadata_props}


def near(a, b):
    return all(abs(x - y) <= 1e-6 * max(1, abs(x)) for x, y in zip(map(float, a), map(float, b)))


def compare_keys(theirs, ours):
    """(differences, ranges in both, those of the vendor, those that only the vendor has, {name: both ranges that differ})"""
    a, b = keys(theirs), keys(ours)
    bad = [f"keys {sorted(b)}, {sorted(a)} at the vendor"] if sorted(a) != sorted(b) else []
    for key in set(a) & set(b) - {"FurisoaAI.CalibrationResult"}:
        if sorted(a[key].strip("[]").replace("),(", ");(").replace(",", ";" if "(" not in a[key] else ",").split(";")) != sorted(
                b[key].strip("[]").replace("),(", ");(").replace(",", ";" if "(" not in b[key] else ",").split(";")):
            bad.append(f"{key} is {b[key]}, {a[key]} at the vendor")
    ranges = [yaml.safe_load(k.get("FurisoaAI.CalibrationResult", "{}")) for k in (a, b)]
    common = set(ranges[0]) & set(ranges[1])
    bad += ["no ranges in both"] if not common else []
    far = {n: (ranges[1][n], ranges[0][n]) for n in sorted(common) if not near(ranges[0][n], ranges[1][n])}
    missing = sorted(set(ranges[0]) - set(ranges[1]) & closed_loop.all_names(ours))
    return bad, len(common), len(ranges[0]), missing, far


def by_order(python, model, data, far):
    """Names whose range here is that of onnxruntime without blocks."""
    if not far:
        return set()
    done = subprocess.run([str(w) for w in (python, "-c", PLAIN, model, data, *far)], capture_output=True, text=True)
    plain = json.loads(done.stdout.splitlines()[-1]) if not done.returncode else {}
    return {name for name in plain if near(plain[name], far[name][0])}


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{pathlib.Path(str(words[0])).name}: {(done.stderr.strip().splitlines() or ['?'])[-1]}")


def prepare(program, make, folder):
    """The network in opset 13, and samples."""
    (folder / "data").mkdir(parents=True, exist_ok=True)
    net, outputs = make()
    net.save(folder / "given.onnx", *outputs)
    run(program, "apply", folder / "given.onnx", "--opset", "13", "--sdk", "0.9", "-o", folder / "opset", "-q")
    closed_loop.write_samples(onnx.load(folder / "opset" / "model.onnx"), folder / "data")
    return folder / "opset" / "model.onnx"


def check_0_9(program, python, model, folder):
    data, vendor = folder / "data", folder / "vendor.dfg"
    run(python, "-c", QUANTIZE, model, data, vendor, "MIN_MAX_ASYM")
    tensors = list(dfg_tensors(vendor))
    for name, source in (("qdq", ("--data", data)), ("given", ("--ranges", f"{vendor}.json"))):
        run(program, "quantize", model, *source, "--sdk", "0.9", "-o", folder / f"{name}.onnx")
    ours = onnx.load(folder / "qdq.onnx")
    exact, weights, equal, biases = compare_weights(tensors, ours)
    given = compare_weights(tensors, onnx.load(folder / "given.onnx"))
    scales, bad = compare_scales(tensors, ours)
    print(f"{folder.name}: SDK 0.9: {exact} of {weights} weights and {equal} of {biases} biases bit-equal ({given[2]} with the vendor's ranges, "
          f"{products(onnx.load(model))} are of a MatMul), {scales} scales and zero points equal", flush=True)
    bad += [f"{weights - n} of {weights} weights differ" for n in (exact, given[0]) if n < weights]
    return bad + ([f"{biases - given[2]} of {biases} biases differ with the vendor's ranges"] if given[2] < biases - products(onnx.load(model)) else [])


def check_0_10(program, python, model, folder):
    run(python, "-c", QUANTIZE, model, folder / "data", folder / "vendor.onnx", "MIN_MAX_ASYM", "uint8")
    run(program, "quantize", model, "--data", folder / "data", "--sdk", "0.10", "--input-dtype", "uint8", "--output-dtype", "int8",
        "-o", folder / "keys.onnx")
    wrong, common, told, missing, far = compare_keys(folder / "vendor.onnx", folder / "keys.onnx")
    explained = by_order(python, model, folder / "data", far)
    print(f"{folder.name}: SDK 0.10: {common} of {told} ranges in both, {len(far)} not equal, of these {len(explained)} by the order of a sum", flush=True)
    wrong += [f"range of {n}: {mine}, {theirs} at the vendor" + ", ours by its onnxruntime without blocks" * (n in explained)
              for n, (mine, theirs) in far.items()]
    return wrong + [f"no range of {n}" for n in missing]


def method_ratios(program, python, model, folder, method):
    """Our width over the vendor's, for each tensor."""
    run(python, "-c", QUANTIZE, model, folder / "data", folder / "vendor.onnx", f"{method.upper().replace('-', '_')}_ASYM")
    run(program, "quantize", model, "--data", folder / "data", "--sdk", "0.10", "--method", method, "-o", folder / "keys.onnx")
    theirs = json.loads((folder / "vendor.onnx.json").read_text())["ranges"]
    ours = yaml.safe_load(keys(folder / "keys.onnx")["FurisoaAI.CalibrationResult"])
    width = lambda ends: max(float(ends[1]), 0) - min(float(ends[0]), 0)  # noqa: E731
    return [width(ours[n]) / width(theirs[n]) for n in theirs if n in ours and width(theirs[n]) > 0]


def print_methods(program, python, networks, scratch):
    models = {make.__name__: prepare(program, make, scratch / make.__name__) for make in networks}
    print("| method | tensors | within 0.1 % | within 1 % | within 10 % | narrowest | widest |\n|--|--|--|--|--|--|--|")
    for method in ("min-max", "percentile", "entropy", "mse"):
        ratios = numpy.array([r for name, model in models.items() for r in method_ratios(program, python, model, scratch / name, method)])
        near = (f"{100 * (abs(ratios - 1) <= limit).mean():.0f} %" for limit in (0.001, 0.01, 0.1))
        print(f"| {method} | {len(ratios)} | {' | '.join(near)} | {ratios.min():.3f} | {ratios.max():.3f} |", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--only", default="")
    p.add_argument("--keep")
    p.add_argument("--methods", action="store_true")
    o = p.parse_args()
    pythons = vendor_venv.pythons(o.build, "0.9", "0.10")
    program, failed = pathlib.Path(o.build).resolve() / "npu-advise", 0
    networks = [make for make in closed_networks.NETWORKS if o.only in make.__name__]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(o.keep or scratch).resolve()
        if o.methods:
            print_methods(program, pythons["0.10"], networks, scratch)
            return
        for make in networks:
            folder = scratch / make.__name__
            model = prepare(program, make, folder)
            bad = check_0_9(program, pythons["0.9"], model, folder) + check_0_10(program, pythons["0.10"], model, folder)
            print(*(f"  {line}" for line in bad), sep="\n", end="\n" if bad else "")
            failed += bool(bad)
    print(f"{len(networks) - failed} of {len(networks)} networks equal")
    sys.exit(1 if failed or not networks else 0)


if __name__ == "__main__":
    main()

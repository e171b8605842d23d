#!/usr/bin/python3
"""What the vendor's tools write today, beside the records of it in tests/vendor that `make check` uses.

  tests/full/vendor_records.py [--build DIR] [--write] [--only TEXT]

onnx_0.10.tar.xz: ten files, beside seven older ones, of the quantizer of SDK 0.10 (FILES: names that YAML quotes, ranges in Some(…), two and three inputs); a record holds
the same keys and the same nodes.  closed_0.9.json: for each network of closed_networks.py the operators of SDK 0.9's graph of its bundle, and those
in float.  graphs_0.8_0.9.tar.xz: small models (SMALL) and the graphs that the quantizers of SDK 0.8 and 0.9 made of them.  --write makes the
records anew.  Status 77 without the packages (vendor_venv.py).
"""
import argparse
import collections
import io
import json
import lzma
import pathlib
import sys
import tarfile
import tempfile

import numpy
import onnx
import yaml

import closed_loop
import closed_networks
import vendor_quantize
import vendor_venv

RECORDS = vendor_venv.ROOT / "tests" / "vendor"
ARCHIVE, CLOSED, GRAPHS = RECORDS / "onnx_0.10.tar.xz", RECORDS / "closed_0.9.json", RECORDS / "graphs_0.8_0.9.tar.xz"
U8, I8, UNIT = "UINT8", "INT8", [0.0, 1.0]
# Name of the file: (inputs, outputs, types of inputs, types and ranges of outputs).
FILES = {
    "two_outputs_i8": (["x"], ["y", "z"], {}, {"y": (I8, None), "z": (I8, None)}),
    "two_outputs_u8_i8": (["x"], ["y", "z"], {"x": U8}, {"y": (U8, None), "z": (I8, None)}),
    "two_inputs_u8": (["a", "b"], ["y"], {"a": U8, "b": U8}, {}),
    "three_inputs_u8": (["a", "b", "c"], ["y"], {"a": U8, "c": U8}, {"y": (I8, None)}),
    "range_u8": (["x"], ["y"], {"x": U8}, {"y": (U8, UNIT)}),
    "range_second": (["x"], ["y", "z"], {}, {"z": (U8, [0.0, 255.0])}),
    "name_colon": (["in:put: 0"], ["out:0"], {"in:put: 0": U8}, {}),
    "name_quotes": (["'x'"], ['say "y"'], {}, {'say "y"': (I8, None)}),
    "name_signs": (["# x"], ["- y", "{z}"], {"# x": U8}, {"{z}": (U8, None)}),
    "name_values": (["null"], ["1e3", "yes"], {}, {"yes": (I8, None)}),
}
# In the vendor's Python.
WRITE = """
import json, pathlib, sys
import numpy, onnx
from furiosa.optimizer import optimize_model
from furiosa.quantizer import CalibrationMethod, Calibrator, ModelEditor, TensorType, quantize
path, output, inputs, outputs = sys.argv[1:]
model, rng = optimize_model(onnx.load(path)), numpy.random.default_rng(3)
made = {t.name for t in model.graph.initializer}
calibrator = Calibrator(model, CalibrationMethod.MIN_MAX_ASYM)
for _ in range(2):
    calibrator.collect_data([[rng.uniform(size=[d.dim_value for d in v.type.tensor_type.shape.dim]).astype(numpy.float32)
                              for v in model.graph.input if v.name not in made]])
ranges, editor = calibrator.compute_range(), ModelEditor(model)
for name, kind in json.loads(inputs).items():
    editor.convert_input_type(name, TensorType[kind])
for name, (kind, ends) in json.loads(outputs).items():
    editor.convert_output_type(name, TensorType[kind], ends and tuple(ends))
pathlib.Path(output).write_bytes(bytes(quantize(model, ranges)))
"""

# In the vendor's Python of SDK 0.8 or 0.9.
QUANTIZE = """
import pathlib, sys
import numpy, onnx
import furiosa.quantizer as q
path, output, *pixels = sys.argv[1:]
model, rng = onnx.load(path), numpy.random.default_rng(3)
shapes = {v.name: [d.dim_value for d in v.type.tensor_type.shape.dim] for v in model.graph.input}
samples = [{name: rng.uniform(size=shape).astype(numpy.float32) for name, shape in shapes.items()} for _ in range(2)]
if output.endswith(".dfg"):
    from furiosa.optimizer import optimize_model
    model = optimize_model(model)
    calibrator = q.Calibrator(model, q.CalibrationMethod.MIN_MAX_ASYM)
    for sample in samples:
        calibrator.collect_data([list(sample.values())])
    pathlib.Path(output).write_bytes(bytes(q.quantize(model, calibrator.compute_range(), with_quantize=not pixels)))
else:
    from furiosa.quantizer.frontend.onnx import optimize_model, post_training_quantize
    pathlib.Path(output).write_bytes(post_training_quantize(optimize_model(model), samples).SerializeToString())
"""


def block(n):
    """Of YOLO: SiLU, a residual sum, pooling, Concat, and a pointwise convolution of few channels."""
    x = n.silu(n.conv("x", 3, 8, 3, 2))
    y = n.add("Add", x, n.silu(n.conv(x, 8, 8)))
    y = n.add("Concat", y, n.add("MaxPool", y, kernel_shape=[3, 3], strides=[1, 1], pads=[1] * 4), axis=1)
    return [n.add("Sigmoid", n.conv(n.silu(n.conv(y, 16, 8, 1)), 8, 4, 1))]


def tokens(n):
    """Of a vision transformer: patches, a class token, LayerNormalization as it is written out, and a classifier of the token."""
    x = n.add("Reshape", n.conv("x", 3, 8, 4, 4), numpy.array([1, 8, 36]))
    x = n.add("Concat", n.rng.normal(size=(1, 1, 8)) / 9, n.add("Transpose", x, perm=[0, 2, 1]), axis=1)
    x = n.add("Add", x, n.rng.normal(size=(1, 37, 8)) / 9)
    off = n.add("Sub", x, n.reduced(x, "ReduceMean", [-1]))
    square = n.reduced(n.add("Pow", off, numpy.float32(2)), "ReduceMean", [-1])
    x = n.add("Div", off, n.add("Sqrt", n.add("Add", square, numpy.float32(1e-5))))
    x = n.add("Add", n.add("Mul", x, n.rng.uniform(0.5, 1.5, size=8)), n.rng.normal(size=8) * 0.1)
    x = n.add("Slice", n.project(x, 8, 8), numpy.array([0]), numpy.array([1]), numpy.array([1]))
    return [n.linear(n.add("Reshape", x, numpy.array([1, 8])), 8, 10)]


def attention(n):
    """Both products of activations and the Softmax stay in float."""
    x = n.add("Transpose", n.add("Reshape", n.conv("x", 3, 8, 4, 4), numpy.array([1, 8, 36])), perm=[0, 2, 1])
    scores = n.add("MatMul", n.project(x, 8, 8), n.add("Transpose", n.project(x, 8, 8), perm=[0, 2, 1]))
    return [n.project(n.add("MatMul", n.add("Softmax", scores, axis=-1), n.project(x, 8, 8)), 8, 8)]


SMALL = [block, tokens, attention]


def build(inputs, outputs, path):
    """Convolutions of all inputs, their sum, and a Sigmoid or a convolution for each output."""
    net = closed_networks.Net(13, **{name: [1, 3, 8, 8] for name in inputs})
    parts = [net.conv(name, 3, 4) for name in inputs]
    x = parts[0] if len(parts) == 1 else net.add("Sum", *parts)
    ends = [net.add("Sigmoid", net.conv(x, 4, 2, 1)) if i == 0 else net.conv(x, 4, 3, 1) for i in range(len(outputs))]
    for node in net.nodes:
        node.output[0] = dict(zip(ends, outputs)).get(node.output[0], node.output[0])
    net.save(path, *outputs)


def write_files(python, folder, only):
    files = {}
    for name, (inputs, outputs, types, results) in FILES.items():
        if only not in name:
            continue
        build(inputs, outputs, folder / "float.onnx")
        done = closed_loop.run(python, "-c", WRITE, folder / "float.onnx", folder / f"{name}.onnx", json.dumps(types), json.dumps(results))
        if done.returncode:
            sys.exit(f"{name}: {([line for line in done.stderr.splitlines() if 'Error' in line] or ['?'])[-1]}")
        files[f"{name}.onnx"] = (folder / f"{name}.onnx").read_bytes()
    return files


def write_graphs(pythons, folder, only):
    files = {}
    for make in SMALL:
        name = make.__name__
        if only not in name:
            continue
        net = closed_networks.Net(13, x=[1, 3, 20, 20])
        net.save(folder / f"{name}.onnx", *make(net))
        for sdk, output, *more in (("0.8", f"{name}_0.8.onnx"), ("0.9", f"{name}.dfg"), ("0.9", f"{name}_u8in.dfg", "pixels")):
            done = closed_loop.run(pythons[sdk], "-c", QUANTIZE, folder / f"{name}.onnx", folder / output, *more)
            if done.returncode:
                sys.exit(f"{output}: {([line for line in done.stderr.splitlines() if 'Error' in line] or ['?'])[-1]}")
            files[output] = (folder / output).read_bytes()
        files[f"{name}.onnx"] = (folder / f"{name}.onnx").read_bytes()
    return files


def archive(files, folder):
    """The same bytes for the same files."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return lzma.compress(out.getvalue(), preset=9)


def facts(data):
    """Keys, ranges as numbers, and nodes."""
    model = onnx.load_from_string(data)
    keys = {p.key: p.value for p in model.metadata_props}
    ranges = yaml.safe_load(keys.pop("FurisoaAI.CalibrationResult"))
    for key, value in keys.items():
        keys[key] = sorted(value.strip("[]").replace("),(", ") (").split(" ")) if "(" in value else sorted(value.split(","))
    return keys, {str(n): numpy.float32([float(x) for x in r]).tolist() for n, r in ranges.items()}, [n.op_type for n in model.graph.node]


def recorded(path):
    with tarfile.open(path) as tar:
        return {pathlib.Path(m.name).name: tar.extractfile(m).read() for m in tar.getmembers()}


def graph_facts(name, data):
    """Of a .dfg its tensors in 8 and 32 bits, in any order; of a model its nodes and its initializers."""
    if not name.endswith(".dfg"):
        model = onnx.load_from_string(data)
        return [n.op_type for n in model.graph.node], sorted(t.raw_data for t in model.graph.initializer)
    with tempfile.NamedTemporaryFile() as file:
        pathlib.Path(file.name).write_bytes(data)
        return sorted(map(repr, vendor_quantize.dfg_tensors(file.name)))


def counted(names):
    return " ".join(f"{name}:{n}" for name, n in sorted(collections.Counter(names).items()))


def closed_graphs(program, python, folder, only):
    graphs = {}
    for make in closed_networks.NETWORKS:
        name = make.__name__
        if only not in name:
            continue
        net, outputs = make()
        net.save(folder / f"{name}.onnx", *outputs)
        _, bad = closed_loop.check(program, python, "0.9", folder / f"{name}.onnx", folder / f"{name}-0.9", [])
        if bad:
            print(*(f"{name}: {line}" for line in bad), sep="\n")
        floats, every = vendor_venv.operators((folder / f"{name}-0.9" / "model_quantized.dfg.dot").read_text())
        graphs[name] = {"in_float": counted(floats), "operators": counted(every)}
    return graphs


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--write", action="store_true")
    p.add_argument("--only", default="")
    o = p.parse_args()
    pythons = vendor_venv.pythons(o.build, *vendor_venv.SDKS)
    program = pathlib.Path(o.build).resolve() / "npu-advise"
    with tempfile.TemporaryDirectory() as scratch:
        files = write_files(pythons["0.10"], pathlib.Path(scratch), o.only)
        small = write_graphs(pythons, pathlib.Path(scratch), o.only)
        graphs = closed_graphs(program, pythons["0.9"], pathlib.Path(scratch), o.only)
    if o.write:
        ARCHIVE.write_bytes(archive({**recorded(ARCHIVE), **files}, "onnx_0.10"))  # older ones stay
        GRAPHS.write_bytes(archive(small, "graphs"))
        CLOSED.write_text(json.dumps(graphs, indent=1, sort_keys=True) + "\n")
        return
    old_files, old_small, old_graphs = recorded(ARCHIVE), recorded(GRAPHS), json.loads(CLOSED.read_text())
    bad = [name for name in files if name not in old_files or facts(files[name]) != facts(old_files[name])]
    bad += [name for name in small if name not in old_small or graph_facts(name, small[name]) != graph_facts(name, old_small[name])]
    bad += [name for name in graphs if graphs[name] != old_graphs.get(name)]
    print(*(f"{name}: not as recorded" for name in bad), sep="\n", end="\n" if bad else "")
    total = len(files) + len(small) + len(graphs)
    print(f"{total - len(bad)} of {total} as recorded")
    sys.exit(1 if bad or not total else 0)


if __name__ == "__main__":
    main()

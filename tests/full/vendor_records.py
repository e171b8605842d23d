#!/usr/bin/python3
"""What the vendor's tools write today, beside the records of it in tests/vendor that `make check` uses.

  tests/full/vendor_records.py [--build DIR] [--write] [--only TEXT]

onnx_0.10.tar.xz: ten files, beside seven older ones, of the quantizer of SDK 0.10 (FILES: names that YAML quotes, ranges in Some(…), two and three inputs); a record holds
the same keys and the same nodes.  closed_0.9.json: for each network of closed_networks.py the operators of SDK 0.9's graph of its bundle, and those
in float.  --write makes the records anew.  Status 77 without the packages (vendor_venv.py).
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
import vendor_venv

RECORDS = vendor_venv.ROOT / "tests" / "vendor"
ARCHIVE, CLOSED = RECORDS / "onnx_0.10.tar.xz", RECORDS / "closed_0.9.json"
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
            sys.exit(f"{name}: {done.stderr.strip().splitlines()[-1]}")
        files[name] = (folder / f"{name}.onnx").read_bytes()
    return files


def archive(files):
    """The same bytes for the same files."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"onnx_0.10/{name}.onnx")
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


def recorded():
    with tarfile.open(ARCHIVE) as tar:
        return {pathlib.Path(m.name).stem: tar.extractfile(m).read() for m in tar.getmembers()}


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
    pythons = vendor_venv.pythons(o.build, "0.9", "0.10")
    program = pathlib.Path(o.build).resolve() / "npu-advise"
    with tempfile.TemporaryDirectory() as scratch:
        files = write_files(pythons["0.10"], pathlib.Path(scratch), o.only)
        graphs = closed_graphs(program, pythons["0.9"], pathlib.Path(scratch), o.only)
    if o.write:
        ARCHIVE.write_bytes(archive({**recorded(), **files}))  # older ones stay
        CLOSED.write_text(json.dumps(graphs, indent=1, sort_keys=True) + "\n")
        return
    old_files, old_graphs = recorded(), json.loads(CLOSED.read_text())
    bad = [name for name in files if name not in old_files or facts(files[name]) != facts(old_files[name])]
    bad += [name for name in graphs if graphs[name] != old_graphs.get(name)]
    print(*(f"{name}: not as recorded" for name in bad), sep="\n", end="\n" if bad else "")
    print(f"{len(files) + len(graphs) - len(bad)} of {len(files) + len(graphs)} as recorded")
    sys.exit(1 if bad or not files else 0)


if __name__ == "__main__":
    main()

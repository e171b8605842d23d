#!/usr/bin/python3
"""Bundles in the hands of the vendor's own quantizers, and what npu-advise then says of the files that they write.

  tests/full/closed_loop.py [--build DIR] [--only TEXT] [--sdk SDK] [--keep DIR] [--verbose]

For each network of closed_networks.py and each SDK, `apply` writes the bundle of its recommended plan, and the real packages of that
SDK run its quantize.py on three samples.  Then must hold:
  - the vendor's file is read without an error, and nothing that the bundle did is recommended for it again;
  - its latency is within 2 % of that of the bundle's model with the bundle's options;
  - SDK 0.9: operators in float of the vendor's graph (its DOT) are those predicted for the bundle's model, by kind and number, and those
    read from the DFG;
  - SDK 0.8 and 0.10: types of inputs and outputs are those asked for; ranges of 0.10 are those in the file; onnxruntime's values of the
    0.8 file, and npu-exec's, have the signal-to-noise ratio of 8 bits against the bundle's model.
The Pythons with the packages: vendor_venv.py.  Status 77 without.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
import yaml

import closed_networks
import vendor_venv

sys.path.insert(0, str(vendor_venv.ROOT / "tests" / "tools"))
import placement  # noqa: E402

SAMPLES, NEAR, LEAST_DB, TYPE_OPTIONS = 3, 0.02, 20, {"--input-dtype", "--output-dtype"}
RUN_OPTIONS = {"--workers", "--queue-depth", "--devices", "--io-threads", "--fill"}

# In the vendor's Python: quantize.py as it is; the graph of SDK 0.9 is printed beside what it writes.
RUN_SCRIPT = """
import pathlib, runpy, sys
script, data, output = sys.argv[1:]
import furiosa.quantizer
if hasattr(furiosa.quantizer, "Graph"):
    quantize = furiosa.quantizer.quantize
    def kept(*words, **named):
        graph = quantize(*words, **named)
        pathlib.Path(output + ".dot").write_text(graph._to_dot())
        return graph
    furiosa.quantizer.quantize = kept
sys.argv = [script, data, output]
runpy.run_path(script, run_name="__main__")
"""


# In the vendor's Python: decibels of signal over noise of each output of the second model, the first one's taken for right.
COMPARE = """
import sys
import numpy, onnxruntime
data = numpy.load(sys.argv[3])
float_out, quantized = ([o for o in onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, dict(data))] for path in sys.argv[1:3])
for a, b in zip(float_out, quantized):
    print(10 * numpy.log10((a.astype(float) ** 2).sum() / max(((a.astype(float) - b) ** 2).sum(), 1e-30)))
"""


def run(*words, **named):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, **named)


def advised(program, model, options):
    done = run(program, model, "-q", "--json", "-", *options)
    if done.returncode:
        raise ValueError(f"npu-advise {pathlib.Path(model).name}: {done.stderr.strip() or done.stdout.strip()[:300]}")
    return json.loads(done.stdout)


def write_samples(model, folder):
    rng = numpy.random.default_rng(5)
    for k in range(SAMPLES):
        numpy.savez(folder / f"{k}.npz", **{v.name: rng.uniform(size=[d.dim_value for d in v.type.tensor_type.shape.dim]).astype(numpy.float32)
                                            for v in model.graph.input})


def without(options, left_out):
    """Options come in pairs."""
    pairs = zip(options[::2], options[1::2])
    return [word for pair in pairs if pair[0] not in left_out for word in pair]


def without_types(options):
    return without(options, TYPE_OPTIONS)


def asked_types(options):
    """(type of all inputs, type of all outputs) that the bundle's options name; None: as the model has them."""
    words = dict(zip(options[::2], options[1::2]))
    return words.get("--input-dtype"), words.get("--output-dtype")


def counted(program_json):
    return sorted(s["op"] for s in placement.in_float(program_json))


def compile_json(program, model, options):
    done = run(program, "compile", model, "--json", "-", *without(options, RUN_OPTIONS))
    if done.returncode:
        raise ValueError(f"compile {pathlib.Path(model).name}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def check_advice(program, told, vendor_file, options):
    again, own = advised(program, vendor_file, options), advised(program, told["model"], told["options"])
    asked = {a["rule_id"] for a in told["applied"]}
    bad = [f"{c['rule_id']} is recommended again ({c['title']})" for c in again["changes"] + again["by_hand"]
           if c["rule_id"] in asked and c["alone"]["basis"] == "what-if"]
    a, b = again["now"]["latency_ns"], own["now"]["latency_ns"]
    a, b = (x["mid"] if isinstance(x, dict) else x for x in (a, b))
    if abs(a - b) > NEAR * b:
        bad.append(f"{a / 1e6:.3f} ms for the vendor's file, {b / 1e6:.3f} ms for the bundle's model")
    return bad


def check_dot(program, told, vendor_file):
    floats, _ = vendor_venv.operators(pathlib.Path(f"{vendor_file}.dot").read_text())
    bad = []
    for model, options in ((told["model"], told["options"]), (vendor_file, without_types(told["options"]))):
        ours = counted(compile_json(program, model, options))
        if collections.Counter(ours) != collections.Counter(floats):
            bad.append(f"in float: {' '.join(ours) or 'none'} by {pathlib.Path(model).name}, {' '.join(floats) or 'none'} at the vendor")
    return bad


def all_names(path):
    graph = onnx.load(path).graph
    return {name for node in graph.node for name in (*node.input, *node.output)} - {t.name for t in graph.initializer}


def same_range(a, b):
    return a is not None and all(abs(x - y) <= 1e-6 * max(1, abs(y)) for x, y in zip(a, b))


def check_keys(program, told, vendor_file):
    """What the file of SDK 0.10 says of itself, and what npu-advise reads."""
    done = run(program, "inspect", vendor_file, "--json", "-", *without(told["options"], TYPE_OPTIONS | RUN_OPTIONS))
    if done.returncode:
        return [f"inspect: {done.stderr.strip()}"]
    seen, asked, bad = json.loads(done.stdout), asked_types(told["options"]), []
    for values, want in zip((seen["inputs"], seen["outputs"]), asked):
        for v in values:
            seen_type = v.get("application_dtype", v["dtype"])
            if seen_type != (want or "float32"):
                bad.append(f"{v['name']} is {seen_type}, {want or 'float32'} was asked for")
    keys = {p.key: p.value for p in onnx.load(vendor_file).metadata_props}
    told_ranges = {name: values for name, *values in ((k, *v) for k, v in yaml.safe_load(keys["FurisoaAI.CalibrationResult"]).items())}
    read = {t["name"]: t["range"] for t in [*seen["inputs"], *seen["outputs"], *seen["tensors"]] if "range" in t}
    bad += [f"range of {n} is {read.get(n)}, {r} in the file" for n, r in told_ranges.items() if n in all_names(vendor_file) and not same_range(read.get(n), r)]
    return bad + ([] if told_ranges and read else ["no ranges"])


def check_values(python, told, vendor_file, data):
    """SDK 0.8 writes a model that onnxruntime runs."""
    done = run(python, "-c", COMPARE, told["model"], vendor_file, data / "0.npz")
    if done.returncode:
        return [f"onnxruntime: {(done.stderr.strip().splitlines() or ['?'])[-1]}"]
    return [f"{float(v):.1f} dB between onnxruntime's values of the 0.8 file and the float model's" for v in done.stdout.split() if float(v) < LEAST_DB]


def made_networks(folder):
    files = []
    for make in closed_networks.NETWORKS:
        net, outputs = make()
        files.append(folder / f"{make.__name__}.onnx")
        net.save(files[-1], *outputs)
    return files


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--only", default="")
    p.add_argument("--sdk", choices=vendor_venv.SDKS)
    p.add_argument("--keep", help="folder for the bundles, which stay")
    p.add_argument("--models", nargs="*", default=[], help="ONNX files instead of the ten networks")
    p.add_argument("--apply", default="", help="more options of apply, in one word")
    p.add_argument("--verbose", action="store_true")
    o = p.parse_args()
    pythons = vendor_venv.pythons(o.build, *([o.sdk] if o.sdk else vendor_venv.SDKS))
    program, failed, total = pathlib.Path(o.build).resolve() / "npu-advise", 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(o.keep or scratch).resolve()
        for model in [pathlib.Path(m).resolve() for m in o.models] or made_networks(folder):
            if o.only not in model.stem:
                continue
            for sdk, python in pythons.items():
                told, bad = check(program, python, sdk, model, folder / f"{model.stem}-{sdk}", o.apply.split())
                total, failed = total + 1, failed + bool(bad)
                for line in bad or (["as it must be: " + " ".join(a["rule_id"] for a in told["applied"])] if o.verbose else []):
                    print(f"{model.stem} SDK {sdk}: {line}", flush=True)
    print(f"{total - failed} of {total} bundles hold with the vendor's packages")
    sys.exit(1 if failed or not total else 0)


def check(program, python, sdk, model, bundle, more):
    done = run(program, "apply", model, "--sdk", sdk, "--output", bundle, "--json", "-", "-q", *more)
    if done.returncode:
        return None, [f"apply: {done.stderr.strip()}"]
    told, data = json.loads(done.stdout), bundle / "samples"
    data.mkdir(exist_ok=True)
    write_samples(onnx.load(told["model"]), data)
    made = [w for w in (bundle / "reproduce.sh").read_text().split() if w.startswith("model_quantized.")][0]
    done = run(python, "-c", RUN_SCRIPT, bundle / "quantize.py", data, bundle / made, cwd=bundle)
    if done.returncode:
        return told, [f"quantize.py: {(done.stderr.strip().splitlines() or ['?'])[-1]}"]
    (bundle / "quantize.log").write_text(done.stdout)
    try:
        bad = check_advice(program, told, bundle / made, told["options"] if sdk == "0.8" else without_types(told["options"]))
        bad += check_dot(program, told, bundle / made) if sdk == "0.9" else check_keys(program, told, bundle / made) if sdk == "0.10" \
            else check_values(python, told, bundle / made, data)
    except ValueError as e:
        return told, [str(e)]
    return told, bad


if __name__ == "__main__":
    main()

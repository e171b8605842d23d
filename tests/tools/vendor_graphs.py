#!/usr/bin/python3
"""Compares graphs that the vendor's quantizer of SDK 0.9 wrote (.dfg) with the float models that they were made of.

  vendor_graphs.py NPU_ADVISE NPU_EXEC MODELS GRAPHS [EXPLAINED] [--runtime PYTHON]

MODELS and GRAPHS are folders with X.onnx and X.dfg; X_float, X_u8in and X_npo are of X.onnx, too.  Of each pair:
  weights   int8 constants times their scale are within half a step of the model's
  values    `npu-exec --values` of the graph is within 3 codes of the float model in 99 % of the elements; inputs are drawn from their
            calibrated range; the float model runs in npu-exec, with --runtime in onnxruntime of that Python
  advice    `npu-advise` finds what it finds in the float model: the same rules at the same tensors, latency within 2 %
EXPLAINED has "CASE PART reason" for parts that are known to differ; a difference without a reason and a reason without a difference
are problems (status 1).
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnx.numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "full"))
import vendor_quantize  # noqa: E402

CODES, SHARE, NEAR, HALF = 3, 0.99, 0.02, 0.5 + 1e-4
RUN = """
import sys
import numpy, onnxruntime
model, folder, *inputs = sys.argv[1:]
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
for i, y in enumerate(session.run(None, {v.name: numpy.load(x) for v, x in zip(session.get_inputs(), inputs)})):
    numpy.save(f"{folder}/output_{i}.npy", y)
"""


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        raise ValueError((done.stderr.strip().splitlines() or ["?"])[-1].replace(f"{words[1]}: ", ""))
    return done.stdout


def json_of(*words):
    return json.loads(run(*words, "--json", "-", "-q"))


def model_of(folder, name):
    paths = [folder / f"{stem}.onnx" for stem in (name, re.sub("_(float|u8in|npo)$", "", name))]
    return next((p for p in paths if p.exists()), None)


# ---- weights ----

def steps_off(codes, ranges, floats):
    """The largest distance in steps; the axis of the ranges may be any of the codes', and elements of a channel in any order."""
    scale = numpy.array([(high - low) / 255 for low, high in ranges])
    n, far = len(scale), numpy.inf
    if floats.size != codes.size:
        return far
    splits = [d for d in range(1, codes.size // n + 1) if codes.size // n % d == 0]
    tables = [numpy.sort(numpy.moveaxis(codes.reshape(d, n, -1), 1, 0).reshape(n, -1), axis=1) for d in splits]
    for axis in (k for k in range(floats.ndim) if floats.shape[k] == n):
        exact = numpy.sort(numpy.moveaxis(floats, axis, 0).reshape(n, -1) / scale[:, None], axis=1)
        far = min([far, *(numpy.abs(exact - table).max() for table in tables)])
    return far


def check_weights(_, model, __, tensors):
    floats = {t.name: onnx.numpy_helper.to_array(t) for t in onnx.load(str(model)).graph.initializer}
    bad = ["no weights of the model"]
    for element, ranges, constant, names in tensors:
        of = [floats[f] for f in floats for n in names if n.startswith(f + "_")]
        if constant is None or element != 3 or len(ranges) < 2 or not of:
            continue
        bad = [b for b in bad if not b.startswith("no ")]
        far = min(steps_off(numpy.frombuffer(constant, numpy.int8).astype(float), ranges, f) for f in of)
        if far > HALF:
            bad.append(f"{names[0]} is {far:.2f} steps off")
    return bad


# ---- values ----

def range_of(tensors, name, floats):
    """Of the tensor in 8 bits that has this name in the model, of the values where it is float32; widened to contain 0."""
    low, high = next((r[0] for element, r, constant, names in tensors if element in (2, 3) and constant is None and names[:1] == [name]),
                     (floats.min(), floats.max()))
    return min(low, 0), max(high, 0)


def outputs_of(program, model, inputs, folder):
    """With a Python that has onnxruntime in place of npu-exec, the outputs of the float model there."""
    (folder / "out").mkdir(parents=True)
    for i, x in enumerate(inputs):
        numpy.save(folder / f"input_{i}.npy", x)
    if program.name == "npu-exec":
        run(program, model, "--values", "--input-dir", folder, "--output-dir", folder / "out")
    else:
        run(program, "-c", RUN, model, folder / "out", *(folder / f"input_{i}.npy" for i in range(len(inputs))))
    return [numpy.load(f) for f in sorted((folder / "out").glob("*.npy"))]


def real(values, low, high):
    """Floats as they are, codes as what they stand for."""
    step = (high - low) / 255
    if values.dtype == numpy.float32:
        return values
    zero = (-128 if values.dtype == numpy.int8 else 0) - round(low / step)
    return (values.astype(float) - zero) * step


def check_values(o, model, graph, tensors):
    float_graph, draw = onnx.load(str(model)).graph, numpy.random.default_rng(7)
    made = {t.name for t in float_graph.initializer}
    given, fed = [], []
    pixels = [t["dtype"] == "uint8" for t in json_of(o.advise, "inspect", graph)["inputs"]]
    for v, is_pixels in zip((v for v in float_graph.input if v.name not in made), pixels):
        low, high = range_of(tensors, v.name, numpy.float32([0, 1]))
        codes = draw.integers(0, 256, [d.dim_value for d in v.type.tensor_type.shape.dim], dtype=numpy.uint8)
        given.append((codes * ((high - low) / 255) + low).astype(numpy.float32))
        fed.append(codes if is_pixels else given[-1])
    off = []
    with tempfile.TemporaryDirectory() as scratch:
        found = outputs_of(o.exec, graph, fed, pathlib.Path(scratch) / "graph")
        want = outputs_of(o.runtime or o.exec, model, given, pathlib.Path(scratch) / "model")
    for v, y, x in zip(float_graph.output, found, want):
        low, high = range_of(tensors, v.name, x)
        off.append((numpy.abs(real(y, low, high) - x.clip(low, high)) / ((high - low) / 255)).ravel())
    off = numpy.concatenate(off)
    share = (off <= CODES).mean()
    return [] if share >= SHARE else [f"{100 * share:.2f} % within {CODES} codes, the most {off.max():.1f}"]


# ---- advice ----

def rules(result):
    """Each rule with its tensors; in a graph a tensor can have a second name, /real of its values and _2 of a conversion."""
    return {f"{c['rule_id']} {re.sub('/real$|_2$', '', o['tensor'] or '-')}" for kind in ("changes", "by_hand", "observations", "suppressed")
            for c in result[kind] for o in c["occurrences"]}


def check_advice(o, model, graph, _):
    options = ["--input-dtype", "uint8"] * graph.stem.endswith(("_u8in", "_npo")) + ["--output-dtype", "uint8"] * graph.stem.endswith("_npo")
    of_model, of_graph = json_of(o.advise, model, "--sdk", "0.9", *options), json_of(o.advise, graph, "--sdk", "0.9")
    a, b = (r["now"]["latency_ns"] for r in (of_model, of_graph))
    bad = [f"{b / 1e3:.1f} us, {a / 1e3:.1f} us of the model"] if abs(a - b) > NEAR * a else []
    more, fewer = rules(of_graph) - rules(of_model), rules(of_model) - rules(of_graph)
    return bad + ([f"{', '.join(sorted(more)) or 'no rule'} more; {', '.join(sorted(fewer)) or 'none'} fewer"] if more or fewer else [])


PARTS = {"weights": check_weights, "values": check_values, "advice": check_advice}


def verdict(check, *words):
    try:
        return "; ".join(check(*words))
    except ValueError as e:
        return str(e)


def explanations(path):
    if not path:
        return {}
    return {tuple(words[:2]): words[2] for words in (line.split(maxsplit=2) for line in path.read_text().splitlines())}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for word in ("advise", "exec", "models", "graphs"):
        p.add_argument(word, type=pathlib.Path)
    p.add_argument("explained", nargs="?", type=pathlib.Path)
    p.add_argument("--runtime", type=pathlib.Path)
    p.add_argument("--only", default="", help="every graph whose name has one of these texts, with commas between")
    o = p.parse_args()
    explained, equal, problems, total = explanations(o.explained), dict.fromkeys(PARTS, 0), 0, 0
    for graph in (g for g in sorted(o.graphs.glob("*.dfg")) if any(text in g.stem for text in o.only.split(","))):
        model, tensors = model_of(o.models, graph.stem), list(vendor_quantize.dfg_tensors(graph))
        total += 1
        for part, check in PARTS.items():
            bad, reason = verdict(check, o, model, graph, tensors), explained.get((graph.stem, part))
            equal[part] += not bad
            problems += bool(bad) != bool(reason)
            if bad or reason:
                print(f"{graph.stem} {part}: {bad or 'equal'}: {reason or 'not explained'}")
    print(f"{total} graphs: " + ", ".join(f"{part} of {n} hold" for part, n in equal.items()))
    sys.exit(1 if problems or not total else 0)


if __name__ == "__main__":
    main()

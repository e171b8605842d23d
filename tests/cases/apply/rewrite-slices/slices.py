"""Takes a tensor apart by Slices, rewrites each of them, and runs both models on ten inputs."""
import json
import os
import subprocess
import sys

import numpy
from onnx import TensorProto, helper, load, numpy_helper, save

sys.path.insert(0, os.path.join(os.environ["ROOT"], "tests", "tools"))
import executed  # noqa: E402

SCALES = {"s": numpy.float32(0.02), "z": numpy.int8(3), "s2": numpy.float32(0.03)}


def network(cuts, coded, axis=2, opset=13, read_twice=False, bare=False, end_here=False):
    """Relu(x), [2, 3, 12], cut along an axis; each part, quantized if `coded`, goes to an activation of its own."""
    inits, nodes = {**SCALES}, [helper.make_node("Relu", ["x"], ["r"])]

    def codes(t, scale):
        nodes.append(helper.make_node("QuantizeLinear", [t, scale, "z"], [t + "_q"]))
        nodes.append(helper.make_node("DequantizeLinear", [t + "_q", scale, "z"], [t + "_d"]))
        return t + "_d"
    source, outs = codes("r", "s") if coded else "r", []
    for k, (first, end) in enumerate(cuts):
        inits |= {f"first{k}": numpy.array([first]), f"end{k}": numpy.array([end]), f"axis{k}": numpy.array([axis])}
        nodes.append(helper.make_node("Slice", [source, f"first{k}", f"end{k}", f"axis{k}"], [f"t{k}"], name=f"slice{k}"))
        if end_here and k == 0:
            outs.append("t0")
            continue
        at = codes(f"t{k}", "s2") if coded and not (bare and k == 0) else f"t{k}"
        nodes.append(helper.make_node(("Sigmoid", "Tanh")[k % 2], [at], [f"y{k}"]))
        outs.append(f"y{k}")
    if read_twice:
        nodes.append(helper.make_node("Sigmoid", ["t0"], ["also"]))
        outs.append("also")
    used = {i for n in nodes for i in n.input}
    values = [numpy_helper.from_array(v, n) for n, v in inits.items() if n in used]
    g = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3, 12])],
                          [helper.make_tensor_value_info(o, TensorProto.FLOAT, None) for o in outs], values)
    return helper.make_model(g, opset_imports=[helper.make_opsetid("", opset)], ir_version=7)


HALVES, GATES, SOME = [(0, 6), (6, 12)], [(9, 12), (0, 3), (6, 9), (3, 6)], [(0, 5), (6, 12)]
MODELS = {
    "halves": network(HALVES, True),
    "gates in another order": network(GATES, True),
    "unequal parts, from the end": network([(0, -4), (-4, 2**60)], True),
    "halves in float": network(HALVES, False),
    "halves in float, opset 11": network(HALVES, False, opset=11),
    "along the rows": network([(0, 1), (1, 3)], True, axis=1),
    "a gap, in float": network(SOME, False),
    "a gap": network(SOME, True),
    "parts that overlap": network([(0, 7), (6, 12)], True),
    "a part that is read in float": network(HALVES, True, read_twice=True),
    "a part without scales": network(HALVES, True, bare=True),
    "a part that is an output": network(HALVES, True, end_here=True),
    "a part that is an output, in float": network(HALVES, False, end_here=True),
}


def on_host(path, sdk):
    done = subprocess.run([sys.argv[2], "compile", path, "--sdk", sdk, "--json", "-"], check=True, capture_output=True)
    return sum(s["kind"] == "host" and s["op"] in ("Slice", "Split") and bool(s["nodes"]) for s in json.loads(done.stdout)["steps"])


for name, m in MODELS.items():
    save(m, "before.onnx")
    edits = [word for n in m.graph.node if n.op_type == "Slice" for word in ("rewrite", n.output[0], "spell-out")]
    done = subprocess.run(["./edit_model", "before.onnx", "after.onnx", *edits], capture_output=True, text=True)
    if done.returncode:
        print(f"{name}: refused: {done.stderr.strip().split('spell-out: ')[-1]}")
        continue
    inputs = [numpy.random.default_rng(k).normal(size=(2, 3, 12)).astype(numpy.float32) for k in range(10)]
    same = sum(all(map(numpy.array_equal, executed.outputs(sys.argv[1], "before.onnx", x), executed.outputs(sys.argv[1], "after.onnx", x))) for x in inputs)
    made = [n.op_type for n in load("after.onnx").graph.node if n.op_type in ("Slice", "Split")]
    hosts = ", ".join(f"{on_host('before.onnx', sdk)} to {on_host('after.onnx', sdk)} of SDK {sdk}" for sdk in ("0.8", "0.9"))
    print(f"{name}: {' '.join(made)}; {same} of 10 equal; on the host {hosts}")

"""Variants of networks, a node changed in each: near.py FOLDER EVERY: of a large network one of EVERY variants, of a small one one of three."""
import collections
import copy
import os
import pathlib
import re
import subprocess
import sys
import zlib

import numpy
import onnx
from onnx import helper, numpy_helper

COUSIN = {"Add": "Sub", "Sub": "Add", "Mul": "Div", "Div": "Mul", "Relu": "Sigmoid", "Sigmoid": "Tanh", "Tanh": "Sigmoid", "Sqrt": "Exp", "Exp": "Sqrt", "Erf": "Tanh", "Pow": "Mul",
          "ReduceMean": "ReduceSum", "Reciprocal": "Sqrt", "MatMul": "Mul", "Reshape": "Expand", "Gather": "GatherElements", "Softmax": "LogSoftmax", "Squeeze": "Identity", "Unsqueeze": "Identity"}


def constants_of(model):
    found = {t.name: t for t in model.graph.initializer}
    found.update({n.output[0]: n.attribute[0].t for n in model.graph.node if n.op_type == "Constant" and n.attribute[0].HasField("t")})
    return found


def cousin(model, n):
    if n.op_type not in COUSIN:
        return False
    n.op_type = COUSIN[n.op_type]
    return True


def swapped(model, n):
    if len(n.input) < 2 or not all(n.input[:2]):
        return False
    n.input[0], n.input[1] = n.input[1], n.input[0]
    return True


def backwards(model, n):
    if len(n.input) < 3 or n.op_type != "Concat":
        return False
    names = list(n.input)[::-1]
    del n.input[:]
    n.input.extend(names)
    return True


def shorter(model, n):
    if len(n.input) < 2 or n.op_type not in ("Concat", "Slice", "Reshape", "Conv", "Gather", "Clip"):
        return False
    del n.input[-1]
    return True


def same_twice(model, n):
    if len(n.input) < 2 or n.input[0] == n.input[1] or n.op_type in ("Conv", "Reshape", "Slice"):
        return False
    n.input[1] = n.input[0]
    return True


def attribute(model, n):
    for a in n.attribute:
        if a.name in ("axis", "keepdims", "group"):
            a.i += 1 if a.i != -1 else -1
            return True
        if a.name in ("perm", "axes", "split", "strides", "pads"):
            numbers = list(a.ints)[::-1]
            if numbers == list(a.ints):
                numbers[-1] += 1
            del a.ints[:]
            a.ints.extend(numbers)
            return True
    return False


def number(model, n):
    """A constant that it reads is a little larger."""
    known = constants_of(model)
    for name in n.input:
        if name in known and n.op_type not in ("Conv", "Gemm", "MatMul"):
            old = numpy_helper.to_array(known[name])
            new = (old * 1.0625).astype(old.dtype) if old.dtype.kind == "f" else old + (old > 0).astype(old.dtype)
            known[name].CopyFrom(numpy_helper.from_array(numpy.ascontiguousarray(new), known[name].name))
            return True
    return False


def seen(model, n):
    """Its output is one of the network too."""
    if any(o.name == n.output[0] for o in model.graph.output) or n.op_type == "Constant":
        return False
    model.graph.output.append(helper.make_tensor_value_info(n.output[0], onnx.TensorProto.FLOAT, None))
    return True


def behind(count):
    """So many that change nothing before it."""
    def change(model, n):
        if not n.input or n.op_type == "Constant" or n.input[0] in constants_of(model):
            return False
        at = list(model.graph.node).index(n)
        name = n.input[0]
        for i in range(count):
            model.graph.node.insert(at + i, helper.make_node("Identity", [name], [f"{n.output[0]}.{i}"]))
            name = f"{n.output[0]}.{i}"
        model.graph.node[at + count].input[0] = name
        return True
    return change


CHANGES = {"cousin": cousin, "swapped": swapped, "backwards": backwards, "shorter": shorter, "twice": same_twice, "attribute": attribute, "number": number, "seen": seen,
           "7 Identities": behind(7), "8 Identities": behind(8), "9 Identities": behind(9)}


def patterns(model):
    """The patterns that the facts name, or why there are no facts."""
    onnx.save(model, "variant.onnx")
    done = subprocess.run([os.environ["NPU_ADVISE"], "facts", "variant.onnx", "--quiet"], capture_output=True, text=True)
    if done.returncode:
        return f"status {done.returncode}"
    found = collections.Counter(re.findall(r'kind="sequence" what="([^"]*)"', done.stdout))
    return ", ".join(f"{n} {what}" for what, n in sorted(found.items())) or "none"


most = int(sys.argv[2])
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.onnx")):
    base = onnx.load(path)
    whole = patterns(base)
    if whole == "none":
        continue
    every = 3 if len(base.graph.node) < 20 else most
    rows = collections.defaultdict(list)
    for i, node in enumerate(base.graph.node):
        for what, change in CHANGES.items():
            if zlib.crc32(f"{path.stem}:{i}:{what}".encode()) % every:
                continue
            model = copy.deepcopy(base)
            if change(model, model.graph.node[i]):
                rows[what].append((node.op_type, patterns(model)))
    print(f"== {path.stem}: {whole}")
    for what, found in rows.items():
        lost = [f"{op}: {left}" for op, left in found if left != whole]
        print(f"{what}: {len(found) - len(lost)} of {len(found)} keep them" + "".join(f"; {x}" for x in lost))
os.remove("variant.onnx")

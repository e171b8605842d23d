"""Models of many nodes that have nothing to do with one another; an input is written TYPE:SIZE x SIZE, a constant [1,2], =1 (no axis), ~1.5 or ~[1.5] (floats), ^[1] (unsigned), nothing -."""
import json
import os
import re
import subprocess
import sys

import numpy
from onnx import AttributeProto, TensorProto as T, helper as h, numpy_helper, parser

TYPES = dict(f=T.FLOAT, i=T.INT64, j=T.INT32, u=T.UINT8, c=T.INT8, b=T.BOOL, s=T.STRING, d=T.DOUBLE, h=T.FLOAT16)
MS, ML = "com.microsoft", "ai.onnx.ml"
nodes, inputs, constants, declared, shown = [], [], [], [], []


def typed(name, text):
    size = None if text[1:] == "?" else [int(d) if d.isdigit() else None if d == "?" else d for d in text[2:].split("x") if d]
    return h.make_tensor_value_info(name, TYPES[text[0]], size)


def argument(text):
    if text == "-":
        return ""
    if text[0] in "@":
        return text[1:]
    if text[0] in "[=~^":
        kind = {"~": numpy.float32, "^": numpy.uint64}.get(text[0], numpy.int64)
        value = numpy.array(json.loads(text.lstrip("=~^")), kind)
        constants.append(numpy_helper.from_array(value, f"c{len(constants)}"))
        return constants[-1].name
    name = f"x{len(inputs)}"
    inputs.append(typed(name, text))
    return name


def o(op, ins="", n=1, domain="", says="", **attrs):
    """`says`: what the model declares of what comes out."""
    k = len(nodes)
    outs = [f"n{k}" + (f".{i}" if i else "") for i in range(n)]
    declared.extend(typed(name, text) for name, text in zip(outs, says.split()))
    nodes.append(h.make_node(op, [argument(t) for t in ins.split()], outs, f"{op}_{k}", domain=domain, **{n: v for n, v in attrs.items() if v != ()}))
    # A newer onnx makes no empty list.
    nodes[-1].attribute.extend(AttributeProto(name=n, type=AttributeProto.INTS) for n, v in attrs.items() if v == ())
    shown.append((op + " " + ins, outs))
    return "@" + outs[0]


def value(op, ins="", more=0, flat=False, n=1, **attrs):
    """What is computed, more than which by `more`: it is the shape of what ConstantOfShape makes."""
    it = o(op, ins, n, **attrs)
    shown.pop()
    if flat:
        it = quiet("Reshape", it + " [-1]")
    if more:
        it = quiet("Add", f"{quiet('Cast', it, to=T.INT64)} [{more}]")
    quiet("ConstantOfShape", it)
    shown.append((f"{op} {ins}" + (f" + {more}" if more else ""), [f"n{len(nodes) - 1}"]))


def body(text):
    """A graph inside, of which "IN …:OUT …:NODE …" is written; it declares floats, bools (c, d) and a count (k), and no shapes."""
    ins, outs, made = text.split(":", 2)
    kind = lambda name: {"c": "bool[]", "d": "bool[]", "k": "int64[]"}.get(name, "float[]") + " " + name
    return parser.parse_graph(f"body ({', '.join(map(kind, ins.split()))}) => ({', '.join(map(kind, outs.split()))}) {{ {made} }}")


def nowhere(op, ins, **attrs):
    """What nobody asked for: the node has one output, without a name."""
    o(op, ins, **attrs)
    shown.pop()
    nodes[-1].output[0] = ""


def quiet(*words, **attrs):
    name = o(*words, **attrs)
    shown.pop()
    return name


def model(title, opset):
    found = {}
    made = {i for node in nodes for i in node.input}
    last = [i for node in nodes for i in node.output if i and i not in made]
    g = h.make_graph(nodes, "g", inputs, [h.make_empty_tensor_value_info(i) for i in last], constants, value_info=[d for d in declared if d.name in made])
    m = h.make_model(g, opset_imports=[h.make_opsetid("", opset), h.make_opsetid(MS, 1), h.make_opsetid(ML, 3)])
    m.ir_version = 8
    open("m.onnx", "wb").write(m.SerializeToString())
    done = subprocess.run([os.environ["NPU_ADVISE"], "inspect", "m.onnx", "--json", "r.json"], capture_output=True, text=True)
    print(f"== {title}")
    sys.stdout.write(done.stderr)
    if done.returncode == 0:
        r = json.load(open("r.json"))
        found = {t["name"]: t for t in r["tensors"]}
        macs = {node.output[0]: n["macs"] for node, n in zip(nodes, r["nodes"])}
        for text, outs in shown:
            said = "; ".join(f"{found[i]['dtype']} {found[i]['shape']}" if i in found else "nothing" for i in outs)
            print(f"{text} -> {said}" + {0: "", None: "; MACs unknown"}.get(m := macs.get(outs[0], 0), f"; MACs {m}"))
    for used in (nodes, inputs, constants, declared, shown):
        used.clear()


exec(open("nodes").read())

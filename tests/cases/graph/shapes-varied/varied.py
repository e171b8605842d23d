"""varied.py SHAPES-MANY: its models, with one kind of change made to every node; what then comes out of each goes to CHANGE.said."""
import contextlib
import copy
import json
import os
import pathlib
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto as T, helper as h, numpy_helper

COLUMN = {T.FLOAT: T.FLOAT16, T.INT64: T.INT32, T.INT32: T.INT64, T.UINT8: T.INT8, T.INT8: T.UINT8, T.BOOL: T.UINT8, T.FLOAT16: T.DOUBLE}
FORM = {T.INT64: "i8", T.INT32: "i4", T.FLOAT: "f4", T.UINT8: "u1"}


def dims(change):
    """The sizes of every input of the model that has some."""
    def done(m):
        for i in m.graph.input:
            t = i.type.tensor_type
            if t.HasField("shape"):
                d = list(t.shape.dim)
                del t.shape.dim[:]
                t.shape.dim.extend(change(d))
    return done


def size(value):
    d = onnx.TensorShapeProto.Dimension()
    if isinstance(value, int):
        d.dim_value = value
    elif value:
        d.dim_param = value
    return d


def plus(by):
    return lambda d: [size(x.dim_value + by) if x.HasField("dim_value") else x for x in d]


def nodes(change):
    def done(m):
        for n in m.graph.node:
            if n.op_type not in ("Constant", "Loop", "If", "Scan"):
                change(n)
    return done


def attributes(kind, change):
    def done(n):
        for a in n.attribute:
            if a.type == onnx.AttributeProto.INT and kind == "i":
                a.i = change(a.i)
            if a.type == onnx.AttributeProto.INTS and kind == "s":
                numbers = change(list(a.ints))
                del a.ints[:]
                a.ints.extend(numbers)
    return nodes(done)


def cut(n):
    if len(n.input) > 1:
        del n.input[-1]


def without_second(n):
    if len(n.input) > 2:
        n.input[1] = ""


def swapped(n):
    if len(n.input) > 1:
        n.input[0], n.input[1] = n.input[1], n.input[0]


def twice(n):
    if n.input and n.input[0]:
        n.input.append(n.input[0])


def bare(n):
    del n.attribute[:]


def constants(change):
    def done(m):
        for t in m.graph.initializer:
            x = numpy_helper.to_array(t)
            t.CopyFrom(numpy_helper.from_array(numpy.ascontiguousarray(change(x)), t.name))
    return done


def negated(x):
    return -x if x.dtype.kind != "u" else x + 1


def unknown(m):
    """What was constant is fed: of its numbers nothing is known."""
    for t in m.graph.initializer:
        m.graph.input.append(h.make_tensor_value_info(t.name, t.data_type, list(t.dims)))
    del m.graph.initializer[:]


def given(m):
    """What was fed is constant: its numbers are 0, 1, 2 and so on."""
    for i in list(m.graph.input):
        t = i.type.tensor_type
        known = [d.dim_value for d in t.shape.dim]
        if t.HasField("shape") and all(d.HasField("dim_value") for d in t.shape.dim) and 0 < numpy.prod(known) <= 64 and t.elem_type in FORM:
            x = numpy.arange(numpy.prod(known)).reshape(known).astype(FORM[t.elem_type])
            m.graph.initializer.append(numpy_helper.from_array(x, i.name))
            m.graph.input.remove(i)


def other_types(m):
    for i in m.graph.input:
        i.type.tensor_type.elem_type = COLUMN.get(i.type.tensor_type.elem_type, T.FLOAT)


def shapeless(m):
    for i in m.graph.input:
        i.type.tensor_type.ClearField("shape")


def opset(number):
    def done(m):
        m.opset_import[0].version = number
    return done


CHANGES = {
    "axis-more": dims(lambda d: d + [size(1)]), "axis-before": dims(lambda d: [size(2)] + d), "axis-less": dims(lambda d: d[:-1]), "one-larger": dims(plus(1)), "one-smaller": dims(plus(-1)), "last-unknown": dims(lambda d: d[:-1] + [size(None)] if d else d), "all-unknown": dims(lambda d: [size(None)] * len(d)), "all-named": dims(lambda d: [size(f"N{i}") for i in range(len(d))]),
    "last-none": dims(lambda d: d[:-1] + [size(0)] if d else d), "backwards": dims(lambda d: d[::-1]), "shapeless": shapeless, "types": other_types, "cut": nodes(cut), "without-second": nodes(without_second), "swapped": nodes(swapped), "input-more": nodes(twice), "bare": nodes(bare), "number-more": attributes("i", lambda v: v + 1), "number-less": attributes("i", lambda v: v - 1), "numbers-more": attributes("s", lambda v: [x + 1 for x in v]), "numbers-less": attributes("s", lambda v: [x - 1 for x in v]), "numbers-shorter": attributes("s", lambda v: v[:-1]), "constants-more": constants(lambda x: x + x.dtype.type(1)),
    "constants-negated": constants(negated), "constants-longer": constants(lambda x: numpy.append(x, x[-1:], 0) if x.ndim else x), "constants-shorter": constants(lambda x: x[:-1] if x.ndim and len(x) > 1 else x),
    "constants-small": constants(lambda x: x.astype("i4") if x.dtype == numpy.int64 else x), "constants-unknown": unknown, "inputs-given": given,
    "opset-7": opset(7), "opset-13": opset(13), "opset-18": opset(18), "opset-24": opset(24)}


def show(model, out):
    pathlib.Path("m.onnx").write_bytes(model.SerializeToString())
    done = subprocess.run([os.environ["NPU_ADVISE"], "inspect", "m.onnx", "--json", "r.json"], capture_output=True, text=True)
    print(done.returncode, done.stderr, file=out)
    if done.returncode:
        return
    r = json.load(open("r.json"))
    found = {t["name"]: t for t in r["tensors"]}
    for node, n in zip(model.graph.node, r["nodes"]):
        said = "; ".join(f"{found[i]['dtype']} {found[i]['shape']}" if i in found else "nothing" for i in node.output)
        print(f"{node.name} -> {said}; MACs {n['macs']}", file=out)


models = []
folder = pathlib.Path(sys.argv[1])
room = {"__name__": "nodes"}
text = (folder / "nodes.py").read_text()
exec(text[:text.index("exec(open")], room)


def keep(title, opset, varied=True):
    """In the place of model()."""
    made = {i for node in room["nodes"] for i in node.input}
    last = [i for node in room["nodes"] for i in node.output if i and i not in made]
    g = h.make_graph(room["nodes"], "g", room["inputs"], [h.make_empty_tensor_value_info(i) for i in last], room["constants"], value_info=[d for d in room["declared"] if d.name in made])
    m = h.make_model(g, opset_imports=[h.make_opsetid("", opset), h.make_opsetid(room["MS"], 1), h.make_opsetid(room["ML"], 3)])
    m.ir_version = 8
    if varied:
        models.append((title, copy.deepcopy(m)))
    for used in ("nodes", "inputs", "constants", "declared", "shown"):
        room[used].clear()


room["model"] = keep
exec((folder / "nodes").read_text(), room)
for what, change in CHANGES.items():
    with open(f"{what}.said", "w") as out, contextlib.suppress(BrokenPipeError):
        for title, base in models:
            model = copy.deepcopy(base)
            change(model)
            print(f"== {title}", file=out)
            show(model, out)

"""Operators of TensorFlow Lite in the forms that few files have: each is mapped, and what becomes of it is said."""
import os
import subprocess
import sys

import onnx

sys.path.insert(0, os.path.join(os.environ["ROOT"], "tests", "tools"))
import make_tflite  # noqa: E402

STEP = {"1": ["i32", 1], "2": ["i32", 1]}


def fed(*shape, kind="float32", **more):
    return {"type": kind, "shape": list(shape), **more}


def held(shape, data=None, kind="int32", **more):
    n = 1
    for d in shape:
        n *= d
    return {"type": kind, "shape": list(shape), "data": list(range(1, n + 1)) if data is None else data, **more}


def ints(*values):
    return held([len(values)], list(values))


def say(name, model):
    with open("m.tflite", "wb") as f:
        f.write(make_tflite.make(model))
    done = subprocess.run(["./edit_model", "m.tflite", "m.onnx"], capture_output=True, text=True)
    if done.returncode:
        print(name, "=>", "refused:", done.stderr.strip().split(": ", 1)[1])
        return
    nodes = []
    for n in onnx.load("m.onnx").graph.node:
        told = ", ".join(f"{a.name}={onnx.helper.get_attribute_value(a)}" for a in n.attribute if a.type != a.TENSOR)
        if not n.name.endswith("/layout") and n.input != ["in0/nchw", "same"]:
            nodes.append(n.op_type + (f"<{told}>" if told else ""))
    print(name, "=>", " ".join(nodes))


def one(name, code, ins, outs, options=None, behind=(False, True), **more):
    """The operator at the input, and behind a convolution that keeps every value."""
    for is_behind in behind:
        tensors, ops, place = [], [], []
        for i, t in enumerate(ins):
            place.append(-1 if t is None else len(tensors))
            if t is None:
                continue
            tensors.append({"name": f"in{i}", **t})
            shape = t["shape"]
            if is_behind and "data" not in t and len(shape) == 4 and t["type"] == "float32" and shape[3] > 0:
                c = shape[3]
                tensors.append({"name": f"one{i}", "type": "float32", "shape": [c, 1, 1, c], "data": [int(k % (c + 1) == 0) for k in range(c * c)]})
                tensors.append({"name": f"same{i}", **t})
                ops.append({"op": 3, "in": [place[-1], place[-1] + 1, -1], "out": [place[-1] + 2], "options": [1, STEP]})
                place[-1] += 2
        if is_behind and not ops:
            continue
        first = len(tensors)
        tensors += [{"name": f"out{i}", **t} for i, t in enumerate(outs)]
        op = {"op": code, "in": place, "out": list(range(first, len(tensors))), **more}
        if options:
            op["options"] = options
        inputs = [i for i, t in enumerate(tensors) if t["name"].startswith("in") and "data" not in t]
        say(name + (", behind" if is_behind else ""),
            {"tensors": tensors, "operators": ops + [op], "inputs": inputs, "outputs": op["out"]})


def window(padding=1, h=1, w=1, dh=None, dw=None, act=0, first_dilation=4, at_act=3):
    fields = {"0": ["i8", padding], "1": ["i32", w], "2": ["i32", h], str(at_act): ["i8", act]}
    if dh is not None:
        fields.update({str(first_dilation): ["i32", dw], str(first_dilation + 1): ["i32", dh]})
    return fields


IMAGE = fed(1, 6, 8, 4)
W = held([2, 3, 2, 4], kind="float32")
for padding, h, w in ((0, 1, 1), (0, 2, 3), (0, 3, 2), (1, 2, 1), (0, 5, 5), (0, 7, 9), (2, 1, 1), (0, 0, 1), (0, 1, 0), (1, -1, 1)):
    one(f"window {padding} {h} {w}", 3, [IMAGE, W, None], [fed(1, 1, 1, 2)], [1, window(padding, h, w)], behind=(False,))
    one(f"pool {padding} {h} {w}", 1, [IMAGE], [fed(1, 1, 1, 4)],
        [5, {"0": ["i8", padding], "1": ["i32", w], "2": ["i32", h], "3": ["i32", 2], "4": ["i32", 3], "5": ["i8", 1]}], behind=(False,))
for dh, dw in ((2, 1), (1, 2), (2, 3), (0, 1), (1, -1)):
    one(f"dilated {dh} {dw}", 3, [IMAGE, W, held([2], kind="float32")], [fed(1, 1, 1, 2)], [1, window(0, 1, 1, dh, dw, 1)], behind=(False,))
    one(f"depthwise dilated {dh} {dw}", 4, [IMAGE, held([1, 3, 2, 8], kind="float32"), None], [fed(1, 1, 1, 8)],
        [2, window(0, 2, 1, dh, dw, 3, 5, 4)], behind=(False,))
for shape in ([2, 3, 2, 2], [2, 3, 2, 1], [2, 3, 2, 3], [2, 3, 2, 8], [2, 3, 2]):
    one(f"weights {shape}", 3, [IMAGE, held(shape, kind="float32"), None], [fed(1, 1, 1, 2)], [1, window()], behind=(False,))
for shape in ([1, 3, 2, 4], [1, 3, 2, 6], [2, 3, 2, 4], [1, 3, 2, 3]):
    one(f"depthwise weights {shape}", 4, [IMAGE, held(shape, kind="float32"), None], [fed(1, 1, 1, shape[3])], [2, window()], behind=(False,))
one("no window", 17, [IMAGE], [fed(1, 6, 8, 4)], behind=(False,))
one("L2 pool with an activation", 12, [IMAGE], [fed(1, 3, 4, 4)], [5, {"1": ["i32", 2], "2": ["i32", 2], "3": ["i32", 2], "4": ["i32", 2], "5": ["i8", 3]}])
for act in range(7):
    one(f"activation {act}", 3, [IMAGE, W, held([2], kind="float32")], [fed(1, 1, 1, 2)], [1, window(act=act)], behind=(False,))
    one(f"sum with activation {act}", 0, [IMAGE, IMAGE], [IMAGE], [11, {"0": ["i8", act]}], behind=(True,))
for axis in (-1, 0, 1, 3, 4, -2, -9):
    eight = {"kind": "int8", "scale": [0.5 + k for k in range(2)], "zero": [0, 0]}
    one(f"scales along {axis}", 3, [IMAGE, held([2, 3, 2, 4], **eight, axis=axis), None], [fed(1, 1, 1, 2)], [1, window()], behind=(False,))
    one(f"scales of a matrix along {axis}", 9, [fed(3, 4), held([2, 4], **eight, axis=axis), None], [fed(3, 2)], [8, {}])
codes = {"kind": "int8", "scale": [0.25], "zero": [-128]}
for kind, zero in (("int8", -128), ("int8", 127), ("uint8", 255), ("uint8", 0), ("int32", 0), ("int16", 5)):
    q = {"kind": kind, "scale": [0.25], "zero": [zero]}
    one(f"quantize to {kind} {zero}", 114, [fed(1, 2, 2, 3)], [fed(1, 2, 2, 3, **q)])
    one(f"dequantize {kind} {zero}", 6, [fed(1, 2, 2, 3, **q)], [fed(1, 2, 2, 3)])
    one(f"a sum of {kind} {zero}", 0, [fed(1, 2, 2, 3, **q), held([3], **q)], [fed(1, 2, 2, 3, **q)], [11, {"0": ["i8", 1]}])
one("dequantize without scales", 6, [fed(1, 2, 2, 3, kind="int8")], [fed(1, 2, 2, 3)])
one("half precision", 3, [IMAGE, held([2, 3, 2, 4], kind="float16"), held([2], kind="float16")], [fed(1, 1, 1, 2)], [1, window()], behind=(False,))
for n in (255, 256, 257):
    one(f"{4 * n} bytes", 0, [fed(1, n), held([n], kind="float32")], [fed(1, n)], [11, {}])
for lo, hi, bits in ((-1, 1, 8), (0, 6, 8), (1, 2, 8), (-2, -1, 8), (-1, 3, 8), (0, 0, 8), (1, 0, 8), (0, 6, 7), (0, 6, 9), (-3e38, 3e38, 8), (float("nan"), 1, 8)):
    one(f"steps from {lo} to {hi} of {bits} bits", 80, [IMAGE], [IMAGE], [58, {"0": ["f32", lo], "1": ["f32", hi], "2": ["i32", bits]}])
one("steps without a number of bits", 80, [fed(3)], [fed(3)], [58, {"0": ["f32", 0], "1": ["f32", 1]}])
ROW = fed(2, 5)
for k in (0, 1):
    one(f"gelu {k}", 150, [IMAGE], [IMAGE], [116, {"0": ["u8", k]}])
for code in (8, 14, 19, 20, 21, 28, 47, 59, 66, 73, 75, 76, 87, 92, 101, 104, 108, 111, 116, 117, 152, 158):
    one(f"of one input, {code}", code, [IMAGE], [IMAGE])
for code in (18, 41, 42, 55, 57, 58, 61, 62, 63, 71, 72, 78, 84, 86, 90, 95, 99, 156):
    one(f"of two inputs, {code}", code, [IMAGE, held([4], kind="float32")], [IMAGE], behind=(True,))
    one(f"of two rows, {code}", code, [ROW, fed(5)], [ROW])
one("of an input that is not there", 0, [IMAGE, None], [IMAGE])
one("of slopes", 54, [IMAGE, held([1, 1, 4], kind="float32")], [IMAGE])
for beta in (0, 1, 0.5):
    one(f"softmax {beta}", 25, [fed(5)], [fed(5)], [9, {"0": ["f32", beta]}])
    one(f"softmax of an image {beta}", 25, [IMAGE], [IMAGE], [9, {"0": ["f32", beta]}], behind=(True,))
one("softmax without options", 25, [ROW], [ROW])
one("softmax of a number", 25, [fed()], [fed()])
one("local response", 13, [IMAGE], [IMAGE], [13, {"0": ["i32", 2], "1": ["f32", 1.5], "2": ["f32", 0.1], "3": ["f32", 0.75]}])
one("local response of a row", 13, [ROW], [ROW], [13, {"0": ["i32", 2]}])
one("L2 of a row", 11, [ROW], [ROW], [12, {"0": ["i8", 1]}])

CHANNEL = [1, 6, 8, 4]
for axis in range(-5, 5):
    one(f"mean over {axis}", 40, [IMAGE, ints(axis)], [fed(*(d for i, d in enumerate(CHANNEL) if i != axis % 4))], [27, {}])
    one(f"largest over {axis}", 56, [IMAGE, ints(axis)], [fed(*(d for i, d in enumerate(CHANNEL) if i != axis % 4), kind="int32")], [40, {}])
    one(f"joined along {axis}", 2, [IMAGE, IMAGE], [fed(*(d * (1 + (i == axis % 4)) for i, d in enumerate(CHANNEL)))], [10, {"0": ["i32", axis], "1": ["i8", 1]}])
    one(f"split along {axis}", 49, [ints(axis), IMAGE], [IMAGE, IMAGE], [35, {"0": ["i32", 2]}])
    one(f"gather along {axis}", 36, [ROW, ints(0, 1)], [fed(2, 2)], [23, {"0": ["i32", axis]}])
    one(f"packed along {axis}", 83, [ROW, ROW], [fed(2, 2, 5)], [59, {"0": ["i32", 2], "1": ["i32", axis]}])
    one(f"unpacked along {axis}", 88, [ROW], [fed(5), fed(5)], [64, {"0": ["i32", 2], "1": ["i32", axis]}])
    one(f"sums along {axis}", 128, [ROW, ints(axis)], [ROW], [102, {"0": ["u8", 1]}])
for axes in ((1, 2), (2, 1), (0, 3), (1, 3), (-2, 1), (0, 1, 2, 3), (3, 3)):
    for keeps in (0, 1):
        for code in (40, 74, 82):
            one(f"reduced {code} {axes} {keeps}", code, [IMAGE, ints(*axes)], [fed(*([1] * 4 if keeps else [4]))], [27, {"0": ["u8", keeps]}], behind=(True,))
for code in (81, 89):
    one(f"reduced {code}", code, [ROW, ints(1)], [fed(2)], [27, {}])
one("largest, wide", 56, [IMAGE, ints(3)], [fed(1, 6, 8, kind="int64")], [40, {}])
one("least of rows", 79, [ROW, ints(0)], [fed(5, kind="int32")], [57, {}])
one("sums, other way", 128, [ROW, ints(0)], [ROW], [102, {"1": ["u8", 1]}])
one("gather in batches", 36, [ROW, ints(0, 1)], [fed(2, 2)], [23, {"0": ["i32", 1], "1": ["i32", 1]}])
one("the greatest", 48, [ROW, ints(2)], [fed(2, 2), fed(2, 2, kind="int32")])
one("the greatest, one result", 48, [ROW, ints(2)], [fed(2, 2)])
one("the greatest, two counts", 48, [ROW, ints(2, 2)], [fed(2, 2), fed(2, 2, kind="int32")])
for sizes in ((2, -1), (-1, 1), (2, 2), (-1, -1), (1, 1, 2)):
    one(f"split by {sizes}", 102, [IMAGE, ints(*sizes), ints(3)], [IMAGE, IMAGE], [79, {"0": ["i32", 2]}])

for begin, size in (((0, 0, 0, 0), (1, 6, 8, 4)), ((0, 0, 0, 0), (-1, -1, -1, -1)), ((0, 1, 2, 3), (1, 2, 3, 1)), ((0, 1, 0, 0), (-1, -1, 7, 3)), ((0, 0, 0, 0), (1, 6, 7, 4))):
    one(f"part from {begin} of {size}", 65, [IMAGE, ints(*begin), ints(*size)], [fed(1, 1, 1, 1)])
one("part of three axes", 65, [IMAGE, ints(0, 0, 0), ints(1, 1, 1)], [fed(1, 1, 1, 1)])


def strides(begin, end, step, masks=(0, 0, 0, 0, 0), offset=0, x=IMAGE, behind=(False, True)):
    fields = {str(i): ["i32", v] for i, v in enumerate(masks) if v}
    if offset:
        fields["5"] = ["u8", 1]
    one(f"strides {begin} {end} {step} {masks} {offset}", 45, [x, ints(*begin), ints(*end), ints(*step)], [fed(1, 1, 1, 1)], [32, fields], behind)


strides((0, 0, 0, 0), (1, 6, 8, 4), (1, 1, 1, 1), (15, 15, 0, 0, 0))
strides((0, 0, 0, 0), (1, 6, 8, 4), (1, 1, 1, 1))
strides((0, 1, 2, 3), (1, 4, 4, 1), (1, 1, 1, 1), offset=1)
for mask in (1, 2, 4, 8):
    strides((0, 1, 2, 1), (1, 5, 7, 3), (1, 2, 1, 1), (mask, 0, 0, 0, 0))
    strides((0, 1, 2, 1), (1, 5, 7, 3), (1, 2, 1, 1), (0, mask, 0, 0, 0))
    strides((0, 5, 7, 3), (1, 1, 1, 0), (1, -2, -1, -1), (mask, mask, 0, 0, 0))
    strides((0, 1, 2, -1), (1, 2, 3, 4), (1, 1, 2, 1), (0, 0, 0, 0, mask))
strides((0, -1, -2, 0), (1, 2, 3, 4), (1, 1, 1, 1), (0, 0, 0, 0, 6), behind=(False,))
strides((3,), (1,), (-1,), (1, 0, 0, 0, 1), x=ROW)
strides((0, 1), (1, 5), (1, 0), x=ROW)
strides((0, 1), (1, 5), (1, 1), (0, 0, 1, 0, 0), x=ROW)
strides((0, 1), (1, 5), (1, 1), (0, 0, 0, 1, 0), x=ROW)
strides((0, 0, 0), (1, 1, 1), (1, 1, 1), x=ROW)
strides((1,), (2,), (1,), x=ROW)
for masks in ((0,) * 5, (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 0, 0, 1)):
    fields = {str(i): ["i32", v] for i, v in enumerate(masks) if v}
    one(f"strides that are fed {masks}", 45, [ROW, fed(2, kind="int32"), ints(2, 5), ints(1, 1)], [fed(1, 1)], [32, fields])
for n in (0, 1, 8, 9):
    one(f"{n} strides that are fed", 45, [ROW, fed(n, kind="int32"), ints(2, 5), ints(1, 1)], [fed(1, 1)], [32, {}])
one("strides that are fed, an offset", 45, [ROW, fed(2, kind="int32"), ints(2, 5), ints(1, 1)], [fed(1, 1)], [32, {"5": ["u8", 1]}])
one("strides, one not there", 45, [ROW, fed(2, kind="int32"), None, ints(1, 1)], [fed(1, 1)], [32, {}])
for n, rows in ((2, [0, 0, 1, 2]), (4, [0, 0, 1, 2, 3, 4, 5, 6])):
    for code, options in ((34, None), (60, None), (100, [77, {"0": ["i8", 0]}]), (100, [77, {"0": ["i8", 1]}])):
        x = IMAGE if n == 4 else ROW
        more = [held([1], [7.5], "float32")] if code == 60 else []
        one(f"pads {code} {rows} {options}", code, [x, held([n, 2], rows), *more], [x], options)
one("pads of fewer axes", 34, [IMAGE, held([3, 2], [0] * 6)], [IMAGE])
one("pads that are fed", 34, [ROW, fed(2, 2, kind="int32")], [ROW])
one("gather of places", 107, [IMAGE, held([2, 2], [0, 1, 0, 2])], [fed(2, 8, 4)])

for shape in ((2, -1), (1, 8, 6, 4), (192,), (1, 1, 1, 1, 192), ()):
    one(f"to {shape}", 22, [IMAGE, ints(*shape)], [fed(*(d if d > 0 else 96 for d in shape))])
one("to what the result is", 22, [IMAGE], [fed(4, 48)])
one("to what the result is, nothing given", 22, [IMAGE, None], [fed(4, 48)])
one("to a shape that is fed", 22, [IMAGE, fed(2, kind="int32")], [fed(4, 48)])
for shape in ((1, 1, 1, 4), (1, 6, 8, 1), (1, 1, 8, 4)):
    n = shape[1] * shape[2] * shape[3]
    one(f"{shape} as a row", 22, [fed(*shape), ints(1, n)], [fed(1, n)])
    one(f"{shape} times a matrix", 9, [fed(*shape), held([2, n], kind="float32"), held([2], kind="float32")], [fed(1, 2)], [8, {"0": ["i8", 1]}])
one("squeezed", 43, [fed(1, 4, 1, 3)], [fed(4, 3)], [30, {}])
one("squeezed, one size open", 43, [fed(1, 4, 1, 3)], [fed(-1, 3)], [30, {}])
one("squeezed, two open", 43, [fed(1, 4, 1, 3)], [fed(-1, -1)], [30, {}])
for perm in ((0, 3, 1, 2), (0, 2, 3, 1), (0, 2, 1, 3), (0, -1, 1, 2), (0, 1, 2, 4), (0, 1, 2, -5), (0, 1, 2)):
    one(f"turned by {perm}", 39, [IMAGE, ints(*perm)], [fed(*(CHANNEL[p % 4] for p in perm))])
for weights, options in (((4, 5), {}), ((4, 5), {"1": ["i8", 1]}), ((4, 5), {"1": ["i8", 2]}), ((4, 5), {"2": ["u8", 1]}), ((4, 0), {})):
    for x, y in ((fed(2, 5), fed(2, 4)), (fed(2, 3, 5), fed(2, 3, 4)), (fed(2, 3, 5), fed(6, 4)), (fed(5), fed(1, 4))):
        one(f"matrix {weights} {options} {x['shape']} {y['shape']}", 9, [x, held(weights, kind="float32"), held([4], kind="float32")], [y], [8, options])
one("matrix of bytes kept wide, no bias", 9, [fed(2, 3, 5), held([4, 5], kind="float32"), None], [fed(2, 3, 4)], [8, {"2": ["u8", 1]}])
for a, b in ((0, 0), (1, 0), (0, 1), (1, 1)):
    one(f"product {a} {b}", 126, [fed(2, 3, 3), fed(2, 3, 3)], [fed(2, 3, 3)], [101, {"0": ["u8", a], "1": ["u8", b]}])
one("product of lines", 126, [fed(3), fed(3, 3)], [fed(3)], [101, {}])
for padding, h, out in ((0, 2, (1, 12, 16, 2)), (1, 2, (1, 14, 17, 2)), (1, 3, (1, 30, 40, 2)), (0, 1, (1, 5, 7, 2)), (0, 2, (12, 16))):
    one(f"transposed {padding} {h} {out}", 67, [ints(*out), held([2, 3, 2, 4], kind="float32"), IMAGE, held([2], kind="float32")], [fed(1, 1, 1, 2)],
        [49, window(padding, h, h)], behind=(False,))
for align, half in ((0, 0), (1, 0), (0, 1), (1, 1)):
    for code, kind, first in ((23, 15, 2), (97, 74, 0)):
        one(f"resized {code} {align} {half}", code, [IMAGE, ints(9, 12)], [fed(1, 9, 12, 4)], [kind, {str(first): ["u8", align], str(first + 1): ["u8", half]}])
one("resized to what is fed", 23, [IMAGE, fed(2, kind="int32")], [fed(1, 9, 12, 4)], [15, {}])
for size in (0, 1, 2, 3):
    one(f"blocks {size}", 5, [fed(1, 2, 2, 4)], [fed(1, 4, 4, 1)], [94, {"0": ["i32", size]}])
    one(f"into blocks {size}", 26, [fed(1, 6, 6, 4)], [fed(1, 3, 3, 16)], [19, {"0": ["i32", size]}])
one("tiled", 69, [ROW, ints(2, 3)], [fed(4, 15)])
one("filled", 94, [ints(2, 3), held([], [7.5], "float32")], [fed(2, 3)])
one("filled as fed", 94, [fed(2, kind="int32"), held([], [7.5], "float32")], [fed(2, 3)])
one("broadcast", 130, [fed(1, 5), ints(3, 5)], [fed(3, 5)])
for kind in ("int32", "int64"):
    one(f"shape as {kind}", 77, [IMAGE], [fed(4, kind=kind)], [55, {}])
for kind in ("int8", "bool", "float16", "int64"):
    one(f"cast to {kind}", 53, [IMAGE], [fed(1, 6, 8, 4, kind=kind)])
for code in (64, 123):
    for c in ((2,), (2, 5)):
        one(f"chosen {code} {c}", code, [fed(*c, kind="bool"), ROW, ROW], [ROW])
one("chosen of images", 123, [fed(1, 6, 8, 4, kind="bool"), IMAGE, IMAGE], [IMAGE])


def flex(keys, values, width=1, types=None):
    """A map of FlexBuffers: the keys' texts, their places, the values."""
    data, at = bytearray(), []
    for k in keys:
        at.append(len(data))
        data += k.encode() + b"\0"
    while len(data) % width:
        data += b"\0"
    data += len(keys).to_bytes(width, "little")
    places = len(data)
    for k in at:
        data += (len(data) - k).to_bytes(width, "little")
    head = len(data)
    data += (head - places).to_bytes(width, "little") + width.to_bytes(width, "little") + len(keys).to_bytes(width, "little")
    start = len(data)
    for v in values:
        data += v.to_bytes(width, "little")
    data += bytes(types or [1 << 2] * len(keys))
    data += (len(data) - start).to_bytes(1, "little") + bytes([9 << 2 | {1: 0, 2: 1, 4: 2}[width], 1])
    return list(data)


def detections(name, data, ranked=()):
    outs = [fed(*([1, 2, 4][:r])) if (r := dict(ranked).get(i)) else fed() for i in range(4)]
    one("detections, " + name, 32, [fed(1, 10, 4), fed(1, 10, 3)], outs, custom="TFLite_Detection_PostProcess", bytes=data)


PAIR = ["max_classes_per_detection", "max_detections"]
for width in (1, 2, 4):
    detections(f"numbers of {width} bytes", flex(PAIR, [3, 7], width))
detections("some said", flex(PAIR, [3, 7]), ((0, 3), (2, 2)))
detections("unsigned", flex(PAIR, [3, 7], types=[2 << 2, 2 << 2]))
detections("of a type that is no number", flex(PAIR, [3, 7], types=[1 << 2, 5 << 2]))
detections("one alone", flex(["max_detections"], [9]))
detections("other names", flex(["a", "max_detection", "max_detectionss"], [1, 2, 3]))
detections("none", flex(PAIR, [3, 0]))
for big in (2 ** 31 - 1, 2 ** 31):
    detections(f"{big}", flex(["max_detections"], [big], 4))
detections("nothing", [])
good = flex(PAIR, [3, 7])
for cut in range(1, len(good)):
    if cut in (1, 5, 30) or cut > len(good) - 4:
        detections(f"without its first {cut}", good[cut:])
for at in range(len(good) - 16, len(good)):
    for v in (0, 9, 255):
        detections(f"byte {at - len(good)} is {v}", good[:at] + [v] + good[at + 1:])
one("another of its own", 32, [ROW], [fed(2, 5)], custom="Mine", bytes=good)

INNER = {"tensors": [{"name": "a", **IMAGE}, {"name": "b", **IMAGE}], "operators": [{"op": 14, "in": [0], "out": [1]}], "inputs": [0], "outputs": [1]}
for number in (0, 1, 2, -1):
    say(f"stands for graph {number}", {"tensors": [{"name": "x", **IMAGE}, {"name": "y", **IMAGE}], "inputs": [0], "outputs": [1], "more": [INNER],
        "operators": [{"op": 206, "in": [0], "out": [1], "options": [21, {"1": ["i32", number]}]}]})
say("stands for a graph of more inputs", {"tensors": [{"name": "x", **IMAGE}, {"name": "y", **IMAGE}], "inputs": [0], "outputs": [1], "more": [INNER],
    "operators": [{"op": 206, "in": [0, 0], "out": [1], "options": [21, {"1": ["i32", 1]}]}]})

#!/usr/bin/python3
"""One operator of TensorFlow Lite at a time: made into a file, run by `npu-exec --values`, held against NumPy.

  tflite_operators.py NPU_EXEC
  tflite_operators.py --write FOLDER      the files alone, as a fuzz target wants them

What NumPy computes is written here from the operator's definition, in the layout of the file (NHWC).
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(__file__))
import make_tflite  # noqa: E402

RNG = np.random.default_rng(3)
F = np.float32
NAMES = {np.dtype(k): k for k in ("float32", "int32", "int8", "uint8", "bool", "int64")}


def real(*shape):
    return RNG.normal(0, 2, shape).astype(F)


def i32(*values):
    return np.array(values, np.int32)


def pool(x, k, s, f, pads=((0, 0), (0, 0)), fill=0.0):
    x = np.pad(x, ((0, 0), *pads, (0, 0)), constant_values=fill)
    h, w = (x.shape[1] - k) // s + 1, (x.shape[2] - k) // s + 1
    return np.array([[[f(x[n, i * s:i * s + k, j * s:j * s + k]) for j in range(w)] for i in range(h)] for n in range(x.shape[0])], F)


def conv(x, w, s=1, d=1, pads=((0, 0), (0, 0)), groups=1):
    x = np.pad(x, ((0, 0), *pads, (0, 0)))
    o, kh, kw, ci = w.shape
    h, v = (x.shape[1] - (kh - 1) * d - 1) // s + 1, (x.shape[2] - (kw - 1) * d - 1) // s + 1
    y = np.zeros((x.shape[0], h, v, o), F)
    for k in range(o):
        g = k // (o // groups)
        part = x[..., g * ci:(g + 1) * ci]
        for i in range(h):
            for j in range(v):
                y[:, i, j, k] = np.sum(part[:, i * s:i * s + (kh - 1) * d + 1:d, j * s:j * s + (kw - 1) * d + 1:d] * w[k], axis=(1, 2, 3))
    return y


def transposed(x, w, s, out):
    """Scattered: pixel (i, j) adds its kernel at (i s - before, j s - before)."""
    o, kh, kw, _ = w.shape
    before = max(0, (x.shape[1] - 1) * s + kh - out) // 2
    y = np.zeros((1, out + kh, out + kw, o), F)
    for i in range(x.shape[1]):
        for j in range(x.shape[2]):
            y[0, i * s:i * s + kh, j * s:j * s + kw] += np.einsum("c,ohwc->hwo", x[0, i, j], w)
    return y[:, before:before + out, before:before + out]


def bilinear(x, h, w, position):
    y = np.zeros((x.shape[0], h, w, x.shape[3]), F)
    for i in range(h):
        for j in range(w):
            a, b = position(i, x.shape[1], h), position(j, x.shape[2], w)
            i0, j0 = int(np.floor(a)), int(np.floor(b))
            i1, j1 = min(i0 + 1, x.shape[1] - 1), min(j0 + 1, x.shape[2] - 1)
            y[:, i, j] = ((x[:, i0, j0] * (1 - a + i0) + x[:, i1, j0] * (a - i0)) * (1 - b + j0) +
                          (x[:, i0, j1] * (1 - a + i0) + x[:, i1, j1] * (a - i0)) * (b - j0))
    return y


def asymmetric(i, n, m):
    return i * n / m


def half_pixel(i, n, m):
    return min(max((i + 0.5) * n / m - 0.5, 0), n - 1)


def aligned(i, n, m):
    return i * (n - 1) / (m - 1)


def nearest(x, h, w):
    return x[:, [i * x.shape[1] // h for i in range(h)]][:, :, [j * x.shape[2] // w for j in range(w)]]


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def depth_to_space(x, b):
    n, h, w, c = x.shape
    return x.reshape(n, h, w, b, b, c // b // b).transpose(0, 1, 3, 2, 4, 5).reshape(n, h * b, w * b, c // b // b)


def space_to_depth(x, b):
    n, h, w, c = x.shape
    return x.reshape(n, h // b, b, w // b, b, c).transpose(0, 1, 3, 2, 4, 5).reshape(n, h // b, w // b, b * b * c)


IMAGE, ROW = real(1, 4, 6, 3), real(2, 5)
SMALL, OTHER, LINE = real(1, 4, 6, 3), real(1, 4, 6, 3), real(3)
KERNEL, SPREAD, MATRIX = real(5, 3, 3, 3), real(1, 3, 3, 6), real(4, 5)
WINDOW = {"1": ["i32", 2], "2": ["i32", 2]}
STEP = {"1": ["i32", 1], "2": ["i32", 1]}
POOL = {"1": ["i32", 2], "2": ["i32", 2], "3": ["i32", 2], "4": ["i32", 2]}
ACT = lambda n: {"0": ["i8", n]}  # noqa: E731

# name, operator, inputs (None: omitted; a tuple: fed, else constant), options, expected outputs
CASES = [
    ("convolution", 3, [(IMAGE,), KERNEL, real(5) * 0], [1, {"0": ["i8", 1], **STEP}], [conv(IMAGE, KERNEL)]),
    ("convolution, SAME, stride 2", 3, [(IMAGE,), KERNEL, None], [1, {"0": ["i8", 0], **WINDOW}],
     [conv(IMAGE, KERNEL, 2, 1, ((0, 1), (0, 1)))]),
    ("convolution, dilated", 3, [(real(1, 6, 6, 1),), real(2, 2, 2, 1), None], [1, {"0": ["i8", 1], **STEP, "4": ["i32", 3], "5": ["i32", 3]}],
     lambda x: [conv(x[0], x[1], 1, 3)]),
    ("convolution of groups", 3, [(real(1, 3, 3, 4),), real(6, 2, 2, 2), None], [1, {"0": ["i8", 1], **STEP}],
     lambda x: [conv(x[0], x[1], groups=2)]),
    ("depthwise, multiplier 2", 4, [(IMAGE,), SPREAD, None], [2, {"0": ["i8", 1], **STEP, "3": ["i32", 2], "4": ["i8", 1]}],
     [np.maximum(conv(IMAGE, SPREAD.transpose(3, 1, 2, 0), groups=3), 0)]),
    ("transposed convolution, SAME", 67, [i32(1, 8, 8, 2), real(2, 3, 3, 3), (real(1, 4, 4, 3),)], [49, {"0": ["i8", 0], **WINDOW}],
     lambda x: [transposed(x[2], x[1], 2, 8)]),
    ("transposed convolution, VALID", 67, [i32(1, 9, 9, 2), real(2, 3, 3, 3), (real(1, 4, 4, 3),)], [49, {"0": ["i8", 1], **WINDOW}],
     lambda x: [transposed(x[2], x[1], 2, 9)]),
    ("average pool, SAME", 1, [(real(1, 5, 5, 2),)], [5, {"0": ["i8", 0], **POOL}],
     lambda x: [pool(x[0], 2, 2, lambda p: np.nanmean(p, axis=(0, 1)), ((0, 1), (0, 1)), np.nan)]),
    ("max pool", 17, [(IMAGE,)], [5, {"0": ["i8", 1], **POOL}], [pool(IMAGE, 2, 2, lambda p: p.max((0, 1)))]),
    ("L2 pool", 12, [(IMAGE,)], [5, {"0": ["i8", 1], **POOL}], [pool(IMAGE, 2, 2, lambda p: np.sqrt((p * p).mean((0, 1))))]),
    ("fully connected", 9, [(ROW,), MATRIX, real(4) * 0 + 1], [8, ACT(3)], [np.clip(ROW @ MATRIX.T + 1, 0, 6)]),
    ("fully connected, dimensions kept", 9, [(real(2, 3, 5),), MATRIX, None], [8, {"2": ["u8", 1]}], lambda x: [x[0] @ MATRIX.T]),
    ("batch matmul, adjoint", 126, [(real(2, 3, 4),), (real(2, 5, 4),)], [101, {"1": ["u8", 1]}], lambda x: [x[0] @ x[1].transpose(0, 2, 1)]),
    ("add, line of constants", 0, [(IMAGE,), LINE], [11, ACT(1)], [np.maximum(IMAGE + LINE, 0)]),
    ("sub", 41, [(IMAGE,), (OTHER,)], [28, ACT(0)], [IMAGE - OTHER]),
    ("mul, fused tanh", 18, [(IMAGE,), (OTHER,)], [21, ACT(4)], [np.tanh(IMAGE * OTHER)]),
    ("div", 42, [(IMAGE,), np.abs(LINE) + 1], [29, ACT(2)], [np.clip(IMAGE / (np.abs(LINE) + 1), -1, 1)]),
    ("maximum", 55, [(IMAGE,), LINE], None, [np.maximum(IMAGE, LINE)]),
    ("minimum", 57, [(IMAGE,), LINE], None, [np.minimum(IMAGE, LINE)]),
    ("squared difference", 99, [(IMAGE,), LINE], None, [(IMAGE - LINE) ** 2]),
    ("floor of a quotient", 90, [(IMAGE,), F([2.5])], None, [np.floor(IMAGE / F(2.5))]),
    ("relu6", 21, [(IMAGE,)], None, [np.clip(IMAGE, 0, 6)]),
    ("relu 0 to 1", 152, [(IMAGE,)], None, [np.clip(IMAGE, 0, 1)]),
    ("leaky relu", 98, [(IMAGE,)], [75, {"0": ["f32", 0.25]}], [np.where(IMAGE > 0, IMAGE, IMAGE / 4)]),
    ("prelu", 54, [(IMAGE,), real(1, 1, 3)], None, lambda x: [np.where(x[0] > 0, x[0], x[0] * x[1])]),
    ("logistic", 14, [(IMAGE,)], None, [1 / (1 + np.exp(-IMAGE))]),
    ("hard swish", 117, [(IMAGE,)], None, [IMAGE * np.clip(IMAGE + 3, 0, 6) / 6]),
    ("rsqrt", 76, [(np.abs(IMAGE) + 1,)], None, lambda x: [1 / np.sqrt(x[0])]),
    ("square", 92, [(IMAGE,)], None, [IMAGE * IMAGE]),
    ("softmax, beta", 25, [(IMAGE,)], [9, {"0": ["f32", 0.5]}], [softmax(IMAGE / 2)]),
    ("log softmax", 50, [(ROW,)], None, [np.log(softmax(ROW))]),
    ("L2 normalization", 11, [(IMAGE,)], [12, ACT(0)], [IMAGE / np.sqrt((IMAGE ** 2).sum(-1, keepdims=True))]),
    ("concatenation, last axis", 2, [(IMAGE,), (OTHER,)], [10, {"0": ["i32", -1]}], [np.concatenate([IMAGE, OTHER], -1)]),
    ("split", 49, [i32(3), (real(1, 2, 2, 4),)], [35, {"0": ["i32", 2]}], lambda x: np.split(x[1], 2, 3)),
    ("split by sizes", 102, [(real(1, 2, 2, 5),), i32(2, -1), i32(3)], [79, {"0": ["i32", 2]}], lambda x: [x[0][..., :2], x[0][..., 2:]]),
    ("pack", 83, [(ROW,), (real(2, 5),)], [59, {"0": ["i32", 2], "1": ["i32", 1]}], lambda x: [np.stack(x, 1)]),
    ("unpack", 88, [(ROW,)], [64, {"0": ["i32", 2], "1": ["i32", 0]}], [ROW[0], ROW[1]]),
    ("reshape", 22, [(IMAGE,), i32(2, -1)], None, [IMAGE.reshape(2, -1)]),
    ("squeeze", 43, [(real(1, 4, 1, 3),)], [30, {}], lambda x: [x[0].reshape(4, 3)]),
    ("expand dims", 70, [(ROW,), i32(1)], None, [ROW[:, None]]),
    ("transpose to NCHW", 39, [(IMAGE,), i32(0, 3, 1, 2)], None, [IMAGE.transpose(0, 3, 1, 2)]),
    ("transpose to NHWC", 39, [(IMAGE,), i32(0, 2, 3, 1)], None, [IMAGE.transpose(0, 2, 3, 1)]),
    ("strided slice, an axis dropped", 45, [(IMAGE,), i32(0, 1, 0, 0), i32(1, 4, 6, 3), i32(1, 2, 1, 1)],
     [32, {"0": ["i32", 0], "1": ["i32", 8], "4": ["i32", 1]}], [IMAGE[0, 1:4:2]]),
    ("strided slice, backwards", 45, [(ROW,), i32(0, -1), i32(2, 0), i32(1, -2)], [32, {"1": ["i32", 2]}], [ROW[:, ::-2]]),
    ("slice", 65, [(IMAGE,), i32(0, 1, 2, 0), i32(-1, 2, 3, 3)], None, [IMAGE[:, 1:3, 2:5]]),
    ("gather", 36, [(ROW,), i32(3, 0)], [23, {"0": ["i32", 1]}], [ROW[:, [3, 0]]]),
    ("pad", 34, [(IMAGE,), np.array([[0, 0], [1, 2], [0, 3], [0, 1]], np.int32)], None, [np.pad(IMAGE, ((0, 0), (1, 2), (0, 3), (0, 1)))]),
    ("pad with a value", 60, [(ROW,), np.array([[1, 0], [0, 1]], np.int32), F(7)], None, [np.pad(ROW, ((1, 0), (0, 1)), constant_values=7)]),
    ("mirror pad", 100, [(ROW,), np.array([[0, 0], [2, 1]], np.int32)], [77, ACT(0)], [np.pad(ROW, ((0, 0), (2, 1)), "reflect")]),
    ("resize, bilinear", 23, [(IMAGE,), i32(6, 9)], [15, {}], [bilinear(IMAGE, 6, 9, asymmetric)]),
    ("resize, half pixels", 23, [(IMAGE,), i32(6, 9)], [15, {"3": ["u8", 1]}], [bilinear(IMAGE, 6, 9, half_pixel)]),
    ("resize, corners aligned", 23, [(IMAGE,), i32(7, 11)], [15, {"2": ["u8", 1]}], [bilinear(IMAGE, 7, 11, aligned)]),
    ("resize, nearest", 97, [(IMAGE,), i32(7, 9)], [74, {}], [nearest(IMAGE, 7, 9)]),
    ("depth to space", 5, [(real(1, 2, 3, 8),)], [94, {"0": ["i32", 2]}], lambda x: [depth_to_space(x[0], 2)]),
    ("space to depth", 26, [(real(1, 4, 6, 2),)], [19, {"0": ["i32", 2]}], lambda x: [space_to_depth(x[0], 2)]),
    ("mean over the image", 40, [(IMAGE,), i32(1, 2)], [27, {"0": ["u8", 1]}], [IMAGE.mean((1, 2), keepdims=True)]),
    ("mean over the image, squeezed", 40, [(IMAGE,), i32(1, 2)], [27, {}], [IMAGE.mean((1, 2))]),
    ("sum over channels", 74, [(IMAGE,), i32(-1)], [27, {}], [IMAGE.sum(-1)]),
    ("largest of rows", 82, [(IMAGE,), i32(1)], [27, {}], [IMAGE.max(1)]),
    ("arg max", 56, [(IMAGE,), i32(3)], [40, {"0": ["i8", 2]}], [IMAGE.argmax(3).astype(np.int32)]),
    ("top k", 48, [(ROW,), i32(2)], None, [-np.sort(-ROW)[:, :2], np.argsort(-ROW, kind="stable")[:, :2].astype(np.int32)]),
    ("cumsum", 128, [(ROW,), i32(1)], [102, {}], [ROW.cumsum(1)]),
    ("cast", 53, [(ROW,)], None, [ROW.astype(np.int32)]),
    ("select", 123, [(ROW > 0,), (ROW,), (-ROW,)], None, [np.abs(ROW)]),
    ("less", 58, [(IMAGE,), (OTHER,)], None, [IMAGE < OTHER]),
    ("not equal", 72, [(ROW,), ROW * 1], None, [np.zeros(ROW.shape, bool)]),
    ("tile", 69, [(ROW,), i32(2, 3)], None, [np.tile(ROW, (2, 3))]),
    ("broadcast to", 130, [(real(1, 5),), i32(3, 5)], None, lambda x: [np.broadcast_to(x[0], (3, 5))]),
    ("shape", 77, [(IMAGE,)], [55, {"0": ["i8", 2]}], [i32(1, 4, 6, 3)]),
]


def tensor(name, array, constant):
    t = {"name": name, "type": NAMES[array.dtype], "shape": list(array.shape)}
    if constant:
        t["data"] = array.flatten().tolist()
    return t


def build(case, around):
    """around: a 1x1 convolution that keeps every value before the operator, so that it is met channels first."""
    name, code, inputs, options, expected = case
    arrays = [None if x is None else x[0] if isinstance(x, tuple) else x for x in inputs]
    results = expected(arrays) if callable(expected) else expected
    tensors, feeds, ins, ops = [], [], [], []
    for i, x in enumerate(inputs):
        ins.append(-1 if x is None else len(tensors))
        if x is None:
            continue
        fed = isinstance(x, tuple)
        tensors.append(tensor(f"in{i}", arrays[i], not fed))
        if not fed:
            continue
        feeds.append((len(tensors) - 1, arrays[i]))
        if around and arrays[i].ndim == 4 and arrays[i].dtype == F:
            c = arrays[i].shape[3]
            tensors.append(tensor(f"one{i}", np.eye(c, dtype=F).reshape(c, 1, 1, c), True))
            tensors.append(tensor(f"same{i}", arrays[i], False))
            ops.append({"op": 3, "in": [len(tensors) - 3, len(tensors) - 2, -1], "out": [len(tensors) - 1], "options": [1, {**STEP}]})
            ins[-1] = len(tensors) - 1
    outs = []
    for i, y in enumerate(results):
        outs.append(len(tensors))
        tensors.append(tensor(f"out{i}", y, False))
    op = {"op": code, "in": ins, "out": outs}
    if options:
        op["options"] = options
    return {"tensors": tensors, "operators": ops + [op], "inputs": [i for i, _ in feeds], "outputs": outs}, feeds, results


def check(program, case, around, folder):
    model, feeds, results = build(case, around)
    path = f"{folder}/m.tflite"
    with open(path, "wb") as f:
        f.write(make_tflite.make(model))
    for i, (_, array) in enumerate(feeds):
        np.save(f"{folder}/input_{i}.npy", array)
    r = subprocess.run([program, path, "--values", "--input-dir", folder, "--output-dir", folder], capture_output=True, text=True)
    if r.returncode:
        return r.stderr.splitlines()[-1] if r.stderr else f"status {r.returncode}"
    for i, y in enumerate(results):
        found = np.load(f"{folder}/output_{i}.npy")
        if found.shape != y.shape or found.dtype != y.dtype:
            return f"output {i} is {found.dtype} {found.shape}, expected {y.dtype} {y.shape}"
        if not np.allclose(found.astype(np.float64), y.astype(np.float64), rtol=1e-4, atol=1e-4):
            return f"output {i} differs by {np.abs(found.astype(np.float64) - y).max():.3g}"
    return None


def write(folder):
    for i, case in enumerate(CASES):
        for around in (False, True):
            with open(f"{folder}/operator-{i:02}{'-behind' if around else ''}.tflite", "wb") as f:
                f.write(make_tflite.make(build(case, around)[0]))


def main():
    if sys.argv[1] == "--write":
        return write(sys.argv[2])
    wrong = 0
    for case in CASES:
        for around in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                fault = check(sys.argv[1], case, around, folder)
            wrong += bool(fault) and "does not know operator" not in fault
            if fault:
                print(f"{case[0]}{', behind a convolution' if around else ''}: {fault.split('m.tflite: ')[-1]}")
    print(f"{len(CASES)} operators, each at the input and behind a convolution: {wrong} wrong")


if __name__ == "__main__":
    main()

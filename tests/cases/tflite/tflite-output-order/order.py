"""Files whose outputs are images with channels last, in forms of which none (but one) has a TRANSPOSE."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy

sys.path.insert(0, os.path.join(os.environ["ROOT"], "tests", "tools"))
import make_tflite  # noqa: E402

CONV, ADD, POOL, DEQUANTIZE, RESHAPE, TRANSPOSE, LOGISTIC, PAD, NEG = 3, 0, 17, 6, 22, 39, 14, 34, 59
SIZE, LISTS, CHANNELS, STEPS = 32, ("changes", "by_hand", "suppressed", "observations"), 8, {"scale": [0.05], "zero": [3]}


class File:
    def __init__(self):
        self.numbers, self.tensors, self.operators = numpy.random.default_rng(4), [], []
        self.input = self.image("x")

    def tensor(self, name, shape, type="int8", **more):
        self.tensors.append({"name": name, "type": type, "shape": shape, **more})
        return len(self.tensors) - 1

    def image(self, name, size=SIZE, **more):
        return self.tensor(name, [1, size, size, CHANNELS], **{**STEPS, **more})

    def add(self, op, inputs, out, *options):
        self.operators.append({"op": op, "in": inputs, "out": [out], **({"options": list(options)} if options else {})})
        return out

    def conv(self, x, name, valid=0):
        numbers = self.numbers.integers(-99, 99, CHANNELS * 9 * CHANNELS).tolist()
        kernel = self.tensor(f"{name}/kernel", [CHANNELS, 3, 3, CHANNELS], data=numbers, scale=[0.002] * CHANNELS, zero=[0] * CHANNELS)
        return self.add(CONV, [x, kernel, -1], self.image(name), 1, {"0": ["i8", valid], "1": ["i32", 1], "2": ["i32", 1]})

    def integers(self, name, values):
        return self.tensor(name, [len(values)], "int32", data=values)


def pooled(f, x):
    y = f.image("pooled", SIZE // 2)
    return f.add(POOL, [f.conv(x, "conv"), ], y, 5, {"0": ["i8", 1], "1": ["i32", 2], "2": ["i32", 2], "3": ["i32", 2], "4": ["i32", 2]})


def shaped(f, x):
    rows = f.tensor("rows", [1, SIZE * SIZE, CHANNELS], **STEPS)
    return f.add(RESHAPE, [f.conv(x, "conv"), f.integers("rows/shape", [1, SIZE * SIZE, CHANNELS])], rows)


def turned(f, x):
    y = f.tensor("planes", [1, CHANNELS, SIZE, SIZE], **STEPS)
    return f.add(TRANSPOSE, [f.conv(x, "conv"), f.integers("planes/order", [0, 3, 1, 2])], y)


def summed(f, x):
    a = f.conv(x, "conv")
    return f.add(ADD, [a, f.conv(a, "conv2")], f.image("sum"), 11, {})


def framed(f, x):
    border = f.tensor("border", [4, 2], "int32", data=[0, 0, 1, 1, 1, 1, 0, 0])
    return f.conv(f.add(PAD, [f.conv(x, "conv"), border], f.image("framed", SIZE + 2)), "last", valid=1)


KINDS = {
    "a convolution": lambda f, x: [f.conv(x, "conv")],
    "two outputs, one on the way to the other": lambda f, x: [a := f.conv(x, "conv"), f.conv(a, "conv2")],
    "a sum": lambda f, x: [summed(f, x)],
    "a pool": lambda f, x: [pooled(f, x)],
    "a sigmoid, as floats": lambda f, x: [f.add(DEQUANTIZE, [f.add(LOGISTIC, [f.conv(x, "conv")], f.image("gate", scale=[1 / 256], zero=[-128]))],
                                                f.tensor("shares", [1, SIZE, SIZE, CHANNELS], "float32"))],
    "rows of pixels": lambda f, x: [shaped(f, x)],
    "a border of zeros in the middle": lambda f, x: [framed(f, x)],
    "an operator of the host": lambda f, x: [f.add(NEG, [f.conv(x, "conv")], f.image("negative"))],
    "a TRANSPOSE in the file": lambda f, x: [turned(f, x)],
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def values(model, of):
    run(os.environ["NPU_EXEC"], model, "--values", "--input-dir", "in", "--output-dir", of)
    return [numpy.load(f) for f in sorted(pathlib.Path(of).iterdir())]


def orders(model):
    """What `apply` wrote, against the file: the order of axes of each output, and whether the values are equal."""
    found = []
    for before, after in zip(values("m.tflite", "before"), values(model, "after")):
        if before.shape == after.shape:
            found.append("as it was" if numpy.array_equal(before, after) else "other values")
        else:
            found.append("[0,3,1,2]" if numpy.array_equal(before.transpose(0, 3, 1, 2), after) else "other values")
    return ", ".join(found)


def main():
    pathlib.Path("in").mkdir()
    numpy.save("in/input_0.npy", numpy.random.default_rng(0).integers(-128, 128, (1, SIZE, SIZE, CHANNELS)).astype("i1"))
    for kind, build in KINDS.items():
        f = File()
        outputs = build(f, f.input)
        data = make_tflite.make({"tensors": f.tensors, "operators": f.operators, "inputs": [f.input], "outputs": outputs})
        pathlib.Path("m.tflite").write_bytes(data)
        done = run(os.environ["NPU_ADVISE"], "m.tflite", "--verbose", "--needs", "input,output", "--json", "r.json")
        r = json.loads(pathlib.Path("r.json").read_text())
        said = [o["fix"] for list in LISTS for c in r[list] if c["rule_id"] == "NPU203" for o in c["occurrences"]]
        leaves = "leave out the Transpose" in " ".join((json.dumps(r) + done.stdout).split())
        named = {o["tensor"] for list in LISTS for c in r[list] for o in c["occurrences"] if o.get("tensor")}
        named |= {n for line in said for n in re.findall(r'"([^"]+)"', line)}
        operators = re.compile("[A-Z_0-9]+ [0-%d]" % (len(f.operators) - 1))  # what one makes, before it is an output's codes
        unknown = {n for n in named if not operators.fullmatch(n)} - {t["name"] for t in f.tensors}
        print(f"== {kind}")
        print(*said or ["nothing is permuted"], sep="\n")
        print("a Transpose is to be left out" if leaves else "no Transpose is left out", *sorted(unknown), sep="; not in the file: ")
        if run(os.environ["NPU_ADVISE"], "apply", "m.tflite", "--needs", "input,output", "--output", "b").returncode == 0:
            model = next((p for p in pathlib.Path("b").iterdir() if p.name.startswith("model.")), None)
            print(f"{model.name} has {orders(str(model))}" if model else "the file stays as it is")
        for folder in ("b", "before", "after"):
            shutil.rmtree(folder, ignore_errors=True)


main()

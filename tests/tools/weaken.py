#!/usr/bin/python3
"""Writes what a change may bring to get past a gate.

  weaken.py MODEL      beside it: good.onnx, unknown.onnx, branch.onnx, models/, deep/, deep.txt
  weaken.py --tear TRACE OUT      every span's length times 10^-4 to 10^2, drawn with one seed
"""
import json
import os
import pathlib
import random
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "full"))
import hostile_set as h  # noqa: E402


def models():
    weights = [h.tensor("w", [8, 8, 1, 1], 1, bytes(256))]
    conv = h.node("Conv", ["x", "w"], ["a"])
    body = h.graph([h.node("Conv", ["x", "w"], ["t"])], inputs=(), outputs=("t",), dims=(1, 8, 32, 32))
    branches = b"".join(h.sub(5, h.sub(1, name) + h.sub(6, body) + h.num(20, 5)) for name in ("then_branch", "else_branch"))
    to_bool = h.sub(5, h.sub(1, "to") + h.num(3, 9) + h.num(20, 2))
    kernel = h.sub(5, h.sub(1, "kernel_shape") + 2 * h.num(8, 1) + h.num(20, 7))
    shape = (1, 8, 32, 32)
    return {"good": h.graph([h.node("MaxPool", ["x"], ["y"], kernel)], dims=shape, dtype=3),
            "unknown": h.graph([conv, h.node("Mystery", ["a"], ["b"], b"", "my"), h.node("Relu", ["b"], ["y"])], dims=shape, init=weights),
            "branch": h.graph([conv, h.node("Cast", ["a"], ["c"], to_bool), h.node("If", ["c"], ["y"], branches)], dims=shape, init=weights)}


def deep(model):
    """A root that asks, 300 folders, and a path that is longer than a path may be, made from inside."""
    os.makedirs("deep/.git")
    pathlib.Path("deep/npu-advise.json").write_text('{"fail_on": "warn"}')
    short = "deep/" + "a/" * 300
    os.makedirs(short)
    shutil.copy(model, short + "m.onnx")
    top, data = os.getcwd(), pathlib.Path(model).read_bytes()
    parts = ["b" * 250] * 16 + ["c" * 55]
    os.chdir("deep")
    for part in parts:
        os.mkdir(part)
        os.chdir(part)
    pathlib.Path("m.onnx").write_bytes(data)
    os.chdir(top)
    pathlib.Path("deep.txt").write_text("/".join(parts) + "/m.onnx")


def tear(source, target):
    events, open_, draw = json.load(open(source)), {}, random.Random(1)
    events = events if isinstance(events, list) else events["traceEvents"]
    for e in events:
        if e["ph"] == "b":
            open_[e["id"], e["name"]] = e["ts"]
        elif e["ph"] == "e":
            begin = open_.pop((e["id"], e["name"]))
            e["ts"] = begin + max(0.001, (e["ts"] - begin) * 10 ** draw.uniform(-4, 2))
    json.dump(events, open(target, "w"))


def main():
    if sys.argv[1] == "--tear":
        return tear(*sys.argv[2:])
    for name, graph in models().items():
        pathlib.Path(name + ".onnx").write_bytes(h.model(graph))
    os.mkdir("models")
    shutil.copy(sys.argv[1], "models/a.onnx")
    deep(sys.argv[1])


if __name__ == "__main__":
    main()

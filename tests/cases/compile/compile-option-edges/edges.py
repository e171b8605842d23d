"""Values of the compiler's options at the ends of what is taken: what is said, or how the inputs and the set-up are then."""
import json
import os
import subprocess

from onnx import TensorProto as T, helper as h


def model(*shapes):
    names = [f"x{i}" for i in range(len(shapes))]
    g = h.make_graph([h.make_node("Relu", [n], ["y" + n]) for n in names], "g", [h.make_tensor_value_info(n, T.FLOAT, s) for n, s in zip(names, shapes)],
                     [h.make_empty_tensor_value_info("y" + n) for n in names])
    m = h.make_model(g, opset_imports=[h.make_opsetid("", 13)])
    m.ir_version = 7
    open("m.onnx", "wb").write(m.SerializeToString())


def options(*given):
    done = subprocess.run([os.environ["NPU_ADVISE"], "compile", "m.onnx", "-q", *given, "--json", "r.json"], capture_output=True, text=True)
    shown = " ".join(given) if sum(map(len, given)) < 60 else f"{' '.join(given)[:40]}… of {sum(map(len, given))}"
    if done.returncode:
        said = " / ".join(done.stderr.splitlines())
        return print(f"{shown or repr('')} => refused: {said.removeprefix('npu-advise: ')[:200]}")
    r = json.load(open("r.json"))
    steps = [f"{s['op']} {s['bytes_in']} B -> {s['bytes']} B" for s in r["steps"] if s["kind"] == "host"]
    print(f"{shown} => {r['target']}, SDK {r['sdk']}, batch {r['batch']}: {', '.join(steps)}")


def axes(*lists):
    return "[" + ",".join("[" + ",".join(map(str, a)) + "]" for a in lists) + "]"


model([1, 3, 8, 8], [1, 4])
for value in ("[[0,2,3,1]]", "[[0,2,3,1],[]]", "[[],[1,0]]", "[[0,1,2,3]]", "[[],[0,1]]", "[ [0, 3, 1, 2] ]", "[[0,3,1,2],[0,1],[0]]", "[]", "[[]]", "[[0,2,3]]", "[[0,2,3,3]]", "[[0,2,3,4]]", "[[1,2,3,4]]", "[[0,2,3,1],]", "[[0,2,3,1,]]",
              "[[0,2,3,1]],", "[[0,2,3,1]", "[0,2,3,1]", "[[0 2,3,1]]", "[[0;2,3,1]]", "[[-1,2,3,1]]", "[[0,,2,3,1]]", "[[0,2,3,1][]]", "", "[", "[[", "[[0", "[[0,", "[[/,1]]", "[[:,1]]", "[[8,1]]"):
    options("--permute-input", value)
options("--permute-input", axes(*[[]] * 1024))
options("--permute-input", axes(*[[]] * 1025))
for value in ("1", "4096", "0", "4097", "-1", "1.5", "x", "", "8x", "99999999999999999999"):
    options("--host-cores", value)
for value in ("1", "2", "1048576", "0", "1048577", "-1", "x"):
    options("--batch", value)
for value in ("warboy", "warboy-2pe", "warboy-1pe", "warboy-0pe", "warboy-3pe", "warboy-64pe", "warboy-65pe", "warboy-2p", "warboy-2pes", "warboy-pe", "warboy-2", "-2pe", "warboy--2pe", "warboy2pe", "", "w" * 200, "w" * 201):
    options("--target", value)
for value in ("0.8", "0.9", "0.10", "0.7", "0.11", "0.8.2", "0.10.1", "0.1", "8", "0.8x", "0.", ""):
    options("--sdk", value)
for value in ("uint8", "int8", "float32", "float16", "x0=uint8", "x1=int8", "x2=int8", "=uint8", "x0=", "x0=x=uint8", "UINT8", ""):
    options("--input-dtype", value)
    options("--output-dtype", value.replace("x", "yx", 1) if value[:1] == "x" else value)
options("--input-dtype", "uint8", "--input-dtype", "x1=int8")
options("--input-dtype", "x1=int8", "--input-dtype", "uint8")
options("--input-dtype", "x0=int8", "--input-dtype", "x1=int8")
options("--input-dtype", "x0=int8", "--input-dtype", "x1=uint8")
model([1, 2, 1, 2, 1, 2, 1, 2])
options("--permute-input", axes([0, 7, 6, 5, 4, 3, 2, 1]))
options("--permute-input", axes([0, 7, 6, 5, 4, 3, 2, 8]))
options("--permute-input", axes([0, 7, 6, 5, 4, 3, 2, 1, 8]))
model([1, 3, 8, 8], [1, 3, 8, 8])
options("--permute-input", axes([0, 2, 3, 1], [0, 3, 1, 2]))
options("--permute-input", axes([], [0, 3, 1, 2]))

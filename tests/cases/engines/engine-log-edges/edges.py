"""Layers whose types and tensors stand in a log, a line each, and how a log tells its version: at the ends of what is taken."""
import json
import os
import subprocess


def advise(*files):
    done = subprocess.run([os.environ["NPU_ADVISE"], *files, "--json", "r.json"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        print(done.returncode, done.stderr.strip())
        return None
    return json.load(open("r.json"))


def tensor(t):
    return " ".join(str(t.get(k)) for k in ("name", "dtype", "layout", "bytes"))


def shown(layers, text):
    open("g.json", "w").write(json.dumps({"Layers": layers, "Bindings": []}))
    open("g.log", "w" if isinstance(text, str) else "wb").write(text)
    r = advise("g.json", "--trace", "g.log")
    for step in r["steps"] if r else []:
        layer = step.get("layer", {})
        print(f"  {layer.get('name')}, {step['op']}, {layer.get('kind')}, {layer.get('work')}: {'; '.join(map(tensor, layer.get('inputs', [])))} -> {'; '.join(map(tensor, layer.get('outputs', [])))}")


HEAD = "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=a.onnx\n"
INFO = HEAD + "[11/22/2026-12:00:00] [V] [TRT] Engine Layer Information:\n"
print("== tensors")
TENSORS = ["a (Int8[1,3:4,2,2])", "a (Int8[1,3:2,2,2])", "a (Int8[1,3:1,2,2])", "a (Int8[1,64:64,2,2])", "a (Int8[1,64:65,2,2])", "a (Int8[1,64:32,2,2])", "a[Int8(1,3:4,2,2)]", "a (Half[1,3,2,2])", "a  (Float[7])",
           "a (Int8[])", "a (Int8[-1,3])", "a (Int8[0,3])", "a (Int8[999999999999,1])", "a (Int8[1000000000000,1])", "a (Int8[2,x])", "a (Int8[2 ,3])", "a (Other[2,3])", "a (b) (Int32[2,3])", "a [b] (Bool[2,3])",
           "a (Half) b (Int8[3])", "a (Half", "a Half[3]", " (Half[3])", "a (Int8[1,2,3,4,5,6,7,8])", "a (Int8[1,2,3,4,5,6,7,8,9])", "a (Int8[2,3:])", "a (Float[2,3:8)"]
shown([f"l{i}" for i in range(len(TENSORS))],
      INFO + "".join(f"Layer(Convolution): l{i}, Tactic: 0x0, {t.replace('a', f'x{i}', 1)} -> {t.replace('a', f'y{i}', 1)}\n" for i, t in enumerate(TENSORS)))
print("== lines")
T = "p (Int8[4])", "q (Half[5])", "r (Float[6])"
for title, text in {
    "one reads two": INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]}, {T[1]} -> {T[2]}\n",
    "one makes two": INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[1]}, {T[2]}\n",
    "a comma without a blank": INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]},{T[1]} -> {T[2]}\n",
    "a comma at the end": INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]},  {T[1]} -> {T[2]},\n",
    "a comma and a blank at the end": INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[2]}, \n",
    "no input": INFO + f"Layer(Constant): one, Tactic: 0x0 -> {T[2]}\n",
    "no input but a comma": INFO + f"Layer(Constant): one, Tactic: 0x0,  -> {T[2]}\n",
    "no arrow": INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]}\n",
    "no tactic": INFO + f"Layer(Shuffle): one, {T[0]} -> {T[2]}\n",
    "brackets in names": INFO + "Layer(Shuffle): one, Tactic: 0x0, a(b, c (Int8[4]), {d, e} (Half[5]) -> f[g, h] (Float[6])\n",
    "a carriage return": (INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[2]}\n").replace("\n", "\r\n").encode(),
    "nothing behind": INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[2]}",
    "a head": INFO + f"[11/22/2026-12:00:00] [V] [TRT] Layer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[2]}\n",
    "a head that does not end": INFO + f"[11/22/2026-12:00:00 Layer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[2]}\n",
    "a line between": INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[1]}\nother\nLayer(Cast): two, Tactic: 0x0, {T[1]} -> {T[2]}\n",
    "two": INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[1]}\nLayer(Cast): two, Tactic: 0x0, {T[1]} -> {T[2]}\n",
    "two in the other order": INFO + f"Layer(Cast): two, Tactic: 0x0, {T[1]} -> {T[2]}\nLayer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[1]}\n",
    "the same twice": INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[1]}\nLayer(Cast): one, Tactic: 0x0, {T[1]} -> {T[2]}\n",
    "none of the engine": INFO + f"Layer(Shuffle): three, Tactic: 0x0, {T[0]} -> {T[1]}\n",
    "types apart": INFO + "Layer(Shuffle): one, Tactic: 0x0, p (Int8[4]) -> q (Half[5])\nLayer(Cast): two, Tactic: 0x0, q (Float[6]) -> r (Float[6])\n",
    "a short line": INFO + "Layer\n",
    "no list": HEAD + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[1]}\n",
    "an empty list": INFO,
}.items():
    print(title)
    shown(["one", "two"], text)
print("== equal names")
shown(["one", "one"], INFO + f"Layer(Shuffle): one, Tactic: 0x0, {T[0]} -> {T[1]}\nLayer(Cast): one, Tactic: 0x1, {T[1]} -> {T[2]}\n")
print("== versions")
open("g.json", "w").write(json.dumps({"Layers": [{"Name": "one", "LayerType": "Shuffle", "Inputs": [], "Outputs": []}]}))
BLANK = "[11/22/2026-12:00:00] [I] "
for line in ("TensorRT version: 8.5.2", "TensorRT version: 8.5", "TensorRT version: 8", "TensorRT version: 0.5", "TensorRT version: 1.0", "TensorRT version: 99.99", "TensorRT version: 100.1", "TensorRT version: 10.100",
             "TensorRT version: 10.-1", "TensorRT version: -8.5", "[TensorRT v999]", "[TensorRT v1000]", "[TensorRT v8502]", "[TensorRT v9999]", "[TensorRT v10000]", "[TensorRT v99999]", "[TensorRT v100000]", "[TensorRT v101600]",
             "[TensorRT v999999]", "[TensorRT v1000000]", "[TensorRT vx]", "TensorRT version: 8.5.2\n[TensorRT v8601]", "[TensorRT v8601]\nTensorRT version: 8.5.2", "TensorRT version: x [TensorRT v8601]", "TensorRT v8601"):
    lines = [BLANK + "=== Build Options ===", BLANK + "Precision: FP16", BLANK + line, BLANK + "=== Performance summary ===",
             BLANK + "GPU Compute Time: min = 0.7 ms, max = 0.72 ms, mean = 0.701 ms, median = 0.701 ms, percentile(99%) = 0.71 ms"]
    open("g.log", "w").write("\n".join(lines) + "\n")
    r = advise("g.json", "--trace", "g.log")
    print(repr(line), "->", r and r["sdk"])

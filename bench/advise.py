#!/usr/bin/python3
"""Speed of advice: all rules on a network of about 500 nodes and on one of 10,000, without and with verification.

  bench/advise.py [BUILD] [ROUNDS]      needs python3-onnx

Whole processes; printed are medians.  Goals: 500 nodes under 300 ms, with --verify under 5 s; 10,000 nodes under 2 s.
onnx.load with infer_shapes of the same file runs in turn with it, so that a busy machine shows.
"""
import pathlib
import statistics
import subprocess
import sys
import time

CHAIN = """
import sys
import onnx
from onnx import TensorProto, helper
nodes, path = int(sys.argv[1]), sys.argv[2]
make, weights, last = [], [], "x"
for i in range(nodes // 2):
    weights.append(helper.make_tensor(f"w{i}", TensorProto.FLOAT, [16, 16, 1, 1], [0.5] * 256))
    make.append(helper.make_node("Conv", [last, f"w{i}"], [f"c{i}"], kernel_shape=[1, 1]))
    make.append(helper.make_node("Relu", [f"c{i}"], [f"r{i}"]))
    last = f"r{i}"
shape = [1, 16, 64, 64]
graph = helper.make_graph(make, "chain", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                          [helper.make_tensor_value_info(last, TensorProto.FLOAT, shape)], weights)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), path)
"""
PEER = "import onnx, sys; onnx.shape_inference.infer_shapes(onnx.load(sys.argv[1]))"


def seconds(command):
    start = time.perf_counter()
    subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    folder = build / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    for nodes, verify, goal in (500, False, 0.3), (500, True, 5), (10000, False, 2):
        model = folder / f"chain-{nodes}.onnx"
        if not model.exists():
            subprocess.run(["/usr/bin/python3", "-c", CHAIN, str(nodes), model], check=True)
        ours = [build / "npu-advise", model, *(["--verify"] if verify else [])]
        theirs = ["/usr/bin/python3", "-c", PEER, model]
        pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
        a, b = (statistics.median(p[i] for p in pairs) for i in (0, 1))
        print(f"{nodes} nodes{', --verify' if verify else ''}: {a * 1e3:.0f} ms (goal {goal * 1e3:.0f}); "
              f"onnx.load and infer_shapes {b * 1e3:.0f} ms")


main()

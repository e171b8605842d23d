"""Compiles a Transpose before and one behind a Conv or a row of elementwise operators; prints the steps that the host makes between float and NPU."""
import json
import os
import subprocess

from onnx import TensorProto as T, helper as h


def compiled(title, size, *nodes, weights=True, told={}):
    made = [h.make_tensor("w", T.FLOAT, [3, 3, 1, 1], [0.5] * 9)] if weights else []
    graph = h.make_graph(list(nodes), "g", [h.make_tensor_value_info("x", T.FLOAT, size)], [h.make_empty_tensor_value_info(nodes[-1].output[0])], made,
                         value_info=[h.make_tensor_value_info(name, T.FLOAT, dims) for name, dims in told.items()])
    open("m.onnx", "wb").write(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)], ir_version=8).SerializeToString())
    done = subprocess.run([os.environ["NPU_ADVISE"], "compile", "m.onnx", "--emit", "json"], capture_output=True, text=True)
    if done.returncode:
        print(f"{size} {title} => {done.stderr.strip().splitlines()[-1]}")
        return
    steps = json.loads(done.stdout)["steps"]
    layout = [f"{s['op']} ({s['reason']})" for s in steps if s["kind"] == "host" and "uantize" not in s["op"]]
    print(f"{size} {title} =>", ", ".join(layout) or "no change of layout")


def transpose(x, y, perm):
    return h.make_node("Transpose", [x], [y], **({} if perm is None else dict(perm=perm)))


for perm, size in (([0, 3, 1, 2], [1, 32, 64, 3]), ([0, 1, 2, 3], [1, 3, 32, 64]), ([0, 2, 3, 1], [1, 64, 3, 32]), (None, [64, 32, 3, 1]), ([3, 2, 1, 0], [64, 32, 3, 1]), ([0, 3, 2, 1], [1, 64, 32, 3])):
    compiled(f"before a Conv {perm}", size, transpose("x", "t", perm), h.make_node("Conv", ["t", "w"], ["y"]))
    compiled(f"after a Conv {perm}", [1, 3, 32, 64], h.make_node("Conv", ["x", "w"], ["t"]), transpose("t", "y", perm))
for perm in ([0, 1, 2], [0, 1, 2, 3, 4], [0, 4, 1, 2], [0, -1, 1, 2], [-1, 0, 1, 2], [0, 1, 2, 4], [4, 0, 1, 2], [3, 1, 2, 4]):
    compiled(f"before a Conv {perm}", [1, 32, 64, 3], transpose("x", "t", perm), h.make_node("Conv", ["t", "w"], ["y"]), told=dict(t=[1, 3, 32, 64]))
    compiled(f"after a Conv {perm}", [1, 3, 32, 64], h.make_node("Conv", ["x", "w"], ["t"]), transpose("t", "r", perm), h.make_node("Relu", ["r"], ["y"]), told=dict(r=[1, 32, 64, 3]))
for rank in range(2, 11):
    size = [1, 8, 16, 4, 2, 3, 5, 1, 1, 1][:rank]
    compiled(f"of rank {rank}", size, h.make_node("Relu", ["x"], ["r"]), transpose("r", "t", None), h.make_node("Sigmoid", ["t"], ["y"]), weights=False)

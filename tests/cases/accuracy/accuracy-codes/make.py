"""Makes the inputs of this case."""
import numpy as np, onnx
from onnx import TensorProto, helper, numpy_helper
rng = np.random.default_rng(1)
named = lambda name, array: numpy_helper.from_array(array, name)
weights = named("w", rng.integers(-127, 128, (8, 3, 3, 3)).astype(np.int8))
shapes = {"": [1, 8, 16, 16], "Reshape": [1, 8, 256], "Transpose": [1, 16, 16, 8]}
for scales in 1, 8:
    coding = [named("ys", np.float32(0.05) if scales == 1 else rng.uniform(0.02, 0.1, 8).astype(np.float32)),
              named("yz", np.int8(3) if scales == 1 else rng.integers(-9, 9, 8).astype(np.int8))]
    for move, shape in shapes.items():
        node = helper.make_node
        nodes = [node("QuantizeLinear", ["x", "xs", "xz"], ["xq"]), node("DequantizeLinear", ["xq", "xs", "xz"], ["xd"]),
                 node("DequantizeLinear", ["w", "ws", "wz"], ["wd"]), node("Conv", ["xd", "wd"], ["c"], pads=[1, 1, 1, 1]),
                 node("QuantizeLinear", ["c", "ys", "yz"], ["cq"], axis=1), node("DequantizeLinear", ["cq", "ys", "yz"], ["d" if move else "y"], axis=1)]
        if move:
            nodes.append(node(move, ["d", "shape"] if move == "Reshape" else ["d"], ["y"], **({"perm": [0, 2, 3, 1]} if move == "Transpose" else {})))
        info = helper.make_tensor_value_info
        graph = helper.make_graph(nodes, "g", [info("x", TensorProto.FLOAT, [1, 3, 16, 16])], [info("y", TensorProto.FLOAT, shape)],
                                  [named("xs", np.float32(1 / 128)), named("xz", np.uint8(128)), weights, named("ws", np.float32(0.01)),
                                   named("wz", np.int8(0)), named("shape", np.int64(shapes["Reshape"])), *coding])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        onnx.save(model, f"{scales}{'-' + move.lower() if move else ''}.onnx")
for k in range(4):
    np.save(f"data/{k}.npy", rng.normal(0, 0.5, (1, 3, 16, 16)).astype(np.float32))

"""Small nets in older opsets, quantized with ranges of a file; what is written is checked by onnx and told node by node."""
import json
import os
import subprocess

import numpy
import onnx
from onnx import TensorProto as T, helper as h, numpy_helper


def stored(name, *size):
    n = int(numpy.prod(size))
    return numpy_helper.from_array(((numpy.arange(n, dtype=numpy.float32) * 7 % 11 - 5) / 4).reshape(size), name)


seen = set()


def told(path):
    """Prints the nodes, and the constants that no model before this one had."""
    model = onnx.load(path)
    if model.graph.output[0].type.tensor_type.HasField("shape"):  # what onnx asks of an output
        onnx.checker.check_model(model, full_check=True)
    for node in model.graph.node:
        if "Linear" not in node.op_type:
            given = ", ".join(f"{a.name}={h.get_attribute_value(a)}" for a in node.attribute)
            print("  ", f"{', '.join(node.output)} = {node.op_type}{f'<{given}>' if given else ''}({', '.join(node.input)})")
    for tensor in sorted(model.graph.initializer, key=lambda t: t.name):
        values = numpy_helper.to_array(tensor)
        if tensor.name.endswith("zero_point") and not values.any():
            continue
        line = " ".join([tensor.name, str(values.dtype), str(list(values.shape)), *(f"{v:.5g}" for v in values.ravel()[:6])])
        if line not in seen:
            print("  ", line)
            seen.add(line)


def quantize(title, opset, chain, more=(), size=(1, 4, 8, 8), consts=(), ranges=None):
    """A chain: (operator, other inputs, attributes); each reads what the one before it made."""
    nodes, last = [], "x"
    for k, (op, others, attrs) in enumerate(chain):
        nodes.append(h.make_node(op, [last, *others], [f"y{k}"], f"{op}_{k}", **attrs))
        last = f"y{k}"
    g = h.make_graph(nodes, "g", [h.make_tensor_value_info("x", T.FLOAT, size)], [h.make_tensor_value_info(last, T.FLOAT, None)], list(consts))
    m = h.make_model(g, opset_imports=[h.make_opsetid("", opset)])
    m.ir_version = 7
    m.graph.output[0].CopyFrom(onnx.shape_inference.infer_shapes(m).graph.output[0])
    open("m.onnx", "wb").write(m.SerializeToString())
    names = ["x"] + [f"y{k}" for k in range(len(chain))]
    json.dump({"ranges": ranges or {n: [-1 - k, 2 + k] for k, n in enumerate(names)}}, open("r.json", "w"))
    done = subprocess.run([os.environ["NPU_ADVISE"], "quantize", "m.onnx", "--ranges", "r.json", "-o", "q.onnx", *more], capture_output=True, text=True)
    print(f"== {title}, opset {opset}")
    print(done.stderr, end="")
    if done.returncode == 0:
        told("q.onnx")
        os.remove("q.onnx")


W, B = stored("w", 4, 4, 3, 3), stored("b", 4)
conv = ("Conv", ["w", "b"], dict(pads=[1, 1, 1, 1]))
bare = ("Conv", ["w"], {})
bn = [stored(n, 4) for n in ("s", "o", "m")] + [numpy_helper.from_array(numpy.array([1, 2, 3, 4], numpy.float32), "v")]
quantize("Clip of two bounds", 7, [conv, ("Clip", [], dict(min=0.0, max=6.0)), conv], consts=[W, B])
quantize("Clip of one bound", 10, [conv, ("Clip", [], dict(max=6.0))], consts=[W, B])
quantize("Clip of the lower bound", 10, [conv, ("Clip", [], dict(min=-0.5))], consts=[W, B])
quantize("Clip without bounds", 10, [conv, ("Clip", [], {})], consts=[W, B])
quantize("Clip", 11, [conv, ("Clip", ["lo", "hi"], {})], consts=[W, B, numpy_helper.from_array(numpy.float32(0), "lo"), numpy_helper.from_array(numpy.float32(6), "hi")])
quantize("Slice with axes", 9, [conv, ("Slice", [], dict(starts=[1, 0], ends=[7, 8], axes=[2, 3])), conv], consts=[W, B])
quantize("Slice", 9, [conv, ("Slice", [], dict(starts=[0, 0, 1, 1], ends=[1, 4, 7, 5]))], consts=[W, B])
quantize("Pad", 10, [("Pad", [], dict(pads=[0, 0, 1, 0, 0, 0, 0, 2], value=0.5)), bare], consts=[W])
quantize("Pad of zeros, that the next takes over", 10, [("Pad", [], dict(pads=[0, 0, 1, 0, 0, 0, 0, 2])), bare], consts=[W])
quantize("Pad behind", 2 + 5, [bare, ("Pad", [], dict(pads=[0, 0, 1, 0, 0, 0, 0, 2], mode="reflect"))], consts=[W])
quantize("Dropout", 7, [conv, ("Dropout", [], dict(ratio=0.5)), conv], consts=[W, B])
quantize("Dropout", 12, [conv, ("Dropout", [], {}), conv], consts=[W, B])
quantize("Squeeze, Unsqueeze", 12, [bare, ("GlobalAveragePool", [], {}), ("Squeeze", [], dict(axes=[2, 3])), ("Unsqueeze", [], dict(axes=[0, 3])), ("Squeeze", [], {})], consts=[W])
quantize("ReduceSum", 12, [bare, ("ReduceSum", [], dict(axes=[2, -1], keepdims=0)), ("ReduceSum", [], dict(keepdims=1))], consts=[W])
quantize("Softmax over one axis", 12, [bare, ("GlobalAveragePool", [], {}), ("Softmax", [], {})], consts=[W])
quantize("Softmax over one axis from behind", 11, [bare, ("Flatten", [], {}), ("LogSoftmax", [], dict(axis=-1))], consts=[W])
quantize("Softmax over three axes", 11, [bare, ("Softmax", [], {})], consts=[W])
quantize("Softmax over the last axis", 11, [bare, ("Softmax", [], dict(axis=3))], consts=[W])
quantize("BatchNormalization that stays", 7, [("Relu", [], {}), ("BatchNormalization", ["s", "o", "m", "v"], dict(spatial=1)), bare], consts=[W, *bn])
quantize("BatchNormalization that is folded", 8, [bare, ("BatchNormalization", ["s", "o", "m", "v"], dict(spatial=1, epsilon=0.25))], consts=[W, *bn])
quantize("BatchNormalization with a bias", 9, [conv, ("BatchNormalization", ["s", "o", "m", "v"], {})], consts=[W, B, *bn])
quantize("Identity", 9, [conv, ("Identity", [], {}), conv], consts=[W, B])
quantize("an opset too old", 6, [conv], consts=[W, B])
for op, opset in (("Upsample", 9), ("Resize", 10)):
    quantize(op, opset, [conv, (op, ["u"], {})], consts=[W, B, numpy_helper.from_array(numpy.array([1, 1, 2, 2], numpy.float32), "u")])
quantize("Resize", 11, [conv, ("Resize", ["", "u"], {})], consts=[W, B, numpy_helper.from_array(numpy.array([1, 1, 2, 2], numpy.float32), "u")])
G = [stored("g", 5, 4), stored("gb", 5), stored("h", 4, 5), stored("mm", 4, 6)]
pooled = [bare, ("GlobalAveragePool", [], {}), ("Flatten", [], {})]
for more in ((), ("--per-tensor",), ("--symmetric",)):
    quantize(f"Gemm {' '.join(more)}", 13, pooled + [("Gemm", ["g", "gb"], dict(transB=1))], more, consts=[W, *G[:2]])
    quantize(f"Gemm {' '.join(more)}", 13, pooled + [("Gemm", ["h", "gb"], dict(beta=1.0))], more, consts=[W, G[2], G[1]])
    quantize(f"MatMul {' '.join(more)}", 13, pooled + [("MatMul", ["mm"], {})], more, consts=[W, G[3]])
    quantize(f"ConvTranspose {' '.join(more)}", 13, [("ConvTranspose", ["t"], dict(strides=[2, 2])), ("Relu", [], {})], more, consts=[stored("t", 4, 3, 2, 2)])
    # The quantizers of SDK 0.9 and 0.10 refuse it.
    quantize(f"ConvTranspose of groups {' '.join(more)}", 13, [("ConvTranspose", ["t"], dict(group=2))], [*more, "--sdk", "0.8"], consts=[stored("t", 4, 3, 2, 2)])
    quantize(f"Conv of groups {' '.join(more)}", 13, [("Conv", ["c", "b"], dict(group=4))], more, consts=[stored("c", 4, 1, 3, 3), B])
zero = numpy_helper.from_array(numpy.zeros((4, 4, 1, 1), numpy.float32), "w")
quantize("weights of zeros", 13, [("Conv", ["w", "b"], {})], consts=[zero, B])
quantize("weights of which one channel is zero", 13, [("Conv", ["w", "b"], {})], consts=[numpy_helper.from_array(numpy.array([0, 1, -2, 3], numpy.float32).reshape(4, 1, 1, 1).repeat(4, 1), "w"), B])
quantize("a bias too large for its step", 13, [("Conv", ["w", "b"], {})], consts=[numpy_helper.from_array(numpy.full((4, 4, 1, 1), 1e-6, numpy.float32), "w"), numpy_helper.from_array(numpy.array([1e9, 1, 2, 3], numpy.float32), "b")])
for low, high in ((0, 0), (0, 6), (-6, 0), (2, 6), (-6, -2), (-1, 1), (-1e-30, 1e-30)):
    quantize(f"ranges {low} to {high}", 13, [("Relu", [], {}), ("Conv", ["w"], {})], consts=[W], ranges={n: [low, high] for n in ("x", "y0", "y1")})
    quantize(f"ranges {low} to {high}, symmetric", 13, [("Conv", ["w"], {})], ["--symmetric"], consts=[W], ranges={n: [low, high] for n in ("x", "y0")})
quantize("no range of one", 13, [("Conv", ["w"], {}), ("Sigmoid", [], {})], consts=[W], ranges={"x": [0, 1]})
quantize("nothing to quantize", 13, [("Identity", [], {})])
quantize("what keeps scales", 13, [conv, ("MaxPool", [], dict(kernel_shape=[2, 2], strides=[2, 2])), ("Transpose", [], dict(perm=[0, 2, 3, 1])), ("Reshape", ["shape"], {}), ("Relu", [], {}), ("Sigmoid", [], {})], consts=[W, B, numpy_helper.from_array(numpy.array([1, -1], numpy.int64), "shape")])
quantize("an addend that is stored", 13, [conv, ("Add", ["a"], {}), ("Mul", ["m"], {}), conv], consts=[W, B, stored("a", 1, 4, 1, 1), numpy_helper.from_array(numpy.float32(2), "m")])

import pathlib
import shutil
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

rng = numpy.random.default_rng(3)
NONE = numpy.array([], numpy.float32)


def f(*values):
    return numpy.array(values, numpy.float32)


def i(*values):
    return numpy.array(values, numpy.int64)


def net(steps, channels=7, opset=13, also=None, kind=TensorProto.INT64):
    """x through steps of (operator, further inputs, attributes) to y; `also`: a tensor that is an output too."""
    nodes, constants, t = [], [], "x"
    for k, (op, more, has) in enumerate(steps):
        names = [t]
        for j, c in enumerate(more):
            names.append("" if c is None else f"c{k}_{j}")
            if c is not None:
                constants.append(numpy_helper.from_array(numpy.asarray(c), names[-1]))
        t = "y" if k == len(steps) - 1 else f"t{k}"
        nodes.append(helper.make_node(op, names, [t], **has))
    outputs = [helper.make_tensor_value_info("y", kind, None)]
    if also:
        outputs.append(helper.make_tensor_value_info(also, TensorProto.FLOAT, None))
    g = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, channels, 5, 6])],
                          outputs, constants)
    return helper.make_model(g, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


RELU = ("Relu", [], {})
BY = f(1, 1, 4, 4)
NEAREST = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
LARGER = ("Resize", [NONE, BY], NEAREST)
CHOICE = ("ArgMax", [], {"axis": 1})
CODES = [("QuantizeLinear", [numpy.float32(0.1), numpy.int8(3)], {}), ("DequantizeLinear", [numpy.float32(0.1), numpy.int8(3)], {})]
SIZED = ("Resize", [None, None, i(1, 7, 12, 13)], {"mode": "nearest"})
GOOD = {
    "scales": net([RELU, LARGER, CHOICE]),
    "no channel axis left": net([RELU, LARGER, ("ArgMax", [], {"axis": -3, "keepdims": 0})]),
    "sizes, half pixels": net([RELU, SIZED, CHOICE]),
    "int8 between": net([RELU, *CODES, LARGER, *CODES, CHOICE]),
    "a Sigmoid between": net([RELU, LARGER, ("Sigmoid", [], {}), CHOICE]),
    "the least, the last of them": net([RELU, LARGER, ("ArgMin", [], {"axis": 1, "select_last_index": 1, "keepdims": 0})]),
    "300 channels": net([RELU, LARGER, CHOICE], 300),
    "Upsample": net([RELU, ("Upsample", [BY], {"mode": "nearest"}), CHOICE], opset=9),
    "Resize of opset 10": net([RELU, ("Resize", [BY], {"mode": "nearest"}), CHOICE], opset=10),
}
REFUSED = {
    "smaller": net([RELU, ("Resize", [None, f(1, 1, 0.6, 0.5)], NEAREST), CHOICE]),
    "linear": net([RELU, ("Resize", [NONE, BY], {"mode": "linear"}), CHOICE]),
    "a scale per channel": net([RELU, LARGER, ("Mul", [f(1, 2, 3, 4, 5, 6, 7).reshape(7, 1, 1)], {}), CHOICE]),
    "along the width": net([RELU, LARGER, ("ArgMax", [], {"axis": 3})]),
    "channels enlarged": net([RELU, ("Resize", [NONE, f(1, 2, 4, 4)], NEAREST), CHOICE]),
    "read by others": net([RELU, LARGER, CHOICE], also="t1"),
    "cropped": net([RELU, ("Resize", [f(0, 0, 0, 0, 1, 1, 0.5, 0.5), BY],
                           {"mode": "nearest", "coordinate_transformation_mode": "tf_crop_and_resize"}), CHOICE]),
    "no Resize": net([RELU, CHOICE]),
}


def run(program, path, x):
    shutil.rmtree("of", ignore_errors=True)
    pathlib.Path("in").mkdir(exist_ok=True)
    numpy.save("in/input_0.npy", x)
    done = subprocess.run([program, path, "--values", "--input-dir", "in", "--output-dir", "of"], capture_output=True, text=True)
    return numpy.load("of/output_0.npy") if not done.returncode else done.stderr


def move(m):
    onnx.save(m, "before.onnx")
    done = subprocess.run(["./edit_model", "before.onnx", "after.onnx", "rewrite", "y", "choose-first"], capture_output=True, text=True)
    return done.stderr.strip().split(": ", 3)[-1]


def inputs(m):
    """Few different values: many maxima are equal."""
    dims = [d.dim_value for d in m.graph.input[0].type.tensor_type.shape.dim]
    return [rng.integers(-2, 6, dims).astype(numpy.float32) for _ in range(10)]


def same(a, b):
    return not isinstance(a, str) and not isinstance(b, str) and a.dtype == b.dtype and numpy.array_equal(a, b)


if __name__ == "__main__":
    for name, m in GOOD.items():
        said = move(m)
        equal = said or sum(same(run(sys.argv[1], "before.onnx", x), run(sys.argv[1], "after.onnx", x)) for x in inputs(m))
        print(f"{name}: {equal} of 10 equal;", *([] if said else [n.op_type for n in onnx.load("after.onnx").graph.node]))
    for name, m in REFUSED.items():
        print(f"{name}: refused: {move(m)}")

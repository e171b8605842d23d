#!/usr/bin/python3
"""Ten models on each side of "runs faster on one CPU core", fixed before the first run.

  tests/full/faster_on_cpu.py [--build DIR] [--keep DIR]

The judge is ONNX Runtime on one thread: processor time of a call, the least over blocks of calls (others use the machine,
and only ever add).  A model is faster on the CPU if that is less than what its recommended plan takes with the
application's share, else than now.  Wherever the headline says "faster on one CPU core" the judge must agree; it must say so of
the ten small models, and not of the ten that convolve.  The last column tells whether the judge's time lies in the predicted
interval; nine in ten must, as the interval is one of 90 %.  Needs onnx and onnxruntime; 77 without.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
from onnx import TensorProto, helper

import closed_networks

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCKS, BLOCK_NS = 12, 2e7


class Net(closed_networks.Net):
    """Inputs whose name begins with "ids" are integers."""

    def save(self, path, *outputs):
        kind = {n: TensorProto.INT64 if n.startswith("ids") else TensorProto.FLOAT for n in self.inputs}
        graph = helper.make_graph(self.nodes, path.stem, [helper.make_tensor_value_info(n, kind[n], d) for n, d in self.inputs.items()],
                                  [helper.make_tensor_value_info(o, TensorProto.FLOAT, None) for o in outputs], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)
        onnx.save(onnx.shape_inference.infer_shapes(model), path)

    def cbr(self, x, cin, cout, k=3, stride=1, group=1):
        return self.add("Relu", self.norm(self.conv(x, cin, cout, k, stride, group), cout))

    def table(self, ids, rows, width):
        return self.add("Gather", self.rng.normal(size=(rows, width)), ids, axis=0)


# ---- small ones ---------------------------------------------------------------------------------


def tabular():
    n = Net(13, x=[1, 16])
    return n, n.add("Softmax", n.linear(n.add("Relu", n.linear("x", 16, 32)), 32, 2), axis=1)


def sensor():
    n, x = Net(13, x=[1, 64]), "x"
    for _ in range(3):
        x = n.add("Tanh", n.linear(x, 64, 64))
    return n, n.linear(x, 64, 1)


def classifier_head():
    n = Net(13, features=[1, 128, 7, 7])
    return n, n.linear(n.add("Flatten", n.add("GlobalAveragePool", "features")), 128, 10)


def embedding_bag():
    n = Net(13, ids=[1, 32])
    return n, n.linear(n.reduced(n.table("ids", 5000, 64), "ReduceMean", [1], 0), 64, 16)


def recommender():
    n = Net(13, **{f"ids{i}": [1] for i in range(8)})
    x = n.add("Concat", *[n.table(f"ids{i}", 1000 * (i + 1), 16) for i in range(8)], axis=1)
    return n, n.add("Sigmoid", n.linear(n.add("Relu", n.linear(x, 128, 32)), 32, 1))


def transformer():
    n = Net(17, ids=[1, 8])
    x = n.table("ids", 100, 32)
    q, k, v = (n.project(x, 32, 32) for _ in range(3))
    weights = n.add("Softmax", n.add("Mul", n.add("MatMul", q, n.add("Transpose", k, perm=[0, 2, 1])), numpy.float32(32 ** -0.5)), axis=-1)
    x = n.add("LayerNormalization", n.add("Add", x, n.add("MatMul", weights, v)), numpy.ones(32), numpy.zeros(32), axis=-1)
    x = n.add("Add", x, n.project(n.add("Relu", n.project(x, 32, 64)), 64, 32))
    return n, n.project(n.reduced(x, "ReduceMean", [1], 0), 32, 4)


def signal():
    n = Net(13, x=[1, 1, 128])
    x = n.add("Relu", n.add("Conv", "x", n.rng.normal(size=(8, 1, 9)) / 3, n.rng.normal(size=8), kernel_shape=[9], pads=[4, 4]))
    return n, n.linear(n.add("Flatten", n.add("GlobalAveragePool", x)), 8, 4)


def recurrent():
    n = Net(14, x=[16, 1, 8])
    y = n.add("LSTM", "x", n.rng.normal(size=(1, 64, 8)) / 3, n.rng.normal(size=(1, 64, 16)) / 4, hidden_size=16)
    return n, n.linear(n.add("Reshape", n.add("Gather", y, numpy.int64(15), axis=0), numpy.array([1, 16])), 16, 3)


def normalizer():
    n = Net(13, x=[1, 256])
    x = n.add("Div", n.add("Sub", "x", n.rng.normal(size=256)), n.rng.uniform(0.5, 2, size=256))
    return n, n.add("Clip", x, numpy.float32(-3), numpy.float32(3))


def patch_net():
    n = Net(13, x=[1, 1, 12, 12])
    x = n.add("MaxPool", n.add("Relu", n.conv("x", 1, 4)), kernel_shape=[2, 2], strides=[2, 2])
    return n, n.linear(n.add("Flatten", n.add("Relu", n.conv(x, 4, 8, 3, 2))), 72, 10)


# ---- networks that convolve ------------------------------------------------------------------------


def residual():
    n = Net(13, x=[1, 3, 224, 224])
    x, cin = n.add("MaxPool", n.cbr("x", 3, 64, 7, 2), kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4), 64
    for cout, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        skip = x if stride == 1 else n.norm(n.conv(x, cin, cout, 1, stride), cout)
        x = n.add("Relu", n.add("Add", skip, n.norm(n.conv(n.cbr(x, cin, cout, 3, stride), cout, cout), cout)))
        cin = cout
    return n, n.linear(n.add("Flatten", n.add("GlobalAveragePool", x)), 512, 1000)


def mobile():
    n = Net(13, x=[1, 3, 224, 224])
    x, cin = n.cbr("x", 3, 32, 3, 2), 32
    for cout, stride in ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1), (512, 1), (1024, 2)):
        x, cin = n.cbr(n.cbr(x, cin, cin, 3, stride, cin), cin, cout, 1), cout
    return n, n.linear(n.add("Flatten", n.add("GlobalAveragePool", x)), 1024, 1000)


def plain():
    n, x, cin = Net(13, x=[1, 3, 112, 112]), "x", 3
    for cout in (64, 128, 256):
        x = n.add("MaxPool", n.cbr(n.cbr(x, cin, cout), cout, cout), kernel_shape=[2, 2], strides=[2, 2])
        cin = cout
    return n, n.linear(n.add("Flatten", n.add("GlobalAveragePool", x)), 256, 100)


def detector():
    n, x, cin = Net(13, x=[1, 3, 320, 320]), "x", 3
    for cout in (16, 32, 64, 128, 128):
        x, cin = n.cbr(x, cin, cout, 3, 2), cout
    return n, n.conv(n.cbr(n.cbr(x, 128, 128), 128, 128), 128, 255, 1)


def unet():
    n = Net(13, x=[1, 3, 128, 128])
    a = n.cbr("x", 3, 32)
    b = n.cbr(n.add("MaxPool", a, kernel_shape=[2, 2], strides=[2, 2]), 32, 64)
    c = n.cbr(n.add("MaxPool", b, kernel_shape=[2, 2], strides=[2, 2]), 64, 128)
    b = n.cbr(n.add("Concat", n.add("ConvTranspose", c, n.rng.normal(size=(128, 64, 2, 2)) / 20, kernel_shape=[2, 2], strides=[2, 2]), b, axis=1), 128, 64)
    a = n.cbr(n.add("Concat", n.add("ConvTranspose", b, n.rng.normal(size=(64, 32, 2, 2)) / 20, kernel_shape=[2, 2], strides=[2, 2]), a, axis=1), 64, 32)
    return n, n.conv(a, 32, 4, 1)


def upscaler():
    n = Net(13, x=[1, 3, 128, 128])
    x = n.cbr("x", 3, 32, 5)
    for _ in range(4):
        x = n.cbr(x, 32, 32)
    return n, n.add("DepthToSpace", n.conv(x, 32, 12), blocksize=2, mode="CRD")


def wide_mlp():
    n, x = Net(13, x=[1, 2048]), "x"
    for _ in range(3):
        x = n.add("Relu", n.linear(x, 2048, 2048))
    return n, n.linear(x, 2048, 1000)


def separable():
    n, x, cin = Net(13, x=[1, 3, 160, 160]), "x", 3
    x, cin = n.cbr(x, 3, 24, 3, 2), 24
    for cout, stride in ((24, 1), (32, 2), (64, 2), (96, 1), (160, 2)):
        y = n.add("Clip", n.norm(n.conv(x, cin, 6 * cin, 1), 6 * cin), numpy.float32(0), numpy.float32(6))
        y = n.add("Clip", n.norm(n.conv(y, 6 * cin, 6 * cin, 3, stride, 6 * cin), 6 * cin), numpy.float32(0), numpy.float32(6))
        x, cin = n.norm(n.conv(y, 6 * cin, cout, 1), cout), cout
    return n, n.linear(n.add("Flatten", n.add("GlobalAveragePool", x)), 160, 1000)


def grouped():
    n, x = Net(13, x=[1, 3, 128, 128]), "x"
    x = n.cbr(x, 3, 64, 3, 2)
    for _ in range(4):
        x = n.add("Relu", n.add("Add", x, n.norm(n.conv(n.cbr(n.cbr(x, 64, 64, 1), 64, 64, 3, 1, 32), 64, 64, 1), 64)))
    return n, n.linear(n.add("Flatten", n.add("GlobalAveragePool", x)), 64, 100)


def faces():
    n, x, cin = Net(13, x=[1, 3, 240, 320]), "x", 3
    x = n.cbr(x, 3, 16, 3, 2)
    cin = 16
    for cout, stride in ((32, 1), (32, 2), (64, 2), (64, 1), (64, 1), (128, 2)):
        x, cin = n.cbr(n.cbr(x, cin, cin, 3, stride, cin), cin, cout, 1), cout
    return n, n.conv(x, 128, 12, 3)


CPU = [tabular, sensor, classifier_head, embedding_bag, recommender, transformer, signal, recurrent, normalizer, patch_net]
NPU = [residual, mobile, plain, detector, unet, upscaler, wide_mlp, separable, grouped, faces]


# ---- the judge, and what is said ----------------------------------------------------------------------


def measured_ns(path):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    rng, binding = numpy.random.default_rng(3), session.io_binding()
    for x in session.get_inputs():
        data = rng.integers(0, 100, x.shape) if "int" in x.type else rng.normal(size=x.shape).astype(numpy.float32)
        binding.bind_ortvalue_input(x.name, onnxruntime.OrtValue.ortvalue_from_numpy(data))
    for x in session.get_outputs():
        binding.bind_output(x.name)
    found, calls = [], 1
    for _ in range(BLOCKS):
        start = time.thread_time_ns()
        for _ in range(calls):
            session.run_with_iobinding(binding)
        found.append((time.thread_time_ns() - start) / calls)
        calls = max(1, int(BLOCK_NS / found[-1]))
    return min(found[1:])


def said(build, path):
    run = subprocess.run([build / "npu-advise", path, "--json", "-"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{path.name}: {run.stderr}")
    text = subprocess.run([build / "npu-advise", path], capture_output=True, text=True).stdout
    return json.loads(run.stdout), text.splitlines()[0]


def npu_ns(result):
    for plan in result["plans"]:
        if plan["recommended"]:
            return plan["after"]["latency_ns"]["mid"] + plan["application_ns"]["mid"]
    return result["now"]["latency_ns"]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    p.add_argument("--keep", type=pathlib.Path)
    o = p.parse_args()
    try:
        import onnxruntime  # noqa: F401
    except ImportError:
        print("no onnxruntime")
        return 77
    folder = o.keep or pathlib.Path(tempfile.mkdtemp(prefix="faster_on_cpu."))
    folder.mkdir(exist_ok=True)
    wrong = inside = 0
    print(f"{'model':16} {'CPU, µs':>10} {'predicted [90 %]':>30} {'plan, µs':>10}  headline")
    for small, make in [(True, f) for f in CPU] + [(False, f) for f in NPU]:
        path = folder / f"{make.__name__}.onnx"
        net, output = make()
        net.save(path, output)
        result, first = said(o.build.resolve(), path)
        cpu, npu, ns = measured_ns(path), npu_ns(result), result.get("cpu_alone_ns")
        faster = "faster on one CPU core" in first
        ok = faster == small == (cpu < npu)
        fits = ns is not None and ns["lo"] <= cpu <= ns["hi"]
        interval = f"{ns['mid'] / 1e3:.1f} [{ns['lo'] / 1e3:.1f}, {ns['hi'] / 1e3:.1f}]" if ns else "unknown"
        print(f"{make.__name__:16} {cpu / 1e3:10.1f} {interval:>30} {npu / 1e3:10.1f}  {'CPU' if faster else 'NPU'}"
              f"{'' if ok else '  WRONG'}{'' if fits else '  outside'}")
        wrong += not ok
        inside += fits
    print(f"{wrong} of 20 wrong; {inside} of 20 measured times lie in the predicted interval")
    return 1 if wrong or inside < 18 else 0


if __name__ == "__main__":
    sys.exit(main())

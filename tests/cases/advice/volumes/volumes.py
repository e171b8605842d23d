"""Writes networks of video: residual blocks whose kernels are points in time or in space, and ones that nearly are."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


class Video:
    def __init__(self, frames, size, normed):
        self.nodes, self.weights, self.rng, self.normed = [], [], numpy.random.default_rng(3), normed
        self.input = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, frames, size, size])

    def add(self, op, *inputs, **attributes):
        out = f"{op.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [out], name=out, **attributes))
        return out

    def value(self, a):
        self.weights.append(numpy_helper.from_array(numpy.asarray(a, numpy.float32), f"w{len(self.weights)}"))
        return self.weights[-1].name

    def conv(self, x, channels, kernel, strides=(1, 1, 1)):
        x = self.add("Conv", x, self.value(self.rng.normal(size=(channels[1], channels[0], *kernel)) / (channels[0] * numpy.prod(kernel)) ** 0.5),
                     kernel_shape=kernel, strides=strides, pads=[k // 2 for k in kernel] * 2)
        factors = [self.value(self.rng.uniform(0.5, 1.5, channels[1])) for _ in range(4)] if self.normed else []
        return self.add("BatchNormalization", x, *factors) if self.normed else x

    def block(self, x, c, to, step, space, time):
        y = self.add("Relu", self.conv(x, (c, to), space, (1, step, step)))
        y = self.conv(y, (to, to), time, (step, 1, 1))
        return self.add("Relu", self.add("Add", self.conv(x, (c, to), (1, 1, 1), [step] * 3), y))

    def write(self, name, x, channels):
        x = self.add("Flatten", self.add("GlobalAveragePool", x), axis=1)
        x = self.add("Gemm", x, self.value(self.rng.normal(size=(channels, 10))))
        g = helper.make_graph(self.nodes, "video", [self.input], [helper.make_tensor_value_info(x, TensorProto.FLOAT, None)], self.weights)
        onnx.save(onnx.shape_inference.infer_shapes(helper.make_model(g, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)), name)


def network(name, space=(1, 3, 3), time=(3, 1, 1), frames=8, size=56, step=2, normed=False):
    v = Video(frames, size, normed)
    x = v.add("Relu", v.conv("x", (3, 32), space, (1, 2, 2)))
    x = v.block(v.block(x, 32, 64, step, space, time), 64, 128, 1, space, time)
    v.write(name, x, 128)


network("folded.onnx")
network("normed.onnx", normed=True)
network("five.onnx", space=(1, 5, 5), time=(5, 1, 1), step=1)
network("image.onnx", frames=1, size=112)
network("near.onnx", space=(3, 3, 3), time=(3, 3, 3))

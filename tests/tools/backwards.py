"""Networks written by hand for the cases about patterns: the file lists its nodes last first, and no name says what it is."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


class Net:
    def __init__(self, name, *dims):
        self.name, self.nodes, self.constants, self.dims, self.opset = name, [], [], dims, 13

    def add(self, op, *inputs, outputs=1, **attributes):
        names = []
        for value in inputs:
            if not isinstance(value, str):
                self.constants.append(numpy_helper.from_array(numpy.asarray(value), f"k{len(self.constants)}"))
                value = self.constants[-1].name
            names.append(value)
        out = [f"{'zyxwv'[k]}{99 - len(self.nodes)}" for k in range(outputs)]
        self.nodes.append(helper.make_node(op, names, out, **attributes))
        return out[0] if outputs == 1 else out

    def save(self, result):
        self.nodes.append(helper.make_node("Identity", [result], ["out"]))
        graph = helper.make_graph(self.nodes[::-1], "g", [helper.make_tensor_value_info("in", TensorProto.FLOAT, self.dims)],
                                  [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)], self.constants)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8), self.name + ".onnx")


def f(*dims):
    return numpy.ones(dims, numpy.float32)


def n(value):
    return numpy.float32(value)


def i(*values):
    return numpy.array(values, numpy.int64)

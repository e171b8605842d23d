"""Prints in what two ONNX files differ, names of the graph aside."""
import sys

import numpy
import onnx
from onnx import numpy_helper


def parts(path):
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    graph = model.graph
    constants = {c.name: numpy_helper.to_array(c) for c in graph.initializer}
    return {"inputs": list(graph.input), "outputs": list(graph.output), "nodes": list(graph.node),
            "constants": {k: (str(v.dtype), v.shape, v.tobytes()) for k, v in sorted(constants.items())}}


a, b = (parts(path) for path in sys.argv[1:])
print(*[name for name in a if a[name] != b[name]] or ["equal"])

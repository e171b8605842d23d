"""The model of the first argument with a free number of images, as the second."""
import sys

import onnx

model = onnx.load(sys.argv[1])
for value in (*model.graph.input, *model.graph.output):
    value.type.tensor_type.shape.dim[0].dim_param = "images"
onnx.save(model, sys.argv[2])

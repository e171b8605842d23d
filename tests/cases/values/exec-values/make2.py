"""Makes the inputs of this case."""
import numpy, onnx, os
from onnx import numpy_helper
os.mkdir("pb")
open("pb/input_0.pb", "wb").write(numpy_helper.from_array(numpy.load("in/input_0.npy")).SerializeToString())

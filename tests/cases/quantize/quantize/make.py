"""Makes the inputs of this case."""
import numpy
numpy.save("data/a.npy", numpy.array([[[[-1, 0], [1, 2]]]], numpy.float32))
numpy.save("data/b.npy", numpy.array([[[[1, 2], [3, 4]]]], numpy.float64))  # another type: converted
numpy.save("in/input_0.npy", numpy.array([[[[-1, 0.5], [2, 4]]]], numpy.float32))

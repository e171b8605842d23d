"""Makes the inputs of this case."""
import numpy
numpy.save("in/input_0.npy", numpy.array([[[[130, 128, 124, 255]]]], numpy.uint8))
numpy.save("small/input_0.npy", numpy.zeros((1, 1, 1, 3), numpy.uint8))

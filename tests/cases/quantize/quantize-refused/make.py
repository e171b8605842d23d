"""Makes the inputs of this case."""
import numpy
numpy.save("wrong/a.npy", numpy.zeros((1, 1, 3, 3), numpy.float32))
numpy.save("nan/a.npy", numpy.full((1, 1, 2, 2), numpy.nan, numpy.float32))

"""Makes the inputs of this case."""
import numpy
x = numpy.linspace(-1, 1, 99998)
numpy.save("data/x.npy", numpy.concatenate([x, [-1.5, 1.5]]).reshape(1, 1, 1, -1).astype(numpy.float32))

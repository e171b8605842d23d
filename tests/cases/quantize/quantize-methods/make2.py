"""Makes the inputs of this case."""
import numpy, sys
x = numpy.concatenate([numpy.arange(59981) / 59981, -numpy.arange(1, 40001) / 80000, [-3.0] * 15, [4.0] * 4])
numpy.save("data/x.npy", int(sys.argv[1]) * x.reshape(1, 1, 1, -1).astype(numpy.float32))

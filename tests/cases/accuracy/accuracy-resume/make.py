"""Makes the inputs of this case."""
import numpy
grey = (numpy.arange(300) % 200 / 255).astype(numpy.float32)
numpy.save("images/x.npy", numpy.broadcast_to(grey[:, None, None, None], (300, 1, 64, 64)))
numpy.save("other/x.npy", numpy.broadcast_to(grey[:9, None, None, None], (9, 1, 64, 64)))

"""Makes the inputs of this case."""
import numpy
a, b = (numpy.array(v, numpy.float32).reshape(1, 1, 2, 2) for v in ([-1, 0, 1, 2], [1, 2, 3, 4]))
numpy.save("npy/a.npy", a)
numpy.save("npy/b.npy", b[0])  # without the axis of images
numpy.savez("stored/a.npz", a)
numpy.savez("stored/b.npz", other=a, x=b)
numpy.savez_compressed("packed/a.npz", x=numpy.concatenate([a, b]), other=numpy.zeros(5))
numpy.save("many/ab.npy", numpy.concatenate([a, b]))
numpy.save("folders/s0/input_0.npy", a)
numpy.save("folders/s1/input_0.npy", b)
x = numpy.arange(9, dtype=numpy.float32).reshape(1, 1, 3, 3)
numpy.savez("named/0.npz", b=-x, a=x)
whole = open("packed/a.npz", "rb").read()
open("bad/cut.npz", "wb").write(whole[:-30])

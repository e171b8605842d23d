import numpy
from backwards import Net, f, i, n


def start(name, *dims):
    net = Net(name, *dims)
    return net, net.add("Relu", "in")


net, x = start("layer-norm", 1, 16, 64)  # the square is a product, the quotient a product with an inverse; bias first
off = net.add("Sub", x, net.add("ReduceMean", x, axes=[2]))
root = net.add("Sqrt", net.add("Add", n(1e-5), net.add("ReduceMean", net.add("Mul", off, off), axes=[2])))
net.save(net.add("Add", f(64), net.add("Mul", f(64), net.add("Mul", net.add("Reciprocal", root), off))))

net, x = start("rms-norm", 1, 16, 64)
root = net.add("Pow", net.add("Add", net.add("ReduceMean", net.add("Pow", x, n(2)), axes=[-1]), n(1e-6)), n(0.5))
net.save(net.add("Mul", net.add("Div", x, root), f(64)))

net, x = start("instance-norm", 1, 8, 32, 32)
off = net.add("Sub", x, net.add("ReduceMean", x, axes=[2, 3]))
root = net.add("Sqrt", net.add("Add", net.add("ReduceMean", net.add("Pow", off, n(2)), axes=[2, 3]), n(1e-5)))
net.save(net.add("Div", off, root))

net, x = start("not-a-norm", 1, 16, 64)  # another tensor is divided than was squared
root = net.add("Sqrt", net.add("ReduceMean", net.add("Pow", net.add("Sigmoid", x), n(2)), axes=[-1]))
net.save(net.add("Div", x, root))

net, x = start("attention", 1, 16, 96)  # masked, scaled before the product, one Split for all three
q, k, v = net.add("Split", net.add("MatMul", x, f(96, 96)), i(32, 32, 32), outputs=3, axis=2)
scores = net.add("MatMul", net.add("Mul", q, n(0.17)), net.add("Transpose", k, perm=[0, 2, 1]))
net.save(net.add("MatMul", net.add("Softmax", net.add("Add", scores, f(16, 16)), axis=2), v))

net, x = start("not-attention", 1, 16, 96)  # the second product is with weights
scores = net.add("MatMul", x, net.add("Transpose", x, perm=[0, 2, 1]))
net.save(net.add("MatMul", net.add("Softmax", scores, axis=2), f(16, 8)))

net, x = start("shuffle", 1, 8, 32, 32)
net.save(net.add("Gather", x, i(0, 4, 1, 5, 2, 6, 3, 7), axis=1))

net, x = start("not-a-shuffle", 1, 8, 32, 32)  # height and width change places
t = net.add("Transpose", net.add("Reshape", x, i(1, 2, 4, 32, 32)), perm=[0, 1, 2, 4, 3])
net.save(net.add("Reshape", t, i(1, 8, 32, 32)))

net = Net("transform-input", 1, 3, 64, 64)
part = [net.add("Add", net.add("Mul", net.add("Unsqueeze", net.add("Gather", "in", numpy.int64(c), axis=1), i(1)), n(0.9)), n(-0.1))
        for c in range(3)]
net.save(net.add("Conv", net.add("Concat", *part, axis=1), f(8, 3, 3, 3)))

net = Net("not-of-one-input", 1, 3, 64, 64)  # a part comes out of a convolution
part = [net.add("Slice", t, i(0), i(1), i(1)) for t in ("in", net.add("Conv", "in", f(1, 3, 1, 1)))]
net.save(net.add("Conv", net.add("Concat", *part, axis=1), f(8, 2, 3, 3)))

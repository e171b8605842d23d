from backwards import Net, f, i, n


def weights(*dims):
    return f(*dims) * n(0.01)


def recurrent(net, x):
    steps = net.add("LSTM", net.add("Transpose", x, perm=[1, 0, 2]), weights(1, 1024, 64), weights(1, 1024, 256), hidden_size=256)
    return net.add("MatMul", net.add("Transpose", net.add("Squeeze", steps, i(1)), perm=[1, 0, 2]), weights(256, 64))


def attention(net, x):
    heads = [net.add("Transpose", net.add("Reshape", net.add("MatMul", x, weights(64, 64)), i(1, 1024, 4, 16)), perm=[0, 2, 1, 3])
             for _ in range(3)]
    mixed = net.add("Attention", *heads)
    return net.add("Reshape", net.add("Transpose", mixed, perm=[0, 2, 1, 3]), i(1, 1024, 64))


def products(net, x):
    scores = net.add("MatMul", x, net.add("Transpose", x, perm=[0, 2, 1]))
    return net.add("MatMul", net.add("Softmax", scores, axis=2), x)


def transformer(name, mix, between=lambda net, x: x):
    net = Net(name, 1, 3, 512, 512)
    net.opset = 23
    x = net.add("Conv", "in", weights(64, 3, 16, 16), strides=[16, 16])
    x = net.add("Transpose", net.add("Reshape", x, i(1, 64, 1024)), perm=[0, 2, 1])
    x = net.add("Add", mix(net, x), x)
    wide = between(net, net.add("Relu", net.add("MatMul", x, weights(64, 256))))
    net.save(net.add("Add", net.add("MatMul", wide, weights(256, 64)), x))


def mystery(net, x):
    return net.add("Mystery", x, domain="mine")


transformer("recurrent", recurrent)
transformer("recurrent-and-unknown", recurrent, mystery)
transformer("attention-in-one", attention)
transformer("products", products)
transformer("products-and-unknown", products, mystery)

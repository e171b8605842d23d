"""Each operator of a quantized model by itself, on the codes that a runtime gave it, beside exact arithmetic."""
import numpy, onnx
from onnx import numpy_helper


def with_codes(model, path):
    """The same with the codes of every activation among its outputs."""
    whole = onnx.shape_inference.infer_shapes(onnx.load(model))
    known = {v.name: v for v in whole.graph.value_info}
    already = {o.name for o in whole.graph.output}
    for node in whole.graph.node:
        if node.op_type == "QuantizeLinear" and node.output[0] not in already:
            whole.graph.output.append(known[node.output[0]])
    onnx.save(whole, path)
    return path


def attribute(node, name, default):
    found = [onnx.helper.get_attribute_value(a) for a in node.attribute if a.name == name]
    return found[0] if found else default


def convolved(x, w, bias, node):
    """In float64, tap by tap."""
    groups, stride, pads = attribute(node, "group", 1), attribute(node, "strides", [1, 1]), attribute(node, "pads", [0, 0, 0, 0])
    if attribute(node, "auto_pad", b"NOTSET") not in (b"NOTSET", b"VALID"):
        total = [max((-(-x.shape[2 + i] // stride[i]) - 1) * stride[i] + w.shape[2 + i] - x.shape[2 + i], 0) for i in (0, 1)]
        small = [t // 2 for t in total]
        pads = small + [t - s for t, s in zip(total, small)]
        if attribute(node, "auto_pad", b"") == b"SAME_LOWER":
            pads = pads[2:] + pads[:2]
    x = numpy.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    high, wide = [(x.shape[2 + i] - w.shape[2 + i]) // stride[i] + 1 for i in (0, 1)]
    out = numpy.zeros((x.shape[0], w.shape[0], high, wide))
    per_in, per_out = w.shape[1], w.shape[0] // groups
    for r in range(w.shape[2]):
        for c in range(w.shape[3]):
            part = x[:, :, r:r + stride[0] * high:stride[0], c:c + stride[1] * wide:stride[1]]
            if per_in == 1 and per_out == 1:
                out += part * w[None, :, 0, r, c, None, None]
                continue
            for g in range(groups):
                mine = slice(g * per_out, (g + 1) * per_out)
                out[:, mine] += numpy.einsum("nihw,oi->nohw", part[:, g * per_in:(g + 1) * per_in], w[mine, :, r, c], optimize=True)
    return out if bias is None else out + bias[None, :, None, None]


def exact(name, codes, producer, constants, known):
    """The value of a tensor in float64, from the codes that are given."""
    if name in known:
        return known[name]
    if name in constants:
        return constants[name].astype(float)
    node = producer[name]
    if node.op_type == "DequantizeLinear":
        of = codes[node.input[0]] if node.input[0] in codes else constants[node.input[0]]
        scale, zero = (constants[node.input[i]].astype(float) for i in (1, 2))
        if scale.size > 1:
            shape = [1] * of.ndim
            shape[attribute(node, "axis", 1)] = -1
            scale, zero = scale.reshape(shape), zero.reshape(shape)
        value = (of.astype(float) - zero) * scale
    else:
        given = [exact(i, codes, producer, constants, known) if i else None for i in node.input]
        value = apply(node, given)
    known[name] = value
    return value


def apply(node, given):
    x = given[0]
    if node.op_type == "Conv":
        return convolved(x, given[1], given[2] if len(given) > 2 else None, node)
    if node.op_type == "Relu":
        return numpy.maximum(x, 0)
    if node.op_type == "Add":
        return x + given[1]
    if node.op_type == "Transpose":
        return x.transpose(attribute(node, "perm", None))
    if node.op_type == "Reshape":
        return x.reshape([int(d) or x.shape[i] for i, d in enumerate(given[1])])
    if node.op_type == "Pad":
        n = x.ndim
        p = [int(v) for v in given[1]]
        return numpy.pad(x, [(p[i], p[i + n]) for i in range(n)], constant_values=float(given[2]) if len(given) > 2 and given[2] is not None else 0)
    if node.op_type == "MaxPool":
        k, s = attribute(node, "kernel_shape", None), attribute(node, "strides", [1, 1])
        assert not any(attribute(node, "pads", [0])), "padded pools are not done here"
        high, wide = (x.shape[2] - k[0]) // s[0] + 1, (x.shape[3] - k[1]) // s[1] + 1
        return numpy.max([x[:, :, r:r + s[0] * high:s[0], c:c + s[1] * wide:s[1]] for r in range(k[0]) for c in range(k[1])], 0)
    raise ValueError(node.op_type)


def off(model, codes):
    """What makes it, elements, those that differ from exact arithmetic on the codes that went in, by how many at most, and how far from the
    middle between two codes the exact value lies there at most: of each QuantizeLinear."""
    graph = onnx.load(model).graph
    producer = {o: n for n in graph.node for o in n.output}
    constants = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    constants.update({n.output[0]: numpy_helper.to_array(attribute(n, "value", None)) for n in graph.node if n.op_type == "Constant"})
    rows = []
    for node in graph.node:
        if node.op_type != "QuantizeLinear" or node.input[0] not in producer:
            continue
        scale, zero = (float(constants[node.input[i]]) for i in (1, 2))
        steps = exact(node.input[0], codes, producer, constants, {}) / scale
        found = codes[node.output[0]].astype(float)
        wanted = numpy.clip(numpy.rint(steps) + zero, -128, 127).reshape(found.shape)
        differs = wanted != found
        steps = steps.reshape(found.shape)
        half = numpy.abs(steps - numpy.floor(steps) - 0.5)[differs]
        rows.append((producer[node.input[0]].op_type, found.size, int(differs.sum()), numpy.abs(wanted - found).max(), half.max() if half.size else 0))
    return rows

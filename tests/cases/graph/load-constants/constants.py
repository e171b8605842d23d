"""Constants as files hold them: typed or raw, packed or not, sparse, of every type and at the ends of what fits; what is read is run and shown."""
import os
import shutil
import struct
import subprocess

import numpy
from onnx import TensorProto as T, helper as h, numpy_helper


def varint(v):
    out = b""
    v &= 2 ** 64 - 1
    while v >= 0x80:
        out += bytes([v & 0x7f | 0x80])
        v >>= 7
    return out + bytes([v])


def field(number, data):
    """Bytes, or a number."""
    return varint(number << 3) + varint(data) if isinstance(data, int) else varint(number << 3 | 2) + varint(len(data)) + data


def tensor(dims, kind, *fields, name=b"c"):
    return b"".join([*(field(1, d) for d in dims), field(2, kind), *fields, field(8, name)])


def run(title, graph_part, to=T.FLOAT, node=None, more=b"", model=b""):
    nodes = node if node is not None else [h.make_node("Cast", ["c"], ["y"], "last", to=to)]
    nodes = [*nodes, h.make_node("Neg", ["x"], ["z"])]
    g = h.make_graph(nodes, "g", [h.make_tensor_value_info("x", T.FLOAT, [1])], [h.make_empty_tensor_value_info("y"), h.make_empty_tensor_value_info("z")]).SerializeToString() + graph_part
    data = field(1, 9) + field(7, g) + field(8, field(1, b"") + field(2, 13)) + field(8, field(1, b"own") + field(2, 1)) + model
    open("m.onnx", "wb").write(data)
    shutil.rmtree("of", ignore_errors=True)
    done = subprocess.run([os.environ["NPU_EXEC"], "m.onnx", "--values", "--input-dir", "in", "--output-dir", "of"], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if line.startswith("npu-exec") and "executed in" not in line and "is not quantized" not in line]
    got = [numpy.load(f"of/{n}") for n in sorted(os.listdir("of")) if n == "output_0.npy"] if os.path.isdir("of") and not done.returncode else []
    said = [line.removeprefix("npu-exec: ").removeprefix("m.onnx: ") for line in said]
    print(title, "=>", "; ".join([*said, *(f"{a.dtype} {list(a.shape)} {a.flatten()[:12].tolist()}" for a in got)]))


def dense(title, *words, **more):
    run(title, field(5, tensor(*words)), **more)


os.mkdir("in")
numpy.save("in/input_0.npy", numpy.ones(1, "f4"))
F = struct.pack
for kind, name, width, form in ((1, "float", 4, "f"), (2, "uint8", 1, "B"), (3, "int8", 1, "b"), (4, "uint16", 2, "H"), (5, "int16", 2, "h"), (6, "int32", 4, "i"), (7, "int64", 8, "q"), (9, "bool", 1, "?"), (10, "half", 2, "e"),
                                (11, "double", 8, "d"), (12, "uint32", 4, "I"), (13, "uint64", 8, "Q")):
    for n in (0, 1, 2, 3):
        dense(f"{n} raw {name} for 2", [2], kind, field(9, F(f"<{n}{form}", *range(1, n + 1))))
    number = {"f": 4, "q": 7, "d": 10, "I": 11, "Q": 11}.get(form, 5)
    if form in "fd":
        packed = [F(f"<{n}{form}", *(k + 0.5 for k in range(n))) for n in (1, 2, 3)]
    else:
        packed = [b"".join(varint(15360 if form == "e" else k + 1) for k in range(n)) for n in (1, 2, 3)]
    for n, p in enumerate(packed):
        dense(f"{n + 1} typed {name} for 2", [2], kind, field(number, p))
    dense(f"{name} in two parts", [2], kind, field(number, packed[0]), field(number, packed[0]))
    dense(f"{name} in three parts", [2], kind, field(number, packed[0]), field(number, packed[0]), field(number, packed[0]))
    if form not in "fd":
        dense(f"{name} not packed", [2], kind, field(number, 5), field(number, 6))
        dense(f"{name} of -1", [1], kind, field(number, -1))
    dense(f"{name} in another field", [2], kind, field({4: 5, 5: 7, 7: 5, 10: 4, 11: 7}[number], packed[1]))
dense("raw of nothing and typed", [2], 1, field(9, b""), field(4, F("<2f", 1, 2)))
dense("raw twice", [2], 1, field(9, b""), field(9, F("<2f", 1, 2)))
for dims in ([], [0], [2, 0], [1, 2], [2, 1, 1], [-1], [1] * 32, [1] * 33, [1] * 64, [1] * 65, [2 ** 31, 2 ** 31], [2 ** 62, 4], [2 ** 55]):
    n = 2 if dims in ([1, 2], [2, 1, 1]) else 0 if 0 in dims else 1
    dense(f"sizes {dims}", dims, 1, field(9, F(f"<{n}f", *[3.5] * n)))
    dense(f"sizes in one {dims}", [], 1, field(1, b"".join(map(varint, dims))), field(9, F(f"<{n}f", *[3.5] * n)))
for kind in (0, 8, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 99):
    dense(f"type {kind}", [2], kind, field(9, b"\x12\x34"))
    dense(f"type {kind}, two bytes each", [2], kind, field(9, b"\x80\x3f\x00\x40"))
dense("three halves of a byte", [3], 21, field(9, b"\x21\x03"))
for v in (0x0000, 0x0001, 0x03ff, 0x0400, 0x3c00, 0x7bff, 0x7c00, 0x7c01, 0x8000, 0xfbff, 0xfc00):
    dense(f"half {v:04x}", [1], 10, field(9, F("<H", v)))
    dense(f"bfloat16 {v:04x}", [1], 16, field(9, F("<H", v)))


def sparse(title, dims, values, indices, shape, kind=T.FLOAT):
    v = numpy_helper.from_array(numpy.array(values, h.mapping.TENSOR_TYPE_TO_NP_TYPE[kind]), "c").SerializeToString()
    i = tensor(shape, T.INT64, field(9, F(f"<{len(indices)}q", *indices)), name=b"")
    for where, part in (("", field(15, field(1, v) + field(2, i) + b"".join(field(3, d) for d in dims))),):
        run(title + where, part)
    s = field(1, v) + field(2, i) + b"".join(field(3, d) for d in dims)
    constant = field(2, b"y") + field(3, b"made") + field(4, b"Constant") + field(5, field(1, b"sparse_value") + field(22, s) + field(20, 11))
    run(title + ", of a node", field(1, constant), node=[])


sparse("in a line", [6], [1.5, 2.5], [1, 4], [2])
sparse("in a line, rows of one", [6], [1.5, 2.5], [1, 4], [2, 1])
sparse("a matrix by places", [2, 3], [1.5, 2.5], [1, 5], [2])
sparse("a matrix by axes", [2, 3], [1.5, 2.5], [0, 2, 1, 0], [2, 2])
sparse("a cube by axes", [2, 2, 3], [1.5, 2.5], [0, 1, 2, 1, 0, 1], [2, 3])
sparse("int64", [4], [7, 8], [3, 0], [2], T.INT64)
sparse("the same place twice", [3], [1.5, 2.5], [1, 1], [2])
sparse("nothing in it", [3], [], [], [0])
sparse("of no size", [0], [], [], [0])
for at in (-1, 5, 6, 2 ** 40):
    sparse(f"place {at}", [6], [1.5], [at], [1])
    sparse(f"place {at} of a matrix", [2, 3], [1.5], [at], [1])
for row in ([0, 2], [0, 3], [1, 2], [2, 0], [-1, 0], [0, -1], [1, -1]):
    sparse(f"place {row}", [2, 3], [1.5], row, [1, 2])
sparse("fewer places than values", [6], [1.5, 2.5], [1], [1])
sparse("more places than values", [6], [1.5], [1, 2], [2])
sparse("half of the places", [2, 3], [1.5, 2.5], [0, 1, 1], [3, 1])
sparse("sizes that are negative", [-2], [1.5], [0], [1])


def function(defaults, given, ins="a", outs="b", body=None, extra=b"", count=1):
    node = body or [h.make_node("LeakyRelu", ["a"], ["b"], "leaky")]
    if not body:
        ref = node[0].attribute.add()
        ref.name, ref.ref_attr_name, ref.type = "alpha", "slope", 1
    f = field(1, b"Mine") + b"".join(field(4, i.encode()) for i in ins.split()) + b"".join(field(5, o.encode()) for o in outs.split())
    f += field(6, b"slope") * (not defaults) + b"".join(field(7, n.SerializeToString()) for n in node) + field(9, field(1, b"") + field(2, 13)) + field(10, b"own")
    f += b"".join(field(11, h.make_attribute("slope", d).SerializeToString()) for d in defaults) + extra
    calls = [h.make_node("Mine", ["c"], ["y"], "call", domain="own", **({} if given is None else {"slope": given}))]
    run(f"function, defaults {defaults}, given {given}, {ins}, {outs}", field(5, numpy_helper.from_array(numpy.array([-2, 4], "f4"), "c").SerializeToString()), node=calls, model=field(25, f) * count)


for defaults in ([], [0.5], [0.5, 0.25]):
    for given in (None, 0.125):
        function(defaults, given)
function([], None, ins="a q", body=[h.make_node("Clip", ["a", "q"], ["b"])])
function([], None, outs="b q", body=[h.make_node("Neg", ["a"], ["b"]), h.make_node("Abs", ["a"], ["q"])])
function([], None, body=[h.make_node("Mine", ["a"], ["b"], domain="own")])
function([], None, count=2)
function([0.5], None, body=[h.make_node("Neg", ["a"], ["t"]), h.make_node("Abs", ["t"], ["u"]), h.make_node("Neg", ["u"], ["b"])])

"""Models byte by byte, as the wire format has them: what no library would write."""
import struct

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, kind, value):
    head = varint(number << 3 | kind)
    if kind == BYTES:
        value = value if isinstance(value, bytes) else value.encode()
        return head + varint(len(value)) + value
    return head + (varint(value) if kind == VARINT else struct.pack("<I" if kind == FIXED32 else "<Q", value))


def tensor(name, dims, kind, data):
    return b"".join(field(1, VARINT, d) for d in dims) + field(2, VARINT, kind) + field(8, BYTES, name) + data


def value(name, dims, kind=1, extra=b""):
    shape = b"".join(field(1, BYTES, field(1, VARINT, d)) for d in dims)
    of_tensor = field(1, VARINT, kind) + field(2, BYTES, shape)
    return field(1, BYTES, name) + field(2, BYTES, field(1, BYTES, of_tensor) + extra)


def node(op, inputs, outputs, attributes=b"", extra=b""):
    return (b"".join(field(1, BYTES, i) for i in inputs) + b"".join(field(2, BYTES, o) for o in outputs)
            + field(3, BYTES, outputs[0]) + field(4, BYTES, op) + attributes + extra)


def model(name, parts, extra=b""):
    graph = b"".join(field(number, BYTES, part) for number, part in parts)
    data = field(1, VARINT, 8) + field(7, BYTES, graph) + field(8, BYTES, field(2, VARINT, 13)) + extra
    open(name + ".onnx", "wb").write(data)


NODE, INITIALIZER, INPUT, OUTPUT = 1, 5, 11, 12
relu = [(NODE, node("Relu", ["x"], ["y"])), (INPUT, value("x", [2, 6])), (OUTPUT, value("y", [2, 6]))]
model("plain", relu)

# Fields of any kind that nobody knows are skipped.
model("unknown-fields", relu, field(900, VARINT, 5) + field(901, FIXED32, 7) + field(902, FIXED64, 9) + field(903, BYTES, "x"))
model("cut-fixed32", relu, field(901, FIXED32, 7)[:-1])
model("cut-fixed64", relu, field(902, FIXED64, 9)[:-1])
model("group", relu, varint(904 << 3 | 3))
model("field-zero", relu, field(0, VARINT, 1))
model("endless-varint", relu, varint(905 << 3) + b"\x80" * 10 + b"\x01")

# A field of the wrong kind where the walk over the file does not look, but protobuf does.
model("wrong-kind", [(NODE, node("Relu", ["x"], ["y"])), (INPUT, value("x", [2, 6], extra=field(6, VARINT, 1))), (OUTPUT, value("y", [2, 6]))])

# A node of more than 64 MiB without its tensors: its documentation.
model("long-node", [(NODE, node("Relu", ["x"], ["y"], extra=field(6, BYTES, b" " * (64 << 20)))), *relu[1:]])

# Constants: a tensor as attribute, as packed and as single entries, and a sparse one.
def constant(attribute_field, data, kind):
    return field(5, BYTES, field(1, BYTES, "value" if attribute_field == 5 else "sparse_value") + field(attribute_field, BYTES, data) + field(20, VARINT, kind))


shape = {
    "packed": tensor("c", [2], 7, field(7, BYTES, varint(3) + varint(4))),
    "single": tensor("c", [2], 7, field(7, VARINT, 3) + field(7, VARINT, 4)),
    "raw": tensor("c", [2], 7, field(9, BYTES, struct.pack("<qq", 3, 4))),
    "too-few": tensor("c", [2], 7, field(7, VARINT, 3)),
    "too-long": tensor("c", [2], 7, field(9, BYTES, struct.pack("<qqq", 3, 4, 5))),
    "huge": tensor("c", [1 << 40, 1 << 40], 7, b""),
    "negative": tensor("c", [(1 << 64) - 2], 7, b""),
    "deep": tensor("c", [1] * 70, 7, b""),
}
for name, data in shape.items():
    model("reshape-" + name, [(NODE, node("Constant", [], ["c"], constant(5, data, 4))), (NODE, node("Reshape", ["x", "c"], ["y"])),
                              (INPUT, value("x", [2, 6])), (OUTPUT, field(1, BYTES, "y"))])
sparse = field(1, BYTES, tensor("s", [1], 7, field(7, VARINT, 12))) + field(2, BYTES, tensor("i", [1], 7, field(7, VARINT, 0))) + field(3, VARINT, 1)
model("reshape-sparse", [(NODE, node("Constant", [], ["c"], constant(22, sparse, 11))), (NODE, node("Reshape", ["x", "c"], ["y"])),
                         (INPUT, value("x", [2, 6])), (OUTPUT, field(1, BYTES, "y"))])

# A file of more than 2 GiB that takes no room on the disk.
with open("over-2-gib.onnx", "wb") as f:
    f.write(open("plain.onnx", "rb").read() + varint(906 << 3 | BYTES) + varint(1 << 31))
    f.truncate(f.tell() + (1 << 31))

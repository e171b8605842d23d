"""Breaks one thing at a time in a .dfg and in a DOT: each is refused in one line that names it."""
import math
import pathlib
import struct
import zlib

DFG, DOT = pathlib.Path("CumSum.dfg").read_bytes(), pathlib.Path("CumSum.dot").read_text()


def sealed(body):
    """With the header of these bytes."""
    return b"dfg" + zlib.crc32(body).to_bytes(4, "little") + bytes((0, 1, 1)) + body


def write(name, data):
    pathlib.Path(name).write_bytes(data if isinstance(data, bytes) else data.encode())


def swap(old, new):
    """The same body with a run of bytes replaced, the lengths around it unchanged."""
    body = DFG[10:]
    assert body.count(old) == 1 and len(old) == len(new), old
    return sealed(body.replace(old, new))


write("a-bit.dfg", DFG[:200] + bytes((DFG[200] ^ 1,)) + DFG[201:])
write("b-cut.dfg", DFG[:900])
write("c-header.dfg", DFG[:8])
write("d-version.dfg", DFG[:8] + b"\2" + DFG[9:])
write("e-older.dfg", sealed(bytes.fromhex("0a0408011200")))
write("f-empty.dfg", sealed(b""))
QUANTIZE, DEQUANTIZE = bytes.fromhex("6a04080a100b"), bytes.fromhex("7204080d1002")  # operators 13: 10 to 11, and 14: 13 to 2
write("g-tensor.dfg", swap(QUANTIZE, bytes.fromhex("6a04080a1063")))
write("h-number.dfg", swap(QUANTIZE, bytes.fromhex("4a04080a100b")))
write("i-written-twice.dfg", swap(DEQUANTIZE, bytes.fromhex("7204080d1010")))
write("j-circle.dfg", swap(DEQUANTIZE, bytes.fromhex("720408101002")))
write("k-onnx.dfg", swap(bytes.fromhex("08083aa401"), bytes.fromhex("08083aff01")))
write("l-range.dfg", swap(struct.pack("<d", 0.9997910857200623), struct.pack("<d", math.nan)))

write("m-cut.dot", DOT[:3000])
write("n-type.dot", DOT.replace("\\li8\\l", "\\li7\\l"))
write("o-scale.dot", DOT.replace("s: 0.00392074935576495", "s: 0.00392", 1))
write("p-differs.dot", DOT.replace("T2] \\lf32\\l[1x16x32x32]", "T2] \\lf32\\l[1x16x32x33]", 1))
write("q-port.dot", DOT.replace("operator_3:Input1", "operator_3:Input2"))
write("r-stride.dot", DOT.replace("stride: (H: 1, W: 1)", "stride: (H: 1, W: x)", 1))
write("s-nothing.dot", DOT.replace("operator_3 -> tensor_16;", ""))
write("t-constant.dot", DOT.replace("buffer 432B", "buffer 431B"))
write("u-pads.dot", DOT.replace("Padding { top: 1", "Padding { top: 99999999999", 1))

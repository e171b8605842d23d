"""Makes the inputs of this case."""
import numpy, os, random
whole = bytearray(open("packed/a.npz", "rb").read())
os.remove("bad/cut.npz")
def put(name, at, value):
    copy = bytearray(whole)
    copy[at:at + len(value)] = value
    open(f"bad/{name}.npz", "wb").write(copy)
    os.system('"$NPU_EXEC" model.onnx --values --data bad --ranges r.json 2>&1 | grep -v ": note: "')
    os.remove(f"bad/{name}.npz")
entry, end = whole.find(b"PK\1\2"), whole.rfind(b"PK\5\6")
put("list", end + 16, b"\xff\xff\xff\x7f")
put("near", end + 16, (len(whole) - 10).to_bytes(4, "little"))
put("long", entry + 28, b"\xff\xff")
put("method", entry + 10, b"\x0c")
put("locked", entry + 8, b"\x01")
put("large", entry + 24, b"\xff\xff\xff\x3f")
put("moved", entry + 42, b"\x07\0\0\0")
put("data", 80, b"\xff" * 8)
numpy.savez("bad/other.npz", p=numpy.zeros(3), q=numpy.zeros(3))
os.system('"$NPU_EXEC" model.onnx --values --data bad --ranges r.json 2>&1 | grep -v ": note: "')
os.remove("bad/other.npz")
# Names without the ending that NumPy adds, one that is nothing else, what else an archive may carry, and as many arrays as there may be.
import io, json, zipfile
from onnx import TensorProto, helper
import onnx
written = {"a": "a", "abcd": "abcd", "abcde": "abcde", "longname": "longname", ".npy": ".npy", "x": "x.npy", "y.npy": "y.npy.npy", "z.npz": "z.npz"}
info = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 2])
onnx.save(helper.make_model(helper.make_graph([helper.make_node("Sum", list(written), ["sum"])], "g", [info(name) for name in written], [info("sum")]),
                            opset_imports=[helper.make_opsetid("", 13)], ir_version=8), "named.onnx")
def ranges(path, more=0, comment=b""):
    with zipfile.ZipFile(path, "w") as archive:
        archive.comment = comment
        for i in range(more):
            archive.writestr(f"other{i}", b"")
        for i, entry in enumerate(written.values(), 1):
            array = io.BytesIO()
            numpy.save(array, numpy.full((1, 2), i, numpy.float32))
            place = zipfile.ZipInfo(entry)
            place.comment, place.extra = b"c" * i, b"\x99\x99\2\0ee" * i
            archive.writestr(place, array.getvalue())
    if os.system(f'"$NPU_EXEC" named.onnx --values --data names --ranges r.json 2>&1 | grep -v ": note: "; test -s r.json') == 0:
        print({name: ends[0] for name, ends in json.load(open("r.json"))["ranges"].items()}, flush=True)
        os.remove("r.json")
os.mkdir("names")
ranges("names/n.npz")
ranges("names/n.npz", comment=b"c" * 65535)
ranges("names/n.npz", more=4096 - len(written))
ranges("names/n.npz", more=4097 - len(written))
open("names/n.npz", "wb").write(b"PK\5\6" + bytes(17))
os.system('"$NPU_EXEC" named.onnx --values --data names --ranges r.json 2>&1 | grep -v ": note: "; rm -r named.onnx names')
# Every byte turned over: a line or a result, never a crash.
crashed = 0
for at in range(0, len(whole), 3):
    copy = bytearray(whole)
    copy[at] ^= 0xff
    open("bad/x.npz", "wb").write(copy)
    crashed += os.system('"$NPU_EXEC" model.onnx --values --data bad --ranges r.json > /dev/null 2>&1') >> 8 not in (0, 2)
print("crashed", crashed)

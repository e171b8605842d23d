"""Makes the inputs of this case."""
import gzip, os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["ROOT"] + "/tests/full")
import hostile_set as h
def write(name, data): open(name, "wb").write(data)
write("long.onnx", h.model(h.graph(h.chain("Relu", 60000))))
attr = b"".join(h.sub(5, h.sub(1, f"a{i}") + h.num(3, i) + h.num(20, 2)) for i in range(60000))
default = b"".join(h.sub(11, h.sub(1, f"a{i}") + h.num(3, i) + h.num(20, 2)) for i in range(60000))
f = h.sub(1, "F") + h.sub(4, "i") + h.sub(5, "o") + default + h.sub(7, h.node("Relu", ["i"], ["o"])) + h.sub(10, "f")
write("attributes.onnx", h.model(h.graph([h.node("F", ["x"], ["y"], attr, "f")]), [f]))
write("bomb.json.gz", gzip.compress(b"[" + b" " * (100 << 20) + b"]"))
write("fine.json.gz", gzip.compress(b"[" + b" " * (60 << 20) + b"]"))
write("wide.json", ("[" + ",".join('{"name":"n%d","ph":"X","ts":%d,"dur":1,"pid":%d,"tid":1}' % (i, i, i) for i in range(200000)) + "]").encode())
write("settings.json", b'{"suppressions": [' + b",".join([b'{"fingerprint": "f", "reason": "r"}'] * 800000) + b"]}")
import json
r = json.load(open(os.environ["ROOT"] + "/docs/schema/result.example.json"))
r["notes"] = ["n"] * 900000
json.dump(r, open("result.json", "w"))

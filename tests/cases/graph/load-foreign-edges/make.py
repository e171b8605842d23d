names = []


def put(name, data):
    names.append(name + ".in")
    open(name + ".in", "wb").write(data)


# Safetensors: a length of 8 bytes, of which the upper 3 are 0, and '{"'; more than 10 bytes.
tensors = b"\x40\x00\x00\x00\x01\x00\x00\x00" + b'{"a'
put("tensors", tensors)
put("tensors-short", tensors[:10])
for i in (5, 6, 7):
    put(f"tensors-{i}", tensors[:i] + b"\x01" + tensors[i + 1:])
put("tensors-8", tensors[:8] + b'["a')
put("tensors-9", tensors[:9] + b"'a")
# TensorFlow's GraphDef: {1: {1: name, 2: operator}}; SavedModel: {1: version, 2: {1 or 2: …, and more}}.
graph = b"\x0a\x06\x0a\x01n\x12\x01o"
put("graph", graph)
put("graph-field-2", b"\x12" + graph[1:])
put("graph-name-2", graph[:2] + b"\x12" + graph[3:])
put("graph-op-3", graph[:5] + b"\x1a" + graph[6:])
put("graph-op-number", graph[:1] + b"\x05" + graph[2:5] + b"\x10\x01")
saved = b"\x08\x01\x12\x07\x0a\x02ab\x12\x01c"
put("saved", saved)
put("saved-version-2", b"\x10" + saved[1:])
put("saved-version-text", b"\x0a\x01a" + saved[2:])
put("saved-meta-3", saved[:2] + b"\x1a" + saved[3:])
put("saved-info-2", saved[:4] + b"\x12" + saved[5:])
put("saved-info-3", saved[:4] + b"\x1a" + saved[5:])
put("saved-empty", saved[:2] + b"\x12\x00")
put("saved-alone", saved[:2] + b"\x12\x04" + saved[4:8])
put("saved-info-number", saved[:2] + b"\x12\x05\x08\x01" + saved[8:])
# Signatures.
for name, begin in (("hdf", b"\x89HDF\r\n\x1a\n"), ("zip", b"PK\x03\x04"), ("pickle", b"\x80\x02"), ("gzip", b"\x1f\x8b"), ("zstd", b"\x28\xb5\x2f\xfd"),
                    ("numpy", b"\x93NUMPY"), ("gguf", b"GGUF"), ("ftrt", b"ftrt"), ("ptrt", b"ptrt"), ("dfg", b"dfg"), ("enf", b"enf"), ("ort", b"\x14\x00\x00\x00ORTM"),
                    ("tar", b"a" * 257 + b"ustar")):
    put(name, begin)
    put(name + "-more", begin + b"\x00\x01")
    put(name + "-cut", begin[:-1])
    put(name + "-other", begin[:-1] + bytes([begin[-1] ^ 1]) + b"\x00")
    put(name + "-later", b"\x01" + begin)
# Texts: of 4 bytes and of 3, behind space and a mark of its order, with what no text has.
for i, text in enumerate((b"abcd", b"abc", b"ab\x1fd", b"ab\x1ed", b"ab\x0bd", b"ab\x7fd", b"ab\x00d", b"ab\x0cd", b"\xef\xbb\xbf<html>", b"\xef\xbb\xbe<html>", b"\xef\xbb<html>", b" \t\r\n<HTML x>",
                          b"<?xml ?>", b"<?xm ?>", b"<!doctype htm", b"<!DOCTYPE html>", b"ir_version: 8", b"ir_versio: 8", b"[1, 2]", b" {}  ", b"\n\n\n\n", b"\xef\xbb\xbf\n")):
    put(f"text-{i}", text)
for i, text in enumerate((b"digraph {}", b"DiGraph{}", b"digrap {}", b"strict digraph {}", b"strictdigraph {}", b"strict graph {}", b"stric digraph {}", b"/* a */digraph {}", b"/* a digraph {}", b"// a\ndigraph {}",
                          b"// a digraph {}", b"# a\n# b\n /* c */ // d\n digraph {}", b"/ a\ndigraph {}", b"/**/ strict /* a */ digraph {}")):
    put(f"dot-{i}", text)
for i, text in enumerate((b'{"Layers": []}', b'["Layers"]', b'{"layers": []}', b'{"schema_version": 1, "tool": 2}', b'{"schema_version": 1}', b'{"tool": 2}', b'{"target": 1, "sdk": 2}', b'{"target": 1}', b'{"sdk": 2}',
                          b'{"traceEvents": 1}', b'[{"ph": "X"}]', b'{"p": "ph"}', b'{"x": 1}')):
    put(f"json-{i}", text)
# Only the first 4096 bytes of a text are looked at.
put("long-4095", b" " * 4095 + b"\x00")
put("long-4096", b" " * 4096 + b"\x00")
put("key-4096", b'{"a": "' + b"b" * 4078 + b'", "Layers"')
put("key-4097", b'{"a": "' + b"b" * 4079 + b'", "Layers"')
put("key-4086", b'{"a": "' + b"b" * 4079 + b'","Layers"')
open("files", "w").write("\n".join(names) + "\n")

#!/usr/bin/python3
"""Writes a TensorFlow Lite file from a JSON text that one can read.

  make_tflite.py MODEL.json MODEL.tflite

  {"tensors": [{"name": "x", "type": "int8", "shape": [1, 4, 4, 1], "scale": [0.5], "zero": [0], "axis": 0,
                "data": [1, 2, …] (a constant), "signature": [-1, 4, 4, 1], "variable": true,
                "sparse": {"order": [0, 1], "blocks": [], "levels": [{"size": 2}, {"segments": [0, 1, 3], "indices": [1, 0, 1], "bits": 8}]}}],
   "operators": [{"op": 3, "custom": "Name", "in": [0, 1, -1], "out": [2], "options": [1, {"0": ["i8", 1], "1": ["i32", 2]}],
                  "bytes": [1, 2, …] (of a custom operator)}],
   "inputs": [0], "outputs": [2], "more": [ further graphs of the same form ], "description": "…",
   "signatures": true (one, without names), "outside": true (constants lie behind the tables, at places of the file)}

Numbers of operators, option types and fields are those of the schema (options of operator 206 are the second of its table);
nothing is checked, so that broken files can be written too.  Objects lie one behind the other, a table's list of fields before it.
"""
import collections
import json
import struct
import sys

TYPES = {"float32": (0, "f"), "float16": (1, "e"), "int32": (2, "i"), "uint8": (3, "B"), "int64": (4, "q"),
         "bool": (6, "?"), "int16": (7, "h"), "int8": (9, "b")}
SCALARS = {"i8": "b", "u8": "B", "i32": "i", "u32": "I", "u64": "Q", "f32": "f"}


class File:
    def __init__(self):
        self.bytes, self.later = bytearray(8), collections.deque()

    def align(self, n):
        self.bytes += bytes(-len(self.bytes) % n)

    def put(self, write, place):
        """`write` appends an object and gives its position; the offset at `place` will lead to it."""
        self.later.append((write, place))

    def finish(self):
        while self.later:
            write, place = self.later.popleft()
            struct.pack_into("<I", self.bytes, place, write() - place)

    def table(self, fields):
        """fields: {index: (kind, value)}; a kind is a scalar, or "object" with a function that writes it."""
        fields = {int(k): v for k, v in fields.items()}

        def write():
            count = max(fields, default=-1) + 1
            self.align(8)
            vtable = len(self.bytes)
            self.bytes += bytes(4 + 2 * count)
            self.align(8)
            start = len(self.bytes)
            self.bytes += bytes(4)
            for index, (kind, value) in sorted(fields.items()):
                form = "I" if kind == "object" else SCALARS[kind]
                while (len(self.bytes) - start) % struct.calcsize(form):
                    self.bytes += b"\0"
                struct.pack_into("<H", self.bytes, vtable + 4 + 2 * index, len(self.bytes) - start)
                if kind == "object":
                    self.put(value, len(self.bytes))
                    value = 0
                self.bytes += struct.pack("<" + form, value)
            struct.pack_into("<HH", self.bytes, vtable, 4 + 2 * count, len(self.bytes) - start)
            struct.pack_into("<i", self.bytes, start, start - vtable)
            return start
        return write

    def placed(self, data, outside):
        """A buffer that says where in the file its bytes are; they are put there in the end."""
        write, at = self.table({1: ("u64", 2), 2: ("u64", len(data))}), []

        def remembered():
            at.append(write())
            return at[0]
        outside.append((lambda: at[0] + struct.unpack_from("<H", self.bytes, at[0] - struct.unpack_from("<i", self.bytes, at[0])[0] + 6)[0], data))
        return remembered

    def vector(self, form, values):
        def write():
            self.align(8)
            if struct.calcsize(form) == 8:
                self.bytes += bytes(4)
            start = len(self.bytes)
            self.bytes += struct.pack("<I", len(values)) + struct.pack(f"<{len(values)}{form}", *values)
            return start
        return write

    def objects(self, items):
        def write():
            self.align(4)
            start = len(self.bytes)
            self.bytes += struct.pack("<I", len(items)) + bytes(4 * len(items))
            for i, item in enumerate(items):
                self.put(item, start + 4 + 4 * i)
            return start
        return write

    def text(self, s):
        data = s.encode()

        def write():
            self.align(4)
            start = len(self.bytes)
            self.bytes += struct.pack("<I", len(data)) + data + b"\0"
            return start
        return write


def sparsity(f, s):
    """SparsityParameters: a level is dense with a size, or has segments and indices of 32, 16 or 8 bits."""
    def level(each):
        if "size" in each:
            return f.table({0: ("i8", 0), 1: ("i32", each["size"])})
        kind, form = {32: (1, "i"), 16: (2, "H"), 8: (3, "B")}[each["bits"]]
        lists = [("object", f.table({0: ("object", f.vector(form, each[k]))})) for k in ("segments", "indices")]
        return f.table({0: ("i8", 1), 2: ("u8", kind), 3: lists[0], 4: ("u8", kind), 5: lists[1]})
    return f.table({0: ("object", f.vector("i", s["order"])), **({1: ("object", f.vector("i", s["blocks"]))} if s["blocks"] else {}),
                    2: ("object", f.objects([level(e) for e in s["levels"]]))})


def tensor(f, t, buffers, outside):
    kind, form = TYPES[t["type"]]
    fields = {0: ("object", f.vector("i", t.get("shape", []))), 1: ("i8", kind), 3: ("object", f.text(t.get("name", "")))}
    if "signature" in t:
        fields[7] = ("object", f.vector("i", t["signature"]))
    if "data" in t:
        fields[2] = ("u32", len(buffers))
        data = struct.pack(f"<{len(t['data'])}{form}", *t["data"])
        if outside is None:
            buffers.append(f.table({0: ("object", f.vector("B", data))}))
        else:
            buffers.append(f.placed(data, outside))
    if "sparse" in t:
        fields[6] = ("object", sparsity(f, t["sparse"]))
    if "buffer" in t:
        fields[2] = ("u32", t["buffer"])
    if t.get("variable"):
        fields[5] = ("i8", 1)
    if "scale" in t:
        fields[4] = ("object", f.table({2: ("object", f.vector("f", t["scale"])), 3: ("object", f.vector("q", t["zero"])),
                                        6: ("i32", t.get("axis", 0))}))
    return f.table(fields)


def operator(f, o, codes):
    code = (o["op"], o.get("custom"))
    if code not in codes:
        codes.append(code)
    fields = {0: ("u32", o.get("code", codes.index(code))), 1: ("object", f.vector("i", o["in"])),
              2: ("object", f.vector("i", o["out"]))}
    if "options" in o:
        kind, values = o["options"]
        at, to = (11, 12) if o["op"] == 206 else (3, 4)
        fields[at] = ("u8", kind)
        fields[to] = ("object", f.table({int(k): tuple(v) for k, v in values.items()}))
    if "bytes" in o:
        fields[5] = ("object", f.vector("B", o["bytes"]))
    return f.table(fields)


def graph(f, g, codes, buffers, outside):
    return f.table({0: ("object", f.objects([tensor(f, t, buffers, outside) for t in g["tensors"]])),
                    1: ("object", f.vector("i", g["inputs"])), 2: ("object", f.vector("i", g["outputs"])),
                    3: ("object", f.objects([operator(f, o, codes) for o in g["operators"]]))})


def make(model):
    f, codes, buffers, outside = File(), [], [], [] if model.get("outside") else None
    buffers.append(f.table({}))
    graphs = [graph(f, g, codes, buffers, outside) for g in [model] + model.get("more", [])]
    code = [f.table({0: ("i8", min(number, 127)), 3: ("i32", number), **({1: ("object", f.text(name))} if name else {})})
            for number, name in codes]
    f.put(f.table({0: ("u32", model.get("version", 3)), 1: ("object", f.objects(code)), 2: ("object", f.objects(graphs)),
                   4: ("object", f.objects(buffers)),
                   **({3: ("object", f.text(model["description"]))} if "description" in model else {}),
                   **({7: ("object", f.objects([f.table({2: ("object", f.text("serve"))})]))} if "signatures" in model else {})}), 0)
    f.bytes[4:8] = b"TFL3"
    f.finish()
    for place, data in outside or []:
        f.align(16)
        struct.pack_into("<QQ", f.bytes, place(), len(f.bytes), len(data))
        f.bytes += data
    return bytes(f.bytes)


if __name__ == "__main__":
    with open(sys.argv[1]) as text, open(sys.argv[2], "wb") as out:
        out.write(make(json.load(text)))

#!/usr/bin/python3
"""Makes odd results of a good one: figures unknown, lists empty, alone or long, names long, words of other outcomes, keys missing.

  odd_results.py RESULT.json OUT_PREFIX SCHEMA.json [--random N] [--sweeps]

OUT_PREFIX-NAME.odd each: with --sweeps one per kind of oddity, at half of the places; with --random N mixtures, at one place
of 12 to 100. What is changed where hangs on the place alone, not on what else the result holds, so that what is made
of them changes with what is under test alone. What every renderer relies on stays an object or a list.
"""
import argparse
import json
import pathlib
import zlib

STAYS = {"schema_version"}
WORDS = ["", "x", "a/very/long/name/" * 12 + "end", "two  words | `of` <one> line\nand another: # more", "한국어 이름 컨볼루션 " * 6, "::error file=x::y", "=1+1", "/model.1/cv2/Conv", "model.1.cv3.conv.weight_quantized"]
MANY = 70


def enums(schema):
    found = {}

    def walk(o, name):
        if isinstance(o, dict):
            found.setdefault(name, []).extend(x for x in o.get("enum", []) if x is not None)
            for k, v in o.items():
                walk(v, k if k not in ("anyOf", "oneOf", "allOf", "items", "properties", "$defs", "if", "then", "else", "not") else name)
        elif isinstance(o, list):
            for v in o:
                walk(v, name)
    walk(schema, "")
    return found


class Odd:
    def __init__(self, name, words, share, kinds):
        self.name, self.words, self.share, self.kinds = name, words, share, kinds

    def dice(self, path, what):
        return zlib.crc32(f"{self.name}:{what}:{path}".encode()) / 2**32

    def pick(self, path, choices):
        return choices[int(self.dice(path, "pick") * len(choices))]

    def number(self, path, key, v):
        kept = type(v)  # whole numbers stay whole
        return {"null": None, "zero": 0, "minus": -v - 1, "more": kept(v * 1.7), "thousand": v * 1000, "part": kept(v / 1000), "text": "7", "one": 1, "huge": 1e18}[
            self.pick(path, [k for k in self.kinds if k in ("null", "zero", "minus", "more", "thousand", "part", "text", "one", "huge")])]

    def string(self, path, key, v):
        kind = self.pick(path, [k for k in self.kinds if k in ("word", "odd", "null", "empty", "figure")])
        if kind == "word":
            known = self.words.get(key)
            return self.pick(path, known) if known and v in known else v
        return {"odd": self.pick(path, WORDS), "null": None, "empty": "", "figure": 7}[kind]

    def array(self, path, v):
        kind = self.pick(path, [k for k in self.kinds if k in ("none", "first", "many", "twice", "null", "backwards", "gap")])
        return {"none": [], "first": v[:1], "many": (v * MANY)[:max(MANY, len(v))], "twice": v + v, "null": None, "backwards": v[::-1], "gap": v[:1] + [None] + v[1:]}[kind]

    def change(self, o, path="", key="", depth=0):
        if key in STAYS:
            return o
        hit = self.dice(path, "hit") < self.share and depth
        of = lambda *kinds: any(k in self.kinds for k in kinds)
        if isinstance(o, dict):
            if hit and of("gone") and depth > 1:
                return None if self.dice(path, "gone") < 0.5 else {}
            return {k: self.change(v, f"{path}.{k}", k, depth + 1) for k, v in o.items()
                    if not (of("gone") and depth and self.dice(f"{path}.{k}", "gone") < self.share)}
        if isinstance(o, list):
            o = [self.change(v, f"{path}[{i}]", key, depth + 1) for i, v in enumerate(o)]
            lists = ("none", "first", "many", "twice", "backwards", "gap") + (("null",) if depth > 1 else ())
            if hit and o and of(*lists):
                changed = self.array(path, o)
                return changed if changed is not None or depth > 1 else []
            return o
        if not hit:
            return o
        if isinstance(o, bool):
            return not o if of("other") else o
        if isinstance(o, (int, float)):
            return self.number(path, key, o) if of("null", "zero", "minus", "more", "thousand", "part", "text", "one", "huge") else o
        if isinstance(o, str):
            return self.string(path, key, o) if of("word", "odd", "null", "empty", "figure") else o
        return o


# name: share of the places, kinds
SWEEPS = {"unknown": (0.5, ["null"]), "zero": (0.5, ["zero", "empty"]), "negative": (0.3, ["minus"]), "large": (0.5, ["thousand", "many"]), "small": (0.5, ["part", "first"]),
          "empty": (0.4, ["none"]), "lone": (0.8, ["first"]), "many": (0.3, ["many"]), "doubled": (0.6, ["twice", "one"]), "backwards": (0.8, ["backwards"]), "words": (0.8, ["word", "other"]),
          "named": (0.3, ["odd"]), "missing": (0.15, ["gone"]), "types": (0.15, ["figure", "text", "gap"])}
ALL = sorted({k for _, kinds in SWEEPS.values() for k in kinds} | {"more", "huge"})


def main():
    p = argparse.ArgumentParser()
    p.add_argument("result")
    p.add_argument("prefix")
    p.add_argument("schema")
    p.add_argument("--random", type=int, default=0)
    p.add_argument("--sweeps", action="store_true")
    a = p.parse_args()
    base = json.loads(pathlib.Path(a.result).read_text())
    words = {k: list(dict.fromkeys(v)) for k, v in enums(json.loads(pathlib.Path(a.schema).read_text())).items()}
    odd = [Odd(n, words, share, kinds) for n, (share, kinds) in SWEEPS.items()] if a.sweeps else []
    odd += [Odd(f"r{i:02d}", words, (0.01, 0.03, 0.08)[i % 3], ALL) for i in range(a.random)]
    for o in odd:
        pathlib.Path(f"{a.prefix}-{o.name}.odd").write_text(json.dumps(o.change(base), ensure_ascii=False))


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Makes a result whose every name is hostile.

  hostile_result.py RESULT.json OUT.json [--nodes N]

Names, tensors, files, texts and fixes of RESULT become, in turn, what a stranger's model could carry: closing tags,
quotes, newlines, control characters, escape sequences, direction overrides, invalid UTF-8, Korean, 10 kB.
Keys, rule ids, fingerprints and enumerations stay, so that the result is still one.
With --nodes N the result gets N operators and N / 50 steps.
"""
import argparse
import copy
import json
import pathlib

HOSTILE = [
    b"</script><script>alert(1)</script>",
    b"\" onmouseover=\"alert(2)",
    b"' --><img src=x onerror=alert(3)>",
    b"line one\nline two\r\nline three",
    b"\x1b[31mred\x1b[0m\x07\x08\x7f",
    "\u202ereversed\u2066 \u200b\ufeff\u2028".encode(),
    b"broken \xff\xfe\xc3( \xed\xa0\x80 utf8",
    "한국어 이름 컨볼루션".encode(),
    "עברית عربى".encode(),
    b"k" * 10240,
    b"]]>--%>{{7*7}}${7*7}<![CDATA[",
    b"&lt;&#60;&amp;",
    b"$(touch owned)`touch owned`; touch owned",
    b"../../../../etc/passwd\\..\\",
    "e\u0301\u0302\u0303".encode() * 300,
]
STAYS = {"rule_id", "fingerprint", "kind", "dtype", "sha256", "grade", "status", "unit", "metric", "level", "verdict",
         "route", "needs", "limited_by", "objective", "target", "sdk", "mode", "code", "format", "version", "lever", "passed", "rule_ids", "name", "per", "until", "layout",
         "lane", "cause", "source", "group", "basis", "label"}


class Names:
    """Hands out marks that are replaced by bytes after encoding, so that invalid UTF-8 survives."""

    def __init__(self):
        self.count = 0

    def next(self):
        self.count += 1
        return f"@@{(self.count - 1) % len(HOSTILE)}@@"


def spoil(value, key, names):
    if isinstance(value, dict):
        if key in ("dim", "input_dtype", "output_dtype", "compiler_config"):
            return {names.next(): v for v in value.values()} or {names.next(): "uint8" if key != "dim" else 1}
        return {k: spoil(v, k, names) for k, v in value.items()}
    if isinstance(value, list):
        return [spoil(v, key, names) for v in value]
    if isinstance(value, str) and key not in STAYS | {"file"} and not (key in ("where", "reason") and len(value) < 20):
        return names.next()
    if isinstance(value, str) and key == "file":
        return "@@4@@"  # a file name has no slash
    if isinstance(value, str) and key == "name" and value != "npu-advise":
        return names.next()
    return value


def grow(result, nodes, names):
    step, op = result["steps"][0], result["operators"][0]
    for i in range(max(1, nodes // 50)):
        one = copy.deepcopy(step)
        one.update(id=len(result["steps"]), deps=[len(result["steps"]) - 1], kind="host" if i % 2 else "npu", op=f"Op{i % 7}", onnx_nodes=[names.next()])
        one["measured_ns"] = {"median": 1000 + i, "lo": 900 + i, "hi": 1100 + i}
        result["steps"].append(one)
    for i in range(nodes):
        one = copy.deepcopy(op)
        one.update(onnx_nodes=[f"/backbone/stage{i // 100}/block{i % 100}/conv"], kind=f"LowLevelConv2d")
        one["predicted_ns"] = {"lo": 800 + i % 977, "mid": 1000 + i % 977, "hi": 1300 + i % 977}
        one["measured_ns"] = {"median": 900 + i % 1013, "lo": 880 + i % 1013, "hi": 950 + i % 1013}
        result["operators"].append(one)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("result", type=pathlib.Path)
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("--nodes", type=int, default=0)
    p.add_argument("--tame", action="store_true", help="leave the names as they are (for sizes)")
    args = p.parse_args()
    names = Names()
    result = json.loads(args.result.read_text())
    if not args.tame:
        result = spoil(result, "", names)
        while names.count < 4 * len(HOSTILE):
            place = copy.deepcopy(result["changes"][0]["occurrences"][0])
            result["changes"][0]["occurrences"].append(spoil(place, "", names) | {
                "node": names.next(), "tensor": names.next(), "text": names.next()})
    if args.nodes:
        grow(result, args.nodes, names)
    text = json.dumps(result, indent=1).encode()
    for i, name in enumerate(HOSTILE):
        # Escaped as JSON where it must be; bytes that are no UTF-8 stay as they are.
        shown = name.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
        shown = b"".join(b"\\u%04x" % c if c < 32 else bytes([c]) for c in shown)
        text = text.replace(f"@@{i}@@".encode(), shown)
    args.out.write_bytes(text)


if __name__ == "__main__":
    main()

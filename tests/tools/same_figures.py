#!/usr/bin/python3
"""same_figures.py A.json B.json: two results are the same but for names and hashes of bytes."""
import json
import sys

NAMES = {"file", "sha256", "name", "node", "tensor", "onnx_nodes", "text", "title", "index", "reason", "issues", "fix", "notes", "command"}


def differences(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(set(a) | set(b)):
            if key not in NAMES:
                yield from differences(a.get(key), b.get(key), f"{path}.{key}")
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            yield f"{path}: {len(a)} entries against {len(b)}"
        elif path not in (".notes", ".model.inputs", ".model.outputs"):
            for i, (x, y) in enumerate(zip(a, b)):
                yield from differences(x, y, f"{path}[{i}]")
    elif a != b:
        yield f"{path}: {a!r} against {b!r}"


def main():
    a, b = (json.load(open(path)) for path in sys.argv[1:3])
    found = list(differences(a, b))
    print("\n".join(found[:20]) if found else "results: every figure and fingerprint is the same")
    return 1 if found else 0


sys.exit(main())

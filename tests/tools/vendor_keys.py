#!/usr/bin/python3
"""Prints what npu-advise read of a file of SDK 0.10, and where that is not what its keys say.

  vendor_keys.py MODEL INSPECT RESULT     the JSON of `inspect` and of the advice
"""
import json
import sys

import onnx
import yaml


def port(value):
    ends = value.get("range")
    return f"{value['name']!r} {value.get('application_dtype', value['dtype'])}" + (f" [{ends[0]:.3g}, {ends[1]:.3g}]" if ends else " without a range")


def main():
    model, seen, result = onnx.load(sys.argv[1]), *(json.load(open(path)) for path in sys.argv[2:4])
    keys = {p.key: p.value for p in model.metadata_props}
    for key in sorted(set(keys) - {"FurisoaAI.CalibrationResult"}):
        print(key.partition(".")[2], keys[key])
    print("in ", *(port(v) + ";" for v in seen["inputs"]))
    print("out", *(port(v) + ";" for v in seen["outputs"]))
    named = {name for node in model.graph.node for name in (*node.input, *node.output)}
    told = {str(name): [float(x) for x in ends] for name, ends in yaml.load(keys["FurisoaAI.CalibrationResult"], yaml.BaseLoader).items()}
    read = {t["name"]: t.get("range") for t in [*seen["inputs"], *seen["outputs"], *seen["tensors"]]}
    new = {v["name"] for i, v in enumerate(seen["outputs"]) if f"({i},U8,Some" in keys.get("FurisoaAI.WithoutDequantize", "")}
    wrong = [name for name in told if name in named - new and (not read.get(name) or max(abs(a - b) for a, b in zip(read[name], told[name])) > 1e-6)]
    print("advised", *(f"{c['rule_id']} {p['tensor']!r}" for c in result["changes"] if c["rule_id"] in ("NPU101", "NPU108") for p in c["occurrences"]))
    for name in wrong:
        print(f"{name!r}: {told[name]} in the file, {read.get(name)} read")


if __name__ == "__main__":
    main()

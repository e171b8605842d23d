#!/usr/bin/python3
"""Operators in float that `compile` finds in bundles of tests/full/closed_networks.py, beside those of the vendor's graphs.

  closed_record.py NPU_ADVISE [NETWORK…]     all networks by default; bundles are written into the current folder
"""
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "full"))
import closed_networks  # noqa: E402
import placement  # noqa: E402


def in_float(advise, make):
    net, outputs = make()
    model = pathlib.Path(f"{make.__name__}.onnx").resolve()
    net.save(model, *outputs)
    done = subprocess.run([advise, "apply", model, "--sdk", "0.9", "-o", make.__name__, "--json", "-", "-q"], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    program, _ = placement.compiled(advise, pathlib.Path(make.__name__) / "model.onnx")
    return " ".join(f"{k}:{n}" for k, n in sorted(collections.Counter(s["op"] for s in placement.in_float(program)).items()))


def main():
    advise, *names = sys.argv[1:]
    record = json.loads((ROOT / "tests" / "vendor" / "closed_0.9.json").read_text())
    for make in closed_networks.NETWORKS:
        if names and make.__name__ not in names:
            continue
        ours, theirs = in_float(advise, make), record[make.__name__]["in_float"]
        print(f"{make.__name__}: {ours or 'none'} in float" + ("" if ours == theirs else f", not as recorded: {theirs or 'none'}"))


if __name__ == "__main__":
    main()

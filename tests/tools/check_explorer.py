#!/usr/bin/python3
"""check_explorer.py MODEL.onnx RESULT.json NODE-DATA…: node data for Model Explorer against its schema, the model's names, and the result's sums."""
import json
import math
import pathlib
import sys

import jsonschema
import onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMES = {"predicted, µs": ("predicted_ns", "mid"), "measured, µs": ("measured_ns", "median")}


def names(model):
    graph = onnx.load(model, load_external_data=False).graph
    tensors = {t for n in graph.node for t in [*n.input, *n.output]}
    return {n.name for n in graph.node} | tensors | {f"[io]{v.name}" for v in [*graph.input, *graph.output]}


def total(result, key, middle):
    parts = [s for s in result["steps"] if s["kind"] != "npu"] + result["operators"]
    return math.fsum(p[key][middle] for p in parts if p[key]) / 1e3


def judge(path, known, result):
    data = json.loads(path.read_text())
    jsonschema.validate(data, json.loads((ROOT / "docs/schema/explorer.json").read_text()))
    foreign = [key for key in data["results"] if key not in known]
    assert not foreign, f"{foreign[0]} is no node"
    if data["name"] == "advised":
        found = result["changes"] + result["by_hand"]
        rules = {r["rule_id"] for r in found if any(p["node"] or p["tensor"] for p in r["occurrences"])}
        said = {word.strip(",") for r in data["results"].values() for word in r["value"].split() if word.startswith("NPU")}
        assert said == rules, f"rules {said ^ rules}"
        return f"{len(rules)} rules at {len(data['results'])} places"
    found, wanted = math.fsum(r["value"] for r in data["results"].values()), total(result, *TIMES[data["name"]])
    assert abs(found - wanted) < 1e-3 * len(data["results"]), f"{found} is not {wanted}"
    return "the sum of the result"


def main():
    known, result = names(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text())
    bad = False
    for path in map(pathlib.Path, sys.argv[3:]):
        try:
            print(f"{path.name}: {judge(path, known, result)}")
        except (AssertionError, jsonschema.ValidationError, ValueError) as e:
            bad = True
            print(f"{path.name}: wrong: {str(e).splitlines()[0][:120]}")
    sys.exit(bad)


main()

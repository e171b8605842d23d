#!/usr/bin/python3
"""Compares the placement of float models with what the vendor's quantizer of SDK 0.9 made of them.

  placement.py NPU_ADVISE FOLDER [EXPLAINED]

FOLDER is corpus/vendor_tools: placement.csv with cases/, networks.csv with networks/.  The type of a case is refused
where the quantizer refuses an operator, host where an operator stays in float, else int8.  Of networks the operators in
float are compared by kind and number.  EXPLAINED has "CASE reason" for cases that are known to differ; a difference
without a reason, and a reason without a difference, are problems (status 1).
"""
import collections
import csv
import json
import pathlib
import subprocess
import sys


def compiled(advise, path):
    out = subprocess.run([advise, "compile", path, "--sdk", "0.9", "--json", "-"], capture_output=True, text=True)
    if out.returncode:
        sys.exit(f"{path}: {out.stderr}")
    return json.loads(out.stdout), out.stderr



def in_float(program):
    """Operators on the host whose type is not int8."""
    conversions = {"Quantize", "Dequantize", "Lower", "Unlower", "Pad", "Slice"}
    return [s for s in program["steps"] if s["kind"] == "host" and s["nodes"] and s.get("type") != "int8"
            and not (s["op"] in conversions and s["from"])]


def verdict(program):
    if program.get("refused") or any(s.get("type") == "refused" for s in program["steps"]):
        return "refused"
    return "host" if in_float(program) else "int8"


def unknown(program):
    return sorted(s["op"] for s in program["steps"] if s.get("place_known") is False)


def rows(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def compare_cases(advise, folder, explained):
    equal, problems, not_known = 0, 0, collections.Counter()
    cases = rows(folder / "placement.csv")
    for r in cases:
        program, _ = compiled(advise, folder / "cases" / (r["case"] + ".onnx"))
        ours = verdict(program)
        not_known.update(unknown(program))
        equal += ours == r["verdict"]
        if (ours != r["verdict"]) != (r["case"] in explained):
            problems += 1
        if ours != r["verdict"]:
            print(f"{r['case']}: {ours} here, {r['verdict']} at the vendor: {explained.get(r['case'], 'not explained')}")
        elif r["case"] in explained:
            print(f"{r['case']}: explained, but equal")
    print(f"type: {equal} of {len(cases)} cases equal ({100 * equal / len(cases):.1f} %)")
    print("place not known:", ", ".join(f"{op} {n}" for op, n in sorted(not_known.items())) or "none")
    return problems


def compare_network(advise, folder, r):
    program, _ = compiled(advise, folder / "networks" / (r["network"] + ".onnx"))
    if r["verdict"] == "refused":
        return verdict(program) == "refused", "refused" if verdict(program) == "refused" else "not refused"
    theirs = r["host_operators"]
    kinds = collections.Counter(s["op"] for s in in_float(program))
    ours = " ".join(f"{op}:{n}" for op, n in sorted(kinds.items()))
    places = collections.Counter(unknown(program))
    note = "; place not known: " + " ".join(f"{op}:{n}" for op, n in sorted(places.items())) if places else ""
    return ours == theirs, f"{ours or 'none'}{'' if ours == theirs else ' here, ' + (theirs or 'none') + ' at the vendor'}{note}"


def main():
    advise, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    explained = {}
    if len(sys.argv) > 3:
        for line in pathlib.Path(sys.argv[3]).read_text(encoding="utf-8").splitlines():
            name, _, reason = line.partition(" ")
            explained[name] = reason
    problems = compare_cases(advise, folder, explained)
    for r in rows(folder / "networks.csv") if (folder / "networks.csv").exists() else []:
        same, text = compare_network(advise, folder, r)
        problems += not same
        print(f"{r['network']}: {text}")
    print(f"{problems} problems")
    return problems > 0


if __name__ == "__main__":
    sys.exit(main())

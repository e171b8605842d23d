#!/usr/bin/python3
"""Asks `explain` for every term of the screens, and prints those that it does not know.

  terms.py NPU_ADVISE

Terms are drawn from where the screens take them: the headings of columns, the parts of a breakdown, limits and labels in
rules/lang/en.xml; the values of the result's enumerations; the names of metrics that a budget takes; the files of a bundle; words
within lines (WITHIN).
PLAIN lists the words of everyday English among them.  Exits with 1 if a term is not explained.
"""
import json
import pathlib
import re
import subprocess
import sys
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUPS = ("COL_", "KIND_", "PART_", "LIMIT_", "GROUP_", "JS_MEDIAN", "JS_MEASURED", "JS_PREDICTED", "RUN_", "TOGGLE_", "FRONT_COL_")
ENUMS = ("source", "setup_source", "limit", "layout", "route", "level", "status", "basis", "kind", "arrivals", "verdict", "role", "where", "need", "reason", "grade", "mode", "refuted")
BUNDLE = ("model.onnx", "tail.onnx", "quantize.py", "convert.py", "compiler.yaml", "runtime.json", "CHANGES.md", "reproduce.sh")
STATES = ("new", "unchanged", "improved", "gone", "fingerprint", "median", "mean", "p90", "p99", "application")
# Words within lines: the column Runs of `compile --operators`, units, headlines.
WITHIN = ("host", "npu", "bus", "MACs", "images/s", "trace quality", "reformats", "requests in flight", "unattributed", "host-bound", "NPU-bound")
PLAIN = set("""after before now where what type name value values time times count total share number no. result found expected reads writes action reason rule
    group node layer layers block workers steps setting setting topic cause copies where runs on saves adds saving group small no saving other times images per second file none known model
    trace runtime quantizer converter compiler passed failed lines boundary compute decides adds refused option settings default onnx nodes fixed needs switched off switched off
    fastest slowest larger smaller inputs and outputs
    host or npu start of each operator task dot lowered rknn tensorrt rule size setup""".split())


def texts_of(prefixes):
    for x in ElementTree.parse(ROOT / "rules/lang/en.xml").iter("says"):
        if x.get("id").startswith(prefixes) and x.text and "{" not in x.text:
            yield re.sub(r" *[\[(,].*| µs$|^k?B$|^M MAC$", "", x.text.replace("\u00a0", " ")).strip()


def enums_of(tree, name=""):
    """The values of each enumeration whose name is in ENUMS."""
    if isinstance(tree, dict):
        if "enum" in tree and name in ENUMS:
            yield from (v for v in tree["enum"] if v)
        for k, v in tree.items():
            yield from enums_of(v, name if k in ("items", "enum", "oneOf") else k)
    elif isinstance(tree, list):
        for v in tree:
            yield from enums_of(v, name)


def metrics():
    text = (ROOT / "advisor/act/gate/gate_metrics.c").read_text()
    return re.findall(r'\{"([a-z_.]+)"', text)


def main():
    advise = sys.argv[1]
    schema = json.loads((ROOT / "docs/schema/result.json").read_text())
    terms = sorted({x for x in {*texts_of(GROUPS), *enums_of(schema), *metrics(), *BUNDLE, *STATES, *WITHIN} if x}, key=str.lower)
    missing = [t for t in terms if not {w for w in t.lower().split()} <= PLAIN and subprocess.run([advise, "explain", t], capture_output=True, check=False).returncode]
    print(f"{len(terms)} terms, {len(missing)} not explained")
    for term in missing:
        print("  " + term)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

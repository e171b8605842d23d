#!/usr/bin/python3
"""rules_once.py RESULT.json RULES: every rule file's rule is in exactly one list of the result."""
import json
import pathlib
import re
import sys

result = json.load(open(sys.argv[1]))
lists = {"recommendations": {r["rule_id"] for r in result["recommendations"]},
         "observations": {r["rule_id"] for r in result["observations"]},
         "passed": set(result["passed"]),
         "not_applicable": {r["rule_id"] for r in result["not_applicable"]},
         "suppressed": {r["rule_id"] for r in result["suppressed"]}}
rules = sorted(re.search(r'<rule id="(\w+)"', p.read_text()).group(1) for p in pathlib.Path(sys.argv[2]).glob("*.xml")
               if ' of="' not in p.read_text())
for rule in rules:
    found = [name for name, ids in lists.items() if rule in ids]
    if len(found) != 1:
        sys.exit(f"{rule} is in {found or 'no list'}")
print("every rule is in one list" if len(rules) >= 10 else "there are too few rules")

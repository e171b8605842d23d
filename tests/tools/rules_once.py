#!/usr/bin/python3
"""rules_once.py RESULT.json RULES: every rule file's rule has matches, passed or is not applicable; every match is in one list."""
import json
import pathlib
import re
import sys

result = json.load(open(sys.argv[1]))
matches = [(x["fingerprint"], part) for part in ("changes", "by_hand", "observations", "suppressed") for x in result[part]]
twice = {f for f, part in matches for g, other in matches if f == g and part != other}
if twice:
    sys.exit(f"matches in two lists: {sorted(twice)}")
lists = {"matched": {f.split("-")[0] for f, _ in matches},
         "passed": set(result["passed"]),
         "not_applicable": {r["rule_id"] for r in result["not_applicable"]}}
rules = sorted(re.search(r'<rule id="(\w+)"', p.read_text()).group(1) for p in pathlib.Path(sys.argv[2]).glob("*.xml")
               if ' of="' not in p.read_text())
for rule in rules:
    found = [name for name, ids in lists.items() if rule in ids]
    if len(found) != 1:
        sys.exit(f"{rule} is in {found or 'no list'}")
print("every rule is in one list" if len(rules) >= 10 else "there are too few rules")

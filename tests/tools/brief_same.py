#!/usr/bin/python3
"""Holds `--format brief` against the JSON of the same run:  brief_same.py BRIEF RESULT.json

The same status, objective, grade, source of now, recommended plan, its changes (number, rule, needs) as far as there is room,
observations and command; every line a "key: value"; at most 3,000 bytes.  Prints what differs, and fails then.
"""
import json
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
r = json.load(open(sys.argv[2], encoding="utf-8"))
wrong = []


def same(what, found, expected):
    if found != expected:
        wrong.append(f"{what}: {found!r}, in the JSON {expected!r}")


lines = text.splitlines()
same("lines that are no 'key: value'", [x for x in lines if not re.match(r" *[a-z0-9][a-z0-9 ,-]*: ", x)], [])
keys = dict(x.split(": ", 1) for x in lines if not x.startswith(" "))
same("bytes beyond 3000", max(0, len(text.encode()) - 3000), 0)
same("objective", keys["objective"], r["objective"])
same("evidence", keys["evidence"].split(" ")[0], r["evidence"]["grade"])
same("now", keys["now"].rsplit(", ", 1)[1], r["now"]["source"])
plan = next((x for x in r["plans"] if x["recommended"]), None)
same("plan", keys.get("plan", "none").split(",")[0], plan["id"] if plan else "none")
rules = {x["id"]: x for x in r["changes"] + r["by_hand"]}
listed = [x["id"] for x in plan["changes"]] if plan else []
told = [(int(k), v.split()[0]) for k, v in keys.items() if k.isdigit()]
same("changes", told[:len(listed)], [(x, rules[x]["rule_id"]) for x in listed][:len(told)])
if listed and not told:
    wrong.append("no change is told")
needs = [x.split(": ", 1)[1] for x in lines if x.startswith("  needs: ")]
same("needs", needs[:len(listed)], [",".join(rules[x]["needs"]) or "none" for x in listed][:len(needs)])
same("observations", sorted(keys.get("observed", "").split(", ")), sorted({x["rule_id"] for x in r["observations"]}) or [""])
# The result keeps the last component of a path, the brief the path as it was typed.
end = lambda command: command.partition(" --plan ")[2]  # noqa: E731
same("command", end(keys.get("apply", "")), end(plan["bundle"]["command"]) if plan else "")
same("gate", keys.get("gate", "none").split(",")[0], r["gate"]["status"])
print("\n".join(wrong) or "the same decision")
sys.exit(bool(wrong))

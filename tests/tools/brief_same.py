#!/usr/bin/python3
"""Holds `--format brief` against the JSON of the same run:  brief_same.py BRIEF RESULT.json

The same status, objective, grade, baseline kind, recommendations (rank, rule, applicability) as far as there is room, observations,
parts of the combination; every line a "key: value"; at most 3,000 bytes.  Prints what differs, and fails then.
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
same("evidence", keys["evidence"], r["evidence"]["grade"])
same("now", keys["now"].rsplit(", ", 1)[1], "measured" if r["measured"] else "predicted")
told = [(int(k), v.split()[0]) for k, v in keys.items() if k.isdigit()]
same("recommendations", told, [(x["rank"], x["rule_id"]) for x in r["recommendations"]][:len(told)])
same("left out", int(keys.get("more", "0").split()[0]), len(r["recommendations"]) - len(told))
if r["recommendations"] and not told:
    wrong.append("no recommendation is told")
efforts = [x.split(": ", 1)[1].split(",")[0] for x in lines if x.startswith("  do: ")]
same("applicability", efforts, [x["applicability"] for x in r["recommendations"]][:len(told)])
same("observations", sorted(keys.get("also seen", "").split(", ")), sorted({x["rule_id"] for x in r["observations"]}) or [""])
parts = next((k.split()[1] for k in keys if k.startswith("together ")), "")
same("together", parts, ",".join(str(x) for x in r["combined"]["ranks"]) if r["combined"] else "")
same("gate", keys.get("gate", "none").split(",")[0], r["gate"]["status"])
print("\n".join(wrong) or "the same decision")
sys.exit(bool(wrong))

#!/usr/bin/python3
"""What a result tells to do, without a name or a figure: so that networks that differ in names only can be compared.

  told.py MODEL.onnx RESULT.json [RULE…]

One line per recommendation of a rule that begins so (any, where none is named), in order: rule, title, number of places where there are several, verdict where there is one,
and the fix, in which a tensor's name became the operator that makes it.  Then the note about suitability, if there is one.
"""
import json
import re
import sys

import onnx


def main():
    model, result = onnx.load(sys.argv[1], load_external_data=False), json.load(open(sys.argv[2]))
    made_by = {t: n.op_type for n in model.graph.node for t in n.output}
    made_by.update({v.name: "the input" for v in model.graph.input})
    rules = tuple(sys.argv[3:]) or ("",)
    for r in result["recommendations"]:
        if not r["rule_id"].startswith(rules):
            continue
        fix = re.sub(r"([\"'])([^\"']+)\1", lambda m: f"<{made_by.get(m[2], m[2])}>", (r["fix"] or {}).get("text", "").replace("\n", "; "))
        places = f", {len(r['places'])} places" if len(r["places"]) > 1 else ""
        verdict = f" ({r['verdict']})" if r["verdict"] else ""
        print(f"  {r['rule_id']} {r['title']}{places}{verdict}: {fix}")
    for note in result["notes"]:
        if "does not suit" in json.dumps(note):
            print("  note:", re.sub(r"\d+(\.\d+)? %", "… %", note if isinstance(note, str) else note.get("text", json.dumps(note))))


if __name__ == "__main__":
    main()

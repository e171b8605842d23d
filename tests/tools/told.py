#!/usr/bin/python3
"""What a result tells to do, without a name or a figure: so that networks that differ in names only can be compared.

  told.py MODEL.onnx RESULT.json [RULE…]
  told.py --list FILE [RULE…]     FILE has a line HEADING|MODEL.onnx|RESULT.json for each; headings are printed

One line per change or work by hand of a rule that begins so (any, where none is named), in order: rule, title, number of occurrences where there are several,
and the fix, in which a tensor's name became the operator that makes it.  Then that the model does not suit the NPU, if it does not.
"""
import json
import re
import sys

import onnx


def tell(model_path, result_path, rules):
    model, result = onnx.load(model_path, load_external_data=False), json.load(open(result_path))
    made_by = {t: n.op_type for n in model.graph.node for t in n.output}
    made_by.update({v.name: "the input" for v in model.graph.input})
    for r in result["changes"] + result["by_hand"]:
        if not r["rule_id"].startswith(rules):
            continue
        fix = re.sub(r"([\"'])([^\"']+)\1", lambda m: f"<{made_by.get(m[2], m[2])}>", (r["fix"] or {}).get("text", "").replace("\n", "; "))
        places = f", {len(r['occurrences'])}x" if len(r["occurrences"]) > 1 else ""
        print(f"  {r['rule_id']} {r['title']}{places}: {fix}")
    if result["unsuitable"]:
        print("  unsuitable:", re.sub(r"\d+(\.\d+)? %", "… %", result["unsuitable"]))


def main():
    rules = tuple(sys.argv[3:]) or ("",)
    if sys.argv[1] != "--list":
        return tell(sys.argv[1], sys.argv[2], rules)
    for line in open(sys.argv[2]):
        heading, model, result = line.rstrip("\n").split("|")
        print(heading)
        tell(model, result, rules)


if __name__ == "__main__":
    main()

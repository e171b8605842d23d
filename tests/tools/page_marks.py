#!/usr/bin/python3
"""page_marks.py PAGE [NUMBER… | --host]: what each change and action by hand of an HTML page marks, from the result that the page carries.

One line per change, and one per step ("quantize x -> x", its tensors) or operator of the NPU (its kind and nodes) that its row removes or shortens;
with NUMBERs those alone.  With --host, the time on the host that no row of any plan marks, and all of it.
"""
import base64
import gzip
import json
import re
import sys


def result_of(path):
    packed = re.search(r'<div id="result"[^>]*>([^<]*)<', open(path, encoding="utf8").read()).group(1)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def names(result, ids):
    return ",".join(result["values"][i]["name"] or "-" for i in ids)


def step_text(result, i):
    step = result["steps"][i]
    return f"{step['kind']} {step['op']} {names(result, step['inputs'])} -> {names(result, step['outputs'])}"


def host_ns(step):
    return (step["measured_ns"] or {}).get("median") or (step["predicted_ns"] or {}).get("mid") or 0


def rows(result):
    """The row of each change in the recommended plan, else in the first that holds it; work by hand marks by itself."""
    plans = sorted(result["plans"], key=lambda p: not p["recommended"])
    of_plans = [row for plan in plans for row in plan["changes"]]
    return [(c, next(row for row in of_plans if row["id"] == c["id"])) for c in result["changes"]] + [(w, w) for w in result["by_hand"]]


def print_host(result):
    marked = {i for plan in result["plans"] for row in plan["changes"] for i in row["steps"]}
    host = [s for s in result["steps"] if s["kind"] == "host"]
    left = sum(host_ns(s) for s in host if s["id"] not in marked)
    print(f"{left / 1e3:.0f} us of {sum(map(host_ns, host)) / 1e3:.0f} without a mark")


def main():
    result, host_alone = result_of(sys.argv[1]), sys.argv[2:] == ["--host"]
    wanted = set() if host_alone else {int(n) for n in sys.argv[2:]}
    if host_alone:
        return print_host(result)
    for finding, mark in rows(result):
        if wanted and finding["id"] not in wanted:
            continue
        print(finding["id"], finding["rule_id"], finding["title"])
        for i in mark["steps"]:
            print("   ", step_text(result, i))
        for i in mark["operators"]:
            print("   ", result["operators"][i]["kind"], " ".join(result["operators"][i]["onnx_nodes"]))


if __name__ == "__main__":
    main()

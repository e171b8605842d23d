"""Writes the trace again as other writers spell its inferences: one file for each line of the case."""
import json
import sys

events = json.load(open(sys.argv[1]))["traceEvents"]
FIRST = "Inference (Model-0000)"


def written(name, change, more=()):
    made = [change(dict(e)) for e in events]
    json.dump([e for e in made if e] + list(more), open(name + ".json", "w"))


def is_inference(e):
    return e["name"] == "Inference"


def renamed(names):
    return lambda e: dict(e, name=names[(int(e["id"], 16) >> 20) % len(names)]) if is_inference(e) else e


def one_category(e):
    return dict(e, cat="async") if e["ph"] in "be" else e


def exported(e):
    e = one_category(e)
    if e["ph"] == "X":
        del e["cat"]
    return e


def asynchronous(e):
    return None if e["ph"] == "X" else one_category(e)


def numbered(e):
    return dict(one_category(e), id=int(e["id"], 16)) if e["ph"] == "e" else one_category(e)


def without_beginnings(e):
    lost = is_inference(e) and e["ph"] == "b" and int(e["id"], 16) >> 20 in (3, 7)
    return None if lost else renamed([FIRST])(e)


begins = {e["id"]: e for e in events if e["ph"] == "b" and is_inference(e)}
ends = {e["id"]: e for e in events if e["ph"] == "e" and is_inference(e)}


def rows(name, inset):
    for i, b in begins.items():
        yield {"name": name, "cat": "Runtime", "ph": "X", "ts": b["ts"] + inset, "dur": ends[i]["ts"] - b["ts"] - 2 * inset, "pid": b["pid"], "tid": b["tid"]}


written("name", renamed([FIRST]))
written("hash", renamed(["Inference (Model-3fa9c0d17b)"]))
written("two", renamed([FIRST, "Inference (Model-0001)"]))
written("alone", lambda e: renamed([FIRST])(e) if is_inference(e) or e["ph"] == "M" else None)
written("async", one_category)
written("exported", exported)
written("asynchronous", asynchronous)
written("numbered", numbered)
written("lost", without_beginnings)
written("nested", renamed([FIRST]), rows(FIRST, 5))
written("both", renamed([FIRST]), rows("Inference", 0))
written("stage", lambda e: dict(e, name="stage") if is_inference(e) else e)

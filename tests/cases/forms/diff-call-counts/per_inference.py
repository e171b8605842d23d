"""Adds up the spans of each name in two traces, per inference, and compares them with those of `diff`.

  per_inference.py OLD NEW DIFF.json

Times are those of a span without the spans nested in it on its thread.
"""
import collections
import json
import sys

NO_OPERATORS = ("Inference", "Task", "Load", "Store")


def spans(path):
    """(thread, name, start, end) in ns of each complete event and of each pair of events of one id."""
    open_at = {}
    for e in json.load(open(path))["traceEvents"]:
        at = round(1000 * e.get("ts", 0))
        if e["ph"] == "X":
            yield (e["pid"], e["tid"]), e["name"], at, at + round(1000 * e["dur"])
        elif e["ph"] == "b":
            open_at[e["id"]] = at
        elif e["ph"] == "e":
            yield (e["pid"], e["tid"]), e["name"], open_at[e["id"]], at


def per_inference(path):
    """ns of each name, and how often an inference runs it."""
    ns, count, inferences = collections.Counter(), collections.Counter(), 0
    threads = collections.defaultdict(list)
    for thread, name, start, end in spans(path):
        inferences += name == "Inference"
        if name not in NO_OPERATORS:
            threads[thread].append((start, -end, name))
    for rows in threads.values():
        outer = []
        for start, end, name in sorted(rows):
            while outer and outer[-1][1] <= start:
                outer.pop()
            if outer:
                ns[outer[-1][0]] -= -end - start
            outer.append((name, -end))
            ns[name] += -end - start
            count[name] += 1
    return {n: (ns[n] / inferences, count[n] / inferences) for n in ns}


def main():
    old, new = map(per_inference, sys.argv[1:3])
    parts = json.load(open(sys.argv[3]))["parts"]
    wrong = 0
    for side, mine in (("old", old), ("new", new)):
        theirs = {p["name"]: p[side]["mid"] for p in parts if p[side]}
        assert set(theirs) == set(mine), set(theirs) ^ set(mine)
        for name, (ns, _) in mine.items():
            if abs(theirs[name] - ns) > 1:
                wrong += 1
                print("%s of %s: %.0f ns, diff says %.0f" % (name, side, ns, theirs[name]))
    changed = sorted(n for n in old if n in new and abs(old[n][1] - new[n][1]) > 0.01)
    print(len(parts), "operators,", wrong, "wrong; run a different number of times per inference:", *changed)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""slower_trace.py IN FACTOR[,FACTOR…] OUT: the trace with every inference stretched by the next factor, in turn.

Time itself is stretched while an inference runs, so that everything in it grows alike and nothing overlaps that did
not before.  As a module: stretch() does the same to any parts of it."""
import bisect
import json
import sys


def inferences(events):
    """Begin and end of every Inference, complete (X) or as a pair (b, e)."""
    begin = {}
    for e in events:
        if e.get("name") != "Inference":
            continue
        if e["ph"] == "X":
            yield e["ts"], e["ts"] + e["dur"]
        elif e["ph"] in "bB":
            begin[e.get("id")] = e["ts"]
        elif e["ph"] in "eE":
            yield begin.pop(e.get("id")), e["ts"]


def events_of(trace):
    return trace["traceEvents"] if isinstance(trace, dict) else trace


def stretch(events, parts, factors, digits=3):
    """Time grows by the next of the factors, in turn, while each of the parts (begin, end) runs."""
    old, new = [0.0], [0.0]  # corners of the map from old time to new
    for i, (begin, end) in enumerate(sorted(parts)):
        begin = max(begin, old[-1])
        end = max(end, begin)
        new += [new[-1] + begin - old[-1], new[-1] + begin - old[-1] + (end - begin) * factors[i % len(factors)]]
        old += [begin, end]

    def moved(t):
        k = bisect.bisect_right(old, t) - 1
        if k + 1 == len(old) or old[k + 1] == old[k]:
            return new[k] + t - old[k]
        return new[k] + (t - old[k]) * (new[k + 1] - new[k]) / (old[k + 1] - old[k])
    for e in events:
        if "dur" in e:
            e["dur"] = round(moved(e["ts"] + e["dur"]) - moved(e["ts"]), digits)
        if "ts" in e:
            e["ts"] = round(moved(e["ts"]), digits)


if __name__ == "__main__":
    whole = json.load(open(sys.argv[1]))
    stretch(events_of(whole), inferences(events_of(whole)), [float(f) for f in sys.argv[2].split(",")])
    json.dump(whole, open(sys.argv[3], "w"))

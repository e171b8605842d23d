#!/usr/bin/python3
"""B and E that are not in the order of time."""
import json, random
ev = []
for k in range(20):
    ev += [dict(name=n, ph=p, ts=k * 1000 + t, pid=1, tid=1) for n, p, t in (("frame", "B", 0), ("pre", "B", 10), ("pre", "E", 110), ("infer", "B", 200), ("infer", "E", 700), ("frame", "E", 900))]
c = [ev[i:i + 7] for i in range(0, len(ev), 7)]
for i in range(0, len(c) - 1, 2):
    c[i], c[i + 1] = c[i + 1], c[i]
mixed = sorted(ev, key=lambda e: e["ts"] + random.Random(e["ts"]).randrange(3000))
for name, events in (("sorted", ev), ("chunks", sum(c, [])), ("mixed", mixed), ("reversed", ev[::-1])):
    json.dump(events, open(name + ".json", "w"))

#!/usr/bin/python3
"""vary_trace.py TRACE SEED NUMBER FOLDER: NUMBER traces, each TRACE with some of what goes wrong with traces.

Events are dropped, doubled, moved in time and among their neighbours, put on other threads, begun and never ended, ended twice, named
otherwise, cut into parts; spans become pairs of beginning and end, those of one thread or asynchronous ones; numbers are written in
all the ways that JSON and its careless writers have.  The same arguments make the same files.
"""
import json
import pathlib
import random
import sys


def pair(r, event):
    """As a beginning and an end, which may lack its name."""
    rest = {k: v for k, v in event.items() if k not in ("ph", "dur")}
    end = {k: rest[k] for k in ("name", "pid", "tid", "ts") if k in rest}
    end["ts"] = event.get("ts", 0) + event.get("dur", 0)
    if r.random() < 0.5:
        end.pop("name", None)
    kinds = "BE"
    if r.random() < 0.3:
        kinds = "be"
        rest["id"] = end["id"] = r.choice([r.randrange(4), f"0x{r.randrange(4):x}"])
        end["cat"] = rest.get("cat", "")
    return [{**rest, "ph": kinds[0]}, {**end, "ph": kinds[1]}]


def odd_number(r, value):
    """The value as text or in another notation."""
    return r.choice([value, str(value), float(value), f"{value}.0", f"{value / 1000}e3", -value, value + 0.5, "none", None, 2 ** 40 + value])


def moved(r, event):
    return {**event, "ts": event.get("ts", 0) + r.choice([-1, 1]) * r.randrange(1, 400)}


CHANGES = [
    lambda r, e: [],
    lambda r, e: [e, e],
    lambda r, e: [moved(r, e)],
    lambda r, e: [{**e, "tid": r.randrange(40)}],
    lambda r, e: [{**e, "ph": "B"}],
    lambda r, e: [{**e, "ph": "E"}],
    lambda r, e: [{**e, "name": r.choice(["Conv", "", "Wait", "Lower", "실행", "x" * 300])}],
    lambda r, e: [{**e, "dur": r.choice([0, 1, -5, e.get("dur", 1) * 3])}],
    lambda r, e: [{k: v for k, v in e.items() if k != r.choice(list(e))}],
    lambda r, e: [{**e, "args": {k: odd_number(r, v) if isinstance(v, int) else v for k, v in e.get("args", {}).items()}}],
    lambda r, e: [{**e, "ts": odd_number(r, e.get("ts", 0))}],
    lambda r, e: [{**e, "args": {**e.get("args", {}), "operator_index": odd_number(r, r.randrange(9)), "pe_index": odd_number(r, r.randrange(3))}}],
]


def varied(r, events):
    share, pairs = r.choice([0.01, 0.05, 0.3]), r.choice([0, 0, 0.2, 1])
    found = []
    for event in events:
        parts = pair(r, event) if event.get("ph") == "X" and r.random() < pairs else [event]
        for part in parts:
            found += r.choice(CHANGES)(r, part) if r.random() < share else [part]
    if r.random() < 0.6:
        found.sort(key=lambda e: e["ts"] if isinstance(e.get("ts"), (int, float)) else 0)
    for i in range(len(found) - 1):
        if r.random() < share:
            found[i], found[i + 1] = found[i + 1], found[i]
    return found


def main():
    path, seed, number, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), pathlib.Path(sys.argv[4])
    whole = json.loads(pathlib.Path(path).read_text())
    events = whole["traceEvents"] if isinstance(whole, dict) else whole
    folder.mkdir(exist_ok=True)
    for i in range(number):
        r = random.Random(f"{seed} {i}")
        text = json.dumps(varied(r, events), ensure_ascii=r.random() < 0.5, indent=r.choice([None, None, 1]))
        (folder / f"{i:03}.json").write_text(text)


if __name__ == "__main__":
    main()

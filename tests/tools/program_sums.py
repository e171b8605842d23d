#!/usr/bin/python3
"""program_sums.py TRACE RESULT…: holds what results of compiled programs tell against the spans of their trace.

TRACE is what `npu-advise trace FILE --json` wrote, RESULT what advising on the program with that trace did.  Means over
the inferences that are no warm-up: of each host operator and transfer by its name, of the NPU as a whole, or operator by
operator, and of the query.
"""
import collections
import json
import sys

trace, *results = (json.load(open(f)) for f in sys.argv[1:])
settled = [i for i, x in enumerate(trace["inferences"]) if not x["warm_up"]]
inside = lambda spans, key: sum(x[key] for x in spans if x["inference"] in settled) / len(settled)
of_name = collections.defaultdict(list)
for x in trace["host_operators"]:
    of_name[x["name"]].append(x)
print(f"{len(trace['inferences'])} inferences, {len(settled)} of them settled")
for path, r in zip(sys.argv[2:], results):
    c, rows = r["compiled"], collections.defaultdict(float)
    for step in r["steps"]:
        host = step["op"] in of_name
        rows[step["op"] if host else "rest"] += step["measured_ns"]["mean"]
    off = {name: round(rows[name] - inside(spans, "dur_ns")) for name, spans in of_name.items()}
    latency = sum(trace["inferences"][i]["dur_ns"] for i in settled) / len(settled)
    print(f"{path}: {c['layers']} steps, {c['joined']} timed; host operators off by {max(map(abs, off.values()))} ns, "
          f"query by {round(c['stages']['latency']['mean'] - latency)} ns; "
          f"sum less its steps and what is of none: {c['sum_ns'] - sum(s['measured_ns']['mean'] for s in r['steps']) - sum(t['ns'] for t in c['times_without_layer'])} ns; "
          f"of none: {', '.join(sorted(t['name'] for t in c['times_without_layer'])) or 'nothing'}")
    bounds = {x["rule_id"]: x["alone"]["predicted"] for x in r["by_hand"] + r["suppressed"]}
    want = {"PRG102": ("Quantize", "Dequantize"), "PRG103": ("Lower", "Unlower")}
    for rule, names in want.items():
        print(f"    {rule}: {' + '.join(names)} less removable: {round(sum(rows[n] for n in names) - bounds[rule]['mid'])} ns, at most the same: {bounds[rule]['hi'] == bounds[rule]['mid']}")

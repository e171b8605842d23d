#!/usr/bin/python3
"""engine_line.py NAME RESULT: what a result tells of an engine, on one line.

Version; layers, of them with a time; sum and compute in us; each work by hand with the time of layers that vanish, and the most that it saves,
in us; "names only" where nothing else is known.
"""
import json
import sys

name, path = sys.argv[1:]
r = json.load(open(path))
c = r["compiled"]
compute = c["stages"]["compute"]
bounds = [f"{x['rule_id']} {x['alone']['predicted']['mid'] / 1e3:g}/{x['alone']['predicted']['hi'] / 1e3:g}" for x in r["by_hand"]]
print(f"{name}: {r['sdk']}; {c['layers']}, {c['joined']} timed; {c['sum_ns'] / 1e3:g}, "
      f"{'no compute' if compute is None else format(compute['median'] / 1e3, 'g')}; {', '.join(bounds)}"
      + ("; names only" if c["names_only"] else ""))

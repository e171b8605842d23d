#!/usr/bin/python3
"""What `inspect --json` says of a TensorFlow Lite file, in few lines: operators by type, tensors, boundary, MACs by type."""
import collections
import json
import re
import sys

r = json.load(open(sys.argv[1]))
s = r["source"]


def value(v):
    shape = "?" if v["shape"] is None else "x".join("?" if d is None else str(d) for d in v["shape"])
    scale = "" if v["scale"] is None else f" s={v['scale']:.9g} z={v['zero_point']}"
    return f"{v['name']} {v['dtype']} {shape}{scale}"


macs = collections.Counter()
for n in r["nodes"]:
    if n["macs"]:
        macs[re.match(r"\S+", n["name"]).group()] += n["macs"]
ops = sorted(s["operators"], key=lambda o: (-o["count"], o["op"]))
print(f"  {sum(o['count'] for o in ops)}:", " ".join(f"{o['op']} {o['count']}" for o in ops))
print(f"  {s['tensors']} tensors ({s['constants']}, {s['constant_bytes']}), {s['subgraphs']} subgraphs")
print("  in ", "; ".join(map(value, s["inputs"])))
print("  out", "; ".join(map(value, s["outputs"])))
print(f"  {r['totals']['macs']} MACs:", " ".join(f"{k} {v}" for k, v in sorted(macs.items())),
      f"unknown {r['totals']['nodes_without_macs']}" if r["totals"]["nodes_without_macs"] else "")
print("  unknown:", " ".join(sorted(u["name"] for u in r["unknown"] if u["cause"])) or "nothing")

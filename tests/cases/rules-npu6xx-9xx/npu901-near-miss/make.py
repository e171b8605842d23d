"""Makes the inputs of this case."""
import json
t = json.load(open("t.trace"))
masks = sorted((e["ts"] for e in t["traceEvents"] if e["name"] == "LowLevelMask"))
second = set(masks[1::2])
t["traceEvents"] = [e for e in t["traceEvents"] if e["name"] != "LowLevelMask" or e["ts"] not in second]
json.dump(t, open("t.trace", "w"))

"""Makes the inputs of this case."""
import json
t = json.load(open("t.trace"))
for e in t["traceEvents"]:
    if e.get("name") in ("Quantize", "Lower", "Unlower", "Dequantize"):
        e["tid"] = 7
json.dump(t, open("one.trace", "w"))

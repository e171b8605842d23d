"""Prints what each result suspects, and what that does to savings."""
import json

SILICONS = "plain dram_eighth free_lookup slow_handoff no_overlap slow_moves slow_quantize fast_host".split()


def result(name):
    with open(f"{name}.json") as file:
        return json.load(file)


for name in SILICONS:
    r = result(name)
    codes = sorted({i["code"] for i in r["evidence"]["issues"]})
    off = any(x["rule_id"] == "NPU905" for x in r["recommendations"] + r["observations"])
    print(f"{name}: grade", r["evidence"]["grade"], *codes, "- NPU905" if off else "")
# Pixels may be fed already.
gain = [x["gain"]["predicted"] for x in result("slow_quantize")["recommendations"] if x["rule_id"] == "NPU101"][0]
print("feeding pixels gains", "something in the middle" if gain["mid"] > 1e7 else gain, "and nothing at worst" if gain["lo"] <= 0 else gain)
for name in ("plain", "dram_eighth"):
    gains = any(x["rule_id"] == "NPU503" for x in result(f"{name}-rate")["recommendations"])
    print(f"{name}: two PEs apart", "gain" if gains else "gain nothing")

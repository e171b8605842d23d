"""Prints whether two results have equal times now."""
import json

now, none = (json.load(open(f"{name}.json"))["now"]["latency_ns"] for name in ("now", "none"))
print("equal" if now == none else f"{abs(now - none)} ns apart")

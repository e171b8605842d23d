#!/usr/bin/python3
"""A trace of 30 operators."""
import json
json.dump([{"name": "op%02d" % i, "ph": "X", "ts": 10 * i, "dur": 30 - i, "pid": 1, "tid": 1} for i in range(30)], open("many.json", "w"))

#!/usr/bin/python3
"""Profiles of layers: the mean of runs, and at most their median."""
import json
rows = [{"name": "conv1", "timeMs": 98, "averageMs": 0.49, "medianMs": 0.30, "percentage": 70}, {"name": "conv2", "timeMs": 42, "averageMs": 0.21, "medianMs": 0.205, "percentage": 30}]
json.dump([{"count": 200}] + rows, open("profile.json", "w"))
json.dump(rows, open("no-count.json", "w"))
json.dump([{"count": 10}, {"name": "a", "timeMs": 1, "averageMs": .1}, {"name": "a", "timeMs": 3, "averageMs": .3}], open("twice.json", "w"))

"""Runs commands on every varied trace; prints how many ended with each status, and what must not be."""
import collections
import json
import os
import pathlib
import subprocess

counts = collections.Counter()
WAYS = {"table": ["trace", "{t}", "--model", "{m}"], "json": ["trace", "{t}", "--format", "json"], "advice": ["{m}", "--trace", "{t}", "--json", "-", "-q"],
        "csv": ["trace", "{t}", "--table", "operators", "--format", "csv", "--model", "{m}"]}
for folder in ("one", "two", "three"):
    model = ("ssd_mobilenet-qdq-u8" if folder == "two" else "mnist-qdq-u8-nhwc") + ".onnx"
    for i, path in enumerate(sorted(pathlib.Path(folder).glob("*.json"))):
        way = list(WAYS)[i % len(WAYS)]
        done = subprocess.run([os.environ["NPU_ADVISE"], *(w.format(t=path, m=model) for w in WAYS[way])], capture_output=True, text=True, errors="replace")
        counts[way, "ends well" if done.returncode in (0, 2, 3) else f"status {done.returncode}"] += 1
        if done.returncode not in (0, 2, 3):
            print(path, way, done.returncode, done.stderr[-300:])
        if done.returncode == 0 and way in ("json", "advice"):
            json.loads(done.stdout)
        if done.returncode and not done.stderr.strip():
            print(path, way, "ends without a message")
        if done.returncode == 0 and way == "advice":
            r = json.loads(done.stdout)
            m = r["measured"]
            if m and m["latency_ns"]["median"] <= 0:
                print(path, "has a latency of", m["latency_ns"])
for (way, how), n in sorted(counts.items()):
    print(way, how, n)

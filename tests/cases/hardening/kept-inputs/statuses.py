"""Runs commands on every 120th kept input (every 40th in check-full); prints how many ended well, and what must not be."""
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess

EVERY = 40 if os.environ["FULL"] else 120
MODEL = os.environ["NET"] + "/mnist-qdq-u8-nhwc.onnx"
WAYS = {"onnx": (["advise", "{f}", "--json", "-", "-q"], ["inspect", "{f}", "--json", "-"], ["compile", "{f}", "--emit", "json", "-q"]),
        "tflite": (["advise", "{f}", "--json", "-", "-q"], ["inspect", "{f}", "--json", "-"]),
        "engine": (["advise", "{f}", "--json", "-", "-q"],),
        "trace": (["trace", "{f}", "--format", "json"], ["advise", MODEL, "--trace", "{f}", "--json", "-", "-q"]),
        "settings": (["advise", MODEL, "--config", "{f}", "--json", "-", "-q"],)}
SUFFIX = {"onnx": ".onnx", "tflite": ".tflite", "engine": ".json", "trace": ".json", "settings": ".json"}


def look(job):
    target, path, words = job
    done = subprocess.run([os.environ["NPU_ADVISE"], *(w.format(f=path) for w in words)], capture_output=True, text=True, errors="replace")
    if done.returncode not in (0, 1, 2, 3):
        return target, f"{path} {words[0]}: status {done.returncode}: {done.stderr[-300:]}"
    if done.returncode == 0:
        try:
            json.loads(done.stdout)
        except ValueError as error:
            return target, f"{path} {words[0]}: {error}"
    elif done.returncode == 3 and '"refuted": "' in done.stdout:
        json.loads(done.stdout)  # the result itself says that the trace is ignored
    elif not done.stderr.strip():
        return target, f"{path} {words[0]}: ends with {done.returncode} without a message"
    return target, None


jobs = []
for target, ways in WAYS.items():
    for i, path in enumerate(sorted(p for p in pathlib.Path(target).rglob("*") if p.is_file())):
        if i % EVERY == 0:
            named = path.with_suffix(SUFFIX[target])
            path.rename(named)
            jobs += [(target, named, words) for words in ways]
counts = collections.Counter()
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for target, problem in pool.map(look, jobs):
        counts[target] += problem is None
        if problem:
            print(problem)
print("all inputs end well" if sum(counts.values()) == len(jobs) and len(jobs) > 150 else f"{len(jobs) - sum(counts.values())} of {len(jobs)} do not")

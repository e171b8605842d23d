#!/usr/bin/python3
"""Traces: `npu-advise trace` against what people use today, on the same files, alternating, whole processes.

  bench/trace.py [BUILD] [MEGABYTES=50] [ROUNDS=5]

The files are made from one seeded block of inferences (Quantize, Lower, Load, 40-63 operators of 12 names, Store, Task,
Unlower, Dequantize, one asynchronous pair), as the vendor's exporter writes them: X events, times in microseconds with
three decimals, indices as strings; half as large once more, and compressed.  Peers: wc -l and true (the limits), Python
json with pandas group-by and quantiles, DuckDB, jq and node (up to 50 MB), gzip -dc for the compressed file.  Printed:
medians of wall time, MB/s, peak memory, the ratio to npu-advise, and the slope from half the size to the whole.  Goals:
<= 1/20 of json + pandas, <= 8 x wc -l, faster than gzip -dc, <= 48 B/event + 16 MB, slope 1.8 to 2.3.  A peer that is
not here is left out.
"""
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PANDAS = """
import json, sys, pandas
d = json.load(open(sys.argv[1]))
d = d if isinstance(d, list) else d["traceEvents"]
f = pandas.DataFrame([e for e in d if e.get("ph") == "X"])
print(f.groupby("name")["dur"].agg(["count", "sum", "median", lambda x: x.quantile(.9), lambda x: x.quantile(.99)]))
"""
PURE = """
import json, sys
d = json.load(open(sys.argv[1]))
names = {}
for e in (d if isinstance(d, list) else d["traceEvents"]):
    if e.get("ph") == "X":
        names.setdefault(e["name"], []).append(e["dur"])
for name, dur in sorted(names.items()):
    dur.sort()
    print(name, len(dur), sum(dur), dur[len(dur) // 2], dur[len(dur) * 9 // 10], dur[len(dur) * 99 // 100])
"""
NODE = """
const d = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")), names = new Map();
for (const e of Array.isArray(d) ? d : d.traceEvents)
    if (e.ph === "X") (names.get(e.name) ?? names.set(e.name, []).get(e.name)).push(e.dur);
for (const [name, dur] of names) { dur.sort((a, b) => a - b); console.log(name, dur.length, dur[dur.length >> 1]); }
"""
DUCKDB = """
const { DuckDBInstance } = require("@duckdb/node-api");
(async () => {
    const db = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
    console.log((await db.runAndReadAll(`select name, count(*), sum(dur), quantile_disc(dur, [0.5, 0.9, 0.99])
        from read_json('${process.argv[1]}', format='array', columns={name: 'VARCHAR', ph: 'VARCHAR', dur: 'DOUBLE'}) where ph = 'X'
        group by name`)).getRows().length);
})();
"""
JQ = '[.[] | select(.ph == "X")] | group_by(.name) | map([.[0].name, length, (map(.dur) | add)])'
OPERATORS = ["LowLevel" + n for n in ("Conv2d", "DepthwiseConv2d", "Pad", "Mask", "Expand", "Reshape", "Slice", "Transpose",
                                      "Concat", "Add", "MaxPool", "Sigmoid")]


def block(rng, index):
    """One inference from time 0: (name, cat, start, dur, tid, args) in ns, and its length."""
    spans, at = [], 2000
    hosts = [("Quantize", 0), ("Lower", 1), ("Unlower", 2), ("Dequantize", 3)]
    for i, (name, op) in enumerate(hosts):
        if i == 2:
            start = at
            at += 100
            inside = [("Load", 13)] + [(rng.choice(OPERATORS), rng.randrange(2, 9000)) for _ in range(rng.randrange(40, 64))]
            for k, (n, dur) in enumerate(inside + [("Store", 20)]):
                spans.append((n, "NPU", at, dur, 10000000, f'"pe_index": "0", "execution_index": "{index}", "instruction_index": "{k}"'))
                at += dur
            spans.append(("Task", "NPU", start, at - start, 10000000, f'"pe_index": "0", "execution_index": "{index}"'))
        dur = rng.randrange(10000, 300000)
        spans.append((name, "Nux", at, dur, 40, f'"operator_index": "{op}"'))
        at += dur + 1000
    spans.append(("Inference", "Nux", 1000, at, 40, '"label": "bench"'))
    return spans, at + 5000


def us(ns):
    return f"{ns // 1000}.{ns % 1000:03d}"


def make(path, megabytes):
    if path.exists():
        return
    rng, now, size = random.Random(7), 1000, 0
    blocks = [block(rng, i) for i in range(64)]
    with open(path, "w") as f:
        f.write("[\n")
        number = 0
        while size < megabytes * 1000000:
            spans, length = blocks[number % len(blocks)]
            text = "".join(f'{{"name": "{n}", "cat": "{c}", "ph": "X", "ts": {us(now + s)}, "dur": {us(d)}, "pid": 4711, "tid": {t}, "args": {{{a}}}}},\n'
                           for n, c, s, d, t, a in spans)
            text += f'{{"name": "request", "cat": "Nux", "ph": "b", "id": "0x{number:x}", "ts": {us(now)}, "pid": 4711, "tid": 1}},\n'
            text += f'{{"name": "request", "cat": "Nux", "ph": "e", "id": "0x{number:x}", "ts": {us(now + length)}, "pid": 4711, "tid": 1}},\n'
            size += f.write(text)
            now += length
            number += 1
        f.write('{"name": "thread_name", "ph": "M", "pid": 4711, "tid": 10000000, "args": {"name": "NPU 0"}}\n]\n')


def compress(path):
    """The file beside it, compressed as people do; None without gzip."""
    packed = path.with_suffix(".json.gz")
    if not shutil.which("gzip"):
        return None
    if not packed.exists():
        subprocess.run(["gzip", "-6", "-k", path], check=True)
    return packed


def measure(command):
    """(seconds, peak MB) of one process; None when it fails."""
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], [str(c) for c in command], os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
                                       (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    return None if status else (time.perf_counter() - start, usage.ru_maxrss / 1000)


def peers(path, megabytes):
    python = "/usr/bin/python3"
    yield "true", [shutil.which("true")]
    yield "wc -l", [shutil.which("wc"), "-l", path]
    pandas = measure([python, "-c", "import pandas"]) is not None
    if megabytes <= 200 or pandas:
        yield ("json + pandas" if pandas else "Python json"), [python, "-c", PANDAS if pandas else PURE, path]
    modules = os.environ.get("NPU_ADVISE_NODE_MODULES", ROOT / "tests/full/node_modules")
    if shutil.which("node") and (pathlib.Path(modules) / "@duckdb").is_dir():
        os.environ["NODE_PATH"] = str(modules)
        yield "DuckDB", [shutil.which("node"), "-e", DUCKDB, path]
    if megabytes <= 50 and shutil.which("jq"):
        yield "jq", [shutil.which("jq"), JQ, path]
    if megabytes <= 50 and shutil.which("node"):
        yield "node", [shutil.which("node"), "-e", NODE, path]


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    megabytes = float(sys.argv[2]) if len(sys.argv) > 2 else 50
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    folder = build / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    path, half = folder / f"trace-{megabytes:g}.json", folder / f"trace-{megabytes / 2:g}.json"
    make(path, megabytes)
    make(half, megabytes / 2)
    size, events = path.stat().st_size / 1e6, sum(chunk.count(b'"ph"') for chunk in open(path, "rb"))
    tools = {"npu-advise": [str(build / "npu-advise"), "trace", path], "half size": [str(build / "npu-advise"), "trace", half]}
    packed = compress(path)
    if packed:
        tools["npu-advise .gz"] = [str(build / "npu-advise"), "trace", packed]
        tools["gzip -dc"] = [shutil.which("gzip"), "-dc", packed]
    tools.update(peers(path, megabytes))
    found = {name: [] for name in tools}
    for _ in range(rounds + 1):
        for name, command in tools.items():
            found[name].append(measure(command))
    print(f"{size:.1f} MB, {events} events, {rounds} rounds")
    ours = [f[0] for f in found["npu-advise"][1:]]
    for name, results in found.items():
        if None in results:
            print(f"  {name:14} fails")
            continue
        wall = statistics.median(r[0] for r in results[1:])
        ratio = statistics.median(r[0] / o for r, o in zip(results[1:], ours))
        print(f"  {name:14} {wall * 1e3:9.1f} ms  {size / wall:7.0f} MB/s  {results[-1][1]:7.1f} MB  x {ratio:.2f}")
    slope = statistics.median(o / h[0] for o, h in zip(ours, found["half size"][1:]))
    memory = found["npu-advise"][-1][1]
    print(f"  slope from half to whole {slope:.2f} (goal 1.8 to 2.3); {(memory - 16) * 1e6 / events:.0f} B/event + 16 MB (goal 48)")


if __name__ == "__main__":
    main()

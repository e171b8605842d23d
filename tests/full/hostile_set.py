#!/usr/bin/python3
"""Some four hundred files built to exhaust memory or time: models (ONNX, TensorFlow Lite, engines), traces and tables of times,
settings, results, parts of a run, baselines, gzip; flat and nested.

  hostile_set.py [--build DIR] [--only TEXT[,TEXT…]] [--memory MIB]

Each is given to npu-advise as what it claims to be.  It must end within 10 s of processor time and with anonymous memory of at
most the limit (1 GiB) and 64 MiB, with status 2 or 3 and one line, or 0 or 1 and a complete result.  Prints the worst of each family.
"""
import argparse
import gzip
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

sys.dont_write_bytecode = True
import hostile_readers  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 10
SLACK_MIB = 64


def varint(n):
    out = bytearray()
    n &= (1 << 64) - 1
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def num(number, value):
    return varint(number << 3) + varint(value)


def sub(number, payload):
    payload = payload.encode() if isinstance(payload, str) else payload
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def value_info(name, dims=(1, 8), dtype=1):
    shape = b"".join(sub(1, num(1, d) if isinstance(d, int) else sub(2, d)) for d in dims)
    return sub(1, name) + sub(2, sub(1, num(1, dtype) + sub(2, shape)))


def node(op, inputs, outputs, attrs=b"", domain=""):
    return (b"".join(sub(1, i) for i in inputs) + b"".join(sub(2, o) for o in outputs) + sub(4, op) + attrs
            + (sub(7, domain) if domain else b""))


def ints(name, values):
    return sub(5, sub(1, name) + b"".join(num(8, v) for v in values) + num(20, 7))


def tensor(name, dims, dtype, raw):
    return b"".join(num(1, d) for d in dims) + num(2, dtype) + sub(8, name) + sub(9, raw)


def graph(nodes, inputs=("x",), outputs=("y",), dims=(1, 8), init=(), dtype=1):
    return (b"".join(sub(1, n) for n in nodes) + sub(2, "g") + b"".join(sub(5, t) for t in init)
            + b"".join(sub(11, value_info(i, dims, dtype)) for i in inputs)
            + b"".join(sub(12, value_info(o, dims, dtype)) for o in outputs))


def model(g, functions=(), extra=b""):
    return (num(1, 8) + sub(7, g) + sub(8, num(2, 17)) + sub(8, sub(1, "f") + num(2, 1))
            + b"".join(sub(25, f) for f in functions) + extra)


def chain(op, n, attrs=b""):
    names = ["x"] + [f"t{i}" for i in range(n - 1)] + ["y"]
    return [node(op, [names[i]], [names[i + 1]], attrs) for i in range(n)]


def models():
    for n in (1000, 30000, 100000, 300000):
        for op in ("Relu", "Conv", "Softmax", "Unknown"):
            yield f"chain-{op}-{n}", model(graph(chain(op, n)))
    for n in (1000, 20000, 100000):
        yield f"concat-{n}", model(graph([node("Concat", ["x"] * n, ["y"], ints("axis", []))]))
        yield f"fanout-{n}", model(graph([node("Relu", ["x"], [f"a{i}"]) for i in range(n)] + [node("Sum", [f"a{i}" for i in range(n)], ["y"])]))
        yield f"adds-{n}", model(graph([node("Add", ["x", f"a{i - 1}" if i else "x"], [f"a{i}" if i < n - 1 else "y"]) for i in range(n)]))
        yield f"initialisers-{n}", model(graph([node("Relu", ["x"], ["y"])], init=[tensor(f"w{i}", [1], 1, b"abcd") for i in range(n)]))
        yield f"inputs-{n}", model(graph([node("Sum", [f"x{i}" for i in range(n)], ["y"])], inputs=[f"x{i}" for i in range(n)]))
        yield f"outputs-{n}", model(graph([node("Split", ["x"], [f"y{i}" for i in range(n)])], outputs=[f"y{i}" for i in range(n)]))
        yield f"qdq-{n}", model(graph(sum(([node("QuantizeLinear", [f"a{i}" if i else "x", "s", "z"], [f"q{i}"]), node("DequantizeLinear", [f"q{i}", "s", "z"], [f"a{i + 1}" if i < n // 2 - 1 else "y"])] for i in range(n // 2)), []),
                                      init=[tensor("s", [], 1, struct.pack("<f", 0.1)), tensor("z", [], 3, b"\0")]))
    for n in (100, 5000, 60000):
        attr = b"".join(sub(5, sub(1, f"a{i}") + num(3, i) + num(20, 2)) for i in range(n))
        yield f"attributes-{n}", model(graph([node("Relu", ["x"], ["y"], attr)]))
        defaults = b"".join(sub(11, sub(1, f"a{i}") + num(3, i) + num(20, 2)) for i in range(n))
        f = sub(1, "F") + sub(4, "i") + sub(5, "o") + defaults + sub(7, node("Relu", ["i"], ["o"])) + sub(10, "f")
        yield f"function-attributes-{n}", model(graph([node("F", ["x"], ["y"], attr, "f")]), [f])
        yield f"int-list-{n}", model(graph([node("Transpose", ["x"], ["y"], ints("perm", range(n)))]))
    for depth in (5, 16, 40, 62):
        fs = []
        for d in range(depth):
            inner = node("Relu", ["i"], ["o"]) if d == 0 else b""
            body = [inner] if d == 0 else [node(f"F{d - 1}", ["i"], ["m"], b"", "f"), node(f"F{d - 1}", ["m"], ["o"], b"", "f")]
            fs.append(sub(1, f"F{d}") + sub(4, "i") + sub(5, "o") + b"".join(sub(7, n) for n in body) + sub(10, "f"))
        yield f"functions-double-{depth}", model(graph([node(f"F{depth - 1}", ["x"], ["y"], b"", "f")]), fs)
    for depth in (10, 30, 95, 3000):
        g = graph([node("Relu", ["x"], ["y"])])
        for _ in range(depth):
            g = graph([node("If", ["x"], ["y"], sub(5, sub(1, "then_branch") + sub(6, g) + num(20, 5)))])
        yield f"nested-{depth}", model(g)
    for dims in ((1 << 62, 1 << 62), (1 << 31, 1 << 31, 4), (1 << 40,), (65536,) * 4, (1,) * 64, (0, 5), (-5, 3)):
        for op in ("Relu", "MatMul", "Conv", "Softmax"):
            yield f"dims-{op}-{len(dims)}-{dims[0]}", model(graph([node(op, ["x", "x"][: 2 if op in ("MatMul", "Conv") else 1], ["y"])], dims=dims))
    i64 = lambda *v: struct.pack(f"<{len(v)}q", *v)
    for size in (1 << 10, 1 << 24, 1 << 28, 1 << 34, 1 << 62):
        shape = tensor("s", [1], 7, i64(size))
        yield f"constant-of-shape-{size}", model(graph([node("ConstantOfShape", ["s"], ["c"]), node("Add", ["x", "c"], ["y"])], init=[shape]))
        lim = [tensor("a", [], 7, i64(0)), tensor("b", [], 7, i64(size)), tensor("d", [], 7, i64(1))]
        yield f"range-{size}", model(graph([node("Range", ["a", "b", "d"], ["c"]), node("Cast", ["c"], ["e"]), node("Add", ["x", "e"], ["y"])], init=lim))
        yield f"tile-{size}", model(graph([node("Tile", ["w", "s"], ["c"]), node("Tile", ["c", "s"], ["e"]), node("Add", ["x", "e"], ["y"])],
                                          init=[shape, tensor("w", [1], 1, b"abcd")]))
        yield f"expand-{size}", model(graph([node("Expand", ["w", "s"], ["c"]), node("Mul", ["x", "c"], ["y"])], init=[shape, tensor("w", [1], 1, b"abcd")]))
    yield "long-name", model(graph([node("Relu", ["x"], ["y"])]), extra=sub(2, "n" * (1 << 20)))
    yield "names", model(graph(chain("R" * 1000, 3000)))
    yield "conv-kernel", model(graph([node("Conv", ["x", "w"], ["y"], ints("kernel_shape", [1 << 30, 1 << 30]))], dims=(1, 3, 1 << 20, 1 << 20)))
    yield "einsum", model(graph([node("Einsum", ["x", "x"], ["y"], sub(5, sub(1, "equation") + sub(4, "ab," * 100000 + "->a") + num(20, 3)))]))
    yield "symbols", model(graph([node("Add", ["x", "x"], ["y"])], dims=[f"d{i}" for i in range(60)]))
    yield "metadata", model(graph([node("Relu", ["x"], ["y"])]), extra=b"".join(sub(14, sub(1, f"k{i}") + sub(2, "v")) for i in range(200000)))


def event(i, **more):
    e = {"name": f"n{i}", "cat": "NPU", "ph": "X", "ts": i * 10, "dur": 5, "pid": 1, "tid": 1}
    e.update(more)
    return json.dumps(e)


def traces():
    flat = lambda items: ("[" + ",".join(items) + "]").encode()
    for n in (1000, 100000, 400000):
        yield f"names-{n}", flat(event(i) for i in range(n))
        yield f"threads-{n}", flat(event(i, tid=i, pid=i) for i in range(n))
        yield f"open-{n}", flat(event(i, ph="B") for i in range(n))
        yield f"ends-{n}", flat(event(i, ph="E", name="x") for i in range(n))
        yield f"nest-{n}", flat([event(0, ph="B", name="x", ts=i) for i in range(n // 2)] + [event(0, ph="E", name="x", ts=n - i) for i in range(n // 2)])
        yield f"async-{n}", flat(event(i, ph="b", id=i) for i in range(n))
        yield f"inferences-{n}", flat(event(i, cat="Runtime", name="Inference", args={"trace_id": f"{i:032x}", "span_id": f"{i:016x}"}) for i in range(n))
        yield f"overlap-{n}", flat(event(i, ts=0, dur=10**9, name="Inference", cat="Nux") for i in range(n))
        yield f"tasks-{n}", flat(event(i, name="NPU Total", tid=i % 7, args={"pe_index": i % 9, "execution_index": i}) for i in range(n))
        yield f"gaps-{n}", flat(event(i, ts=i * 10**12) for i in range(n))
    for depth in (1000, 1100, 1000000):
        yield f"brackets-{depth}", b"[" * depth
        yield f"objects-{depth}", b'{"a":' * depth
        yield f"args-{depth}", b'[{"name":"x","ph":"X","ts":1,"dur":1,"args":' + b'{"a":' * depth + b"1" + b"}" * depth + b"}]"
    for mib in (1, 60, 400, 3000):
        for label, unit in (("zeros", b"\0"), ("blanks", b" "), ("events", (event(1) + ",").encode()), ("string", b"a")):
            unit = (unit * (1 << 20))[: 1 << 20] if len(unit) == 1 else unit * (1 + (1 << 20) // len(unit))
            z = zlib.compressobj(9, zlib.DEFLATED, 31)
            head = b'[{"name":"' if label == "string" else b"["
            body = z.compress(head) + b"".join(z.compress(unit) for _ in range(min(mib, 3000))) + z.flush()
            yield f"bomb-{label}-{mib}", body
    yield "members", gzip.compress(b" ") * 200000
    yield "long-string", b'[{"name":"' + b"a" * (200 << 20) + b'"}]'
    yield "numbers", flat(event(i, ts=int("9" * 18), dur=int("9" * 18)) for i in range(50000))
    yield "csv", b"name,cat,start,dur\n" + b"".join(b"n%d,NPU,%d,5\n" % (i, i) for i in range(300000))


def settings():
    for n in (10, 9000, 400000):
        yield f"suppressions-{n}", json.dumps({"suppressions": [{"fingerprint": f"f{i}", "reason": "r"} for i in range(n)]}).encode()
        yield f"rules-{n}", json.dumps({"rules": {f"NPU{i}": "off" for i in range(n)}}).encode()
        yield f"budgets-{n}", json.dumps({"budgets": {f"host:Op{i}": 0 for i in range(n)}}).encode()
        yield f"models-{n}", json.dumps({"models": [{"model": "*a*" * 30, "fail_on": "warn"} for i in range(n)]}).encode()
    for depth in (900, 100000):
        yield f"nested-{depth}", b'{"models":' + b"[" * depth + b"]" * depth + b"}"
    yield "glob", json.dumps({"models": [{"model": "*a" * 200000}]}).encode()
    yield "blanks", b" " * (30 << 20) + b"{}"


def results():
    base = json.loads((ROOT / "docs/schema/result.example.json").read_text())
    for n in (100, 20000, 120000):
        for key in ("steps", "operators", "plans", "changes", "by_hand", "notes", "not_applicable"):
            r = dict(base)
            unit = base[key][0] if base.get(key) else "a note"
            r[key] = [unit] * n
            yield f"{key}-{n}", json.dumps(r).encode()
    r = dict(base)
    r["gate"] = dict(base["gate"], status="failed", assertions=[{"name": "a", "expected": "b", "found": 1, "values": [1] * 1000, "pass": False, "detail": "d"}] * 3000)
    yield "assertions", json.dumps(r).encode()


def baselines():
    for n in (100, 100000, 500000):
        yield f"findings-{n}", json.dumps({"baseline_version": 1, "objective": "latency", "target": "warboy-2pe", "sdk": "0.10", "batch": 1, "workers": 1,
                                          "findings": [{"fingerprint": f"f{i}", "rule_id": "NPU101"} for i in range(n)], "structure": {}, "host_ops": {}, "predicted": {}}).encode()


def arguments(family, path, good):
    common = ["--isolated"]
    return {"model": [path, "--html", "/dev/null", "--sarif", "/dev/null", *common],
            "trace": [good, "--trace", path, "--html", "/dev/null", *common],
            "settings": [good, "--config", path],
            "result": ["show", path, "--html", "/dev/null", "--sarif", "/dev/null", "--json", "/dev/null"],
            "baseline": [good, "--baseline", path],
            "tflite": [path, "--html", "/dev/null", "--sarif", "/dev/null", *common],
            "engine": [path, "--html", "/dev/null", "--sarif", "/dev/null", *common],
            "layers": ["good.engine", "--trace", path, "--html", "/dev/null", *common],
            "table": ["trace", path, "--table", "npu_operators"],
            "part": ["merge", path, "--html", "/dev/null", "--sarif", "/dev/null", "--csv", "/dev/null"],
            "pairs": [good, "--config", path]}[family]


ENDING = {"model": ".onnx", "tflite": ".tflite", "part": ".ndjson", "table": ".csv"}


def families():
    example = json.loads((ROOT / "docs/schema/result.example.json").read_text())
    r = hostile_readers
    return (("model", models()), ("trace", traces()), ("settings", settings()), ("result", results()), ("baseline", baselines()), ("tflite", r.tflites()),
            ("engine", r.engines()), ("layers", r.engine_times()), ("table", r.tables()), ("part", r.parts(example)), ("pairs", r.pairs()))


def anonymous_mib(pid):
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+)", text).group(1)) >> 10
    except (OSError, AttributeError):
        return 0


def run(program, args, folder):
    """(status, error text, peak MiB, seconds of processor time)."""
    with tempfile.TemporaryFile() as err:
        child = subprocess.Popen([program, *args], cwd=folder, stdout=subprocess.DEVNULL, stderr=err, stdin=subprocess.DEVNULL)
        peak, start, status = 0, time.monotonic(), None
        while status is None:
            peak = max(peak, anonymous_mib(child.pid))
            pid, code, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                status = os.waitstatus_to_exitcode(code)
            elif time.monotonic() - start > 1200:
                os.kill(child.pid, signal.SIGKILL)  # child.kill() would wait for it
            else:
                time.sleep(0.004)
        child.returncode = status
        err.seek(0)
        return status, err.read(100000).decode("utf8", "replace"), peak, usage.ru_utime + usage.ru_stime


def judge(status, error, peak, seconds, memory):
    lines = [line for line in error.splitlines() if not line.startswith("note: ")]
    if status not in (0, 1, 2, 3):
        return f"status {status}: {error[:200]}"
    if status == 2 and len(lines) != 1:
        return f"status 2 with {len(lines)} lines: {error[:200]}"
    if peak > memory + SLACK_MIB:
        return f"{peak} MiB of anonymous memory"
    if seconds > SECONDS:
        return f"{seconds:.1f} s of processor time"
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", type=os.path.abspath, default=str(ROOT / "build"))
    p.add_argument("--only", default="")
    p.add_argument("--memory", type=int, default=1024)
    o = p.parse_args()
    program = f"{o.build}/npu-advise"
    wrong = total = 0
    with tempfile.TemporaryDirectory(prefix="hostile-set-") as folder:
        good = f"{folder}/good.onnx"
        pathlib.Path(good).write_bytes(model(graph([node("Conv", ["x", "w"], ["y"])], dims=(1, 8, 32, 32), init=[tensor("w", [8, 8, 1, 1], 1, bytes(256))])))
        pathlib.Path(f"{folder}/good.engine").write_bytes(hostile_readers.engine([hostile_readers.layer(i) for i in range(3)]))
        for family, items in families():
            worst_s = worst_mib = ("", 0)
            n, ends = 0, {}
            for name, data in items:
                if not any(text in f"{family}-{name}" for text in o.only.split(",")):
                    continue
                path = f"{folder}/{name}" + ENDING.get(family, ".json")
                pathlib.Path(path).write_bytes(data)
                size = len(data)
                del data
                status, error, peak, seconds = run(program, arguments(family, path, good), folder)
                problem = judge(status, error, peak, seconds, o.memory)
                os.unlink(path)
                n += 1
                ends[status] = ends.get(status, 0) + 1
                worst_s = max(worst_s, (name, seconds), key=lambda w: w[1])
                worst_mib = max(worst_mib, (name, peak), key=lambda w: w[1])
                if problem:
                    wrong += 1
                    print(f"WRONG {family} {name} ({size >> 10} KiB): {problem}", flush=True)
            total += n
            if n:
                print(f"{family}: {n} files, statuses {ends}, most time {worst_s[1]:.1f} s ({worst_s[0]}), most memory {worst_mib[1]} MiB ({worst_mib[0]})", flush=True)
    print(f"{total} hostile files, {wrong} wrong")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())

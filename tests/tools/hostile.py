#!/usr/bin/python3
"""Feeds hostile bytes to npu-advise and demands a clear end every time.

  hostile.py MODEL TRACE [N]        (a good model and a good trace to damage, N times each way)

Every run must end by itself within 5 s (15 s in a sanitizer build) and below 1 GB, with status 0 (a result), or with
2 or 3 and exactly one line of error; a sanitizer report, a signal or a second error line is a failure.
Prints one line per family of inputs.  Uses $NPU_ADVISE.
"""
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading

ADVISE = os.environ["NPU_ADVISE"]
SANITIZED = b"__asan_init" in pathlib.Path(ADVISE).read_bytes()
SECONDS = 15 if SANITIZED else 5
MEMORY_KB = 1 << 20


def judge(done, peak_kb):
    """None when the run ended as promised, else what was wrong."""
    error = done.stderr.decode("utf8", "replace")
    if "Sanitizer" in error or "runtime error" in error:
        return "sanitizer report: " + error[:600]
    if done.returncode not in (0, 2, 3):
        return f"exit status {done.returncode}: {error[:300]}"
    if not SANITIZED and peak_kb > MEMORY_KB:
        return f"{peak_kb >> 10} MiB of memory"
    lines = [line for line in error.splitlines() if not line.startswith("note: ")]
    if done.returncode == 2 and len(lines) != 1:
        return f"status 2 with {len(lines)} lines of error: {error[:300]}"
    if done.returncode == 2 and done.stdout:
        return "status 2 with a result on stdout"
    return None


def run(arguments, stdin=None):
    process = subprocess.Popen([ADVISE, *arguments], stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    timer = threading.Timer(SECONDS, process.kill)
    timer.start()
    try:
        out, err = process.communicate()
    finally:
        timer.cancel()
    done = subprocess.CompletedProcess(arguments, process.returncode, out, err)
    if process.returncode == -9:
        return f"no end after {SECONDS} s"
    return judge(done, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def nested_messages(depth):
    """A model whose node has an attribute holding a graph holding a node holding an attribute …"""
    graph = b""
    for _ in range(depth // 3):
        attribute = field(1, b"g") + field(6, graph) + varint(20 << 3) + b"\x05"
        graph = field(1, field(4, b"If") + field(5, attribute))
    return b"\x08\x07" + field(7, graph) + field(8, b"\x10\x0d")


def damaged(good, rng, how_many):
    for i in range(how_many):
        yield f"truncated-{i}", good[: rng.randrange(len(good))]
    for i in range(how_many):
        bits = bytearray(good)
        at = rng.randrange(len(bits))
        bits[at] ^= 1 << rng.randrange(8)
        yield f"flipped-{i}", bytes(bits)


def outside_model():
    """External data outside of the model's folder: must be refused without being read."""
    dims = varint(1 << 3) + b"\x04" + varint(2 << 3) + b"\x01"
    def entry(key, value):
        return field(13, field(1, key) + field(2, value))
    tensor = dims + field(8, b"w") + entry(b"location", b"../../../../../../etc/passwd") + varint(14 << 3) + b"\x01"
    node = field(1, b"w") + field(2, b"y") + field(4, b"Relu")
    graph = field(1, node) + field(2, b"g") + field(5, tensor) + field(12, field(1, b"y"))
    return b"\x08\x07" + field(7, graph) + field(8, b"\x10\x0d")


def main():
    model, trace = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    how_many = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    rng = random.Random(20)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hostile-"))
    families = []

    def files(name, as_trace, items):
        jobs = []
        for label, data in items:
            path = folder / f"{name}-{label}{'.json' if as_trace else '.onnx'}"
            path.write_bytes(data)
            jobs.append((label, [str(model), "--trace", str(path)] if as_trace else [str(path)]))
        families.append((name, jobs))

    files("model", False, damaged(model.read_bytes(), rng, how_many))
    files("trace", True, damaged(trace.read_bytes(), rng, how_many))
    files("brackets", True, [("array", b"[" * 200000), ("object", b'{"a":' * 200000), ("both", b'[{"a":' * 100000)])
    files("brackets-as-model", False, [("array", b"[" * 200000)])
    files("nested-messages", False, [("100000", nested_messages(100000)), ("300", nested_messages(300))])
    files("empty", False, [("0", b"")])
    files("empty-trace", True, [("0", b""), ("array", b"[]"), ("object", b"{}")])
    files("external", False, [("outside", outside_model())])
    files("huge-lengths", False, [("64bit", b"\x3a" + b"\xff" * 9 + b"\x01"), ("31bit", b"\x3a\xff\xff\xff\xff\x07"),
                                  ("packed", b"\x3a\x08\x2a\x06\x0a\xff\xff\xff\xff\x07")])
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    (folder / "nothing").mkdir()
    odd = [str(folder / "nothing"), "/dev/null", "/dev/zero", str(fifo), str(folder / "missing")]
    families.append(("odd-models", [(p, [p]) for p in odd]))
    families.append(("odd-traces", [(p, [str(model), "--trace", p]) for p in odd]))
    corpus = os.environ.get("CORPUS")
    if corpus:
        base = pathlib.Path(corpus)
        for sub in ("models/broken", "models/compiled", "models/tflite"):
            families.append((sub, [(p.name, [str(p)]) for p in sorted((base / sub).iterdir())]))
        for sub in ("traces/chrome", "traces/json", "traces/furiosa"):
            families.append((sub, [(p.name, [str(model), "--trace", str(p)]) for p in sorted((base / sub).iterdir())]))

    bad = 0
    for name, jobs in families:
        problems = [(label, problem) for label, problem in ((label, run(arguments)) for label, arguments in jobs) if problem]
        bad += len(problems)
        if not name.startswith(("models/", "traces/")) or problems:
            print(f"{name}: {len(jobs)} inputs, {len(problems)} without a clear end")
        for label, problem in problems[:5]:
            print(f"  {label}: {problem}")
    shutil.rmtree(folder)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

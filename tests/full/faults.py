#!/usr/bin/python3
"""Lets allocations and system calls fail, one at a time, in sixteen typical runs.

  faults.py [--build DIR] [--first N] [--last N] [--drawn N] [--every N] [--moments N] [--seed S] [--same N] [--calls NAMES] [--only RUN[,RUN…]] [--jobs N]

Allocation: each of the first N (2000), of the last N (0) and N drawn from the rest fails once, of these every N-th (1), but of
those with the same callers (the 32 nearest) only the first --same (2) of all runs of a program.  System calls (read, write, rename, mmap … by strace's
injection): each one after main has begun fails once.  Every time the run must end with status 2 and one line, or as the run without a fault:
the same status, the same bytes in every output; of many models some may have that status and line instead, in their rows.
No crash, no file left behind.  And each temporary file or folder is made just when SIGTERM comes: that ends the run, and nothing is left.
Prints the counts.
"""
import argparse
import array
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
import hostile_readers  # noqa: E402  (beside this file)
import make_tflite  # noqa: E402  (hostile_readers knows where)

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALLS = "openat,read,pread64,write,pwrite64,rename,fsync,mmap,newfstatat,close"
RUNS = {
    "advise": "npu-advise m.onnx --isolated --html out/h.html --sarif out/s.sarif --json out/r.json",
    "forms": "npu-advise m.onnx --isolated --junit out/j.xml --markdown out/m.md --ndjson out/n --csv out/c.csv --format github",
    "trace": "npu-advise m.onnx --isolated --trace t.json.gz --json out/r.json --lang ko",
    "gate": "npu-advise m.onnx --config c.json --baseline b.json --json out/r.json",
    "show": "npu-advise show r.json --html out/h.html --verbose",
    "inspect": "npu-advise inspect m.onnx --json out/i.json",
    "compile": "npu-advise compile m.onnx --emit json",
    "tables": "npu-advise trace t.json --format json",
    "sqlite": "npu-advise trace t.json --format sqlite -o out/t.db",
    "exec": "npu-exec m.onnx --runs 3 --trace out/t.json --json out/s.json",
    "values": "npu-exec m.onnx --values --input-dir in --output-dir out",
    "codes": "npu-exec q.onnx --values --data samples --output-dir out",
    "engine": "npu-advise old.graph.json --isolated --trace old.profile.json --trace old.log --json out/r.json --fail-on info",
    "tflite": "npu-advise m.tflite --isolated --json out/r.json",
    "many": "npu-advise m.onnx m.tflite --isolated --jobs 1 --json out/r.json --csv out/r.csv",
    "merge": "npu-advise merge part.ndjson --json out/r.json --html out/h.html",
}


def prepare(folder, build):
    text = (ROOT / "tests/cases/gate/gate-config/model.textpb").read_bytes()
    (folder / "m.onnx").write_bytes(subprocess.run(["protoc", "--encode=onnx.ModelProto", "--proto_path=/usr/include/onnx", "/usr/include/onnx/onnx.proto"],
                                                   input=text, capture_output=True, check=True).stdout)
    run = lambda *a: subprocess.run(a, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run(f"{build}/npu-exec", "m.onnx", "--runs", "30", "--trace", "t.json")
    run("gzip", "-k", "t.json")
    run(f"{build}/npu-advise", "m.onnx", "--isolated", "--json", "r.json", "--write-baseline", "b.json")
    (folder / "m.tflite").write_bytes(make_tflite.make(hostile_readers.flat(hostile_readers.RELU, 8)))
    subprocess.run(["/usr/bin/python3", "-c", "import numpy, onnx; d = onnx.load('m.onnx').graph.input[0].type.tensor_type.shape.dim; "
                    "numpy.save('input_0.npy', numpy.zeros([x.dim_value for x in d], 'f4'))"], cwd=folder, check=True)
    run(str(ROOT / "tests/tools/make_engine.py"), str(ROOT / "tests/cases/engines/engine-gate/engines.txt"))
    run(f"{build}/npu-advise", "m.onnx", "m.tflite", "--isolated", "--shard", "1/1", "--ndjson", "part.ndjson")
    (folder / "c.json").write_text('{"fail_on": "error", "budgets": {"host_steps": 99}}')
    (folder / "made").mkdir()
    run("/usr/bin/python3", str(ROOT / "tests/cases/exec/exec-codes/models.py"))
    shutil.move(folder / "made/everything-codes.onnx", folder / "q.onnx")
    shutil.rmtree(folder / "made")
    subprocess.run(["/usr/bin/python3", "-c", "import numpy; numpy.save('q.npy', numpy.linspace(-6, 6, 280, dtype='f4').reshape(2, 4, 5, 7))"], cwd=folder, check=True)
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", "faults.so", ROOT / "tests/full/faults.c", "-ldl"], cwd=folder, check=True)


def result_of(done, scratch):
    digest = hashlib.sha256(done.stdout)
    for path in sorted((scratch / "out").iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    rows = scratch / "out/r.json"
    return done.returncode, digest.hexdigest(), json.loads(rows.read_bytes()).get("models") if rows.exists() else None


def tells_in_rows(rows, good):
    """Of a run over many models: what has no result says why in one line, and the others are as they were."""
    if not rows or not good or len(rows) != len(good):
        return False
    other = [row for row, was in zip(rows, good) if row != was]
    return bool(other) and all(row["status"] == 2 and not row["result"] and len(row["error"].splitlines()) == 1 for row in other)


class Bench:
    def __init__(self, folder, build):
        self.folder, self.build, self.of_thread, self.tried = folder, build, threading.local(), collections.Counter()

    def run(self, name, prefix=(), **environment):
        """(completed process, its result, files left behind)."""
        scratch = self.clean()
        words = RUNS[name].split()
        done = subprocess.run([*prefix, f"{self.build}/{words[0]}", *words[1:]], cwd=scratch, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                              env=dict(os.environ, TMPDIR=str(scratch / "tmp"), SOURCE_DATE_EPOCH="1700000000", LC_ALL="C.UTF-8", **environment))
        left = [*os.listdir(scratch / "tmp"), *(p for p in os.listdir(scratch / "out") if re.search(r"\.[A-Za-z0-9]{6}$", p) and p.count(".") > 1)]
        trace = (scratch / "calls").read_text(errors="replace") if (scratch / "calls").exists() else ""
        counted = (scratch / "count").read_bytes() if (scratch / "count").exists() else b""
        return done, result_of(done, scratch), left, trace, counted

    def is_new(self, name, callers, same):
        """Whether fewer than `same` allocations of these callers were chosen in runs of this program; counts this one."""
        key = RUNS[name].split()[0], callers
        self.tried[key] += 1
        return self.tried[key] <= same

    def clean(self):
        """The folder of this thread, as before its first run."""
        if not hasattr(self.of_thread, "scratch"):
            self.of_thread.scratch = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
            for path in self.folder.iterdir():
                if path.is_file():
                    (self.of_thread.scratch / path.name).symlink_to(path)
            for name, data in (("in", "input_0.npy"), ("samples", "q.npy")):
                (self.of_thread.scratch / name).mkdir()
                (self.of_thread.scratch / name / data).symlink_to(self.folder / data)
            self.of_thread.kept = set(os.listdir(self.of_thread.scratch))
        scratch = self.of_thread.scratch
        for name in set(os.listdir(scratch)) - self.of_thread.kept:
            path = scratch / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        (scratch / "out").mkdir()
        (scratch / "tmp").mkdir()
        return scratch


def verdict(done, result, left, good):
    errors = [line for line in done.stderr.decode("utf8", "replace").splitlines() if line and not line.startswith(("note: ", "npu-exec: note: ", "참고: "))]
    if done.returncode < 0 or done.returncode > 3:
        return "crash", f"status {done.returncode}"
    if left:
        return "left", f"files left: {left}"
    if done.returncode == 2 and len(errors) == 1 and (good[0] != 2):
        return "line", ""
    if result[:2] == good[:2]:
        return "equal", ""
    if done.returncode == 2 and not errors and tells_in_rows(result[2], good[2]):
        return "row", ""
    if done.returncode == good[0]:
        return "differs", "the same status with other outputs"
    return "wrong", f"status {done.returncode}, {len(errors)} lines: {errors[:2]}"


def judged(bench, name, good, n, *more, **environment):
    """(n, kind of end, what is wrong with it)."""
    try:
        done, result, left, _, _ = bench.run(name, *more, **environment)
    except subprocess.TimeoutExpired:
        return n, "hangs", "did not end within 120 s"
    return n, *verdict(done, result, left, good)


def allocation_faults(bench, name, good, o, rng):
    *_, counted = bench.run(name, ["setarch", "-R", "env", f"LD_PRELOAD={bench.folder / 'faults.so'}"], FAULT_COUNT="count")
    number, _, callers = counted.partition(b"\n")
    count, callers = int(number or 0), array.array("I", callers)
    if not count:
        sys.exit(f"{name}: no allocation was counted")
    rest = range(o.first + 1, max(o.first, count - o.last) + 1)
    places = [*range(1, min(o.first, count) + 1), *sorted(rng.sample(rest, min(o.drawn, len(rest)))), *range(rest.stop, count + 1)][::o.every]
    places = [n for n in places if bench.is_new(name, callers[n - 1] if n <= len(callers) else n, o.same)]
    def one(n):
        return judged(bench, name, good, n, LD_PRELOAD=str(bench.folder / "faults.so"), FAULT_AT=str(n))
    return f"allocations ({count})", places, one


def call_faults(bench, name, good, call, log):
    """Only what comes after main's first act, which sets the handler of SIGBUS."""
    lines = log.splitlines()
    begin = next((i for i, line in enumerate(lines) if "SIGBUS" in line), len(lines))
    before = sum(line.startswith(call + "(") for line in lines[:begin])
    all_calls = sum(line.startswith(call + "(") for line in lines)
    error = {"mmap": "ENOMEM", "write": "ENOSPC", "pwrite64": "ENOSPC", "fsync": "EIO", "openat": "EMFILE"}.get(call, "EIO")
    def one(n):
        return judged(bench, name, good, n, ["strace", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={n}"])
    return call, list(range(before + 1, all_calls + 1)), one


MADE_MOST = 24  # temporary files and folders that any of the runs makes, and more


def signal_faults(bench, name, good, moments):
    def one(n):
        done, result, left, _, _ = bench.run(name, LD_PRELOAD=str(bench.folder / "faults.so"), FAULT_TERM=str(n))
        if done.returncode == -signal.SIGTERM:
            return (n, "left", f"files left: {left}") if left else (n, "ended", "")
        return n, *verdict(done, result, left, good)
    return "signals", range(1, moments + 1), one


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=str(ROOT / "build"))
    p.add_argument("--first", type=int, default=2000)
    p.add_argument("--last", type=int, default=0)
    p.add_argument("--drawn", type=int, default=2000)
    p.add_argument("--every", type=int, default=1)
    p.add_argument("--moments", type=int, default=MADE_MOST, help="of temporary files at most")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--same", type=int, default=2)
    p.add_argument("--calls", default=CALLS)
    p.add_argument("--only", default="")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    o = p.parse_args()
    build = pathlib.Path(o.build).resolve()
    rng = random.Random(o.seed)
    bad = 0
    sums = {}
    folder = pathlib.Path(tempfile.mkdtemp(prefix="faults-"))
    prepare(folder, build)
    bench = Bench(folder, build)
    traced = bool(shutil.which("strace"))
    if o.calls and not traced:
        print("strace is not installed: system calls are not tried")
    for name in RUNS:
        if o.only and name not in o.only.split(","):
            continue
        done, good, left, _, _ = bench.run(name)
        if done.returncode not in (0, 1) or left or bench.run(name)[1] != good:
            print(f"WRONG {name}: the run without a fault: status {done.returncode}, {left}, {done.stderr[:300]}")
            bad += 1
            continue
        plans = [allocation_faults(bench, name, good, o, rng), signal_faults(bench, name, good, o.moments)]
        if traced and o.calls:
            log = bench.run(name, ["strace", "-qq", "-o", "calls", "-e", "trace=rt_sigaction," + o.calls])[3]
            plans += [call_faults(bench, name, good, call, log) for call in o.calls.split(",")]
        for what, places, one in plans:
            ends = {}
            with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
                for n, kind, text in pool.map(one, places):
                    ends[kind] = ends.get(kind, 0) + 1
                    if kind not in ("line", "equal", "row", "ended"):
                        bad += 1
                        if ends[kind] <= 5:
                            print(f"WRONG {name} {what} {n}: {kind}: {text}", flush=True)
            for kind, n in ends.items():
                sums[kind] = sums.get(kind, 0) + n
            if places:
                print(f"{name}: {what}: {len(places)} faults: " + ", ".join(f"{n} {kind}" for kind, n in sorted(ends.items())), flush=True)
    shutil.rmtree(folder)
    print(f"{sum(sums.values())} faults: " + ", ".join(f"{n} {kind}" for kind, n in sorted(sums.items())) + f"; {bad} wrong")
    return 1 if bad or not sums else 0


if __name__ == "__main__":
    sys.exit(main())

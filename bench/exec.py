#!/usr/bin/python3
"""Speed of the executor on ResNet50, without a trace and with one.

  bench/exec.py [BUILD] [ROUNDS=5]      needs the network resnet50-qdq-u8 in BUILD/networks (tests/run makes it)

Without a trace, by tiles (the default) and by operators (--fast: the times of a task's operators by recurrence): inferences and
events per second; on two single PEs with two workers against SimPy 3, which runs ten processes that do nothing but wait until as
many events are over, and against a bare binary heap with 64 pending.  With a trace: its cost per event, against Python's
json.dump, cJSON (build, print, write) and fwrite of the same events, and the memory of 1,000 traced inferences.

Processor time everywhere.  Ours are slopes between a short and a long run, whole processes, so that loading and compiling do
not count; peers time themselves.  Rounds alternate; printed are medians, and medians of the rounds' ratios.  SimPy is
python3-simpy3.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHORT, LONG, TRACED, PENDING = 1000, 21000, 5000, 64
SIMPY = """
import sys, time, simpy
env, left = simpy.Environment(), int(sys.argv[1])
def engine(delay):
    global left
    while left > 0:
        left -= 1
        yield env.timeout(delay)
for i in range(10):
    env.process(engine(997 + i * 13))
start = time.process_time()
env.run()
print((time.process_time() - start) * 1e9 / int(sys.argv[1]))
"""
DUMP = """
import json, sys, time
events = json.load(open(sys.argv[1]))["traceEvents"]
out = open("/dev/null", "w")
start = time.process_time()
json.dump(events, out)
print((time.process_time() - start) * 1e9 / len(events))
"""


class Executor:
    def __init__(self, build):
        self.program, self.model = build / "npu-exec", build / "networks" / "resnet50-qdq-u8.onnx"

    def run(self, runs, *options):
        """(seconds, peak bytes) of one process."""
        command = [str(self.program), str(self.model), "--runs", str(runs), *map(str, options)]
        silent = [(os.POSIX_SPAWN_OPEN, n, "/dev/null", os.O_WRONLY, 0) for n in (1, 2)]
        pid = os.posix_spawn(self.program, command, os.environ, file_actions=silent)
        _, status, usage = os.wait4(pid, 0)
        if status:
            sys.exit("fails: " + " ".join(command))
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024

    def slope(self, *options):
        """Nanoseconds per inference."""
        return (self.run(LONG, *options)[0] - self.run(SHORT, *options)[0]) / (LONG - SHORT) * 1e9

    def events(self, folder, *options):
        """Per inference."""
        self.run(SHORT, "--json", folder / "r.json", *options)
        return json.loads((folder / "r.json").read_text())["simulation"]["events"] / SHORT


def figures(*command):
    """The numbers that a peer prints; None where it cannot run."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    return None if done.returncode else [float(f) for f in done.stdout.split()]


def build_peer(build):
    flags = lambda what: subprocess.run(["pkg-config", what, "libcjson"], check=True, capture_output=True, text=True).stdout.split()
    peer = build / "bench-exec"
    subprocess.run([*os.environ.get("CC", "cc").split(), "-std=c11", "-O2", "-D_GNU_SOURCE", *flags("--cflags"), ROOT / "bench/exec.c",
                    "-o", peer, *flags("--libs")], check=True)
    return peer


def ratio(theirs, ours):
    return statistics.median(t / o for t, o in zip(theirs, ours))


def simulate(executor, peer, folder, rounds):
    ways = {"by tiles": (), "by operators": ("--fast",), "two PEs": ("--target", "warboy", "--workers", "2")}
    events = {name: executor.events(folder, *options) for name, options in ways.items()}
    took, simpy, heap = {name: [] for name in ways}, [], []
    count = int(events["two PEs"] * 2000)
    for _ in range(rounds):
        for name, options in ways.items():
            took[name].append(executor.slope(*options))
        simpy.append(figures("/usr/bin/python3", "-c", SIMPY, count))
        heap += figures(peer, "heap", PENDING, 5_000_000)
    for name, goal in (("by tiles", 1000), ("by operators", 20000)):
        each = statistics.median(took[name])
        print(f"{name}: {1e9 / each:,.0f} inferences/s (goal {goal:,}), {events[name] * 1e3 / each:.1f} M events/s (goal 5)")
    per_event = [t / events["two PEs"] for t in took["two PEs"]]
    print(f"two PEs, two workers: {statistics.median(per_event):.0f} ns/event, {ratio(per_event, heap):.2f} x a bare heap's (goal 4)" +
          (f", SimPy {ratio([s[0] for s in simpy], per_event):.1f} x slower (goal 4)" if None not in simpy else "; SimPy is not here"))


def trace(executor, peer, folder, rounds):
    file, ours, dump, tree, bytes_alone = folder / "t.json", [], [], [], []
    peak = executor.run(1000, "--trace", file)[1]
    size = file.stat().st_size
    for _ in range(rounds):
        count, by_tree, by_bytes = figures(peer, "emit", file)
        traced, plain = executor.run(TRACED, "--trace", "-")[0], executor.run(TRACED)[0]
        ours.append((traced - plain) * 1e9 / (count * TRACED / 1000))
        dump += figures("/usr/bin/python3", "-c", DUMP, file)
        tree.append(by_tree)
        bytes_alone.append(by_bytes)
    print(f"trace: {statistics.median(ours):.0f} ns/event of {size / count:.0f} bytes; json.dump {ratio(dump, ours):.1f} x slower (goal 15), "
          f"cJSON {ratio(tree, ours):.1f} x (goal 4), {ratio(ours, bytes_alone):.1f} x fwrite (goal 15)")
    print(f"1,000 traced inferences: {size / 1e6:.0f} MB of trace, {peak / 1e6:.0f} MB of memory (goal 100)")


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    executor = Executor(build)
    if not executor.model.exists():
        print("skipped: no", executor.model)
        return
    peer = build_peer(build)
    with tempfile.TemporaryDirectory() as folder:
        simulate(executor, peer, pathlib.Path(folder), rounds)
        trace(executor, peer, pathlib.Path(folder), rounds)


main()

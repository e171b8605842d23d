#!/usr/bin/python3
"""Reads mutated graphs of the vendor's quantizer with sanitizers: none may crash, hang or exhaust memory.

  vendor_mutations.py [--build DIR] [--count N] [--seed S]

From each pair of tests/cases/graph/vendor-pairs come N mutants in all of each kind, .dfg and DOT: bits, bytes, runs of bytes
that are cut out, doubled, moved or taken from another file, numbers made huge.  The fuzz target reads them (it makes the
checksum of a .dfg right), so that list, imported graph and model are all reached.  Prints how many of each kind were still
read, and how many became a model.
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "tests" / "cases" / "graph" / "vendor-pairs"
BATCH, SECONDS = 50, 300
HUGE = (b"\xff\xff\xff\xff\x0f", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\x80\x80\x80\x80\x04", b"99999999999", b"-1", b"nan", b"inf", b"1e308")


def mutate(draw, data, other):
    """One change, or a few."""
    for _ in range(draw.choice((1, 1, 1, 2, 4, 12))):
        at = draw.randrange(len(data) or 1)
        size = min(draw.choice((1, 2, 4, 16, 200)), len(data) - at)
        kind = draw.randrange(7)
        if kind == 0:
            data = data[:at] + bytes((data[at] ^ 1 << draw.randrange(8),)) + data[at + 1:]
        elif kind == 1:
            data = data[:at] + bytes((draw.randrange(256),)) + data[at + 1:]
        elif kind == 2:
            data = data[:at] + data[at + size:]
        elif kind == 3:
            data = data[:at + size] + data[at:]
        elif kind == 4:
            to = draw.randrange(len(data))
            data = data[:to] + data[at:at + size] + data[to:]
        elif kind == 5:
            start = draw.randrange(len(other))
            data = data[:at] + other[start:start + size] + data[at + size:]
        else:
            word = draw.choice(HUGE)
            data = data[:at] + word + data[at + len(word):]
        data = data or b"d"
    return data


def mutants(draw, kind, count):
    files = [p.read_bytes() for p in sorted(SOURCES.glob(f"*.{kind}"))]
    keep = 10 if kind == "dfg" else 60  # what the file is recognised by
    for i in range(count):
        data = files[i % len(files)]
        yield data[:keep] + mutate(draw, data[keep:], draw.choice(files))


def run(target, folder, kind, made):
    read = models = 0
    paths = []
    for i, data in enumerate(made):
        paths.append(folder / f"{i}.{kind}")
        paths[-1].write_bytes(data)
    for start in range(0, len(paths), BATCH):
        done = subprocess.run([target, "--tell", *paths[start:start + BATCH]], capture_output=True, text=True, errors="replace", timeout=SECONDS)
        if done.returncode:
            sys.exit(f"{kind}: status {done.returncode} in {paths[start]} to {paths[min(start + BATCH, len(paths)) - 1]}\n{done.stderr[-4000:]}")
        told = done.stdout.split("== ")[1:]
        read += sum("\nfuzz: " not in text[:400] for text in told)
        models += sum("\nmodel of " in text for text in told)
    return read, models


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    build = pathlib.Path(args.build)
    target = build / "debug" / "fuzz" / "vendor"
    # In the environment, because the Makefile gives the variable another value.
    subprocess.run(["make", "--no-print-directory", "-s", "-j2", "DEBUG=1", str(target)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "BUILD": str(build)})
    draw = random.Random(args.seed)
    for kind in ("dfg", "dot"):
        with tempfile.TemporaryDirectory() as folder:
            read, models = run((ROOT / target).resolve(), pathlib.Path(folder), kind, mutants(draw, kind, args.count))
        print(f"{kind}: {args.count} mutants, {read} read, {models} became a model; no crash")


if __name__ == "__main__":
    main()

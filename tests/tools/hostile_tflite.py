#!/usr/bin/python3
"""Damaged TensorFlow Lite files, and what a program makes of each.

  hostile_tflite.py cut|flip|words COUNT MODEL.tflite COMMAND…

cut: COUNT lengths, evenly over the file; flip: COUNT single bits, drawn with a fixed seed from the first 64 KiB; words: COUNT of its
first words set to 0, 1, 2^31, 2^32 - 1.  The command is given the file's path.  It must end with status 0, 2 or 3, in at most
10 s, with at most one line of error besides notes.  Prints how many ended how.
"""
import collections
import pathlib
import random
import struct
import subprocess
import sys
import tempfile


def variants(how, count, data):
    if how == "cut":
        for i in range(count):
            yield data[:i * len(data) // count]
    elif how == "flip":
        rng = random.Random(7)
        for _ in range(count):
            at = rng.randrange(min(len(data), 65536) * 8)
            yield data[:at // 8] + bytes([data[at // 8] ^ 1 << at % 8]) + data[at // 8 + 1:]
    else:
        for at in range(0, 4 * count, 4):
            for word in (0, 1, 2 ** 31, 2 ** 32 - 1):
                yield data[:at] + struct.pack("<I", word) + data[at + 4:]


def main():
    how, count, model, command = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]
    ends = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "damaged.tflite"
        for i, data in enumerate(variants(how, count, model.read_bytes())):
            path.write_bytes(data)
            r = subprocess.run([*command, path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=10)
            errors = [line for line in r.stderr.splitlines() if not line.startswith(b"note:")]
            good = r.returncode in (0, 2, 3) and len(errors) == (r.returncode != 0)
            ends["read or refused" if good else "WRONG"] += 1
            if not good:
                print(how, i, r.returncode, r.stderr[-300:])
    print(how, ", ".join(f"{n} {what}" for what, n in sorted(ends.items())))


main()

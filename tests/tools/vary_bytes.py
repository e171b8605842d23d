#!/usr/bin/python3
"""vary_bytes.py TARGET FOLDER EACH FILE…: of each file at most EACH others, a small number in them changed, that TARGET (a program of
tests/fuzz) says something else of than of all before; at most a fourth
of them refused.

For formats of tables and offsets (TensorFlow Lite), in which a field is a small number, and for texts: what they say reaches further
than what a fuzz engine keeps, which looks for new branches alone.  Kept for the target tflite: of what tests/tools/tflite_operators.py
writes, 12 each; for engine: of the graphs and profiles of the cases trt…,
with lines of "%%%%" between them, 4 each; for compile: of the graphs in DOT and JSON of the cases, 30 each.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import zlib

TRIES = 12


def other_number(match, rng):
    number = float(match[0])
    other = rng.choice([number + 1, 2 * number, number / 2, 0, number / 3, 1000 * number, -number])
    return b"%d" % round(other) if match[0].isdigit() else b"%.6g" % other


def varied_text(data, rng):
    """A number, a word or a line is another, gone or there twice."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        lines = data.split(b"\n")
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        how = rng.randrange(8)
        if how < 5:
            numbers = list(re.finditer(rb"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", data))
            if numbers:
                n = rng.choice(numbers)
                data = data[:n.start()] + other_number(n, rng) + data[n.end():]
            continue
        if how == 5:
            del lines[at]
        elif how == 6:
            lines.insert(at, lines[other])
        else:
            lines[at], lines[other] = lines[other], lines[at]
        data = b"\n".join(lines)
    return data


def varied(data, rng):
    if b"\0" not in data:
        return varied_text(data, rng)
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2])):
        small = [i for i in rng.sample(range(len(data)), min(len(data), 400)) if data[i] <= 24 and (data[i] or rng.random() < 0.2)]
        if small:
            at = rng.choice(small)
            data[at] = rng.choice([data[at] + 1, max(0, data[at] - 1), 0, rng.randrange(12), 0xff])
    return bytes(data)


def said(target, folder, names):
    """A hash of what becomes of each, and whether it was refused."""
    files = [str(folder / name) for name in names]
    with tempfile.NamedTemporaryFile() as hashes:
        subprocess.run([target, "--write", hashes.name, *files], capture_output=True, check=True)
        words = [line.split()[1:] for line in pathlib.Path(hashes.name).read_text().splitlines()]
    told = subprocess.run([target, "--tell", *files], capture_output=True, check=True).stdout
    texts = re.split(rb"^== .*/made-.*\n", told, flags=re.M)[1:]
    return {name: (word, text.startswith(b"fuzz")) for name, word, text in zip(names, sum(words, []), texts)}


def main():
    target, folder, each = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    known = set()
    for path in sorted(map(pathlib.Path, sys.argv[4:])):
        data, rng = path.read_bytes(), random.Random(zlib.crc32(path.name.encode()))
        names = [f"made-{path.stem}-{k}" for k in range(TRIES * each)]
        for i, name in enumerate(names):
            (folder / name).write_bytes(varied(data, rng) if i else data)
        found, kept, refused = said(target, folder, names), 0, 0
        for name in names:
            word, is_refused = found[name]
            if word not in known and kept < each and (not is_refused or refused < each // 4):
                kept += 1
                refused += is_refused
            else:
                (folder / name).unlink()
            known.add(word)


main()

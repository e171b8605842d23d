#!/usr/bin/python3
"""Compares the table of `compile --operators` with the program, the prediction and the model.

  operator_table.py BUILD MODEL... [-- OPTION...]
  operator_table.py --build BUILD          the networks of BUILD/networks

For each model, with the same options for all commands:
  rows     the steps of `compile --emit json` in their order, an NPU task as its low-level operators, and one row for the
           time between steps
  times    their sum is within 1 % of the latency that `npu-advise MODEL` predicts
  MACs     of each row those of its step or operator; their sum is that of `inspect`
  bytes    of each row those of its step or operator, of a step on the host with the constants it reads (all of them
           together no more than `inspect`'s weights); the tensors that enter and leave the program have the bytes of
           `inspect`'s inputs and outputs
  columns  no line has more than 80
  CSV      the cells of the table are those of the file, rounded
Prints one line per model and one per miss.
"""
import csv
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata

COLUMNS, TOLERANCE = 80, 0.01
SCALE = {"": 1, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
         "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "%": 1}
ROW = re.compile(r"^ *(?P<row>\d+)  (?P<operator>.{16}) (?P<runs_on>\w+) +(?P<time>unknown|[\d.]+ (?:ns|µs|ms|s)) +"
                 r"(?P<limit>\w+) +(?P<peak>-|[\d.]+ %) +(?P<macs>-|[\d.]+(?: [kMGT])?) +"
                 r"(?P<bytes>-|[\d.]+ (?:B|KiB|MiB|GiB))(?: (?P<node>.*))?$")


class Tool:
    def __init__(self, build, options, folder):
        self.advise, self.options, self.folder = os.path.join(build, "npu-advise"), options, folder

    def run(self, *arguments):
        done = subprocess.run([self.advise, *arguments, *self.options, "--quiet"], capture_output=True, text=True, cwd=self.folder, check=False)
        if done.returncode:
            raise RuntimeError("%s: status %d: %s" % (arguments[0], done.returncode, done.stderr.strip()[:200]))
        return done.stdout

    def document(self, *arguments):
        self.run(*arguments, "--json", "document.json")
        with open(os.path.join(self.folder, "document.json")) as file:
            return json.load(file)


def columns(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def program_rows(program):
    """(where, MACs, bytes) of each row that the program has; MACs are None where the model has no products."""
    where = {"host": "host", "h2d": "bus", "d2h": "bus"}
    for step in program["steps"]:
        if step["kind"] != "npu":
            yield where[step["kind"]], step["macs"], step["bytes_in"] + step["bytes"]
            continue
        for op in step["lowlevel"]:
            yield "npu", op["macs"], op["bytes_in"] + op["bytes_out"] + op["w_bytes"]
    yield "host", 0, 0


def row_misses(rows, program, weight_bytes):
    constants = 0
    expected = list(program_rows(program))
    if len(rows) != len(expected):
        yield "%d rows, the program has %d" % (len(rows), len(expected))
    for row, (where, macs, size) in zip(rows, expected):
        if row["runs_on"] != where:
            yield "row %s runs on %s, the program on %s" % (row["row"], row["runs_on"], where)
        if int(row["macs"]) not in (0, macs):
            yield "row %s has %s MACs, the program %d" % (row["row"], row["macs"], macs)
        read = int(row["bytes"]) - size
        constants += read if where == "host" and read > 0 else 0
        if read and (where != "host" or read < 0):
            yield "row %s has %s bytes, the program %d" % (row["row"], row["bytes"], size)
    if constants > weight_bytes:
        yield "steps on the host read %d bytes of constants, inspect has %d" % (constants, weight_bytes)


def time_misses(rows, result):
    if any(not r["time_ns"] for r in rows):
        return
    total, now = sum(float(r["time_ns"]) for r in rows), result["prediction"]["latency_ns"]["mid"]
    if abs(total - now) > TOLERANCE * now:
        yield "times add up to %.0f ns, predicted are %.0f" % (total, now)


def boundary_misses(program, model, batch):
    """Each input and output of the model, against the tensors of the program that lie on the host and carry its name."""
    for x in model["inputs"] + model["outputs"]:
        sizes = {t["bytes"] for t in program["tensors"] if t["name"] == x["name"] and t["place"] == "host"}
        known = x.get("bytes")
        if known is not None and sizes and batch * known not in sizes:
            yield "%s has %d bytes in the model, %s in the program" % (x["name"], known, sorted(sizes))


def total_misses(rows, model):
    total = sum(int(r["macs"]) for r in rows)
    if total != model["totals"]["macs"]:
        yield "%d MACs, inspect has %d" % (total, model["totals"]["macs"])


def number(text):
    """A printed figure and half a unit of its last digit."""
    digits, _, unit = text.partition(" ")
    places = len(digits.partition(".")[2])
    return float(digits) * SCALE[unit], 0.501 * 10 ** -places * SCALE[unit] * (10 if len(digits) > 3 and not places else 1)


def cell_differs(shown, value):
    if shown == "-":
        return value != 0
    middle, half = number(shown)
    return abs(value - middle) > half


def line_misses(row, line):
    m = ROW.match(line)
    if not m:
        yield "no row: %s" % line
        return
    values = (("time", row["time_ns"]), ("macs", row["macs"]), ("bytes", row["bytes"]), ("peak", 100 * float(row["peak_share"])))
    for name, value in values:
        shown = m[name]
        if (shown == "unknown") != (value == ""):
            yield "row %s shows %s %s, the CSV has %r" % (row["row"], name, shown, value)
        elif value != "" and cell_differs(shown, float(value)):
            yield "row %s shows %s %s, the CSV has %s" % (row["row"], name, shown, value)
    for name in ("row", "runs_on", "limit"):
        if m[name] != row[name]:
            yield "row %s shows %s %s, the CSV has %s" % (row["row"], name, m[name], row[name])


def table_misses(rows, lines):
    wide = [x for x in lines if columns(x) > COLUMNS]
    if wide:
        yield "%d lines are wider than %d: %s" % (len(wide), COLUMNS, wide[0])
    body = lines[2:]
    if len(body) != len(rows):
        yield "%d rows in the table, %d in the CSV" % (len(body), len(rows))
    for row, line in zip(rows, body):
        yield from line_misses(row, line)


def misses(tool, path):
    """The number of rows, and what is wrong with them."""
    lines = tool.run("compile", path, "--operators").splitlines()
    rows = list(csv.DictReader(tool.run("compile", path, "--csv", "-").splitlines()))
    program = json.loads(tool.run("compile", path, "--emit", "json"))
    model = tool.document("inspect", path)
    result = tool.document(path)
    found = [*row_misses(rows, program, model["totals"]["weight_bytes"]), *time_misses(rows, result), *total_misses(rows, model),
             *boundary_misses(program, model, program["batch"]), *table_misses(rows, lines)]
    return len(rows), found


def main():
    arguments = sys.argv[1:]
    at = arguments.index("--") if "--" in arguments else len(arguments)
    paths, options = arguments[:at], arguments[at + 1:]
    if paths[:1] == ["--build"]:
        paths = [*paths[1:2], *sorted(glob.glob(os.path.join(*paths[1:2], "networks", "*.onnx")))]
    if len(paths) < 2:
        sys.exit(__doc__)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(os.path.abspath(paths[0]), options, folder)
        for path in paths[1:]:
            try:
                count, found = misses(tool, os.path.abspath(path))
            except RuntimeError as e:
                count, found = 0, [str(e)]
            bad += bool(found)
            print("%-44s %5d rows %s" % (os.path.basename(path)[:44], count, "%d misses" % len(found) if found else "ok"), flush=True)
            for x in found[:4]:
                print("    " + x)
    print("%d of %d models miss" % (bad, len(paths) - 1))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())

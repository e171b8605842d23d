#!/usr/bin/env python3
"""Compares the rows that `compile --target CHIP --operators` predicts with the tables of the
vendor's compiler: corpus/rk3588/compiler/VER_CHIP_TYPE_MODEL.csv.

usage: rknn_rows.py BUILD [CORPUS] [-v]

One-operator models are compared without InputOperator, OutputOperator and the Convs around the
operator (PRE, POST); networks by their rows that are no Conv, CPU rows, and NPU cycles of Convs; a row too many counts
as much as one that is missing.  NPU_ADVISE_NETWORKS is a folder of make_networks.py's YOLOv5s and make_rknn_networks.py's others,
whose ends are those of the tables.
"""
import collections
import csv
import os
import pathlib
import subprocess
import sys

import outside

EDGES = ("InputOperator", "OutputOperator")
OPERATOR_LINES = ("models' row types", "models' targets", "cpu models", "cpu rows", "npu models called cpu",
                  "npu rows called cpu", "cycles")
CHIPS = ("rk3588", "rk3576", "rk3566", "rk3562")


def predicted(build, model, chip):
    run = subprocess.run([f"{build}/npu-advise", "compile", str(model), "--target", chip, "--csv",
                          "-", "--quiet"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{model.name}: {run.stderr}")
    return [r for r in csv.DictReader(run.stdout.splitlines()) if r["operator"] != "between steps"]


def tables(folder, chip):
    """By model: rows as (type, runs on, cycles, name)."""
    for path in sorted(folder.glob(f"232_{chip}_i8_*.csv")):
        kind = path.stem.split("_", 3)[3]
        if kind == "sweep":
            continue
        rows = collections.defaultdict(list)
        for r in csv.DictReader(open(path)):
            rows[r.get("model") or kind].append(
                (r["op"], "npu" if r["target"] == "NPU" else "host", int(r["npu_cycles"]),
                 r["fullname"].split(":", 1)[-1]))
        yield kind, rows


def without(rows, around):
    """Rows of the operator itself: the first and last Conv belong to the frame."""
    rows = [r for r in rows if r[0] not in EDGES]
    if around:
        rows = [r for r in rows if r[3] not in ("PRE", "POST")]
    return rows


def mine(build, model, chip, around):
    rows = [(r["operator"], r["runs_on"], int(r["cycles"]), r["node"])
            for r in predicted(build, model, chip)]
    return without(rows, around)


def common(a, b):
    return sum((collections.Counter(a) & collections.Counter(b)).values())


class Tally:
    def __init__(self):
        self.count = collections.Counter()

    def add(self, name, hit, of):
        self.count[name, "hit"] += hit
        self.count[name, "of"] += of

    def share(self, name):
        return self.count[name, "hit"] / (self.count[name, "of"] or 1)

    def text(self, name):
        hit, of = self.count[name, "hit"], self.count[name, "of"]
        return f"{hit} of {of} ({100 * hit / of:.1f} %)" if of else "-"


def compare_ops(build, folder, chip, rows, verbose):
    t = Tally()
    for model, truth in rows.items():
        path = folder / "ops" / f"{model}.onnx"
        if not path.exists():
            continue
        want, have = without(truth, True), mine(build, path, chip, True)
        types = [r[0] for r in want], [r[0] for r in have]
        places = [(r[0], r[1]) for r in want], [(r[0], r[1]) for r in have]
        cpu = [r[0] for r in want if r[1] == "host"], [r[0] for r in have if r[1] == "host"]
        t.add("models' row types", sorted(types[0]) == sorted(types[1]), 1)
        t.add("models' targets", sorted(r[1] for r in want) == sorted(r[1] for r in have)
              or bool(cpu[0]) == bool(cpu[1]), 1)
        t.add("cpu models", bool(cpu[0]) and bool(cpu[1]), bool(cpu[0]))
        t.add("cpu rows", common(*cpu), len(cpu[0]))
        npu = [r[0] for r in want if r[1] == "npu"]
        t.add("npu models called cpu", bool(cpu[1]) and not cpu[0], not cpu[0])
        t.add("npu rows called cpu", common(npu, cpu[1]), len(npu))
        cycles = [r[2] for r in want if r[2]], [r[2] for r in have if r[2]]
        t.add("cycles", common(*cycles), len(cycles[0]))
        if verbose and sorted(places[0]) != sorted(places[1]):
            print(f"  {chip} {model}: have {' '.join(('' if p == 'npu' else 'cpu:') + n for n, p in places[1])}"
                  f", want {' '.join(('' if p == 'npu' else 'cpu:') + n for n, p in places[0])}")
    return t


def compare_net(build, folder, nets, chip, name, truth, verbose):
    path = folder / "networks" / f"{name}.onnx"
    path = path if path.exists() else nets / f"{name.removesuffix('_640')}-fp32-f32.onnx"
    if not path.exists():
        return None
    want, have = without(truth, False), mine(build, path, chip, False)
    other = ([r[:2] for r in want if not r[0].startswith("Conv")],
             [r[:2] for r in have if not r[0].startswith("Conv")])
    t = Tally()
    t.add("row types", common([r[0] for r in other[0]], [r[0] for r in other[1]]),
          max(map(len, other)))
    t.add("targets", common(*other), max(map(len, other)))
    cpu = [r[0] for r in want if r[1] == "host"], [r[0] for r in have if r[1] == "host"]
    t.add("cpu", common(*cpu), len(cpu[0]))
    conv = ([r[2] for r in want if r[0].startswith("Conv") and r[1] == "npu"],
            [r[2] for r in have if r[0].startswith("Conv") and r[1] == "npu"])
    t.add("conv cycles", common(*conv), max(map(len, conv)))
    if verbose:
        for what, a, b in (("rows", *([(r[0], r[1]) for r in x] for x in (want, have))),
                           ("cycles", *conv)):
            more, less = collections.Counter(b), collections.Counter(a)
            print(f"  {chip} {name} {what}: too many {dict(more - less)}, missing {dict(less - more)}")
    return t


def main():
    words = [w for w in sys.argv[1:] if w != "-v"]
    verbose = "-v" in sys.argv
    if not words:
        sys.exit(__doc__)
    build = words[0]
    corpus = outside.corpus(given=words[1] if len(words) > 1 else None)
    nets = pathlib.Path(os.environ.get("NPU_ADVISE_NETWORKS", "build/networks"))
    folder = corpus / "rk3588" / "compiler"
    for chip in CHIPS:
        for kind, rows in tables(folder, chip):
            if kind == "ops":
                t = compare_ops(build, folder, chip, rows, verbose)
                for name in OPERATOR_LINES:
                    print(f"{chip} operators: {name} {t.text(name)}")
            else:
                t = compare_net(build, folder, nets, chip, kind, rows[kind], verbose)
                if t:
                    print(f"{chip} {kind}: " + ", ".join(
                        f"{n} {t.text(n)}" for n in ("row types", "targets", "cpu", "conv cycles")))


if __name__ == "__main__":
    main()

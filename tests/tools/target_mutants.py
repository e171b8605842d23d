#!/usr/bin/python3
"""Compiles and advises networks on mutated copies of a target file: each ends with a status, never with a signal.

  tests/tools/target_mutants.py [--count 1000] [--seed 1] [--target rules/targets/warboy.xml] [--build build] NETWORK…

A mutant has one to four changes: a figure of the machine or of the costs, a row left out or given twice, another form,
share or set of kinds of a term, another condition of an operator, another unit of a law.  What the schema refuses counts
as refused.  Prints how many mutants were refused, ran, or failed (with their number: the same seed makes them again).
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WHOLE = "0 1 2 3 4 5 7 8 12 31 33 64 100 128 255 1024 4096 65537 1000003 2147483647 2147483648 1099511627776".split()
REAL = "0 1e-15 1e-9 1e-3 0.5 1 3 1e3 1e6 1e9 1e12 9e17".split()
FORMS = re.findall(r'<form id="\w+" name="([\w-]+)" unit="([^"]+)"', (ROOT / "cost_model/forms.xml").read_text())
KINDS = "Conv2d DepthwiseConv2d Pool Elementwise Activation Softmax Reduce Concat Split Resize Reshape Transpose".split()
UNITS = "element byte-in byte-out byte mac weight-byte gathered-byte far-byte".split()
CONDITIONS = ["group&lt;=1", "dilation&lt;=1", "batch&lt;=2", "axis in H", "mode in CRD", "p in 2", "group&lt;=0 and batch&lt;=0"]


def set_attribute(row, name, value):
    return re.sub(rf' {name}="[^"]*"', f' {name}="{value}"', row)


def drop_range(row):
    return re.sub(r' (lo|hi|fixed_lo|fixed_hi|per_unit_lo|per_unit_hi)="[^"]*"', "", row)


def change_row(pick, row):
    if "<term" in row and pick.random() < 0.7:
        form, unit = pick.choice(FORMS)
        return pick.choice([
            lambda: set_attribute(set_attribute(row, "form", form), "unit", unit),
            lambda: set_attribute(row, "fused", pick.choice(["same", "divided", "partly"])),
            lambda: set_attribute(row, "kinds", " ".join(pick.sample(KINDS, 3))),
            lambda: row.replace(" value=", f' beside="{pick.choice(["mac", "op", "activation"])}" value='),
        ])()
    if "<host" in row or "<also" in row:
        name = pick.choice(["unit", "fixed_ns", "per_unit_ns"])
        return drop_range(set_attribute(row, name, pick.choice(UNITS if name == "unit" else REAL)))
    if "<op " in row:
        return set_attribute(row, "when", pick.choice(CONDITIONS))
    whole = ' unit="1"' in row or ' unit="B"' in row
    return drop_range(set_attribute(row, "value", pick.choice(WHOLE if whole and pick.random() < 0.8 else REAL)))


def mutant(text, pick):
    lines = text.split("\n")
    machine = [i for i, x in enumerate(lines) if "<p name" in x and i < text[:text.index("<support")].count("\n")]
    rows = [i for i, x in enumerate(lines) if re.match(r"\s*<(p|term|host|also|op) ", x)]
    for _ in range(pick.randint(1, 4)):
        i = pick.choice(machine if pick.random() < 0.4 else rows)
        what = pick.random()
        if what < 0.05:
            lines[i] = ""
        elif what < 0.08:
            lines[i] += "\n" + lines[i]
        else:
            lines[i] = change_row(pick, lines[i])
    return "\n".join(lines)


def run(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=120).returncode
    except subprocess.TimeoutExpired:
        return -99


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--target", type=pathlib.Path, default=ROOT / "rules/targets/warboy.xml")
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    p.add_argument("networks", nargs="+")
    q = p.parse_args()
    text, refused, ran, failed = q.target.read_text(), 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "mutant.xml"
        for k in range(q.count):
            path.write_text(mutant(text, random.Random(q.seed * 1000003 + k)))
            for network in q.networks:
                codes = [run([q.build / "npu-advise", *words, network, "--target", str(path) + pes]) for words in ([], ["compile"])
                         for pes in (("", "-2pe") if not words else ("",))]
                if any(c < 0 or c > 3 for c in codes):
                    failed.append((k, network, codes))
                if codes[0] == 2:
                    refused += 1
                    break
            else:
                ran += 1
    print(f"{q.count} mutants: {ran} ran, {refused} refused, {len(failed)} ended by a signal or not at all")
    for k, network, codes in failed:
        print(f"  mutant {k} of seed {q.seed}, {network}: {codes}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

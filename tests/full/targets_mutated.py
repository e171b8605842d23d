#!/usr/bin/python3
"""Advises small networks on mutated targets: each ends with a status within ten seconds, never with a signal.

  tests/full/targets_mutated.py [--count 1000] [--seed 1] [--build build] [--only N]

A mutant is one of rules/targets with one to three changes, each at an attribute or element drawn from the whole file: the
element is left out, given twice or swapped with its neighbour; the attribute is left out, swapped with another one of its
name, or set to 0, 1, a negative, a huge or a tiny number, a word, or nothing.  Most draws are such that the schema accepts
them: a number for a number, a value of the same attribute elsewhere.  (tests/tools/target_mutants.py draws among rows of
one kind.)  Prints how many mutants ran, how many were refused with a reason, and which failed; the same seed makes them again.
"""
import argparse
import copy
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT_S = 10
NUMBER = re.compile(r"-?[0-9.]+(e[-+]?[0-9]+)?")
VALID = ["0", "1", "2", "3", "7", "33", "1e-9", "0.5", "255", "65537", "2147483648", "1e12", "9e17"]
OTHERS = ["-1", "-1e300", "1e300", "nan", "inf", "0x10", "word", "", " ", "1 2"]
NETWORKS = ["conv", "depthwise", "attention", "island", "pool"]
LINES = """model conv 13
in x float 1x3x64x64
out y float 1x16x32x32
const w float32 16x3x3x3
Conv c x,w > y {"pads": [1, 1, 1, 1], "strides": [2, 2]}
model depthwise 13
in x float 1x32x30x30
out y float 1x32x30x30
const w float32 32x1x3x3
Conv c x,w > y {"pads": [1, 1, 1, 1], "group": 32}
model attention 13
in x float 1x4x64x32
in k float 1x4x32x64
out y float 1x4x64x64
MatMul m x,k > s {}
Softmax n s > y {"axis": -1}
model island 13
in x float 1x8x64x64
out y float 1x8x64x64
const w float32 8x8x1x1
Conv c x,w > a {}
Selu e a > b {}
LRN l b > n {"size": 3}
Conv d n,w > y {}
model pool 13
in x float 1x16x64x64
out y float 1x32x32x32
MaxPool p x > a {"kernel_shape": [2, 2], "strides": [2, 2]}
Concat j a,a > y {"axis": 1}
"""


def parents_of(root):
    return [(parent, child) for parent in root.iter() for child in parent if isinstance(child.tag, str)]


def change_element(pick, root):
    parent, child = pick.choice(parents_of(root))
    at = list(parent).index(child)
    way = pick.choice(["out", "twice", "swap"])
    if way == "out":
        parent.remove(child)
    elif way == "twice":
        parent.insert(at, copy.deepcopy(child))
    else:
        other = pick.randrange(len(parent))
        parent[at], parent[other] = parent[other], parent[at]


def change_attribute(pick, root):
    elements = [e for e in root.iter() if isinstance(e.tag, str) and e.attrib]
    kind = pick.choice(sorted({e.tag for e in elements}))
    element = pick.choice([e for e in elements if e.tag == kind])
    name = pick.choice([n for n in element.attrib if n != "source"] or list(element.attrib))
    same = sorted({e.get(name) for e in elements if e.get(name) is not None})
    way = pick.random()
    if way < 0.05:
        del element.attrib[name]
    elif way < 0.1:
        element.set(name, pick.choice(OTHERS))
    elif NUMBER.fullmatch(element.get(name)) and way < 0.75:
        element.set(name, pick.choice(VALID))
        for ends in ("lo", "hi", "fixed_lo", "fixed_hi", "per_unit_lo", "per_unit_hi"):
            element.attrib.pop(ends, None)
    else:
        element.set(name, pick.choice(same))


def mutant(pick):
    tree = xml.parse(pick.choice(sorted((ROOT / "rules/targets").glob("*.xml"))))
    for _ in range(pick.randint(1, 3)):
        (change_element if pick.random() < 0.15 else change_attribute)(pick, tree.getroot())
    return tree


def run(build, folder, network, path):
    """Status, negative for a signal or after the time limit; whether it was refused."""
    try:
        done = subprocess.run([build / "npu-advise", folder / f"{network}.onnx", "-q", "--target", path], capture_output=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return -99, False
    return done.returncode, done.returncode == 2 and b"npu-advise:" in done.stderr


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    p.add_argument("--only", type=int)
    o = p.parse_args()
    ran, refused, failed = 0, 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "nets.txt").write_text(LINES)
        subprocess.run([ROOT / "tests/tools/onnx_lines.py", "make", folder / "nets.txt", folder], check=True)
        for k in [o.only] if o.only is not None else range(o.count):
            path = folder / "mutant.xml"
            mutant(random.Random(f"{o.seed} {k}")).write(path)
            found = [run(o.build, folder, n, path) for n in NETWORKS]
            failed += [(k, n, code) for n, (code, no) in zip(NETWORKS, found) if code not in (0, 1, 2, 3) or (code == 2 and not no)]
            refused += all(no for _, no in found)
            ran += not all(no for _, no in found)
    print(f"{ran} mutants ran, {refused} were refused, {len(failed)} runs of {len(NETWORKS) * (ran + refused)} ended by a signal, late or "
          "without a reason")
    for k, network, code in failed:
        print(f"  mutant {k} of seed {o.seed}, {network}: {code}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())

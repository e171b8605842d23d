#!/usr/bin/python3
"""The advisor's report card over the generated networks and the corpus, and once more on silicon that it does not know.

  advice.py [--build DIR]

Demanded of gains replayed from a trace and of those predicted without one: sign right >= 95 %, Spearman >= 0.9; from a
trace also a median error <= 15 %, combined figures within 10 % on ten models, intervals that hold 80 to 97 %.
On perturbed silicon: sign right >= 90 %.  The README quotes the last line.
"""
import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
JUDGE = ROOT / "tests" / "tools" / "report_card.py"
GROUPS = ["vision", "nhwc", "image_out"]
PERTURBED = [3, 11]


def corpus():
    for place in [os.environ.get("NPU_ADVISE_CORPUS"), ROOT.parent / "shared" / "corpus"]:
        if place and (pathlib.Path(place) / "models").is_dir():
            return pathlib.Path(place) / "models"
    return None


def card(build, folders, out, *more):
    words = [w for f in folders for w in ("--models", f)]
    done = subprocess.run([build / "npu-advise", "validate", "--advice", "--runs", "60", *words, *more, "--json", out, "-q"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    print(done.stdout)
    return done.stdout.splitlines()[-1]


def judge(out, *bars):
    return subprocess.run([JUDGE, out, *bars]).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    build = pathlib.Path(parser.parse_args().build).resolve()
    models = corpus()
    if not models:
        print("needs the corpus of other projects' models (NPU_ADVISE_CORPUS)")
        sys.exit(77)
    folders = [build / "networks", *(models / g for g in GROUPS)]
    out = build / "card.json"
    last = card(build, folders, out)
    failed = judge(out, "--sign", "0.95", "--spearman", "0.9")
    failed += judge(out, "--traced", "yes", "--error", "0.15", "--coverage", "0.80:0.97", "--together", "0.10")
    if " ".join(last.split()) not in " ".join((ROOT / "README.md").read_text().split()):
        print("the README quotes something else")
        failed += 1
    for seed in PERTURBED:
        card(build, [models / "vision"], out, "--runner", f"{build / 'npu-exec'} --perturb {seed}")
        failed += judge(out, "--sign", "0.9")
    sys.exit(1 if failed else 0)


main()

#!/usr/bin/python3
"""Compares predicted plans with simulated ones, over the generated networks and the corpus, and on silicon that the model does not know.

  advice.py [--build DIR] [--write]

Required with a trace and without one: sign right >= 99 %, Spearman >= 0.9, intervals that hold 85 to 95 %; of those whose
interval excludes 0 also sign right >= 99 %, and at least half are such; with a trace also a median error <= 15 %.  On
perturbed silicon: sign right >= 90 %.
Recommended plans: on ten fixed models, from traces so long that scatter does not decide.  The README has a table
of the first report; --write: only makes that report, and writes its table into the README with the day.
"""
import argparse
import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import outside

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tests" / "tools"
JUDGE = TOOLS / "report_bars.py"
GROUPS = ["vision", "nhwc", "image_out"]
PERTURBED = [3, 11]
COMBINED_RUNS = 600  # the median of a host operator that scatters by 0.47 is then known within 2 %


def networks(build, scratch):
    """A folder with links to the networks of tests/networks/list alone: other checks make more."""
    for line in (ROOT / "tests" / "networks" / "list").read_text().splitlines()[1:]:
        words = line.split()
        option = dict(zip(words[1::2], words[2::2]))
        name = "-".join([words[0], option.get("--dtype", "fp32"), option.get("--input", "f32"), *(["nhwc"] if "--layout" in option else [])])
        (scratch / f"{name}.onnx").symlink_to(build / "networks" / f"{name}.onnx")
    (scratch / "weights.bin").symlink_to(build / "networks" / "weights.bin")
    return scratch


def report(build, folders, out, *more, runs=60):
    words = [w for f in folders for w in ("--models", f)]
    done = subprocess.run([TOOLS / "validation_report.py", "--build", build, "--runs", str(runs), *words, *more, "--output", out],
                          capture_output=True, text=True)
    refused = [x["reason"] for x in json.loads(pathlib.Path(out).read_text())["refused"]] if done.returncode == 3 else []
    if done.returncode and not (refused and all("not bound" in x for x in refused)):  # free dimensions: no advice, nothing to judge
        sys.exit(done.stderr or f"status {done.returncode}")
    print(done.stdout)
    return done.stdout.splitlines()[-1]


def judge(out, *bars):
    return subprocess.run([JUDGE, out, *bars]).returncode


def combined(build, folders, out):
    """The report of the ten models alone."""
    wanted = json.loads(subprocess.run([JUDGE, "--list"], capture_output=True, text=True, check=True).stdout)
    with tempfile.TemporaryDirectory() as scratch:
        for folder in folders:
            for path in folder.iterdir():
                if path.stem in wanted or path.suffix == ".bin":
                    (pathlib.Path(scratch) / path.name).symlink_to(path)
        report(build, [scratch], out, runs=COMBINED_RUNS)
    return judge(out, "--together", "0.10")


def table(report):
    """The table of the README: a row with a trace, and one without."""
    lines = [f"| Advice for {report['models']} models | Changes | Sign right | Rank correlation | Median error | In 90 % interval |", "|---|---:|---:|---:|---:|---:|"]
    for traced, name in ((True, "from a trace"), (False, "without a trace")):
        g = next(g for g in report["groups"] if g["name"] == "all" and g["traced"] == traced)
        shares = {k: f"{100 * g[k]:.0f} %" for k in ("sign", "median_error", "coverage")}
        lines.append(f"| {name} | {g['n']} | {shares['sign']} | {g['spearman']:.2f} | {shares['median_error']} | {shares['coverage']} |")
    return "\n".join(lines)


def write(report):
    """Replaces the table in the README."""
    readme = ROOT / "README.md"
    day = datetime.date.today().strftime("%-d %B %Y")
    text = re.sub(r"(\(measured on )\d+ \w+ \d+", rf"\g<1>{day}", readme.read_text())
    readme.write_text(re.sub(r"\| Advice for \d+ models.*?(?=\n\n)", lambda _: table(report), text, flags=re.S))


def compare(o, build, models, folders):
    out = build / "report.json"
    report(build, folders, out)
    if o.write:
        return write(json.loads(out.read_text()))
    failed = judge(out, "--sign", "0.99", "--spearman", "0.9", "--coverage", "0.85:0.95")
    failed += judge(out, "--traced", "yes", "--error", "0.15")
    failed += judge(out, "--group", "claims", "--sign", "0.99", "--claims", "0.5")
    if table(json.loads(out.read_text())) not in (ROOT / "README.md").read_text():
        print("the README quotes something else than\n" + table(json.loads(out.read_text())))
        failed += 1
    failed += combined(build, folders, out)
    for seed in PERTURBED:
        report(build, [models / "vision"], out, "--runner", f"{build / 'npu-exec'} --perturb {seed}")
        failed += judge(out, "--sign", "0.9")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--write", action="store_true")
    o = parser.parse_args()
    build = pathlib.Path(o.build).resolve()
    models = outside.corpus("models")
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(compare(o, build, models, [networks(build, pathlib.Path(scratch)), *(models / g for g in GROUPS)]))


if __name__ == "__main__":
    main()

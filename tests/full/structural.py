#!/usr/bin/python3
"""Checks the advice on silicon of another structure, one mechanism changed at a time (tests/silicon).

  structural.py [--build DIR] [--tune] [--only NAME,NAME] [--keep DIR]

On ten networks fixed beforehand (report_bars.py --list), each with traces of the changed silicon:
  - gains replayed from a trace: sign right >= 97 %, 90 % intervals hold >= 85 % on each silicon, median error <= 15 %.
    A gain has the sign that its whole interval has: one that reaches from less than nothing to more claims none, and the
    verified median then has none to be right about.  So that nothing is won by claiming nothing, half of the gains must
    claim one; the share of all medians that agree is printed as well.
  - the evidence names the mechanism on at least five of seven: in most of the networks whose latency it moves by 5 %
  - on unchanged silicon it names none in at least nine of the ten
--tune: on the other networks of the validation report instead, where constants may be chosen; no bar is held.
--only: these silicons alone.  --keep DIR: the reports stay there.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import outside

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tests" / "tools"
FILES = sorted((ROOT / "tests" / "silicon").glob("*.xml"))
GROUPS = ["vision", "nhwc", "image_out"]
SUSPECTS = {"memory", "lowering", "host", "hand-off"}
CLAIMS = 0.5
MOVES = 0.05  # of the latency: less is not suspected
RUNS = "200"  # so that scatter does not decide


def networks(build, tune, scratch):
    """Links to the networks in one folder."""
    fixed = json.loads(subprocess.run([TOOLS / "report_bars.py", "--list"], capture_output=True, check=True).stdout)
    models = outside.corpus("models")
    for folder in [build / "networks", *(models / g for g in GROUPS)]:
        for path in sorted(folder.iterdir()):
            bound = "dynamic" not in path.stem  # sizes that nobody states
            known = path.suffix == ".onnx" and bound and (path.stem in fixed) != tune
            if (known or path.suffix == ".bin") and not (scratch / path.name).exists():
                (scratch / path.name).symlink_to(path.resolve())
    return sorted(scratch.glob("*.onnx"))


def trace_of(build, silicon, model, scratch):
    trace = scratch / "trace.json"
    subprocess.run([build / "npu-exec", model, "--sdk", "0.10", "--silicon", silicon, "--member", "1", "--warmup", "5",
                    "--runs", "60", "--trace", trace], check=True, capture_output=True)
    return trace


def evidence(build, silicon, model, scratch):
    """Median latency of a trace, and what the advisor suspects."""
    trace, result = trace_of(build, silicon, model, scratch), scratch / "result.json"
    subprocess.run([build / "npu-advise", model, "--sdk", "0.10", "--trace", trace, "--json", result], capture_output=True)
    r = json.loads(result.read_text())
    codes = {i["code"] for i in r["evidence"]["issues"]} & SUSPECTS
    return r["measured"]["latency_ns"]["median"], codes


def suspects(build, name, wanted, silicon, models, plain, scratch):
    """Whether the mechanism is named where it matters."""
    moved, named, told = 0, 0, []
    for model in models:
        ns, codes = evidence(build, silicon, model, scratch)
        if abs(ns / plain[model][0] - 1) < MOVES:
            continue
        moved += 1
        named += bool(codes & wanted)
        told.append(f"  {model.stem[:30]:30} {ns / plain[model][0]:5.2f} times  {' '.join(sorted(codes)) or '-'}")
    print(f"{name}: named in {named} of {moved} networks that it moves")
    print("\n".join(told), flush=True)
    return moved > 0 and 2 * named > moved


def card(build, silicon, folder, out):
    done = subprocess.run([ROOT / "tests" / "tools" / "validation_report.py", "--build", build, "--runs", RUNS, "--models", folder,
                           "--runner", f"{build / 'npu-exec'} --silicon {silicon} --member 1", "--output", out],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    told = json.loads(out.read_text())
    gains = [g for g in told["gains"] if g["traced"] and g["rule_id"] != "together"]
    return gains, [g for g in told["groups"] if g["name"] == "all" and g["traced"]][0]


def right(gains):
    return sum((g["predicted"]["mid"] > 0) == (g["verified"]["median"] > 0) for g in gains) / max(1, len(gains))


def holds(name, gains, scores):
    claimed = [g for g in gains if g["predicted"]["lo"] > 0 or g["predicted"]["hi"] < 0]
    print(f"{name}: {len(gains)} gains, {len(claimed)} claim a sign: right {right(claimed):.1%} (of all medians "
          f"{right(gains):.1%}), intervals hold {scores['coverage']:.1%}, median error {scores['median_error']:.1%}, "
          f"Spearman {scores['spearman']:.3f}", flush=True)
    return (right(claimed) >= 0.97 and len(claimed) >= CLAIMS * len(gains) and scores["coverage"] >= 0.85 and
            scores["median_error"] <= 0.15)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--keep")
    parser.add_argument("--no-gains", action="store_true")
    o = parser.parse_args()
    build = pathlib.Path(o.build).resolve()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as work:
        models, scratch = networks(build, o.tune, pathlib.Path(folder)), pathlib.Path(work)
        keep = pathlib.Path(o.keep or work)
        plain_file = scratch / "plain.xml"
        subprocess.run([TOOLS / "structural_silicon.py", "plain", plain_file], check=True)
        plain = {m: evidence(build, plain_file, m, scratch) for m in models}
        quiet = [m for m in models if not plain[m][1]]
        print(f"unchanged: nothing suspected in {len(quiet)} of {len(models)}",
              *(f"  {m.stem}: {' '.join(sorted(plain[m][1]))}" for m in models if plain[m][1]), sep="\n", flush=True)
        wanted = {f.stem: f for f in FILES if not o.only or f.stem in o.only.split(",")}
        named, good, missed = 0, 0, 0
        for name, file in wanted.items():
            silicon = scratch / f"{name}.xml"
            subprocess.run([TOOLS / "structural_silicon.py", name, silicon], check=True)
            codes = set(re.search(r'suspect="([^"]*)"', file.read_text()).group(1).split())
            named += suspects(build, name, codes, silicon, models, plain, scratch)
            if not o.no_gains:
                held = holds(name, *card(build, silicon, folder, keep / f"{name}.json"))
                good += held
                missed += not held
        print(f"named on {named} of {len(wanted)}, gains hold on {good} of {len(wanted)}, quiet in {len(quiet)} of {len(models)}")
        bars = named >= 5 and missed == 0 and len(quiet) >= 0.9 * len(models)
        sys.exit(0 if o.tune or o.only or bars else 1)


if __name__ == "__main__":
    main()

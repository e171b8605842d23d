#!/usr/bin/python3
"""Reads every format of a result and compares the figures.

  one_figure.py MODEL... [--build DIR] [--advise FILE] [--verify] [--objective O] [--target CHIP] [--quiet]
  one_figure.py [--build DIR]     20 generated and real models, both objectives, with and without --verify

For each model npu-exec records a trace, npu-advise advises on it, and `show` writes the result in ten formats.  Each has to show
for each change of a plan the saving of result.json (of the recommended plan, else of the plan that holds it), and one `now`:
--target: a chip of RKNN, run by tests/tools/rknn_board.py, also for --verify.  Figures are compared
in a text to half a unit of its last digit, in CSV, NDJSON and SARIF as the same number.  One line per difference.
"""
import argparse
import csv
import html
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import outside

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNIT = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "/s": 1}
FIGURE = r"-?[\d.]+(?:e[+-]?\d+)?\s(?:ns|µs|ms|s|/s)(?: \[-?[\d.]+, -?[\d.]+\])?"


def is_same(text, numbers, scale):
    """Whether the numbers are those that the text has, rounded."""
    seen = re.findall(r"-?[\d.]+", text)
    if len(seen) != len(numbers):
        return False
    return all(abs(float(s) * scale - x) <= 0.5001 * scale * 10.0 ** -len(s.partition(".")[2]) * (10 ** max(0, len(s.split(".")[0].lstrip("-")) - 3)
               if "." not in s else 1) for s, x in zip(seen, numbers))


def agrees(text, numbers):
    """`30.7 ms [16.8, 48.5]`; an interval that has no width is left out."""
    match = re.match(r"(.*?)\s(ns|µs|ms|s|/s)(.*)", text)
    if not match:
        return False
    numbers = numbers if "[" in text else numbers[:1]
    return is_same(match.group(1) + match.group(3), numbers, UNIT[match.group(2)])


def is_figure(found, numbers):
    """A list of numbers, or one of texts that all agree."""
    if found and isinstance(found[0], str):
        return all(agrees(x, numbers) for x in found)
    return len(found) == 3 and all(abs(a - b) <= 1e-6 * abs(b) for a, b in zip(found, numbers))


class Formats:
    def __init__(self, advise, result, folder):
        self.advise, self.result, self.folder = advise, result, folder

    def show(self, form):
        done = subprocess.run([self.advise, "show", self.result, "--top", "99", *(["--format", form] if form else [])], capture_output=True, text=True, check=True)
        return done.stdout

    def read(self):
        """{format: [(fingerprint or id, what it shows)]}; a setting of two plans has one fingerprint"""
        say = r"(?:Saves|Adds) (" + FIGURE + ")"
        out = {}
        for form in ("csv", "ndjson"):
            text = self.show(form)
            rows = list(csv.DictReader(io.StringIO(text))) if form == "csv" else [json.loads(line) for line in text.splitlines()]
            out[form] = [(r["fingerprint"], [float(r[k]) for k in ("gain_mid", "gain_lo", "gain_hi")]) for r in rows if r["kind"] == "change" and r["gain_mid"] not in ("", None)]
        sarif = json.loads(self.show("sarif"))["runs"][0]["results"]
        out["sarif"] = [(r["partialFingerprints"]["npuAdvise/v1"], [r["properties"]["saves"][k] for k in ("mid", "lo", "hi")]) for r in sarif if r.get("properties", {}).get("saves")]
        out["sarif text"] = [(r["partialFingerprints"]["npuAdvise/v1"], re.findall(say, r["message"]["text"])) for r in sarif if r.get("properties", {}).get("saves")]
        out["junit"] = [(c.get("name"), re.findall(say, c.findtext("system-out") or "")) for c in ElementTree.fromstring(self.show("junit")).iter("testcase")]
        out["gitlab"] = [(x["fingerprint"].split(": ")[1], re.findall(say, x["description"])) for x in json.loads(self.show("gitlab"))]
        out["github"] = [(m.group(1), re.findall(say, m.group(2))) for m in re.finditer(r"title=(\S+?)::(.*)", self.show("github"))]
        out["markdown"] = [(m.group(1), re.findall("^" + FIGURE, html.unescape(m.group(2)).strip())) for m in re.finditer(r"^\| \d+ \| (\S+) [^|]*\|([^|]*)\|", self.show("markdown"), re.M)]
        out["brief"] = [(m.group(1), re.findall(r"^  (?:saves|adds): (" + FIGURE + ")", m.group(2), re.M)) for m in re.finditer(r"^(\d+): \S+ .*\n((?:  .*\n)*)", self.show("brief"), re.M)]
        self.text = self.show("")
        page = pathlib.Path(self.folder) / "page.html"
        subprocess.run([self.advise, "show", self.result, "--html", page, "-q"], check=True, stdout=subprocess.DEVNULL)
        self.page = page.read_text()
        return out


def saving_of(result, change):
    """(route, [mid, lo, hi]) of the recommended plan, else of the first that holds it; None where the next row tells it."""
    plans = sorted(result["plans"], key=lambda p: not p["recommended"])
    for plan in plans:
        for row in plan["changes"]:
            if row["id"] == change["id"]:
                return plan["route"], row["saves"] and [row["saves"][k] for k in ("mid", "lo", "hi")]
    return None, None


def in_table(text, change, saves, rate):
    """The row of the terminal, whose head has the unit."""
    row = re.search(rf"^ ?{change['id']} .*{change['rule_id']} +(-?[\d.]+ \[-?[\d.]+, -?[\d.]+\]|-)", text, re.M)
    return bool(row) and (row.group(1) == "-" or is_same(row.group(1), saves, 1 if rate else 1e6))


def differences(result, formats):
    shown, rate = formats.read(), result["objective"] == "throughput"
    for change in result["changes"]:
        route, saves = saving_of(result, change)
        if not saves:
            continue
        left_out = "retrain" in change["needs"] and not any(p["recommended"] and p["route"] == "retrain" for p in result["plans"])
        for form, table in shown.items():
            found = [x for key, x in table if key in (change["fingerprint"], str(change["id"]))]
            if form == "brief" and left_out:  # retraining is in no brief unless it was asked for
                if found:
                    yield f"{change['rule_id']}: the brief has retraining"
            elif not any(is_figure(x, saves) for x in found):
                yield f"{change['rule_id']}: {form} says {found}, result.json {saves}"
        if route != "retrain" and not in_table(formats.text, change, saves, rate):
            yield f"{change['rule_id']}: the terminal has another figure than {saves}"
        if f'<data value="{saves[0]:.0f}">' not in formats.page and not rate:
            yield f"{change['rule_id']}: the page has no {saves[0]}"
    if result["now"]:  # none where the cost of no step is known
        yield from differences_of_now(result, formats, rate)


def differences_of_now(result, formats, rate):
    now = result["now"]["throughput_per_s" if rate else "latency_ns"]
    lines = formats.text.split("\n")  # a headline may go before the line of now
    at = next((i for i, line in enumerate(lines) if line.startswith(result["model"]["file"] + ":")), 0)
    first = "".join(lines[at:at + 2])
    said = re.search(r": ([\d.]+) images/s" if rate else r": ([\d.]+\s\S+)", first).group(1)
    brief = re.search(r"^now: (\S+ \S+)", formats.show("brief"), re.M).group(1)
    for form, text in (("the terminal", said + " /s" if rate else said), ("brief", brief.replace("images/s", "/s").rstrip(","))):
        if not agrees(text.strip(), [now]):
            yield f"now: {form} says {text}, result.json {now}"
    measured = result["measured"]
    if measured and result["now"]["source"] == "measured" and not rate and measured["latency_ns"]["median"] != now:
        yield f"now: measured {measured['latency_ns']['median']}, result.json {now}"


def compare(o, model, objective, verify):
    """The number of changes and of differences, which are printed."""
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        trace, result = f"{folder}/trace.json", f"{folder}/result.json"
        board = ROOT / "tests" / "tools" / "rknn_board.py"
        record = [board, model, "--target", o.target, "--table", trace] if o.target else [o.build / "npu-exec", model, "--runs", "40", "--trace", trace]
        done = subprocess.run(record, capture_output=True, text=True)
        if done.returncode:
            print(f"skipped {model.name}: {done.stderr.strip().splitlines()[-1]}")
            return 0, 0
        subprocess.run([o.advise, model, "--trace", trace, "--objective", objective, "--json", result, *(["--verify"] if verify else []),
                        *(["--target", o.target] if o.target else []), *(["--runner", str(board)] if o.target and verify else [])], check=True,
                       capture_output=True)
        r = json.loads(pathlib.Path(result).read_text())
        for line in differences(r, Formats(o.advise, result, folder)):
            bad += 1
            print(f"{model.name}: {line}")
    return len(r["changes"]), bad


def twenty(build):
    corpus = outside.corpus()
    return (sorted((build / "networks").glob("*.onnx")) + sorted(p for p in corpus.glob("models/*/*.onnx") if p.parent.name != "broken"))[:20]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("model", nargs="*", type=pathlib.Path)
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    p.add_argument("--advise", type=pathlib.Path)
    p.add_argument("--verify", action="store_true")
    p.add_argument("--objective", default="latency")
    p.add_argument("--target", help="a chip of RKNN")
    p.add_argument("--quiet", action="store_true", help="no counts, for a golden case")
    o = p.parse_args()
    o.build = o.build.resolve()
    o.advise = (o.advise or o.build / "npu-advise").resolve()
    runs = [(m, o.objective, o.verify) for m in o.model]
    runs = runs or [(m, goal, verify) for m in twenty(o.build) for goal in ("latency", "throughput") for verify in (False, True)]
    seen = [compare(o, *r) for r in runs]
    changes, bad = sum(s[0] for s in seen), sum(s[1] for s in seen)
    if not o.quiet:
        print(f"{len(seen)} results, {changes} changes, {bad} differences")
    return bad > 0


sys.exit(main())

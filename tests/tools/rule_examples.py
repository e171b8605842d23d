#!/usr/bin/python3
"""Has every rule an example, and is it true?

  rule_examples.py [--rules DIR] [--cases DIR]

A rule tells one place where it fired:  <example case="NAME" before= after= gain= verified= verdict=>TEXT</example>, and
the same in Korean behind it.  The case is one whose directive `shows` says that the rule fires or wins there.
The attributes are figures of the result that the case leaves behind, as the reports print them: what the change saves by
itself, as predicted, and what it saves in the first plan that has it, as simulated, with that plan's verdict (of a
compiled graph before=, removable= and at-most=).  They are absent where the result has no figure.  Numbers, settings and quoted names of the text stand in what the case is made of (its
commands, models and traces) or in what the result says about the rule, and are the same in both languages.
tests/run holds each example against its case, and with --update rewrites the attributes; this program checks that no rule
lacks an example.
"""
import argparse
import functools
import json
import math
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

import case_files
import rule_cases

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANG = "{http://www.w3.org/XML/1998/namespace}lang"
FIGURES = ("before", "after", "gain", "verified", "verdict", "removable", "at-most")
RULES = ("NPU", "PRG", "RKN", "TRT")
MADE_OF = ("*.py", "*.textpb", "trace*.txt", "engines.txt", "programs.txt", "tables.txt")

NUMBER = re.compile(r"(?<![A-Za-z_.\d])\d+(?:,\d{3})*(?:\.\d+)?")
SETTING = re.compile(r"""[\w.-]+(?:[_=]+[\w.\[\]-]+)+|"[^"\s]+"|(?<!\w)'[\w.-]+'|(?<=rewrite )[\w-]+""", re.ASCII)


def files(rules):
    return sorted(f for prefix in RULES for f in rules.glob(f"{prefix}*.xml"))


@functools.cache
def examples(rules):
    """{rule: (path, <example>, <example xml:lang="ko"> or None)} of the rules that have one."""
    found = {}
    for path in files(rules):
        texts = ET.parse(path).getroot().findall("example")
        if texts:
            korean = [t for t in texts if t.get(LANG) == "ko"]
            found[path.name.split("-")[0]] = (path, texts[0], korean[0] if korean else None)
    return found


def decimals(value):
    """That leave three significant digits."""
    return next((n for n in range(6) if abs(value) * 10**n >= 99.95 or value == 0), 6)


def figure(value, unit, ends=()):
    """As advisor/message/figure.c prints it: "9.68 ms", or with its ends "9.68 ms [7.86, 11.80]"."""
    if unit == "per_s":
        size, name = 1, "/s"
    else:
        size, name = next((u for u in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")) if abs(value) >= u[0] * 0.9995), (1, "ns"))
    digits = decimals(value / size)
    if not ends:
        digits = 0 if size == 1 and value == math.floor(value) else digits
        return f"{value / size:.{digits}f} {name}"
    return f"{value / size:.{digits}f} {name} [{', '.join(f'{x / size:.{digits}f}' for x in ends)}]"


def figures(result, entry):
    """The attributes of an example, from what the result says about the rule."""
    alone = entry.get("alone")
    predicted = alone and alone["predicted"]
    if not predicted:
        return {}
    unit, mid = alone["unit"], predicted["mid"]
    if "compiled" in result:  # measured layers: the most that there is, and what would vanish
        shown = {"before": figure(alone["baseline"], unit), "at-most": figure(predicted["hi"], unit)}
        return shown | ({"removable": figure(mid, unit)} if mid else {})
    sign = 1 if unit == "per_s" else -1
    shown = {"before": figure(alone["baseline"], unit), "after": figure(alone["baseline"] + sign * mid, unit),
             "gain": figure(mid, unit, (predicted["lo"], predicted["hi"]))}
    run = [(plan, row["saves"]) for plan, row in rule_cases.rows(result, entry) if row["source"] == "simulated" and row["saves"]]
    if run and run[0][0]["verdict"]:
        shown.update(verified=figure(run[0][1]["mid"], unit), verdict=run[0][0]["verdict"])
    return shown


def numbers(text):
    """All numbers of a text; 1x3x64x64 holds four, uint8 and NPU101 none."""
    return {n.replace(",", "") for n in NUMBER.findall(re.sub(r"(?<=[\d?])x(?=[\d?])", " ", text))}


def untrue(text, sources):
    """Numbers and settings of `text` that stand in none of its sources."""
    known = numbers(sources)
    return sorted(n for n in numbers(text) if n not in known and float(n) not in map(float, known)) + sorted(
        s for s in SETTING.findall(text) if s.strip(".'\"") not in sources)


def result_of(case, rule):
    """The result, in the case's scratch folder, in which the rule fires; None when the case does not say so."""
    return next((r for name, role, r, _ in rule_cases.shown(case) if name == rule and role in ("fires", "wins")), None)


def check_example(rule, example, korean, case, scratch):
    """(problems, attributes that the example should have)"""
    name = result_of(case, rule)
    if not name:
        return [f"example: {case.name} does not show that {rule} fires"], {}
    result = json.loads((scratch / name).read_text())
    entry = sum(rule_cases.entries(result, rule), [])[0]
    right = figures(result, entry)
    problems = [f"example: {rule} says {k}='{example.get(k)}', its case {right.get(k)}"
                for k in FIGURES if example.get(k) != right.get(k)]
    made_of = [case_files.commands(case), *(p.read_text() for pattern in MADE_OF for p in sorted(case.glob(pattern)))]
    sources = "\n".join([*made_of, *right.values(), json.dumps([entry, result.get("compiled")], ensure_ascii=False).replace('\\"', '"')])
    for text in (example.text, korean.text if korean is not None else ""):
        problems += [f"example: {rule} tells '{x}', which is not in its case" for x in untrue(text, sources)]
    return problems, right


def rewrite(path, right):
    attributes = "".join(f'{chr(10) + "     " if k == "gain" else ""} {k}="{right[k]}"' for k in FIGURES if k in right)
    text = path.read_text()
    path.write_text(re.sub(r'(<example case="[^"]*")[^>]*>\s*', lambda m: f"{m[1]}{attributes}>\n    ", text, count=1))


def check_case(case, scratch, update=False, rules=ROOT / "rules"):
    """Problems with the examples that are taken from a case, given what it left behind in `scratch`."""
    problems = []
    for rule, (path, example, korean) in examples(rules).items():
        if example.get("case") != case.name:
            continue
        try:
            found, right = check_example(rule, example, korean, case, scratch)
        except (OSError, ValueError, KeyError, IndexError) as error:
            found, right = [f"example: {rule}: {error!r}"], None
        if update and right is not None:
            rewrite(path, right)
        problems += found
    return problems


def lacks(rule, found, cases):
    """What is missing before any case is run."""
    if rule not in found:
        return "has no example"
    _, example, korean = found[rule]
    name = example.get("case") or ""
    if korean is None:
        return "has no Korean example"
    try:
        shown = result_of(case_files.find(name, cases), rule)
    except ValueError:
        shown = None
    if not shown:
        return f"takes its example from {name}, which does not show it firing"
    if numbers(example.text) != numbers(korean.text):
        return f"tells {sorted(numbers(example.text) ^ numbers(korean.text))} in one language only"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=pathlib.Path, default=ROOT / "rules")
    parser.add_argument("--cases", type=pathlib.Path, default=ROOT / "tests" / "cases")
    options = parser.parse_args()
    rules = [f.name.split("-")[0] for f in files(options.rules)]
    found = examples(options.rules)
    problems = [f"{rule} {problem}" for rule in rules if (problem := lacks(rule, found, options.cases))]
    print(*problems, f"{len(rules)} rules, {len(rules) - len(problems)} with an example", sep="\n")
    return 1 if problems or not rules else 0


if __name__ == "__main__":
    sys.exit(main())

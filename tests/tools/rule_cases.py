#!/usr/bin/python3
"""Has every rule the cases that a rule needs?

  rule_cases.py [--rules DIR] [--cases DIR] [--table]

A case says which roles it plays in directives of its comment, one line each:  #: shows RULE ROLE RESULT [REFERENCE]
  fires           RESULT has a change, work by hand, a note or a suppressed change of the rule
  near-miss       a model or run that lacks one thing: the rule says nothing in RESULT
  already-fixed   what the rule asks for is done: it says nothing in RESULT
  wrong-evidence  the trace of RESULT is too weak or shows something else.  Against REFERENCE, the same
                  with a good trace, the rule falls silent, is suppressed, or its interval is wider
                  (in its unit, or for its size);
                  against one without a trace nothing changes; without REFERENCE it does not apply
  wins            the change was run in a plan, and saves time (rules whose change may lose)
  loses           it was run or tried, and saves nothing worth a plan
RESULT and REFERENCE are JSON results that the case leaves behind.  tests/run checks each line against
them; this program checks that no rule lacks a role, and prints the table.  A role that makes no sense for
a rule is below, with the reason.
"""
import argparse
import json
import pathlib
import sys

import case_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAY_LOSE = {"NPU103", "NPU305"}

STATIC = "integer codes and scales in the model alone are looked at: no trace plays a part"
IS_EVIDENCE = "evidence that is wrong is what it fires on"
EXEMPT = {
    ("NPU106", "wrong-evidence"): STATIC,
    ("NPU107", "wrong-evidence"): STATIC,
    ("NPU701", "wrong-evidence"): STATIC,
    ("NPU310", "wrong-evidence"): "the model alone is looked at: no trace plays a part",
    ("PRG104", "wrong-evidence"): "the structure alone is looked at",
    ("RKN305", "wrong-evidence"): "shapes alone are looked at",
    ("RKN307", "wrong-evidence"): "the model alone is looked at: no trace plays a part",
    **{(f"NPU90{i}", "wrong-evidence"): IS_EVIDENCE for i in range(1, 6)},
    **{(f"TRT90{i}", "wrong-evidence"): IS_EVIDENCE for i in range(1, 8)},
    **{(f"RKN90{i}", "wrong-evidence"): IS_EVIDENCE for i in (2, 3, 4, 5)},
    ("RKN101", "wrong-evidence"): "types alone are looked at",
}


def entries(result, rule):
    """What the result says about a rule: (changes, work by hand and notes; suppressed changes)."""
    return ([r for kind in ("changes", "by_hand", "observations") for r in result[kind] if r["rule_id"] == rule],
            [r for r in result["suppressed"] if r["rule_id"] == rule])


def rows(result, entry):
    """(plan, row) of each plan that holds a change."""
    return [(p, row) for p in result["plans"] for row in p["changes"] if row["id"] == entry.get("id")]


def reason_not_applicable(result, rule):
    return next((r["reason"] for r in result["not_applicable"] if r["rule_id"] == rule), None)


def fires(rule, result, reference):
    return None if any(entries(result, rule)) else "is in no list of the result"


def silent(rule, result, reference):
    if any(entries(result, rule)):
        return "speaks up"
    if rule not in result["passed"] and reason_not_applicable(result, rule) is None:
        return "is not looked at"
    if reference and fires(rule, reference, None):
        return "says nothing in the reference either"
    return None


def widths(entry):
    """(in its unit, for its size) of a gain's interval; None where there is none."""
    p = entry["alone"]["predicted"] if "alone" in entry else entry["occurrences"][0]["gain"]
    return p and p["mid"] and (p["hi"] - p["lo"], (p["hi"] - p["lo"]) / abs(p["mid"]))


def words(result, rule):
    """What a reader sees of the rule, apart from its place in plans."""
    return [(e["title"], e.get("text"), e.get("alone", {}).get("predicted"), [p["text"] for p in e["occurrences"]])
            for kind in entries(result, rule) for e in kind]


def is_weaker(rule, result, reference):
    """True when the advice carries less in `result` than in `reference`."""
    recommended, held = entries(result, rule)
    recommended_before, held_before = entries(reference, rule)
    now, before = ([widths(e) for e in more] for more in (recommended + held, recommended_before + held_before))
    if all(now) and all(before):
        return len(now) == len(before) and all(x[0] > y[0] or x[1] > y[1] for x, y in zip(now, before))
    return not recommended and bool(recommended_before)


def wrong_evidence(rule, result, reference):
    if not result["traces"]:
        return "has no trace to doubt"
    if reference is None:
        return None if reason_not_applicable(result, rule) else "does not end in 'not applicable'"
    if fires(rule, reference, None):
        return "says nothing in the reference"
    if not any(entries(result, rule)):
        return None
    if "compiled" in result:  # gains are bounds of measured layers: without those none is told
        return "is still to be done" if any(r["rule_id"] == rule for r in result["by_hand"]) else None
    if not result["evidence"]["grade"] > ("A" if reference["measured"] is None else reference["evidence"]["grade"]):
        return f"grade {result['evidence']['grade']} is no worse than the reference's"
    if reference["measured"] is None:
        return None if words(result, rule) == words(reference, rule) else "is changed by a trace of something else"
    return None if is_weaker(rule, result, reference) else "carries as much as in the reference"


def outcomes(result, rule):
    """Of each change: "saves" or "saves nothing" as run in a plan, or the reason that no plan has it."""
    listed, suppressed = entries(result, rule)
    run = [(row["saves"] or {}).get("mid", 0) > 0 for e in listed if "id" in e for _, row in rows(result, e) if row["source"] == "simulated"]
    return ["saves" if good else "saves nothing" for good in run] + [h["reason"] for h in suppressed]


def wins(rule, result, reference):
    found = outcomes(result, rule)
    return None if "saves" in found else f"ends in {found}"


def loses(rule, result, reference):
    found = outcomes(result, rule)
    return None if {"saves nothing", "no-gain", "small"} & set(found) else f"ends in {found}"


ROLES = {
    "fires": fires,
    "near-miss": silent,
    "already-fixed": silent,
    "wrong-evidence": wrong_evidence,
    "wins": wins,
    "loses": loses,
}


def shown(case):
    """[(rule, role, result, reference or None)] of a case's folder; ValueError for a malformed line."""
    lines = []
    for directive in case_files.parts(case)[1]:
        name, *word = directive.split()
        if name == "shows" and (len(word) not in (3, 4) or word[1] not in ROLES):
            raise ValueError(f"{case.name}: not '#: shows RULE ROLE RESULT [REFERENCE]': {directive}")
        if name == "shows":
            lines.append((*word, None)[:4])
    return lines


def check_case(case, scratch):
    """Problems with what a case shows, given what it left behind in `scratch`."""
    problems = []
    try:
        for rule, role, *files in shown(case):
            result, reference = (f and json.loads((scratch / f).read_text()) for f in files)
            problem = ROLES[role](rule, result, reference)
            if problem:
                problems.append(f"shows: {rule} {role} {files[0]}: the rule {problem}")
    except (OSError, ValueError, KeyError) as error:
        problems.append(f"shows: {error!r}")
    return problems


def needed(rule):
    return [role for role in ROLES if rule in MAY_LOSE or role not in ("wins", "loses")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=pathlib.Path, default=ROOT / "rules")
    parser.add_argument("--cases", type=pathlib.Path, default=ROOT / "tests" / "cases")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    rules = sorted(f.name.split("-")[0] for f in options.rules.glob("*.xml"))
    cases = {}
    for case in case_files.all_cases(options.cases):
        for rule, role, *_ in shown(case):
            cases.setdefault((rule, role), []).append(case.name)
    wanted = [(rule, role) for rule in rules for role in needed(rule)]
    problems = [f"{rule} has no case '{role}'" for rule, role in wanted if (rule, role) not in cases and (rule, role) not in EXEMPT]
    problems += [f"{rule} '{role}' is shown by {cases[rule, role][0]}, and exempt" for rule, role in EXEMPT if (rule, role) in cases]
    problems += [f"{names[0]} is about {rule}, which there is not" for (rule, _), names in cases.items() if rule not in rules]
    if options.table:
        for rule, role in wanted:
            print(rule, role, ", ".join(cases.get((rule, role), [])) or "- " + EXEMPT.get((rule, role), "missing"), sep="\t")
    exempt = sum(w in EXEMPT for w in wanted)
    print(*problems, f"{len(rules)} rules, {len(wanted)} roles: {sum(w in cases for w in wanted)} shown by cases, "
          f"{exempt} make no sense, {len(problems)} problems", sep="\n")
    return 1 if problems or not rules else 0


if __name__ == "__main__":
    sys.exit(main())

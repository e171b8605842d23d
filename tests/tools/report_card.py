#!/usr/bin/python3
"""Holds a report card (validate --advice --json) to its bars.

  report_card.py CARD [--traced yes|no|any] [--group NAME] [--sign S] [--spearman R] [--error E] [--coverage LO:HI]
                      [--together SHARE]

Prints what fails, or one line.  --together: the combined figure lies within SHARE of a verified combined run, in the
median of the runs of each model; with ten models or more it must hold for ten.  Also checks the card against its schema.
"""
import argparse
import json
import pathlib
import statistics
import sys

import jsonschema

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schema" / "card.json"


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("card", type=pathlib.Path)
    p.add_argument("--traced", choices=["yes", "no", "any"], default="any")
    p.add_argument("--group", default="all")
    p.add_argument("--sign", type=float)
    p.add_argument("--spearman", type=float)
    p.add_argument("--error", type=float)
    p.add_argument("--coverage")
    p.add_argument("--together", type=float)
    return p.parse_args()


def misses(group, o):
    name = f"{group['name']}, {'from a trace' if group['traced'] else 'without one'}"
    if o.sign is not None and group["sign"] < o.sign:
        yield f"{name}: sign right {group['sign']:.1%}, wanted {o.sign:.0%}"
    if o.spearman is not None and group["spearman"] < o.spearman:
        yield f"{name}: Spearman {group['spearman']:.3f}, wanted {o.spearman}"
    if o.error is not None and group["median_error"] > o.error:
        yield f"{name}: median error {group['median_error']:.1%}, at most {o.error:.0%}"
    if o.coverage:
        lo, hi = map(float, o.coverage.split(":"))
        if not lo <= group["coverage"] <= hi:
            yield f"{name}: intervals hold {group['coverage']:.1%}, wanted {lo:.0%} to {hi:.0%}"


def together(card, share):
    """Per model, the median error of its combined figures."""
    error = {}
    for g in card["gains"]:
        if g["rule_id"] == "together" and g["traced"] and g["verified"]["median"]:
            error.setdefault(g["model"], []).append(abs(g["predicted"]["mid"] / g["verified"]["median"] - 1))
    good = [m for m, e in error.items() if statistics.median(e) <= share]
    wanted = min(10, len(error))
    if not error or len(good) < wanted:
        yield f"the combined figure is within {share:.0%} on {len(good)} of {len(error)} models, wanted {wanted}"


def main():
    o = arguments()
    card = json.loads(o.card.read_text())
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(card)
    traced = {"yes": [True], "no": [False], "any": [True, False]}[o.traced]
    groups = [g for g in card["groups"] if g["name"] == o.group and g["traced"] in traced]
    wrong = [w for g in groups for w in misses(g, o)]
    if len(groups) < len(traced):
        wrong.append(f"no gains in group '{o.group}'")
    if o.together is not None:
        wrong += together(card, o.together)
    print("\n".join(wrong) or "the report card holds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

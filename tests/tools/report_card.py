#!/usr/bin/python3
"""Holds a report card (validate --advice --json) to its bars.

  report_card.py CARD [--traced yes|no|any] [--group NAME] [--sign S] [--spearman R] [--error E] [--coverage LO:HI]
                      [--together SHARE] [--bounds SHARE]
  report_card.py --list

Prints what fails, or one line.  --together: the combined figure lies within SHARE of a verified combined run, replayed
from a trace, on each of ten models fixed beforehand; prints every run of theirs.  Also checks the card against its schema.
--bounds: what was run beside bounds gains no more than their upper ends in at least SHARE of all, and their figures are at
most twice of what it gains in the median.
--list: those models, as JSON.
"""
import argparse
import json
import pathlib
import statistics
import sys

import jsonschema

# Fixed before any error was looked at: of the card's 36 models the 32 for which the advisor combines something from a
# trace, in the order of their MACs (of equals by name), numbers 0, 31/9, 2*31/9 ... 31, rounded.
TOGETHER = ["image_metadata_bgr8_0_255", "mnist8_cntk", "resnet8_keras", "ultraface_rfb_320", "light_squeezenet",
            "mobilenet_v1-qdq-u8-nhwc", "light_resnet50", "yolov5s-qdq-f32", "yolov8m-qdq-u8", "yolov5l-qdq-u8"]
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schema" / "card.json"


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("card", type=pathlib.Path, nargs="?")
    p.add_argument("--list", action="store_true")
    p.add_argument("--traced", choices=["yes", "no", "any"], default="any")
    p.add_argument("--group", default="all")
    p.add_argument("--sign", type=float)
    p.add_argument("--spearman", type=float)
    p.add_argument("--error", type=float)
    p.add_argument("--coverage")
    p.add_argument("--together", type=float)
    p.add_argument("--bounds", type=float)
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


def bound_misses(card, traced, share):
    bounds = [b for b in card["bounds"] if b["traced"] in traced]
    if len(bounds) < len(traced):
        yield "no bounds that something could be run beside"
    for b in bounds:
        name = f"bounds, {'from a trace' if b['traced'] else 'without one'}"
        if b["holds_end"] < share:
            yield f"{name}: {b['holds_end']:.1%} hold, wanted {share:.0%}"
        if b["ratio"] > 2:
            yield f"{name}: {b['ratio']:.2f} times what was verified in the median, at most 2"


def combined_errors(card):
    """Per model of the fixed set its combined runs: objective, SDK, predicted / verified - 1 of gain and of objective."""
    error = {model: [] for model in TOGETHER}
    for g in card["gains"]:
        model = g["model"].removesuffix(".onnx")
        if g["rule_id"] == "together" and g["traced"] and model in error and g["verified"]["median"]:
            gain = g["predicted"]["mid"] / g["verified"]["median"] - 1
            after = g["after"]["predicted"] / g["after"]["verified"] - 1
            error[model].append((g["objective"], g["sdk"], gain, after))
    return error


def together(card, share):
    """Every model of the set is held to the median, over its runs (objectives and SDKs), of the error of its gain."""
    errors = combined_errors(card)
    every, figure = 0, 0
    for model, runs in errors.items():
        far = [abs(e) for _, _, e, _ in runs] or [1]
        every += max(far) <= share
        figure += statistics.median([abs(e) for _, _, _, e in runs] or [1]) <= share
        told = " ".join(f"{o[:4]} {sdk} {gain:+.1%} ({after:+.1%})" for o, sdk, gain, after in runs)
        print(f"{model:28}", told or "no combination")
        if statistics.median(far) > share:
            yield f"the combined gain of {model} is {statistics.median(far):.0%} off, wanted {share:.0%}"
    print(f"within {share:.0%}: the gain in every run on {every} of {len(errors)} models, "
          f"the objective after it, (in brackets), in the median on {figure}")


def main():
    o = arguments()
    if o.list:
        print(json.dumps(TOGETHER))
        return 0
    card = json.loads(o.card.read_text())
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(card)
    traced = {"yes": [True], "no": [False], "any": [True, False]}[o.traced]
    groups = [g for g in card["groups"] if g["name"] == o.group and g["traced"] in traced]
    wrong = [w for g in groups for w in misses(g, o)]
    if len(groups) < len(traced):
        wrong.append(f"no gains in group '{o.group}'")
    if o.bounds is not None:
        wrong += bound_misses(card, traced, o.bounds)
    if o.together is not None:
        wrong += together(card, o.together)
    print("\n".join(wrong) or "the report card holds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

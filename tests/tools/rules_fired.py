#!/usr/bin/python3
"""Does every rule fire somewhere?  A rule that never does is untested, or can never help anybody.

  rules_fired.py [--rules DIR] FOLDER…

Reads every result (*.json with changes) and every report card (*.json with rules and how often each fired)
below the folders, as the cases leave them, and fails when a rule of DIR is neither recommended nor held back in any.
"""
import argparse
import collections
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def fired_in(path):
    """Rule ids that fired in a result or a report card; none for any other file."""
    try:
        document = json.loads(path.read_text(errors="replace"))
    except (OSError, ValueError, RecursionError):
        return set()
    if not isinstance(document, dict) or "schema_version" not in document:
        return set()
    if "groups" in document and "rules" in document:
        return {r["rule_id"] for r in document["rules"] if r["fired"]}
    entries = [*document.get("changes", []), *document.get("by_hand", []), *document.get("observations", []), *document.get("suppressed", [])]
    return {e["rule_id"] for e in entries if isinstance(e, dict) and isinstance(e.get("rule_id"), str)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=pathlib.Path, default=ROOT / "rules")
    parser.add_argument("folder", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    wanted = sorted(f.name.split("-")[0] for f in options.rules.glob("NPU*.xml"))
    count = collections.Counter()
    for folder in options.folder:
        for path in folder.rglob("*.json"):
            if path.stat().st_size < 64 << 20:
                count.update(fired_in(path))
    silent = [rule for rule in wanted if not count[rule]]
    print(f"{len(wanted) - len(silent)} of {len(wanted)} rules fire" + (": never " + " ".join(silent) if silent else ""))
    return 1 if silent or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())

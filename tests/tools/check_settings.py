#!/usr/bin/python3
"""Holds the program against docs/schema/npu-advise.json.

  check_settings.py MODEL     runs each text below as --config and as the schema sees it, and prints the table

What the schema refuses the program must refuse, and the other way round, but for what a schema cannot know: names of
rules and metrics, whether a file is there, keys that stand twice.  Also checks the examples of docs/ci.md.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOD = ['{}', '{"sdk": "0.9", "batch": 2}', '{"budgets": {"host:Quantize": 0, "latency_ns": "8ms"}}',
        '{"rules": {"NPU503": "off", "NPU101": "error"}, "fail_on": "warn"}', '{"strict_baseline": false}',
        '{"suppressions": [{"fingerprint": "x", "reason": "y", "until": "2027-01-31"}]}',
        '{"models": [{"model": "a*", "min_gain": "50us", "inconclusive": "fail"}]}', '{"$schema": "x"}']
BAD = ['[]', '{"budget": {}}', '{"sdk": 0.9}', '{"sdk": "0.3"}', '{"budgets": []}', '{"budgets": {"latency_ns": true}}',
       '{"rules": {"NPU101": "loud"}}', '{"rules": []}', '{"models": {}}', '{"models": [{"budgets": {}}]}',
       '{"models": [{"model": "x", "bugets": {}}]}', '{"models": [{"model": "x", "models": []}]}',
       '{"suppressions": [{"fingerprint": "x"}]}', '{"suppressions": [{"fingerprint": "x", "reason": "y", "until": "soon"}]}',
       '{"suppressions": [{"fingerprint": ""}]}', '{"aggregation": "mean"}', '{"min_gain": "50"}', '{"min_gain": 50}',
       '{"min_share": 101}', '{"strict_baseline": 1}', '{"inconclusive": "maybe"}', '{"fail_on": "off"}',
       '{"workers": "2"}', '{"batch": 0}', '{"fail_on": null}']


def program_takes(model, text):
    pathlib.Path("one.json").write_text(text)
    run = subprocess.run([os.environ["NPU_ADVISE"], model, "--config", "one.json", "--today", "2026-01-01"],
                         capture_output=True)
    pathlib.Path("one.json").unlink()
    return run.returncode != 2


def main():
    schema = json.loads((ROOT / "docs/schema/npu-advise.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    wrong = 0
    examples = re.findall(r"```json\n(.*?)```", (ROOT / "docs/ci.md").read_text(), re.S)
    for text, good in [(t, True) for t in GOOD] + [(t, False) for t in BAD]:
        schema_takes = check.is_valid(json.loads(text))
        takes = program_takes(sys.argv[1], text)
        if schema_takes != good or takes != good:
            wrong += 1
            print(f"{text}: schema {schema_takes}, program {takes}, should be {good}")
    for text in examples:
        for error in check.iter_errors(json.loads(text)):
            wrong += 1
            print(f"docs/ci.md: {error.message}")
    print(f"{len(GOOD)} good and {len(BAD)} bad texts, {len(examples)} examples: {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

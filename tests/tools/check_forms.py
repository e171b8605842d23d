#!/usr/bin/python3
"""check_forms.py FILE…: machine outputs judged by what their readers demand; one line per file, status 1 for a wrong one.

  *.sarif   2.1.0: levels, kinds, rule indices, a message, a relative physical location and a fingerprint in every result
  *.xml     JUnit: counts that are right, a failure for all that did not pass, well-formed
  *.github  workflow commands, one per line, at most ten of a kind
  *.gitlab  Code Quality: known severities, unique fingerprints, a relative path
  *.ndjson  objects of equal keys; *.csv rows of equal length; both with the same figures if both are given
  *.md      no tag, no link, no mention
All: UTF-8 without control or direction characters."""
import csv
import io
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

FORBIDDEN = re.compile("[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]")
sums = {}


def relative(uri):
    assert re.fullmatch(r"[A-Za-z0-9._~%/-]+", uri) and not uri.startswith("/") and ".." not in uri.split("/"), f"uri {uri[:60]!r}"


def sarif(text):
    document = json.loads(text)
    assert document["version"] == "2.1.0" and 1 <= len(document["runs"]) <= 20, "runs"
    categories = [run["automationDetails"]["id"] for run in document["runs"]]
    assert len(set(categories)) == len(categories), "two runs of one category"
    return f"{sum(sarif_run(run) for run in document['runs'])} results"


def sarif_run(run):
    rules = run["tool"]["driver"]["rules"]
    assert len({r["id"] for r in rules}) == len(rules), "a rule twice"
    for r in run["results"]:
        assert rules[r["ruleIndex"]]["id"] == r["ruleId"], "ruleIndex"
        assert r["level"] in ("none", "note", "warning", "error") and (r["kind"] == "fail") == (r["level"] != "none"), "level"
        assert r["message"]["text"] and r["partialFingerprints"]["npuAdvise/v1"]
        physical = r["locations"][0]["physicalLocation"]
        relative(physical["artifactLocation"]["uri"])
        assert physical["region"]["startLine"] >= 1
        assert r.get("baselineState", "new") in ("new", "unchanged", "updated", "absent")
        assert "<" not in rules[r["ruleIndex"]]["id"] and rules[r["ruleIndex"]]["helpUri"].startswith("https://"), "helpUri"
    return len(run["results"])


def junit(text):
    root = xml.etree.ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases), "tests"
        assert int(suite.get("failures")) == len([c for c in cases if c.find("failure") is not None]), "failures"
        assert int(suite.get("skipped", 0)) == len([c for c in cases if c.find("skipped") is not None]), "skipped"
        assert int(suite.get("errors")) == len([c for c in cases if c.find("error") is not None]), "errors"
        assert all(c.get("name") for c in cases), "names"
    return f"{len(root.findall('.//failure'))} failures"


def github(text):
    kinds = [re.fullmatch(r"::(error|warning|notice) [^:]*::[^\r\n]+", line) for line in text.splitlines()]
    assert all(kinds), "no command"
    assert all([m.group(1) for m in kinds].count(k) <= 10 for k in ("error", "warning", "notice")), "too many"
    return f"{len(kinds)} annotations"


def gitlab(text):
    findings = json.loads(text)
    assert len({f["fingerprint"] for f in findings}) == len(findings), "a fingerprint twice"
    for f in findings:
        assert f["severity"] in ("info", "minor", "major", "critical", "blocker") and f["description"] and f["check_name"]
        path = f["location"]["path"]  # as in the repository: not an address, nothing is encoded
        assert path and not path.startswith("/") and ".." not in path.split("/") and "%20" not in path, f"path {path[:60]!r}"
        assert f["location"]["lines"]["begin"] >= 1
    return f"{len(findings)} findings"


def add_up(rows, kind):
    sums[kind] = [len(rows), sum(float(r["gain_mid"] or 0) for r in rows), sum(float(r["predicted_latency_ns"] or 0) for r in rows)]
    assert len({tuple(s) for s in sums.values()}) == 1, "NDJSON and CSV differ"
    return f"{len(rows)} rows"


def ndjson(text):
    rows = [json.loads(line) for line in text.split("\n")[:-1]]
    assert len({tuple(r) for r in rows}) == 1, "keys differ"
    return add_up(rows, "ndjson")


def csv_rows(text):
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    assert all(None not in r and None not in r.values() for r in rows), "columns"
    assert all(not (v and v[0] in "=+@") for r in rows for v in r.values()), "a formula"
    return add_up(rows, "csv")


def markdown(text):
    bare = re.sub(r"</?(?:code|details|summary)>|<br>|^#+ |&#\d+;|\*\*Gate[^*]*\*\*", "", text, flags=re.M)
    assert not re.search(r"[<>\[\]`@]", bare), "active characters"
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if line.startswith("|"):
            assert not (i and lines[i - 1].startswith("|")) or line.count("|") == lines[i - 1].count("|"), "cells"
    assert len(text) < 1 << 20, "too long for a step summary"
    return "text"


JUDGES = {".sarif": sarif, ".xml": junit, ".github": github, ".gitlab": gitlab, ".ndjson": ndjson, ".csv": csv_rows, ".md": markdown}


def main():
    failed = False
    for path in map(pathlib.Path, sys.argv[1:]):
        try:
            text = path.read_bytes().decode("utf8")
            assert not FORBIDDEN.search(text), f"U+{ord(FORBIDDEN.search(text).group()):04x}"
            print(f"{path.name}: {JUDGES[path.suffix](text)}")
        except (AssertionError, ValueError, KeyError, IndexError, TypeError, xml.etree.ElementTree.ParseError, csv.Error) as e:
            print(f"{path.name}: wrong: {type(e).__name__} {str(e)[:100]}")
            failed = True
    sys.exit(failed)


main()

#!/usr/bin/python3
"""Looks for every figure and every sentence of a result in what people read: --verbose, or the text of the page.

  shown.py [MODEL…] [--build DIR]     default: five generated networks, each with a trace and --verify

A figure counts as shown if it stands there in any unit and to three digits or fewer; a sentence is a text with a blank.  Words of the
JSON itself (keys, ids, names) are neither.  Prints each path of the JSON whose values are missing, but for EXCEPTIONS, which have their
reasons.  Status 1 if there is one, or if a figure and a sentence that are planted into the result are not found missing.
"""
import argparse
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

NETWORKS = ["yolov5s-qdq-f32", "resnet50-fp32-f32", "ssd_mobilenet-qdq-u8", "mobilenet_v1-qdq-u8-nhwc", "yolov8m-qdq-u8"]
EXCEPTIONS = {
    ".machine.peak_macs_per_s": "the page shows shares of it",
    ".plans[].bundle.command": "the screen shows the command of the plans that it prints; with retraining only --needs prints one",
    ".plans[].after.runner": "the sentence about the chip variants says it",
    ".suppressed[].occurrences[].text": "a skipped change has its reason; its places are not for acting on",
    ".suppressed[].occurrences[].fix": "the same",
}
UNITS = (1e-2, 1, 100, 1024, 1024**2, 1024**3, 1e3, 1e6, 1e9)
FORMS = ("%.3g", "%.2g", "%.0f", "%.1f", "%.2f", "%.3f", "%g")


def squeezed(text):
    return re.sub(r"\s+", "", text)


def read_by_people(page, verbose):
    page = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.S)
    labels = " ".join(re.findall(r'(?:title|aria-label)="([^"]*)"', page))
    return verbose + " " + html.unescape(re.sub(r"<[^>]+>", " ", page) + " " + labels)


def is_shown(value, figures, text):
    if isinstance(value, str):
        return " " not in value or squeezed(value) in text
    forms = {form % (abs(value) / unit) for unit in UNITS for form in FORMS}
    return not figures.isdisjoint(forms | {f.rstrip("0").rstrip(".") for f in forms if "." in f})


def leaves(value, path=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, path + "[]")
    elif isinstance(value, (int, float, str)) and not isinstance(value, bool):
        yield path, value


def missing(result, shown):
    """path: [values, values that are missing, one of them]"""
    figures, text, found = set(re.findall(r"\d+(?:\.\d+)?", shown.replace(",", ""))), squeezed(shown), {}
    for path, value in leaves(result):
        row = found.setdefault(path, [0, 0, None])
        row[0] += 1
        if not is_shown(value, figures, text):
            row[1:] = row[1] + 1, value
    return {path: row for path, row in found.items() if row[1]}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("models", nargs="*", type=pathlib.Path)
    p.add_argument("--build", default="build", type=pathlib.Path)
    o = p.parse_args()
    build, bad, used = o.build.resolve(), 0, set()
    with tempfile.TemporaryDirectory() as folder:
        run = lambda *words: subprocess.run([str(w) for w in words], cwd=folder, capture_output=True, text=True, check=True).stdout  # noqa: E731
        for model in o.models or [build / "networks" / f"{name}.onnx" for name in NETWORKS]:
            run(build / "npu-exec", model.resolve(), "--runs", "40", "--trace", "t.json")
            verbose = run(build / "npu-advise", model.resolve(), "--trace", "t.json", "--verify", "--verbose", "--json", "r.json", "--html", "p.html")
            result = json.loads(pathlib.Path(folder, "r.json").read_text())
            shown = read_by_people(pathlib.Path(folder, "p.html").read_text(), verbose)
            for path, (n, k, value) in missing(result, shown).items():
                used.add(path)
                if path not in EXCEPTIONS:
                    bad += 1
                    print(f"{model.name}: {path}: {k} of {n} are not shown, as {value!r}"[:180])
            absent = next(n for n in range(123457, 987654) if not is_shown(n, set(re.findall(r"\d+(?:\.\d+)?", shown)), ""))
            bad += len(missing({"figure": absent, "reason": "no one has written this sentence"}, shown)) != 2
    print(f"{len(EXCEPTIONS)} exceptions, {len(used & set(EXCEPTIONS))} of them needed; {bad} missing")
    return bad > 0


sys.exit(main())

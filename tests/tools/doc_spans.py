#!/usr/bin/python3
"""Commands within sentences of pages: doc_spans.py ROOT PAGE…   (pages below ROOT, or in the current folder)

Each code span that begins with npu-advise or npu-exec runs in a shell where a file that it names is there, and must end with 0 or 1; of the others each
option must be one of the command, as those of the lines of a pipeline (yaml, groovy).  `make TARGET` must be a target of ROOT's Makefile.
"""
import os
import pathlib
import re
import subprocess
import sys

RECIPE = re.compile(r"^```(?:yaml|groovy)\n(.*?)^```", re.M | re.S)
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
PLACEHOLDER = re.compile(r"\b(COMMAND|DIR|FILE|MODEL|RULE)\b|[A-Z]+\.json|…|\(")


def recipe_lines(page):
    """The commands of what is pasted into a pipeline."""
    blocks = RECIPE.findall(page.read_text(encoding="utf-8"))
    return [line.split(" > ")[0] for b in blocks for line in re.findall(r"^[- ]*(npu-advise .*)$", b, re.M)]


def spans(page):
    return [" ".join(s.split()) for s in re.findall(r"`((?:npu-advise|npu-exec|make) [^`]+)`", FENCE.sub("", page.read_text(encoding="utf-8")))]


def options_of(words):
    for command in ([*words[:2], "--help-all"], [words[0], "--help-all"], [words[0], "--help"]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return set(re.findall(r"--[a-z][a-z-]*", done.stdout))
    return set()


def names_file(words):
    return any("." in w and (os.path.exists(w) or list(pathlib.Path(".").glob(w))) or w.endswith("/") and os.path.isdir(w) for w in words[1:])


def wrong(span, targets, runs=True):
    words = span.split()
    if words[0] == "make":
        return None if words[1] in targets else "is not a target"
    if runs and names_file(words) and not PLACEHOLDER.search(span):
        done = subprocess.run(["sh", "-c", span], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return None if done.returncode <= 1 else f"ends with {done.returncode}: {done.stderr.strip()[-200:]}"
    unknown = [w for w in words if w.startswith("--") and w.split("=")[0] not in options_of(words) | {"--help", "--help-all", "--help-full"}]
    return f"no option {', '.join(unknown)}" if unknown else None


def main():
    root = pathlib.Path(sys.argv[1])
    makefile = (root / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M)) | set(" ".join(re.findall(r"^\.PHONY:(.*)$", makefile, re.M)).split())
    bad = 0
    for name in sys.argv[2:]:
        page = root / name if (root / name).exists() else pathlib.Path(name)
        pasted = recipe_lines(page)
        for span in spans(page) + pasted:
            why = wrong(span, targets, span not in pasted)
            if why:
                bad += 1
                print(f"{name}: `{span}` {why}")
    print(f"commands within sentences: {bad} wrong")
    sys.exit(bad > 0)


main()

#!/usr/bin/python3
"""Mutation run: breaks one thing at a time and demands that a test notices.

  tests/full/mutations.py [--only TEXT] [--build DIR] [--trust]      --trust: the unchanged tree is known to pass

Mutants: every rule's trigger negated; every rule's trigger emptied; every pass emptied; in every pass, reader of traces
or models, kernel of the executor and part of its recorder one condition negated and one branch dropped (the middle
ones, so that the choice needs no luck and no list).  Each is tried first on the cases that are about what it breaks:
those of the rule, of the rules that read what the pass finds, or of the file's name; then on the unit tests and all
cases.  A mutant that survives them is printed and fails the run.  Closes with the counts of each room.  Works in a copy
of the tree, which is left as it was.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Files, whether they have a run() to empty, and the cases to try first where the file's name does not tell.
SOURCES = [("passes/*.c", True, None), ("trace/*.c", False, "trace-"), ("graph/onnx_[!w]*.c", False, "load-"),
           ("graph/onnx_w*.c", False, "apply"), ("graph/import*.c", False, "compile-import"), ("npu_exec/values/*.c", False, "exec-values"),
           ("npu_exec/recorder*.c", False, "exec-")]


def trigger(text):
    return re.search(r'(<when\b[^>]*?\beach=")([^"]*)(")', text, re.S)


def split_last_predicate(xpath):
    """'/a/b[c][d]' -> ('/a/b[c]', 'd'), or None when it does not end in a predicate."""
    if not xpath.endswith("]"):
        return None
    depth = 0
    for i in range(len(xpath) - 1, -1, -1):
        depth += {"]": 1, "[": -1}.get(xpath[i], 0)
        if depth == 0:
            return xpath[:i], xpath[i + 1:-1]
    return None


def rule_mutants(tree):
    for path in sorted((tree / "rules").glob("NPU*.xml")):
        text = path.read_text()
        match = trigger(text)
        if not match:
            continue
        parts = split_last_predicate(match.group(2))
        variants = [("trigger emptied", "/facts/nothing")]
        if parts:
            variants.append(("trigger negated", f"{parts[0]}[not({parts[1]})]"))
        for what, xpath in variants:
            yield path, what, text[:match.start(2)] + xpath + text[match.end(2):]


def conditions(text):
    """Positions of the conditions of plain if statements."""
    found = []
    for match in re.finditer(r"^[ \t]+(?:\} else )?if \(", text, re.M):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.append((match.end(), end - 1))
    return found


def c_mutants(tree, pattern, can_empty):
    for path in sorted(tree.glob(pattern)):
        text = path.read_text()
        body = re.search(r"^static void run\(.*?\)\n\{\n", text, re.M | re.S) if can_empty else None
        if body:
            arguments = re.findall(r"\*?(\w+)(?=[,)])", body.group(0))
            silence = "".join(f"(void){a};" for a in arguments)
            yield path, "emptied", text[:body.end()] + f"    if (1) {{ {silence} return; }}\n" + text[body.end():]
        found = conditions(text)
        if found:
            start, end = found[len(found) // 2]
            yield path, "condition negated", f"{text[:start]}!({text[start:end]}){text[end:]}"
            start, end = found[len(found) // 3]
            yield path, "branch dropped", f"{text[:start]}0 && ({text[start:end]}){text[end:]}"


def likely_cases(tree, path):
    """Parts of the names of cases that are about this file, for --filter."""
    if path.suffix == ".xml":
        return [path.name.split("-")[0].lower()]
    users = [f for f in sorted(path.parent.glob("*.c")) if f'/{path.stem}.h"' in f.read_text()]
    found = set(re.findall(r'"([a-z][a-z-]+)"', "".join(f.read_text() for f in [path, *users])))
    readers = [rule for rule in sorted((tree / "rules").glob("NPU*.xml"))
               if found & set(re.findall(r"@(?:kind|about|layout|layout-reason) = '([a-z-]+)'", rule.read_text()))]
    return [path.stem.replace("_", "-"), "facts-"] + [rule.name.split("-")[0].lower() for rule in readers]


def noticed(tree, environment, hints):
    """True when the mutant does not build or a test fails."""
    quiet = dict(cwd=tree, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if subprocess.run(["make", "-s", "-j2", "all"], **quiet).returncode:
        return True
    runs = [["make", "-s", "units"], ["tests/run", "--first-failure"]]
    if any(hint in case.name for hint in hints for case in (tree / "tests" / "cases").iterdir()):
        runs.insert(0, ["tests/run", "--first-failure", "--filter", ",".join(hints)])
    return any(subprocess.run(command, **quiet).returncode for command in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--trust", action="store_true")
    parser.add_argument("--build", default=str(ROOT / "build"))
    options = parser.parse_args()
    tree = pathlib.Path(options.build) / "mutants"
    if tree.exists():
        shutil.rmtree(tree)
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", "build", "node_modules"))
    environment = dict(os.environ, CFLAGS="-Wno-error -w")
    corpus = ROOT.parent / "shared" / "corpus"
    if corpus.is_dir():
        environment.setdefault("NPU_ADVISE_CORPUS", str(corpus))
    if not options.trust and noticed(tree, environment, []):
        print("the unchanged tree fails its own tests; mend that first")
        return 1
    mutants = [(*m, likely_cases(tree, m[0])) for m in rule_mutants(tree)]
    for pattern, can_empty, hint in SOURCES:
        mutants += [(*m, [hint] if hint else likely_cases(tree, m[0])) for m in c_mutants(tree, pattern, can_empty)]
    made, survived = collections.Counter(), collections.Counter()
    for path, what, text, hints in mutants:
        label = f"{path.relative_to(tree)}: {what}"
        if options.only not in label:
            continue
        room = label.split("/")[0]
        original = path.read_text()
        path.write_text(text)
        alive = not noticed(tree, environment, hints)
        path.write_text(original)
        made[room] += 1
        survived[room] += alive
        if alive:
            print(f"SURVIVED {label}", flush=True)
    for room in made:
        print(f"{room}: {made[room]} made, {made[room] - survived[room]} noticed, {survived[room]} survived")
    return 1 if survived.total() or not made else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Mutation run: breaks one thing at a time and demands that a test notices.

  tests/full/mutations.py [--only TEXT] [--build DIR] [--trust]      --trust: the unchanged tree is known to pass

Mutants: every rule's trigger negated; every rule's trigger emptied; every pass emptied; in every pass, trace reader,
kernel of the executor and part of its recorder one condition negated and one branch dropped (the middle ones, so that
the choice needs no luck and no list).  A mutant that survives the unit tests and the golden cases is
printed and fails the run.  Works in a copy of the tree, which is left as it was.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Files, whether they have a run() to empty, and the cases to try first where the file's name does not tell.
SOURCES = [("passes/*.c", True, None), ("trace/*.c", False, None), ("npu_exec/values/*.c", False, "exec-values"),
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


def noticed(tree, environment, hint):
    """True when the mutant does not build or a test fails."""
    quiet = dict(cwd=tree, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if subprocess.run(["make", "-s", "-j2", "all"], **quiet).returncode:
        return True
    runs = [["tests/run", "--first-failure", "--filter", hint], ["make", "-s", "units"], ["tests/run", "--first-failure"]]
    for command in runs:
        if command[-1] == hint and not any(hint in c.name for c in (tree / "tests" / "cases").iterdir()):
            continue
        if subprocess.run(command, **quiet).returncode:
            return True
    return False


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
    if not options.trust and noticed(tree, environment, "-"):
        print("the unchanged tree fails its own tests; mend that first")
        return 1
    mutants = [(*m, m[0].stem.split("-")[0].lower()) for m in rule_mutants(tree)]
    for pattern, can_empty, hint in SOURCES:
        mutants += [(*m, hint or m[0].stem.replace("_", "-")) for m in c_mutants(tree, pattern, can_empty)]
    survived = killed = 0
    for path, what, text, hint in mutants:
        label = f"{path.relative_to(tree)}: {what}"
        if options.only not in label:
            continue
        original = path.read_text()
        path.write_text(text)
        dead = noticed(tree, environment, hint)
        path.write_text(original)
        killed += dead
        survived += not dead
        if not dead:
            print(f"SURVIVED {label}", flush=True)
    print(f"mutations: {killed + survived} made, {killed} noticed, {survived} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())

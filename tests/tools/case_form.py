#!/usr/bin/python3
"""Has every case the form that a reviewer can read?

  case_form.py [--cases DIR] [--unit DIR]

- A folder of cases holds at most 60 of them, and a name is that of one case.
- `cmd` begins with a comment that says why the output must be so, of at most 110 columns.
- Something is expected: a file out, err, has, hasnt or values, or a directive `#: value` or `#: shows`.
- No expectation is a digest: no word of 12 or more hexadecimal digits stands in one, unless an input has it too (the id of a
  span), or it is the fingerprint of a finding (NPU101-…); and no command makes one (sha256sum, cksum …; Python's hashlib
  only to compare).
- No unit test expects a digest either: no literal there has 13 or more hexadecimal digits after 0x, or is a string of 12 or
  more, with at least 6 different ones, unless its origin is listed below (PUBLISHED). 0x8000000000000001 is a limit.
- No expectation names a folder of the machine that it was written on (the networks, the corpus): a case links them (ln -s "$NET" net).
- Python in `cmd` is a client of an output: what makes models and arrays is a file of the case.

Prints one line per problem.
"""
import argparse
import collections
import pathlib
import re
import sys

import case_files

MOST, WIDTH = 60, 110
EXPECTED = ("out", "err", "has", "hasnt", "values")
NO_LONGER = ("left", "why.md", "code", "shows", "full", "native")
DIGEST = re.compile(r"(?<![\w.-])(?!0000)(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{12,}(?![\w.])")
DIGESTING = re.compile(r"\b(sha\d+sum|md5sum|b2sum|cksum)\b|\bhashlib\.")
HERE = re.compile(r"^[^\n#]*python3[^\n]*<<-?'?(\w+)'?[^\n]*\n(.*?)^\1$", re.S | re.M)
MAKES = re.compile(r"onnx\.save|make_(model|node|graph|tensor)\w*\(|SerializeToString|\b(numpy|np)\.savez?\(|^cat > \S+\.py|json\.dump\(\{\"traceEvents\"", re.M)
MACHINE = re.compile(r"(?<![\w.$])/\S*/(?:build/(?:networks|tests)|corpus)/")
UNIT_DIGEST = re.compile(r'\b0[xX][0-9a-fA-F]{13,}|"(?=[^"]*[a-fA-F])(?=[^"]*\d)[0-9a-fA-F]{12,}"')
PUBLISHED = {"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad": "SHA-256 of abc, FIPS 180-2"}
# Whose ids come from outside this tree.
FOREIGN_IDS = {"trace-doc-tables"}


def text_of(path):
    try:
        return path.read_text()
    except UnicodeDecodeError:
        return ""


def inputs_of(case):
    return "".join(text_of(path) for path in sorted(case.rglob("*")) if path.is_file() and path.name not in EXPECTED)


def problems_of(case, shared):
    reason, directives, commands = case_files.parts(case)
    if not any(reason):
        yield "cmd has no leading comment"
    wide = [line for line in (case / "cmd").read_text().split("\n\n")[0].splitlines() if line.startswith("# ") and len(line) > WIDTH and not line.startswith("# |")]
    if wide:
        yield f"a line of its comment has {len(wide[0])} columns"
    if not any((case / name).exists() for name in EXPECTED) and not any(line.startswith(("shows ", "value ")) for line in directives):
        yield "expects nothing"
    for name in NO_LONGER:
        if (case / name).is_file():
            yield f"has a file {name}"
    own = inputs_of(case) + shared
    for name in EXPECTED:
        found = [word for word in DIGEST.findall(text_of(case / name)) if word not in own] if (case / name).exists() else []
        if found and case.name not in FOREIGN_IDS:
            yield f"{name} has a digest: {found[0]}"
        place = MACHINE.search(text_of(case / name)) if (case / name).exists() else None
        if place and place[0] not in own:
            yield f"{name} names a folder of one machine: {place[0]}"
    for path in [case / "cmd", *case.glob("*.py")]:
        lines = (commands if path.name == "cmd" else text_of(path)).splitlines()
        found = DIGESTING.search("\n".join(line for line in lines if "==" not in line))
        if found:
            yield f"{path.name} makes a digest: {found[0]}"
    if any(MAKES.search(body) for _, body in HERE.findall(commands)) or re.search(r"^cat > \S+\.py <<", commands, re.M):
        yield "cmd makes inputs in a here-document: a file of the case may do that"


def unit_problems(folder):
    for path in sorted([*folder.glob("*.c"), *folder.glob("*.h")]):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for word in UNIT_DIGEST.findall(line):
                digits = re.sub("^0[xX]", "", word.strip('"')).lower()
                if len(set(digits)) >= 6 and digits not in PUBLISHED:
                    yield f"{path.name}:{number} expects a digest: {word}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=pathlib.Path, default=case_files.CASES)
    parser.add_argument("--unit", type=pathlib.Path, default=case_files.CASES.parent / "unit")
    options = parser.parse_args()
    cases = case_files.all_cases(options.cases)
    # Ids of the traces that several cases read.
    shared = "".join(text_of(path) for case in cases for path in case.glob("*.json") if "trace" in case.name)
    wrong = [f"{case.parent.name}/{case.name}: {problem}" for case in cases for problem in problems_of(case, shared)]
    sizes = collections.Counter(case.parent.name for case in cases)
    wrong += [f"{folder} holds {n} cases, more than {MOST}" for folder, n in sorted(sizes.items()) if n > MOST]
    wrong += [f"{n} cases are called {name}" for name, n in collections.Counter(case.name for case in cases).items() if n > 1]
    wrong += [f"{path.parent.name}/{path.name} has no cmd" for path in sorted(options.cases.glob("*/*")) if path.is_dir() and not (path / "cmd").exists()]
    wrong += unit_problems(options.unit)
    print(*wrong, f"{len(wrong)} problems" if wrong else "every case has its form", sep="\n")
    return 1 if wrong or not cases or not any(options.unit.glob("*.c")) else 0


if __name__ == "__main__":
    sys.exit(main())

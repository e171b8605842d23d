#!/usr/bin/python3
"""Does any source compare the name of a lever as a text, where LeverId tells it?

  lever_names.py [SOURCE]

Rules and results spell levers as texts; advisor/rules/ (lever.h) and advisor/options/ read them.  Everywhere else in
advisor/, no call of the strcmp family, nor result_word(), has a lever's name among its arguments, as a literal or as the
`lever` or `name` of a row or setting.  The names are those of levers.xml.  Prints one line per call; status 1 where there
is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
READERS = ("rules", "options")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
CALL = re.compile(r"\b(?:str\w*cmp|memcmp|result_word)(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))")
FIELD = re.compile(r"(?:->|\.)lever\b|\blever_table\b")


def main():
    source = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    names = re.findall(r'<lever id="\w+" name=("[\w-]+")', (ROOT / "advisor/rules/levers.xml").read_text())
    found = 0
    for path in sorted(p for end in ("c", "h", "def") for p in (source / "advisor").rglob(f"*.{end}")):
        if path.relative_to(source / "advisor").parts[0] in READERS:
            continue
        text = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), path.read_text())
        for call in CALL.finditer(text):
            if any(name in call[1] for name in names) or FIELD.search(call[1]):
                found += 1
                print(f"{path.relative_to(source)}:{text.count(chr(10), 0, call.start()) + 1}: {' '.join(call[0].split())}")
    print(f"lever names: {len(names)}, {found} compared as texts")
    return found > 0 or not names


sys.exit(main())

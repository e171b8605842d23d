#!/usr/bin/python3
"""A silicon file of npu-exec with one mechanism changed.

  structural_silicon.py NAME OUT

Writes the shipped silicon with what tests/silicon/NAME.xml changes: its <host> rows come before those that are there (the
first that fits counts), its <member> is the only one, to be run with --member 1.  NAME plain: no change.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BASE = ROOT / "npu_exec" / "silicon" / "warboy.xml"
PLAIN = '<changes><member><p name="far_line" times="1"/></member></changes>'


def changed(name):
    base = BASE.read_text()
    change = PLAIN if name == "plain" else (ROOT / "tests" / "silicon" / f"{name}.xml").read_text()
    own = re.sub(r"<member>.*</member>", "", base, flags=re.S)
    member = re.search(r"<member>.*</member>", change, re.S).group()
    rows = "\n".join(re.findall(r"<host [^>]*call_us[^>]*/>", change))
    own = own.replace("<host ", rows + "\n<host ", 1) if rows else own
    return own.replace("</silicon>", member + "\n</silicon>")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[2]).write_text(changed(sys.argv[1]))


if __name__ == "__main__":
    main()

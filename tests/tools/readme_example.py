#!/usr/bin/python3
"""The README's example: what the demo prints, without the lines that SKIPPED begins.

  readme_example.py README TOLD [--write]

Prints which lines of the README are not in TOLD, the output of `npu-advise … --verify`; --write: writes them anew.
"""
import pathlib
import re
import sys

EXAMPLE = re.compile(r"(\$ build/npu-advise build/demo.*--verify\n)(.*?)(\n\n\(some lines)", re.S)
SKIPPED = ("model ", "trace ", "set-up ", "predicted ")


def shown(told):
    """Up to the line of all together."""
    show = True
    for line in told.split("\n"):
        if line[:1].strip():
            show = not line.startswith(SKIPPED)
        if show:
            yield ("    " + line).rstrip()
        if line.startswith("together"):
            return


def main():
    readme, told = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text()
    text, wanted = readme.read_text(), "\n".join(shown(told))
    if "--write" in sys.argv:
        readme.write_text(EXAMPLE.sub(lambda m: m[1] + wanted + m[3], text))
        return
    there = EXAMPLE.search(text)[2]
    stale = [line for line in there.split("\n") if line not in wanted.split("\n")]
    print("\n".join(stale) or f"the README quotes the demo: {there == wanted}")


if __name__ == "__main__":
    main()

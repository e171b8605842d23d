#!/usr/bin/python3
"""The README's example: what the demo prints.

  readme_example.py README TOLD [--write]

Prints which lines of the README are not in TOLD, the output of `npu-advise … --verify`; --write: writes them anew.
"""
import pathlib
import re
import sys

EXAMPLE = re.compile(r"(    \$ build/npu-advise build/demo.*--verify\n)((?:    .*\n|\n)*\n)")


def main():
    readme, told = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text()
    text, wanted = readme.read_text(), "".join(f"    {line}".rstrip() + "\n" for line in told.splitlines()) + "\n"
    if "--write" in sys.argv:
        readme.write_text(EXAMPLE.sub(lambda m: m[1] + wanted, text))
        return
    there = EXAMPLE.search(text)[2]
    stale = [line for line in there.split("\n") if line not in wanted.split("\n")]
    print("\n".join(stale) or f"the README quotes the demo: {there == wanted}")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Links and pictures in pages that lead nowhere: links.py FOLDER|PAGE…

Looked at are relative links of pages (.md), or of all below a folder: the file must be there, and where the link names a part of a page (#a-heading) the
page must have that heading, as GitHub names it.  A picture must have a text.  One line for each that is dead; status 1 if there is one, or no page.
"""
import pathlib
import re
import sys

FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
LINK = re.compile(r"(!?)\[([^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]\(([^()\s]*)\)")


def prose(page):
    return re.sub(r"`[^`\n]*`", lambda m: "x" * len(m[0]), FENCE.sub("", page.read_text(encoding="utf-8")))


def anchors(page):
    """Small letters, blanks as hyphens, punctuation gone; the second of equal ones ends in -1."""
    seen = {}
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", FENCE.sub("", page.read_text(encoding="utf-8")), re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        count = seen[name] = seen.get(name, -1) + 1
        yield f"{name}-{count}" if count else name


def dead(page):
    for picture, text, to in LINK.findall(prose(page)):
        if picture and not text.strip():
            yield f"{to}: a picture without a text"
        if re.match(r"[a-z]+:", to) or not to:
            continue
        path, _, part = to.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            yield to
        elif part and target.suffix == ".md" and part not in set(anchors(target)):
            yield f"{to}: the page has no such heading"


def main():
    given = map(pathlib.Path, sys.argv[1:])
    pages = sorted({page for one in given for page in ([one] if one.is_file() else one.rglob("*.md"))})
    if not pages:
        sys.exit(print(f"{' '.join(sys.argv[1:])}: no page") or 1)
    lines = [f"{page}: {line}" for page in pages for line in dead(page)]
    print("\n".join(lines) or f"{len(pages)} pages: every link leads to a file and a heading")
    sys.exit(bool(lines))


main()

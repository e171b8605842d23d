#!/usr/bin/python3
"""page_problems.py [--tags] PAGE…: what must not be in an HTML page: tags that do not match, links within it that lead nowhere, ids that are
there twice, numbers of drawings that are no numbers, and bars outside their drawing.  Prints one line per problem.

--tags: tags alone, for pages of results with figures and names that no run has."""
import html.parser
import math
import re
import sys

VOID = {"meta", "link", "br", "input", "img", "hr", "col", "rect", "line", "path", "use", "circle", "polyline", "polygon"}
OPTIONAL = {"html", "body", "p", "li", "td", "th", "tr", "tbody", "thead", "option", "dt", "dd"}  # whose end tag may be left out
NUMBERS = {"x", "y", "x1", "y1", "x2", "y2", "width", "height", "rx"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.problems, self.boxes = [], [], set(), [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if given.get("id"):
            self.ids.append(given["id"])
        if (given.get("href") or "").startswith("#") and len(given["href"]) > 1:
            self.links.add(given["href"][1:])
        if tag == "svg":
            box = [float(x) for x in (given.get("viewbox") or "").split()]
            self.boxes.append(box if len(box) == 4 else None)
        numbers = {}
        for key in NUMBERS & given.keys():
            try:
                numbers[key] = float(re.sub(r"(px|%|em|rem)$", "", given[key] or "nan"))
            except ValueError:
                continue
            if not math.isfinite(numbers[key]) or (key in ("width", "height") and numbers[key] < 0):
                self.problems.append(f"<{tag} {key}={given[key]!r}>")
        if tag == "rect" and self.boxes and self.boxes[-1] and {"x", "width"} <= numbers.keys() and "transform" not in given:
            left, width = self.boxes[-1][0], self.boxes[-1][2]
            if numbers["x"] + numbers["width"] > left + width + 1 or numbers["x"] < left - 1:
                self.problems.append(f"a bar from {numbers['x']:g} to {numbers['x'] + numbers['width']:g} in a drawing of {width:g}")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag == "svg" and self.boxes:
            self.boxes.pop()
        if tag in VOID:
            return
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL and tag in self.open:
            self.open.pop()
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> closes <{self.open[-1] if self.open else ''}>")
        if tag in self.open:
            while self.open.pop() != tag:
                pass


def problems(path, tags):
    page = Page()
    page.feed(open(path, encoding="utf8").read())
    yield from (p for p in page.problems if not tags or p.startswith("</"))
    yield from (f"<{tag}> is not closed" for tag in page.open if tag not in OPTIONAL)
    if tags:
        return
    yield from (f"id '{i}' is there {page.ids.count(i)} times" for i in sorted({i for i in page.ids if page.ids.count(i) > 1}))
    yield from (f"#{link} leads nowhere" for link in sorted(page.links - set(page.ids)))


def main():
    tags = sys.argv[1:2] == ["--tags"]
    paths = sys.argv[1 + tags:]
    wrong = [f"{path}: {problem}" for path in paths for problem in list(dict.fromkeys(problems(path, tags)))[:5]]
    print(*wrong, f"{len(paths)} pages, {len(wrong)} problems", sep="\n")


main()

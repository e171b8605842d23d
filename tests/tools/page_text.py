#!/usr/bin/python3
"""page_text.py PAGE [HEADING…]: prints the text of an HTML page as a reader sees it, one line per block or table row.

Cells of a row are joined by " | "; a drawing is one line of its texts; styles, scripts, what scripts draw from, and digests of files are left
out.  With HEADINGs only the sections whose heading contains one of them.
"""
import html.parser
import re
import sys

HEADINGS = {"h1", "h2", "h3", "summary"}
BLOCKS = HEADINGS | {"p", "li", "tr", "div", "dt", "dd", "pre", "td", "th", "svg", "figcaption", "caption", "section", "option", "label", "button", "header", "footer", "main", "nav", "details", "title", "br"}
SKIPPED = {"style", "script", "template"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.lines, self.row, self.text, self.skip, self.drawing, self.heading = [], None, "", 0, 0, ""
        self.packed = False

    def flush(self):
        text, self.text = " ".join(self.text.split()), ""
        if self.row is not None:
            self.row += [text] if text else []
        elif text:
            self.lines.append((self.heading, text))

    def handle_starttag(self, tag, attributes):
        self.skip += tag in SKIPPED
        self.packed = self.packed or tag == "div" and "hidden" in dict(attributes)
        if tag == "svg":
            self.flush()
            self.drawing += 1
        elif self.drawing:
            self.text += " " if tag in ("text", "title", "tspan") else ""
        elif tag in BLOCKS:
            self.flush()
            if tag == "tr":
                self.row = []
        else:
            self.text += " "  # spans that only the style sets apart

    def handle_endtag(self, tag):
        self.skip -= tag in SKIPPED
        self.packed = self.packed and tag != "div"
        if tag == "svg":
            self.drawing -= 1
            self.flush()
        elif self.drawing:
            self.text += " · " if tag in ("text", "title") else ""
        elif tag in BLOCKS:
            if tag in ("h1", "h2"):
                self.heading = " ".join(self.text.split())
            self.flush()
            if tag == "tr" and self.row is not None:
                row, self.row = self.row, None
                self.lines += [(self.heading, " | ".join(row))] if row else []

    def handle_data(self, data):
        self.text += "" if self.skip or self.packed else data


def main():
    page = Page()
    page.feed(open(sys.argv[1], encoding="utf8").read())
    page.flush()
    for heading, line in page.lines:
        if not sys.argv[2:] or any(wanted in heading for wanted in sys.argv[2:]):
            print(re.sub(r"\b[0-9a-f]{64}\b", "(SHA-256)", re.sub(r"( · )+$", "", line.replace(" · · ", " · "))))


main()

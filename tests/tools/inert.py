#!/usr/bin/python3
"""Judges whether outputs are inert: nothing that a model's names hold may act.

  inert.py [--columns N] FILE…     (.html, .json, .txt, .md)

HTML: our own styles and scripts alone (their hashes are those of the policy, and no other stands in it; data are the
text of an element), no attribute that acts, no request, no tag that
we do not write, well-formed UTF-8 without control or direction characters.  JSON: strict UTF-8, one value.  Text: UTF-8
without control or direction characters, lines within N columns (a single word may be longer, up to 600).
Prints one line per file; a wrong file ends with status 1.
"""
import argparse
import base64
import gzip
import hashlib
import html.parser
import json
import pathlib
import re
import sys
import unicodedata

TAGS = set("""html head meta link title style script body a svg defs pattern rect path circle line text header h1 h2 h3 nav
ul li main section p span strong pre code dl div dt dd table caption thead tbody tr th td data article details summary
br input label small h4 b noscript canvas button select option fieldset legend colgroup col figure figcaption polygon
polyline""".split())
ATTRIBUTES = set("""lang charset http-equiv content name rel href class id tabindex role aria-label aria-labelledby
aria-hidden scope value viewbox preserveaspectratio width height x y x1 x2 y1 y2 cx cy r d text-anchor patternunits
data-copy data-copied data-filter data-open data-sort type checked for placeholder aria-keyshortcuts autocomplete
aria-describedby aria-live aria-pressed data-k data-show rx overflow points hidden""".split())
FORBIDDEN = re.compile("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.wrong, self.inside, self.text, self.packed = [], None, {"style": [], "script": []}, {}

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS:
            self.wrong.append(f"element <{tag}>")
        if tag in self.text:
            self.inside = tag
            self.text[tag].append("")
        if dict(attrs).get("id") in ("data", "workbench"):
            self.inside = dict(attrs)["id"]
            self.packed[self.inside] = ""
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self.wrong.append(f"attribute {name} of <{tag}>")
            if name == "href" and not re.fullmatch(r"#[A-Za-z0-9-]+|data:,", value or ""):
                self.wrong.append(f"link to {value!r}")
        if tag == "meta" and dict(attrs).get("http-equiv"):
            self.policy = dict(attrs)["content"]

    def handle_endtag(self, tag):
        if tag == self.inside or tag == "div":
            self.inside = None

    def handle_data(self, data):
        if self.inside in self.packed:
            self.packed[self.inside] += data
        elif self.inside:
            self.text[self.inside][-1] += data

    def unpack(self, name):
        """What an element holds as gzip in base64."""
        try:
            return gzip.decompress(base64.b64decode(self.packed[name])).decode()
        except (ValueError, OSError) as e:
            self.wrong.append(f"{name}: {e}")
            return ""


def judge_html(text):
    page = Page()
    page.feed(text)
    if "workbench" in page.packed:
        page.text["script"].append(page.unpack("workbench"))
    for kind in ("style", "script"):
        allowed = re.search(kind + "-src((?: '[^']*')+)", page.policy)[1].replace("'", "").split()
        found = ["sha256-" + base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in page.text[kind]]
        if allowed != found:
            page.wrong.append(f"the policy allows other {kind} elements than the page has")
    if "data" in page.packed:
        page.wrong += [f"character U+{ord(c):04x} in the data" for c in FORBIDDEN.findall(str(json.loads(page.unpack("data") or "0")))]
    if "default-src 'none'" not in page.policy:
        page.wrong.append("no policy")
    return page.wrong


def width(line):
    return sum(0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


def longest_word(line):
    """A word that is longer than a line by itself cannot be wrapped."""
    longest = max(map(width, line.split()), default=0)
    return longest if 40 < longest <= 600 else 0


def judge_text(text, columns):
    return [f"line {i + 1} has {width(line)} columns" for i, line in enumerate(text.splitlines())
            if columns and width(line) - longest_word(line) > columns]


def judge(path, columns):
    try:
        text = path.read_bytes().decode("utf8")
    except UnicodeDecodeError as e:
        return [str(e)]
    wrong = [f"character U+{ord(c):04x}" for c in sorted(set(FORBIDDEN.findall(text)))]
    if path.suffix == ".html":
        wrong += judge_html(text)
    elif path.suffix == ".json":
        json.loads(text)
    else:
        wrong += judge_text(text, columns)
    return wrong


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("file", nargs="+", type=pathlib.Path)
    p.add_argument("--columns", type=int, default=0)
    args = p.parse_args()
    failed = False
    for path in args.file:
        wrong = judge(path, args.columns)
        print(f"{path.name}: {'inert' if not wrong else '; '.join(wrong[:5])}")
        failed |= bool(wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Writes and checks the pages of contents, and checks the first comment of each source file.

  contents.py [--write] [SOURCE]

The first comment of a file says in one full sentence what the file is for.  A folder's contents.txt lists its files: header,
source and table of one name share a line, which begins with that name without its ending and goes on with the first sentence
of the header (of the source where there is none).
The first paragraph of contents.txt itself is written by hand.  Prints what is wrong; status 1 then.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ("graph", "trace", "cost_model", "passes", "advisor", "npu_exec")
KINDS = (".h", ".c", ".def", ".js", ".css")
EMBEDDED = (".js", ".css")  # are in the page byte for byte, so without a comment: their line is written by hand
COMMENT = re.compile(r"\s*/\*(.*?)\*/", re.S)
SENTENCE = re.compile(r"(.*?[.?!])(?=\s|$)", re.S)
ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|etc|Fig|cf|no)|\b[A-Z])\.$")
LEAST_WORDS = 5
WIDTH = 100


def first_comment(text):
    match = COMMENT.match(text)
    lines = match[1].splitlines() if match else []
    return " ".join(line.strip(" *") for line in lines).strip()


def first_sentence(text):
    end = 0
    for match in SENTENCE.finditer(text):
        end = match.end()
        if not ABBREVIATION.search(text[:end]):
            break
    return re.sub(r"\s+", " ", text[:end])


def sentence_of(path):
    return first_sentence(first_comment(path.read_text()))


def comment_problem(path):
    """Why the first comment of a file is no full sentence; None if it is one."""
    sentence = sentence_of(path)
    if not sentence:
        return "does not begin with a comment whose first sentence ends in a full stop"
    if len(sentence.split()) < LEAST_WORDS or not sentence.endswith("."):
        return f"its first comment is no full sentence: {sentence}"
    if re.match(r"[\w ()-]{1,40}:\s", sentence):
        return f"its first comment begins with a label instead of a sentence: {sentence}"
    return None


def sources(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", *MODULES], capture_output=True, text=True)
    paths = [pathlib.PurePath(line) for line in listed.stdout.splitlines()]
    if listed.returncode:  # not a checkout: a tree from `make dist`
        paths = [p.relative_to(root) for m in MODULES for p in sorted((root / m).rglob("*"))]
    return [p for p in paths if p.suffix in KINDS and (root / p).is_file()]


def page_of(root, path):
    """The nearest folder at or above a file that has a page of contents."""
    return next((folder for folder in path.parents if (root / folder / "contents.txt").exists()), path.parent)


def kept_sentence(page, names):
    """What a page says of files that have no comment."""
    match = re.search(rf"^{re.escape(names)}: (.*?)(?=\n\S|\Z)", page, re.M | re.S)
    return re.sub(r"\s+", " ", match[1]).strip() if match else ""


def page_text(root, folder, paths):
    page = (root / folder / "contents.txt").read_text()
    head = page.split("\n\n")[0].rstrip()
    groups = collections.defaultdict(list)
    for path in paths:
        groups[path.with_suffix("")].append(path)
    lines = []
    for stem in sorted(groups):
        files = sorted(groups[stem], key=lambda p: KINDS.index(p.suffix))
        embedded = files[0].suffix in EMBEDDED
        names = " ".join(str(p.relative_to(folder)) for p in files) if embedded else str(stem.relative_to(folder))
        sentence = kept_sentence(page, names) if embedded else sentence_of(root / files[0])
        lines += textwrap.wrap(f"{names}: {sentence}", WIDTH, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)
    return "\n".join([head, *([""] if lines else []), *lines]) + "\n"


def problems(root, write=False):
    root = pathlib.Path(root)
    pages = collections.defaultdict(list)
    for path in sources(root):
        pages[page_of(root, path)].append(path)
        if path.suffix not in EMBEDDED and (why := comment_problem(root / path)):
            yield f"{path}: {why}"
    for folder, paths in sorted(pages.items()):
        page = root / folder / "contents.txt"
        if not page.exists():
            yield f"{folder}/: has no contents.txt"
            continue
        text = page_text(root, folder, paths)
        if write:
            page.write_text(text)
        elif page.read_text() != text:
            yield f"{page.relative_to(root)}: differs from the first sentences of its files (tests/tools/contents.py --write)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("source", nargs="?", default=ROOT, type=pathlib.Path)
    options = parser.parse_args()
    found = list(problems(options.source, options.write))
    print(*found, f"contents: {len(found)} problems", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

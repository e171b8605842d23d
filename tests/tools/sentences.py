#!/usr/bin/python3
"""Is every sentence that somebody reads there in Korean?

  sentences.py [--table FILE] [--sources DIR]

advisor/say/sentences.def pairs the English sentences that are made below the renderers with Korean ones.
  stale     a pair whose English is no string of a source: it was reworded, and the Korean is never printed
  missing   a string of more than two words without a pair, in a file or a call that makes sentences for readers (SPOKEN, CALLS)
  broken    a pair that fills in other places in Korean than in English, or whose Korean is none
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("graph", "trace", "cost_model", "passes", "advisor")
# Files all of whose sentences are for readers; calls that are given one; and commands that have no --lang.
SPOKEN = ("cost_model/evidence_grade.c", "cost_model/residual.c", "advisor/try/rank.c", "advisor/try/proposal.c", "advisor/rules/match.c",
          "graph/compile/support.c")
CALLS = ("object", "keep_on_host", "notes_add", "note_missing", "infer_conflict", "onnx_note_missing")
ENGLISH = ("advisor/cli/cmd_trace.c", "advisor/cli/cmd_validate.c", "advisor/cli/cmd_inspect.c")

COMMENT = re.compile(r'/\*.*?\*/|("(?:[^"\\]|\\.)*")', re.S)
STRING = re.compile(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*')
CONVERSION = re.compile(r"%%|%[-+ #0]*\d*(?:\.\d+)?(?:ll|l|z|j|h)?[diuxXeEfgGsc]")
QUOTED = "'{}' "  # in front of what is said of a name
HOLE = re.compile(r"\{\d\}")


def joined(match):
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match))
    return text.replace('\\"', '"').replace("\\n", "\n")


def of_format(text):
    """A format with {} for all that is filled in; those side by side are one."""
    return re.sub(r"(\{\})+", "{}", CONVERSION.sub(lambda m: "%" if m[0] == "%%" else "{}", text))


def of_pair(text):
    """The same of a pair's English."""
    return re.sub(r"(\{\})+", "{}", HOLE.sub("{}", text))


def code(path):
    return COMMENT.sub(lambda m: m[1] or "", path.read_text())


def strings(text):
    return [joined(m[0]) for m in STRING.finditer(text)]


def given(text):
    """The strings within the parentheses of each call in CALLS."""
    for call in re.finditer(rf"\b(?:{'|'.join(CALLS)})\(", text):
        depth, at = 1, call.end()
        while depth and at < len(text):
            string = STRING.match(text, at)
            depth += 0 if string else {"(": 1, ")": -1}.get(text[at], 0)
            at = string.end() if string else at + 1
        yield from strings(text[call.end() : at])


def is_sentence(text):
    return " " in text and len(re.findall(r"(?<![\w%-])[a-z]{2,}(?![\w-])", CONVERSION.sub("", text))) > 2


def pairs(table):
    return [tuple(strings(m[1])) for m in re.finditer(r"^SENTENCE\((.*)\)$", table.read_text(), re.M)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", type=pathlib.Path, default=ROOT / "advisor" / "say" / "sentences.def")
    parser.add_argument("--sources", type=pathlib.Path, default=ROOT)
    options = parser.parse_args()
    table = pairs(options.table)
    said, spoken = set(), []
    for path in sorted(p for room in ROOMS for end in "ch" for p in (options.sources / room).rglob(f"*.{end}")):
        text, name = code(path), str(path.relative_to(options.sources))
        said.update(of_format(s) for s in strings(text))
        spoken += [(name, s) for s in (strings(text) if name in SPOKEN else given(text)) if is_sentence(s) and name not in ENGLISH]
    english = {of_pair(en).removeprefix(QUOTED) for en, *_ in table}
    problems = [f"stale: {en}" for en, *_ in table if of_pair(en).removeprefix(QUOTED) not in said]
    problems += [f"missing: {name}: {s}" for name, s in dict.fromkeys(spoken) if of_format(s) not in english]
    problems += [f"broken: {en}" for en, *ko in table
                 if len(ko) != 1 or not set(HOLE.findall(ko[0])) <= set(HOLE.findall(en)) or not re.search("[가-힣]|^[{} 0-9]+$", ko[0])]
    print(*problems, f"{len(table)} sentences, {len(problems)} problems", sep="\n")
    return 1 if problems or not table else 0


if __name__ == "__main__":
    sys.exit(main())

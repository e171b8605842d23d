#!/usr/bin/python3
"""Are the words of every language those of what is said?

  sayings.py [--lang DIR] [--sources DIR]

What is said to people is a saying, an id with its English in ROOM_sayings.h or advisor/say/phrases.def, and arguments.
DIR (rules/lang) has the words of other languages, by id.
  twice     two sayings have one id
  unsaid    a saying that no source says
  stale     words for an id that is no saying
  missing   a saying without words
  read      a place that compares or scans what was printed
  broken    words that fill in another argument than the English has; Korean ones without a Korean letter
"""
import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("graph", "trace", "cost_model", "passes", "npu_exec", "advisor")
COMMENT = re.compile(r'/\*.*?\*/|("(?:[^"\\]|\\.)*")', re.S)
SAYING = re.compile(r'\b(?:SAYING|PHRASE)\((\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)')
HOLE = re.compile(r"\{(\d)(?:\||\})")
KEYED = re.compile(r'say_key\([^;]*?"([A-Z]+_)"')  # ids that are put together of a prefix and a key


def english_of(text):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace('\\"', '"')


def is_korean(words):
    rest = re.sub(r"\{[^}]*\}", "", words)
    return bool(re.search("[가-힣]", words)) or not re.search(r"\b[a-z]{3,}\b", rest)


def sources(root):
    for path in sorted(p for room in ROOMS for end in ("c", "h", "def") for p in (root / room).rglob(f"*.{end}")):
        yield path, COMMENT.sub(lambda m: m[1] or "", path.read_text())


def sayings(root):
    """English by id, the ids there twice, and those that nobody says."""
    english, twice, texts = {}, [], []
    for path, text in sources(root):
        for match in SAYING.finditer(text):
            twice += [match[1]] if match[1] in english else []
            english[match[1]] = english_of(match[2])
        texts.append(SAYING.sub("", text))
    whole = "\n".join(texts)
    said = set(re.findall(r"\b(?:SAYS\(|says_|SAY_)(\w+)", whole))
    said |= {macro for name in said for macro in english if macro == name.removeprefix("SAY_")}
    prefixes = tuple(KEYED.findall(whole))
    return english, twice, [i for i in english if i not in said and not (prefixes and i.startswith(prefixes))]


MAKES = r"(?:said_in|say|say_with|say_key|language_words|figure_(?:time|rate|value|interval|json|bytes|count|share)|rule_text|verdict_sentence|template_shown)\("
SHOWN = r'json_(?:text|at)\([^()]*"(?:[\w.]*\.)?(?:text|title|why|risk|reason_if_null|notes)"'
COMPARES = re.compile(r"\b(?:str(?:n?case|n)?cmp|str(?:case)?str|strr?chr|strpbrk|strc?spn|sscanf|memmem|regexec|strto\w+)\(")


def arguments(text, at):
    """What stands within the parenthesis that opens before `at`."""
    depth, end = 1, at
    while depth and end < len(text):
        string = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, end)
        depth += 0 if string else {"(": 1, ")": -1}.get(text[end], 0)
        end = string.end() if string else end + 1
    return text[at : end - 1]


def readers(root):
    """Calls that compare or scan something that was made for people."""
    for path, text in sources(root):
        if path.suffix != "c" and path.suffix != ".c":
            continue
        for body in re.split(r"^}", text, flags=re.M):
            made = re.findall(rf"(?<![.>])\b(\w+) = (?:{MAKES}|{SHOWN})", body)
            for call in COMPARES.finditer(body):
                given = arguments(body, call.end())
                if given.endswith('"\\n"'):
                    continue  # lines are laid out
                format_of_others = path.relative_to(root).parts[:2] in (("graph", "import"), ("trace", "readers"))
                words = [s for s in re.findall(r'"((?:[^"\\]|\\.)*)"', given) if " " in s and len(re.findall(r"\b[a-z]{2,}\b", s)) > 2 and not format_of_others]
                if re.search(rf"\b{MAKES}|{SHOWN}", given) or words or any(re.search(rf"\b{name}\b", given) for name in made):
                    yield f"{path.relative_to(root)}: {call[0]}{' '.join(given.split())})"


def check(path, english):
    root = ET.parse(path).getroot()
    words = {e.get("id"): e.text for e in root.iter("says")}
    name = path.name
    yield from (f"{name}: stale: {i}" for i in words if i not in english)
    yield from (f"{name}: missing: {i}" for i in english if i not in words)
    for i, text in words.items():
        extra = set(HOLE.findall(text)) - set(HOLE.findall(english.get(i, text)))
        if extra or (root.get("tag") == "ko" and not is_korean(text)):
            yield f"{name}: broken: {i}"
    if root.get("tag") != path.stem:
        yield f"{name}: broken: its tag is {root.get('tag')}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lang", type=pathlib.Path, default=ROOT / "rules" / "lang")
    parser.add_argument("--sources", type=pathlib.Path, default=ROOT)
    options = parser.parse_args()
    english, twice, unsaid = sayings(options.sources)
    files = sorted(options.lang.glob("*.xml"))
    problems = [f"twice: {i}" for i in twice] + [f"unsaid: {i}" for i in unsaid]
    problems += [f"read: {place}" for place in readers(options.sources)]
    problems += [problem for path in files for problem in check(path, english)]
    print(*problems, f"{len(english)} sayings, {len(files)} languages, {len(problems)} problems", sep="\n")
    return 1 if problems or not english or not files else 0


if __name__ == "__main__":
    sys.exit(main())

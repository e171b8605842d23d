#!/usr/bin/python3
"""Checks that every message has words in every language, and that no code reads a message back.

  messages.py [--lang DIR] [--sources DIR]

A message is an id and arguments.  DIR (rules/lang) has the words by id: en.xml, and those of other languages.  Errors and help
have no id: other languages have their words by the English of the sources.
  unused    a message that no source uses
  stale     words for an id that is no message
  missing   a message without words
  read      a place that compares or scans what was printed: itself, or in a function that it hands it to
  broken    words that fill in another argument than the English has; Korean ones without a Korean letter
  silent    a text that people read (tests/tools/readable.py) without words in a language; or words whose English no source has
"""
import argparse
import functools
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

import readable

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ("graph", "trace", "cost_model", "passes", "npu_exec", "advisor")
COMMENT = re.compile(r'/\*.*?\*/|("(?:[^"\\]|\\.)*")', re.S)
HOLE = re.compile(r"\{(\d)(?:\||\})")
KEYED = re.compile(r'(?:phrase_by_key|add_phrases)\([^;]*?"([A-Z]+_)"')  # ids that are put together of a prefix and a key


def words_of(path):
    return {says.get("id"): says.text for says in ET.parse(path).getroot().iter("says") if says.get("id")}


def texts_of(path):
    return {says.get("text"): says.text for says in ET.parse(path).getroot().iter("says") if says.get("text")}


def is_korean(words):
    rest = re.sub(r"\{[^}]*\}", "", words)
    return bool(re.search("[가-힣]", words)) or not re.search(r"\b[a-z]{3,}\b", rest)


def sources(root):
    for path in sorted(p for module in MODULES for end in ("c", "h", "def") for p in (root / module).rglob(f"*.{end}")):
        yield path, COMMENT.sub(lambda m: m[1] or "", path.read_text())


def unused(root, english):
    """Ids that no source uses."""
    tables = (path.read_text() for path in sorted((root / "advisor").rglob("*.xml")))
    whole = "\n".join([*(text for _, text in sources(root)), *tables])
    said = set(re.findall(r"\b(?:MESSAGE_ID\(|message_|PHRASE_)(\w+)", whole))
    prefixes = tuple(KEYED.findall(whole) + re.findall(r"\b(?:message_|PHRASE_)([A-Z_]+)##", whole))  # a macro adds the rest
    return [i for i in english if i not in said and not (prefixes and i.startswith(prefixes))]


# What is made for people, and the members of a result that hold such text.
MAKES = r"(?:message_format|phrase_text|phrase_format|phrase_by_key|language_words|figure_(?:time|rate|value|interval|json|bytes|count|share)|quantity_\w+|rule_text|verdict_sentence|rules_template_text|render_command\w*|command_shell_word)\("
SHOWN = r'json_(?:text|at)\([^()]*"(?:[\w.]*\.)?(?:text|title|why|risk|reason_if_null|notes|expected|detail|runner)"'
MADE = rf"\b{MAKES}|{SHOWN}|\bview->again\w*"
FILLS = {("graph", "base", "message.c"), ("advisor", "message", "phrase.c")}  # they look for the holes in words
COMPARES = re.compile(r"\b(?:str(?:n?case|n)?cmp|str(?:case)?str|strr?chr|strpbrk|strc?spn|sscanf|memmem|memcmp|regexec|fnmatch|strto\w+|ato[fil]l?)\(")
FUNCTION = re.compile(r"^(?:static )?[\w ]+?[ *](\w+)\(([^;{]*?)\)\n\{\n(.*?)^\}", re.M | re.S)


STRING = r'"(?:[^"\\]|\\.)*"'
PARENTHESES = re.compile(STRING + r"|[()]")
DELIMITERS = re.compile(STRING + r"|[()\[\]{},]")


@functools.lru_cache(None)
def arguments(text, at):
    """What stands within the parenthesis that opens before `at`."""
    depth = 1
    for match in PARENTHESES.finditer(text, at):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if not depth:
            return text[at : match.start()]
    return text[at:]


@functools.lru_cache(None)
def parts(given):
    """The arguments, at the commas that stand within no parenthesis and no string."""
    depth, start, found = 0, 0, []
    for match in DELIMITERS.finditer(given):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(match[0], 0)
        if match[0] == "," and depth == 0:
            found.append(given[start : match.start()])
            start = match.end()
    return found + [given[start:]]


@functools.lru_cache(None)
def names_of(body, seeds):
    """Variables and members that hold something made for people: what is assigned from it, too."""
    names = {(name, ".") for name in seeds}
    while True:
        sources = "|".join([MADE] + [rf"(?<![\w.>\"]){re.escape(name)}(?![\w\"(]|->|\.)" if at == "." else rf"(?:->|\.){name}\b(?!\()" for name, at in names])
        found = set()
        for match in re.finditer(r"(?:(\w+(?:->|\.))|(?<![\w.>]))(\w+) = ([^;]*)", body):
            if re.match(rf"\(?(?:[^()\"=]* \? )?(?:{sources})", match[3]):
                found.add((match[2], "->" if match[1] else "."))
        if found <= names:
            return names
        names |= found


def is_made(text, names):
    """Whether an argument of a call is, or points into, what was made for people."""
    if re.search(MADE, text):
        return True
    return any(
        re.search(rf"(?<![\w.>\"]){re.escape(name)}(?![\w\"(]|->|\.|\[)" if at == "." else rf"(?:->|\.){name}\b(?!\(|\[)", text) for name, at in names)


def readers(root):
    """Calls that compare or scan something that was made for people, in a function or in one that it is handed to."""
    bodies = [(path.relative_to(root), *match.groups()) for path, text in sources(root) if path.suffix == ".c" for match in FUNCTION.finditer(text)]
    handed = {}  # parameters of static functions that are handed such text
    while True:
        reads, more = {}, {}
        for path, function, _, body in bodies:
            names = names_of(body, frozenset(handed.get((path, function), ())))
            for call in re.finditer(r"\b(\w+)\(", body):
                callee = next((b for b in bodies_of(path, bodies) if b[1] == call[1]), None)
                given = arguments(body, call.end())
                if callee:
                    takes = [(p.split() or [""])[-1].lstrip("*").split("[")[0] for p in parts(callee[2])]
                    for name, part in zip(takes, parts(given)):
                        if is_made(part, names) and re.search(rf"char \*(?:const )?{name}\b", callee[2]):
                            more.setdefault((path, call[1]), set()).add(name)
                if COMPARES.fullmatch(call[0]) and reads_people(path, given, names):
                    reads[f"{path}: {call[0]}{' '.join(given.split())})"] = True
        if all(names <= handed.get(key, set()) for key, names in more.items()):
            return list(reads)
        for key, names in more.items():
            handed.setdefault(key, set()).update(names)


def bodies_of(path, bodies, kept={}):
    if kept.get("all") is not bodies:
        kept.clear()
        kept["all"] = bodies
        for body in bodies:
            kept.setdefault(body[0], []).append(body)
    return kept[path]


def reads_people(path, given, names):
    if given.endswith('"\\n"') or path.parts in FILLS:
        return False  # lines are laid out
    format_of_others = path.parts[:2] in (("graph", "import"), ("trace", "readers"))
    words = [s for s in re.findall(r'"((?:[^"\\]|\\.)*)"', given) if " " in s and len(re.findall(r"\b[a-z]{2,}\b", s)) > 2]
    return is_made(given, names) or (bool(words) and not format_of_others)


SYSTEM = re.compile(r"[A-Z][a-z]+(?:[ /-][a-z/]+)+|unable to open database file")  # strerror, SQLite


def tables_of(root):
    return [path for module in MODULES for path in sorted((root / module).rglob("*.xml"))] + sorted((root / "rules/targets").glob("*.xml"))


def told(root):
    """All texts of the sources and tables, and those that people read."""
    found = list(sources(root))
    tables = tables_of(root)
    macros = readable.macros_of(text for _, text in found)
    read = {text for _, text in readable.texts_to_word(root, found, tables, macros)}
    whole = {text for _, source in found for text in readable.literals(source, macros)}
    whole.update(text for path in tables for _, text in readable.xml_texts(path, macros))
    for _, text in found:
        for match in re.finditer(r"\bdiag_set\(", text):
            given = parts(arguments(text, match.end()))
            formats = list(readable.literals(given[4], macros)) if len(given) > 4 else []
            read.update(f for f in formats if re.search(r"[a-z]{3}", re.sub(r"%[a-z]+", "", f)))
    tables = ET.parse(root / "graph/options/trace_tables.xml").getroot()
    read.add(" ".join(["one of the tables", *(row.get("key") or row.get("name") for row in tables)]))
    return whole | read, read


def of_format(text):
    """What a text can be that a format makes."""
    return re.compile("".join(".+" if re.fullmatch(r"%[-+ .*\d]*[hlz]*[a-zA-Z]", part) else re.escape(part) for part in re.split(r"(%[-+ .*\d]*[hlz]*[a-zA-Z])", text)))


def check_texts(path, whole, errors):
    """The problems of one language's words for errors and help."""
    filled = re.compile("|".join(re.sub(r"%[a-z]+", ".+", re.escape(text)) for text in whole if "%s" in text and len(re.findall("[a-z]", text)) > 12))
    words = texts_of(path)
    made = [text for text in words if "%" not in text]
    for text in sorted(errors - words.keys()):
        if not ("%s" in text and any(map(of_format(text).fullmatch, made))):  # worded as it is made
            yield f"{path.name}: silent: {text}"
    yield from (f"{path.name}: silent, of no source: {text}" for text in words if text not in whole and not SYSTEM.fullmatch(text) and not filled.fullmatch(text))
    for text, said in words.items():
        holes = len(re.findall(r"%[-+ .*\d]*[hlz]*[a-zA-Z]", text.replace("%%", "")))
        if re.fullmatch(r"\w+", text):
            yield f"{path.name}: broken: a single word may be a name: {text}"
        if any(int(k) >= holes for k in HOLE.findall(said)) or not is_korean(re.sub(r"--\S+", "", said)):
            yield f"{path.name}: broken: {text}"


def check(path, english):
    words, name, tag = words_of(path), path.name, ET.parse(path).getroot().get("tag")
    yield from (f"{name}: stale: {i}" for i in words if i not in english)
    yield from (f"{name}: missing: {i}" for i in english if i not in words)
    for i, text in words.items():
        extra = set(HOLE.findall(text)) - set(HOLE.findall(english.get(i, text)))
        if extra or (tag == "ko" and not is_korean(text)):
            yield f"{name}: broken: {i}"
    if tag != path.stem:
        yield f"{name}: broken: its tag is {tag}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lang", type=pathlib.Path, default=ROOT / "rules" / "lang")
    parser.add_argument("--sources", type=pathlib.Path, default=ROOT)
    options = parser.parse_args()
    english = words_of(options.lang / "en.xml")
    files = sorted(path for path in options.lang.glob("*.xml") if path.name != "en.xml")
    problems = [f"unused: {i}" for i in unused(options.sources, english)]
    problems += [f"read: {place}" for place in readers(options.sources)]
    problems += [problem for path in files for problem in check(path, english)]
    for path in filter(texts_of, files):
        problems += check_texts(path, *told(options.sources))
    print(*problems, f"{len(english)} messages, {len(files)} languages, {len(problems)} problems", sep="\n")
    return 1 if problems or not english or not files else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Proves that an option's name is spelled in graph/options/options.xml alone.

  option_names.py [SOURCE]

Elsewhere in the C sources no whole text is "--name" or "--name=…" of an option, with or without a value's place ("%s"): such a
word of a command line, or the name of an option in an error, is option_flag(OPTION_ID).  And no text is the bare name of an
option where an option is asked for: in a call of args_*, option_* or compile_option_set, or in a comparison with an option's
name.  option_named() looks up what comes from a file or a command line, so few files call it.  Sentences may name an option, and
levers, which are words of the rule files, may have the name of one.
Prints what is wrong and the counts; status 1 where something is wrong.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ("graph", "trace", "cost_model", "passes", "advisor", "npu_exec")
TABLE = "graph/options/options.xml"
# Texts that are not for our programs: options of make_networks.py.
FOREIGN = {"advisor/validation/points.c"}
# Where a name comes from outside: a plan's file, --matrix, --values, a lever of a rule.
LOOKUP = re.compile(r"\boption_named\(")
LOOKERS = {"graph/options/option.c", "graph/options/option.h", "advisor/cli/shards_args.c", "advisor/cli/cmd_shards.c", "advisor/cli/values.c",
           "advisor/rules/variant.c"}
ROW = re.compile(r'<option [^>]*\bname="([a-z-]+)"')
TEXT = r'"(?:\\.|[^"\\\n])*"'
TOKEN = re.compile(rf"/\*.*?\*/|//[^\n]*|^[ \t]*#[ \t]*include[^\n]*|(?P<text>{TEXT}(?:\s*{TEXT})*)", re.S | re.M)  # adjacent texts are one
ASKED = re.compile(r"\b(?:args_\w+|option_\w+|compile_option_set)\(")
COMPARED = re.compile(r"\b(?:strcmp|strncmp|strcasecmp)\(")
OPTION_WORD = re.compile(r"\b(?:option\w*|given|flag)\b")


def texts(source):
    """(line, where it begins, the text with its adjacent ones joined)"""
    for match in TOKEN.finditer(source):
        if match["text"]:
            yield source.count("\n", 0, match.start()) + 1, match.start(), "".join(part[1:-1] for part in re.findall(TEXT, match["text"]))


def call_around(source, at):
    """The innermost call that a place lies in, up to its semicolon: (its name with the parenthesis, its text)."""
    depth = 0
    for i in range(at - 1, max(at - 600, -1), -1):
        if source[i] in ")]":
            depth += 1
        elif source[i] in "([":
            if depth == 0:
                name = re.search(r"\w*$", source[:i])[0]
                return name + source[i], source[i:source.find(";", at)]
            depth -= 1
        elif source[i] in ";{}":
            break
    return "", ""


def problems(path, source, names):
    for match in LOOKUP.finditer(source):
        if str(path) not in LOOKERS:
            yield f"{path}:{source.count(chr(10), 0, match.start()) + 1}: an option is looked up by a name: OPTION_ID"
    flags = {f"--{name}" for name in names}
    for line, at, text in texts(source):
        if re.split(r"[= ]", text, maxsplit=1)[0] in flags and re.fullmatch(r"--[a-z-]+(=\S*)?", text):
            yield f"{path}:{line}: {text} is spelled here: option_flag()"
        elif text in names:
            call, inside = call_around(source, at)
            if ASKED.fullmatch(call) and not is_value(source, at):
                yield f"{path}:{line}: an option is asked for by its name {text}: OPTION_{text.upper().replace('-', '_')}"
            elif COMPARED.fullmatch(call) and OPTION_WORD.search(inside.split(")")[0].replace(f'"{text}"', "")):
                yield f"{path}:{line}: an option is compared by its name {text}: OPTION_{text.upper().replace('-', '_')}"


def is_value(source, at):
    """Whether an OPTION_ID stands before the text in its call: it is a value then, or what stands for one."""
    return re.search(r"OPTION_(?!OF_)\w+,[^;]*$", source[max(at - 120, 0):at]) is not None


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT)
    names = set(ROW.findall((root / TABLE).read_text()))
    files = [p for m in MODULES for end in ("c", "h", "def") for p in sorted((root / m).rglob(f"*.{end}"))]
    found = [problem for p in files if str(p.relative_to(root)) not in {TABLE, *FOREIGN}
             for problem in problems(p.relative_to(root), p.read_text(), names)]
    print(*found, f"option names: {len(names)} options, {len(files)} files, {len(found)} problems", sep="\n")
    return 1 if found or not names else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Checks the names and the parameter lists of the C sources.

  names.py [SOURCE]

  static       no static function has a name that more than five files use, and at most 8 % have a name of one word
  exported     an exported function begins with the word of its header, its folder, or a type of the tree
  type, file   no type is defined by two headers, no two sources have the same file name
  parameters   at most seven; no bool beside an enum or a string, which a call could mix up (`true` is a valid enum)
  private      words that stood where the field has a word do not come back in names
Prints what is wrong and the counts; status 1 where something is wrong.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ("graph", "trace", "cost_model", "passes", "advisor", "npu_exec")
STATIC_FILES_MAX, ONE_WORD_SHARE_MAX, PARAMETERS_MAX = 5, 0.08, 7
NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
FUNCTION = re.compile(r"^(?P<head>(?:[A-Za-z_]\w*[ \n*]+)+\**)(?P<name>[A-Za-z_]\w*)\((?P<parameters>[^;{}]*?)\)\s*(?P<end>;|\{)", re.M)
TYPE = re.compile(r"^typedef\b[^;{]*?(?:\{[^{}]*\}\s*|\{.*?^\}\s*|[\w *]+?|\(\*)\b(\w+)\)?(?:\[\w*\]|\([^;{}]*\))?;", re.S | re.M)
FORWARD = re.compile(r"^typedef struct (\w+) \1;", re.M)
ENUM = re.compile(r"^typedef enum\b[^;{]*\{[^}]*\}\s*(\w+);", re.M)
BODY = re.compile(r"^struct (\w+) \{", re.M)
STRUCT = re.compile(r"^(?:typedef )?struct (\w+)", re.M)
PRIVATE = re.compile(
    r"^(?:said|saying|says|remarks?|proving|judge|truth|crossed|digest_of|outlook|cards?|behind|absence|carry|likeness|"
    r"team|turn|slab|rope|leave|least|most|whole_conv|quick)(?:_|$)|_(?:said|saying|behind|apart|least|most)$|_(?:LEAST|MOST)$|^(?:LEAST|MOST)_",
)


def snake(word):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()


def read(root):
    for path in sorted(p for m in MODULES for end in ("c", "h") for p in (root / m).rglob(f"*.{end}")):
        yield path.relative_to(root), NOISE.sub(" ", path.read_text())


class Names:
    def __init__(self, root):
        self.static = collections.defaultdict(list)    # name -> a file for each function
        self.exported = collections.defaultdict(set)   # name -> files that declare or define it
        self.types = collections.defaultdict(set)      # of headers
        self.enums, self.words, self.lists = {"cJSON_bool"}, set(), []
        for path, text in read(root):
            self.enums |= set(ENUM.findall(text))
            found = set(TYPE.findall(text)) | set(STRUCT.findall(text))
            self.words |= {form for t in found for form in (snake(t), t.lower())}
            if path.suffix == ".h":
                for name in found - (set(FORWARD.findall(text)) - set(BODY.findall(text))):
                    self.types[name].add(path)
            self.read_functions(path, text)

    def read_functions(self, path, text):
        for match in FUNCTION.finditer(text):
            head, name = match["head"].split(), match["name"]
            if {"typedef", "return", "else", "define", "case"} & set(head) or name in ("if", "for", "while", "switch", "sizeof", "main"):
                continue
            self.lists.append((path, name, split(match["parameters"])))
            if "static" in head:
                if match["end"] == "{":
                    self.static[name].append(path)
            elif path.suffix == ".h" and not name.startswith("__"):  # what a sanitizer looks for has its name
                self.exported[name].add(path)


def split(parameters):
    """At the commas outside parentheses."""
    depth, parts = 0, [""]
    for letter in " ".join(parameters.split()):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [p.strip() for p in parts if p.strip() not in ("", "void")]


def statics(names):
    for name, paths in sorted(names.static.items()):
        if len(set(paths)) > STATIC_FILES_MAX:
            yield f"static {name} is in {len(set(paths))} files"
    share = one_word_share(names)
    if share > ONE_WORD_SHARE_MAX:
        yield f"{share:.1%} of the static functions have a name of one word"


def one_word_share(names):
    every = sum(map(len, names.static.values()))
    return sum(len(paths) for name, paths in names.static.items() if "_" not in name) / max(every, 1)


def exports(names):
    for name, paths in sorted(names.exported.items()):
        own = {word for p in paths for word in (p.stem, p.stem.split("_")[0], p.stem.rstrip("s"), *p.parts[:-1], *(f.rstrip("s") for f in p.parts[:-1]))}
        if not any(name == word or name.startswith(word + "_") for word in own | names.words):
            yield f"{name} ({min(paths)}) does not begin with the word of its file, its folder or a type"


def doubles(names, root):
    for name, paths in sorted(names.types.items()):
        if len(paths) > 1 and len({p.stem for p in paths}) > 1:
            yield f"type {name} is defined in {', '.join(map(str, sorted(paths)))}"
    files = collections.defaultdict(list)
    for path in sorted(p.relative_to(root) for m in MODULES for p in (root / m).rglob("*") if p.suffix in (".c", ".h", ".def", ".js", ".css")):
        files[path.name].append(str(path))
    for name, paths in sorted(files.items()):
        if len(paths) > 1:
            yield f"file name {name} is used by {', '.join(paths)}"


def parameters(names):
    for path, name, given in names.lists:
        if len(given) > PARAMETERS_MAX:
            yield f"{path}: {name} has {len(given)} parameters"
        if any(re.match(r"(?:const )?bool \w+$", p) for p in given):
            beside = [p for p in given if re.search(r"\bchar \*", p) or (set(re.findall(r"\w+", p)) & names.enums and "*" not in p)]
            if beside:
                yield f"{path}: {name} has a bool beside {beside[0]}"


def private(names, root):
    """Names of functions, types, enumerators and files."""
    for path, text in read(root):
        words = set(re.findall(r"\b[A-Za-z_]\w+(?=\()|\b[A-Z][A-Z0-9_]+\b", text)) & (set(names.static) | set(names.exported) | set(re.findall(r"\b[A-Z][A-Z0-9_]+\b", text)))
        for word in sorted(w for w in words if PRIVATE.search(w) and not w.startswith("PHRASE_")):  # ids of texts
            yield f"{path}: {word} is a private word"
        if PRIVATE.search(path.stem):
            yield f"{path}: the file's name is a private word"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT)
    names = Names(root)
    found = [*statics(names), *exports(names), *doubles(names, root), *parameters(names), *private(names, root)]
    print(*found, f"names: {sum(map(len, names.static.values()))} static ({one_word_share(names):.1%} of one word), {len(names.exported)} exported, {len(found)} problems",
          sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

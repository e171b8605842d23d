#!/usr/bin/python3
"""Is JSON read and written where ARCHITECTURE.md says, and the result nowhere but in advisor/report?

  json_documents.py [TREE]

- Every file of advisor/ that names cJSON or a json_ function belongs to one document of the table "JSON documents" of
  ARCHITECTURE.md, and every file of the table does name one.  advisor/report/ has the result, advisor/message/json* the
  functions that all share.
- No file outside advisor/report/ looks into the tree of a result: what result_to_json gives is handed on whole, by the files
  of two rows alone, and those that write it look up no key.
Prints one line per problem.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
NAMES_JSON = re.compile(r"\bcJSON_?\w*|\bjson_(?:at|text|number|number_or|count|first|find|add_\w+|print\w*|save|load\w*|parse|ids|texts)\b")
LOOKS_UP = re.compile(r"\bjson_(?:at|text|number|number_or|count|first|find)\s*\(|\bcJSON_GetObjectItem")
GIVES_RESULTS = ("result, written", "lines of a run over many models")
SHARED = ("advisor/report/", "advisor/message/json")


def table():
    """{document: [files]} of the section."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    section = text.split("## JSON documents", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|$", section, re.M)[1:]
    found = {}
    for document, files in rows:
        listed = []
        for one in re.findall(r"`([^`]+)`", files):
            folder, _, name = one.partition("{")[0].rpartition("/")
            name = one[len(folder) + 1:]
            names = expand(name)
            for each in names:
                listed.append(f"advisor/{folder}/{each}")
        found[document] = listed
    return found


def expand(name):
    """"a.{c,h}" as a shell expands it."""
    match = re.match(r"(.*?)\{(.*?)\}(.*)", name)
    return [one for part in match[2].split(",") for one in expand(match[1] + part + match[3])] if match else [name]


def without_comments(text):
    return re.sub(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", "", text, flags=re.S)


def main():
    problems = []
    documents = table()
    owner = {}
    for document, files in documents.items():
        for path in files:
            if path in owner:
                problems.append(f"{path}: is listed for {owner[path]} and {document}")
            owner[path] = document
    for path in sorted((ROOT / "advisor").rglob("*.[ch]")):
        name = path.relative_to(ROOT).as_posix()
        text = without_comments(path.read_text())
        if name.startswith(SHARED):
            continue
        uses = bool(NAMES_JSON.search(text))
        if uses and name not in owner:
            problems.append(f"{name}: uses JSON and is in no row of the table")
        if "result_to_json" in text and owner.get(name) not in GIVES_RESULTS:
            problems.append(f"{name}: makes a tree of the result and is not in its row")
        if owner.get(name) == GIVES_RESULTS[0] and LOOKS_UP.search(text):
            problems.append(f"{name}: looks up keys, though its tree is a result")
        if not uses and name in owner and path.suffix == ".c":
            problems.append(f"{name}: is in the table and uses no JSON")
    for name in owner:
        if not (ROOT / name).exists():
            problems.append(f"{name}: is in the table and does not exist")
    print("\n".join([*problems, f"json documents: {len(documents)}, {len(owner)} files, {len(problems)} problems"]))
    return 1 if problems else 0


sys.exit(main())

"""Finds the texts of the sources that people read: sentences and phrases, each of which every language must word.

A text of the C sources counts that has two words in small letters; of the XML files of the modules, an attribute or element that
has.  Left out is only what UNREAD names, each with its reason.
"""
import json
import re
import xml.etree.ElementTree as ET

STRING = r'"(?:[^"\\]|\\.)*"'
NAME = r"\b(?:PRI\w+|[A-Z][A-Z0-9_]{3,})\b"
LITERAL = re.compile(rf"{STRING}(?:\s*(?:{STRING}|{NAME}(?!\()))*")
MACRO = re.compile(rf"^#define (\w+) ({STRING})$", re.M)
CHARACTER = re.compile(rf"({STRING})|'(?:[^'\\\n]|\\.)'")
WORD = re.compile(r"(?<![\w%.<=/-])[a-z]{2,}(?![\w=(.>-])")
CONVERSION = re.compile(r"%[-+ .*\d]*[hlz]*[a-zA-Z]")
# Arguments that are no text for people: a condition for the compiler, what a file is searched for.
CALLS = re.compile(r"\b(?:static_assert|str(?:n?case|n)?cmp|strstr|memcmp|json_(?:at|text|number_or)|xml_attr|xml_child)\(")
# Reason, files, texts (both are regular expressions; a text of XML begins with "element attribute: ").
UNREAD = (
    ("SQL", r"", r"^(SELECT|PRAGMA|DELETE|COMMIT)\b"),
    ("a command or a script to run, in English for every reader", r"", r"^(npu-advise (apply|%s)|furiosa compile|python|#!/bin/sh|\[ |model=|calibration=|editor = |import |session\.create|%s%s -o| --(runs|batch-size)|'?%s --)"),
    ("code for the shell or roff", r"advisor/cli/help_shell\.c", r"^(complete -c|\.TH|\.br|\.B|:value|  *-f -a)| -f -a |^:value|^complete|compadd"),
    ("markup, whose words are arguments", r"", r"^\s*<|^</?\w+|=\"|^default-src|^width=device"),
    ("classes of the style of the page", r"advisor/render/html/", r"^[a-z]+( [a-z]+)+$"),
    ("a line of DOT or SVG", r"advisor/render/program/lowered|npu_exec/sim/memory_flow", r"^\t|shape=box|</|MiB over us"),
    ("a form that programs read, whose keys are English", r"advisor/render/forms/out_(brief|github|junit|sarif)\.c", r""),
    ("JSON that programs read", r"", r"^\{\n|^\{'|descr"),
    ("docs/rules.md, which is English", r"advisor/rules/rules_doc\.c", r""),
    ("the tables of docs/validation, which are English", r"advisor/validation/validate_table\.c", r""),
    ("the source of a figure in a calibration file, which names the tool's own counts", r"cost_model/calibrate_write\.c", r""),
    ("an internal check of the compiler, which reports a defect of this program", r"graph/compile/program_verify\.c", r""),
    ("words of files that are read", r"graph/import/(vendor_label|import_engine|tensorrt|vendor_dot)|graph/onnx/foreign\.c|trace/readers/", r"^(source: |no buffer|column stride|wide channel|layout without copy|rknn-toolkit2 version|librknnrt version)"),
    ("names of spans as the vendor's runtime writes them", r"npu_exec/session/recorder", r""),
    ("statistics of a run as the vendor's tool prints them, which programs read", r"npu_exec/(sim/run_stats|exec_main)\.c", r"latency \(us\)|percentile|^%s: simulated|queries|of them filled|host conversions were run|QPS|^total |batch size|latency stats|nodes executed|^ranges by|quantization errors|output%s in"),
    ("a part of a shape, a number or a list", r"", r"^[^a-z]*%[^a-z]*x?[^a-z]*$|^1x%"),
    ("kinds of work, which phrases word by their ids", r"graph/import/imported\.c", r"^layout without copy$"),
    ("an identifier of an assertion", r"advisor/act/gate/gate_budget\.c", r"^ in time$"),
    ("what a rule prints by default, from facts", r"advisor/rules/rule\.c", r"^\{@op\}"),
    ("the end of a text that a macro makes, worded whole", r"graph/compile/machine\.c", r"^' is missing$"),
    ("the beginning of a list that is made at build time, worded whole", r"graph/options/option\.c", r"^one of the tables$"),
    ("versions of libraries", r"advisor/cli/help\.c", r"^(npu-advise|libxml2) %"),
)
# Of XML: what no reader gets, or what phrases word by its id.
UNREAD_XML = (
    ("code, or an expression that data ask", r"\bcode: |^(row|case|element) (wrong|of|attributes|value|type): |op (when|rows): |\bsignature: "),
    ("the source of a figure", r" source: "),
    ("what a command line holds", r"command synopsis: |example text: "),
    ("words of files that are read", r"(magic|binary|first-word|stranger|says|column|row) (magic|word|also|end|words|label|name|title|heading): "),
    ("SQL, a script or a style", r"(query|script|before|between|after|page-part) text: "),
)


def readable(text):
    return len(WORD.findall(CONVERSION.sub(" ", text))) > 1 and re.search(r"\S\s+\S", text)


def arguments_end(text, at):
    depth = 1
    for match in re.compile(STRING + r"|[()]").finditer(text, at):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if not depth:
            return match.start()
    return len(text)


def without_calls(text):
    while True:
        found = CALLS.search(text)
        if not found:
            return text
        text = text[: found.start()] + text[arguments_end(text, found.end()) :]


def macros_of(sources):
    """The texts that macros stand for."""
    named = {"TARGET_DEFAULT": "warboy", "PRIu64": "lu", "PRId64": "ld", "PRIx32": "x", "PRIu32": "u", "PRIx64": "lx", "PRId32": "d"}
    for text in sources:
        named.update((name, json.loads(said)) for name, said in MACRO.findall(text) if "\\" not in said)
    return named


def literals(text, macros):
    """The texts of a C source, adjacent ones joined as the compiler does."""
    text = CHARACTER.sub(lambda m: m[1] or "0", text.replace("\\\n", "\n"))
    for match in LITERAL.finditer(text):
        try:
            pieces = re.findall(rf"{STRING}|{NAME}", match[0])
            yield "".join(json.loads(re.sub(r"\\(033|x[0-9a-f]{2})", "", t)) if t[0] == '"' else macros[t] for t in pieces)
        except (ValueError, KeyError):
            pass  # not a text: a character, a schema


def xml_texts(path, macros):
    """(kind, text) of each attribute and element, as packaging/table_from_xml joins them."""
    for row in ET.parse(path).getroot().iter():
        said = (row.text or "").strip()
        if row.tag == "example":
            said = said[said.find("#") :] if "#" in said else ""
        pairs = [(f"{row.tag} {name}: ", value) for name, value in row.attrib.items()]
        pairs += [] if row.get("help") else [(f"{row.tag} text: ", said)]
        yield from ((kind, re.sub(r"\{([A-Z_]+)\}", lambda m: macros.get(m[1], m[0]), text)) for kind, text in pairs)


def is_unread(name, text):
    return any(re.search(where, name) and re.search(what, text) for _, where, what in UNREAD)


def texts_to_word(root, sources, tables, macros):
    """(place, text) of each: `sources` are (path, text) of C without comments, `tables` XML files."""
    for path, whole in sources:
        name = path.relative_to(root).as_posix()
        for text in literals(without_calls(whole), macros):
            if readable(text) and not is_unread(name, text):
                yield name, text
    for path in tables:
        for kind, text in xml_texts(path, macros):
            if readable(text) and not any(re.search(what, kind) for _, what in UNREAD_XML):
                yield f"{path.relative_to(root).as_posix()} {kind}", text

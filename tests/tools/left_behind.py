"""What a case leaves behind: every text, model and table that its commands write or print, kept as digests.

A case says in out, has and values what must be so, and why.  Its commands print and write far more than that; tests/cases/NAME/left
holds a digest of all of it, so that nothing that a case reaches changes unseen.  One line a file:

  FILE DIGEST KEY:DIGEST…     of JSON its keys, of other texts their eighths: what differs has a name
  ~ GLOB WHY                  files that differ from run to run or from machine to machine: not compared
  ~3 GLOB WHY                 … or compared with so many digits of their numbers
  ~lib GLOB WHY               … or only where the libraries are those of LIBRARIES, on which they are written down

stdout and stderr are files like others (.stdout, .stderr) where the case has no out, no err.  What is of the machine is masked: the
places of the tree, of the build and of temporary files (texts in which they stand are compared word by word, as lines break elsewhere
with other lengths), and the digits of a number beyond the twelfth.  Of what is no text, models and SQLite files are compared: arrays
are of the kernels of the machine.
"""
import collections
import contextlib
import fnmatch
import functools
import hashlib
import json
import re
import sqlite3
import subprocess

# Debian 12's: what `npu-advise --version` says of them.  Others say other things of damaged files, and make other bytes of a model.
LIBRARIES = "libxml2 2.9.14, cJSON 1.7.15, protobuf-c 1.4.1, zlib 1.2.13"
# Where a case ran: (place on this machine, name of it) of what is masked; whether the libraries are others.
Machine = collections.namedtuple("Machine", "masks others")

PARTS, KEYS, LARGE = 8, 40, 1 << 20
SKIPPED_FOLDERS = {".git", ".in", "__pycache__", "mypy-cache", "node_modules"}
TEMPORARY = re.compile(r"/tmp/[\w.+-]+")
LONG_NUMBER = re.compile(r"\d+\.\d{9,}(?:e[+-]?\d+)?")
FRACTION = re.compile(r"\d+\.\d+(?:e[+-]?\d+)?")


def digest(data, length):
    return hashlib.blake2b(data if isinstance(data, bytes) else data.encode()).hexdigest()[:length]


@functools.cache
def has_other_libraries(program):
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return ", ".join(said.splitlines()[1:]) != LIBRARIES


def dumped(path):
    with contextlib.closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as database:
        return "\n".join(database.iterdump())


def rounded(pattern, digits, text):
    return pattern.sub(lambda m: f"{float(m[0]):.{digits}g}", text)


def text_of(path, masks, digits):
    """As it is compared; bytes of a model, None of what is not compared."""
    data = path.read_bytes()
    if path.suffix in (".onnx", ".tflite"):
        return data
    try:
        text = dumped(path) if data.startswith(b"SQLite format 3\0") else data.decode()
    except (UnicodeDecodeError, sqlite3.Error):
        return None
    if "\0" in text:
        return None
    found = text
    for place, name in masks:
        found = found.replace(place, name)
    found = TEMPORARY.sub("/tmp/$", found)
    if found != text:
        found = "\n".join(word for word in found.split() if word != "\\")
    if digits:
        return rounded(FRACTION, digits, found)
    return found if len(found) > LARGE else rounded(LONG_NUMBER, 12, found)


def sections(text):
    """name -> part of the text."""
    if text[:1] == "{" and len(text) < LARGE:
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            document = {}
        if 1 < len(document) <= KEYS and all(re.fullmatch(r"[\w-]+", key) for key in document):
            return {key: json.dumps(value) for key, value in document.items()}
    lines = text.splitlines()
    if len(lines) < 4 * PARTS:
        return {}
    ends = [i * len(lines) // PARTS for i in range(PARTS + 1)]
    return {f"{i + 1}/{PARTS}": "\n".join(lines[ends[i]:ends[i + 1]]) for i in range(PARTS)}


def line_of(name, content):
    parts = {} if isinstance(content, bytes) else sections(content)
    return " ".join([name, digest(content, 12), *(f"{key}:{digest(part, 3)}" for key, part in parts.items())])


def is_input(case, path, name, encode):
    """Copied from the case, or encoded from its text, and not changed since."""
    own, text = case / name, (case / name).with_suffix(".textpb")
    return (own.is_file() and own.read_bytes() == path.read_bytes()) or \
        (path.suffix == ".onnx" and text.is_file() and encode(text.read_bytes()) == path.read_bytes())


def volatile_of(case, machine):
    """(mark, glob) of what is not compared as it is on this machine."""
    marks = [line.split()[:2] for line in read(case / "left")[1]]
    return [("~" if mark == "~lib" else mark, glob) for mark, glob in marks if mark != "~lib" or machine.others]


def digits_of(name, volatile):
    """How many of a number's are compared: 0 all, None where the file is not compared."""
    for mark, glob in volatile:
        if fnmatch.fnmatch(name, glob):
            return int(mark[1:] or 0) or None
    return 0


def contents(case, scratch, machine, encode):
    """name -> what is compared of it."""
    volatile = volatile_of(case, machine)
    found = {}
    for path in sorted(scratch.rglob("*")):
        name = str(path.relative_to(scratch))
        own = name in {"left", "left-out", *(f".std{stream}" for stream in ("out", "err") if (case / stream).exists())}
        if own or path.is_symlink() or not path.is_file() or SKIPPED_FOLDERS & set(path.relative_to(scratch).parts) or re.search(r"\s", name):
            continue
        digits = digits_of(name, volatile)
        if digits is not None and not is_input(case, path, name, encode) and (content := text_of(path, machine.masks, digits)):
            found[name] = content
    return found


def read(path):
    """(lines of files, lines of what is not compared)."""
    lines = path.read_text().splitlines() if path.exists() else []
    return [line for line in lines if line[:1] != "~"], [line for line in lines if line[:1] == "~"]


def differences(expected, found):
    old, new = ({line.split(" ", 1)[0]: line.split()[1:] for line in lines} for lines in (expected, found))
    for name in sorted(old.keys() | new.keys()):
        if name not in new or name not in old:
            yield f"left: {name} is {'no longer' if name in old else 'newly'} left"
        elif old[name] != new[name]:
            parts = [dict(word.rsplit(":", 1) for word in words[1:]) for words in (old[name], new[name])]
            keys = [key for key in parts[1] if parts[0].get(key) != parts[1][key]] + [key for key in parts[0] if key not in parts[1]]
            yield f"left: {name} differs" + (f" in {', '.join(keys)}" if keys else "")


def check_case(case, scratch, machine, encode, update):
    """What differs from what the case is known to leave; nothing where that is not written down."""
    known, marks = read(case / "left")
    if not known and not update:
        return []
    found = [line_of(*item) for item in contents(case, scratch, machine, encode).items()]
    if update:
        if marks or found:
            (case / "left").write_text("".join(line + "\n" for line in marks + found))
        return []
    volatile = volatile_of(case, machine)
    return list(differences([line for line in known if digits_of(line.split()[0], volatile) is not None], found))

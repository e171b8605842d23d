#!/usr/bin/python3
"""Runs the commands that a page quotes and compares what they print with what it quotes.

  doc_commands.py [--write] [--list] [--folder DIR] PAGE.md BUILD

Blocks fenced as ```console hold commands ("$ command", continued by a backslash) and what each prints on stdout; a line "…" stands for
any lines that are left out.  Blocks fenced as ```sh hold commands alone: they must end with status 0.  All of a page run in
one empty folder, in their order, with the programs of BUILD in PATH and the source tree's tests/ beside them; a command with its own
status says so by `; echo "status $?"`.  --folder: where they run, and what they
write stays.  --write puts what is printed now in place of what is quoted, and keeps what is left out.
"""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
GAP = "…"


def blocks(lines):
    """(kind, first line, line after the last) of each fenced block."""
    at = None
    for i, line in enumerate(lines):
        if at is None and line in ("```console", "```sh"):
            at = i
        elif at is not None and line == "```":
            yield lines[at][3:], at + 1, i
            at = None


def commands(kind, lines):
    """(command, quoted lines or None) of a block."""
    found, i = [], 0
    while i < len(lines):
        line = lines[i]
        text = line[2:] if line.startswith("$ ") else line if kind == "sh" else None
        i += 1
        if text is None:
            if not found:
                sys.exit(f"a console block begins with what is no command: {line}")
            found[-1][1].append(line)
            continue
        shown = [line]
        while text.endswith("\\"):
            text = text[:-1] + lines[i].strip()
            shown.append(lines[i])
            i += 1
        if text.strip() and not text.lstrip().startswith("#"):
            found.append((text, [] if kind == "console" else None, shown))
    return found


def run(command, folder, build):
    path = f"{pathlib.Path(build).resolve()}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-c", command], cwd=folder, env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"}, capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines(), done.stderr.strip()


def parts(quoted):
    """Runs of lines between gaps; an empty one stands for a gap at an end."""
    all_parts = [[]]
    for line in quoted:
        if line == GAP:
            all_parts.append([])
        else:
            all_parts[-1].append(line)
    return all_parts


def matches(quoted, found):
    pieces, at = parts(quoted), 0
    if len(pieces) == 1:
        return quoted == found
    if found[:len(pieces[0])] != pieces[0]:
        return False
    at = len(pieces[0])
    for piece in pieces[1:-1]:
        at = next((k for k in range(at, len(found)) if found[k:k + len(piece)] == piece), None)
        if at is None:
            return False
        at += len(piece)
    last = pieces[-1]
    return not last or (len(found) - len(last) >= at and found[len(found) - len(last):] == last)


def renewed(quoted, found):
    """What is printed now, with as much left out: each run begins where a line is most like its first."""
    pieces = parts(quoted)
    if len(pieces) == 1:
        return found
    out, at = [], 0
    for i, piece in enumerate(pieces):
        if i:
            out.append(GAP)
        if not piece:
            continue
        if i == len(pieces) - 1:
            at = max(at, len(found) - len(piece))
        elif i:
            at = max(range(at, len(found)), key=lambda k: difflib.SequenceMatcher(None, found[k], piece[0]).ratio(), default=at)
        out += found[at:at + len(piece)]
        at += len(piece)
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--write", action="store_true")
    p.add_argument("--list", action="store_true", help="only the commands")
    p.add_argument("--folder", type=pathlib.Path)
    p.add_argument("page")
    p.add_argument("build")
    o = p.parse_args()
    page = pathlib.Path(o.page)
    lines = page.read_text(encoding="utf-8").splitlines()
    bad = ran = 0
    out, done_to = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = o.folder or scratch
        os.symlink(ROOT / "tests", f"{folder}/tests")
        for kind, first, last in blocks(lines):
            out += lines[done_to:first]
            done_to = last
            for command, quoted, shown in commands(kind, lines[first:last]):
                if o.list:
                    print(command)
                    continue
                status, found, said = run(command, folder, o.build)
                ran += 1
                out += shown
                if status:
                    bad += 1
                    print(f"{page.name}: `{command}` ends with status {status}\n  {said[-400:]}")
                if quoted is None:
                    continue
                if not matches(quoted, found) and not o.write:
                    bad += 1
                    print(f"{page.name}: `{command}` prints something else; doc_commands.py --write renews the page")
                    print("\n".join("  " + x for x in difflib.unified_diff(quoted, found, "quoted", "printed", lineterm="", n=0)))
                out += renewed(quoted, found)
        out += lines[done_to:]
    if o.write and not bad:
        page.write_text("\n".join(out) + "\n", encoding="utf-8")
    if not o.list:
        print(f"{page.name}: {ran} commands, {bad} wrong")
    return bad > 0


sys.exit(main())

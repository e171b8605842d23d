"""Which cases and unit tests reach which statements: probes in the sources of a tree, and one run of everything.

A probe marks a byte of a file that the process shares from before main on: $NPU_REACH/$CASE.  So the sandbox, forks and
a death in the middle change nothing.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import case_files  # noqa: E402

PROBES = 4096
AT_ONCE = 100
PROLOGUE = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
extern int ftruncate(int, long), close(int); /* a source may have a write() of its own */
static unsigned char reach_nowhere[%(n)d], *reach_map = reach_nowhere;
__attribute__((constructor)) static void reach_open(void)
{
    char path[4096];
    const char *folder = getenv("NPU_REACH"), *name = getenv("CASE");
    if (!folder || !name)
        return;
    snprintf(path, sizeof path, "%%s/%%s", folder, name);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return;
    void *map = ftruncate(fd, %(n)d) ? MAP_FAILED : mmap(NULL, %(n)d, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map != MAP_FAILED)
        reach_map = map;
    close(fd);
}
""" % {"n": PROBES}


def places_of(text, at):
    """Where whoever runs what `at` lies in comes by: before its statement, or at the beginning of its function; outside of
    every function, and in a macro, at the beginning of all."""
    begins = [m.end() for m in re.finditer(r"^\{", text, re.M)]
    open_at = None
    for m in re.finditer(r"^[{}]", text[:at], re.M):
        open_at = m.end() if m[0] == "{" else None
    is_macro = text.startswith("#", text.rfind("\n", 0, at) + 1)
    return begins if open_at is None or is_macro else [statement_of(text, open_at, at)]


def statement_of(text, body, at):
    """Where the line begins whose whole statement `at` lies in: behind the end of another or of the head of a block, in no
    parentheses, and no deeper than what was passed on the way; the form of the sources is clang-format's.  Else `body`."""
    code = re.sub(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    depth, start = float("inf"), code.rfind("\n", 0, at) + 1
    while start > body:
        line, before = code[start:code.find("\n", start)], code[body:start].rstrip()
        indent = len(line) - len(line.lstrip())
        inside = before.count("(") - before.count(")")
        if line.strip() and not inside and indent <= depth and re.search(r"(?:;|\}|\) \{|else \{|do \{)$", before or ";") and \
                not re.match(r"\s*(?:[})#]|else\b|case\b|default\b|\w+:)", line):
            return start
        depth = min(depth, indent) if line.strip() else depth
        start = code.rfind("\n", 0, start - 1) + 1
    return body


def with_probes(text, places):
    """places: (number, offset in text)."""
    for number, at in sorted(places, key=lambda p: -p[1]):
        text = text[:at] + f" reach_map[{number}] = 1;" + text[at:]
    return PROLOGUE + text


def reached(folder):
    """name of a case or unit test -> numbers of the probes that it reached."""
    return {path.name: sorted(i for i, mark in enumerate(path.read_bytes()) if mark) for path in pathlib.Path(folder).iterdir()}


def measure(trial, sources, known):
    """sources: path -> [(number, offset)].  Rows that add up: {"names": what was run, "found": reached, "times": seconds of each
    case that passes}, of the tree with probes, which are taken out again; what is known of is not run again."""
    texts = {path: path.read_text() for path in sources}
    for path, places in sources.items():
        path.write_text(with_probes(texts[path], places))
    try:
        subprocess.run(["make", "-s", "-j2", "all"], cwd=trial.tree, env=trial.environment, check=True, capture_output=True)
        units = trial.units()
        subprocess.run(["make", "-s", "-j2", *units], cwd=trial.tree, env=trial.environment, check=True, capture_output=True)
        cases = [case.name for case in case_files.all_cases(trial.tree / "tests" / "cases") if case.name not in known]
        for i in range(0, len(cases), AT_ONCE):
            yield run_probed(trial, cases[i:i + AT_ONCE], [])
        yield run_probed(trial, [], [unit for unit in units if name_of(unit) not in known])
    finally:
        for path, text in texts.items():
            path.write_text(text)


def name_of(unit):
    """Of a unit test or a fuzz target, which no case has."""
    path = pathlib.Path(unit)
    return path.name if path.parent.name == "unit" else f"replay-{path.name}"


def run_probed(trial, cases, units):
    folder, times = trial.tree / "build" / "reached", trial.tree / "build" / "times.json"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    trial.environment["NPU_REACH"] = str(folder)
    seconds, failed = {}, []
    if cases:
        _, failed = trial.run(["tests/run", "--times", times, f"--cases={','.join(cases)}"])
        seconds = json.loads(times.read_text())
    for unit in units:
        trial.run(["env", f"CASE={name_of(unit)}", "timeout", "300", *trial.command_of(unit)])
    trial.environment.pop("NPU_REACH")
    return {"names": cases + [name_of(unit) for unit in units], "found": reached(folder),
            "times": {case: s for case, s in seconds.items() if case not in failed}}

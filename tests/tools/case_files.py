"""Where the cases of tests/run are, and what the comment of a case says.

A case is a folder tests/cases/FOLDER/NAME with a file `cmd`.  NAME is unique over all folders, so that a name finds its case.
The leading comment of `cmd` says why the output must be so; its lines `#: WORD …` are directives (see tests/run).
"""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases"


def all_cases(root=CASES):
    """The folders of all cases, sorted by name."""
    return sorted((path.parent for path in root.glob("*/*/cmd")), key=lambda case: case.name)


def find(name, root=CASES):
    """The folder of a case, ValueError if there is not exactly one."""
    found = list(root.glob(f"*/{name}/cmd"))
    if len(found) != 1:
        raise ValueError(f"{len(found)} cases are called {name}")
    return found[0].parent


def parts(case):
    """(lines of the leading comment without their marks, directives, the commands after it)."""
    lines = (case / "cmd").read_text().splitlines()
    end = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    reason = [line[1:].strip() for line in lines[:end] if not line.startswith("#:")]
    directives = [line[2:].strip() for line in lines[:end] if line.startswith("#:")]
    return reason, directives, "\n".join(lines[end:])


def commands(case):
    return parts(case)[2]

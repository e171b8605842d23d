#!/usr/bin/python3
"""Does another wording say the same numbers?

  same_numbers.py OLD NEW [FILE…]

For every file that differs between two commits (FILE: only those; else goldens out and err of tests/cases): the numbers of both in
their order, each in its unit, must be the same.  A time may be told in another unit and with fewer digits: 72792.1 us is
72.8 ms.  Numbers without a unit in brackets have the unit of the number before them.  Prints what differs; status 1 then.
"""
import re
import subprocess
import sys

UNITS = {"ps": 1e-3, "ns": 1.0, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}
NUMBER = re.compile(r"(?<![\w.])([-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)(?:\s?(ps|ns|us|µs|ms|s)\b)?|([\[\]])")


def numbers(text):
    """(value in ns or as it is, half of its last digit, whether it is a time) of each number."""
    unit, inside = None, False
    for value, own, bracket in NUMBER.findall(text):
        if bracket:
            inside = bracket == "["
            continue
        scale = UNITS[own] if own else UNITS[unit] if inside and unit else None
        unit = own or (unit if inside else None)
        digits = value.replace(",", "")
        mantissa, _, power = digits.partition("e")
        last = float(f"1e{int(power or 0) - len(mantissa.partition('.')[2])}")
        yield float(digits) * (scale or 1), last / 2 * (scale or 1), scale is not None


def differences(old, new):
    a, b = list(numbers(old)), list(numbers(new))
    if len(a) != len(b):
        yield f"{len(a)} numbers against {len(b)}"
    for (x, dx, timed), (y, dy, too) in zip(a, b):
        close = x == y or (timed and too and abs(x - y) <= (dx + dy) * 1.001)
        if not close or timed != too:
            yield f"{x:g} against {y:g}"
            return


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False).stdout


def main():
    old, new, *names = sys.argv[1:]
    changed = git("diff", "--name-only", "--diff-filter=M", old, new, "--", *(names or ["tests/cases"])).split()
    files = names or [f for f in changed if f.rsplit("/", 1)[-1] in ("out", "err")]
    wrong = [f"{f}: {d}" for f in files for d in differences(git("show", f"{old}:{f}"), git("show", f"{new}:{f}"))]
    print(*wrong, f"{len(files)} files, {len(wrong)} say other numbers", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

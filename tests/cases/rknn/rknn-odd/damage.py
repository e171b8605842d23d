#!/usr/bin/python3
"""damage.py PLAIN.txt: writes the same table as others would show it, one file each."""
import re
import sys

plain = open(sys.argv[1]).read()
lines = plain.splitlines()
head = next(i for i, x in enumerate(lines) if x.startswith("ID"))
rows = range(head + 2, head + 8)


def wrap(width):
    return "\n".join("\n".join(x[i:i + width] for i in range(0, max(len(x), 1), width)) for x in lines)


def piped(line):
    return "| " + " | ".join(re.split(r" {2,}| (?=[(\\0-9A-Z])", line.strip())) + " |"


odd = {
    "colours": "\n".join(f"\033[1;33m{x}\033[0m" for x in lines),
    "prefixed": "\n".join(f"D RKNN: [14:38:32.121] {x}" for x in lines),
    "piped": "\n".join(piped(x) if i == head or i in rows else x for i, x in enumerate(lines)),
    "wrapped": wrap(100),
    "narrow": wrap(57),
    "torn": "\n".join(re.sub(r"/(\d+) +", r"/\1    \n\n", x, count=1) if i in rows else x for i, x in enumerate(lines)),
    "noisy": "\n".join(x + ("\nE RKNN: [14:42:00.400] Unkown op target: 0" if i in rows else "") for i, x in enumerate(lines)),
    "crlf": plain.replace("\n", "\r\n"),
    "cut": "\n".join(lines[:head + 5]) + "\n",
    "headless": "\n".join(lines[head + 1:]),
    "lost": "\n".join(lines[:head + 4] + lines[head + 5:]),
    "several": plain.replace("140 ", "150 ").replace(": 1000", ": 1010") + plain + "\n".join(lines[:head + 4]),
    "worded": plain.replace("440 ", "fast "),
    "broken": "\n".join(x.replace("/", "|") if i in rows else x for i, x in enumerate(lines)),
    "empty": "I RKNN: [00:00:00.000] RKNN Runtime Information, librknnrt version: 2.3.2 (429f97ae6b)\n",
    "spaced": plain.replace("/model.2/conv/Conv", "my own conv 2"),
}
for name, text in odd.items():
    open(f"{name}.txt", "w").write(text)

#!/usr/bin/python3
"""Which figure moves what: cost figures move the prediction and nothing of the executor; silicon figures the reverse.

  figures.py costs   MODEL NAME=COUNT…   doubles one figure of <costs> at a time; COUNT, counted by hand, is how often the
                                         model pays it, so the prediction must move by COUNT times its value
  figures.py silicon MODEL NAME…         doubles one figure of npu_exec/silicon/warboy.xml at a time

NAME is a <p> name, or OP.ATTRIBUTE for the first host law of that operator, OP/from.ATTRIBUTE for the first with that
input type, e.g. Quantize/uint8.fixed_ns.  Works in a copy of programs and data files.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ["ROOT"])


def copy_of_installation():
    home = pathlib.Path(tempfile.mkdtemp(prefix="figures-"))
    (home / "build").mkdir()
    for program in ("NPU_ADVISE", "NPU_EXEC"):
        shutil.copy(os.environ[program], home / "build")
    shutil.copytree(ROOT / "rules", home / "rules")
    shutil.copytree(ROOT / "npu_exec" / "silicon", home / "npu_exec" / "silicon")
    return home


def figure_tag(text, name):
    """(match of the element, names of the attributes that hold value, low and high end)"""
    if "." not in name:
        return re.search(rf'<(?:p|term) name="{re.escape(name)}"[^>]*>', text, re.S), ["value", "lo", "hi"]
    law, attribute = name.split(".")
    op, _, source = law.partition("/")
    tag = next(m for m in re.finditer(r"<host\b[^>]*>", text, re.S)
               if f'op="{op}"' in m.group(0) and (not source or f'from="{source}"' in m.group(0)))
    stem = attribute[:-3]
    return tag, [attribute, stem + "_lo", stem + "_hi"]


def doubled(text, name):
    """(the XML with one figure doubled, both ends of its range with it; the value before)"""
    tag, names = figure_tag(text, name)
    new = tag.group(0)
    value = float(re.search(rf'\b{names[0]}="([^"]+)"', new)[1])
    for attribute in names:
        new = re.sub(rf'(\b{attribute}=")([^"]+)(")', lambda m: f"{m[1]}{float(m[2]) * 2:.12g}{m[3]}", new, count=1)
    assert new != tag.group(0), name
    return text[:tag.start()] + new + text[tag.end():], value


def observe(home, model):
    """(predicted latency in ns, bytes of the trace)"""
    trace, result = home / "trace.json", home / "result.json"
    subprocess.run([home / "build" / "npu-exec", model, "--runs", "3", "--trace", trace], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([home / "build" / "npu-advise", model, "--json", result], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return json.loads(result.read_text())["prediction"]["latency_ns"]["mid"], trace.read_bytes()


def judge(what, argument, moved_ns, value, trace_kept):
    """One line; it names the amounts only where they are wrong, so that a better figure needs no new expectation."""
    name, _, count = argument.partition("=")
    trace = "trace unchanged" if trace_kept else "trace changed"
    if what == "silicon":
        return f"{name}: prediction {'unchanged' if moved_ns == 0 else f'moved by {moved_ns} ns'}, {trace}"
    expected = float(count) * value
    if abs(moved_ns - expected) <= 1:
        return f"{name}: prediction moved by {count} x its value, {trace}"
    return f"{name}: prediction moved by {moved_ns} ns, by hand {count} x {value} = {expected} ns, {trace}"


def main():
    what, model, arguments = sys.argv[1], sys.argv[2], sys.argv[3:]
    home = copy_of_installation()
    file = home / ("rules/targets/warboy.xml" if what == "costs" else "npu_exec/silicon/warboy.xml")
    original = file.read_text()
    latency, trace = observe(home, model)
    for argument in arguments:
        text, value = doubled(original, argument.partition("=")[0])
        file.write_text(text)
        new_latency, new_trace = observe(home, model)
        print(judge(what, argument, new_latency - latency, value, new_trace == trace))
    shutil.rmtree(home)


main()

#!/usr/bin/python3
"""Which figure moves what: cost figures move the prediction and nothing of the executor; silicon figures the reverse.

  figures.py costs   MODEL NAME…      doubles one figure of <costs> at a time
  figures.py silicon MODEL NAME…      doubles one figure of npu_exec/silicon/warboy.xml at a time

NAME is a <p> name, or OP.ATTRIBUTE for the first host law of that operator and of the input type named with
OP/from.ATTRIBUTE, e.g. Quantize/uint8.fixed_ns.  Works in a copy of programs and data files.  Prints one line for each
figure: by how many ns the predicted latency moved, and whether the executor's trace kept its bytes.
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


def doubled(text, name):
    """The XML with one figure doubled, lo and hi with it, so that it stays a proper interval."""
    if "." in name:
        law, attribute = name.split(".")
        op, _, source = law.partition("/")
        tag = next(m for m in re.finditer(r"<host\b[^>]*>", text, re.S)
                   if f'op="{op}"' in m.group(0) and (not source or f'from="{source}"' in m.group(0)))
        stem = attribute[:-3]
        names = [attribute, stem + "_lo", stem + "_hi"]
    else:
        tag = re.search(rf'<p name="{re.escape(name)}"[^>]*>', text, re.S)
        names = ["value", "lo", "hi"]
    new = tag.group(0)
    for attribute in names:
        new = re.sub(rf'(\b{attribute}=")([^"]+)(")', lambda m: f"{m[1]}{float(m[2]) * 2:.12g}{m[3]}", new, count=1)
    assert new != tag.group(0), name
    return text[:tag.start()] + new + text[tag.end():]


def observe(home, model):
    """(predicted latency in ns, bytes of the trace)"""
    trace, result = home / "trace.json", home / "result.json"
    subprocess.run([home / "build" / "npu-exec", model, "--runs", "3", "--trace", trace], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([home / "build" / "npu-advise", model, "--json", result], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return json.loads(result.read_text())["prediction"]["latency_ns"]["mid"], trace.read_bytes()


def main():
    what, model, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    home = copy_of_installation()
    file = home / ("rules/targets/warboy.xml" if what == "costs" else "npu_exec/silicon/warboy.xml")
    original = file.read_text()
    latency, trace = observe(home, model)
    for name in names:
        file.write_text(doubled(original, name))
        new_latency, new_trace = observe(home, model)
        print(f"{name}: prediction {new_latency - latency:+.0f} ns, trace {'unchanged' if new_trace == trace else 'changed'}")
    shutil.rmtree(home)


main()

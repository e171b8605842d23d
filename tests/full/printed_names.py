#!/usr/bin/python3
"""Every tensor and node name that is printed is in the user's file.

  printed_names.py [--build DIR] [--networks DIR] [--list] [FOLDER…]

Each network, and each ONNX model that the scripts of the FOLDERs make, gets names of its own (tests/tools/rename_model.py), so
that a name made of one of them shows.  What `compile`, `inspect` and the advice print, in both languages, with --verify, as
text, as JSON, on the page and in the other forms, has none but those.  Status 1 when it has; 77 without models.
"""
import argparse
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
WORD = re.compile(r"[^\s\"'`,;()\[\]{}<>|\\]*_renamed[^\s\"'`,;()\[\]{}<>|\\]*")
OWN = re.compile(r"(=|\d+:|tensor:|…)?[nt]\d+_renamed([가-힣]+|=\w+|:\w*|\.)?")
FORMS = ("html", "sarif", "junit", "markdown", "ndjson", "csv")
LINES = [f"{{file}} -v --json r.json {' '.join(f'--{form} r.{form}' for form in FORMS)}", "{file} -v --verify --json v.json --html v.html",
         "{file} --lang ko -v --html k.html", "{file} --objective throughput -v --json o.json",
         "{file} --sdk 0.8 -v --json a.json --html a.html", "{file} --sdk 0.9 -v --json n.json", "{file} --target rk3588 -v",
         "apply {file} --output bundle", "compile {file} -v",
         "compile {file} --emit json", "compile {file} --operators --csv -", "inspect {file} -v", "facts {file}"]


def made_by(script, folder, build):
    """The models that a script writes into a folder of its own."""
    shutil.copytree(script.parent, folder, dirs_exist_ok=True)
    own = {p for p in folder.rglob("*.onnx")}
    subprocess.run([sys.executable, script.name], cwd=folder, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env={**os.environ, "PATH": f"{build}:{os.environ['PATH']}"})
    return sorted(set(folder.rglob("*.onnx")) - own)


def without_levers(tree):
    """A lever is what `apply` does, in its order: it may name what the one before makes."""
    if isinstance(tree, list):
        return [without_levers(x) for x in tree]
    return {k: without_levers(v) for k, v in tree.items() if k != "levers"} if isinstance(tree, dict) else tree


def shown(path):
    if path.suffix == ".html":
        return subprocess.run([ROOT / "tests/tools/page_text.py", path], capture_output=True, check=True).stdout.decode()
    return json.dumps(without_levers(json.loads(path.read_text())), ensure_ascii=False) if path.suffix == ".json" else path.read_text()


def strangers(build, model, scratch):
    """Names in what is printed and written that the model does not have, with the command that shows each."""
    for line in LINES:
        before = set(scratch.iterdir())
        done = subprocess.run([build / "npu-advise", *line.format(file=model).split()], cwd=scratch, capture_output=True, check=False)
        texts = [done.stdout.decode(), done.stderr.decode()]
        texts += [p.read_text().replace("\\_", "_") for p in sorted(scratch.glob("bundle/CHANGES.md"))]
        shutil.rmtree(scratch / "bundle", ignore_errors=True)
        for path in sorted(set(scratch.iterdir()) - before):
            texts.append(shown(path))
            path.unlink()
        for text in texts:
            yield from ((word, line) for word in WORD.findall(html.unescape(text)) if not OWN.fullmatch(word))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build", type=pathlib.Path)
    p.add_argument("--networks", default="build/networks", type=pathlib.Path)
    p.add_argument("--list", action="store_true")
    p.add_argument("folder", nargs="*", type=pathlib.Path)
    a = p.parse_args()
    build, wrong, tried = a.build.resolve(), 0, 0
    with tempfile.TemporaryDirectory() as made:
        models = sorted(a.networks.resolve().glob("*.onnx"))
        for script in (s for f in a.folder for s in sorted(f.glob("*.py"))):
            models += made_by(script, pathlib.Path(made) / script.parent.name / script.stem, build)
        for model in models:
            with tempfile.TemporaryDirectory() as scratch:
                renamed = model.with_name(model.stem + ".other.onnx")
                try:
                    if subprocess.run([ROOT / "tests/tools/rename_model.py", model, renamed], stderr=subprocess.DEVNULL, check=False).returncode:
                        print(f"{model.stem}: not read by Debian's onnx")
                        continue
                    found = sorted(set(strangers(build, renamed, pathlib.Path(scratch))))
                finally:
                    renamed.unlink(missing_ok=True)
            tried += 1
            wrong += bool(found)
            for word, line in found:
                print(f"{model.stem}: {word} in `{line[:60]}`", flush=True)
            if a.list and not found:
                print(f"{model.stem}: names of the file alone")
    print(f"{tried} models, {wrong} with a name that is not in the file")
    return 77 if not tried else 1 if wrong else 0


sys.exit(main())

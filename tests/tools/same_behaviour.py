#!/usr/bin/python3
"""Do two builds do the same?

  same_behaviour.py [--wording] OLD NEW [MODEL…]

OLD and NEW are folders with npu-advise and npu-exec, each beside the rules that it finds (build/ of two trees).  For each model
(default: build/networks) a trace, the structure, the facts, and advice in every form, in both objectives and languages, are made with
both.  What moves or merges code leaves every byte as it was.  With --wording only the numbers must be the same, in their order and each
in its unit (same_numbers.py): another wording, another unit.  Prints what differs; status 1 then.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from same_numbers import differences  # noqa: E402

NETWORKS = pathlib.Path(__file__).resolve().parents[2] / "build" / "networks"
FORMS = [word for form in ("html", "sarif", "junit", "markdown", "ndjson", "csv") for word in (f"--{form}", form)]
RUNS = {
    "trace": "npu-exec {model} --runs 30 --seed 3 --trace t.trace --json exec.json",
    "inspect": "npu-advise inspect {model} --json inspect.json",
    "compile": "npu-advise compile {model} --emit json --json lowered.json",
    "facts": "npu-advise facts {model} --trace t.trace",
    "model": "npu-advise {model} --json model.json",
    "measured": "npu-advise {model} --trace t.trace -v --json r.json " + " ".join(FORMS),
    "throughput": "npu-advise {model} --trace t.trace --objective throughput --lang ko --json ko.json --html ko.html",
    "stages": "npu-advise trace t.trace --table summary",
}


def outputs(folder, model):
    """What each run printed and wrote, by name."""
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, line in RUNS.items():
            words = line.format(model=model).split()
            done = subprocess.run([str(folder / words[0]), *words[1:]], cwd=scratch, capture_output=True, timeout=300, check=False)
            found[f"{name}: status"] = str(done.returncode).encode()
            found[f"{name}: stdout"], found[f"{name}: stderr"] = done.stdout, done.stderr
        found |= {path.name: path.read_bytes() for path in sorted(pathlib.Path(scratch).iterdir())}
    return found


def compare(old, new, wording):
    for name in sorted(set(old) | set(new)):
        a, b = (side.get(name, b"").decode(errors="replace") for side in (old, new))
        if not wording and a != b:
            line = next((n for n, (x, y) in enumerate(zip(a.splitlines(), b.splitlines()), 1) if x != y), "end")
            yield f"{name}: differs from line {line} on"
        elif wording:
            yield from (f"{name}: {d}" for d in differences(a, b))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wording", action="store_true")
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("model", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    models = [m.resolve() for m in options.model] or sorted(NETWORKS.glob("*.onnx"))
    wrong, count = [], 0
    for model in models:
        old, new = (outputs(folder.resolve(), model) for folder in (options.old, options.new))
        count += len(old)
        wrong += [f"{model.name}: {d}" for d in compare(old, new, options.wording)]
    print(*wrong, f"{len(models)} models, {count} outputs, {len(wrong)} differ", sep="\n")
    return 1 if wrong or not models or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

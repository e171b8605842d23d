#!/usr/bin/python3
"""Compares what two builds print and write.

  same_behaviour.py [--wording] [--except NAME…] OLD NEW [FILE…]

OLD and NEW are folders with npu-advise and npu-exec, each beside the rules that it finds (build/ of two trees).  A FILE is a
model (default: build/networks), a trace or a compiled graph; folders stand for the files in them.  With both builds and for
each model: a trace, the structure, the facts, and the advice without a trace, with one, and with --verify, in English and
Korean, with every output format; other files are read by `trace`, `compile` and as graphs.  A change that moves or merges code
leaves every byte as it is.  With --wording only the numbers must be equal, in their order and each in its unit
(same_numbers.py).  --except NAME leaves out the outputs of that name.  Prints what differs; status 1 then.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from same_numbers import differences  # noqa: E402

NETWORKS = pathlib.Path(__file__).resolve().parents[2] / "build" / "networks"
FORMS = [word for form in ("html", "sarif", "junit", "markdown", "ndjson", "csv") for word in (f"--{form}", f"{{label}}.{form}")]
STATES = {"bare": "", "traced": "--trace t.trace", "verified": "--trace t.trace --verify", "rate": "--trace t.trace --objective throughput"}
SHOWN = ("brief", "github", "gitlab", "explorer-predicted")


def runs_of(path):
    """name -> arguments of a program."""
    if path.suffix not in (".onnx", ".tflite"):
        return {"spans": "npu-advise trace {file}", "spans-ko": "npu-advise trace {file} --lang ko -v", "table": "npu-advise trace {file} --format json",
                "graph": "npu-advise compile {file}", "engine": "npu-advise {file} -v --json e.json --html e.html"}
    runs = {"trace": "npu-exec {file} --runs 30 --seed 3 --workers 2 --trace t.trace --json exec.json",
            "inspect": "npu-advise inspect {file} --json inspect.json",
            "compile": "npu-advise compile {file} --json lowered.json",
            "facts": "npu-advise facts {file} --trace t.trace",
            "summary": "npu-advise trace t.trace"}
    for state, words in STATES.items():
        for lang in ("en", "ko"):
            label = f"{state}-{lang}"
            line = f"npu-advise {{file}} {words} --lang {lang} -v --json {label}.json " + " ".join(FORMS).format(label=label)
            runs[label] = line
    runs |= {form: f"npu-advise show traced-en.json --format {form}" for form in SHOWN}
    runs["applied"] = "npu-advise apply {file} --trace t.trace --output bundle"
    return runs


def outputs(folder, path):
    """What each run printed and wrote, by name."""
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, line in runs_of(path).items():
            words = line.format(file=path).split()
            done = subprocess.run([str(folder / words[0]), *words[1:]], cwd=scratch, capture_output=True, timeout=600, check=False)
            found[f"{name}: status"] = str(done.returncode).encode()
            found[f"{name}: stdout"], found[f"{name}: stderr"] = done.stdout, done.stderr
        found |= {str(p.relative_to(scratch)): p.read_bytes() for p in sorted(pathlib.Path(scratch).rglob("*")) if p.is_file()}
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
    parser.add_argument("--except", dest="left_out", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("file", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    named = options.file or [NETWORKS]
    files = [p.resolve() for f in named for p in (sorted(f.rglob("*")) if f.is_dir() else [f]) if p.is_file()]
    wrong, count = [], 0

    def both(path):
        return [{k: v for k, v in outputs(build.resolve(), path).items() if k.split(":")[0] not in options.left_out}
                for build in (options.old, options.new)]

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, (old, new) in zip(files, pool.map(both, files)):
            count += len(old)
            found = [f"{path.name}: {d}" for d in compare(old, new, options.wording)]
            print(*found, sep="\n", end="\n" if found else "", flush=True)
            wrong += found
    print(f"{len(files)} files, {count} outputs, {len(wrong)} differ")
    return 1 if wrong or not files or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

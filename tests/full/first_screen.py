#!/usr/bin/python3
"""Measures what `npu-advise` prints without --verbose: at most 40 lines, and the answer among the first 12.

  first_screen.py INPUT... [--build DIR] [--forms F,...] [--lang TAG] [--show]
  first_screen.py --build DIR      51 generated networks, engines, tables and, if it is set, $NPU_ADVISE_CORPUS

INPUT is a model or a folder of models; engines come with the traces that lie beside them.  Forms: plain, trace (of 20 runs of npu-exec), verify (with the
trace), gate (a budget that fails), tune.  Prints one line per miss, then a table of states with the median and the maximum
of lines.  A miss is: more than 40 lines beside those of the gate, a headline after line 12, a line wider than 80 columns (but for a path of a command), two
lines `Next:`, none beside a plan, one that fails when it is run, an assertion that does not hold and is not shown, or a line on
stderr that does not say what is damaged or ignored.  With --lang ko also an English word on the screen or on stderr that is no
identifier: what tests/tools/korean.py allows, and the names in the model and its result.
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import unicodedata

import onnx

import subjects

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))
import korean

# Members of a result that hold names of the model or settings to copy.
NAMED = {"node", "nodes", "tensor", "tensors", "op", "ops", "name", "path", "steps", "input", "output", "layer", "kind", "id", "command", "run", "file", "record"}
MAX_LINES, MAX_MEDIAN, MAX_HEAD, COLUMNS = 40, 28, 12, 80
FORMS = "plain,trace,verify,gate"
OPTIONS = {"plain": [], "trace": [], "verify": ["--verify"], "gate": ["--budget", "latency_ns=1us", "--budget", "host_steps=0", "--budget", "throughput_per_s=1000000"], "tune": []}
# What a file lacks, or has wrong; a file that is refused has nothing else to say.
LOST = re.compile(r"do not agree|does not allow|imports no opset|is larger than the input|nothing to run|known cost|missing|ignored|left out|not there|unknown|not a |damaged|no trace|of another build|has no times|no file has times|not known|cannot|truncated|skipped|assumed|incomplete")


def width(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def state_of(result):
    """The name of the state, with the fact that makes it one."""
    if result.get("compiled"):
        return "compiled graph"
    plan = next((p for p in result["plans"] if p["recommended"]), None)
    if plan and plan["bundle"].get("refused"):
        return "refused plan"  # `apply` cannot write it
    if plan:
        return "plan, two routes" if len(result["plans"]) > 1 else "plan"
    return "by hand" if result["by_hand"] else "no plan"


def names_of(value, key=None):
    """The words of all names in a result."""
    if isinstance(value, dict):
        for k, v in value.items():
            yield from names_of(v, k)
    elif isinstance(value, list):
        for v in value:
            yield from names_of(v, key)
    elif isinstance(value, str) and key in NAMED:
        yield from re.findall(r"[A-Za-z]+", value)


def names_in(model):
    """The words of the names in an ONNX model; a damaged one has none."""
    try:
        whole = onnx.load(model, load_external_data=False)
    except Exception:  # what a parser of hostile files raises
        return
    for text in re.findall(r": \"([^\"]*)\"", re.sub(r'raw_data: "[^"]*"', "", str(whole))):
        yield from re.findall(r"[A-Za-z]+", text)


class Screen:
    """One run of the program, and what is wrong with its screen."""

    def __init__(self, model, form, run, result, lang=None):
        self.name, self.form, self.run, self.result, self.lang = model.name, form, run, result, lang
        self.model = model
        self.lines = run.stdout.splitlines()
        self.gate = self.gate_lines()
        self.count = len(self.lines) - len(self.gate)
        self.state = state_of(result) if result else "no result"

    def gate_lines(self):
        """The lines of assertions: indented more than any other after the status of the gate."""
        begin = next((i for i, x in enumerate(self.lines) if re.match(r"(gate|게이트)\b", x, re.I)), None)
        if begin is None:
            return []
        end = begin + 1
        while end < len(self.lines) and self.lines[end].startswith(" " * 10):
            end += 1
        return self.lines[begin:end]

    def headline(self):
        """The number of the line that holds the answer."""
        rest = [x for x in self.lines if x not in self.gate]
        plan = next((i for i, x in enumerate(rest) if re.match(r"(Recommended|추천):", x)), None)
        if plan is not None:
            return plan + 1
        blank = next((i for i, x in enumerate(rest) if not x), None)
        return len(rest) + 1 if blank is None else blank + 2

    def next_commands(self):
        text = re.sub(r" \\\n +", " ", self.run.stdout)
        return re.findall(r"^ *(?:Next|다음): +(.+)$", text, re.M)

    def misses(self):
        if self.run.returncode < 0 or self.run.returncode > 3:
            yield "status %d" % self.run.returncode
        if not self.result:
            return
        if self.count > MAX_LINES:
            yield "%d lines" % self.count
        if self.headline() > MAX_HEAD:
            yield "headline at line %d" % self.headline()
        wide = [x for x in self.lines if width(x) > COLUMNS and len(x.rstrip(" \\").split()) > 1]
        if wide:
            yield "%d wide lines: %s" % (len(wide), wide[0][:60])
        yield from self.next_misses()
        yield from self.gate_misses()
        if self.lang == "ko":
            yield from self.english_words()
        else:
            yield from ("stderr: " + x for x in self.run.stderr.splitlines() if not LOST.search(x))

    def english_words(self):
        text = re.sub(r" \\\n +", " ", self.run.stdout + self.run.stderr)
        names = {*names_of(self.result), *names_in(self.model), *re.findall(r"[A-Za-z]+", self.name)}
        yield from (f"English: {word}" for word in dict.fromkeys(korean.words_in(text.splitlines(), names)))

    def next_misses(self):
        commands, most = self.next_commands(), 1
        if len(commands) > most or (self.state.startswith("plan") and not commands):
            yield "%d lines Next:" % len(commands)

    def gate_misses(self):
        shown = " ".join(" ".join(self.gate).split())
        for x in self.result["gate"]["assertions"]:
            if not x["pass"] and x["name"] not in shown:
                yield "assertion %s is not shown" % x["name"]


class Runner:
    def __init__(self, build, folder, lang):
        self.advise, self.exec, self.folder = str(build / "npu-advise"), str(build / "npu-exec"), folder
        self.lang = ["--lang", lang] if lang else []

    def run(self, *command):
        return subprocess.run([str(x) for x in command], capture_output=True, text=True, errors="replace", cwd=self.folder, check=False)

    def trace_of(self, model):
        trace = self.folder / "trace.json"
        trace.unlink(missing_ok=True)
        return self.run(self.exec, model, "--runs", "20", "--trace", trace).returncode == 0 and trace.exists()

    def screen(self, model, form, traces=None):
        result = self.folder / "result.json"
        result.unlink(missing_ok=True)
        recorded = traces if traces is not None else ["trace.json"] if form in ("trace", "verify", "gate") else []
        trace = [x for t in recorded for x in ("--trace", t)]
        done = self.run(self.advise, *(["tune"] if form == "tune" else []), model, *trace, *OPTIONS[form], *self.lang, "--json", result)
        parsed = json.loads(result.read_text()) if result.exists() else None
        return Screen(pathlib.Path(self.folder, model), form, done, parsed, self.lang[-1] if self.lang else None)

    def next_fails(self, screen):
        """The first command that does not run, with its message."""
        for command in screen.next_commands():
            words = shlex.split(command)
            done = self.run(self.advise, *words[1:])
            shutil.rmtree(self.folder / "fixed", ignore_errors=True)
            if done.returncode and not ("--budget" in words and done.returncode == screen.run.returncode):  # the gate ends as before
                return "%s: %d %s" % (command, done.returncode, done.stderr.strip()[:200])
        return None


def screens(runner, inputs, forms):
    for model in inputs:
        traced = set(forms) & {"trace", "verify", "gate"} and runner.trace_of(model)
        for form in forms:
            if form in ("plain", "tune") or traced:
                yield runner.screen(model, form)


def copied(folder, graph, traces):
    """Where people run the program: beside the files, whose names are short."""
    place = pathlib.Path(graph.parent.name)
    (folder / place).mkdir(exist_ok=True)
    for x in (graph, *traces):
        if not (folder / place / x.name).exists():
            shutil.copy(x, folder / place)
    return place / graph.name, [place / t.name for t in traces]


def compiled_screens(runner, forms):
    """Engines and tables with the times that belong to them; these cannot be run."""
    places = [copied(runner.folder, graph, traces) for graph, traces in subjects.engines(runner.folder)]
    places += [copied(runner.folder, x, []) for x in [*subjects.tables(runner.folder), *subjects.programs()]]
    for graph, traces in places:
        for form in set(forms) & {"plain", "gate"}:
            yield runner.screen(graph, form, traces)


def files_of(inputs):
    """The models and tables below the folders."""
    for x in inputs:
        path = pathlib.Path(x).resolve()
        yield from [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in (".onnx", ".tflite", ".dfg", ".enf"))


def default_inputs(build):
    corpus = os.environ.get("NPU_ADVISE_CORPUS")
    return [build / "networks", build / "published", *([pathlib.Path(corpus) / "models"] if corpus else [])]


def print_table(counts):
    for state, lines in sorted(counts.items()):
        print("%-28s %5d screens, lines: median %.1f, maximum %3d" % (state, len(lines), statistics.median(lines), max(lines)))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("input", nargs="*")
    p.add_argument("--build", default="build", type=pathlib.Path)
    p.add_argument("--forms", default=FORMS)
    p.add_argument("--lang")
    p.add_argument("--show", action="store_true", help="print each screen that misses")
    a = p.parse_args()
    counts, bad = collections.defaultdict(list), 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(a.build.resolve(), pathlib.Path(folder), a.lang)
        forms, inputs = a.forms.split(","), a.input or default_inputs(a.build)
        made = [] if a.input else list(subjects.exported(runner.folder))
        rest = [] if a.input else compiled_screens(runner, forms)
        for s in itertools.chain(screens(runner, [*files_of(inputs), *made], forms), rest):
            misses = list(s.misses())
            failed = runner.next_fails(s)
            misses += ["Next: " + failed] if failed else []
            counts[s.state].append(s.count)
            if s.result:
                counts["all"].append(s.count)
            bad += bool(misses)
            for m in misses:
                print("%s, %s: %s" % (s.name, s.form, m), flush=True)
            if misses and a.show:
                print("".join("    | %s\n" % x for x in s.lines))
    print_table(counts)
    median = statistics.median(counts["all"] or [0])
    if median > MAX_MEDIAN:
        print("the median is %g lines, more than %d" % (median, MAX_MEDIAN))
    print("%d of %d screens miss" % (bad, sum(map(len, counts.values())) - len(counts["all"])))
    return bad > 0 or median > MAX_MEDIAN


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Mutation run: breaks one thing at a time and demands that a test notices.

  tests/full/mutations.py [--of N] [--only TEXT] [--every] [--near] [--list] [--build DIR] [--trust]

  --of N        each N-th mutant of the list, from the first (default 25; 1: all, which takes hours, and with --only the default)
  --only TEXT   the mutants whose line (FILE[:LINE]: WHAT) has the text, or one of several: A,B
  --every       each condition and constant, not the middle ones of a file
  --near        only the cases to try first and the unit tests: quick, and what survives may still fail another case
  --list        only names the mutants
  --trust       the unchanged tree is known to pass
  --random N    instead: N mutants drawn blindly from every token of every source (--seed S): a comparison, a sign, a
                constant, a condition or what joins two, a return, a call left out; what does not compile is drawn again.
                Those that tests/full/equivalent argues to change nothing that can be seen are drawn again too, and counted;
                and those of which the compiler makes the same code.  Tried are the cases and unit tests that reach the
                statement, as probes before it tell, and pass with them (of what is in none, those that reach any of its file): the short
                ones on every mutant, then the long ones on those that are left, then `make check-sanitized`.
                BUILD/mutants-SEED.jsonl says what was tried; a run that was ended goes on from there, on the same sources; a
                mutant that tests/full/equivalent argues by then is replaced by the next.

Mutants: every rule's trigger negated; every rule's trigger emptied; every pass emptied; in every file that SOURCES names
one condition negated and one branch dropped, in those that compute figures one constant and one result scaled (the
middle ones, so that the choice needs no luck and no list); every figure of a target scaled.  Each is tried first on the
cases that are about what it breaks: those that noticed the mutants of this file before, those of the rule, of the rules
that read what the pass finds, or of the file's name; then on the unit tests and all cases.  A mutant that survives them
is printed and fails the run; one that does not compile is no mutant, and is counted apart.  Standard error says of the
others what noticed them.  Closes with the counts of each module.  Works in a copy of the tree, which is left as it was.
BUILD/mutants.jsonl keeps each verdict: a run that was ended goes on from there, on the same files.
"""
import argparse
import collections
import contextlib
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

import reach

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import case_files  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTOR = 1.5
UNIT_TESTS_END_S = 600
# Of a mutant in circles; the longest case takes a third of it.
CASE_END_S = 90
# The cases that `make check-sanitized` repeats: (options of the sanitizers, filter).
SANITIZED = re.findall(r"@(?:(ASAN_OPTIONS=\S+) )?tests/run --build \$\(BUILD\)/debug --filter (\S+)", (ROOT / "Makefile").read_text())
# See the target `units` there.
LEAKS_UNASKED = "ASAN_OPTIONS=detect_leaks=0"
# What the short cases of a mutant take together, one after the other.
NEAR_S = 30


def triggers(text, every):
    match = re.search(r'<when\b[^>]*?\beach="([^"]*)"', text, re.S)
    if not match:
        return
    xpath = match.group(1)
    variants = [("trigger emptied", "/facts/nothing")]
    parts = split_last_predicate(xpath)
    if parts:
        variants.append(("trigger negated", f"{parts[0]}[not({parts[1]})]"))
    for what, other in variants:
        yield match.start(1), match.end(1), what, other


def split_last_predicate(xpath):
    """'/a/b[c][d]' -> ('/a/b[c]', 'd'), or None when it does not end in a predicate."""
    if not xpath.endswith("]"):
        return None
    depth = 0
    for i in range(len(xpath) - 1, -1, -1):
        depth += {"]": 1, "[": -1}.get(xpath[i], 0)
        if depth == 0:
            return xpath[:i], xpath[i + 1:-1]
    return None


def figures(text, every):
    """A value with both ends of its range; a version is none."""
    for tag in re.finditer(r'<(?:p name|host op)="([^"]*)"[^>]*>', text):
        for stem, ends in (("value", ("lo", "hi")), ("fixed_ns", ("fixed_lo", "fixed_hi")),
                           ("per_unit_ns", ("per_unit_lo", "per_unit_hi"))):
            new = tag.group(0)
            for attribute in (stem, *ends):
                new = re.sub(rf'( {attribute}=")([0-9.e+-]+)(")', lambda m: f"{m[1]}{scaled_number(m[2])}{m[3]}", new)
            if new != tag.group(0) and 'unit="sdk"' not in new:
                yield tag.start(), tag.end(), f"{tag.group(1)} {stem} scaled", new


def scaled_number(text):
    value = float(text) * FACTOR
    return str(round(value)) if text.isdigit() and value > 1 else f"{value:.12g}"


def emptied(text, every):
    body = re.search(r"^static void run\(.*?\)\n\{\n", text, re.M | re.S)
    if body:
        arguments = re.findall(r"\*?(\w+)(?=[,)])", body.group(0))
        silence = "".join(f"(void){a};" for a in arguments)
        yield body.end(), body.end(), "emptied", f"    if (1) {{ {silence} return; }}\n"


def conditions(text, every):
    """Of plain if statements."""
    found = []
    for match in re.finditer(r"^[ \t]+(?:\} else )?if \(", text, re.M):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.append((match.end(), end - 1))
    for start, end in chosen(found, 1 / 2, every):
        yield start, end, "condition negated", f"!({text[start:end]})"
    for start, end in chosen(found, 1 / 3, every):
        yield start, end, "branch dropped", f"0 && ({text[start:end]})"


def scales(text, every):
    """Constants that are no whole numbers or that have a name, and what functions of numbers return."""
    code = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    number = r"(?<![\w.])(\d+\.\d+(?:e[+-]?\d+)?|\d+e[+-]?\d+)(?![\w.])"
    constants = [m.span(1) for pattern in (number, r"^#define \w+ +([1-9]\d*)\s*$")
                 for m in re.finditer(pattern, code, re.M) if float(m[1])]
    for start, end in chosen(sorted(constants), 1 / 2, every):
        yield start, end, f"constant {text[start:end]} scaled", f"({FACTOR} * {text[start:end]})"
    results = []
    for function in re.finditer(r"^(?:static )?(?:double|u?int64_t) \w+\([^;{]*\)\n\{\n(.*?)^\}", code, re.M | re.S):
        results += [(function.start(1) + m.start(1), function.start(1) + m.end(1))
                    for m in re.finditer(r"\breturn ([^;]+);", function.group(1)) if not m[1].strip("-").isdigit()]
    for start, end in chosen(results, 1 / 2, every):
        yield start, end, "result scaled", f"{FACTOR} * ({text[start:end]})"


def chosen(found, place, every):
    return found if every or not found else [found[int(len(found) * place)]]


Source = collections.namedtuple("Source", "files mutators first full", defaults=[None, False])
CODE, FIGURES = [conditions], [conditions, scales]
# `first`: parts of the names of the cases to try first, where the file's name does not tell; `full`: those of them too
# that only check-full runs.
SOURCES = [
    Source("rules/NPU*.xml", [triggers]),
    Source("rules/TRT*.xml", [triggers]),
    Source("rules/PRG*.xml", [triggers]),
    Source("rules/targets/*.xml", [figures], "figures-,facts-,inspect-,compile-opset,validate-,npu101,npu201,npu107", True),
    Source("passes/*.c", [emptied, conditions]),
    Source("cost_model/*.c", FIGURES, "figures-costs,target-,facts-,npu1,npu9,evidence-,tried-no-gain,levers-,calibrat,validate-few"),
    Source("trace/readers/engine*.c", CODE, "engine-,trt"),
    Source("trace/*/*.c", CODE, "trace-"),
    Source("graph/compile/machine.c", CODE, "target-,compile-"),
    Source("graph/base/language.c", FIGURES, "lang-,korean"),
    Source("graph/onnx/onnx_[!w]*.c", CODE, "load-,apply,inspect-"),
    Source("graph/onnx/onnx_w*.c", CODE, "apply"),
    Source("graph/import/*.c", CODE, "compile-import,engine-,trt,prg"),
    Source("advisor/advise/compiled/*.c", FIGURES, "compile-import,engine-,trt,prg"),
    *(Source(f"advisor/**/{core}.c", FIGURES, "npu1,-fires,-no-trace,thresholds,levers-,workers,single-point,gain-,combined-,"
             "tried-no-gain,advice-latency,verdict-,user-rule")
      for core in ("whatif", "removal_bound", "variant", "outcome", "plan", "verdict", "proposal", "phrase", "factors", "plain", "match", "rule", "rule_book")),
    *(Source(f"advisor/**/{core}.c", FIGURES, "-loses,tried-no-gain,healthy,runner-,samples-,npu204-,npu510,gate-")
      for core in ("verify", "sample", "latency_samples", "request", "process")),
    *(Source(f"advisor/**/{reader}.c", CODE, "gate-,hostile-,calibrat,validate-")
      for reader in ("config", "baseline", "points", "json_read", "gate", "gate_budget", "gate_metrics", "gate_regression")),
    Source("npu_exec/values/*.c", CODE, "exec-values"),
    Source("npu_exec/session/recorder*.c", CODE, "exec-"),
]


MODULES = ("graph", "trace", "cost_model", "passes", "advisor", "npu_exec")
OPPOSITE = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-", "-": "+", "&&": "||", "||": "&&"}


def tokens(text):
    """(start, end, what, other) of every token that can be changed; comments, strings and includes are none."""
    code = re.sub(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^#\s*(?:include|pragma|if|endif|else|ifdef|ifndef).*?$",
                  lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M)
    for m in re.finditer(r"(?<= )(==|!=|<=|>=|<|>|\+|-|&&|\|\|)(?= )", code):
        kind = "comparison" if m[1] in ("==", "!=", "<", "<=", ">", ">=") else "sign" if m[1] in "+-" else "condition"
        yield *m.span(), f"{kind} {m[1]} made {OPPOSITE[m[1]]}", OPPOSITE[m[1]]
    for m in re.finditer(r"(?<![\w.\]])(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w.])", code):
        other = f"({FACTOR} * {m[1]})" if "." in m[1] or "e" in m[1] else str(int(m[1]) + 1)
        yield *m.span(), f"constant {m[1]} made {other}", other
    for start, end, what, other in conditions(code, True):
        if what == "condition negated":
            yield start, end, what, f"!({text[start:end]})"
    for m in re.finditer(r"\breturn ([^;{}]+);", code):
        other = "1" if m[1].strip() in ("0", "false", "NULL", "STATUS_OK") else "0"
        yield *m.span(1), f"return made {other}", other
    for m in re.finditer(r"^[ \t]+(?!return\b|if\b|while\b|for\b|else\b|do\b)[A-Za-z_]\w*\((?:[^;{}]*)\);$", code, re.M):
        yield *m.span(), "call left out", ";"


def argued(tree):
    """What tests/full/equivalent says of mutants: 'FILE: WHAT: line of the source' -> why nobody could see it."""
    path = tree / "tests" / "full" / "equivalent"
    pairs = [line.split(" -- ", 1) for line in path.read_text().splitlines() if " -- " in line and not line.startswith("#")]
    return {key.strip(): why for key, why in pairs}


def sanitized(unit):
    return unit.replace("build/", "build/debug/", 1)


Mutant = collections.namedtuple("Mutant", "path label places text")


def drawn(tree, seed):
    """Mutants without end, each once: the same for the same sources and seed; of each its line in tests/full/equivalent."""
    found = []
    for path in sorted(p for module in MODULES for p in (tree / module).rglob("*.c")):
        text = path.read_text()
        found += [(path, *token) for token in tokens(text)]
    random.Random(seed).shuffle(found)
    for path, start, end, what, other in found:
        text = path.read_text()
        line = text.count(chr(10), 0, start)
        column = start - text.rfind(chr(10), 0, start)
        source = text.splitlines()[line].strip()
        name = path.relative_to(tree)
        yield (Mutant(path, f"{name}:{line + 1}:{column}: {what}: {source}", reach.places_of(text, start), text[:start] + other + text[end:]),
               f"{name}: {what}: {source}")


class Journal:
    """What was found out before, one JSON value a line, so that a run that was ended goes on where it was."""

    def __init__(self, path):
        self.path = path
        self.rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def add(self, row):
        self.rows.append(row)
        with self.path.open("a") as out:
            out.write(json.dumps(row) + "\n")

    def of(self, kind):
        return [row for row in self.rows if row["kind"] == kind]


def sample_of(trial, n, seed, journal):
    """The first n of the drawing that compile, and not to what was there before, and are not argued away."""
    known, found, left_out = argued(trial.tree), [], collections.Counter()
    before = {row["label"]: row["verdict"] for row in journal.of("drawn")}
    for mutant, key in drawn(trial.tree, seed):
        if len(found) == n:
            break
        if key not in known and mutant.label not in before:
            before[mutant.label] = trial.compiled(mutant)
            journal.add({"kind": "drawn", "label": mutant.label, "verdict": before[mutant.label]})
        verdict = "argued to be equivalent" if key in known else before[mutant.label]
        if verdict == "taken":
            found.append(mutant)
        else:
            left_out[verdict] += 1
    return found, left_out


def reach_of(trial, sample, journal):
    """(label of each mutant -> who comes by its places; seconds of each case), measured once."""
    everything = {case.name for case in case_files.all_cases(trial.tree / "tests" / "cases")} | {reach.name_of(unit) for unit in trial.units()}
    known = collections.defaultdict(set)
    for row in journal.of("reach"):
        for label in row["of"]:
            known[label].update(row["names"])
    new = [mutant for mutant in sample if everything - known[mutant.label]]
    if new:
        sources = collections.defaultdict(list)
        for i, mutant in enumerate(new):
            sources[mutant.path] += [(i, at) for at in mutant.places]
        for row in reach.measure(trial, sources, set.intersection(*(known[mutant.label] for mutant in new))):
            found = {name: [new[i].label for i in marks] for name, marks in row["found"].items()}
            journal.add({"kind": "reach", **row, "found": found, "of": [mutant.label for mutant in new]})
    who, times = collections.defaultdict(list), {}
    for row in journal.of("reach"):
        times.update(row["times"])
        for name, labels in row["found"].items():
            for label in labels:
                who[label].append(name)
    return who, times


def cases_of(trial, mutant, who, times):
    """(the short ones, the long ones), each the quickest first."""
    before = trial.noticed_before[mutant.path]
    cases = sorted((c for c in times if c in who), key=lambda c: (c not in before, times[c]))
    cut = sum(total <= NEAR_S for total in itertools.accumulate(times[c] for c in cases))
    return cases[:cut], cases[cut:]


def try_mutant(trial, mutant, who, times, stage):
    """What noticed it, "" when nothing did.  Stages: the short cases and the unit tests, the long cases, the sanitizers."""
    if stage == "sanitizers":
        return trial.failing_sanitized(mutant, who) if who else ""
    cases = cases_of(trial, mutant, who, times)[stage == "long"]
    units = [u for u in trial.units() if reach.name_of(u) in who] if stage == "short" else []
    if not cases and not units:
        return ""
    with trial.mutated(mutant):
        if not trial.builds():
            raise SystemExit(f"{mutant.label}: does not link")
        quick = [unit for unit in units if unit.startswith("build/fuzz")]
        found = trial.failing_unit(quick) or trial.failing_case(cases) or trial.failing_unit([u for u in units if u not in quick])
    if found and found in times:
        trial.noticed_before[mutant.path].append(found)
    return found


STAGES = ("short", "long", "sanitizers")


def run_random(trial, n, seed, journal):
    sample, left_out = sample_of(trial, n, seed, journal)
    who, times = reach_of(trial, sample, journal)
    tried = {(row["label"], row["stage"]): row["by"] for row in journal.of("tried")}
    noticed = {label: by for (label, _), by in tried.items() if by}
    for stage in STAGES:
        for mutant in sample:
            if mutant.label in noticed or (mutant.label, stage) in tried:
                continue
            by = try_mutant(trial, mutant, who[mutant.label], times, stage)
            journal.add({"kind": "tried", "label": mutant.label, "stage": stage, "by": by})
            if by:
                noticed[mutant.label] = by
        print(f"after {stage}: {sum(m.label in noticed for m in sample)} of {len(sample)} noticed", flush=True)
    for mutant in sample:
        by = noticed.get(mutant.label)
        print(f"noticed {mutant.label} ({by})" if by else f"SURVIVED {mutant.label}" + ("" if who[mutant.label] else " (nothing reaches it)"))
    made, good = len(sample), sum(m.label in noticed for m in sample)
    print(f"{made} drawn with seed {seed}: {good} noticed ({100 * good / max(made, 1):.0f} %), {made - good} survived; "
          + ", ".join(f"{count} {verdict}" for verdict, count in sorted(left_out.items())))
    return 0 if made and good >= 0.85 * made else 1


def mutants(tree, every):
    """(path, label, text of the mutant, parts of the names of the cases to try first, whether full ones too); a file is of
    the first source that names it."""
    seen = set()
    for source in SOURCES:
        paths = [path for path in sorted(tree.glob(source.files)) if path not in seen]
        assert paths, f"no file is called {source.files}"
        seen.update(paths)
        for path in paths:
            text, first = path.read_text(), source.first
            for mutator in source.mutators:
                for start, end, what, other in mutator(text, every):
                    line = f":{text.count(chr(10), 0, start) + 1}" if path.suffix == ".c" else ""
                    yield (path, f"{path.relative_to(tree)}{line}: {what}", text[:start] + other + text[end:],
                           first.split(",") if first else likely_cases(path), source.full)


def likely_cases(path):
    """Parts of the names of cases that are about this file, for --filter."""
    if path.suffix == ".xml":
        return [path.name.split("-")[0].lower()]
    users = [f for f in sorted(path.parent.glob("*.c")) if f'/{path.stem}.h"' in f.read_text()]
    found = set(re.findall(r'"([a-z][a-z-]+)"', "".join(f.read_text() for f in [path, *users])))
    readers = [rule for rule in sorted((path.parents[1] / "rules").glob("NPU*.xml"))
               if found & set(re.findall(r"@(?:kind|about|layout|layout-reason) = '([a-z-]+)'", rule.read_text()))]
    return [path.stem.replace("_", "-"), "facts-"] + [rule.name.split("-")[0].lower() for rule in readers]


class Trial:
    """Builds and tests the copy of the tree."""

    def __init__(self, tree):
        self.tree = tree
        self.environment = dict(os.environ, CFLAGS="-Wno-error -w")
        if shutil.which("ld.lld"):  # what only a debugger reads takes most of the time of a link
            self.environment.setdefault("LDFLAGS", "-fuse-ld=lld -Wl,-S")
        self.noticed_before = collections.defaultdict(list)
        self.sanitized_ready = False

    def run(self, command):
        done = subprocess.run(command, cwd=self.tree, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace")
        return done.returncode, re.findall(r"^FAILED (\S+)", done.stdout, re.M)

    def code_of(self, path):
        """What the compiler made of a source, without what only a debugger reads."""
        made = self.tree / "build" / "obj" / path.relative_to(self.tree).with_suffix(".o")
        if not made.exists():
            return None
        bare = made.with_suffix(".bare")
        subprocess.run(["objcopy", "--strip-debug", made, bare], check=True)
        return bare.read_bytes()

    def builds(self):
        return self.run(["make", "-s", "-j2", "all"])[0] == 0

    @contextlib.contextmanager
    def mutated(self, mutant, build="build"):
        """The tree with the mutant in it; gives its object file.  Afterwards the source and its object are what they were."""
        made = self.tree / build / "obj" / mutant.path.relative_to(self.tree).with_suffix(".o")
        aside, original = made.with_suffix(".aside"), mutant.path.read_text()
        shutil.copy2(made, aside)
        mutant.path.write_text(mutant.text)
        try:
            yield made
        finally:
            mutant.path.write_text(original)
            aside.replace(made)
            os.utime(made)

    def compiled(self, mutant):
        """"taken", or why this is no mutant."""
        code = self.code_of(mutant.path)
        with self.mutated(mutant) as made:
            if self.run(["make", "-s", made.relative_to(self.tree)])[0]:
                return "did not build"
            return "compiled to the same" if self.code_of(mutant.path) == code else "taken"

    def units(self):
        """The fuzz targets with what is kept for each, which are quick, then the unit tests."""
        fuzz = [f"build/fuzz/{path.stem}" for path in sorted((self.tree / "tests" / "fuzz").glob("*.c"))]
        return fuzz + [f"build/unit/{path.stem}" for path in sorted((self.tree / "tests" / "unit").glob("test_*.c"))]

    def command_of(self, unit, built=str):
        if unit.startswith("build/unit"):
            return [built(unit)]
        kept, target = self.tree / "build" / "kept", pathlib.Path(unit).name
        if not (kept / target).is_dir():
            subprocess.run(["tests/fuzz/kept", "unpack", kept], cwd=self.tree, check=True)
        return [built(unit), *sorted(str(path.relative_to(self.tree)) for path in (kept / target).iterdir())]

    def failing_case(self, cases):
        """The first of these cases that fails, and fails again; "" when none does."""
        while cases:
            status, failed = self.run(["tests/run", "--first-failure", f"--seconds={CASE_END_S}", f"--cases={','.join(cases)}"])
            assert failed or not status, f"{cases} say nothing"
            if not failed:
                break
            if self.run(["tests/run", f"--seconds={CASE_END_S}", f"--cases={failed[0]}"])[0]:
                return failed[0]
            cases = [case for case in cases if case != failed[0]]
        return ""

    def failing_unit(self, units):
        for unit in units:
            status, _ = self.run(["make", "-s", unit])
            if status or self.run(["timeout", "--kill-after=5", str(CASE_END_S), *self.command_of(unit)])[0]:
                return reach.name_of(unit)
        return ""

    def failing_sanitized(self, mutant, who):
        """What of `make check-sanitized` fails: a kept input of a fuzz target, a unit test, or the first of its cases."""
        self.be_sanitized()
        units = [unit for unit in self.units() if reach.name_of(unit) in who]
        with self.mutated(mutant, "build/debug"):
            if self.run(["make", "-s", "-j2", "DEBUG=1", "all", *map(sanitized, units)])[0]:
                raise SystemExit(f"{mutant.label}: does not link with sanitizers")
            for unit in units:
                leaks = LEAKS_UNASKED if reach.name_of(unit) == "test_exec_onednn" else ""
                if self.run(["env", *filter(None, [leaks]), "timeout", "--kill-after=5", str(UNIT_TESTS_END_S), *self.command_of(unit, sanitized)])[0]:
                    return f"{reach.name_of(unit)} with sanitizers"
            return next((failed[0] for _, failed in map(self.run, self.sanitized_cases(who)) if failed), "")

    def be_sanitized(self):
        """Builds all of it once, and sees that it passes."""
        if not self.sanitized_ready:
            everything = {case.name for case in case_files.all_cases(self.tree / "tests" / "cases")}
            if self.run(["make", "-s", "-j2", "DEBUG=1", "all", "units", "replay"])[0] or any(self.run(c)[0] for c in self.sanitized_cases(everything)):
                raise SystemExit("the unchanged tree fails with sanitizers; mend that first")
            self.sanitized_ready = True

    def sanitized_cases(self, who):
        """A command for each of the Makefile's, with those of its cases that reach the mutant."""
        for how, parts in SANITIZED:
            cases = sorted(name for name in who if not name.startswith(("test_", "replay-")) and any(part in name for part in parts.split(",")))
            if cases:
                yield ["env", *filter(None, [how]), "tests/run", "--first-failure", "--build", "build/debug", f"--cases={','.join(cases)}"]

    def noticed_by(self, about, filters, full=False, near=False):
        """The cases or the unit test that fail; empty when none does."""
        before = self.noticed_before[about]
        names = [case.name for case in case_files.all_cases(self.tree / "tests" / "cases")]
        filters = [",".join(parts) for parts in (before, filters) if any(part in name for part in parts for name in names)]
        runs = [["tests/run", "--first-failure", f"--filter={parts}"] + ["--full"] * full for parts in filters]
        runs += [["timeout", "--kill-after=5", str(UNIT_TESTS_END_S), "make", "-s", "units"]]
        runs += [] if near else [["tests/run", "--first-failure"]]
        for command in runs:
            status, failed = self.run(command)
            if status:
                assert failed or command[0] != "tests/run", f"{command} says nothing"
                before += [case for case in failed if case not in before]
                return failed or [command[-1]]
        return []


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--near", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--trust", action="store_true")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default=str(ROOT / "build"))
    return parser.parse_args()


def copy_of_tree(build):
    """With what is built of it, which takes longer than the copy."""
    tree = pathlib.Path(build).resolve() / "mutants"
    if tree.exists():
        shutil.rmtree(tree)
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", "build", "node_modules", "__pycache__"))
    for made in ("networks", "obj", "gen", "known", "debug"):
        if (ROOT / "build" / made).exists():
            shutil.copytree(ROOT / "build" / made, tree / "build" / made)
    for module in MODULES:
        shutil.copytree(tree / module, tree / "build" / "unchanged" / module)
    return tree


def tree_again(build):
    """The copy that an earlier run worked in and may have been ended in the middle of a change."""
    tree = pathlib.Path(build).resolve() / "mutants"
    for path in sorted((tree / "build" / "unchanged").rglob("*.c")):
        source = tree / path.relative_to(tree / "build" / "unchanged")
        if source.read_bytes() != path.read_bytes():
            shutil.copyfile(path, source)
    for aside in (tree / "build" / "obj").rglob("*.aside"):
        aside.unlink()
    return tree


def journal_of(options):
    return pathlib.Path(options.build).resolve() / f"mutants-{options.seed}.jsonl"


def state_of(tree):
    """A digest of all files of the copy that are not built."""
    digest = hashlib.sha256()
    for path in sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_relative_to(tree / "build")):
        digest.update(str(path.relative_to(tree)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def verdict_of(trial, mutant, near):
    """(verdict, what noticed it)"""
    path, _, text, first, full = mutant
    original = path.read_text()
    path.write_text(text)
    builds = trial.builds()
    noticed = trial.noticed_by(path, first, full, near) if builds else []
    path.write_text(original)
    return "noticed" if noticed else "survived" if builds else "did not build", noticed[:1]


def main():
    options = arguments()
    if options.list:
        for _, label, *_ in mutants(ROOT, options.every):
            print(label)
        return 0
    goes_on = options.random and journal_of(options).exists()
    trial = Trial((tree_again if goes_on else copy_of_tree)(options.build))
    trial.run(["make", "-s", "-j2", "all"] if options.random else ["make", "-s", "-j2", "all", "units"])  # so that a mutant's time is its own
    journal, state = Journal(pathlib.Path(options.build).resolve() / "mutants.jsonl"), state_of(trial.tree)
    known = {row["mutant"]: row for row in journal.of("verdict") if row["state"] == state}
    if not options.trust and not known and (not trial.builds() or trial.noticed_by("", [])):
        print("the unchanged tree fails its own tests; mend that first")
        return 1
    if options.random:
        return run_random(trial, options.random, options.seed, Journal(journal_of(options)))
    count = collections.defaultdict(collections.Counter)
    chosen = [m for m in mutants(trial.tree, options.every) if any(part in m[1] for part in options.only.split(","))]
    for mutant in chosen[::options.of or (1 if options.only else 25)]:
        _, label, text, *_ = mutant
        key = hashlib.sha256((label + text).encode()).hexdigest()
        if key not in known or known[key]["near"] > options.near:
            verdict, by = verdict_of(trial, mutant, options.near)
            known[key] = {"kind": "verdict", "state": state, "mutant": key, "near": options.near and verdict == "survived", "verdict": verdict, "by": by}
            journal.add(known[key])
        verdict, by = known[key]["verdict"], known[key]["by"]
        count[label.split("/")[0]][verdict] += 1
        print(f"{'SURVIVED' if verdict == 'survived' else verdict} {label}" + "".join(f" ({x})" for x in by), flush=True,
              file=sys.stdout if verdict == "survived" else sys.stderr)
    for module, found in count.items():
        print(f"{module}: {found['noticed'] + found['survived']} made, {found['noticed']} noticed, {found['survived']} survived"
              + (f"; {found['did not build']} did not build" if found["did not build"] else ""))
    return 1 if not count or any(found["survived"] for found in count.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

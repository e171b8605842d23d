#!/usr/bin/python3
"""Looks for every figure and reason of a result on its screens: in `--verbose`, or on the page as a reader sees it.

  shown.py [--build DIR] [--only TEXT] [--paths]      the subjects below; --paths lists each path of the schema with its counts

A page is opened in chromium (shown.js), and each operator and block of the timeline is chosen: what is read is text, tooltips and what
is drawn, never the embedded data.  A figure must be there with its unit, to half a unit of its last digit; a reason word for word.
What belongs to an operator is looked for in that operator's details and row, what belongs to a finding in its own paragraphs.
EXCEPTIONS names the paths that are not looked for, each with its reason.  Then figures are planted: a result whose figures were
changed must be refused.  Exits with 1 if something is missing, with 77 if there is no chromium.
"""
import argparse
import collections
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import subjects

HERE, ROOT = pathlib.Path(__file__).resolve().parent, subjects.ROOT
MAX_EXCEPTIONS, MIN_REFUSED, SAMPLE = 20, 0.9, 40
# Paths (a prefix stands for all below it) that no screen has to show.
EXCEPTIONS = {
    "pictures": "a drawing, in units of 100 ns and as differences: workbench.mjs compares what is drawn with it",
}
# Numbers that name another part of the result, or are a code that the reader of a result looks up; they measure nothing.
REFERENCES = re.compile(r"(^|\.)(id|ids|step_id|from|deps|inputs|outputs|steps|operators|removes|changes|index|schema_version)\[\]$|\.(id|step_id|from|index|schema_version)$|^schema_version$")
REASONS = {"reason", "text", "why", "risk", "detail", "refused", "conversion", "unsuitable", "title", "reason_if_null", "accuracy_reason", "fix", "limit"}
SCALES = {"ns": {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}, "bytes": {"B": 1, "kB": 1e3, "KB": 1e3, "KiB": 1024, "MB": 1e6, "MiB": 2**20, "GB": 1e9, "GiB": 2**30},
          "bandwidth": {"GB/s": 1e9, "MB/s": 1e6}, "per_s": {"/s": 1, "images/s": 1, "req/s": 1, "k/s": 1e3}, "share": {"%": 0.01, "": 1}, "hz": {"Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9}, "macs": {"MAC": 1, "k MAC": 1e3, "M MAC": 1e6, "G MAC": 1e9, "MAC/s": 1, "G MAC/s": 1e9, "T MAC/s": 1e12}, "percent": {"%": 1}, "count": {"": 1, "k": 1e3, "M": 1e6}}
NUMBER = r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[+-]\d{1,2})?"
UNIT = r"ns|µs|ms|s|%|/s|images/s|[kKMG]?i?B(?:/s)?|[kMG]?Hz|(?:[kMGT] )?MAC(?:/s)?"
FIGURE = re.compile(rf"({NUMBER})(?:\s?({UNIT})(?![\w]))?")


class Text:
    """What can be read in one place: its words, and its figures by unit."""

    def __init__(self, text):
        text = re.sub(r"[\u202f\u00a0\u2009]", " ", text).replace("−", "-")
        self.words = squeezed(text)
        self.figures = collections.defaultdict(list)
        for m in FIGURE.finditer(self.spread(text)):
            digits = m.group(1).replace(",", "")
            whole, _, part = digits.partition("e")
            step = 10.0 ** ((int(part) if part else 0) - len(whole.partition(".")[2]))
            self.figures[m.group(2) or ""].append((float(digits), step))

    @staticmethod
    def spread(text):
        """An interval and a figure before an arrow get the unit that is written once."""
        text = re.sub(rf"({NUMBER}) → ({NUMBER}) ({UNIT})", r"\1 \3 → \2 \3", text)
        return re.sub(rf"({UNIT}) \[({NUMBER})(?:, | – )({NUMBER})\]", r"\1 [\2 \1, \3 \1]", text)

    def has(self, value, kind):
        """Whether a figure of that kind is the value, rounded; three digits of an integer may be all that is shown."""
        for unit, scale in SCALES[kind].items():
            for seen, step in self.figures.get(unit, ()):
                room = max(step, 10.0 ** (len(str(int(abs(seen)))) - 3) if step == 1 and kind != "count" else step)
                if abs(value / scale - seen) <= 0.5001 * room:
                    return True
        return False


def squeezed(text):
    """Letters and digits alone: lines are folded, names quoted and long ones cut differently on each screen."""
    return re.sub(r"[^\w%.,+<>=/-]|\s", "", text)


def leaves(value, path="", trail=(), name=""):
    """(path, value, the objects on the way, the name that the page's table has) of each number and text."""
    if isinstance(value, dict):
        for k, v in value.items():
            yield from leaves(v, f"{path}.{k}".lstrip("."), (*trail, value), f"{name}.{k}".lstrip("."))
    elif isinstance(value, list):
        for i, v in enumerate(value):
            by_id = f"{name}.{v['id']}" if path in ("steps", "values") else name if isinstance(v, (int, float)) else f"{name}[{i}]"
            yield from leaves(v, path + "[]", trail, by_id)
    elif value is not None and not isinstance(value, bool):
        yield path, value, trail, name


def kind_of(path, trail):
    """The unit of a figure, by its name and that of what holds it."""
    if "objective" in path or path.endswith(("up_to.value", "alone.baseline", "limit.value")) or re.search(r"(alone|plans\[\])\.predicted\.", path) or "gain." in path or ".saves." in path:
        unit = next((x["unit"] for x in reversed(trail) if "unit" in x), None)
        return {"ns": "ns", "per_s": "per_s", None: "per_s" if trail[0]["objective"] == "throughput" else "ns", "": "count"}[unit]
    for part in reversed(path.replace("[]", "").split(".")):
        for suffix, kind in (("_ns", "ns"), ("ns", "ns"), ("_us", "us"), ("bytes_per_s", "bandwidth"), ("macs_per_s", "macs"), ("per_s", "per_s"), ("macs", "macs"), ("bytes", "bytes"), ("_kb", "kb"), ("_kib", "kib"), ("_mhz", "mhz"), ("_hz", "hz"), ("share", "share"), ("busy", "share"),
                             ("utilisation", "share"), ("cv", "share"), ("sensitivity", "percent"), ("fps", "per_s")):
            if part == suffix or suffix != "ns" and part.endswith(suffix):
                return kind
    return "ns" if (".samples." in path or ".stages." in path) and not path.endswith(".n") else "count"


WORDS = {x.get("id"): x.text for x in ElementTree.parse(ROOT / "rules/lang/en.xml").iter("says")}
FACTOR = {"us": ("ns", 1e3), "kb": ("bytes", 1e3), "kib": ("bytes", 1024), "mhz": ("hz", 1e6)}


class Screens:
    """The texts of one result."""

    def __init__(self, verbose, seen, result):
        self.verbose, self.page = verbose, seen["all"] + "\n" + "\n".join(seen["spans"]) + "\n" + seen["drawn"]
        self.whole = Text(verbose + "\n" + self.page)
        self.named = {k: Text(v) for k, v in seen["named"].items()}
        self.elements = [Text(x) for x in seen["elements"]]
        self.parts = {k: Text(v + "\n" + self.paragraphs(k.split("-")[0])) for k, v in seen["parts"].items()}
        self.number, inner = {}, collections.Counter(o["step_id"] for o in result["operators"])
        count = 0
        for s in result["steps"]:
            self.number["step", s["id"]] = count
            for k, o in enumerate(o for o in result["operators"] if o["step_id"] == s["id"]):
                self.number["operator", id(o)] = count + k
            count += max(1, inner[s["id"]])

    def paragraphs(self, rule):
        """What --verbose says of a rule: from each line that names it first to the next finding or section."""
        return "\n".join(re.findall(rf"^ *\d* ?{rule} .*\n(?: .*\n)*?(?=\S| +\d+ [A-Z]{{3}}\d|\Z)", self.verbose + "\n", re.M))

    def place(self, path, trail):
        """Where a leaf has to be shown."""
        if path.startswith(("steps[]", "operators[]")) and len(trail) > 1 and self.elements:
            owner = trail[1]
            key = ("step", owner.get("id")) if path.startswith("steps[]") else ("operator", id(owner))
            return self.elements[self.number[key]] if owner.get("kind") != "npu" and self.number.get(key, -1) in range(len(self.elements)) else self.whole
        for x in trail:
            if x.get("fingerprint") in self.parts and path.startswith(("changes", "by_hand", "observations", "suppressed")):
                return self.parts[x["fingerprint"]]
        return self.whole

    def shows(self, path, value, trail, name):
        if isinstance(value, str):
            text = WORDS.get("SKIPPED_" + value.upper().replace("-", "_"), value) if path == "suppressed[].reason" else value
            return all(squeezed(x) in self.whole.words or squeezed(x) in self.place(path, trail).words for x in re.split(r"'[^']*'|\"[^\"]*\"", text))
        kind = kind_of(path, trail)
        kind, scale = FACTOR.get(kind, (kind, 1))
        place = self.place(path, trail)
        if place is self.whole:
            place = self.named.get(name, place)
        return place.has(value * scale, kind)


def looked_for(result):
    """The leaves that count: figures, and texts that give a reason."""
    for path, value, trail, name in leaves(result):
        last = path.replace("[]", "").split(".")[-1]
        if isinstance(value, str) and (not value or last not in REASONS and not path.startswith(("notes", "unsuitable"))):
            continue
        if REFERENCES.search(path) or isinstance(value, (int, float)) and not isinstance(value, str) and last == "value" and "levers" in path:
            continue
        yield path, value, trail, name


def exception_of(path):
    return next((x for x in EXCEPTIONS if path.replace("[]", "").startswith(x)), None)


# ---- subjects -------------------------------------------------------------------------------------------


class Maker:
    """Makes the result, the page and the verbose screen of each subject in one folder."""

    def __init__(self, build, folder):
        self.build, self.folder = build.resolve(), folder

    def run(self, *command):
        return subprocess.run([str(x) for x in command], cwd=self.folder, capture_output=True, text=True, check=False)

    def traced(self, name, model, *options):
        trace = self.folder / f"{name}.trace.json"
        self.run(self.build / "npu-exec", model, "--runs", "40", *options, "--trace", trace)
        return trace

    def made(self, name, *arguments):
        """(name, result, verbose text, page)."""
        files = [self.folder / f"{name}.{x}" for x in ("json", "html")]
        done = self.run(self.build / "npu-advise", *arguments, "--json", files[0], "--html", files[1], "--verbose")
        if not all(f.exists() for f in files):
            raise SystemExit(f"{name}: {done.stderr}")
        return name, json.loads(files[0].read_text()), done.stdout, files[1].read_text()

    def subjects(self):
        net = self.build / "networks"
        detector, cnn, classes = net / "yolov5s-qdq-f32.onnx", net / "mobilenet_v1-qdq-u8-nhwc.onnx", net / "resnet50-qdq-u8.onnx"
        of_detector = self.traced("detector", detector, "--sdk", "0.9")
        yield "detector", detector, "--trace", of_detector, "--verify"
        yield "gate", cnn, "--trace", self.traced("gate", cnn), "--budget", "latency_ns=1us", "--budget", "host_steps=0", "--fail-on", "warn"
        yield "throughput", classes, "--trace", self.traced("throughput", classes, "--target", "warboy", "--workers", "4"), "--objective", "throughput", "--verify"
        yield "rate", "tune", cnn, "--rate", "100"
        yield "limit", detector, "--trace", of_detector, "--latency-limit", "1ms"
        yield "float-output", net / "yolov8m-qdq-u8.onnx", "--sdk", "0.9"
        for graph, traces in subjects.engines(self.folder):
            yield "-".join(graph.parts[-2:]), graph, *(x for t in traces for x in ("--trace", t))
        for table in subjects.tables(self.folder):
            yield table.stem, table
        corpus = subjects.corpus()
        if corpus:
            models = corpus / "models"
            yield "other-trace", net / "mnist-qdq-u8-nhwc.onnx", "--trace", corpus / "traces/furiosa/profiler_result.json"
            yield "float-model", models / "image_out/super_resolution_d2s.onnx"
            yield "refused", models / "vision/squeezenet_fp16.onnx"
            yield "by-hand", models / "misc/sklearn_randomforest.onnx"
            yield "tflite", min((models / "tflite").glob("*.tflite"))
            yield "program", min((corpus / "vendor").glob("*.dot"))


def seen_of(page, result, folder):
    """What chromium shows of a page."""
    inner = {o["step_id"] for o in result["operators"]}
    count = 0 if result.get("compiled") else len(result["operators"]) + sum(s["id"] not in inner for s in result["steps"])
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    page = page.replace("<html", f'<html data-elements="{count}" data-blocks="100"', 1)
    copy = folder / "copy.html"
    copy.write_text(page.replace("<head>", "<head><script>" + (HERE / "shown.js").read_text() + "</script>", 1))
    done = subprocess.run([os.environ.get("CHROMIUM", "chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,3000", "--virtual-time-budget=200000",
                           "--dump-dom", copy.as_uri()], capture_output=True, text=True, check=False)
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.S)
    if not found:
        raise SystemExit(f"the page of {result['model']['file']} was not read: " + done.stdout[-300:] + done.stderr[-300:])
    return json.loads(html.unescape(found.group(1)))


# ---- the check ------------------------------------------------------------------------------------------


def planted(value):
    """Another figure, which no rounding makes equal."""
    return value + 3 if isinstance(value, int) and abs(value) < 100 and value else value * 1.37 if value else 123456


class Tally:
    def __init__(self):
        self.count, self.missing, self.plants, self.refused = (collections.Counter() for _ in range(4))
        self.first = {}

    def add(self, name, screens, result):
        for path, value, trail, at in looked_for(result):
            if exception_of(path):
                continue
            self.count[path] += 1
            if not screens.shows(path, value, trail, at):
                self.missing[path] += 1
                self.first.setdefault(path, f"{name}: {at} = {str(value)[:80]}")
            elif self.plants[path] < SAMPLE and not isinstance(value, str):
                self.plants[path] += 1
                self.refused[path] += not screens.shows(path, planted(value), trail, at)

    def report(self, paths):
        for path in sorted(self.count):
            if paths or self.missing[path]:
                print(f"{path}: {self.count[path]}, missing {self.missing[path]}, planted {self.plants[path]}, refused {self.refused[path]} {self.first.get(path, '')}")
        planted_all, refused = sum(self.plants.values()), sum(self.refused.values())
        print(f"{sum(self.count.values())} figures and reasons of {len(self.count)} paths, {sum(self.missing.values())} missing; {len(EXCEPTIONS)} exceptions; "
              f"{refused} of {planted_all} planted figures refused")
        return bool(+self.missing) or len(EXCEPTIONS) > MAX_EXCEPTIONS or refused < MIN_REFUSED * planted_all


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build", type=pathlib.Path)
    p.add_argument("--only", default="")
    p.add_argument("--paths", action="store_true")
    a = p.parse_args()
    if not shutil.which(os.environ.get("CHROMIUM", "chromium")):
        print("needs chromium")
        return 77
    tally, count = Tally(), 0
    with tempfile.TemporaryDirectory() as folder:
        maker = Maker(a.build, pathlib.Path(folder))
        for name, *arguments in maker.subjects():
            if a.only in name:
                _, result, verbose, page = maker.made(name, *arguments)
                tally.add(name, Screens(verbose, seen_of(page, result, maker.folder), result), result)
                count += 1
    print(f"{count} results")
    return tally.report(a.paths)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""A fleet: every model of the corpus in one run, with three traces, and the same run in four parts.

  many_corpus.py [--build DIR]

One status, one page, a run and a category for each model, a suite for each model; then four parts, each on one core, put
together in another order: the same bytes in every output, and the same status, as from the whole run with two cores and with
one.  Readers: the schema of SARIF and sarif-multitool; junitparser and junit2json.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import outside
import packages

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FORMS = {"page": "fleet.html", "json": "fleet.json", "sarif": "fleet.sarif", "junit": "fleet.xml", "csv": "fleet.csv", "ndjson": "fleet.ndjson",
         "markdown": "fleet.md"}
PARTS = 4
MOST_RUNS = 20  # that GitHub reads from one file


def options_for(folder):
    names = {"page": "html"}
    return [word for form, name in FORMS.items() for word in (f"--{names.get(form, form)}", str(folder / name))]


def run(advise, arguments, folder, cores=None):
    """Its text, files and status by name, and the time it took."""
    folder.mkdir()
    pinned = ["taskset", "-c", cores] if cores else []
    start = time.time()
    done = subprocess.run([*pinned, advise, *arguments, *options_for(folder)], capture_output=True, cwd=folder.parent, check=False)
    took = time.time() - start
    found = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return {**found, "text": done.stdout, "status": done.returncode}, took, done.stderr.decode()


def collect(corpus, folder, execute):
    """The models; three of them with a trace beside them: two of ONNX, one of TensorFlow Lite."""
    shutil.copytree(corpus / "models", folder)
    subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)
    traced = [folder / name for name in ("quantized/conv_qdq_u8u8.onnx", "nhwc/resnet8_keras.onnx")]
    traced += sorted((folder / "tflite").glob("*.tflite"))[:1]
    for model in traced:
        made = subprocess.run([execute, str(model), "--runs", "30", "--trace", f"{model}.trace.json"], capture_output=True, check=False)
        assert made.returncode == 0, made.stderr
    return len(traced)


def check_sarif(scratch, whole, names):
    schema_folder = packages.folder_with("@microsoft/sarif-multitool-linux")
    categories, results = [], 0
    files = [name for name in whole if name.endswith(".sarif")]
    for name in files:
        runs = json.loads(whole[name])["runs"]
        assert 0 < len(runs) <= MOST_RUNS, (name, len(runs))
        categories += [one["automationDetails"]["id"] for one in runs]
        results += sum(len(one["results"]) for one in runs)
    assert len(set(categories)) == len(categories) == len(names), "two runs of one category, or a model without one"
    if not schema_folder:
        return "SARIF's readers are left out: the npm packages of tests/full are not here"
    tool = schema_folder / "@microsoft/sarif-multitool-linux"
    (tool / "Sarif.Multitool").chmod(0o755)
    import jsonschema
    schema = jsonschema.Draft202012Validator(json.loads((tool / "sarif-2.1.0.json").read_text()))
    states = collections.Counter()
    for name in files:
        path, matched = scratch / "whole" / name, scratch / "matched.sarif"
        assert not list(schema.iter_errors(json.loads(path.read_text()))), name
        forward = subprocess.run([schema_folder / ".bin/sarif-multitool", "match-results-forward", path, "--previous", path, "--output-file-path",
                                  matched, "--log", "ForceOverwrite"], capture_output=True, text=True, check=False)
        assert forward.returncode == 0, forward.stdout
        states.update(one["baselineState"] for each in json.loads(matched.read_text())["runs"] for one in each["results"])
    assert states == {"unchanged": results}, states
    broken = json.loads(whole[files[0]])
    broken["runs"][0]["results"].append({"level": "fatal"})
    assert list(schema.iter_errors(broken)), "the schema takes a broken twin"
    return f"SARIF: {len(files)} files, {len(categories)} runs, no category twice; the schema takes them; sarif-multitool reads {results} results, all unchanged"


def check_junit(whole, names):
    import junitparser
    suites = {suite.name: (suite.tests, suite.failures, suite.errors) for suite in junitparser.JUnitXml.fromstring(whole["fleet.xml"])}
    assert set(suites) == names, set(suites) ^ names
    folder = packages.folder_with("junit2json")
    if not folder:
        return f"JUnit: junitparser reads {len(suites)} suites; junit2json is not here"
    with tempfile.NamedTemporaryFile(suffix=".xml") as file:
        file.write(whole["fleet.xml"])
        file.flush()
        other = json.loads(subprocess.run([folder / ".bin/junit2json", file.name], capture_output=True, check=True).stdout)
    read = {one["name"]: (int(one["tests"]), int(one["failures"]), int(one["errors"])) for one in other["testsuite"]}
    assert read == suites, "the two readers differ"
    return f"JUnit: junitparser and junit2json read {len(suites)} suites, {sum(errors for _, _, errors in suites.values())} with an error"


def check_whole(whole, traces):
    fleet = json.loads(whole["fleet.json"])
    names = {row["model"] for row in fleet["models"]}
    statuses = collections.Counter(row["status"] for row in fleet["models"])
    worst = next(status for status in (2, 1, 3, 0) if statuses[status])
    assert worst == fleet["status"] == whole["status"], (worst, fleet["status"], whole["status"])
    assert sum(len(row["result"]["traces"]) for row in fleet["models"] if row["result"]) == traces
    page = whole["fleet.html"].decode()
    assert page.count('<th scope="row"') >= len(names), "the page lacks a row"
    print(f"{len(names)} models, {traces} traces: {dict(sorted(statuses.items()))} by status; exit status {worst}")
    return names


def differences(what, one, other):
    keys = sorted(set(one) | set(other))
    different = [key for key in keys if one.get(key) != other.get(key)]
    print(f"{what}: {'differs in ' + ', '.join(different) if different else f'{len(keys)} outputs, the same bytes'}")
    return bool(different)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", default=str(ROOT / "build"))
    build = pathlib.Path(p.parse_args().build).resolve()
    corpus = outside.corpus()
    try:
        import junitparser  # noqa: F401
    except ImportError:
        corpus = None
    if not corpus:
        print("needs the corpus (NPU_ADVISE_CORPUS) and python3-junitparser")
        sys.exit(77)
    advise, failed = str(build / "npu-advise"), False
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        traces = collect(corpus, scratch / "fleet", str(build / "npu-exec"))
        arguments = ["fleet", "--fail-on", "error"]
        whole, took, _ = run(advise, arguments, scratch / "whole")
        names = check_whole(whole, traces)
        print(f"whole: {took:.1f} s on {os.cpu_count()} cores")
        print(check_sarif(scratch, whole, names))
        print(check_junit(whole, names))
        alone, took, _ = run(advise, [*arguments, "--jobs", "1"], scratch / "alone", "0")
        print(f"whole: {took:.1f} s on one core")
        failed |= differences("one core against two", whole, alone)
        start = time.time()
        for i in range(1, PARTS + 1):
            part = subprocess.run(["taskset", "-c", str(i % os.cpu_count()), advise, *arguments, "--shard", f"{i}/{PARTS}", "--ndjson", f"{i}.part"],
                                  cwd=scratch, capture_output=True, check=False)
            assert part.returncode == 0, part.stderr
        print(f"{PARTS} parts one after the other: {time.time() - start:.1f} s, each ends with 0")
        order = sorted(range(1, PARTS + 1), key=lambda i: hashlib.sha256(bytes([i])).digest())
        for cores in ("0", None):
            merged, took, _ = run(advise, ["merge", *[f"{i}.part" for i in order]], scratch / f"merged{cores}", cores)
            print(f"merge: {took:.1f} s")
            failed |= differences(f"parts {' '.join(map(str, order))} put together", whole, merged)
        (scratch / "2.part").write_bytes((scratch / "2.part").read_bytes().replace(b'"status":0', b'"status":1', 1))
        twin, _, _ = run(advise, ["merge", *[f"{i}.part" for i in order]], scratch / "twin")
        if twin == whole:
            print("a part that was changed is not told")
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()

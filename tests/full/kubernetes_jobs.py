#!/usr/bin/python3
"""The Kubernetes files: valid for the API, and their commands run as the Jobs would run them.

  kubernetes_jobs.py [--build DIR]

Schema: the classes that the Kubernetes project generates from the API's published description (python3-kubernetes): each key must be
one of them, each value of its type, and what is required there.  Each key misspelt, and each value of another type, is refused.
Commands: every index of the Indexed Job in a shell with JOB_COMPLETION_INDEX, in the folder that the volume would be; two of them are
killed and started again, as restartPolicy OnFailure does; the merging Job is started first, and waits.
"""
import argparse
import copy
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = ["shards.yaml", "merge.yaml"]


def have_packages():
    try:
        import kubernetes.client
        import yaml
        return bool(kubernetes.client and yaml)
    except ImportError:
        pass
    words = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "python3-kubernetes", "python3-yaml"]
    if os.getuid() != 0 or not shutil.which("apt-get"):
        return False
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def check(kind, value, path):
    """What is wrong with a value that should be of the API's type `kind`."""
    import kubernetes.client.models as api
    if kind.startswith("list["):
        if not isinstance(value, list):
            return [f"{path}: is not a list"]
        return [fault for i, item in enumerate(value) for fault in check(kind[5:-1], item, f"{path}[{i}]")]
    if kind.startswith("dict("):
        inner = kind[5:-1].split(", ")[1]
        return [fault for key, item in value.items() for fault in check(inner, item, f"{path}.{key}")] if isinstance(value, dict) else [f"{path}: is not a mapping"]
    plain = {"str": str, "int": int, "bool": bool, "float": float}
    if kind in plain:
        right = isinstance(value, plain[kind]) and not (kind == "int" and isinstance(value, bool))
        return [] if right else [f"{path}: {value!r} is not of type {kind}"]
    if kind == "object":
        return []
    if not isinstance(value, dict):
        return [f"{path}: is not a {kind}"]
    model = getattr(api, kind)
    names = {spelt: name for name, spelt in model.attribute_map.items()}
    faults = [f"{path}.{key}: is not a key of {kind}" for key in value if key not in names]
    known = {names[key]: item for key, item in value.items() if key in names}
    try:
        model(**known)
    except ValueError as error:
        faults.append(f"{path}: {error}")
    return faults + [fault for name, item in known.items() for fault in check(model.openapi_types[name], item, f"{path}.{model.attribute_map[name]}")]


def check_document(document):
    kinds = {("batch/v1", "Job"): "V1Job"}
    kind = kinds.get((str(document.get("apiVersion")), str(document.get("kind"))))
    return check(kind, document, str(document.get("kind"))) if kind else ["no kind that we use"]


def twins(document, at=()):
    """Each key misspelt, and each plain value turned into a list."""
    place = document
    for step in at:
        place = place[step]
    for key in place if isinstance(place, dict) else range(len(place)):
        free = at and at[-1] in ("requests", "limits")  # any resource may be named there
        if isinstance(place, dict) and not free:
            twin = copy.deepcopy(document)
            hold = twin
            for step in at:
                hold = hold[step]
            hold[key[:-1] if len(key) > 2 else key + "s"] = hold.pop(key)
            yield ".".join(map(str, (*at, key))) + " misspelt", twin
        if isinstance(place[key], (dict, list)):
            yield from twins(document, (*at, key))
        else:
            twin = copy.deepcopy(document)
            hold = twin
            for step in at:
                hold = hold[step]
            hold[key] = [place[key]]
            yield ".".join(map(str, (*at, key))) + " a list", twin


def check_files():
    import yaml
    good, refused = True, 0
    for name in FILES:
        document = yaml.safe_load((ROOT / "packaging/kubernetes" / name).read_text())
        faults = check_document(document)
        print(f"{name}: {'; '.join(faults) or 'valid'}")
        good = good and not faults
        for what, twin in twins(document):
            if check_document(twin):
                refused += 1
            else:
                print(f"{name}: {what} is taken for good")
                good = False
    print(f"{refused} broken twins refused")
    return good


def container(name):
    import yaml
    spec = yaml.safe_load((ROOT / "packaging/kubernetes" / name).read_text())["spec"]
    box = spec["template"]["spec"]["containers"][0]
    return box["command"] + box["args"], spec


def start(command, folder, programs, index=None):
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    if index is not None:
        environment["JOB_COMPLETION_INDEX"] = str(index)
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)


def wait_for_rows(path, count, run):
    while run.poll() is None and (not path.exists() or path.read_text().count('{"kind":"outcome"') < count):
        time.sleep(0.01)


def run_shard(command, folder, programs, index):
    """Its index in the Job; the first time of two of them ends in the middle."""
    if index in (3, 9):
        run = start(command, folder, programs, index)
        wait_for_rows(folder / f"parts/{index}.ndjson.unfinished", 2, run)
        os.killpg(run.pid, signal.SIGKILL)
        killed = run.wait() == -signal.SIGKILL
        print(f"index {index}: killed {'in the middle' if killed and (folder / f'parts/{index}.ndjson.unfinished').exists() else 'too late'}")
    run = start(command, folder, programs, index)
    said = run.communicate()[0]
    if run.returncode:
        print(f"index {index}: status {run.returncode}: {said}")
    return run.returncode == 0


def check_commands(build):
    shard, spec = container("shards.yaml")
    merge, _ = container("merge.yaml")
    advise = build / "npu-advise"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        models = folder / "models"
        models.mkdir()
        for model in sorted((build / "networks").glob("*.onnx"))[:6]:
            shutil.copy(model, models)
        (models / "broken.onnx").write_text("no model")
        words = ["shards", "models", "--matrix", "sdk=0.8,0.9,0.10", "objective=latency,throughput", "batch=1,4", "-o", "shards.ndjson"]
        subprocess.run([advise, *words], cwd=folder, check=True)
        merging = start(merge, folder, build)
        done = [run_shard(shard, folder, build, index) for index in range(spec["completions"])]
        said = merging.communicate()[0]
        one = folder / "one"
        one.mkdir()
        whole = subprocess.run([advise, "--shards", "shards.ndjson", "--html", "one/fleet.html", "--json", "one/fleet.json"], cwd=folder, capture_output=True, check=False)
        same = all((folder / form).read_bytes() == (one / form).read_bytes() for form in ("fleet.html", "fleet.json"))
        print(f"{len(done)} indices, {sum(done)} done; merged: status {merging.returncode}, of one process {whole.returncode}; the same bytes: {same}")
        return all(done) and same and merging.returncode == whole.returncode and whole.stdout.decode() in said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    if not have_packages():
        print("needs python3-kubernetes and python3-yaml")
        return 77
    return 0 if check_files() and check_commands(build) else 1


if __name__ == "__main__":
    sys.exit(main())

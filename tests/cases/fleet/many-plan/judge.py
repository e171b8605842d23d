"""What a plan and its parts hold, and twins of them that are broken."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys

import jsonschema


def lines(path):
    return pathlib.Path(path).read_text().splitlines()


def plan(path, root):
    schema = json.loads((pathlib.Path(root) / "docs/schema/plan.json").read_text())
    head, *items = map(json.loads, lines(path))
    for line in (head, *items):
        jsonschema.validate(line, schema)
    try:
        jsonschema.validate({**items[0], "cost": 1}, schema)
        print("the schema lets everything pass")
    except jsonschema.ValidationError:
        pass
    print(head["told"], head["options"], head["items"], "items", len(items))
    for item in items[:4]:
        print(item["model"], item["settings"], len(item["sha256"]), item["trace_sha256"])
    print({item["model"]: bool(item["trace_sha256"]) for item in items})
    print("cost of each, in us:", {item["model"]: item["cost_us"] for item in items if not item["trace_sha256"]},
          "with a trace:", {item["cost_us"] > 50011 for item in items if item["trace_sha256"]})


def names(folder):
    models = json.loads((pathlib.Path(folder) / "r.json").read_text())["models"]
    print({m["settings"] for m in models if m["file"] == "set/a/1.onnx"} == {f"sdk={s} objective={o}" for s in ("0.9", "0.10") for o in ("latency", "throughput")})
    print({(m["settings"], f"sdk={m['result']['sdk']} objective={m['result']['objective']}")[0] == f"sdk={m['result']['sdk']} objective={m['result']['objective']}"
           for m in models if m["result"]})
    sarif = json.loads((pathlib.Path(folder) / "s.sarif").read_text())["runs"]
    categories = [run["automationDetails"]["id"] for run in sarif]
    print(len(categories), len(set(categories)), sarif[0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])


def begun(line):
    return json.dumps({"kind": "begun", "index": json.loads(line)["index"]}, separators=(",", ":"))


def break_off(path):
    """Journals as a process leaves them that was ended in the middle."""
    head, *rows = lines(path)
    run, stopped = '{"kind":"run"}', '{"kind":"stopped"}'
    first, second = rows[:2]
    left = {
        "half": [head, run, begun(first), first, begun(second), second[:300]],
        "once": [head, run, begun(first), run, begun(first), stopped],
        "twice": [head, run, begun(first), begun(second), second, run, begun(first)],
        "other": [head.replace('"shard":2', '"shard":1'), run],
        "doubled": [head, run, first, first],
        "foreign": [head, run, first.replace('"index":', '"index":1')],
        "strange": [head, run, '{"kind":"news"}'],
    }
    for name, text in left.items():
        pathlib.Path(f"{name}.part.unfinished").write_text("\n".join(text) + ("" if name == "half" else "\n"))


def differ(path, sound):
    for a, b in zip(map(json.loads, lines(path)), map(json.loads, lines(sound))):
        if a != b:
            print(a["index"] == json.loads(lines(sound)[1])["index"], a["status"], a["error"], a["result"])


def children(parent):
    for stat in (pathlib.Path("/proc", p, "stat") for p in os.listdir("/proc") if p.isdigit()):
        try:
            pid, rest = int(stat.parent.name), stat.read_text().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if int(rest[1]) == parent and rest[0] != "Z":
            yield pid


ATTEMPTS = 50  # a busy machine may not let us look in time


def begin(part, errors=None):
    pathlib.Path(part).unlink(missing_ok=True)
    return subprocess.Popen([os.environ["NPU_ADVISE"], "--shards", "plan.ndjson", "--shard", "2/3", "--ndjson", part, "--jobs", "1", "--quiet"],
                            stderr=errors)


def kill():
    """Ends three copies of a shard, as a machine without memory does."""
    for _ in range(ATTEMPTS):
        # A copy says that memory ran out where it is its own helper that was ended: not always, by when.
        run, ended = begin("killed.part", subprocess.DEVNULL), set()
        while run.poll() is None and len(ended) < 3:
            for pid in set(children(run.pid)) - ended:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    ended.add(pid)
        status = run.wait()
        # On a busy machine the third may be the second try of a model whose first copy was ended too.
        part = pathlib.Path("killed.part")
        if len(ended) == 3 and not (part.exists() and "ended by signal" in part.read_text()):
            break
    print(len(ended), "killed, status", status)


def stop():
    """Asks a shard to stop: it says in its journal that no model is to blame."""
    journal = pathlib.Path("stopped.part.unfinished")
    for _ in range(ATTEMPTS):
        run = begin("stopped.part")
        while run.poll() is None and not (journal.exists() and "begun" in journal.read_text(errors="replace")):
            pass
        run.terminate()
        status = run.wait()
        if journal.exists():
            break
    print("status", status, lines(journal)[-1], pathlib.Path("stopped.part").exists())


def spoil(twin):
    head, *items = map(json.loads, lines("plan.ndjson"))
    if twin == "cut":
        items = items[:-1]
    elif twin == "head":
        del head["items"]
    elif twin == "item":
        items[3]["cost_us"] = "much"
    elif twin == "twice":
        items[5] = items[2]
    elif twin == "option":
        head["options"].append(["json", "elsewhere.json"])
    elif twin == "setting":
        items[1]["settings"][0] = ["memory", "16MiB"]
    elif twin == "version":
        head["version"] = "0.0.9"
    pathlib.Path(f"{twin}.ndjson").write_text("".join(json.dumps(line) + "\n" for line in (head, *items)))


{"plan": plan, "kill": kill, "stop": stop, "names": names, "break": break_off, "differ": differ, "spoil": spoil}[sys.argv[1]](*sys.argv[2:])

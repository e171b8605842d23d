"""Compares each pair of fleets both ways, in text and JSON, with budgets; prints the counts, and what does not agree."""
import json
import os
import pathlib
import re
import subprocess

MIRROR = {"broken": "repaired", "repaired": "broken", "added": "gone", "gone": "added"}


def diff(old, new, *words):
    done = subprocess.run([os.environ["NPU_ADVISE"], "diff", old, new, *words], capture_output=True, text=True)
    assert done.returncode in (0, 1, 2, 3), (old, done.returncode, done.stderr)
    return done


for new in sorted(pathlib.Path().glob("*.new")):
    name, old = new.stem, new.with_suffix(".old")
    done = diff(old, new, "--json", "r.json")
    if done.returncode > 1:
        print(f"{name}: status {done.returncode}: {done.stderr.strip()}")
        continue
    result = json.load(open("r.json"))
    counts = result["counts"]
    print(f"{name}: models {sum(counts.values())}, steps tested {result['tests']}:", ", ".join(f"{n} {what}" for what, n in counts.items() if n))
    head = " ".join(done.stdout.split())
    told = {what: int(n) for n, what in re.findall(r"(\d+) (?:the )?(\w+) \(", head.split("compared")[0])}
    if told != {what: n for what, n in counts.items() if n}:
        print(f"{name}: the text says {told}")
    diff(new, old, "--json", "back.json")
    back = json.load(open("back.json"))["counts"]
    if any(back[MIRROR[what]] != counts[what] for what in ("broken", "repaired", "added", "gone")):
        print(f"{name}: turned round {back}")
    for what, n in counts.items():
        total = sum(counts.values())
        for limit, wanted in ((n - 1, (1,)), (total, (0, 3))):  # 3: undecided models may be slower, too
            if limit >= 0:
                status = diff(old, new, "--budget", f"{what}={limit}").returncode
                if status not in wanted:
                    print(f"{name}: --budget {what}={limit} ends with {status}")

"""Compiles each model; prints its name and the steps that it becomes."""
import json
import os
import pathlib
import subprocess
import sys

for path in map(pathlib.Path, sys.argv[1:]):
    done = subprocess.run([os.environ["NPU_ADVISE"], "compile", path, "--emit", "json", "-q"], capture_output=True, text=True)
    if done.returncode:
        print(path.stem, "=>", "refused:", done.stderr.splitlines()[-1].split(": ", 2)[2])
        continue
    steps = [f"NPU[{' '.join(x['kind'].removeprefix('LowLevel') for x in s['lowlevel'])}]" if s["kind"] == "npu" else s["op"]
             for s in json.loads(done.stdout)["steps"] if s["kind"] in ("npu", "host")]
    print(path.stem, "=>", " ".join(steps))

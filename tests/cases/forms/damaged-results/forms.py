"""Shows each result in every form; prints what must not be, and how many ended with which status."""
import collections
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

counts = collections.Counter()
for path in sys.argv[1:]:
    name = path.removesuffix(".odd")
    files = {"html": f"{name}.html", "sarif": "s.sarif", "junit": "j.xml", "markdown": "m.md", "csv": "c.csv", "ndjson": "n.ndjson"}
    for words in (["show", path, "-v", *(w for form, file in files.items() for w in (f"--{form}", file))], ["show", path, "--format", "github"], ["show", path, "--format", "brief"],
                  ["diff", f"{name[0]}.json", path]):
        done = subprocess.run([os.environ["NPU_ADVISE"], *words], capture_output=True, text=True, errors="replace")
        counts[words[0], done.returncode] += 1
        if done.returncode not in (0, 1, 2, 3):
            print(name, words, done.returncode, done.stderr[-200:])
        if done.returncode and not (done.stdout + done.stderr).strip():
            print(name, words, "ends without a message")
        if words[2:3] == ["-v"] and done.returncode == 0:
            json.load(open("s.sarif"))
            ET.parse("j.xml")
            for line in open("n.ndjson"):
                json.loads(line)
for (command, status), n in sorted(counts.items()):
    print(f"{command}, status {status}: {n}")

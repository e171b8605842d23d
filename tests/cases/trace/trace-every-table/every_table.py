"""every_table.py TRACE…: writes FILE.said for each, with all that `npu-advise trace` tells of it."""
import os
import pathlib
import sqlite3
import subprocess
import sys
import zlib

TABLES = ["operators", "npu_operators", "host_operators", "inferences", "npu_executions", "npu_usage", "runtime_stages", "setup",
          "latency_path", "labels", "span_names", "engine"]
FORMS = [["--format", "csv"], ["--top", "3"], ["--format", "ndjson"], ["--aggregate-by", "type", "--aggregate", "max", "--format", "csv"],
         ["--min-time", "2us", "--max-time", "1ms", "--order-by", "-name"]]


def told(trace, options):
    done = subprocess.run([os.environ["NPU_ADVISE"], "trace", trace, *options], capture_output=True, text=True, errors="replace")
    return f"== {' '.join(options)}: {done.returncode}\n{done.stdout}{done.stderr}"


def rows(trace):
    told(trace, ["--format", "sqlite", "--output", "t.sqlite", "-q"])
    if not pathlib.Path("t.sqlite").exists():
        return "no database\n"
    database = sqlite3.connect("t.sqlite")
    tables = [name for name, in database.execute("select name from sqlite_master where type = 'table' order by name")]
    text = "".join(f"== {table}\n" + "".join(f"{row}\n" for row in database.execute(f"select * from {table}")) for table in tables)
    pathlib.Path("t.sqlite").unlink()
    return text


def main():
    for trace in sys.argv[1:]:
        path = pathlib.Path(trace)
        first = zlib.crc32(f"{path.parent.name}-{path.stem}".encode())  # by its name: another trace changes nothing of this one
        text = told(trace, ["--json", "-", "-q"]) + rows(trace)
        for k, table in enumerate(TABLES):
            text += told(trace, ["--table", table, *FORMS[(first + k) % len(FORMS)]])
        text += told(trace, ["--from", "10us", "--to", "1ms", "--strict"])
        pathlib.Path(f"{path.parent.name}-{path.stem}.said").write_text(text.replace(str(path.parent.parent), ""))


main()

"""every_table.py TRACE ALL…: prints every table of TRACE, and checks the machine forms of ALL traces."""
import csv
import io
import json
import os
import pathlib
import sqlite3
import subprocess
import sys

TABLES = ["summary", "operators", "npu_operators", "host_operators", "inferences", "npu_executions", "npu_usage", "runtime_stages", "setup",
          "latency_path", "labels", "span_names", "engine"]


def run(trace, *options):
    return subprocess.run([os.environ["NPU_ADVISE"], "trace", trace, *options], capture_output=True, text=True, errors="replace")


for table in TABLES:
    print(f"== {table}")
    print("\n".join(run(sys.argv[1], "--table", table).stdout.splitlines()[2:]))
print("== operators by type, the longest first")
print("\n".join(run(sys.argv[1], "--table", "operators", "--aggregate-by", "type", "--aggregate", "max", "--format", "csv").stdout.splitlines()))
print("== a part of the time")
print("\n".join(run(sys.argv[1], "--table", "inferences", "--from", "10us", "--to", "100us").stdout.splitlines()[2:]))
checked = refused = 0
for k, trace in enumerate(sys.argv[2:]):
    name = "/".join(pathlib.Path(trace).parts[-2:])
    done = run(trace, "--format", "json")
    if done.returncode not in (0, 2, 3):
        print(f"{name}: status {done.returncode}")
    if done.returncode:
        refused += 1
        if not done.stderr.strip():
            print(f"{name}: ends with {done.returncode} without a message")
        continue
    checked += 1
    tables = json.loads(done.stdout)
    table = TABLES[k % len(TABLES)]
    rows = list(csv.reader(io.StringIO(run(trace, "--table", table, "--format", "csv").stdout)))
    if any(len(row) != len(rows[0]) for row in rows):
        print(f"{name}: {table} as CSV has rows of {sorted({len(row) for row in rows})} fields")
    done = run(trace, "--format", "sqlite", "--output", "t.sqlite", "-q")
    if done.returncode:
        print(f"{name}: no database: {done.stderr.strip()}")
        continue
    database = sqlite3.connect("t.sqlite")
    for (table,) in database.execute("select name from sqlite_master where type = 'table'").fetchall():
        (n,) = database.execute(f"select count(*) from {table}").fetchone()
        if isinstance(tables.get(table), list) and n != len(tables[table]):
            print(f"{name}: {table} has {n} rows in the database and {len(tables[table])} in JSON")
    database.close()
    os.remove("t.sqlite")
print(f"{checked} traces with every form, {refused} refused")

#!/usr/bin/python3
"""The same sums from every output of `npu-advise trace`, read by the tools that people query with.

JSON by Python, CSV by pandas, by the sqlite3 shell and by DuckDB, the database by sqlite3: totals of inferences,
executions, host operators and counts of operators must be equal.  A tool that is not there is named and left out.
Each tool must tell a broken twin: a table in which one time is a nanosecond longer, a database that lost a span.
"""
import argparse
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import outside
import packages

ROOT = pathlib.Path(__file__).resolve().parents[2]
PANDAS = """
import pandas, sys
f = pandas.read_csv(sys.argv[1])
t = lambda name: f[f["table"] == name]
print(int(t("inferences")["dur_ns"].sum()), int(t("npu_executions")["run_ns"].sum()),
      int(t("host_operators")["dur_ns"].sum()), int(t("npu_operators")["count"].sum()))
"""
SUMS = """select coalesce(sum(case when "table"='inferences' then cast(dur_ns as integer) end), 0),
 coalesce(sum(case when "table"='npu_executions' then cast(run_ns as integer) end), 0),
 coalesce(sum(case when "table"='host_operators' then cast(dur_ns as integer) end), 0),
 coalesce(sum(case when "table"='npu_operators' then cast("count" as integer) end), 0) from """
DATABASE = """select (select coalesce(sum(dur_ns), 0) from inferences), (select coalesce(sum(run_ns), 0) from executions),
 (select coalesce(sum(dur_ns), 0) from spans where kind='host_operator'),
 (select count(*) from spans where kind='npu_operator');"""
DUCKDB = """const {DuckDBInstance} = require("@duckdb/node-api");
(async () => { const c = await (await DuckDBInstance.create()).connect();
const r = await c.runAndReadAll(process.argv[2] + `read_csv_auto('${process.argv[1]}', all_varchar=true)`);
console.log(r.getRows()[0].join(" ")); })();"""


def run(command, **more):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True, **more).stdout


def numbers(text):
    return [int(float(n)) for n in text.replace("|", " ").split()]


def from_json(result):
    return [sum(i["dur_ns"] for i in result["inferences"]), sum(e["run_ns"] or 0 for e in result["npu_executions"]),
            sum(h["dur_ns"] for h in result["host_operators"]), sum(o["count"] for o in result["npu_operators"])]


def readers(csv, database):
    if subprocess.run(["/usr/bin/python3", "-c", "import pandas"], capture_output=True).returncode == 0:
        yield "pandas, CSV", lambda: run(["/usr/bin/python3", "-c", PANDAS, csv])
    if shutil.which("sqlite3"):
        script = f".mode csv\n.import {csv} t\n.mode list\n{SUMS} t;\n"
        yield "sqlite3, CSV", lambda: run(["sqlite3"], input=script)
        yield "sqlite3, database", lambda: run(["sqlite3", database, DATABASE])
    modules = packages.folder_with("@duckdb")
    if modules:
        yield "DuckDB, CSV", lambda: run(["node", "-e", DUCKDB, csv, SUMS], env={**os.environ, "NODE_PATH": str(modules)})


def break_both(csv, database):
    """Makes broken twins of the two files in place."""
    lines = csv.read_text().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith("inferences,"))
    cell = lines[at].split(",")
    column = lines[0].strip().split(",").index("dur_ns")
    cell[column] = str(int(cell[column]) + 1)
    lines[at] = ",".join(cell)
    csv.write_text("".join(lines))
    with sqlite3.connect(database) as base:
        base.execute("delete from inferences where rowid = (select max(rowid) from inferences)")


def traces(folder, program):
    corpus = outside.corpus()
    yield ROOT / "tests/cases/trace/trace-two-workers/workers.json"
    for name in ("furiosa/profiler_result.json", "ort/ort1.30_blazeface_front_128.json", "trex/pytorch_resnet_qat/timing.json"):
        if (corpus / "traces" / name).exists():
            yield corpus / "traces" / name
    for table in ("sdk0.10_mobilenetv1", "sdk0.9_mnist"):
        if (corpus / "doc_tables").is_dir():
            made = folder / f"{table}.csv"
            made.write_text(run([ROOT / "tests/tools/doc_trace.py", "make", corpus / "doc_tables", table, "frame"]))
            yield made


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--build", default=str(ROOT / "build"))
    program = pathlib.Path(p.parse_args().build) / "npu-advise"
    failed, used = 0, set()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        csv, database = folder / "out.csv", folder / "out.sqlite"
        for trace in traces(folder, program):
            expected = from_json(json.loads(run([program, "trace", trace, "--format", "json"])))
            csv.write_text(run([program, "trace", trace, "--format", "csv"]))
            run([program, "trace", trace, "--format", "sqlite", "--output", database])
            for name, read in readers(csv, database):
                used.add(name)
                found = numbers(read())
                if found != expected:
                    failed += 1
                    print(f"{trace.name}: {name} has {found}, JSON {expected}")
            if not expected[0]:
                continue
            break_both(csv, database)
            for name, read in readers(csv, database):
                if numbers(read()) == expected:
                    failed += 1
                    print(f"{trace.name}: {name} does not tell a broken twin")
    missing = {"pandas, CSV", "sqlite3, CSV", "sqlite3, database", "DuckDB, CSV"} - used
    print(f"same sums in {', '.join(sorted(used))}, twins told" + (f"; not here: {', '.join(sorted(missing))}" if missing else "")
          if not failed else f"{failed} differ")
    return 1 if failed else 77 if not used else 0


sys.exit(main())

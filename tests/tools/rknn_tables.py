#!/usr/bin/python3
"""Writes measured tables of RKNN as the toolkit prints them, and checks that the program reads them to the digit.

  rknn_tables.py write LAYERS.csv MODEL a|b|c|csv       one table as text, written from what is known of the formats
  rknn_tables.py make TABLES                            NAME.txt for each section "== NAME: what it shows" of TABLES:
      row TYPE DTYPE TARGET IN OUT DDR/NPU/TOTAL TIME [NAME]   TIME in us, -: form D, which has none
      like OTHER, without NAME, log TEXT (a line before the table), joint NAME (that row runs on three cores)
  rknn_tables.py check NPU_ADVISE CORPUS                every table of CORPUS/rk3588, in forms A, B, C and as CSV, and the
                                                        logs of the compiler against its tables; one line each
  rknn_tables.py ties NPU_ADVISE CORPUS                 how many rows find nodes of their models; what finds none
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HEAD_C = ["ID", "OpType", "DataType", "Target", "InputShape", "OutputShape", "Cycles(DDR/NPU/Total)", "Time(us)", "MacUsage(%)",
          "WorkLoad(0/1/2)", "RW(KB)", "FullName"]
HEAD_A = ["ID", "OpType", "DataType", "Target", "InputShape", "OutputShape", "DDR Cycles", "NPU Cycles", "Total Cycles",
          "Time(us)", "MacUsage(%)", "WorkLoad(0/1/2)-ImproveTherical", "Task Number", "Task Size", "Regcmd Size", "RW(KB)",
          "FullName"]
HEAD_B = HEAD_A[:12] + ["Lut Number"] + HEAD_A[15:]


def rows_of(path, model):
    return [r for r in csv.DictReader(open(path)) if r.get("model", r.get("log")) == model]


def shapes(row):
    first, weights = row["in_shape"], row["weight_shape"]
    if not first:
        return "\\"
    if weights:
        return f"{first},{weights},({weights[1:].split(',')[0]})"
    count = int(row.get("n_in") or 1)
    return ",".join([first] * min(count, 2)) + (",..." if count > 2 else "")


def cells(row, form):
    """The cells of a row by the name of their column, as printed."""
    npu, several = row["target"] == "NPU", row.get("multicore") == "yes"
    load = "33.3%/33.3%/33.3%" if several else "100.0%/0.0%/0.0%" if npu else "0.0%/0.0%/0.0%"
    mac = row.get("mac_pct", "")
    if mac and form == "c":
        mac += "/0.00/0.00"
    out = row["out_shape"] or "\\"
    if int(row.get("n_out") or 1) > 1:
        out += ",..."
    old = form in "ab"
    name = row.get("fullname", f"{row['optype']}:{row['row']}")
    return {"ID": row["row"], "OpType": row["optype"], "DataType": row["dtype"], "Target": row["target"],
            "InputShape": shapes(row), "OutputShape": out, "DDR Cycles": row["cyc_ddr"], "NPU Cycles": row["cyc_npu"],
            "Total Cycles": row["cyc_total"], "Cycles(DDR/NPU/Total)": f"{row['cyc_ddr']}/{row['cyc_npu']}/{row['cyc_total']}",
            "Time(us)": row["time_us"], "MacUsage(%)": mac or ("\\" if old else ""), "WorkLoad(0/1/2)": load,
            "WorkLoad(0/1/2)-ImproveTherical": load + " - Up:0.0%", "Task Number": "14", "Task Size": "96",
            "Regcmd Size": "7424", "Lut Number": "3", "RW(KB)": f"{float(row['rw_kb']):.2f}" if old else row["rw_kb"],
            "FullName": name}


def totals(rows):
    return sum(int(r["time_us"]) for r in rows), sum(float(r["rw_kb"]) for r in rows)


def line_of(values, head):
    return " ".join(f"{values[h]:<{max(len(h), 8)}}" for h in head).rstrip()


def write(rows, form):
    head = {"a": HEAD_A, "b": HEAD_B, "c": HEAD_C, "csv": HEAD_A}[form]
    us, kb = totals(rows)
    kind = "a" if form == "csv" else form
    table = [cells(r, kind) for r in rows]
    if form == "csv":
        quoted = lambda x: f'"{x}"' if "," in x else x
        return "\n".join([",".join(head)] + [",".join(quoted(t[h]) for h in head) for t in table]) + "\n"
    rule = ("-" if form == "c" else "=") * 150
    ranking = "OpType CallNumber CPUTime(us) GPUTime(us) NPUTime(us) TotalTime(us) TimeRatio(%)"
    out = [rule, "Network Layer Information Table" if form == "c" else "Performance", rule]
    if form != "c":
        out += ["#### The performance result is just for debugging, ####",
                "#### may worse than actual performance!              ####", rule]
    out += [line_of(dict(zip(head, head)), head)] + ([rule] if form == "c" else []) + [line_of(t, head) for t in table]
    if form == "c":
        out += [rule, f"Total Operator Elapsed Per Frame Time(us): {us}", f"Total Memory Read/Write Per Frame Size(KB): {kb:.2f}",
                rule, "Operator Time Consuming Ranking Table", rule, ranking, rule, f"Total 93 0 0 {us} {us} 100.00%", rule]
    else:
        out += [f"Total Operator Elapsed Time(us): {us}", f"Total Memory RW Amount(MB): {kb / 1024:.4f}",
                "Operator Time-Consuming Ranking:", "OpType Call Number CPU Time(us) NPU Time(us) Total Time(us) Time Ratio(%)",
                f"ConvExSwish 57 0 {us} {us} 100.0", rule]
    return "\n".join(out) + "\n"


def section_rows(lines):
    """What a section says, as the cells of rows; and the lines of its log."""
    rows, log, joint = [], [], set()
    for line in lines:
        word, *rest = line.split()
        if word == "row":
            kind, dtype, target, shape, out, cycles, us = rest[:7]
            rows.append({"OpType": kind, "DataType": dtype, "Target": target, "InputShape": shape, "OutputShape": out,
                         "Cycles(DDR/NPU/Total)": cycles, "Time(us)": us, "MacUsage(%)": "", "RW(KB)": "10",
                         "FullName": f"{kind}:{(rest + [kind.lower()])[7]}"})
        elif word == "joint":
            joint.add(rest[0])
        else:
            log.append(line[4:])
    for i, r in enumerate(rows):
        r["ID"] = str(i + 1)
        r["WorkLoad(0/1/2)"] = ("33.3%/33.3%/33.3%" if r["FullName"].split(":")[1] in joint
                                else "0.0%/0.0%/0.0%" if r["Target"] == "CPU" else "100.0%/0.0%/0.0%")
    return rows, log


def make(path):
    found, name = {}, None
    for line in open(path):
        line = line.rstrip()
        if line.startswith("== "):
            name = line[3:].split(":")[0]
            found[name] = []
        elif line.startswith("like "):
            found[name] += found[line[5:]]
        elif line.startswith("without "):
            found[name] = [x for x in found[name] if line[8:] not in x.split()]
        elif line and not line.startswith("#"):
            found[name].append(line)
    for name, lines in found.items():
        rows, log = section_rows(lines)
        timed = all(r["Time(us)"] != "-" for r in rows)
        head = [h for h in HEAD_C if timed or h not in ("Time(us)", "MacUsage(%)", "WorkLoad(0/1/2)")]
        out = log + ["-" * 100, "Network Layer Information Table", "-" * 100, line_of(dict(zip(head, head)), head), "-" * 100]
        out += [line_of(r, head) for r in rows] + ["-" * 100]
        if timed:
            out += [f"Total Operator Elapsed Per Frame Time(us): {sum(float(r['Time(us)']) for r in rows):.15g}",
                    f"Total Memory Read/Write Per Frame Size(KB): {10 * len(rows)}"]
        open(f"{name}.txt", "w").write("\n".join(out) + "\n")


def advise(program, path):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "r.json"
        subprocess.run([program, str(path), "--json", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return json.loads(out.read_text())


def differences(result, table, head):
    """What was read, against what was written."""
    read = [s["layer"]["row"] | {"op": s["op"]} for s in result["steps"]]
    if len(read) != len(table):
        return [f"{len(read)} of {len(table)} rows"]
    found = []
    for got, want in zip(read, table):
        cycles = want["Cycles(DDR/NPU/Total)"].split("/")
        pairs = [("id", str(got["id"]), want["ID"]), ("type", got["op"], want["OpType"]), ("dtype", got["dtype"], want["DataType"]),
                 ("target", got["target"], want["Target"]), ("in", got["in_shape"], want["InputShape"]),
                 ("out", got["out_shape"], want["OutputShape"]),
                 ("cycles", [str(got[k + "_cycles"]) for k in ("ddr", "npu", "total")], cycles),
                 ("rw", got["rw_kb"], float(want["RW(KB)"])), ("name", got["full_name"], want["FullName"] or None)]
        if "Time(us)" in head:
            pairs += [("time", got["time_us"], float(want["Time(us)"])), ("mac", got["mac_usage"], want["MacUsage(%)"] or None),
                      ("load", (got["work_load"] or "").split(" ")[0], want["WorkLoad(0/1/2)"])]
        found += [f"row {want['ID']}: {what} {a!r}, not {b!r}" for what, a, b in pairs if a != b]
    return found


def check_written(program, path, model, form):
    rows = rows_of(path, model)
    with tempfile.NamedTemporaryFile("w", suffix=".csv" if form == "csv" else ".txt") as f:
        f.write(write(rows, form))
        f.flush()
        result = advise(program, f.name)
    head = HEAD_C if form == "c" else HEAD_A
    found = differences(result, [cells(r, "a" if form == "csv" else form) for r in rows], head)
    us, kb = totals(rows)
    table, issues = result["compiled"]["table"], [i["code"] for i in result["evidence"]["issues"]]
    if form != "csv" and (table["total_us"] != us or abs(table["rw_kb"] - kb) > 1):
        found.append(f"footer {table['total_us']} us, {table['rw_kb']} KB, not {us}, {kb:.2f}")
    if "sum-differs" in issues or "rw-differs" in issues or result["compiled"]["sum_ns"] != us * 1000:
        found.append("sums differ from the footer")
    rows_apart = next((i["text"] for i in result["evidence"]["issues"] if i["code"] == "unsteady"), "steady")
    print(f"{model:18} {form:4} {len(rows):4} rows, {len(found)} differences; {rows_apart}")
    return found


def check_log(program, log, tables):
    chip, rest = re.match(r"(rk\d+)_i8_nets_(.*)", log.stem).groups()
    rows = list(csv.DictReader(open(tables / f"232_{chip}_i8_{rest}.csv")))
    table = [{"ID": r["layer"], "OpType": r["op"], "DataType": r["dtype"], "Target": r["target"], "InputShape": r["in_shape"],
              "OutputShape": r["out_shape"], "RW(KB)": r["rw_kb"], "FullName": r["fullname"],
              "Cycles(DDR/NPU/Total)": f"{r['ddr_cycles']}/{r['npu_cycles']}/{r['max_cycles']}"} for r in rows]
    result = advise(program, log)
    found = differences(result, table, [])
    if result["evidence"]["grade"] != "D" or result["compiled"]["sum_ns"] is not None:
        found.append("a table of the compiler has times")
    print(f"{rest:18} {chip} {len(rows):4} rows, {len(found)} differences; grade {result['evidence']['grade']}")
    return found


def check(program, corpus):
    folder, found = pathlib.Path(corpus) / "rk3588", []
    for name, key in (("layers.csv", "model"), ("layers_other.csv", "log")):
        for model in dict.fromkeys(r[key] for r in csv.DictReader(open(folder / name))):
            for form in ("a", "b", "c", "csv"):
                found += check_written(program, folder / name, model, form)
    for log in sorted((folder / "compiler" / "logs").glob("*.log")):
        found += check_log(program, log, folder / "compiler")
    for line in found[:20]:
        print(line)
    return 1 if found else 0


def ties(program, corpus):
    """Rows with a node, and the nodes' own kind: a convolution's row has a convolution's node."""
    corpus, bad = pathlib.Path(corpus), 0
    models = ["yolov5n", "yolov5s", "yolov8n", "yolov8s"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([sys.executable, corpus / "make_networks.py", *models, "-o", folder], check=True, stdout=subprocess.DEVNULL)
        pairs = []
        for model in models:
            table = folder / f"{model}.txt"
            table.write_text(write(rows_of(corpus / "rk3588" / "layers.csv", model), "c"))
            pairs.append((table, folder / f"{model}-fp32-f32.onnx"))
        for log in sorted((corpus / "rk3588" / "compiler" / "logs").glob("rk3588*.log")):
            pairs.append((log, corpus / "rk3588" / "compiler" / "networks" / (log.stem.split("_nets_")[1] + ".onnx")))
        for table, model in pairs:
            out = folder / "r.json"
            subprocess.run([program, table, "--model", model, "--json", out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            steps = json.loads(out.read_text())["steps"]
            none = [s["layer"]["row"]["full_name"] for s in steps if not s["onnx_nodes"]]
            print(f"{model.stem}: {len(steps) - len(none)} of {len(steps)} rows have nodes; without: {' '.join(none) or '-'}")
            bad += any(s["op"].startswith("ConvE") and "Conv" not in s["onnx_nodes"][0] for s in steps if s["onnx_nodes"])
    return 1 if bad else 0


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "write":
        sys.stdout.write(write(rows_of(sys.argv[2], sys.argv[3]), sys.argv[4]))
        return 0
    if len(sys.argv) == 4 and sys.argv[1] == "check":
        return check(sys.argv[2], sys.argv[3])
    if len(sys.argv) == 4 and sys.argv[1] == "ties":
        return ties(sys.argv[2], sys.argv[3])
    if len(sys.argv) == 3 and sys.argv[1] == "make":
        make(sys.argv[2])
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())

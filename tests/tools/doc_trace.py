#!/usr/bin/python3
"""A trace that holds the spans behind the tables of the vendor's guide, and the check against them.

  doc_trace.py make TABLES PREFIX FORM     writes the trace to stdout; FORM is exporter (the array of
                                           X events that the vendor's exporter writes), edges (B/E,
                                           hex ids) or frame (the DataFrame as CSV)
  doc_trace.py check TABLES PREFIX RESULT  compares `trace --format json` with the tables, to the
                                           digit; prints one line per table
"""
import csv
import json
import pathlib
import sys

WRAP = 2 ** 64


def table(folder, prefix, name):
    with open(pathlib.Path(folder) / f"{prefix}_{name}.csv", newline="") as f:
        return list(csv.DictReader(f))


def operators_per_execution(operators, runs):
    """Durations of every operator in each execution: totals per name and sums per execution agree."""
    totals = {o["name"]: (round(float(o["average_elapsed_ns"]) * int(o["count"])), int(o["count"]))
              for o in operators}
    first = next(iter(totals))  # the largest takes up the differences between executions
    executions, left = [], {name: total for name, (total, _) in totals.items()}
    for i, run in enumerate(runs):
        share = {}
        for name, (total, _) in totals.items():
            share[name] = left[name] // (len(runs) - i)
        share[first] = run - sum(v for n, v in share.items() if n != first)
        for name, ns in share.items():
            left[name] -= ns
        spans = []
        for name, (_, count) in totals.items():
            n = count // len(runs)
            base, more = divmod(share[name], n)
            spans += [(name, base + (k < more)) for k in range(n)]
        executions.append(spans)
    assert all(v == 0 for v in left.values()), left
    return executions


def rows(folder, prefix):
    """One dict per span, in ns: what the DataFrame of such a run would hold."""
    cat = "Runtime" if prefix.startswith("sdk0.10") else "Nux"
    inferences = table(folder, prefix, "inferences")
    executions = table(folder, prefix, "npu_executions")
    hosts = table(folder, prefix, "external_operators")
    runs = [int(e["NPU Run"]) for e in executions]
    inside = operators_per_execution(table(folder, prefix, "npu_operators"), runs)
    per_inference = len(hosts) // len(inferences)
    now = 1690798390270474367
    for i, inference in enumerate(inferences):
        end = now + int(inference["dur"])
        yield dict(inference, parent_span_id="0" * 16, start=now, end=end, cat=cat, name="Inference")
        at = now + 1000
        for k, host in enumerate(hosts[i * per_inference:(i + 1) * per_inference]):
            if k == per_inference // 2:
                yield from execution(executions[i], inside[i], at)
                at += int(executions[i]["NPU Total"]) + 1000
            yield dict(host, parent_span_id="0" * 16, start=at, end=at + int(host["dur"]), cat=cat)
            at += int(host["dur"]) + 1000
        assert at <= end
        now = end + 5000


def execution(e, inside, at):
    common = {"trace_id": e["trace_id"], "cat": "NPU", "pe_index": e["pe_index"],
              "execution_index": e["execution_index"], "thread.id": ""}
    yield dict(common, span_id=e["span_id"], parent_span_id="0" * 16, name="Execution", start=at,
               end=at + int(e["NPU Total"]))
    at += 100
    for i, (name, ns) in enumerate([("Load", 13)] + inside + [("Store", 20)]):
        yield dict(common, span_id=f"{i + 1:016x}", parent_span_id=e["span_id"], name=name, start=at,
                   end=at + ns, instruction_index=i)
        at += ns


def args_of(row):
    keys = ("pe_index", "execution_index", "instruction_index", "operator_index")
    return {k: str(row[k]) for k in keys if row.get(k, "") != ""}


def event(row, origin, phase, ns):
    npu = row["cat"] == "NPU"
    return {"name": row["name"], "cat": row["cat"], "ph": phase, "ts": (ns - origin) / 1000,
            "pid": 100, "tid": 10000000 + int(row["pe_index"]) if npu else int(row["thread.id"]),
            "args": args_of(row)}


def make_exporter(spans):
    origin = spans[0]["start"] - 1000
    events = [dict(event(r, origin, "X", r["start"]), dur=(r["end"] - r["start"]) / 1000) for r in spans]
    names = {"ph": "M", "name": "thread_name", "pid": 100, "tid": 10000000, "args": {"name": "NPU 0"}}
    json.dump(events + [names], sys.stdout)


def make_edges(spans):
    """B and E in the order of time; a span that begins where another ends comes after it."""
    origin = spans[0]["start"] - 1000
    edges = []
    for i, r in enumerate(spans):
        ids = {"trace_id": r["trace_id"], "span_id": r["span_id"]}
        begin, end = event(r, origin, "B", r["start"]), event(r, origin, "E", r["end"])
        begin["args"] = dict(begin["args"], **ids)
        begin["tid"], end["tid"] = hex(begin["tid"]), hex(end["tid"])
        edges += [(r["start"], 1, -(r["end"] - r["start"]), i, begin), (r["end"], 0, -r["start"], -i, end)]
    print("[")
    for k, edge in enumerate(sorted(edges, key=lambda e: e[:4])):
        print(("," if k else " ") + json.dumps(edge[4]))
    print("]")


def make_frame(spans):
    columns = ["trace_id", "parent_span_id", "span_id", "start", "end", "cat", "name", "thread.id", "dram_base",
               "pe_index", "execution_index", "instruction_index", "operator_index"]
    out = csv.DictWriter(sys.stdout, columns, restval="", extrasaction="ignore", lineterminator="\n")
    out.writeheader()
    out.writerows(spans)


def same(what, found, expected):
    print(f"{what}: {len(expected)} rows to the digit" if found == expected
          else f"{what}: found {found} expected {expected}")


def check(folder, prefix, result, has_ids):
    def ids(row):
        return [row["trace_id"], row["span_id"]] if has_ids else []

    def signed(text):
        return int(text) - WRAP if int(text) >= WRAP // 2 else int(text)
    t = {n: table(folder, prefix, n) for n in ("inferences", "npu_executions", "npu_operators", "external_operators")}
    same("inferences", [ids(r) + [r["thread_id"], r["dur_ns"]] for r in result["inferences"]],
         [ids(r) + [int(r["thread.id"]), int(r["dur"])] for r in t["inferences"]])
    # Where the guide's build let IoWait wrap, it is Run - Total: the right figure is its negative.
    same("npu_executions", [ids(r) + [r["pe_index"], r["execution_index"], r["total_ns"], r["run_ns"], r["io_wait_ns"]]
                            for r in result["npu_executions"]],
         [ids(r) + [int(r["pe_index"]), int(r["execution_index"]), int(r["NPU Total"]), int(r["NPU Run"]),
                    abs(signed(r["NPU IoWait"]))] for r in t["npu_executions"]])
    same("npu_operators", sorted([r["name"], f"{r['average_ns']:.6f}", r["count"]] for r in result["npu_operators"]),
         sorted([r["name"], f"{float(r['average_elapsed_ns']):.6f}", int(r["count"])] for r in t["npu_operators"]))
    same("host_operators", [ids(r) + [r["thread_id"], r["name"], r["operator_index"], r["dur_ns"]]
                            for r in result["host_operators"]],
         [ids(r) + [int(r["thread.id"]), r["name"], int(r["operator_index"]), int(r["dur"])]
          for r in t["external_operators"]])


def main():
    verb, folder, prefix, last = sys.argv[1:5]
    if verb == "make":
        spans = list(rows(folder, prefix))
        {"exporter": make_exporter, "edges": make_edges, "frame": make_frame}[last](spans)
    else:
        check(folder, prefix, json.load(open(last)), "exporter" not in last)


main()

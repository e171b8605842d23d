#!/usr/bin/env python3
"""Compares every figure of `npu-advise trace` with a second reading of the same file, written from the formats' public
definitions by someone who had not read trace/: counts, sums, self times, percentiles, shapes, per row and per inference.

usage: trace_oracle.py [--build BUILD] [FILE…]      default: all traces of $NPU_ADVISE_CORPUS

Definitions: Trace Event Format (catapult); PyTorch's self CPU time (a span without the operators and runtime calls directly
inside it on its thread; an annotation is neither, and its time belongs to the operator around it); ONNX Runtime's profiler
(X events of category Node); trtexec (exportTimes, exportProfile, dumpProfile); Furiosa's profiler (NPU Total = Run + IoWait).
Percentiles: linear between the two nearest samples, cut to nanoseconds; of trtexec's times, trtexec's own
(sampleReporting.cpp). What reaches out of its parent is not inside it there: traces in whole microseconds round begin and
duration apart.
Left out: latency_path, a reading of this program that no format defines.
"""
import argparse
import collections
import csv
import gzip
import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys
from fractions import Fraction

import outside

Span = collections.namedtuple("Span", "name kind begin end thread order args")
PERCENTILES = {"p90": 900, "p95": 950, "p97": 970, "p99": 990, "p99_9": 999}


def exact(value):
    """A number of the file without rounding, or None."""
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None


# Statistics

def interpolated(sorted_ns, per_mille):
    place = Fraction(per_mille * (len(sorted_ns) - 1), 1000)
    low = math.floor(place)
    high = min(low + 1, len(sorted_ns) - 1)
    return sorted_ns[low] + (sorted_ns[high] - sorted_ns[low]) * (place - low)


def as_trtexec(sorted_ns, per_mille):
    n = len(sorted_ns)
    if per_mille == 500:
        return (sorted_ns[(n - 1) // 2] + sorted_ns[n // 2]) / 2
    return sorted_ns[max(0, n - 1 - math.floor(n * Fraction(1000 - per_mille, 1000)))]


def statistics(durations, rule, suffix=""):
    """Count, extremes, mean, median and percentiles; percentiles in whole nanoseconds, cut."""
    d = sorted(durations)
    at = {name: math.floor(rule(d, mille)) if d else None for name, mille in {"median": 500, **PERCENTILES}.items()}
    mean = sum(d) / len(d) if d else None
    rows = {"min": d[0] if d else None, "max": d[-1] if d else None, **at}
    return {"count": len(d), ("average" if suffix else "mean") + suffix: mean, **{k + suffix: v for k, v in rows.items()}}


def union(intervals):
    total, reached = 0, None
    for begin, end in sorted(intervals):
        if reached is None or begin > reached:
            total, reached = total + end - begin, end
        elif end > reached:
            total, reached = total + end - reached, end
    return total


def self_times(spans):
    """By identity: the duration without the spans directly inside, thread by thread."""
    left, open_spans = {id(s): s.end - s.begin for s in spans}, collections.defaultdict(list)
    for s in sorted(spans, key=lambda s: (s.begin, -s.end, s.order)):
        stack = open_spans[s.thread]
        while stack and stack[-1].end <= s.begin:
            stack.pop()
        if stack:
            left[id(stack[-1])] -= max(0, min(s.end, stack[-1].end) - s.begin)
        stack.append(s)
    return left


# Events of the Trace Event Format

def events_of(text):
    """The events of an array, an object, or an array that was never closed."""
    try:
        made = json.loads(text, parse_float=str)
    except ValueError:
        made = json.loads(text.rstrip().rstrip(",") + "]", parse_float=str)
    found = made.get("traceEvents", []) if isinstance(made, dict) else made
    return made if isinstance(made, dict) else {}, [e for e in found if isinstance(e, dict) and "ph" in e]


def microseconds(event, key):
    value = exact(event.get(key))
    return None if value is None else value * 1000


def begin_of(open_spans, event, later):
    """Index of the span that an E closes: the innermost of its name, else the innermost; None if it closes one that begins
    later at the same time, or nothing."""
    named = [i for i, b in enumerate(open_spans) if b.get("name") == event.get("name")]
    if named:
        return named[-1]
    return len(open_spans) - 1 if open_spans and not (event.get("name") and later) else None


def pair_durations(events):
    """B and E of one thread, in order of time: (begin, end, B event)."""
    open_spans, pairs, owed = [], [], []
    for place, e in enumerate(events):
        if e["ph"] == "B":
            match = next((o for o in owed if o["name"] == e.get("name") and exact(o["ts"]) == exact(e["ts"])), None)
            if match:
                owed.remove(match)
                pairs.append((e, match))
            else:
                open_spans.append(e)
            continue
        later = any(b["ph"] == "B" and b.get("name") == e.get("name") and exact(b["ts"]) == exact(e["ts"]) for b in events[place:])
        index = begin_of(open_spans, e, later)
        if index is not None:
            pairs.append((open_spans.pop(index), e))
        elif later:
            owed.append(e)
    return pairs


def pair_async(events):
    """b and e, S and F: the innermost open begin of the same category, id and name."""
    open_spans, pairs = collections.defaultdict(list), []
    for e in events:
        key = e.get("cat"), str(e.get("id", e.get("id2"))), e.get("name"), e["ph"].lower() in "be"
        if e["ph"] in "bS":
            open_spans[key].append(e)
        elif open_spans[key]:
            pairs.append((open_spans[key].pop(), e))
    return pairs


def chrome_spans(events):
    """(event that begins it, begin, end) of every complete span."""
    timed = [e for e in events if microseconds(e, "ts") is not None]
    ordered = sorted(timed, key=lambda e: microseconds(e, "ts"))
    threads = collections.defaultdict(list)
    for e in ordered:
        if e["ph"] in ("B", "E"):
            threads[e.get("pid"), e.get("tid")].append(e)
    pairs = [p for thread in threads.values() for p in pair_durations(thread)]
    ids = collections.defaultdict(list)
    for e in ordered:
        if e["ph"] in ("b", "e", "S", "F"):
            ids[e["ph"] in "be"].append(e)
    # F before S at the same time: one step ends where the next begins.
    pairs += pair_async(ids[True]) + pair_async(sorted(ids[False], key=lambda e: (microseconds(e, "ts"), e["ph"] == "S")))
    made = [(b, microseconds(b, "ts"), microseconds(e, "ts")) for b, e in pairs]
    for e in timed:
        if e["ph"] == "X":
            begin, length = microseconds(e, "ts"), microseconds(e, "dur")
            made.append((e, begin, begin + (length or 0)))
    return made


def spans_of(events, name_and_kind):
    place = {id(e): i for i, e in enumerate(events)}
    made = []
    for e, begin, end in chrome_spans(events):
        name, kind = name_and_kind(e)
        thread = e.get("pid"), str(e.get("tid"))
        made.append(Span(name or "(unnamed)", kind, begin, end, thread, place[id(e)], e.get("args") or {}))
    return made


# What each format's events are

def chrome_kind(event):
    return event.get("name"), "other"


KINETO = {"cpu_op": "host", "operator": "host", "kernel": "device", "gpu_memcpy": "stage", "memcpy": "stage", "gpu_memset": "stage",
          "memset": "stage", "cuda_runtime": "stage", "runtime": "stage", "cuda_driver": "stage", "user_annotation": "label"}


def kineto_kind(event):
    name = event.get("name", "")
    if name.startswith("ProfilerStep#"):
        return "ProfilerStep", "inference"
    return name, KINETO.get(str(event.get("cat")).lower(), "other")


def onnxruntime_kind(event):
    name = event.get("name", "")
    if event.get("cat") == "Node":
        return re.sub("_kernel_time$", "", name), "host"
    if name == "session_initialization" or name.startswith("model_loading"):
        return name, "setup"
    return name, "inference" if name == "model_run" else "other"


STAGES = ("FeedFirstInputTensors WriteToDram RunTask SendOperandTriple WaitForCommit HandleCommitData ReadFromDram").split()


def furiosa_kind(event):
    name = re.sub(r"\(.*", "", event.get("name", ""))
    if event.get("cat") == "NPU":
        return name, "task" if name == "Task" else "io" if name in ("Load", "Store") else "device"
    if str((event.get("args") or {}).get("operator_index", "none")).isdigit():
        return name, "host"
    return name, "stage" if name in STAGES else {"Inference": "inference", "ProgramBinary": "setup"}.get(name, "other")


# Tables

def owner(inferences, span):
    """Index of the inference during which a span begins, of the latest that began; None outside."""
    inside = [i for i, s in enumerate(inferences) if s.begin <= span.begin < s.end]
    return inside[-1] if inside else None


def enclosing_label(spans):
    """Without steps: the outermost annotation of the user's that encloses all host operators counts inferences."""
    work = [s for s in spans if s.kind == "host"]
    names = collections.defaultdict(list)
    for s in spans:
        if s.kind == "label":
            names[s.name].append(s)
    full = [n for n, around in names.items() if work and all(any(a.begin <= w.begin and w.end <= a.end for a in around) for w in work)]
    return max(full, key=lambda n: sum(s.end - s.begin for s in names[n]), default=None)


def span_names(spans, rule=interpolated):
    groups = collections.defaultdict(list)
    for s in spans:
        groups[s.name, s.kind].append(s.end - s.begin)
    rows = []
    for (name, _), d in groups.items():
        row = {"name": name, "total_ns": sum(d), **statistics(d, rule, "_ns")}
        rows.append({k: v for k, v in row.items() if k not in ("p97_ns", "p99_9_ns")})
    return rows


SHAPES_SHOWN = 8


def shape_text(shape):
    return "x".join(map(str, shape)) if shape else "scalar"


def shapes_of(runs, text_of):
    """The shapes of all runs, or how many kinds there are."""
    texts = {text_of(s.args) for s in runs}
    if len(texts) > 1:
        return f"{len(texts)} shapes"
    shapes = next(iter(texts)).split()
    return " ".join(shapes[:SHAPES_SHOWN] + ["…"] * (len(shapes) > SHAPES_SHOWN)) or None


def kineto_shapes(args):
    dims = args.get("Input Dims", args.get("Input dims"))
    return " ".join(shape_text(d) for d in dims) if dims else ""


def onnxruntime_shapes(args, key):
    return " ".join(shape_text(s) for one in args.get(key, []) for s in one.values())


def multiplications(args):
    """Two operations for each multiplication of a Conv or Gemm whose shapes the profile holds."""
    ins, outs = ([s for one in args.get(k, []) for s in one.values()] for k in ("input_type_shape", "output_type_shape"))
    if not ins or not outs:
        return None
    kind = args.get("op_name")
    if kind in ("Conv", "FusedConv") and len(ins) > 1 and len(ins[1]) == 4:
        return 2 * math.prod(outs[0]) * math.prod(ins[1][1:])
    return 2 * math.prod(outs[0]) * ins[0][-1] if kind in ("Gemm", "QGemm", "MatMul") and ins[0] else None


def onnxruntime_extras(runs, time_ns):
    args = runs[0].args
    work = multiplications(args)
    memory = sum(int(args.get(k, 0)) for k in ("activation_size", "parameter_size", "output_size")) or None
    return {"type": args.get("op_name"), "computation": work, "flops": work and work / time_ns * 10**9, "memory_bytes": memory,
            "bandwidth": memory / time_ns * 10**9 if time_ns and memory else None,
            "in_shapes": shapes_of(runs, lambda a: onnxruntime_shapes(a, "input_type_shape")),
            "out_shapes": shapes_of(runs, lambda a: onnxruntime_shapes(a, "output_type_shape"))}


def operators(spans, inferences, extras=None):
    """One row per name and side, with the self time per inference (in all where there is no inference)."""
    own = self_times([s for s in spans if s.kind in ("host", "stage")])
    groups = collections.defaultdict(list)
    for s in spans:
        if s.kind in ("host", "device"):
            groups[s.name, s.kind].append(s)
    rows = []
    for (name, kind), runs in groups.items():
        time_ns = sum(own[id(s)] if kind == "host" else s.end - s.begin for s in runs) / max(1, len(inferences))
        row = {"name": name, "side": kind, "count": len(runs), "time_ns": time_ns}
        rows.append({**row, **(extras(runs, time_ns) if extras else {})})
    return with_shares(rows)


def with_shares(rows):
    total = sum(r["time_ns"] for r in rows)
    return [{**r, "share": r["time_ns"] / total if total else None} for r in rows]


def cumulative(rows):
    """The running sums of shares, largest time first: rows of equal time have no order."""
    total, reached, sums = sum(r["time_ns"] for r in rows), 0, []
    for time_ns in sorted((r["time_ns"] for r in rows), reverse=True):
        reached += time_ns
        sums.append(reached / total if total else None)
    return sums


def inference_rows(inferences, spans):
    own = self_times([s for s in spans if s.kind in ("host", "stage")])
    tasks, host = collections.defaultdict(list), collections.Counter()
    for s in spans:
        at = owner(inferences, s) if s.kind in ("task", "host") else None
        if at is not None and s.kind == "task":
            tasks[at].append(s.end - s.begin)
        elif at is not None:
            host[at] += own[id(s)]
    return [{"thread_id": s.thread[1], "start_ns": s.begin, "dur_ns": s.end - s.begin, "tasks": len(tasks[i]),
             "npu_ns": sum(tasks[i]), "host_operator_ns": host[i]} for i, s in enumerate(inferences)]


def host_rows(inferences, spans):
    rows = [(s, owner(inferences, s)) for s in spans if s.kind == "host"]
    return [{"name": s.name, "thread_id": s.thread[1], "inference": i, "dur_ns": s.end - s.begin, "op": s.args.get("op_name")}
            for s, i in rows]


def summed(spans, kind, keys):
    return [{k: r[k] for k in keys} for r in span_names([s for s in spans if s.kind == kind])]


def common_tables(spans, rule=interpolated, extras=None):
    inferences = sorted((s for s in spans if s.kind == "inference"), key=lambda s: s.begin)
    latency = statistics([s.end - s.begin for s in inferences], rule)
    return {"summary": [latency], "span_names": span_names(spans, rule), "inferences": inference_rows(inferences, spans),
            "operators": operators(spans, inferences, extras), "host_operators": host_rows(inferences, spans),
            "npu_operators": summed(spans, "device", ("name", "count", "average_ns")),
            "runtime_stages": summed(spans, "stage", ("name", "count", "total_ns", "average_ns", "min_ns", "max_ns")),
            "setup": summed(spans, "setup", ("name", "count", "total_ns", "average_ns"))}


def kineto_tables(events):
    spans = spans_of(events, kineto_kind)
    counted = None if any(s.kind == "inference" for s in spans) else enclosing_label(spans)
    labels = [s for s in spans if s.kind == "label"]
    spans = [s._replace(kind="inference") if s.kind == "label" and s.name == counted else s for s in spans]
    tables = common_tables(spans, extras=lambda runs, _: {"in_shapes": shapes_of(runs, lambda a: kineto_shapes(a))})
    tables["labels"] = [{"label": r["name"], "spans": r["count"], "span_median_ns": r["median_ns"], "span_total_ns": r["total_ns"]}
                        for r in span_names(labels)]
    return len(spans), tables


def furiosa_tables(events):
    """A call that the runtime writes twice, one inside the other with the same name, counts once."""
    every = spans_of(events, furiosa_kind)
    doubled = [s for s in every if s.kind == "stage" and any(o is not s and o.name == s.name and o.thread == s.thread and
               o.begin <= s.begin and s.end <= o.end for o in every)]
    spans = [s for s in every if not any(s is d for d in doubled)]
    tables = common_tables(spans)
    tasks, executions = [s for s in spans if s.kind == "task"], []
    for t in tasks:
        run = sum(s.end - s.begin for s in spans if s.kind == "device" and t.begin <= s.begin < t.end)
        executions.append({"total_ns": t.end - t.begin, "run_ns": run, "io_wait_ns": t.end - t.begin - run})
    tables["npu_executions"] = executions
    return len(every), tables


# TensorRT

STAGES_OF_A_QUERY = (("Enqueue", "stage", "startEnqMs", "enqMs"), ("H2D", "stage", "startH2dMs", "h2dMs"), ("D2H", "stage", "startD2hMs", "d2hMs"),
                     ("Compute", "task", "startComputeMs", "computeMs"), ("Inference", "inference", "startH2dMs", "latencyMs"))


def times_tables(entries):
    """--exportTimes: one query each; percentiles are trtexec's. Times since the start have six digits in the file, so a
    length is the field that the file has for it, not the difference of two times."""
    spans = []
    for i, q in enumerate(entries):
        at = {k: exact(v) * 10**6 for k, v in q.items()}
        at["enqMs"] = at["endEnqMs"] - at["startEnqMs"]
        for name, kind, begin, length in STAGES_OF_A_QUERY:
            spans.append(Span(name, kind, at[begin], at[begin] + at[length], (0, "0"), i, {}))
    tables = common_tables(spans, as_trtexec)
    tasks = [s for s in spans if s.kind == "task"]
    tables["npu_executions"] = [{"total_ns": s.end - s.begin} for s in tasks]
    window = max(s.end for s in spans if s.kind == "inference") - min(s.begin for s in spans if s.kind == "inference")
    busy = union((s.begin, s.end) for s in tasks)
    tables["npu_usage"] = [{"window_ns": window, "busy_ns": busy, "npu_percent": busy / window * 100}]
    return len(spans), tables


def profile_tables(layers, count):
    """Layers with their mean and, if the file has it, median: (name, total, mean, median) in ms. Mean times count is the sum
    (printed to the nanosecond), which differs from the file's own total by the last digit of either."""
    names, rows = [], []
    for name, total, mean, median in layers:
        assert abs(total - mean * count) <= max(abs(total) / 10**5, Fraction(6, 1000)), f"{name}: total and mean contradict"
        names.append({"name": name, "count": count, "total_ns": mean * count * 10**6, "average_ns": mean * 10**6, "min_ns": None,
                      "median_ns": None if median is None else median * 10**6, "p90_ns": None, "p99_ns": None, "max_ns": None})
        rows.append({"name": name, "side": "device", "count": count, "time_ns": mean * 10**6})
    return len(rows), {"span_names": names, "operators": with_shares(rows), "inferences": [],
                       "npu_operators": [{k: r[k] for k in ("name", "count", "average_ns")} for r in names]}


def profile_file(entries):
    counts = [e["count"] for e in entries if "count" in e]
    layers = [(e["name"], exact(e["timeMs"]), exact(e["averageMs"]), exact(e.get("medianMs"))) for e in entries if "name" in e]
    return profile_tables(layers, counts[0])


def profile_log(text):
    """--dumpProfile: a layer with total, mean and median time and share, then the row Total."""
    count = int(re.search(r"=== Profile \((\d+) iterations", text).group(1))
    row = re.compile(r"^\[[^]]*\] \[I\] +(.*?) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) *$", re.M)
    found = [m.groups() for m in row.finditer(text[text.index("=== Profile ("):])]
    return profile_tables([(n, *map(exact, (t, a, m))) for n, t, a, m, _ in found if n != "Total"], count)


# Reading, comparing

def expected(path):
    """(spans, tables), or None if the file is of no format that has figures."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8", "replace")
    if "=== Profile (" in text:
        return profile_log(text)
    try:
        top, events = events_of(text)
        made = json.loads(text, parse_float=str, strict=False) if not events else None
    except (ValueError, RecursionError, AttributeError, TypeError):
        return None
    if isinstance(made, list) and made and isinstance(made[0], dict):
        return times_tables(made) if "startComputeMs" in made[0] else profile_file(made) if "count" in made[0] else None
    return by_events(top, events) if events else None


def by_events(top, events):
    categories = {str(e.get("cat")) for e in events}
    if "schemaVersion" in top:
        return kineto_tables(events)
    if "Node" in categories:
        spans = spans_of(events, onnxruntime_kind)
        return len(spans), common_tables(spans, extras=onnxruntime_extras)
    if {"Nux", "NPU", "Runtime"} & categories:
        return furiosa_tables(events)
    spans = spans_of(events, chrome_kind)
    return len(spans), {k: v for k, v in common_tables(spans).items() if k in ("summary", "span_names", "inferences", "operators")}


def printed(program, path, table):
    run = subprocess.run([program, "trace", path, "--table", table, "--format", "csv", "-q"], capture_output=True, text=True)
    return list(csv.DictReader(io.StringIO(run.stdout)))


def same(want, got, off=0):
    """Text as it is; numbers to six decimals or ten digits, as CSV prints them, and off by `off`."""
    if want is None:
        return got == ""
    if isinstance(want, str):
        return want == got
    value = exact(got)
    return value is not None and abs(value - want) <= off + max(Fraction(2, 10**6), abs(Fraction(want)) / 10**10)


def paired(want, got):
    """Rows by what names them, equal names by their figures."""
    if want and "start_ns" in want[0]:
        return sorted(want, key=lambda r: r["start_ns"]), sorted(got, key=lambda r: exact(r["start_ns"]))
    keys = [k for k in ("name", "label", "side", "thread_id", "inference") if want and k in want[0]]
    figures = next((k for k in ("dur_ns", "total_ns", "time_ns", "average_ns", "span_total_ns") if want and k in want[0]), None)
    text = lambda row: [str("" if row[k] is None else row[k]) for k in keys]
    order = lambda row: (text(row), exact(row[figures]) if figures else 0)
    return sorted(want, key=order), sorted(got, key=order)


def shown(value):
    return value if value is None or isinstance(value, (str, int)) else float(value)


def compare_table(table, want, got):
    """(figures compared, [differences])"""
    if table == "labels":
        got = [r for r in got if r["spans"]]
    if len(want) != len(got):
        return 1, [f"{table}: {len(got)} rows, expected {len(want)}"]
    wrong, figures = [], 0
    for w, g in zip(*paired(want, got)):
        for key, value in w.items():
            figures += 1
            if not same(value, g[key], Fraction(1, 2) if key == "total_ns" else 0):
                wrong.append(f"{table}: {w.get('name', w.get('label', ''))[:60]}: {key} {g[key]}, expected {shown(value)}")
    sums = cumulative(want) if table == "operators" else []
    wrong += [f"operators: cumulative {g['cumulative']}, expected {shown(s)}"
              for s, g in zip(sums, got) if not same(s, g["cumulative"])]
    return figures + len(sums), wrong


def compare(program, path):
    oracle = expected(path)
    if oracle is None:
        return None
    spans, tables = oracle
    head = subprocess.run([program, "trace", path, "--format", "json", "-q"], capture_output=True, text=True).stdout
    counted = json.loads(head)["spans"] if head else None
    rows, figures, wrong = 0, 1, [] if counted == spans else [f"spans: {counted}, expected {spans}"]
    for table, want in tables.items():
        more, bad = compare_table(table, want, printed(program, path, table))
        rows, figures, wrong = rows + len(want), figures + more, wrong + bad
    return rows, figures, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = options.files or sorted(p for p in outside.corpus("traces").rglob("*") if p.is_file())
    total = collections.Counter()
    for path in files:
        result = compare(os.path.join(options.build, "npu-advise"), path)
        if result is None:
            total["without figures"] += 1
            continue
        rows, figures, wrong = result
        print(f"{path.parent.name}/{path.name}: {rows} rows, {figures} figures, {len(wrong)} differ")
        for line in wrong[:5]:
            print("   ", line)
        total.update({"traces": 1, "rows": rows, "figures": figures, "differences": len(wrong)})
    print(", ".join(f"{total[k]} {k}" for k in ("traces", "rows", "figures", "differences", "without figures")))
    return 1 if total["differences"] or not total["traces"] else 0


if __name__ == "__main__":
    sys.exit(main())

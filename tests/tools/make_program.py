#!/usr/bin/python3
"""make_program.py PROGRAMS: writes compiled programs told in words, and a trace of each.

PROGRAMS holds sections "== NAME: what it shows", each a list of lines, "#" begins a remark:

  KIND OP TIMEus [SEGMENT]   a step behind the one before: host Quantize 300us, h2d h2d 100us, npu npu 500us 0 …
  runs N                     inferences of the trace (40 unless said)
  other                      the trace is of another program: twice as many spans, and host operators of other names
  graph                      structure alone: NAME.program is DOT, each step an operator of a subgraph of its own

For each section: NAME.program (lowered.json, or DOT) and NAME.trace.
"""
import json
import sys

SPAN = {"h2d": "WriteToDram", "d2h": "ReadFromDram"}


def sections(path):
    found, name = {}, None
    for line in open(path):
        line = line.split("#")[0].strip()
        if line.startswith("== "):
            name = line[3:].split(":")[0].strip()
            found[name] = []
        elif line and name:
            found[name].append(line.split())
    return found


def lowered(steps):
    tensors = [{"id": i, "name": None, "dtype": "int8", "layout": "plain", "bytes": 1024} for i in range(len(steps) + 1)]
    listed = [{"id": i, "kind": kind, "op": op, "inputs": [i], "outputs": [i + 1],
               "segment": int(segment[0]) if segment else None} for i, (kind, op, _, *segment) in enumerate(steps)]
    return json.dumps({"schema_version": 1, "target": "warboy-2pe", "sdk": "0.10", "tensors": tensors, "steps": listed}, indent=1)


def dot(steps):
    lines = ["digraph G {"]
    for i, (kind, op, *_) in enumerate(steps):
        lines.append(f'  subgraph{i}_operator{i} [label="{op}"];')
        lines.append(f"  tensor{i} -> subgraph{i}_operator{i} -> tensor{i + 1};")
    return "\n".join(lines + ["}"]) + "\n"


def trace(steps, runs, other):
    events, now, span = [], 1000.0, 0
    for k in range(runs):
        begin = now
        for i, (kind, op, time, *_) in enumerate(steps):
            us, span = float(time[:-2]), span + 1
            args = {"trace_id": f"{k + 1:032x}", "span_id": f"{span:016x}", "parent_span_id": f"{10**6 + k:016x}"}
            event = {"ph": "X", "ts": now, "dur": us, "pid": 1000, "tid": 32, "cat": "Runtime",
                     "name": SPAN.get(kind, op + "Other" if other else op), "args": {"operator_index": str(i), **args}}
            if kind == "npu":
                event.update(name="Task", cat="NPU", pid=2000, tid=65536,
                             args={"pe_index": "0", "execution_index": "0", **args})
            events += [event] if not other else [dict(event, dur=us / 2), dict(event, ts=now + us / 2, dur=us / 2)]
            now += us
        events.append({"ph": "X", "name": "Inference", "cat": "Runtime", "ts": begin, "dur": now - begin, "pid": 1000, "tid": 32,
                       "args": {"trace_id": f"{k + 1:032x}", "span_id": f"{10**6 + k:016x}"}})
        now += 10
    return json.dumps({"traceEvents": events}, indent=1)


def main():
    for name, lines in sections(sys.argv[1]).items():
        word = {line[0]: line[1:] for line in lines}
        steps = [line for line in lines if line[0] in ("host", "h2d", "npu", "d2h")]
        open(f"{name}.program", "w").write(dot(steps) if "graph" in word else lowered(steps))
        open(f"{name}.trace", "w").write(trace(steps, int(word.get("runs", ["40"])[0]), "other" in word))


if __name__ == "__main__":
    main()

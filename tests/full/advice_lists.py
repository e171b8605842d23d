#!/usr/bin/python3
"""Checks the plans of every model: rows add up, no setting twice, no large host cost left out.

  advice_lists.py [--build DIR] [--quick] [--show] [--only TEXT]

Over the models of other projects and 30 generated networks, without a trace and with one of npu-exec, for latency and
for throughput:
  - the rows of a plan add up to the difference of now and after, and at most one plan is recommended;
  - no plan sets one thing twice;
  - no operator that the host runs for a known time ends as an observation, unless the five actions by hand save more;
  - if the host takes 30 % of the latency or more, at most a tenth of that time (or 0.1 ms) remains after the best plan and all actions by
    hand, or the result says that the model does not suit the target.
--quick: no traces; --show: a line for every result; --only TEXT: models whose name has it.
"""
import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import outside

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUPS = "torch vision nhwc image_out custom dynamic quantized subgraph misc tflite".split()
NETWORKS = [f"{name} --dtype {dtype} --input {pixels} --heads {heads}"
            for name, heads in (("mnist", "raw"), ("mobilenet_v1", "decoded"), ("resnet50", "decoded"), ("ssd_mobilenet", "decoded"),
                                ("yolov5n", "decoded"), ("yolov5s", "decoded"), ("yolov8n", "decoded"), ("yolov8n", "raw"))
            for dtype, pixels in itertools.product(("fp32", "qdq"), ("f32", "u8"))][:30]
HOST_SHARE, COVERED, SMALL_NS, ROUNDED = 0.3, 0.9, 1e5, 1e-4
CONVERSIONS = {"Quantize", "Dequantize", "Lower", "Unlower", "Pad", "Slice"}


def networks(folder):
    for line in NETWORKS:
        made = pathlib.Path(folder) / line.replace(" --", "-").replace(" ", "_")
        made.mkdir()
        subprocess.run([ROOT / "tests/networks/make_networks.py", *line.split(), "--no-check", "-o", made], check=True,
                       capture_output=True)
        yield from sorted(made.glob("*.onnx"))


def advise(build, model, *more):
    done = subprocess.run([build / "npu-advise", model, "-q", "--json", "-", *more], capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout) if done.returncode == 0 else None


def trace(build, model, path):
    done = subprocess.run([build / "npu-exec", model, "--runs", "30", "--trace", path], capture_output=True, timeout=300)
    return done.returncode == 0


def time_of(step):
    return (step["measured_ns"] or {}).get("median") or (step["predicted_ns"] or {}).get("mid") or 0


def host_steps(result):
    return [s for s in result["steps"] if s["kind"] == "host"]


def key_of(result):
    return "throughput_per_s" if result["objective"] == "throughput" else "latency_ns"


def sums(result):
    """Plans whose rows do not add up to the difference of now and after."""
    now = (result["now"] or {}).get(key_of(result))
    for plan in result["plans"]:
        rows, after = sum(row["saves"]["mid"] for row in plan["changes"] if row["saves"]), plan["after"][key_of(result)]["mid"]
        if now is None or after is None:
            continue  # a part whose time nobody knows
        whole = abs(now - after)
        if abs(rows - whole) > ROUNDED * max(now, after):
            yield f"the rows of plan {plan['id']} add up to {rows:.6g}, now and after differ by {whole:.6g}"


def twice(result):
    for plan in result["plans"]:
        settings = [(lever["lever"], lever["index"]) for lever in plan["levers"]]
        yield from (f"plan {plan['id']} sets {key} twice" for key in {k for k in settings if settings.count(k) > 1})


def observed_hosts(result):
    """Observations of an operator on the host with a known time that no change is about."""
    at = {n for s in host_steps(result) if s["op"] not in CONVERSIONS and time_of(s) > 0 for n in s["onnx_nodes"]}
    covered = {place["node"] for r in result["changes"] + result["by_hand"] + result["suppressed"] for place in [r["where"], *r["occurrences"]] if place}
    for o in result["observations"]:
        if o["where"] and o["where"]["node"] in at - covered:
            yield f"{o['rule_id']} at {o['where']['node']} is only observed"


def uncovered(result):
    """Host time that neither the best plan nor an action by hand saves, and all of it."""
    host, now = sum(time_of(s) for s in host_steps(result)), (result["now"] or {}).get("latency_ns") or 0
    after = [p["after"]["latency_ns"]["mid"] for p in result["plans"]]
    saved = max([now - ns for ns in after if ns is not None] or [0])
    return host - saved - sum(h["up_to"]["value"] for h in result["by_hand"]), host


def faster_on_cpu(result):
    """Whether the headline says that a CPU core alone is faster: of all intervals its own is below."""
    now, alone = result["now"], result.get("cpu_alone_ns")
    ends = [result["prediction"]["latency_ns"]["lo"] if now["source"] == "predicted" else now["latency_ns"]]
    ends += [p["after"]["latency_ns"]["lo"] + ((p.get("application_ns") or {}).get("lo") or 0) for p in result["plans"]]
    return alone and alone["hi"] < min(ends)


class Count:
    def __init__(self, show):
        self.show, self.results, self.plans, self.problems = show, 0, 0, []

    def add(self, label, result):
        self.results += 1
        self.plans += len(result["plans"])
        found = [*sums(result), *twice(result), *observed_hosts(result), *self.cover(result)]
        if sum(p["recommended"] for p in result["plans"]) > 1:
            found.append("two plans are recommended")
        self.problems += [f"{label}: {line}" for line in found]
        if self.show:
            print(f"{label}: {' '.join(p['route'] + ' ' + p['id'] for p in result['plans']) or 'no plan'}", flush=True)

    def cover(self, result):
        latency = (result["now"] or {}).get("latency_ns")
        if result["objective"] != "latency" or result["unsuitable"] or not latency or faster_on_cpu(result):
            return
        left, host = uncovered(result)
        if host >= HOST_SHARE * latency and left > max((1 - COVERED) * host, SMALL_NS):
            yield f"{left / 1e3:.0f} of {host / 1e3:.0f} us on the host are in no plan and no action"

    def close(self):
        print(*self.problems[:40], sep="\n", end="\n" if self.problems else "")
        print(f"{self.results} results, {self.plans} plans, {len(self.problems)} problems")
        return bool(self.problems) or not self.results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", default="")
    o = parser.parse_args()
    build, models = pathlib.Path(o.build).resolve(), outside.corpus("models")
    count = Count(o.show)
    with tempfile.TemporaryDirectory() as scratch:
        files = [f for g in GROUPS for f in sorted((models / g).glob("*.*")) if f.suffix in (".onnx", ".tflite")]
        for model in [*files, *networks(scratch)]:
            name = model.name if model.parent.parent == models else model.parent.name
            if o.only not in name:
                continue
            run = pathlib.Path(scratch) / "run.trace"
            ways = [("", [])] + ([(" traced", ["--trace", str(run)])] if not o.quick and trace(build, model, run) else [])
            for (how, more), objective in itertools.product(ways, ("latency", "throughput")):
                result = advise(build, model, "--objective", objective, *more)
                if result:
                    count.add(f"{name} {objective}{how}", result)
    sys.exit(count.close())


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Compares predicted rates of other workers and batches, from traces of a saturated NPU, with the executor's own runs.

  loads.py [--build DIR] [--networks DIR] [--other] [--only NETWORK] [--verbose]

Six networks with four and eight workers, on one PE per task and on two fused, wherever the executor's statistics say that the NPU is
busy for at least 95 % of the time.  Throughput and busy times are compared with the executor's own statistics; then workers and
batch are changed one at a time (`curves` of the result), and each prediction is compared with runs of the executor that were
changed likewise: pairs of runs with three seeds, none of them the trace's, and the difference is their median.

Last, ReLU replaces the activation of an EfficientNet-B0 everywhere (NPU303), which is simulated too.

Tasks of two PEs that share the DRAM fall into step in one way or another, so some changes gain with one seed and lose with the next:
the executor has a sign where the seeds agree, and by 2 % or more.  A prediction claims one where its whole interval does.

Passes if throughput is within 1 % and busy times within 2 points, every claimed sign is right, so is the sign of every median
where the executor has one, 85 % of the changes are within their intervals and the median error is at most 20 %.
--other: networks for the choice of constants; the ones above are not used for that.
"""
import argparse
import itertools
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Flags of make_networks.py, and the batch of the trace.
REPORTED = [("efficientnet_b0", 8), ("resnet50", 1), ("yolov5l", 1), ("mobilenet_v1", 8), ("yolov8m", 1), ("ssd_mobilenet", 8)]
OTHER = [("yolov8n", 4), ("yolov5m", 1), ("resnet50 --size 320", 4), ("mobilenet_v1 --size 160", 16), ("yolov5su", 2),
         ("resnet50 --size 192", 1), ("yolov8s", 1)]
RUNS, NONE, SEEDS = 300, 0.02, (7, 8, 9)
CURVES = {"workers": [1, 2, 4, 8], "batch": [1, 2, 4, 8, 16]}


def network(flags, folder):
    size = "-" + flags.split()[-1] if "--size" in flags else ""
    file = folder / f"{flags.split()[0]}-qdq-u8{size}.onnx"
    if not file.exists():
        subprocess.run([ROOT / "tests/networks/make_networks.py", *flags.split(), "--dtype", "qdq", "--input", "u8", "-o", folder,
                        "--no-check"], check=True, stdout=subprocess.DEVNULL)
    return file


class Bench:
    def __init__(self, build):
        self.build, self.folder = pathlib.Path(build), pathlib.Path(tempfile.mkdtemp(prefix="loads"))

    def execute(self, model, options, *more):
        words = [w for k, v in options.items() for w in (f"--{k}", str(v))]
        stats = self.folder / "s.json"
        subprocess.run([self.build / "npu-exec", model, *words, *map(str, more), "--json", stats], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return json.loads(stats.read_text())["simulation"]

    def rate(self, model, options, seed):
        return self.execute(model, options, "--runs", RUNS, "--seed", seed, "--trace", self.folder / "u.json")["images_per_s"]

    def advise(self, model, workers, batch, trace):
        out = self.folder / "r.json"
        subprocess.run([self.build / "npu-advise", model, "--trace", trace, "--objective", "throughput", "--workers", str(workers), "--batch", str(batch),
                        "--json", out], capture_output=True)
        return json.loads(out.read_text())


def compare_load(name, run, result):
    m, wall = result["measured"], run["total_ns"]
    rate = m["throughput_per_s"] / run["images_per_s"] - 1
    pe = max(abs(a - b / wall) for a, b in zip(m["busy"]["pe"], run["npu_busy_ns"]))
    host = abs(m["busy"]["host"] - run["core_busy_ns"] / wall)
    print(f"{name}: rate {100 * rate:+.2f} %, PE {100 * pe:.2f} points, host {100 * host:.2f} points off, "
          f"NPU {100 * run['npu_utilisation']:.0f} % busy, evidence {result['evidence']['grade']}")
    return abs(rate) <= 0.01 and pe <= 0.02 and host <= 0.02


def compare_activation(bench, networks):
    """Another activation everywhere (NPU303): the simulated rate is within the predicted interval, or the intervals overlap."""
    model, trace, out = network("efficientnet_b0", networks), bench.folder / "t.json", bench.folder / "v.json"
    bench.execute(model, {"target": "warboy-2pe", "workers": 4, "batch": 8}, "--runs", 100, "--trace", trace)
    subprocess.run([bench.build / "npu-advise", model, "--trace", trace, "--objective", "throughput", "--workers", "4", "--verify", "--json",
                    out], check=True, capture_output=True)
    result = json.loads(out.read_text())
    number = next(c["id"] for c in result["changes"] if c["rule_id"] == "NPU303")
    plan = next(p for p in result["plans"] if number in [c["id"] for c in p["changes"]])
    told, run = plan["predicted"], plan["after"]["throughput_per_s"]
    print(f"efficientnet_b0 batch 8 workers 4, plan with NPU303: predicted {told['mid']:.0f} [{told['lo']:.0f} {told['hi']:.0f}], "
          f"{plan['after']['source']} {run['mid']:.0f}, {plan['verdict']}")
    return plan["after"]["source"] == "simulated" and run["lo"] <= told["hi"] and told["lo"] <= run["hi"]


def sign(gain, before):
    return 0 if abs(gain) < NONE * before else 1 if gain > 0 else -1


def judge(lever, value, gain, before, runs):
    """`runs`: differences with each seed."""
    lo, mid, hi = gain
    real, signs = statistics.median(runs), {sign(r, before) for r in runs}
    s, t = sign(mid, before), sign(real, before)
    agree, claims = len(signs) == 1, sign(lo, before) * sign(hi, before) > 0
    right = s == t or abs(mid - real) < NONE * before
    return {"lever": lever, "value": value, "predicted": mid, "lo": lo, "hi": hi, "real": real, "before": before,
            "runs": runs, "agree": agree, "sign": right, "claims": claims, "wrong": claims and not right or agree and not right,
            "within": lo - NONE * before / 2 <= real <= hi + NONE * before / 2,
            "error": abs(mid - real) / abs(real) if t else None}


def curves(result):
    """(lever, value, (lo, mid, hi) of the difference of its rate and the predicted rate of now)"""
    for lever, values in CURVES.items():
        rates = {x[lever]: x["throughput_per_s"] for x in result["curves"][lever] if x["throughput_per_s"]}
        now = rates[int(result["setup"][lever]["value"])]["mid"]
        yield from ((lever, v, tuple(rates[v][k] - now for k in ("lo", "mid", "hi"))) for v in values if v in rates)


def summary(name, rows):
    errors = [r["error"] for r in rows if r["error"] is not None]
    if errors:
        agree, claims = [r for r in rows if r["agree"]], [r for r in rows if r["claims"]]
        print(f"{name:8}{len(rows):4} changes: sign of medians {sum(r['sign'] for r in rows)}, where seeds agree "
              f"{sum(r['sign'] for r in agree)} of {len(agree)}, where claimed {sum(r['sign'] for r in claims)} of {len(claims)}; "
              f"within {100 * sum(r['within'] for r in rows) / len(rows):.0f} %, median error {100 * statistics.median(errors):.1f} %")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build")
    p.add_argument("--networks", default=ROOT / "build" / "networks")
    p.add_argument("--other", action="store_true")
    p.add_argument("--only", default="", help="a network")
    p.add_argument("--verbose", action="store_true")
    a = p.parse_args()
    bench, rows, bad = Bench(a.build), [], 0
    for (flags, batch), target, workers in itertools.product(OTHER if a.other else REPORTED, ["warboy", "warboy-2pe"], [4, 8]):
        if a.only not in flags:
            continue
        model, name = network(flags, pathlib.Path(a.networks)), f"{flags} batch {batch} {target} workers {workers}"
        base = {"target": target, "workers": workers, "batch": batch}
        trace = bench.folder / "t.json"
        run = bench.execute(model, base, "--runs", RUNS, "--trace", trace)
        if run["npu_utilisation"] < 0.95:
            print(f"{name}: the NPU is {100 * run['npu_utilisation']:.0f} % busy: left out")
            continue
        result = bench.advise(model, workers, batch, trace)
        right = {k: result["setup"][k]["value"] for k in base}
        if right != {"target": target, "workers": str(workers), "batch": str(batch)} and right != base:
            print(f"{name}: set-up {right}")
        bad += not compare_load(name, run, result)
        rates = {seed: bench.rate(model, base, seed) for seed in SEEDS}
        plain = statistics.median(rates.values())
        for lever, value, gain in curves(result):
            changed = {**base, lever: value}
            if changed == base:
                continue
            row = judge(lever, value, gain, plain, [bench.rate(model, changed, seed) - rates[seed] for seed in SEEDS])
            rows.append(row)
            if a.verbose or not row["sign"]:
                runs = "" if row["agree"] else f" ({', '.join(f'{r:+.0f}' for r in row['runs'])})"
                print(f"  {lever} {value}: predicted {row['predicted']:+.0f} [{row['lo']:+.0f} {row['hi']:+.0f}], "
                      f"executor {row['real']:+.0f}{runs} of {plain:.0f}"
                      f"{'   WRONG SIGN' if row['wrong'] else '' if row['sign'] else '   another sign'}"
                      f"{'' if row['within'] else '   outside'}")
    for lever in [*CURVES, None]:
        summary(lever or "all", [r for r in rows if lever in (None, r["lever"])])
    errors = [r["error"] for r in rows if r["error"] is not None]
    bad += not a.other and a.only in "efficientnet_b0" and not compare_activation(bench, pathlib.Path(a.networks))
    bad += not rows or any(r["wrong"] for r in rows)
    bad += bool(rows) and (sum(r["within"] for r in rows) < 0.85 * len(rows) or statistics.median(errors) > 0.2)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

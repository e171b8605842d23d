#!/usr/bin/python3
"""Answers of `npu-advise tune --rate` in the executor's open loop.

  tune_rates.py [--build DIR] [MODEL:RATE:LIMIT_MS…] [--requests N] [--untraced] [--verify]      default: PAIRS

Each model with a trace of it as it is (a run of the same chip, another seed).  The plan is run as its bundle has it, requests of a
batch arriving at the rate, in SEEDS draws of requests; what collecting the batch takes is added to their latency, and its p99 has to be
within the limit in each: near what a station can do, the p99 of one draw is as good as twice that of another.  Then
the same with one worker less, or one card less, in both PE modes with every batch that was searched: where the plan says that this holds
nothing, none may be within it.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

# Of the generated networks; without MNIST, whose advice is a CPU core.
PAIRS = ["mobilenet_v1-qdq-u8-nhwc:1500:10", "resnet50-qdq-u8:600:20", "ssd_mobilenet-qdq-u8:400:30",
         "yolov5n6-qdq-u8:60:150"]

p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("pair", nargs="*")
p.add_argument("--build", default="build", type=pathlib.Path)
p.add_argument("--requests", type=int, default=6000)
p.add_argument("--untraced", action="store_true")
p.add_argument("--verify", action="store_true", help="the plan goes by the runs of the executor, which is named as runner")
o = p.parse_args()
o.advise, o.exec = o.build.resolve() / "npu-advise", o.build.resolve() / "npu-exec"
o.pair = o.pair or [str(o.build / "networks" / name.replace(":", ".onnx:", 1)) for name in PAIRS]
kept, least, said_no, wrong = 0, 0, 0, 0


SEEDS, BATCHES = (11, 12, 13), (1, 2, 4, 8, 16)


def run(folder, model, more, rate, images, target, batch, workers, devices, requests, seed):
    out = folder / "x.json"
    subprocess.run([o.exec, model, *more, "--runs", str(requests), "--warmup", "200", "--rate", f"{rate / images:.6f}", "--target", target,
                    "--batch", str(batch), "--workers", str(workers), "--devices", str(devices), "--seed", str(seed), "--json", out],
                   check=True, stdout=subprocess.DEVNULL)
    return float(json.loads(out.read_text())["result"]["latency stats"]["99th percentile"].split()[0]) * 1e3 + (images - 1) * 1e9 / rate


for pair in o.pair:
    model, rate, limit = pair.rsplit(":", 2)
    rate, limit = float(rate), float(limit) * 1e6
    with tempfile.TemporaryDirectory() as f:
        folder = pathlib.Path(f)
        command = [o.advise, "tune", model, "-q", "--rate", f"{rate:g}", "--latency-limit", f"{int(limit)}ns", "--aggregation", "p99",
                   "--json", folder / "t.json"]
        if not o.untraced:
            subprocess.run([o.exec, model, "--runs", "60", "--warmup", "5", "--seed", "3", "--trace", folder / "trace.json"], check=True,
                           stdout=subprocess.DEVNULL)
            command += ["--trace", folder / "trace.json"]
        if o.verify:
            command += ["--verify", "--runner", o.exec]
        subprocess.run(command, capture_output=True, check=True)
        t = json.loads((folder / "t.json").read_text())
        best, served = next((p for p in t["plans"] if p["recommended"]), None), t["rate"]["served"]
        if not served:
            print(f"{pathlib.Path(model).stem}: {rate:g} /s within {limit / 1e6:g} ms: no plan")
            continue
        if best:
            subprocess.run([*command, "--output", folder / "tuned"], capture_output=True, check=True)
        x = best["settings"] if best else {key: t["setup"][key]["value"] for key in ("target", "batch", "workers", "devices")}
        edited = folder / "tuned" / "model.onnx"
        what = edited if edited.exists() else model
        words = best["bundle"]["run"] if best else []
        more = [w for k, w in enumerate(words) if not {words[k - 1] if k else "", w} & {"--target", "--batch", "--workers", "--devices"}]
        images = round(rate / served["requests_per_s"])
        own = images // x["batch"]
        go = lambda *point, n=o.requests: [run(folder, what, more, rate, own * point[1], *point, n, seed) for seed in SEEDS]  # noqa: E731
        p99 = max(go(x["target"], x["batch"], x["workers"], x["devices"]))
        kept += p99 <= limit
        rules = [t["changes"][c["id"] - 1]["rule_id"] for c in best["changes"]] if best else []
        print(f"{pathlib.Path(model).stem}: {rate:g} /s within {limit / 1e6:g} ms: {x['devices']} cards, {x['workers']} workers, {x['target']}, batch"
              f" {x['batch']} {' '.join(rules)}: p99 predicted {served['latency_ns'] / 1e6:.3g} ms ({100 * served['slower']:.0f} % slower {served['with_headroom_ns'] / 1e6:.3g}),"
              f" run {p99 / 1e6:.3g} ms: {'kept' if p99 <= limit else 'NOT KEPT'}", flush=True)
        modes, found = sorted({"warboy", "warboy-2pe"}), None
        fewer = [(x["workers"] - 1, x["devices"])] if x["workers"] > 1 else []
        fewer += [(n, x["devices"] - 1) for n in (x["workers"], 2 * x["workers"], 4 * x["workers"])] if x["devices"] > 1 else []
        for workers, devices in fewer:
            for target in modes:
                for batch in BATCHES:
                    if (own * batch - 1) * 1e9 / rate > limit or found:
                        continue
                    one = run(folder, what, more, rate, own * batch, target, batch, workers, devices, o.requests // 3, SEEDS[0])
                    got = go(target, batch, workers, devices) if one <= limit else [one]
                    if max(got) <= limit:
                        found = f"{devices} cards, {workers} workers, {target}, batch {batch}: {max(got) / 1e6:.3g} ms"
        least += found is None
        claim = (served["less"] or {}).get("holds")
        said_no += claim == "no"
        wrong += claim == "no" and found is not None
        print(f"  with less: {found + ' HOLDS' if found else 'none of ' + str(len(fewer)) + ' holds in any mode with any batch' if fewer else 'there is no less'}; said: {claim}", flush=True)
n = len(o.pair)
print(f"{kept} of {n} promises kept; with less none of them holds in {least} of {n}, said of {said_no}, wrongly of {wrong}; the others: a run tells")
sys.exit(kept < n or wrong > 0)

#!/usr/bin/env python3
"""Compares predicted with measured times of layers: corpus/rk3588/layers.csv (RK3588, DDR at 1560 MHz).

usage: rknn_layers.py BUILD [CORPUS] [--left-out]      NPU_ADVISE_NETWORKS: a folder of make_networks.py's models

Of a table only its floor is taken (the median of what its rows leave); the figures of memory are those of
rules/targets/rk3588.xml at the clock of the recording.  Convolutions are matched by type, cycles and output (the
exports name their nodes otherwise); rows of the bad stretches (facts: yolov5s from 42, yolov5su from 75) are left out.
--left-out: the figures of the law are fitted again to all networks but one (least sum of relative errors, from the
figures of the target), which is predicted then; networks of one family (5n and 5nu) are left out together.
The last line is what whole networks are off by (their rows' sum): the mean square of a family's networks, the mean of the
families, and 90 % of such errors by Student's t with as many degrees as families.  With --left-out that is the target's residual_network.
"""
import csv
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import outside

MEMORY = ("read", "weight", "add", "concat", "split", "resize", "pool", "softmax")
CLOCK = 2112 / 1560
BAD = {"yolov5s": 42, "yolov5su": 75}
ROOT = pathlib.Path(__file__).resolve().parents[2]
TERM = re.compile(r'<term name="(\w+)"[^>]*>')
# Terms that are fitted again; of mac and table the larger counts.
FITTED = ("mac", "table", "stem", "read", "weight", "add", "concat", "split", "resize", "pool")
STUDENT = {1: 6.31, 2: 2.92, 3: 2.35, 4: 2.13, 5: 2.02, 6: 1.94}  # two-sided 90 %, by degrees of freedom


def target(factor_of, folder):
    """The target with every term's figure times a factor."""
    text = (ROOT / "rules" / "targets" / "rk3588.xml").read_text()

    def scaled(match):
        factor = factor_of(match[1])
        return re.sub(r'\b(value|lo|hi)="([^"]+)"', lambda m: f'{m[1]}="{float(m[2]) * factor:.6g}"', match[0])
    path = pathlib.Path(folder) / "recording.xml"
    path.write_text(TERM.sub(scaled, text))
    return path


def at_recording(name):
    return CLOCK if name in MEMORY else 0 if name in ("op", "view") else 1


def times(build, model, chip):
    """Microseconds by type, cycles and output."""
    out = subprocess.run([f"{build}/npu-advise", "compile", model, "--target", chip, "--csv", "-", "--quiet"],
                         capture_output=True, text=True, check=True).stdout
    return {(r["operator"], r["cycles"], r["output"]): float(r["time_ns"] or 0) / 1e3 for r in csv.DictReader(out.splitlines())}


def measured(corpus, nets):
    tables = {}
    for r in csv.DictReader(open(corpus / "rk3588" / "layers.csv")):
        tables.setdefault(r["model"], []).append(r)
    for model, rows in tables.items():
        found = sorted(nets.glob(f"{model}_sp.onnx")) or sorted(nets.glob(f"{model}-fp32-f32.onnx"))
        if found:
            good = [r for r in rows if r["target"] == "NPU" and int(r["row"]) < BAD.get(model, 1 << 30)]
            yield model, found[0], [((r["optype"], r["cyc_npu"], "x".join(re.findall(r"\d+", r["out_shape"]))), float(r["time_us"]))
                                    for r in good], len(rows)


def work_of(parts, factors):
    return [max(factors["mac"] * p["mac"], factors["table"] * p["table"]) + sum(factors[n] * p[n] for n in FITTED[2:]) for _, _, p in parts]


def errors(parts, factors):
    """Relative errors of a network's Conv rows and of all its rows, with its own floor.  parts: (key, time, time of each term)."""
    work = work_of(parts, factors)
    floor = statistics.median(t - w for (_, t, _), w in zip(parts, work))
    return [(key[0], abs(w + floor - t) / t) for (key, t, _), w in zip(parts, work)], floor


def quantiles(found):
    e = sorted(found)
    return f"median {100 * statistics.median(e):.1f} %, p90 {100 * e[int(0.9 * len(e))]:.1f} %" if e else "none"


def refitted(networks):
    """Factors by which the figures of the target change: one after the other, smaller steps each round."""
    factors = dict.fromkeys(FITTED, 1.0)

    def loss():
        return sum(min(e, 0.5) for parts in networks for _, e in errors(parts, factors)[0])
    best = loss()
    for step in (0.2, 0.1, 0.05, 0.02, 0.01):
        for name in FITTED * 3:
            for by in (1 + step, 1 / (1 + step)):
                kept = factors[name]
                factors[name] = kept * by
                now = loss()
                best, factors[name] = (now, factors[name]) if now < best else (best, kept)
    return factors


def family(model):
    return re.sub(r"[nsm]u?$", "", model)


def main():
    words = [w for w in sys.argv[1:] if w != "--left-out"]
    corpus = outside.corpus(given=words[1] if len(words) > 1 else None)
    networks = {}
    with tempfile.TemporaryDirectory() as folder:
        for model, path, rows, count in measured(corpus, outside.networks()):
            of_term = {n: times(words[0], path, target(lambda name, n=n: at_recording(name) * (name == n), folder)) for n in FITTED}
            networks[model] = [(key, t, {n: of_term[n][key] for n in FITTED}) for key, t in rows if key in of_term["mac"]], count
    every, whole = {"Conv": [], "all": []}, {}
    for model, (parts, count) in networks.items():
        factors = dict.fromkeys(FITTED, 1.0)
        if "--left-out" in sys.argv:
            factors = refitted([p for name, (p, _) in networks.items() if family(name) != family(model)])
        found, floor = errors(parts, factors)
        predicted = sum(work_of(parts, factors)) + floor * len(parts)
        whole.setdefault(family(model), []).append(math.log(sum(t for _, t, _ in parts) / predicted))
        conv = [e for kind, e in found if kind.startswith("Conv")]
        every["Conv"] += conv
        every["all"] += [e for _, e in found]
        print(f"{model}: {len(parts)} of {count} rows, floor {floor:.1f} us, Conv rows: {quantiles(conv)}; all: {quantiles(e for _, e in found)}")
    for name, found in every.items():
        print(f"{name}: {len(found)} rows, {quantiles(found)}")
    rms = math.sqrt(statistics.mean(statistics.mean(e * e for e in of) for of in whole.values()))
    print(f"networks: {sum(map(len, whole.values()))} of {len(whole)} families, {rms:.4f} in the mean square, "
          f"90 % within {STUDENT[len(whole)] * rms:.3f}")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""What it costs the application to run what a cut leaves over, measured on this machine.

  tests/full/app_costs.py [--build DIR] [--runs N]

The figures of rules/targets under "the application": `pass`, one threshold over floats in C; `app_op`, `app_byte` and
`app_mac`, ONNX Runtime on one thread and without fusing, operator by operator, over the second halves of detectors
that npu-advise cut, a small network (for the start of an operator) and a classifier (for the products).  A node takes the least of N runs, as others may use the
machine meanwhile; the figures are medians over nodes: of at most 32 KiB for the operator, of 64 KiB and more for the
byte, of convolutions for the product.  Prints them with their quartiles beside those of the target, and
fails when a figure of the target lies outside the quartiles by more than a factor of five: another machine is another figure, but
not another order.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import packages

ROOT = pathlib.Path(__file__).resolve().parents[2]
NETWORKS = [f"yolov5{size}6 --heads decoded --dtype qdq" for size in "nsml"]
CLASSIFIER, SMALLEST = "mobilenet_v1", "mnist"
SMALL, LARGE = 32768, 65536
FACTOR = 5
PASS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
int main(void)
{
    for (size_t bytes = 1 << 18; bytes <= 1 << 26; bytes <<= 2) {
        size_t n = bytes / sizeof(float), hits = 0;
        float *x = malloc(bytes);
        double best = 1e30;
        for (size_t i = 0; i < n; i++) x[i] = (float)(i * 2654435761u % 1000) / 1000;
        for (int r = 0; r < 20; r++) {
            double t = now();
            size_t *at = malloc(n * sizeof *at / 50 + 64), k = 0;
            for (size_t i = 0; i < n; i++) if (x[i] > 0.99f && k < n / 50) at[k++] = i;
            t = now() - t;
            hits += k;
            free(at);
            if (t < best) best = t;
        }
        printf("%zu %.4f %zu\n", bytes, best / (double)bytes, hits);
        free(x);
    }
}
"""


def network(folder, flags):
    subprocess.run([ROOT / "tests/networks/make_networks.py", *flags.split(), "--weights", "real", "--no-check", "-o", folder],
                   check=True, capture_output=True)
    return next(pathlib.Path(folder).glob("*.onnx"))


def tail_of(build, folder, flags):
    model = network(folder, flags)
    result = pathlib.Path(folder) / "result.json"
    subprocess.run([build / "npu-advise", model, "-q", "--json", result], check=True, capture_output=True)
    told = json.loads(result.read_text())
    cuts = {c["id"] for c in told["changes"] if c["rule_id"] == "NPU302"}
    plan = next((p["id"] for p in told["plans"] if cuts & {x["id"] for x in p["changes"]}), None)
    if not plan:
        sys.exit(f"no plan for {model.name} cuts it: choose another network")
    subprocess.run([build / "npu-advise", "apply", model, "-q", "--result", result, "--plan", plan, "--output", pathlib.Path(folder) / "bundle"],
                   check=True, capture_output=True)
    return pathlib.Path(folder) / "bundle/tail.onnx"


def nodes(build, modules, model, runs):
    """(operator, bytes, MACs, ns) of every node, the least of the runs."""
    done = subprocess.run(["node", ROOT / "tests/full/profile.cjs", model, str(runs)], capture_output=True, text=True, check=True,
                          env=dict(os.environ, NODE_PATH=str(modules)))
    told = json.loads(subprocess.run([build / "npu-advise", "inspect", model, "--json", "-", "-q"], capture_output=True, check=True).stdout)
    macs = {n["name"]: n["macs"] or 0 for n in told["nodes"]}
    best = {}
    for event in json.loads(done.stdout):
        args, name = event.get("args", {}), event.get("name", "")
        if not name.endswith("_kernel_time") or "output_size" not in args:
            continue
        size = sum(int(args.get(k) or 0) for k in ("activation_size", "output_size", "parameter_size"))
        node = name[:-len("_kernel_time")]
        if node not in best or event["dur"] < best[node][3]:
            best[node] = (args["op_name"], size, macs.get(node, 0), event["dur"])
    return [(op, size, mac, 1e3 * us) for op, size, mac, us in best.values()]


def passes(scratch):
    (scratch / "pass.c").write_text(PASS)
    subprocess.run(["cc", "-O2", "-o", scratch / "pass", scratch / "pass.c"], check=True)
    lines = subprocess.run([scratch / "pass"], capture_output=True, text=True, check=True).stdout.split("\n")
    return [float(line.split()[1]) for line in lines if line]


def figures():
    root = xml.parse(ROOT / "rules/targets/warboy.xml").getroot()
    return {p.get("name"): tuple(float(p.get(k) or p.get("value")) for k in ("value", "lo", "hi")) for p in root.iter("p")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=30)
    o = parser.parse_args()
    build, modules = pathlib.Path(o.build).resolve(), packages.folder_with("onnxruntime-node")
    if not modules:
        print("needs the packages of tests/full/package.json")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        tails, products = [], []
        for flags in NETWORKS:
            with tempfile.TemporaryDirectory(dir=scratch) as folder:
                found = nodes(build, modules, tail_of(build, folder, flags), o.runs)
            print(f"{flags}: {len(found)} operators, {sum(n[1] for n in found) / 1e6:.1f} MB, {sum(n[3] for n in found) / 1e6:.2f} ms")
            tails += found
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            products = nodes(build, modules, network(folder, CLASSIFIER), o.runs)
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            small = nodes(build, modules, network(folder, SMALLEST), o.runs)
        measured = {"pass": passes(pathlib.Path(scratch)),
                    "app_op": [ns for _, size, mac, ns in [*tails, *small] if size < SMALL and mac < SMALL],
                    "app_byte": [ns / size for _, size, mac, ns in tails if size >= LARGE],
                    "app_mac": [ns / mac for _, size, mac, ns in products if mac > 1e6]}
    bad = 0
    for name, values in measured.items():
        low, middle, high = statistics.quantiles(values, n=4)
        value, lo, hi = figures()[name]
        good = low / FACTOR <= value <= high * FACTOR
        bad += not good
        print(f"{name}: measured {middle:.3g} [{low:.3g} {high:.3g}] over {len(values)}, largest {max(values):.3g}; "
              f"the target says {value:g} [{lo:g} {hi:g}]{'' if good else '  OUTSIDE'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

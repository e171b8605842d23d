#!/usr/bin/python3
"""Are confirmed recommendations real on silicon that was never run before?

  verdicts.py [--build DIR] [--silicons 901-920] [--share N] [--json FILE]

The report card's networks on twenty perturbed silicons.  Each network is advised about with a trace of that silicon (or
without one), the gain is verified on the ensemble as a user would, and then on the silicon itself with other seeds:
real means that the interval of 100 pairs lies above zero there.  Network i on silicon s has setting (i + s) / N mod 8 of
objective, SDK and trace; --share N takes every N-th pair of network and silicon (default 3).
Demanded: of confirmed recommendations 95 % are real.  Prints the table of verdicts and lists the false ones.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUPS = ["vision", "nhwc", "image_out"]
REAL = 0.95


def corpus():
    for place in [os.environ.get("NPU_ADVISE_CORPUS"), ROOT.parent / "shared" / "corpus"]:
        if place and (pathlib.Path(place) / "models").is_dir():
            return pathlib.Path(place) / "models"
    print("needs the corpus of other projects' models (NPU_ADVISE_CORPUS)")
    sys.exit(77)


def networks(build):
    folders = [build / "networks", *(corpus() / g for g in GROUPS)]
    # Sizes that nobody states cannot be run.
    return sorted((p for f in folders for p in f.glob("*.onnx") if "dynamic" not in p.stem), key=lambda p: p.name)


def settings(k):
    return ["--sdk", "0.10" if k & 2 else "0.9", "--objective", "throughput" if k & 1 else "latency"], bool(k & 4)


def advice(build, model, words, out, *more):
    """{what was recommended: (verdict, gain, verified)}, or None."""
    subprocess.run([build / "npu-advise", model, *words, "--verify", "--quiet", "--json", out, *more], capture_output=True)
    if not out.exists():
        return None
    found = {}
    for r in json.loads(out.read_text())["recommendations"]:
        levers = tuple((x["lever"], str(x["index"]), str(x["value"])) for x in r["levers"])
        found[r["rule_id"], r["fingerprint"], levers] = r["verdict"], r["gain"]
    out.unlink()
    return found


def run_one(build, model, silicon, k, scratch):
    """[(rule, verdict of the ensemble, verdict of the silicon, predicted, verified)]"""
    words, traced = settings(k)
    runner = f"{build / 'npu-exec'} --perturb {silicon}"
    if traced:
        trace = scratch / "trace.json"
        subprocess.run([build / "npu-exec", model, *words[:2], "--perturb", str(silicon), "--warmup", "5", "--runs", "60",
                        "--seed", str(silicon * 7 + 3), "--trace", trace], capture_output=True, check=True)
        words = [*words, "--trace", trace]
    told = advice(build, model, words, scratch / "told.json")
    true = advice(build, model, words, scratch / "true.json", "--runner", runner, "--runs", "100", "--seed", "77")
    rows = []
    for key, (verdict, gain) in (told or {}).items():
        real = (true or {}).get(key)
        if verdict and real and real[0]:
            rows.append((key[0], verdict, real[0], gain["predicted"], gain["verified"], real[1]["verified"]))
    return rows


def is_real(verdict):
    return verdict in ("confirmed", "larger", "smaller")


def show(table, false):
    print(f"{'ensemble says':16} {'gains':>6} {'real':>6} {'nothing':>8} {'worse':>6}")
    for verdict, n in sorted(table.items()):
        total, real = sum(n.values()), sum(v for k, v in n.items() if is_real(k))
        print(f"{verdict:16} {total:6} {real:6} {n['no-gain']:8} {n['regression']:6}")
    for line in false:
        print("false:", line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--silicons", default="901-920")
    parser.add_argument("--share", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    o = parser.parse_args()
    build = pathlib.Path(o.build).resolve()
    first, last = map(int, o.silicons.split("-"))
    table, false, rows = collections.defaultdict(collections.Counter), [], []
    with tempfile.TemporaryDirectory() as work:
        for s in range(first, last + 1):
            for i, model in enumerate(networks(build)):
                if (i + s) % o.share:
                    continue
                k = (i + s) // o.share % 8
                for row in run_one(build, model, s, k, pathlib.Path(work)):
                    rows.append((model.stem, s, k, *row))
                    rule, verdict, real, _, told, true = row
                    table[verdict][real] += 1
                    if verdict == "confirmed" and not is_real(real):
                        words, traced = settings(k)
                        false.append(f"{rule} {model.stem} on {s}, {words[3]}, SDK {words[1]}, {'trace' if traced else 'no trace'}: "
                                     f"{told['median']:.6g} [{told['lo']:.6g} {told['hi']:.6g}], "
                                     f"there {true['median']:.6g} [{true['lo']:.6g} {true['hi']:.6g}]")
            print(f"silicon {s}: {len(rows)} gains", file=sys.stderr, flush=True)
    if o.json:
        o.json.write_text(json.dumps(rows))
    show(table, false)
    confirmed = table["confirmed"]
    real = sum(n for v, n in confirmed.items() if is_real(v)) / max(1, sum(confirmed.values()))
    print(f"confirmed recommendations: {sum(confirmed.values())}, real in {real:.1%}")
    sys.exit(0 if real >= REAL else 1)


if __name__ == "__main__":
    main()

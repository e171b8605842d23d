#!/usr/bin/python3
"""End to end: npu-advise on ResNet50 with a 0.5 MB trace, text output, against the Python that people write today
(onnx.load, infer_shapes, json, pandas group-by over the spans).

  bench/end_to_end.py [BUILD] [ROUNDS]

Both run alternately as whole processes; the first pair is not counted; printed are medians and the median of the
pairwise ratios.  Goal: npu-advise takes at most 1/30 of the Python script.
"""
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEER = """
import json, sys
import onnx, pandas
model = onnx.shape_inference.infer_shapes(onnx.load(sys.argv[1], load_external_data=False))
events = json.load(open(sys.argv[2]))
events = events if isinstance(events, list) else events["traceEvents"]
spans = pandas.DataFrame([e for e in events if e.get("ph") == "X"])
print(spans.groupby("name")["dur"].agg(["count", "sum", "median"]).sort_values("sum"))
print(len(model.graph.node), len(model.graph.value_info))
"""


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 11
    folder = build / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    model, trace = folder / "resnet50-qdq-f32.onnx", folder / "resnet50.json"
    subprocess.run(["/usr/bin/python3", ROOT / "tests/networks/make_networks.py", "resnet50", "--dtype", "qdq", "-o", folder],
                   check=True, stdout=subprocess.DEVNULL)
    runs = 4
    while not trace.exists() or trace.stat().st_size < 500_000:
        subprocess.run([build / "npu-exec", model, "--runs", str(runs), "--trace", trace], check=True, stdout=subprocess.DEVNULL)
        runs = runs * 3 // 2
    try:
        subprocess.run(["/usr/bin/python3", "-c", "import pandas"], check=True, stderr=subprocess.DEVNULL)
    except subprocess.CalledProcessError:
        print("skipped: the peer needs python3-pandas")
        return
    ours = [build / "npu-advise", model, "--trace", trace]
    theirs = ["/usr/bin/python3", "-c", PEER, model, trace]
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)][1:]
    a, b = (statistics.median(p[i] for p in pairs) for i in (0, 1))
    ratio = statistics.median(p[1] / p[0] for p in pairs)
    print(f"trace {trace.stat().st_size / 1e6:.2f} MB; npu-advise {a * 1e3:.1f} ms, Python {b * 1e3:.0f} ms, "
          f"Python / npu-advise = {ratio:.0f} (goal 30)")


main()

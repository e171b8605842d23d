"""Compares predictions of float operators on the host with what was measured, and with the executor's spans."""
import collections
import json
import math
import pathlib
import re
import statistics
import subprocess
import tempfile

import host_shapes

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOUND_MEDIAN, BOUND_P90, BOUND_TWINS = 0.25, 2, 2
MISSES = 10


def host_target(folder, replace=lambda text: text):
    """The target of which no operator runs on the NPU, and that quantizes nothing."""
    text = (ROOT / "rules/targets/warboy.xml").read_text()
    text = re.sub(r'<support page="ko">.*</support>', "<support/>", text, flags=re.S)
    text = re.sub(r'<quantizer sdk="0.9".*?</quantizer>|<quantizer[^>]*/>', "", text, flags=re.S)
    path = folder / "warboy.xml"
    path.write_text(replace(text))
    return path


def still_silicon(folder):
    """The silicon whose host operators do not scatter."""
    path = folder / "silicon.xml"
    path.write_text(re.sub(r' sigma="[0-9.]+"', ' sigma="0"', (ROOT / "npu_exec/silicon/warboy.xml").read_text()))
    return path


def predicted(build, model, target):
    """ns of the steps that are no conversion."""
    out = model.with_suffix(".json")
    subprocess.run([build / "npu-advise", model, "-q", "--target", target, "--json", out], capture_output=True, check=False)
    steps = json.loads(out.read_text())["steps"]
    return sum(s["predicted_ns"]["mid"] for s in steps if s["kind"] == "host" and s["predicted_ns"])


def simulated(build, model, target, silicon):
    """Of each operator the median of some runs, as one in a thousand takes ten times as long."""
    out = model.with_suffix(".trace")
    subprocess.run([build / "npu-exec", model, "--target", target, "--silicon", silicon, "--warmup", "20", "--runs", "5", "--trace", out,
                    "--trace-overhead", "0"], capture_output=True, check=True)
    spans, times = json.loads(out.read_text()), collections.defaultdict(list)
    for s in spans["traceEvents"] if isinstance(spans, dict) else spans:
        index = s.get("args", {}).get("operator_index")
        if index not in (None, "", "null"):
            times[index].append(s["dur"])
    return 1e3 * sum(map(statistics.median, times.values()))


def judge(build, draws, measured):
    """Prints how far predictions are off; 0 if all bounds hold."""
    off, twins, worst = [], [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        target, silicon, model = host_target(folder), still_silicon(folder), folder / "one.onnx"
        for law, draw, ns in ((law, draw, measured[law]) for law, draw in draws if measured.get(law)):
            model.write_bytes(host_shapes.model(draw, 1)[0].SerializeToString())
            view = draw["op"] if "row" in draw else None
            guess = predicted(build, model, target)
            off.append(abs(math.log(guess / ns)))
            twins.append(abs(math.log(guess / simulated(build, model, target, silicon))))
            worst.append((off[-1], f"{law} {draw['inputs']}: {guess / 1e3:.1f} us, measured {ns / 1e3:.1f}"))
    median, p90 = statistics.median(off), statistics.quantiles(off, n=10)[-1]
    far = sum(x > math.log(BOUND_TWINS) for x in twins)
    print(f"{len(off)} operators: off by {math.expm1(median):.0%} (median), by a factor of {math.exp(p90):.2f} (nine in ten); "
          f"{far} further than a factor of {BOUND_TWINS} from the executor")
    for _, text in sorted(worst, reverse=True)[:MISSES]:
        print(f"  {text}")
    return int(math.expm1(median) > BOUND_MEDIAN or math.exp(p90) > BOUND_P90)

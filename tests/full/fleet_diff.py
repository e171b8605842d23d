#!/usr/bin/python3
"""What a comparison of two fleets finds: 200 models, each traced again with another seed.

  fleet_diff.py [--build DIR] [--models N] [--runs N]

One NPU task is made 5 % slower in the traces of three of them: these three are named, with that step, and nothing else.  The same fleet
without that: nothing is named.  A new SDK that halves quantization in two of five models: told of quantization over the fleet, and nine of
ten of these models named, and no other.
Gates: slower=2 fails (1), slower=3 passes (0).  A twin with one task 0.3 % slower is not named: that is less than chance.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import slower_trace  # noqa: E402

BASES = ["mnist-qdq-u8-nhwc", "mobilenet_v1-qdq-u8-nhwc", "resnet50-qdq-f32", "resnet50-qdq-u8", "ssd_mobilenet-qdq-u8", "yolov5s-qdq-f32", "yolov5n6-qdq-u8", "resnet50-fp32-f32", "yolov5l-qdq-f32"]


def stretch(source, target, chosen, factor):
    """The trace with time stretched while one of the chosen spans runs."""
    trace = json.loads(source.read_text())
    events = slower_trace.events_of(trace)
    parts = [(e["ts"], e["ts"] + e["dur"]) for e in events if "dur" in e and chosen(e)]
    slower_trace.stretch(events, parts, [factor], 4)
    target.write_text(json.dumps(trace))


def is_task(event):
    return event.get("name") == "Task" and event.get("args", {}).get("execution_index") == "0"


def is_quantize(event):
    return event.get("name") == "Quantize"


class Fleets:
    def __init__(self, build, scratch, count, runs):
        self.build, self.scratch, self.runs = build, scratch, runs
        bases = [base for base in BASES if (build / "networks" / f"{base}.onnx").exists()]
        self.names = [(f"{i:03d}-{bases[i % len(bases)]}.onnx", build / "networks" / f"{bases[i % len(bases)]}.onnx") for i in range(count)]

    def trace(self, folder, first_seed):
        (self.scratch / folder).mkdir()
        for i, (name, source) in enumerate(self.names):
            model = self.scratch / folder / name
            os.link(source, model) if os.stat(source).st_dev == os.stat(model.parent).st_dev else shutil.copy(source, model)
            subprocess.run([self.build / "npu-exec", model, "--fast", "--runs", str(self.runs), "--warmup", "2", "--seed", str(first_seed + i),
                            "--trace", f"{model}.trace.json"], check=True, capture_output=True)

    def twin(self, of, folder, change):
        """A fleet whose traces are those of another, but for what `change` says of model i: (chosen, factor), or None."""
        (self.scratch / folder).mkdir()
        for i, (name, _) in enumerate(self.names):
            for end in ("", ".trace.json"):
                os.link(self.scratch / of / f"{name}{end}", self.scratch / folder / f"{name}{end}")
            if change(i, name):
                target = self.scratch / folder / f"{name}.trace.json"
                target.unlink()
                stretch(self.scratch / of / f"{name}.trace.json", target, *change(i, name))

    def answer(self, folder):
        subprocess.run([self.build / "npu-advise", ".", "--isolated", "--sqlite", f"../{folder}.sqlite"], cwd=self.scratch / folder, check=True, capture_output=True)

    def compare(self, old, new, *gate):
        said = subprocess.run([self.build / "npu-advise", "diff", f"{old}.sqlite", f"{new}.sqlite", "--json", "-", *gate], cwd=self.scratch, capture_output=True, text=True, check=False)
        assert said.stdout, said.stderr
        tree = json.loads(said.stdout)
        print(f"{old} and {new}: {tree['tests']} steps, {tree['sensitive']} of them sensitive to 5 %:", {k: v for k, v in tree["counts"].items() if v}, f"status {said.returncode}", flush=True)
        return tree, said.returncode


def holds(what, good):
    print("holds:" if good else "FAILED:", what, flush=True)
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--models", default=200, type=int)
    parser.add_argument("--runs", default=60, type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as scratch:
        fleets = Fleets(given.build.resolve(), pathlib.Path(scratch), given.models, given.runs)
        fleets.trace("old", 1)
        fleets.trace("again", 10_001)
        slow = {given.models // 7, given.models // 2, given.models - 3}
        quantizing = {i for i, (name, _) in enumerate(fleets.names) if "f32" in name}
        faster = set(sorted(quantizing)[: 2 * given.models // 5])
        fleets.twin("again", "slow", lambda i, name: (is_task, 1.05) if i in slow else None)
        fleets.twin("again", "hardly", lambda i, name: (is_task, 1.003) if i in slow else None)
        fleets.twin("again", "sdk", lambda i, name: (is_quantize, 0.5) if i in faster else None)
        for folder in ("old", "again", "slow", "hardly", "sdk"):
            fleets.answer(folder)
        good = True
        tree, _ = fleets.compare("old", "again")
        good &= holds("nothing has changed, and nothing is named", tree["models"] == [] and tree["counts"]["same"] == given.models)
        tree, status = fleets.compare("old", "slow", "--budget", "slower=2")
        named = {int(m["model"].split("/")[-1][:3]): m for m in tree["models"]}
        good &= holds("the three slower ones are named, and nothing else", set(named) == slow and all(m["verdict"] == "slower" for m in named.values()))
        good &= holds("each with one step, of the NPU, near 5 %", all([s["kind"] for s in m["steps"]] == ["npu"] and 0.03 < m["steps"][0]["change"] < 0.07 for m in named.values()))
        good &= holds("a gate of two fails", status == 1)
        good &= holds("a gate of three passes", fleets.compare("old", "slow", "--budget", "slower=3")[1] == 0)
        good &= holds("0.3 % is not told from chance", fleets.compare("old", "hardly")[0]["models"] == [])
        tree, _ = fleets.compare("old", "sdk")
        told = {int(m["model"].split("/")[-1][:3]) for m in tree["models"] if m["verdict"] == "faster"}
        share = len(faster) / given.models  # every one of these models quantizes something
        print("operators:", [(o["kind"], o["op"], o["models"], {k: round(v, 4) for k, v in o["change"].items()}) for o in tree["operators"]], f"planted: {0.5 ** share - 1:.4f} on average", flush=True)
        good &= holds("the operator that it helps is told of, and no other, with its mean change in the interval",
                      [(o["kind"], o["op"]) for o in tree["operators"]] == [("host", "Quantize")] and tree["operators"][0]["change"]["lo"] <= 0.5 ** share - 1 <= tree["operators"][0]["change"]["hi"])
        good &= holds(f"of the {len(faster)} of {given.models} models that it helps nine of ten are named: {len(told & faster)}, and {len(told - faster)} others",
                      len(told & faster) >= 0.9 * len(faster) and told <= faster and len(tree["models"]) == len(told))
        return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

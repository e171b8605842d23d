#!/usr/bin/python3
"""The executor's NPU times on published points that its figures were not fitted to.

  exec_left_out.py [--build DIR] [--families] [--seed N]

Every eighth point (--families: each family of networks) is left out in turn: the figures of the silicon file that come from whole networks start at random
values around the shipped ones (up to twice or half), are fitted to the NPU times of the other families (a pattern search on
the mean absolute error), and predict those left out.  Ends with 1 when the mean error of all points left out exceeds
11 percent.
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tests" / "tools"
sys.path.insert(0, str(TOOLS))
import exec_points  # noqa: E402

FITTED = ["array_step", "window_step", "feed_rate", "feed_start", "feed_again", "pool_tap", "commit_rate", "table_rate", "gather_rate",
          "gather_fused", "weight_spread", "map_spread", "descriptor_issue"]
FOLDS = 8
STEPS = [1.5, 1.2, 1.08, 1.03]
SHIPPED = ROOT / "npu_exec" / "silicon" / "warboy.xml"
LIMIT = 11


def groups_of(points, families):
    """{name: indices of the points that are left out together}"""
    groups = {}
    for i, (point, _) in enumerate(points):
        name = point.get("family") or point["model"] if families else f"{i % FOLDS + 1} of {FOLDS}"
        groups.setdefault(name, []).append(i)
    return groups


def npu_points(networks, published):
    """[point, file] of all NPU times whose network is there."""
    points = [p for p in json.loads(published.read_text()) if p["metric"] in exec_points.GROUPS["npu"]]
    files = [(p, networks / exec_points.file_of(p["flags"])) for p in points if exec_points.is_compared(p)]
    return [(p, f) for p, f in files if f.exists()]


class Silicon:
    """Errors of points under factors of the shipped figures; runs the executor once for each network and set of factors."""

    def __init__(self, program, folder):
        self.program, self.folder, self.text = program, pathlib.Path(folder), SHIPPED.read_text()

    def write(self, factors):
        text = self.text
        for name, factor in factors.items():
            text = re.sub(rf'(<p name="{name}" value=")([^"]+)', lambda m: f"{m[1]}{float(m[2]) * factor:.6g}", text, count=1)
        file = self.folder / "silicon.xml"
        file.write_text(text)
        return file

    def time(self, point, model, silicon, seen):
        key = (model.name, point["target"], point.get("sdk"))
        if key not in seen:
            result = self.folder / "result.json"
            subprocess.run([self.program, model, "--silicon", silicon, "--target", point["target"], "--sdk",
                            point.get("sdk", "0.10")[:4], "--no-noise", "--json", result], check=True, capture_output=True)
            seen[key] = json.loads(result.read_text())["simulation"]
        figure = seen[key]
        total, run = figure["npu_total_ns"] / 1e6, figure["npu_run_ns"] / 1e6
        return exec_points.figure_of({"run": run, "total": total}, point)

    def errors(self, points, factors, most=math.inf):
        """Of all points; of fewer where their sum already exceeds `most`."""
        silicon, seen, errors = self.write(factors), {}, []
        for p, model in points:
            errors.append(abs(self.time(p, model, silicon, seen) / p["value_ms"] - 1))
            if sum(errors) > most:
                break
        return errors


def fit(silicon, points, factors):
    """Moves one figure after the other, by ever smaller steps, as long as the mean error falls."""
    errors = silicon.errors(points, factors)
    best = statistics.mean(errors)
    for step in STEPS:
        moved = True
        while moved:
            moved = False
            for name in FITTED:
                for factor in (step, 1 / step):
                    tried = {**factors, name: factors[name] * factor}
                    points = [points[i] for i in sorted(range(len(points)), key=errors.__getitem__, reverse=True)]  # the sooner it is known
                    errors.sort(reverse=True)
                    now = silicon.errors(points, tried, best * len(points))
                    if len(now) == len(points) and statistics.mean(now) < best - 1e-4:
                        errors, best, factors, moved = now, statistics.mean(now), tried, True
                        break
    return factors, best


def left_out(program, points, name, out, seed):
    """Errors of a group's points, and a line about them."""
    draw = random.Random(f"{seed} {name}")
    start = {figure: 2 ** draw.uniform(-1, 1) for figure in FITTED}
    rest = [x for i, x in enumerate(points) if i not in out]
    with tempfile.TemporaryDirectory() as folder:
        silicon = Silicon(program, folder)
        factors, inside = fit(silicon, rest, start)
        errors, before = silicon.errors([points[i] for i in out], factors), statistics.mean(silicon.errors(rest, start))
    return errors, (f"{name:14} {len(errors):3} points, mean error {100 * statistics.mean(errors):5.1f} %, of the others "
                    f"{100 * inside:.1f} % (before the fit {100 * before:.0f} %)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--families", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    all_errors = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor() as pool:
        subprocess.run([ROOT / "tests/networks/make_networks.py", "--published", "--no-check", "-o", folder], check=True, capture_output=True)
        points = npu_points(pathlib.Path(folder), ROOT / "tests/networks/published.json")
        groups = sorted(groups_of(points, o.families).items())
        for errors, line in pool.map(left_out, *zip(*(((o.build / "npu-exec").resolve(), points, *group, o.seed) for group in groups))):
            all_errors += errors
            print(line, flush=True)
    mean = 100 * statistics.mean(all_errors)
    print(f"{len(all_errors)} points left out: mean error {mean:.1f} %, median {100 * statistics.median(all_errors):.1f} %")
    return 1 if mean > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Runs Rockchip's compiler on the models of rknn_models.py, and compares its rows with those that `compile` predicts.

  tests/full/rknn_vendor.py [--build DIR] [--python PYTHON] [--keep DIR] [--chip rk3588,rk3566] [--only TEXT]
                            [--half seen|held-out] [--verbose]

Needs a Python 3.8 to 3.10 with rknn-toolkit2==2.3.2 torch==1.12.1 torchvision==0.13.1 onnx==1.16.1 onnxruntime numpy==1.26.4
protobuf==4.25.4 opencv-python-headless 'setuptools<81': --python, VENDOR_PYTHON_RKNN, or BUILD/vendor/rknn, which
make check-vendor installs.  Status 77 without.  No board is needed.
--keep: models and tables stay there, and what is there is not built again; it has the form of corpus/rk3588/compiler, so
`rknn_rows.py BUILD DIR -v` takes it.  Fails below the shares of SHARES (counted as rknn_rows.py does).

  rknn_vendor.py --inside CHIP LOGS MODEL…     in that Python: the logs of their builds
"""
import argparse
import csv
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
HERE = pathlib.Path(__file__).resolve().parent
CELLS = ("layer", "op", "dtype", "target", "in_shape", "out_shape", "ddr_cycles", "npu_cycles", "max_cycles", "rw_kb", "fullname")
LINE = re.compile(r"D RKNN: \[[\d:.]+\] (\d+) +(\S+) +(\S+) +(NPU|CPU|GPU) +(\S+) +(\S+) +(\d+)/(\d+)/(\d+) +(?:\S+% +)?([\d.]*) *(\S*)")
SECONDS_MAX = 250  # of one build
SHARES = {"models' row types": 0.90, "models' targets": 0.97, "cpu rows": 0.90}
CALLED_CPU_MAX = 0.05


def build_one(chip, model):
    import numpy
    import onnx
    from rknn.api import RKNN
    rng = numpy.random.default_rng(3)
    made = {t.name for t in onnx.load(model).graph.initializer}
    shapes = [[d.dim_value for d in v.type.tensor_type.shape.dim] for v in onnx.load(model).graph.input if v.name not in made]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i in range(2):
            for k, s in enumerate(shapes):
                numpy.save(f"{i}_{k}.npy", rng.normal(0, 1, s).astype(numpy.float32))
        pathlib.Path("data.txt").write_text("".join(" ".join(f"{i}_{k}.npy" for k in range(len(shapes))) + "\n" for i in range(2)))
        rknn = RKNN(verbose=True)
        rknn.config(target_platform=chip)
        if rknn.load_onnx(model=model) or rknn.build(do_quantization=True, dataset="data.txt"):
            print("E failed")


def inside(chip, logs, models):
    """Each in a child of its own: the compiler can end with a signal, and reading the toolkit in takes longer than a build."""
    import onnx  # noqa: F401
    from rknn.api import RKNN  # noqa: F401
    for model in models:
        log = pathlib.Path(logs) / f"{pathlib.Path(model).stem}.log"
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            pathlib.Path(f"{log}.part").rename(log)
            continue
        signal.alarm(SECONDS_MAX)
        out = os.open(f"{log}.part", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(out, 1)
        os.dup2(out, 2)
        try:
            build_one(chip, model)
        except BaseException as e:  # noqa: BLE001 (the tool raises anything)
            print(f"E {type(e).__name__}: {e}")
        sys.stdout.flush()
        os._exit(0)


def table(log):
    """Rows of the last table; none where the build ended before it."""
    rows = []
    for line in log.splitlines():
        m = LINE.search(line)
        if m:
            rows = [] if m[1] == "0" else rows
            rows.append(dict(zip(CELLS, m.groups())))
    return rows


def write_table(path, rows):
    with open(path, "w", newline="") as f:
        w = csv.DictWriter(f, ("model",) + CELLS)
        w.writeheader()
        w.writerows(rows)


def run_chip(python, folder, chip, only):
    """One table for all operators, and one for each network."""
    models = [m for sub in ("ops", "networks") for m in sorted((folder / sub).glob("*.onnx")) if only in m.stem]
    logs = folder / "logs" / chip
    logs.mkdir(parents=True, exist_ok=True)
    todo = [m for m in models if not (logs / f"{m.stem}.log").exists()]
    workers = [subprocess.Popen([python, __file__, "--inside", chip, logs, *todo[k::2]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for k in range(2)]
    if any([w.wait() for w in workers]):
        sys.exit(f"{python}: the toolkit cannot be run")
    ops = []
    for model in models:
        rows = table((logs / f"{model.stem}.log").read_text())
        if not rows:
            print(f"{chip} {model.stem}: the compiler ends without a table")
        elif model.parent.name == "ops":
            ops += [{"model": model.stem, **r} for r in rows]
        else:
            write_table(folder / f"232_{chip}_i8_{model.stem}.csv", [{"model": model.stem, **r} for r in rows])
    write_table(folder / f"232_{chip}_i8_ops.csv", ops)


def compare(build, folder, chip, wanted, verbose):
    import rknn_rows
    failed = False
    for kind, rows in rknn_rows.tables(folder, chip):
        rows = {name: r for name, r in rows.items() if wanted(name)}
        if kind == "ops":
            t = rknn_rows.compare_ops(build, folder, chip, rows, verbose)
            for name in rknn_rows.OPERATOR_LINES:
                print(f"{chip} operators: {name} {t.text(name)}")
            failed |= any(t.share(n) < least for n, least in SHARES.items()) or t.share("npu rows called cpu") > CALLED_CPU_MAX
        elif rows:
            t = rknn_rows.compare_net(build, folder, folder, chip, kind, rows[kind], verbose)
            print(f"{chip} {kind}: " + ", ".join(f"{n} {t.text(n)}" for n in ("row types", "targets", "cpu", "conv cycles")))
    return failed


def main():
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2], sys.argv[3], sys.argv[4:])
        return 0
    p = argparse.ArgumentParser()
    p.add_argument("--build", default="build")
    p.add_argument("--python")
    p.add_argument("--keep", type=pathlib.Path)
    p.add_argument("--chip", default="rk3588,rk3566")
    p.add_argument("--only", default="")
    p.add_argument("--half", choices=("seen", "held-out"))
    p.add_argument("--verbose", action="store_true")
    a = p.parse_args()
    import rknn_models
    import vendor_venv
    python, failed = vendor_venv.rknn_python(a.build, a.python), False
    with tempfile.TemporaryDirectory() as scratch:
        folder = (a.keep or pathlib.Path(scratch)).resolve()
        if not (folder / "networks").exists():
            subprocess.run([python, HERE / "rknn_models.py", folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for chip in a.chip.split(","):
            run_chip(python, folder, chip, a.only)
            failed |= compare(a.build, folder, chip, lambda name: not a.half or rknn_models.held_out(name) == (a.half == "held-out"), a.verbose)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Runs the convert.py of bundles with the vendor's toolkit: it ends well, writes model.rknn, and its log tells the rows of the model.

  rknn_convert.py [--build DIR] [--python PYTHON]

PYTHON has rknn-toolkit2 (see rknn_vendor.py): --python, VENDOR_PYTHON_RKNN, or BUILD/vendor/rknn, which make check-vendor installs.
Status 77 without.  Bundles are those of two networks with their best plan for a rate, of settings alone and of a changed model.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import vendor_venv  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUNDLES = (("mobilenetv2-12", "rk3588", 224, ()), ("yolov5s", "rk3566", 640, ("--needs", "all")))  # settings; ReLU instead of SiLU


def images(folder, side):
    """A list of two files with values of one image each."""
    subprocess.run([sys.executable, "-c", f"import numpy as np\nfor i in range(2): np.save(f'{{i}}.npy', np.random.default_rng(i)"
                    f".random((1, 3, {side}, {side}), np.float32))"], cwd=folder, check=True)
    (folder / "data.txt").write_text("".join(f"{folder}/{i}.npy\n" for i in range(2)))


def faults(build, python, model, chip, side, options, folder):
    subprocess.run([build / "npu-advise", "apply", model, "--target", chip, "--objective", "throughput", *options, "--output", folder / "fixed"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    images(folder, side)
    changed = folder / "fixed" / "model.onnx"
    made = changed if changed.exists() else model
    log = folder / "build.log"
    with open(log, "wb") as out:
        status = subprocess.run([python, folder / "fixed" / "convert.py", folder / "data.txt", made, "--output", folder / "model.rknn"],
                                cwd=folder, stdout=out, stderr=subprocess.STDOUT).returncode
    if status:
        yield f"convert.py ends with {status}: {log.read_text(errors='replace')[-300:]}"
    elif (folder / "model.rknn").stat().st_size < 10000:
        yield "model.rknn is empty"
    told = subprocess.run([build / "npu-advise", made, "--trace", log], capture_output=True, text=True)
    if told.returncode or "rows by the compiler's" not in " ".join(told.stdout.split()):
        yield f"its log tells no rows: {told.stderr.strip()}"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    p.add_argument("--python")
    a = p.parse_args()
    python, failed = vendor_venv.rknn_python(a.build, a.python), 0
    with tempfile.TemporaryDirectory() as scratch:
        nets = pathlib.Path(scratch) / "nets"
        subprocess.run([ROOT / "tests" / "networks" / "make_rknn_networks.py", *(b[0] for b in BUNDLES), "-o", nets], check=True, stdout=subprocess.DEVNULL)
        for name, chip, side, options in BUNDLES:
            folder = pathlib.Path(scratch) / name
            folder.mkdir()
            found = list(faults(a.build.resolve(), python, nets / f"{name}-fp32-f32.onnx", chip, side, options, folder))
            failed += len(found)
            print(f"{name} for {chip}: " + ("; ".join(found) or "converted"))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Memory of a real card, as the runtime's log states it, beside what `compile` predicts.

  tests/full/memory.py [--build DIR]

The lines (SDK 0.10, one PE): YOLOv8l takes 1.6 GiB of DRAM for 16 workers and all 16.0 MiB of SRAM, YOLOv9t 42.7 MiB and
9.6 MiB.  With 16 workers, YOLOv8l at batch 4, YOLOv9t at 16 and YOLOv8n at 32 ended for want of memory: here fewer than 16
workers must fit.  YOLOv9t is built here, of the layers that its configuration names (ultralytics, yolov9t.yaml, fused).
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "networks"))
import make_networks as made  # noqa: E402

BOUND = 0.20
LINES = [("yolov8l", "dram", 1.6 * 1024 / 16), ("yolov8l", "sram", 16.0), ("yolov9t", "dram", 42.7), ("yolov9t", "sram", 9.6)]
WORKERS, TOO_MUCH = 16, [("yolov8l", 4), ("yolov9t", 16), ("yolov8n", 32)]
GELAN_TINY = [
    "Conv 16 3 2", "Conv 32 3 2", "Elan 32 32 16", "Half 64", "Gelan 64 64 32", "Half 96", "Gelan 96 96 48", "Half 128", "Gelan 128 128 64",
    "Spp 128 64", "Up", "Cat 6", "Gelan 96 96 48", "Up", "Cat 4", "Gelan 64 64 32",      # 15
    "Half 48", "Cat 12", "Gelan 96 96 48", "Half 64", "Cat 9", "Gelan 128 128 64"]          # 18, 21


def block_half(net, x, path, cout):
    return made.cba(net, net.avgpool(x, path, 2, 1), path + "/cv1", cout, 3, 2, pad=1)


def block_elan(net, x, path, cout, inner, last):
    parts = list(net.split(made.cba(net, x, path + "/cv1", inner), path, [inner // 2] * 2))
    for k in ("/cv2", "/cv3"):
        parts.append(made.cba(net, parts[-1], path + k, last, 3))
    return made.cba(net, net.concat(parts, path), path + "/cv4", cout)


def stage(net, x, path, c, repeats=3):
    y = made.cba(net, x, path + "/cv1", c // 2)
    for i in range(repeats):
        y = made.bottleneck(net, y, f"{path}/m.{i}", c // 2, 3, 3, True)
    return made.cba(net, net.concat([y, made.cba(net, x, path + "/cv2", c // 2)], path), path + "/cv3", c)


def block_gelan(net, x, path, cout, inner, last):
    parts = list(net.split(made.cba(net, x, path + "/cv1", inner), path, [inner // 2] * 2))
    for k in ("/cv2", "/cv3"):
        parts.append(made.cba(net, stage(net, parts[-1], path + k, last), path + k + ".1", last, 3))
    return made.cba(net, net.concat(parts, path), path + "/cv4", cout)


def block_spp(net, x, path, cout, inner):
    parts = [made.cba(net, x, path + "/cv1", inner)]
    for i in range(3):
        parts.append(net.maxpool(parts[-1], f"{path}/m.{i}", 5, 1, 2))
    return made.cba(net, net.concat(parts, path), path + "/cv5", cout)


def yolov9t(opt, name):
    net = made.Net(name, opt)
    outs = made.run_layers(net, net.input("images", opt.height, opt.width), GELAN_TINY)
    made.head_dfl(net, [outs[i] for i in (15, 18, 21)], "/model.22")
    return net


def networks(folder):
    made.BLOCKS.update({"Half": (block_half, 1, False), "Elan": (block_elan, 3, False), "Gelan": (block_gelan, 3, False),
                        "Spp": (block_spp, 2, False)})
    catalogue = {**made.catalogue(), "yolov9t": made.Entry(yolov9t, 640, "YOLOv9 tiny", None)}
    made.main(catalogue, argv=["yolov8l", "yolov8n", "yolov9t", "--dtype", "qdq", "--input", "u8", "-o", str(folder)])


def memory(build, model, batch):
    """(DRAM of a worker in MiB, SRAM in MiB, workers that fit), as `compile` prints them."""
    done = subprocess.run([build / "npu-advise", "compile", model, "--target", "warboy", "--sdk", "0.10", "--batch", str(batch)],
                          check=True, capture_output=True, text=True)
    sram = re.search(r"SRAM peak ([\d.]+) MiB", done.stdout)
    dram = re.search(r"DRAM per worker ([\d.]+) ([MG])iB.*?(\d+) workers fit", done.stdout, re.S)
    return float(dram[1]) * (1024 if dram[2] == "G" else 1), float(sram[1]), int(dram[3])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    build, bad = parser.parse_args().build.resolve(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        networks(folder)
        model = {n: folder / f"{n}-qdq-u8.onnx" for n in ("yolov8l", "yolov8n", "yolov9t")}
        for network, what, stated in LINES:
            mib = memory(build, model[network], 1)[what == "sram"]
            bad += abs(mib / stated - 1) > BOUND
            print(f"{network}: {what.upper()} {mib:.1f} MiB, the log states {stated:.1f} ({100 * (mib / stated - 1):+.0f} %)")
        for network, batch in TOO_MUCH:
            fit = memory(build, model[network], batch)[2]
            bad += fit >= WORKERS
            print(f"{network}, batch {batch}: {fit} workers fit; {WORKERS} ended for want of memory")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Bundles of ten models: what `apply` writes runs as it is, and the advice is then gone.

  tests/full/bundles.py [--build DIR] [--only TEXT]

Detectors with decoded heads and classifiers of make_networks.py, and models of other projects: under each SDK, for latency and for
throughput, `apply` writes what is advised together.  tests/tools/bundle.py says what must hold of it.  Where nothing is
to be applied, that is said and counted.
"""
import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

import edits
import outside

ROOT = edits.ROOT
NETWORKS = ["yolov5s --heads decoded", "yolov8n --heads decoded --input u8", "mobilenet_v1", "ssd_resnet34 --heads decoded", "yolov5n6 --dtype qdq"]
CORPUS = """vision/yolox_nano_416 vision/ultraface_rfb_320 vision/fastestdet_352 vision/squeezenet_fp16 nhwc/blazeface_front_128
    image_out/super_resolution_reshape torch/tv_mobilenet_v2_ptq_qdq""".split()
NOTHING = "there is no recommendation to apply"
REFUSED = ": the quantizer takes no "


def network(folder, flags):
    place = pathlib.Path(folder) / flags.replace(" --", "-").replace(" ", "_")
    place.mkdir()
    subprocess.run([ROOT / "tests/networks/make_networks.py", *flags.split(), "--weights", "real", "--no-check", "-o", place], check=True,
                   capture_output=True)
    return next(place.glob("*.onnx"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", default="")
    o = parser.parse_args()
    advise, count = pathlib.Path(o.build).resolve() / "npu-advise", collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        models = [network(scratch, flags) for flags in NETWORKS if o.only in flags]
        models += [outside.corpus("models") / f"{name}.onnx" for name in CORPUS if o.only in name]
        for model in models:
            for sdk in ("0.8", "0.9", "0.10"):
                for objective in ("latency", "throughput"):
                    with tempfile.TemporaryDirectory(dir=scratch) as folder:
                        done = subprocess.run([sys.executable, ROOT / "tests/tools/bundle.py", advise, model, folder, "--sdk", sdk,
                                               "--objective", objective], capture_output=True, text=True)
                    said = done.stdout.strip()
                    kind = "right" if done.returncode == 0 else "empty" if NOTHING in said else "refused" if said.startswith("npu-advise:") and REFUSED in said else "wrong"
                    count[kind] += 1
                    if kind == "wrong":
                        print(f"{model.name} SDK {sdk} {objective}: {said or done.stderr.strip()}", flush=True)
    print(f"{len(models)} models: {count['right']} bundles right, {count['wrong']} wrong, {count['empty']} times nothing to apply, "
          f"{count['refused']} refused because the vendor's quantizer takes no such model")
    return 1 if count["wrong"] or not count["right"] else 0


if __name__ == "__main__":
    sys.exit(main())

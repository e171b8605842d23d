#!/usr/bin/env python3
"""Converts the model for {{target}} with rknn-toolkit2 {{sdk}}: settings of {{rules}}.

  convert.py DATASET [MODEL] [--mean M,M,M] [--std S,S,S] [--outputs NAME,NAME] [--output FILE]

DATASET is a text file with the path of one image (or one .npy per input) a line, a hundred that
the model will see.  --mean and --std are of raw pixels: the toolkit folds them into the first
convolution, and the application feeds uint8 in NHWC order.  --outputs cuts the graph there.
"""
import argparse
import multiprocessing
import pathlib
import sys

TOOLKIT = "{{sdk}}"
TARGET = "{{target}}"
MODEL = {{model}}
INPUTS = {{inputs}}
BATCH = {{batch}}


def version(text):
    return tuple(int(part) for part in text.split("+")[0].split("b")[0].split(".")[:3])


def check_versions():
    """The toolkit that the advice is for, and an onnx that it works with."""
    import importlib.metadata

    import onnx
    have = importlib.metadata.version("rknn-toolkit2")
    if version(have) != version(TOOLKIT):
        print(f"convert.py: rknn-toolkit2 {have} is installed; the advice is for {TOOLKIT}", file=sys.stderr)
    if not hasattr(onnx, "mapping"):
        sys.exit(f"convert.py: onnx {onnx.__version__} is too new for rknn-toolkit2: pip install 'onnx<1.17'")
    return version(have)


def numbers(text):
    return [[float(part) for part in text.split(",")]] * len(INPUTS) if text else None


def convert(args):
    have = check_versions()
    from rknn.api import RKNN
    print(f"target platform: {TARGET}", flush=True)  # the toolkit's log does not name it
    rknn = RKNN(verbose=True)
    settings = {"target_platform": TARGET,
                "quantized_dtype": "w8a8" if have >= (2, 1, 0) else "asymmetric_quantized-8"}
    if args.mean:
        settings["mean_values"] = numbers(args.mean)
    if args.std:
        settings["std_values"] = numbers(args.std)
    rknn.config(**settings)
    graph = {"model": str(args.model)}
    if args.outputs:
        graph["outputs"] = args.outputs.split(",")
    build = {"do_quantization": True, "dataset": str(args.dataset)}
    if BATCH > 1:
        build["rknn_batch_size"] = BATCH
    for step, result in (("load_onnx", lambda: rknn.load_onnx(**graph)), ("build", lambda: rknn.build(**build)),
                         ("export_rknn", lambda: rknn.export_rknn(str(args.output)))):
        if result() != 0:
            sys.exit(f"convert.py: {step} failed: its log is above")
    rknn.release()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path, nargs="?",
                        default=MODEL and pathlib.Path(__file__).resolve().parent / MODEL)
    parser.add_argument("--mean")
    parser.add_argument("--std")
    parser.add_argument("--outputs")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("model.rknn"))
    args = parser.parse_args()
    if not args.model:
        parser.error("give MODEL: this folder holds settings alone")
    for path in (args.dataset, args.model):
        if not path.is_file():
            parser.error(f"{path}: no such file")
    # A separate process, so that the end of the compiler by a signal is reported.
    child = multiprocessing.get_context("spawn").Process(target=convert, args=(args,))
    child.start()
    child.join()
    if child.exitcode:
        sys.exit("convert.py: the toolkit ended " + (f"by signal {-child.exitcode}" if child.exitcode < 0
                                                     else f"with status {child.exitcode}"))
    print(f"wrote {args.output}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Quantizes model.onnx for SDK {{sdk}}, with all settings of {{rules}}.

  quantize.py CALIBRATION [OUTPUT]

CALIBRATION is a folder of *.npz files, each with one array per input, by its name: about a hundred
typical images, preprocessed as model.onnx in this folder expects (the end of CHANGES.md).
"""
import pathlib
import sys

try:
    import numpy
    import onnx
    from furiosa.quantizer.frontend.onnx import optimize_model, post_training_quantize
except ImportError as error:
    sys.exit(f"quantize.py: {error}; needed: numpy, onnx and the quantizer of Furiosa's SDK {{sdk}}")

HERE = pathlib.Path(__file__).resolve().parent
# Inputs in the order of the graph, with the types that the float model reads.
INPUTS = {{inputs}}


def samples(folder):
    """Each file *.npz of the folder: its arrays, one per input."""
    for path in sorted(pathlib.Path(folder).glob("*.npz")):
        with numpy.load(path) as arrays:
            yield {name: arrays[name].astype(dtype) for name, dtype in INPUTS.items()}


def quantized(folder):
    model = optimize_model(onnx.load_model(str(HERE / "model.onnx")))
    data = list(samples(folder))
    if not data:
        sys.exit(f"{folder}: no *.npz in it")
    return post_training_quantize(model, data).SerializeToString()


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    output = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else HERE / {{output}})
    data = quantized(sys.argv[1])
    output.write_bytes(data)
    print("wrote", output)


if __name__ == "__main__":
    main()

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
    from furiosa.optimizer import optimize_model
    from furiosa.quantizer import CalibrationMethod, Calibrator, {{editor}}quantize
except ImportError as error:
    sys.exit(f"quantize.py: {error}; needed: numpy, onnx and the quantizer of Furiosa's SDK {{sdk}}")

HERE = pathlib.Path(__file__).resolve().parent
# Inputs in the order of the graph, with the types that the float model reads.
INPUTS = {{inputs}}
# Inputs and outputs that are passed as integers, with the lowest value of their type.
QUANTIZED = {{quantized}}


def samples(folder):
    """Each file *.npz of the folder: its arrays, one per input."""
    for path in sorted(pathlib.Path(folder).glob("*.npz")):
        with numpy.load(path) as arrays:
            yield [arrays[name].astype(dtype) for name, dtype in INPUTS.items()]


def print_scales(ranges):
    """Values of quantized inputs and outputs: scale * (value - zero point)."""
    for name, lowest in QUANTIZED.items():
        low, high = min(ranges[name][0], 0.0), max(ranges[name][1], 0.0)
        scale = (high - low) / 255 or 1.0
        print(name, "scale", scale, "zero point", lowest - round(low / scale))


def quantized(folder):
    model = optimize_model(onnx.load_model(str(HERE / "model.onnx")))
    calibrator = Calibrator(model, CalibrationMethod.MIN_MAX_ASYM)
    count = 0
    for count, arrays in enumerate(samples(folder), 1):
        calibrator.collect_data([arrays])
    if not count:
        sys.exit(f"{folder}: no *.npz in it")
    ranges = calibrator.compute_range()
    print_scales(ranges)
    {{edits}}return bytes(quantize(model, ranges{{settings}}))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    output = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else HERE / {{output}})
    data = quantized(sys.argv[1])
    output.write_bytes(data)
    print("wrote", output)


if __name__ == "__main__":
    main()

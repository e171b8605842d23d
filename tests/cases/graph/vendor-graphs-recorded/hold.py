"""Says how the models of SDK 0.8 are read, and how near their values are to those of the float models."""
import json
import pathlib
import subprocess
import sys

import numpy

LEAST_DB = 20
advise, execute, *names = sys.argv[1:]


def values(model):
    subprocess.run([execute, model, "--values", "--input-dir", "in", "--output-dir", "out"], check=True, capture_output=True)
    return numpy.load("out/output_0.npy").astype(float)


pathlib.Path("in").mkdir()
numpy.save("in/input_0.npy", numpy.random.default_rng(7).uniform(size=(1, 3, 20, 20)).astype(numpy.float32))
for name in names:
    told = subprocess.run([advise, "compile", f"graphs/{name}_0.8.onnx", "--sdk", "0.8", "--json", "-", "-q"], check=True, capture_output=True)
    exact, found = values(f"graphs/{name}.onnx"), values(f"graphs/{name}_0.8.onnx")
    ratio = 10 * numpy.log10((exact ** 2).sum() / ((exact - found) ** 2).sum())
    print(f"{name} of SDK 0.8: {json.loads(told.stdout)['precision']},", "held" if ratio >= LEAST_DB else f"{ratio:.1f} dB")

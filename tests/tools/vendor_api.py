#!/usr/bin/python3
"""Runs a quantize.py of a bundle against a stand-in for the vendor's packages.

  vendor_api.py SDK SCRIPT CALIBRATION [OUTPUT]

The stand-in has what the vendor's pages for that SDK name, and nothing else: the quantizer's functions and classes with
their arguments, by keyword where they are by keyword.  It refuses what the real packages refuse (tests/full/closed_loop.py runs
those): models of a newer opset, outputs without a shape, IR versions that their onnxruntime does not read, tensors that are not
there, types that the editor does not take, samples of another shape or type; bytes() of what SDK 0.8 returns.  Beyond that, ranges that
were never computed and edits that come after quantizing, which have no effect there, end the run.  Before that, the script must
compile, and use every name that it imports.
Prints the calls that were made, in order.
"""
import ast
import enum
import pathlib
import runpy
import sys
import types

import numpy
import onnx
from onnx import helper

calls = []
quantized = set()


# What onnxruntime reads in each SDK's packages.
NEWEST_IR = {"0.8": 8, "0.9": 8, "0.10": 9}


class Misuse(Exception):
    pass


def demand(good, what):
    if not good:
        raise Misuse(what)


def pure_inputs(model):
    constants = {t.name for t in model.graph.initializer}
    return [v for v in model.graph.input if v.name not in constants]


def check_sample(model, arrays):
    inputs = pure_inputs(model)
    demand(len(arrays) == len(inputs), f"{len(arrays)} arrays for {len(inputs)} inputs")
    for array, v in zip(arrays, inputs):
        want = helper.tensor_dtype_to_np_dtype(v.type.tensor_type.elem_type) if hasattr(helper, "tensor_dtype_to_np_dtype") \
            else onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[v.type.tensor_type.elem_type]
        dims = [d.dim_value or None for d in v.type.tensor_type.shape.dim]
        demand(array.dtype == want, f"'{v.name}' is {want}, the sample is {array.dtype}")
        demand(len(dims) == array.ndim and all(d in (None, n) for d, n in zip(dims, array.shape)),
               f"'{v.name}' is {dims}, the sample is {list(array.shape)}")


def optimize_model(model):
    demand(isinstance(model, onnx.ModelProto), "optimize_model takes a ModelProto")
    opset = max(i.version for i in model.opset_import if not i.domain)
    demand(opset <= 13, f"can't convert the model (ONNX opset {opset}) to ONNX opset 13")
    demand(all(v.type.tensor_type.HasField("shape") for v in model.graph.output), "Field 'shape' of 'type' is required but missing.")
    demand(model.ir_version <= NEWEST_IR[sys.modules["furiosa"].sdk], f"Unsupported model IR version: {model.ir_version}")
    calls.append("optimize_model")
    return model


class Ranges(dict):
    pass


CalibrationMethod = enum.IntEnum("CalibrationMethod", [f"{m}_{s}" for m in ("MIN_MAX", "ENTROPY", "PERCENTILE", "MSE", "SQNR")
                                                       for s in ("ASYM", "SYM")], start=0)


class Calibrator:
    def __init__(self, model, calibration_method, *, percentage=99.99):
        demand(isinstance(model, (onnx.ModelProto, bytes)), "Calibrator takes a model")
        demand(isinstance(calibration_method, CalibrationMethod), "not a calibration method")
        self.model, self.samples = model, 0

    def collect_data(self, calibration_dataset):
        for arrays in calibration_dataset:
            check_sample(self.model, arrays)
            self.samples += 1

    def compute_range(self, verbose=False):
        demand(self.samples, "no data was collected")
        calls.append(f"compute_range of {self.samples}")
        return Ranges({v.name: (0.0, 1.0) for v in [*pure_inputs(self.model), *self.model.graph.output]})


class TensorType(enum.Enum):
    UINT8 = "uint8"
    INT8 = "int8"


class ModelEditor:
    def __init__(self, model):
        demand(isinstance(model, onnx.ModelProto), "ModelEditor takes a ModelProto")
        self.model = model

    def convert_input_type(self, tensor_name, tensor_type):
        demand(tensor_name in {v.name for v in pure_inputs(self.model)}, f"the model has no input '{tensor_name}'")
        demand(tensor_type is TensorType.UINT8, "inputs are converted to UINT8 only")
        self.note(tensor_name, tensor_type)

    def convert_output_type(self, tensor_name, tensor_type, tensor_range=None):
        demand(tensor_name in {v.name for v in self.model.graph.output}, f"the model has no output '{tensor_name}'")
        demand(isinstance(tensor_type, TensorType), "not a tensor type")
        self.note(tensor_name, tensor_type)

    def note(self, name, tensor_type):
        demand(id(self.model) not in quantized, "the editor comes after quantize")
        calls.append(f"{name} as {tensor_type.value}")


def with_keys(model):
    """The float model with the quantization beside it, as the quantizer of SDK 0.10 writes it."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    ranges = "".join(f'{v.name}:\n  - 0.0\n  - 1.0\n' for v in [*pure_inputs(model), *model.graph.output])
    helper.set_model_props(result, {"FurisoaAI.CalibrationResult": "---\n" + ranges})
    return result


def quantize_0_10(model, tensor_name_to_range):
    demand(isinstance(tensor_name_to_range, Ranges), "quantize takes the ranges that were computed")
    quantized.add(id(model))
    calls.append("quantize")
    return with_keys(model).SerializeToString()


class Graph:
    def __init__(self, model):
        self.model = model

    def __bytes__(self):
        return self.model.SerializeToString()


def quantize_0_9(model, tensor_name_to_range, *, with_quantize=True, normalized_pixel_outputs=None):
    demand(isinstance(tensor_name_to_range, Ranges), "quantize takes the ranges that were computed")
    demand(all(0 <= i < len(model.graph.output) for i in normalized_pixel_outputs or []), "there is no such output")
    calls.append(f"quantize with_quantize={with_quantize} normalized_pixel_outputs={normalized_pixel_outputs}")
    return Graph(model)


def post_training_quantize(model, dataset, per_channel=True):
    names = [v.name for v in pure_inputs(model)]
    for sample in dataset:
        demand(sorted(sample) == sorted(names), f"a sample has {sorted(sample)}, the model {sorted(names)}")
        check_sample(model, [sample[n] for n in names])
    demand(dataset, "No data is collected.")
    calls.append(f"post_training_quantize of {len(dataset)}")
    return model


def get_pure_input_names(model):
    return [v.name for v in pure_inputs(model)]


def get_output_names(model):
    return [v.name for v in model.graph.output]


COMMON = dict(Calibrator=Calibrator, CalibrationMethod=CalibrationMethod)
PACKAGES = {
    "0.10": {"furiosa.optimizer": dict(optimize_model=optimize_model),
             "furiosa.quantizer": dict(COMMON, quantize=quantize_0_10, ModelEditor=ModelEditor, TensorType=TensorType,
                                       get_pure_input_names=get_pure_input_names, get_output_names=get_output_names)},
    "0.9": {"furiosa.optimizer": dict(optimize_model=optimize_model),
            "furiosa.quantizer": dict(COMMON, quantize=quantize_0_9)},
    "0.8": {"furiosa.quantizer": {}, "furiosa.quantizer.frontend": {},
            "furiosa.quantizer.frontend.onnx": dict(optimize_model=optimize_model, post_training_quantize=post_training_quantize)}}


def install(sdk):
    for name, members in {"furiosa": {}, **PACKAGES[sdk]}.items():
        module = types.ModuleType(name)
        module.__path__ = []
        vars(module).update(members)
        module.sdk = sdk
        sys.modules[name] = module


def check_names(text, path):
    """Every import is there and is used."""
    tree = ast.parse(text, path)
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    for node in ast.walk(tree):
        for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else []:
            demand((alias.asname or alias.name).split(".")[0] in used, f"{alias.name} is imported and not used")


def main():
    if len(sys.argv) not in (4, 5) or sys.argv[1] not in PACKAGES:
        sys.exit(__doc__)
    sdk, script = sys.argv[1], sys.argv[2]
    text = pathlib.Path(script).read_text()
    try:
        compile(text, script, "exec")
        check_names(text, script)
        install(sdk)
        sys.argv = [script, *sys.argv[3:]]
        runpy.run_path(script, run_name="__main__")
    except (Misuse, ImportError, AttributeError, TypeError, NameError, SyntaxError, ValueError, KeyError) as error:
        sys.exit(f"{pathlib.Path(script).name}: {error}")
    print(*calls, sep="\n")


if __name__ == "__main__":
    main()

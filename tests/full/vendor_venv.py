"""Finds the Pythons that hold the vendor's packages, and reads the graph that SDK 0.9 prints.

tests/tools/vendor_venvs.sh installs them.  The Python of an SDK is taken from the environment (VENDOR_PYTHON_0_9) or from
BUILD/vendor/SDK; without it a script ends with 77.
"""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SDKS = ("0.8", "0.9", "0.10")

# Operators of the graph of SDK 0.9 that move data between the types, and have no place of their own.
CONVERT = {"Quantize", "Dequantize", "Requantize"}


def pythons(build, *wanted):
    """The Python of each SDK; ends with 77 where one is missing."""
    found = {sdk: os.environ.get("VENDOR_PYTHON_" + sdk.replace(".", "_")) or str(pathlib.Path(build).resolve() / "vendor" / sdk / "bin/python")
             for sdk in wanted}
    missing = [sdk for sdk, python in found.items() if not os.access(python, os.X_OK)]
    if missing:
        print(f"no Python with the vendor's packages of SDK {', '.join(missing)}: run make check-vendor, or set "
              + ", ".join("VENDOR_PYTHON_" + sdk.replace(".", "_") for sdk in missing))
        sys.exit(77)
    return found


def rknn_python(build, given=None):
    """The Python with rknn-toolkit2; ends with 77 without one."""
    found = given or os.environ.get("VENDOR_PYTHON_RKNN") or str(pathlib.Path(build).resolve() / "vendor" / "rknn" / "bin/python")
    if not os.access(found, os.X_OK):
        print("no Python with rknn-toolkit2: run make check-vendor, or set VENDOR_PYTHON_RKNN")
        sys.exit(77)
    return found


def operators(dot):
    """Operators of the DOT of SDK 0.9: those that read or give float32 or run in onnxruntime, by their ONNX type where it is told; and all."""
    text = re.sub(r"\s+", " ", dot)
    op = {n: (kind, name) for n, kind, name in re.findall(r"operator_(\d+) \[label=<.*?>O\d+\] ?(\w+)<BR [^>]*>(?:name: (\w+))?", text)}
    kind = {n: t for n, t in re.findall(r'tensor_(\d+) \[label="T\d+\] [^"]*?\\l(f32|i8|u8|i32|i64|bool)\\l', text)}
    used = {}
    for n, t in re.findall(r"operator_(\d+)(?::\w+)? -> tensor_(\d+)", text):
        used.setdefault(n, set()).add(kind.get(t, "?"))
    for t, n in re.findall(r"tensor_(\d+) -> operator_(\d+)", text):
        used.setdefault(n, set()).add(kind.get(t, "?"))
    names = [name if kind == "OnnxRuntime" else kind for n, (kind, name) in op.items()
             if kind not in CONVERT and ("f32" in used.get(n, ()) or kind == "OnnxRuntime")]
    return sorted(names), sorted(k for k, _ in op.values())

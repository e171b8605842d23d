#!/usr/bin/python3
"""A network as TensorFlow Lite file and as ONNX file: do both compile and get advised alike?

  tflite_twins.py NPU_ADVISE MODEL.tflite MODEL.onnx [MODEL.onnx …]

Compares segments, host steps by operator and tensor size, MACs, NPU time (within 3 %), and the first advice: its rule and what it changes (the words are those of each format).
"""
import json
import subprocess
import sys
import tempfile


def told(program, model):
    with tempfile.TemporaryDirectory() as folder:
        for args in (["compile", model, "--emit", "json"], [model, "--json", f"{folder}/r.json"]):
            r = subprocess.run([program, *args], capture_output=True, text=True)
            if args[0] == "compile":
                lowered = json.loads(r.stdout)
        result = json.load(open(f"{folder}/r.json"))
    summary = lowered["summary"]
    steps = sorted(s["op"] for s in result["steps"] if s["kind"] == "host")
    return {"segments": summary["segments"], "macs": summary["macs"], "host": steps, "npu_ns": result["prediction"]["npu_ns"]["mid"],
            "advice": [(r["rule_id"], [(s["lever"], s["value"]) for s in r["levers"]]) for r in result["changes"]]}


def main():
    program, tflite, others = sys.argv[1], sys.argv[2], sys.argv[3:]
    a = told(program, tflite)
    for other in others:
        b = told(program, other)
        ratio = a["npu_ns"] / b["npu_ns"]
        print(tflite.split("/")[-1], "and", other.split("/")[-1])
        for key in ("segments", "macs", "host"):
            print(f"  {key}:", a[key] if a[key] == b[key] else f"{a[key]} but {b[key]}")
        print("  NPU time:", "within 3 %" if abs(ratio - 1) <= 0.03 else f"x {ratio:.3f}")
        first = a["advice"][:1], b["advice"][:1]
        print("  first advice:", first[0] if first[0] == first[1] else f"{first[0]} but {first[1]}")


main()

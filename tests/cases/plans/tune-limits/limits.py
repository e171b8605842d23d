"""Tunes the models of the list under each limit; prints the choice, and what must not be."""
import json
import os
import pathlib
import re
import subprocess

import onnx
from google.protobuf import text_format

UNIT = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def ns(text):
    number, unit = re.fullmatch(r"([\d.]+)(\w+)", text).groups()
    return float(number) * UNIT[unit]


for line in open("models"):
    name, *limits = line.split()
    source = next(pathlib.Path(os.environ["ROOT"], "tests", "cases").glob(f"*/{name}/model.textpb"))
    onnx.save(text_format.Parse(source.read_text(), onnx.ModelProto()), "m.onnx")
    served = 0
    for limit in sorted(limits, key=lambda x: ns(x.split("/")[-1])):
        rate, _, latency = limit.rpartition("/")
        goal = ["--rate", rate] if rate else ["--objective", "throughput"]
        done = subprocess.run([os.environ["NPU_ADVISE"], "tune", "m.onnx", *goal, "--latency-limit", latency, "--json", "r.json"], capture_output=True, text=True)
        if done.returncode:
            headline = re.search(r"^(?:Lowest latency|Nothing serves).*(?:\n  .*)*", done.stdout, re.M)
            print(f"{name} {limit}: status {done.returncode}:", " ".join(headline.group(0).split()))
            continue
        result = json.load(open("r.json"))
        chosen = next((p for p in result["plans"] if p["recommended"]), None)
        if not chosen:
            print(f"{name} {limit}: now keeps it")
            continue
        took, serves = chosen["after"]["latency_ns"]["mid"] + chosen["application_ns"]["mid"], chosen["after"]["throughput_per_s"]["mid"]
        rules = [c["rule_id"] for c in result["changes"] if c["id"] in [x["id"] for x in chosen["changes"]]]
        print(f"{name} {limit}: {took / 1e6:.4g} ms, {serves:.4g} /s:", ", ".join([f"{k} {v}" for k, v in chosen["settings"].items()] + rules))
        if took > ns(latency):
            print("    is above the limit")
        if not rate and serves < served * 0.995:
            print("    serves fewer than with a smaller limit")
        served = max(served, 0 if rate else serves)

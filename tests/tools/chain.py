#!/usr/bin/python3
"""The whole chain on many models: npu-exec writes a trace, npu-advise reads it.

  chain.py [--table] [--every N] FOLDER…      every N-th *.onnx below the folders (default: all)

A model must end in advice or "nothing to improve" with at least 80 % of its nodes known (models in NAMED), or, for all
others, in the same or in a refusal of one line that names an operator, a dimension or a file.  Dimensions that a model
leaves open are bound as DIMS says, as a user would with --dim.  Prints what failed, and a count; --table prints a line
for every model.  Uses $NPU_ADVISE and $NPU_EXEC.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ADVISE, EXEC = os.environ["NPU_ADVISE"], os.environ["NPU_EXEC"]
NAMED = """torch/tv_resnet50_noweights torch/tv_mobilenet_v2_ptq_qdq torch/tv_squeezenet1_1_u8_nhwc torch/tv_ssd300_vgg16_noweights
 torch/tv_vit_b_16_noweights vision/yolox_nano_416 vision/ultraface_rfb_320 nhwc/blazeface_front_128
 nhwc/bodypix_stride16_dynamic image_out/super_resolution_reshape image_out/fns_candy_bgr8
 quantized/mobilenet_edgetpu_qdq_excerpt dynamic/yunet_n_dynamic""".split()
DIMS = {"nhwc/bodypix_stride16_dynamic": ["--dim", "unk__349=512", "--dim", "unk__350=512"],
        "dynamic/yunet_n_dynamic": ["--dim", "height=640", "--dim", "width=640"],
        "torch/tv_densenet121_dynamic_hw_noweights": ["--dim", "height=224", "--dim", "width=224"]}


def run(command):
    try:
        return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=60, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -9, "", "no end after 60 s")


def chain(model, dims):
    """(verdict, detail): verdict is advised, refused or broken."""
    with tempfile.TemporaryDirectory(prefix="chain-") as folder:
        return chain_in(pathlib.Path(folder), model, dims)


def chain_in(folder, model, dims):
    trace, result = folder / "trace.json", folder / "result.json"
    made = run([EXEC, str(model), *dims, "--runs", "5", "--trace", str(trace)])
    traced = ["--trace", str(trace)] if made.returncode == 0 else []
    advised = run([ADVISE, str(model), *dims, *traced, "--json", str(result)])
    errors = [line for line in advised.stderr.splitlines() if not line.startswith("note: ")]
    if advised.returncode in (2, 3) and len(errors) == 1 and made.returncode in (2, 3):
        return "refused", errors[0]
    if advised.returncode not in (0, 3) or not result.exists() or made.returncode != 0:
        return "broken", f"npu-advise {advised.returncode}: {advised.stderr[-200:]} npu-exec {made.returncode}: {made.stderr[-200:]}"
    found = json.loads(result.read_text())
    coverage = found["coverage"]
    known = coverage["nodes_known"] / max(1, coverage["nodes"])
    first = found["recommendations"][0] if found["recommendations"] else None
    advice = f"{first['rule_id']} {first['title']}" if first else "nothing to improve"
    return "advised", f"{known:4.0%} known, matched {coverage['matched_time_share']}: {advice}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    o = parser.parse_args()
    table = o.table
    count = {"advised": 0, "refused": 0, "broken": 0}
    failures = []
    for folder in o.folders:
        for i, model in enumerate(sorted(folder.rglob("*.onnx"))):
            name = str(model.relative_to(folder).with_suffix(""))
            if i % o.every:
                continue
            verdict, detail = chain(model, DIMS.get(name, []))
            count[verdict] += 1
            must = name in NAMED or "models" not in folder.parts
            weak = must and (verdict != "advised" or int(detail.split("%")[0]) < 80)
            if verdict == "broken" or weak:
                failures.append(name)
            if table or verdict == "broken" or weak:
                print(f"{'FAILED ' if name in failures[-1:] else ''}{name}: {verdict}: {detail}", flush=True)
    print(f"{count['advised']} advised, {count['refused']} refused in one line, {count['broken']} broken, "
          f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

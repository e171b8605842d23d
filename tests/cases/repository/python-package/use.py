import json
import os
import subprocess

import npu_advise

result = npu_advise.advise("model.onnx", trace="trace.json", budget={"host_steps": 0})
raw = json.loads(subprocess.run([os.environ["NPU_ADVISE"], "model.onnx", "--trace", "trace.json", "--budget", "host_steps=0", "--format", "json"],
                                capture_output=True, check=False).stdout)
print("the program's JSON, key by key:", result.to_dict() == raw, len(raw["changes"]) == len(result.changes) > 0)
print(result.gate.status, result.gate.assertions[0].pass_, result.measured.inferences if result.measured else None)
json.dump(raw, open("r.json", "w"))
try:
    result.recommendations
except AttributeError as error:
    print(error)
print("loaded:", npu_advise.load("r.json") == result)
for row in npu_advise.advise_many(["set"], fail_on="warn"):
    print(row.model, row.status, row.error, row.result is not None)
print([row.status for row in npu_advise.advise_many(["model.onnx"], fail_on="warn")])


def fails(what, *arguments, **options):
    try:
        what(*arguments, **options)
        print("NOTHING RAISED")
    except npu_advise.AdviseError as error:
        print(error.status, error)


fails(npu_advise.advise, "gone.onnx")
fails(npu_advise.advise, "model.onnx", trase="t.json")
fails(npu_advise.advise, "set")
later = dict(raw, schema_version=3)
json.dump(later, open("later.txt", "w"))
fails(npu_advise.load, "later.txt")
del raw["changes"][0]["alone"]["unit"]
json.dump(raw, open("less.txt", "w"))
fails(npu_advise.load, "less.txt")
fails(npu_advise.load, "trace.json")
more = json.load(open("r.json"))
more["written_by_a_later_version"] = True
json.dump(more, open("more.txt", "w"))
print("what is new is left out:", npu_advise.load("more.txt") == result)
os.environ.pop("NPU_ADVISE"), os.environ.update(PATH="/nowhere")
fails(npu_advise.advise, "model.onnx")
os.environ["NPU_ADVISE"] = "./use.py"
fails(npu_advise.advise, "model.onnx")

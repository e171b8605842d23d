import collections
import json
import os
import pathlib
import sys

root = pathlib.Path(os.environ["ROOT"])
sys.path[:0] = [str(root / "tests" / "full"), str(root / "tests" / "tools")]
import placement  # noqa: E402
import placement_cases  # noqa: E402

recorded = json.loads((root / "tests" / "vendor" / "placement_0.9.json").read_text())
kinds = collections.Counter()
for name in placement_cases.RARE:
    path = pathlib.Path(f"{name}.onnx")
    placement_cases.build(name, path)
    ours = placement.verdict(placement.compiled(os.environ["NPU_ADVISE"], path)[0])
    kinds[recorded[name]] += 1
    if ours != recorded[name]:
        print(f"{name}: {ours} here, {recorded[name]} at the vendor")
print("all others equal:", dict(sorted(kinds.items())))

import json

import npu_advise

result, raw = npu_advise.load("r.json"), json.load(open("r.json"))
frame = result.to_pandas()
assert list(frame["rule_id"]) == [one["rule_id"] for one in raw["changes"]]
assert list(frame["alone.predicted.mid"]) == [one["alone"]["predicted"]["mid"] for one in raw["changes"]]
for table in ("steps", "operators", "observations", "suppressed"):
    assert len(result.to_pandas(table)) == len(raw[table])
steps = result.to_pandas("steps")
assert steps["measured_ns.median"].sum() == sum(one["measured_ns"]["median"] for one in raw["steps"] if one["measured_ns"])
empty = npu_advise.types.Result(**{**vars(result), "changes": []}).to_pandas()
assert len(empty) == 0 and list(empty.columns) == list(frame.columns)

import npu_advise


def first(model: str) -> float:
    result = npu_advise.advise(model, trace=["a.json", "b.json"], verify=True, dim={"N": 1}, batch=4)
    known = [one.alone.predicted for one in result.changes]
    return known[0].mid if known and known[0] else 0.0

import npu_advise


def first(model: str) -> float:
    return npu_advise.advise(model).recommendations[0].gain.predicted.mid  # which may be None

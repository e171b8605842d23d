"""Advice for vision models on an NPU, from Python: the installed program npu-advise, and its result as types.

    import npu_advise
    result = npu_advise.advise("model.onnx", trace="trace.json", sdk="0.10")
    for change in result.changes:
        print(change.id, change.rule_id, change.alone.predicted)
    frame = result.to_pandas()
"""
from npu_advise.document import Document, Mismatch
from npu_advise.run import AdviseError, ModelResult, advise, advise_many, find_program, load
from npu_advise.types import Change, Plan, Result

__all__ = [
    "AdviseError",
    "Change",
    "Document",
    "Mismatch",
    "ModelResult",
    "Plan",
    "Result",
    "advise",
    "advise_many",
    "find_program",
    "load",
]

import sys
import onnx
from onnx import TensorProto, helper
def model(**keys):
    graph = helper.make_graph([helper.make_node("Relu", ["a"], ["y"])], "g",
                              [helper.make_tensor_value_info("a", TensorProto.FLOAT, [1, 3, 32, 32])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3, 32, 32])])
    m = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    m.ir_version = 8
    for key, value in keys.items():
        m.metadata_props.add(key="FurisoaAI." + key, value=value)
    return m
both = "---\na:\n  - -1.0\n  - 1.0\ny:\n  - 0.0\n  - 1.0\n"
rows = [
    ("as-it-is", dict(CalibrationResult=both, WithoutQuantize="0", WithoutDequantize="[(0,U8,Some((0.0,1.0)))]")),
    ("name-quoted", dict(CalibrationResult='---\n"a":\n  - -1\n  - 1e0\n\'y\':\n  - .0\n  - 1\n')),
    ("name-foreign", dict(CalibrationResult=both + "'gone: away':\n  - 0.0\n  - 1.0\n")),
    ("key-unknown", dict(CalibrationResult=both, WithoutSense="1")),
    ("ranges-missing", dict(WithoutQuantize="0")),
    ("yaml-broken", dict(CalibrationResult="---\na: [\n")),
    ("yaml-other", dict(CalibrationResult="---\n- a\n- y\n")),
    ("yaml-alias", dict(CalibrationResult="---\na: &x\n  - 0.0\n  - 1.0\ny: *x\n")),
    ("range-one", dict(CalibrationResult="---\na:\n  - 1.0\n")),
    ("range-three", dict(CalibrationResult="---\na:\n  - 1.0\n  - 2.0\n  - 3.0\n")),
    ("range-nan", dict(CalibrationResult="---\na:\n  - nan\n  - 1.0\n")),
    ("range-infinite", dict(CalibrationResult="---\na:\n  - -1.0\n  - inf\n")),
    ("range-turned", dict(CalibrationResult="---\na:\n  - 1.0\n  - -1.0\n")),
    ("range-word", dict(CalibrationResult="---\na:\n  - low\n  - high\n")),
    ("range-twice", dict(CalibrationResult=both + "a:\n  - 0.0\n  - 1.0\n")),
    ("input-not-there", dict(CalibrationResult=both, WithoutQuantize="1")),
    ("input-huge", dict(CalibrationResult=both, WithoutQuantize="99999999999999999999")),
    ("input-word", dict(CalibrationResult=both, WithoutQuantize="0,a")),
    ("output-not-there", dict(CalibrationResult=both, WithoutDequantize="[(1,I8,None)]")),
    ("output-type", dict(CalibrationResult=both, WithoutDequantize="[(0,I4,None)]")),
    ("output-open", dict(CalibrationResult=both, WithoutDequantize="[(0,I8,None)")),
    ("output-range", dict(CalibrationResult=both, WithoutDequantize="[(0,I8,Some((1.0,0.0)))]")),
]
for name, keys in rows:
    onnx.save(model(**keys), name + ".onnx")
    print(name)

"""Makes the inputs of this case."""
import glob, os, numpy, onnx
from google.protobuf import text_format
for case in "npu201-fires npu203-transpose npu205-fires npu207-fires npu306-fires npu308-fires npu309-fires npu104-fires npu102-border npu303-fires".split():
    model = text_format.Parse(open(glob.glob(f"{os.environ['ROOT']}/tests/cases/*/{case}/model.textpb")[0]).read(), onnx.ModelProto())
    onnx.save(model, case + ".onnx")
    rng = numpy.random.default_rng(1)
    weights = {t.name for t in model.graph.initializer}
    for k in range(4):
        os.makedirs(f"{case}/{k}")
        for i, value in enumerate(v for v in model.graph.input if v.name not in weights):
            dims = [d.dim_value for d in value.type.tensor_type.shape.dim]
            numpy.save(f"{case}/{k}/input_{i}.npy", rng.normal(0, 1, dims).astype(numpy.float32))

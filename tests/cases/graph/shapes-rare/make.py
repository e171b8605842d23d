"""Makes the inputs of this case."""
import json, os, subprocess
from onnx import TensorProto as T, helper as h
F, I, S = T.FLOAT, T.INT64, T.STRING
def run(op, domain, inputs, outputs, nodes=None, opset=17, **attrs):
    ins = [h.make_tensor_value_info(f"x{i}", t, s) for i, (t, s) in enumerate(inputs)]
    node = h.make_node(op, [v.name for v in ins], [f"y{i}" for i in range(outputs)], domain=domain, **attrs)
    outs = [h.make_tensor_value_info(f"y{i}", T.UNDEFINED, None) for i in range(outputs)]
    body = nodes or [node]
    for o in outs:
        o.type.Clear()
    g = h.make_graph(body, "g", ins, outs)
    m = h.make_model(g, opset_imports=[h.make_opsetid("", opset), h.make_opsetid("ai.onnx.ml", 3), h.make_opsetid("com.microsoft", 1), h.make_opsetid("ai.onnx.preview.training", 1)])
    open("m.onnx", "wb").write(m.SerializeToString())
    text = subprocess.run([os.environ["NPU_ADVISE"], "inspect", "m.onnx", "--json", "-"], capture_output=True, text=True)
    r = json.loads(text.stdout)
    found = {t["name"]: t for t in r["tensors"]}
    macs = [n["macs"] for n in r["nodes"]]
    shown = " ".join(f"{found[f'y{i}']['dtype']}{found[f'y{i}']['shape']}" if f"y{i}" in found else "nothing" for i in range(outputs))
    print(f"{op}: {shown}; macs {macs[-1]}")
ML, MS, TR = "ai.onnx.ml", "com.microsoft", "ai.onnx.preview.training"
run("Einsum", "", [(F, [2, 3, 4]), (F, [2, 4, 5])], 1, equation="bij,bjk->bik")
run("Einsum", "", [(F, [3, 3])], 1, equation="ii->i")
run("Einsum", "", [(F, [7, 2, 3]), (F, [3, 4])], 1, equation="...ij,jk->...ik")
run("Einsum", "", [(F, [2, 3]), (F, [3, 2])], 1, equation="ij,ji")
run("Einsum", "", [(F, [2, 3])], 1, equation="ij->ji")
run("Einsum", "", [(F, [2, 3])], 1, equation="ij,jk->ik")
run("LSTM", "", [(F, [9, 2, 4]), (F, [2, 12, 4]), (F, [2, 12, 3])], 3, direction="bidirectional", hidden_size=3)
run("GRU", "", [(F, [2, 9, 4]), (F, [1, 9, 4]), (F, [1, 9, 3])], 2, layout=1)
run("RNN", "", [(F, [9, 2, 4]), (F, [1, 5, 4]), (F, [1, 5, 5])], 2)
run("Attention", "", [(F, [2, 8, 10, 16]), (F, [2, 8, 12, 16]), (F, [2, 8, 12, 20])], 4, opset=23)
run("Attention", "", [(F, [2, 10, 128]), (F, [2, 12, 64]), (F, [2, 12, 80])], 1, opset=23, q_num_heads=8, kv_num_heads=4)
run("Attention", MS, [(F, [2, 10, 64]), (F, [64, 192])], 1, num_heads=4)
run("Attention", MS, [(F, [2, 10, 64]), (F, [64, 200])], 1, num_heads=4, qkv_hidden_sizes=[64, 64, 72])
run("MultiHeadAttention", MS, [(F, [2, 10, 64]), (F, [2, 12, 64]), (F, [2, 12, 96])], 1, num_heads=4)
run("LinearClassifier", ML, [(F, [5, 3])], 2, coefficients=[0.0] * 12, classlabels_ints=[0, 1, 2, 3])
run("LinearClassifier", ML, [(F, [3])], 2, coefficients=[0.0] * 6, classlabels_strings=["a", "b"])
run("SVMClassifier", ML, [(F, [5, 3])], 2, classlabels_ints=[0, 1])
run("TreeEnsembleClassifier", ML, [(F, [5, 3])], 2, classlabels_int64s=[4, 5, 6])
run("LinearRegressor", ML, [(F, [5, 3])], 1, coefficients=[0.0] * 6, targets=2)
run("SVMRegressor", ML, [(F, [5, 3])], 1)
run("TreeEnsembleRegressor", ML, [(F, [5, 3])], 1, n_targets=4)
run("LabelEncoder", ML, [(S, [5])], 1, keys_strings=["a"], values_int64s=[1])
run("LabelEncoder", ML, [(I, [5])], 1, classes_strings=["a"])
run("CategoryMapper", ML, [(S, [2, 2])], 1, cats_int64s=[1], cats_strings=["a"])
run("OneHotEncoder", ML, [(I, [5])], 1, cats_int64s=[1, 2, 3])
run("FeatureVectorizer", ML, [(F, [5, 2]), (F, [5, 3])], 1, inputdimensions=[2, 3])
run("Scaler", ML, [(I, [5, 2])], 1, offset=[0.0], scale=[1.0])
run("Adagrad", TR, [(F, []), (I, []), (F, [4]), (F, [4]), (F, [4])], 2)
run("Momentum", TR, [(F, []), (I, []), (F, [4, 2]), (F, [4, 2]), (F, [4, 2])], 2, alpha=0.9, beta=1.0, mode="standard", norm_coefficient=0.0)
seq = lambda *nodes: dict(nodes=list(nodes))
n = h.make_node
run("SequenceAt of two", "", [(F, [2, 3]), (I, [])], 1, **seq(n("SequenceConstruct", ["x0", "x0"], ["s"]), n("SequenceAt", ["s", "x1"], ["y0"])))
run("SequenceAt of different ones", "", [(F, [2, 3]), (F, [2, 4]), (I, [])], 1, **seq(n("SequenceConstruct", ["x0", "x1"], ["s"]), n("SequenceAt", ["s", "x2"], ["y0"])))
run("ConcatFromSequence", "", [(F, [2, 3])], 1, **seq(n("SequenceConstruct", ["x0", "x0", "x0"], ["s"]), n("ConcatFromSequence", ["s"], ["y0"], axis=1)))
run("ConcatFromSequence, stacked", "", [(F, [2, 3])], 1, **seq(n("SequenceConstruct", ["x0", "x0", "x0"], ["s"]), n("ConcatFromSequence", ["s"], ["y0"], axis=0, new_axis=1)))
run("SequenceInsert, SequenceErase", "", [(F, [2, 3])], 1, **seq(n("SequenceEmpty", [], ["e"], dtype=F), n("SequenceInsert", ["e", "x0"], ["a"]), n("SequenceInsert", ["a", "x0"], ["b"]),
    n("SequenceErase", ["b"], ["c"]), n("ConcatFromSequence", ["c"], ["y0"], axis=0)))
run("SplitToSequence", "", [(F, [6, 3]), (I, [])], 1, **seq(n("SplitToSequence", ["x0"], ["s"], axis=0), n("SequenceAt", ["s", "x1"], ["y0"])))
run("SplitToSequence, axis gone", "", [(F, [6, 3]), (I, [])], 1, **seq(n("SplitToSequence", ["x0"], ["s"], axis=0, keepdims=0), n("SequenceAt", ["s", "x1"], ["y0"])))
run("OptionalGetElement", "", [(F, [6, 3])], 1, **seq(n("Optional", ["x0"], ["o"]), n("OptionalGetElement", ["o"], ["y0"])))
run("ArrayFeatureExtractor", ML, [(F, [2, 5]), (I, [3])], 1)
run("ArrayFeatureExtractor of a row", ML, [(F, [5]), (I, [3])], 1, **seq(n("ArrayFeatureExtractor", ["x0", "x1"], ["y0"], domain=ML)))
axes = n("Constant", [], ["a"], value_ints=[1])
run("ReduceSum, axes as input", "", [(F, [2, 3, 4])], 1, **seq(axes, n("ReduceSum", ["x0", "a"], ["y0"], keepdims=0)))
run("ReduceMax, axes as input", "", [(F, [2, 3, 4])], 1, nodes=[axes, n("ReduceMax", ["x0", "a"], ["y0"], keepdims=1)], opset=18)
branch = lambda *parts: h.make_graph([n("SequenceConstruct", list(parts), ["q"])], "b", [], [h.make_tensor_sequence_value_info("q", F, None)])
run("If of two sequences", "", [(F, [2, 3]), (T.BOOL, []), (I, [])], 1, **seq(n("If", ["x1"], ["s"], then_branch=branch("x0", "x0"), else_branch=branch("x0")), n("SequenceAt", ["s", "x2"], ["y0"])))

"""What `compile` says of settings: types that inputs and outputs are fed and taken as, permutations, and files of the compiler's options."""
import os
import re
import subprocess

from onnx import TensorProto as T, helper as h, numpy_helper
import numpy

W = numpy_helper.from_array(numpy.ones((4, 3, 1, 1), numpy.float32), "w")
nodes = [h.make_node("Conv", ["x", "w"], ["y"], "conv"), h.make_node("Not", ["flag"], ["other"], "not"), h.make_node("Identity", ["n"], ["count"], "id")]
inputs = [h.make_tensor_value_info("x", T.FLOAT, [1, 3, 8, 8]), h.make_tensor_value_info("flag", T.BOOL, [4]), h.make_tensor_value_info("n", T.INT64, ["K"])]
outputs = [h.make_tensor_value_info("y", T.FLOAT, [1, 4, 8, 8]), h.make_tensor_value_info("other", T.BOOL, [4]), h.make_tensor_value_info("count", T.INT64, ["K"])]
m = h.make_model(h.make_graph(nodes, "g", inputs, outputs, [W]), opset_imports=[h.make_opsetid("", 13)])
m.ir_version = 7
open("m.onnx", "wb").write(m.SerializeToString())


def run(*words, text=None):
    if text is not None:
        with open("config.yaml", "w") as f:
            f.write(text)
        words = ("--compiler-config", "config.yaml", *words)
    done = subprocess.run([os.environ["NPU_ADVISE"], "compile", "m.onnx", *words], capture_output=True, text=True)
    given = (repr(text[:70]) + (f"… of {len(text)}" if len(text) > 70 else "") if text is not None else " ".join(words)).replace(" => ", " -> ")
    said = [line.removeprefix("npu-advise: ").removeprefix("note: ") for line in done.stderr.splitlines() if not re.search("is not quantized|is not bound", line)]
    steps = re.findall(r"^ +\d+  host +(\w+ +\S+)", done.stdout, re.M)
    said += ["refused"] * (done.returncode != 0) + [", ".join(" ".join(s.split()) for s in steps)] * (done.returncode == 0)
    print(given or "no settings", "=>", "; ".join(filter(None, said)))


for sdk in ("0.8", "0.9", "0.10"):
    run("--sdk", sdk)
    for key in ("permute_input=[[0,2,3,1]]", "without_quantize=true", "without_quantize=FALSE", "without_quantize=maybe", "use_program_loading=True", "use_program_loading=no", "remove_lower=true", "remove_unlower=true",
                "allow_precision_lowering=true", "split_after_lower=true", "tabulate_dequantize=true", "lower_tabulated_dequantize=true", "no_such_key=1", "permute_input=[[0,2,3]]", "permute_input=x"):
        run("--sdk", sdk, "--compiler-config", key)
for types in (["--input-dtype", "uint8"], ["--input-dtype", "x=int8"], ["--input-dtype", "flag=int8"], ["--input-dtype", "z=int8"], ["--input-dtype", "x=int4"], ["--input-dtype", "=int8"], ["--input-dtype", "x="],
              ["--output-dtype", "uint8"], ["--output-dtype", "y=int8"], ["--output-dtype", "other=int8"], ["--output-dtype", "z=int8"], ["--output-dtype", "y=float64"]):
    run(*types)
for lists in ("[[0,3,1,2]]", "[[0,2,3,1],[0]]", "[[0,2,3,1],[0],[0]]", "[[0,2,3,1],[0],[0],[0]]", "[[0,2,3]]", "[[0,2,3,4]]", "[[0,0,1,2]]", "[[]]", "[]", "[", "[[0,1,2,-1]]", "[[0,3,1,2]] x", "[[0,3,1,2],[]]"):
    run("--permute-input", lists)
run("--permute-input", "[[0,3,1,2]]", "--sdk", "0.8")
for dim in ("K=3", "n:0=3", "n:1=3", "x:0=2", "x:0=1", "x:2=9", "Q=3", "K=0", "K=-1", "K=", "=3", "K=3x", "K=1,K=2"):
    run("--dim", dim)
run("--dim", "K=3", "--dim", "K=4")
for batch in ("1", "4", "0", "-1", "1x", "99999999999"):
    run("--batch", batch)
for target in ("warboy", "warboy-2pe", "warboy-1pe", "warboy-3pe", "warboy-", "warboy-2", "warboy-2pex", "warboi"):
    run("--target", target)
for text in ("", "---\nuse_program_loading: true\n", "{use_program_loading: true}", "{use_program_loading: true, permute_input: [[0,2,3,1]]}", '{"use_program_loading": "true"}', "{", "use_program_loading",
             "use_program_loading: true # why\n", "use_program_loading: true\t#\n#\npermute_input: [[0,2,3,1]] # x, y: z\n", "use_program_loading: 'tr #ue'\n", "use_program_loading: true#\n", "{use_program_loading: true # why\n}", "# only words", "permute_input:\n  - [0, 2, 3, 1]\n", "permute_input:\n- [0, 2, 3, 1]\n- [0]\n", "permute_input:\n\t- [0, 2, 3, 1]\nuse_program_loading: true\n",
             "permute_input: [[0, 2,\n 3, 1]]\n", "use_program_loading: true\nuse_program_loading: false\n", "use_program_loading: true, permute_input: [[0,2,3,1]]", "use_program_loading: 'a: b'\n", "a\nb: c\n",
             "".join(f"key_{i}: 1\n" for i in range(100)), "#" * 70000, "#" * 1100000, "#" * 2**20, "#" * (2**20 + 1),
             "split_unit:\nuse_program_loading: x\n", "split_unit:  \nuse_program_loading: x\n", " use_program_loading : true \n", "'use_program_loading': true", '"use_program_loading" : true\n', "split_unit: ]\nuse_program_loading: x", "split_unit: }\nuse_program_loading: x", "{split_unit: [1, {a: b}], use_program_loading: x}",
             "split_unit: {a: [1, 2], b: 3}\nuse_program_loading: x\n", "split_unit: [a\nb]\nuse_program_loading: x\n", "split_unit: 'x\ny: z'\nuse_program_loading: x\n", "split_unit: 'x\", y' z\nuse_program_loading: x\n", "split_unit: a\n  b: c\n\td: e\n-f: g\nuse_program_loading: x\n", "split_unit: a#b, use_program_loading: x\n", "split_unit: #\nuse_program_loading: x\n",
             "split_unit: a\n#b: c\n\nuse_program_loading: x", "use_program_loading: x", "use_program_loading: true", "use_program_loading: true\n\n", "---use_program_loading: x", "--use_program_loading: x", "--", "---", "------\n", "permute_input:\n  - [0, 2, 3, 1]", "permute_input:\n-  [0, 2, 3, 1] \n- [0]", "permute_input: - [0]\n", "permute_input: -", ":", ": true", "use_program_loading:", "use_program_loading: ", "a:b:c",
             "split_unit: 1\n" * 1000, "split_unit: 1\n" * 1001, "split_unit: 1," * 1000, "{}", "{} x: y", "{}\nx: y", "{split_unit: a} b", "  {split_unit: a}", "{split_unit: a", "x: {", "\0", "split_unit: 1\0\nx: y"):
    run(text=text)
run("--compiler-config", "nowhere.yaml")
run("--compiler-config", "=x")
run("--compiler-config", "use_program_loading=")

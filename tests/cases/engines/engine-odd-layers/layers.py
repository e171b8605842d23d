"""Layers of TensorRT with the words, sizes and numbers that few have, in files of their own: the facts of each."""
import json
import os
import subprocess
import xml.etree.ElementTree as ET


LAYER = ("kind", "in-format", "out-format", "groups", "k")
QUIET = {"type", "format", "no-layer-times"}


def pairs(element, names):
    return " ".join(f"{n}={element.get(n)}" for n in names if element.get(n))


def facts(name, graph, *traces, of=None, show=LAYER, root=("version", "streams", "names-only")):
    """Prints what the facts say: of the engine, or with `of` one line per layer of the list (subjects) with the attributes `show`."""
    words = []
    for i, text in enumerate(traces):
        path = f"t{i}.{'log' if isinstance(text, str) else 'profile.json'}"
        open(path, "w").write(text if isinstance(text, str) else json.dumps(text))
        words += ["--trace", path]
    open("m.graph.json", "w").write(json.dumps(graph))
    done = subprocess.run([os.environ["NPU_ADVISE"], "facts", "m.graph.json", *words], capture_output=True, text=True)
    if done.returncode:
        print(f"{name} => status {done.returncode}: {done.stderr.strip()}")
        return
    engine = ET.fromstring(done.stdout)
    layers = engine.findall("layer")
    if of:
        print(f"== {name}")
        for subject, x in zip(of, layers, strict=True):
            print(subject, "=>", pairs(x, show))
        return
    said = [pairs(engine, root), *(f"{x.get('kind')} x{x.get('count')} {x.get('subject', '')}".strip() for x in engine.findall("message")),
            *(f"{x.get('name')} {pairs(x, ('median-ns', 'mean-ns', 'p99-ns'))}" for x in engine.findall("stage")), *(x.get("text") for x in engine.findall("issue") if x.get("code") not in QUIET)]
    told = [f"{x.get('name')}: {pairs(x, ('type', 'in-format', 'out-format', 'at'))}" for x in layers if x.get("type") != "unknown"]
    print(name, "=>", "; ".join([*filter(None, said), *told]))


def tensor(name, dims, words, **more):
    return {"Name": name, "Dimensions": dims, "Format/Datatype": words, **more}


def layer(name, kind, ins, outs, **more):
    return {"Name": name, "LayerType": kind, "Inputs": ins, "Outputs": outs, **more}


WORDS = [f"{n} wide channel vectorized row major {t} format{s}" for n in ("Two", "Four", "Eight", "Sixteen", "Thirty-two", "Thirty two", "Sixty")
         for t, s in (("Int8", ""), ("FP16", " with 3 spatial dimensions"))]
WORDS += [f"Channel major {t} format where channel % {p} == 0{s}" for t, p, s in (("FP16", 8, ""), ("FP32", 1, ""), ("Int8", 2, ""), ("FP16", 4, " with 3 spatial dimensions"), ("FP8", 0, ""))]
WORDS += ["Row major linear " + t for t in ("FP32", "Float", "FP16", "Half", "BF16", "BFloat16", "Int8", "UInt8", "Int32", "Int64", "Bool", "FP8", "Int4", "FP4", "FP4E2M1", "Double", "E4M3", "FP64", "int8", "INT8", "Int88", "")]
WORDS += ["Channel major FP16 format", "Row major Int8 format whose column stride is a multiple of 64", "channel major FP16 format with column stride", "Column major FP32", "FP16", "", "Two FP16", "row major"]
several = [layer(f"a{i}", "Reformat", [tensor(f"x{i}", [1, 32, 4, 4], w)], [tensor(f"y{i}", [1, 32, 4, 4], WORDS[(7 * i + 3) % len(WORDS)])]) for i, w in enumerate(WORDS)]
facts("formats in words", {"Layers": several}, of=WORDS, show=("in", "in-layout"))

DIMS = [[], [0], [1, 0, 4], [-1, 3], [1, -2], [1e12], [999999999999], [1.5, 2], ["3", 2], [3] * 8, [3] * 9, [3] * 16, [3] * 17, [2 ** 31, 2 ** 31, 2], [3037000500, 3037000500], None, "3x4"]
sizes = [layer(f"d{i}", "Shuffle", [tensor(f"x{i}", d, "Row major linear FP32")], [tensor(f"y{i}", d, "Row major linear Int4")]) for i, d in enumerate(DIMS)]
facts("sizes", {"Layers": sizes}, of=DIMS, show=("in-format", "out-format", "c"))

P = [("Int8", "FP32"), ("FP32", "Int8"), ("Int8", "Int8"), ("FP8", "FP16"), ("FP16", "FP8"), ("Int4", "BF16"), ("FP4", "Half"), ("Int8", "Int32"), ("Int32", "Int8"), ("FP32", "FP16")]
turned = [layer(f"{n}{i} {a} {b}", kind, [tensor(f"x{n}{i}{kind}", [1, 8, 4, 4], "Row major linear " + a)], [tensor(f"y{n}{i}{kind}", [1, 8, 4, 4], "Row major linear " + b)])
          for kind in ("Reformat", "Scale", "NoOp") for n in ("r", "Reformatting CopyNode for Input Tensor 0 to r", "c copy") for i, (a, b) in enumerate(P)]
facts("types on both sides", {"Layers": turned}, of=[f"{x['LayerType']} {x['Name']}" for x in turned], show=("work",))
KINDS = ["NoOp", "Constant", "Shuffle", "Padding", "Slice", "MyelinReformat", "Cast", "Identity", "TrainStation", "DeviceToShapeHost", "ShapeHostToDevice", "shape_call", "kgen", "Convolution", "CaskConvolution", "gemm", "PluginV2", "Myelin", ""]
kinds = [layer(f"k{i}", k, [tensor(f"x{i}", [2], "Row major linear FP32", Location="Host" if i % 2 else "Device")], [tensor(f"y{i}", [2], "Row major linear FP16")], Origin=o)
         for i, (k, o) in enumerate([(k, None) for k in KINDS] + [("Reformat", o) for o in ("REFORMAT", "QDQ", "SLICE", "CAST", "OTHER", "")])]
more = [layer("same", "NoOp", [tensor("s", [2], "FP32")], [tensor("t", [2], "FP32")]), layer("nothing", "NoOp", [], []), layer("unnamed", "Scale", [{}], [{}])]
facts("kinds of work", {"Layers": kinds + more}, of=[f"{x['LayerType'] or repr('')} {x.get('Origin') or ''} {x['Inputs'][:1] and x['Inputs'][0].get('Location') or ''}" for x in kinds + more], show=("kind", "work"))
numbers = [layer(f"n{i}", "CaskConvolution", [tensor(f"x{i}", [1, 8, 4, 4], "FP16")], [tensor(f"y{i}", [1, 8, 4, 4], "FP16")], **more) for i, more in enumerate((
    {"OutMaps": 0, "Groups": 1}, {"OutMaps": 1, "Groups": 0}, {"OutMaps": -1, "Groups": 8}, {"OutMaps": 1e12}, {"OutMaps": 999999999999}, {"ConvOutMaps": 8, "ConvGroups": 2}, {"OutMaps": 4, "ConvOutMaps": 8},
    {"OutMaps": "8"}, {"StreamId": 1}, {"StreamId": -1}, {"FirstTranspose": [0, 1, 2, 3]}, {"FirstTranspose": [0, 2, 1]}, {"SecondTranspose": [1]}, {"SecondTranspose": [0]}, {"FirstTranspose": ["0"]},
    {"negativeInfinityPadding": 0}, {"negativeInfinityPadding": 1}, {"Weights": {"Type": "Int8", "Count": 4}}, {"ConvWeights": {"Type": "Half"}}, {"Weights": {"Type": "Odd"}, "ConvWeights": {"Type": "Half"}}, {"Weights": 4},
    {"Metadata": "[ONNX Layer: /a/Conv]\x1e[ONNX Layer: /a/Relu]"}, {"Metadata": "[ONNX Layer: /b"}, {"Metadata": "[ONNX Layer: ]"}, {"Metadata": "[ONNX Layer: x[1]]\x1f[ONNX Layer: y] "}, {"Metadata": "other"},
    {"TacticName": "sm80_xmma_fprop_implicit_gemm_f16", "PluginType": "Mine"}, {"ParameterType": "Convolution", "Origin": "QDQ"}))]
facts("numbers", {"Layers": numbers}, of=[json.dumps({k: v for k, v in x.items() if k not in ("Name", "LayerType", "Inputs", "Outputs")}) for x in numbers], show=("groups", "k", "stream", "transposes", "pads-lowest", "weights", "tactic", "plugin", "origin"))
base = [layer("c", "Convolution", [tensor("x", [4, 8], "FP16")], [tensor("y", [4, 8], "FP16")])]
more = [{**base[0], "Name": f"c {s}"} for s in ("[profile 0]", "[profile 1]", "[profile 2]", "[profile 1] ", "[profile 1]x", "[profile -1]", "[profile x]", "[profile 3", "profile 1]")]
facts("profiles", {"Layers": base + more + ["c[profile 1]", "plain", {"LayerType": "Odd"}, 7, None], "Bindings": ["x", "y [profile 1]", "q", 7]})
for bindings in ([], ["x"], ["y"], ["x", "y"], ["c"], "x", None):
    facts(f"bindings {bindings}", {"Layers": base, "Bindings": bindings})
facts("names with marks", {"Layers": [{**base[0], "Name": "a\x1eb\x1fc"}, {**base[0], "Name": "\x1e"}, {**base[0], "Name": ""}]})
for odd in ({"Layers": 7}, {"Layers": []}, {"Layers": [7]}, {"Layers": {}}):
    facts(f"no list {odd}", odd)

NAMED = {"Layers": ["a", "b", "b", "c + d", "Reformatting CopyNode for Input Tensor 0 to b", "never"]}
HEAD = "[11/22/2026-12:00:00] [V] [TRT] "


def listed(*lines, head=HEAD, begin="Engine Layer Information:", end="\n"):
    return "".join(f"{h}{line}{end}" for h, line in zip([HEAD] + [head] * len(lines), (begin, *lines)))


one = "Layer(CaskConvolution): a, Tactic: 0x12, x (Half[1,3:4,22,38]) -> t (Int8[1,32:32,11,19])"
for text in ("x (Half[1,3,4]) -> y (Float[7])", "x(Half[1,3,4]) -> y(Float[7])", "x[Half(1,3,4)] -> y[Float(7)]", "x (Half[1,3:1,4]) -> y (Half[1,3:2])", "x (Half[1,3:64]) -> y (Half[1,3:65])", "x (Half[-1,3]) -> y (Half[])",
             "x (Half[1000000000000]) -> y (Half[999999999999])", "x (Half[1,,2]) -> y (Half[1,a])", "x (Odd[1]) -> y (Half[1])", "x (Half) -> y (Half", "x (Half[1]), z (Float[2]) -> y (Int8[1]), w (Int32[3])",
             "x (a, b) (Half[1]) -> y (Half[1])", "x (Half[1]),z (Half[2]) -> y (Half[1])", "-> y (Half[1])", "x (Half[1])", "x (Half[1]) ->", "x ) (Half[1]) -> y (Half[1]", "  x   (Half[1]) ->   y (Half[1])",
             "x (Half[" + ",".join(["2"] * 8) + "]) -> y (Half[" + ",".join(["2"] * 17) + "])"):
    facts(f"a log's {text}", NAMED, listed(f"Layer(CaskConvolution): a, Tactic: 0x12, {text}"))
facts("lines of a log", NAMED, listed(one, "Layer(Reformat): b, Tactic: 0x0, t (Int8[1]) -> u (Half[1])", "Layer(Reformat): b, Tactic: 0x0, u (Half[1]) -> v (Half[1])", "Layer(Reformat): b, Tactic: 0x0, v (Half[1]) -> w (Half[1])",
      "Layer(Myelin): c\x1ed, Tactic: 0x0, w (Half[1]) -> z (Half[1])", "Layer(Odd): unknown, Tactic: 0x0, z (Half[1]) -> q (Half[1])", "end", one))
for head in ("", "[1] ", "[", "[1]  [2]", "x "):
    facts(f"lines behind '{head}'", NAMED, listed(one, head=head))
facts("lines that end in two", NAMED, listed(one, end="\r\n"))
facts("a last line without an end", NAMED, listed(one).rstrip("\n"))
for line in ("Layer(", "Layer(a): b", "Layer(a): b, Tactic: ", "Layer", "Layer(a: b, Tactic: 0x0, x (Half[1]) -> y (Half[1])", "Layer(a): a, Tactic: 0x0", "Layer(a): a, Tactic: 0x0 -> y (Half[1])"):
    facts(f"the line {line}", NAMED, listed(line))
facts("nothing behind", NAMED, "Engine Layer Information:")
facts("layers that have types", {"Layers": base}, listed("Layer(Odd): c, Tactic: 0x0, x (Half[1]) -> y (Half[1])"))

HIGH = "[11/22/2026-12:00:00] [I] "
for v in ("TensorRT version: 0.5", "TensorRT version: 1.0", "TensorRT version: 8.5.2", "TensorRT version: 99.99", "TensorRT version: 99.100", "TensorRT version: 100.0", "TensorRT version: 8.-1", "TensorRT version: 8", "TensorRT version: -8.5",
          *(f"[TensorRT v{n}]" for n in (0, 999, 1000, 8502, 9999, 10000, 99999, 100000, 101600, 999999, 1000000))):
    facts(v, {"Layers": base}, f"&&&& RUNNING TensorRT.trtexec {v if v[0] == '[' else ''} # trtexec --onnx=a.onnx\n" + (HIGH + v + "\n") * (v[0] != "["))
facts("two on a line", {"Layers": base}, "&&&& RUNNING TensorRT.trtexec [TensorRT v8502] # TensorRT version: 100.0\n")
facts("two versions", {"Layers": base}, "&&&& RUNNING TensorRT.trtexec [TensorRT v8502] # trtexec\n" + HIGH + "TensorRT version: 10.1.0\n")

RUN = "&&&& RUNNING TensorRT.trtexec [TensorRT v101600] # trtexec --onnx=a.onnx\n"
MESSAGES = ["Missing scale and zero-point for tensor q, expect fall back", "Missing scale and zero-point for tensor ", "Rejecting some int8 implementation of layer c due to x", "'c' Switching this layer's device type to GPU",
            "Switching this layer's device type to GPU", "DLA is enabled but layer c is not supported on DLA", "c precision type. Switching c device type to GPU", "Throughput may be bound by Enqueue Time", "GPU compute time is unstable",
            "Using 2 auxiliary streams", "I/O reformatting for region", "Skipping tactic 1 due to insufficient memory", "Skipping tactic 1", "The e2e network timing is not reported", "Autotuning format combination", "Local timing cache in use"]
for m in MESSAGES:
    facts(m, {"Layers": base}, RUN + "[11/22/2026-12:00:00] [W] [TRT] " + m + "\n")
facts("all at once, twice", {"Layers": base}, RUN + "".join(f"[11/22/2026-12:00:00] [{k}] [TRT] {m}\n" for k in "WV" for m in MESSAGES))
for block in ("=== Performance summary ===\n{0}Throughput: 812,5 qps\n{0}Latency: min = 1 ms, max = 3 ms, mean = 2 ms, median = 2 ms, percentile(90%) = 2.5 ms, percentile(99%) = 3 ms",
              "=== Performance summary ===\n{0}GPU Compute Time: min = 1 ms, max = 3,5 ms, mean = 2 ms, median = 2 ms, percentile(99%) = 3 ms\n{0}Total Host Walltime: 3 s\n{0}Total GPU Compute Time: 2.5 s\n{0}Enqueue Time: min = 0.1 ms, max = x",
              "Host latency\n{0}min: 1 ms (end to end 2 ms)\n{0}max: 3 ms\n{0}mean: 2 ms\n{0}median: 2 ms\n{0}percentile: 3 ms at 99%\n{0}GPU Compute\n{0}min: 0,5 ms\n{0}max: 0.75 ms\n{0}mean: 0.625 ms\n{0}median: 0.625 ms\n{0}percentile: 0.7 ms at 99%"):
    facts("what " + block.splitlines()[0], {"Layers": base}, RUN + HIGH + block.format(HIGH) + "\n")

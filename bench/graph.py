#!/usr/bin/python3
"""Loading, indexing and shapes: `npu-advise inspect` against onnx.load + infer_shapes, libonnx's own C++ parser and
inference, and session creation of onnxruntime-node.

  bench/graph.py [BUILD] [ROUNDS]

Models made here, in BUILD/bench: 100 MB and 500 MB of weights inside, 2.26 GB outside (a sparse file), 50,000 and
200,000 nodes.  Processor time of whole processes, medians, runs in turn; cold-cache runs in wall time, because they
wait for the disk.  Peers that the machine does not have are left out and named: g++ with libprotobuf-dev, and
onnxruntime-node (NPU_ADVISE_NODE_MODULES, or tests/full/node_modules).  Goals of facts O1-O4 and S1 stand beside.
"""
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["libxml-2.0", "libprotobuf-c", "libcjson", "zlib", "nettle", "yaml-0.1"]
PYTHON_LOAD = "import onnx, sys; onnx.load(sys.argv[1])"
PYTHON_INFER = "import onnx, sys; onnx.shape_inference.infer_shapes(onnx.load(sys.argv[1]))"
TOUCH = "import mmap, sys, time; f = open(sys.argv[1], 'rb'); m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)\n" \
        "start = time.process_time(); m[::4096]; print(time.process_time() - start)"
SESSION = "require('onnxruntime-node').InferenceSession.create(process.argv[1], {graphOptimizationLevel: 'disabled', " \
          "intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4}).catch((e) => { console.error(e.message); process.exit(1) })"


# ---- models --------------------------------------------------------------------------------------

# Made in a process of their own: a child's peak memory is at least what its parent held when it was started.
if len(sys.argv) > 1 and sys.argv[1] == "--make":
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper


def save(path, nodes, weights, channels):
    graph = helper.make_graph(
        nodes, "bench", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, channels, 14, 14])],
        [helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, None)], weights)
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)]), path)


def convolutions(count):
    return [helper.make_node("Conv", [f"t{i}" if i else "x", f"w{i}"], [f"t{i + 1}"], pads=[1, 1, 1, 1]) for i in range(count)]


def inside(path, count):
    """Convolutions of 512 channels: 9.4 MB each."""
    weights = [numpy_helper.from_array(numpy.ones((512, 512, 3, 3), numpy.float32), f"w{i}") for i in range(count)]
    save(path, convolutions(count), weights, 512)


def outside(path, count):
    """Convolutions of 1024 channels, 37.7 MB each, in a sparse file of zeros, which costs the peers no disk."""
    size = 1024 * 1024 * 9 * 4
    weights = []
    for i in range(count):
        w = TensorProto(name=f"w{i}", data_type=TensorProto.FLOAT, dims=[1024, 1024, 3, 3], data_location=TensorProto.EXTERNAL)
        for key, value in (("location", path.name + ".data"), ("offset", i * size), ("length", size)):
            w.external_data.add(key=key, value=str(value))
        weights.append(w)
    with open(str(path) + ".data", "wb") as data:
        data.truncate(count * size)
    save(path, convolutions(count), weights, 1024)


def blocks(path, count):
    """QuantizeLinear, DequantizeLinear, Conv, Sigmoid, Mul, Transpose, Transpose, Add under long names."""
    scale = [numpy_helper.from_array(numpy.float32(0.1), "scale"), numpy_helper.from_array(numpy.int8(0), "zero"),
             numpy_helper.from_array(numpy.ones((16, 16, 1, 1), numpy.float32), "w")]
    nodes, last = [], "x"
    for i in range(count // 8):
        name = lambda part, i=i: f"/model/layers.{i}/block/{part}/output_0"
        add = lambda op, inputs, part, **a: nodes.append(helper.make_node(op, inputs, [name(part)], name=name(part)[:-9], **a))
        add("QuantizeLinear", [last, "scale", "zero"], "quantize")
        add("DequantizeLinear", [name("quantize"), "scale", "zero"], "dequantize")
        add("Conv", [name("dequantize"), "w"], "conv")
        add("Sigmoid", [name("conv")], "sigmoid")
        add("Mul", [name("conv"), name("sigmoid")], "mul")
        add("Transpose", [name("mul")], "nhwc", perm=[0, 2, 3, 1])
        add("Transpose", [name("nhwc")], "nchw", perm=[0, 3, 1, 2])
        add("Add", [name("nchw"), last], "add")
        last = name("add")
    save(path, nodes, scale, 16)


MODELS = [("100 MB", inside, 11), ("500 MB", inside, 53), ("2.26 GB outside", outside, 60),
          ("50,000 nodes", blocks, 50_000), ("200,000 nodes", blocks, 200_000)]


def make_model(folder, name, make, count):
    path = folder / f"graph-{make.__name__}-{count}.onnx"
    if not path.exists():
        subprocess.run([sys.executable, __file__, "--make", name, path], check=True)
    return path


# ---- measuring -----------------------------------------------------------------------------------


class Run:
    """One process: processor seconds, peak resident bytes, output; ok is false where it refused."""

    def __init__(self, command, environment=None):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.text = process.stdout.read().decode("utf8", "replace")
        _, status, used = os.wait4(process.pid, 0)
        self.wall, self.cpu = time.perf_counter() - start, used.ru_utime + used.ru_stime
        self.peak, self.ok = used.ru_maxrss * 1024, status == 0


def build_programs(build):
    """(our timing program, libonnx's or None)."""
    flags = lambda what: subprocess.run(["pkg-config", what, *PACKAGES], check=True, capture_output=True, text=True).stdout.split()
    ours, theirs = build / "bench-graph", build / "bench-graph-peer"
    subprocess.run([*os.environ.get("CC", "cc").split(), "-std=c11", "-O2", "-D_GNU_SOURCE", f"-I{ROOT}", f"-I{build}/gen",
                    *flags("--cflags"), ROOT / "bench/graph.c", build / "libgraph.a", build / "libonnxpb.a", "-o", ours,
                    *flags("--libs"), "-lm"], check=True)
    try:
        peer = subprocess.run(["g++", "-O2", "-DONNX_NAMESPACE=onnx", "-DONNX_ML=1", ROOT / "bench/graph_peer.cc", "-o", theirs,
                               "-lonnx", "-lonnx_proto", "-lprotobuf"], capture_output=True)
        return ours, theirs if peer.returncode == 0 else None
    except FileNotFoundError:
        return ours, None


def drop_from_cache(path):
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)


def cold(path, command):
    drop_from_cache(path)
    return Run(command).wall


class Bench:
    def __init__(self, build, rounds):
        self.rounds, self.advise = rounds, str(build / "npu-advise")
        self.timer, self.peer = build_programs(build)
        modules = pathlib.Path(os.environ.get("NPU_ADVISE_NODE_MODULES", ROOT / "tests/full/node_modules"))
        self.node = dict(os.environ, NODE_PATH=str(modules)) if (modules / "onnxruntime-node").is_dir() and shutil.which("node") else None
        for missing, what in ((self.peer, "libonnx in C++ (g++, libprotobuf-dev)"), (self.node, "onnxruntime-node")):
            if not missing:
                print("left out:", what)

    def commands(self, path):
        yield "npu-advise inspect", [self.advise, "inspect", path], None
        yield "onnx.load", ["/usr/bin/python3", "-c", PYTHON_LOAD, path], None
        yield "onnx.load + infer_shapes", ["/usr/bin/python3", "-c", PYTHON_INFER, path], None
        if self.peer:
            yield "libonnx parse (C++)", [self.peer, path, "parse"], None
            yield "libonnx parse + infer (C++)", [self.peer, path], None
        if self.node:
            yield "onnxruntime session", ["node", "-e", SESSION, path], self.node

    def warm(self, path):
        """{name: (median seconds, peak bytes)}; who refuses the model is not in it."""
        runs = {}
        for _ in range(self.rounds):
            for name, command, environment in self.commands(path):
                runs.setdefault(name, []).append(Run([str(word) for word in command], environment))
        return {name: (statistics.median(r.cpu for r in list_), max(r.peak for r in list_))
                for name, list_ in runs.items() if all(r.ok for r in list_)}

    def inner(self, program, path):
        """Medians of what one of the two timing programs prints."""
        found = [Run([str(program), str(path)]) for _ in range(self.rounds)]
        printed = [json.loads(r.text) for r in found if r.ok]
        return {key: statistics.median(p[key] for p in printed) for key in printed[0]} if printed else None


def table(name, path, results):
    ours = results["npu-advise inspect"][0]
    print(f"\n{name} ({path.stat().st_size / 1e6:.1f} MB)")
    for peer, (seconds, peak) in results.items():
        ratio = "" if peer.startswith("npu") else f"   {seconds / ours:7.0f} x npu-advise"
        print(f"  {peer:28} {seconds * 1e3:9.1f} ms  {peak / 1e6:8.0f} MB peak{ratio}")


def goal(name, found, most):
    verdict = "met" if found <= most else "NOT MET"
    print(f"  {name:66} {found:9.4f}  goal <= {most:.4f}  {verdict}")


def ratios(results, inner, peer_inner, touch):
    ours = {name: r["npu-advise inspect"][0] for name, r in results.items()}
    def against(name, peer):
        return ours[name] / results[name][peer][0] if peer in results[name] else None
    both = lambda times: times["load_s"] + times["infer_s"]
    rows = [("O1 100 MB against libonnx C++ parse", against("100 MB", "libonnx parse (C++)"), 1 / 15),
            ("O1 100 MB against onnx.load", against("100 MB", "onnx.load"), 1 / 60),
            ("O1 100 MB against touching every page", ours["100 MB"] / touch if touch else None, 1 / 4),
            ("O1 private memory of 100 MB, in 8 MB", inner["100 MB"]["anonymous_kb"] / 8192, 1),
            ("O2 500 MB against 100 MB", ours["500 MB"] / ours["100 MB"], 1.5),
            ("O2 2.26 GB outside against onnxruntime", against("2.26 GB outside", "onnxruntime session"), 1 / 25),
            ("O3 50,000 nodes read and inferred, against libonnx", both(inner["50,000 nodes"]) / both(peer_inner) if peer_inner else None, 1 / 8),
            ("O3 50,000 nodes against onnx.load + infer_shapes", against("50,000 nodes", "onnx.load + infer_shapes"), 1 / 20),
            ("O3 200,000 nodes against 50,000", both(inner["200,000 nodes"]) / both(inner["50,000 nodes"]), 5.5),
            ("S1 inference alone, 200,000 nodes against 50,000", inner["200,000 nodes"]["infer_s"] / inner["50,000 nodes"]["infer_s"], 4.8)]
    if peer_inner:
        rows.append(("S1 inference alone, 50,000 nodes, against libonnx", inner["50,000 nodes"]["infer_s"] / peer_inner["infer_s"], 1 / 10))
    for row in rows:
        if row[1] is not None:
            goal(*row)


def cold_runs(bench, file):
    """O4: wall time with the file out of the page cache, in turn with reading all of it."""
    read = ["/usr/bin/python3", "-c", "import sys\nf = open(sys.argv[1], 'rb', 0)\nwhile f.read(1 << 20): pass"]
    for name, most in (("500 MB", 1 / 8), ("50,000 nodes", 1.5)):
        path = str(file[name])
        pairs = [(cold(path, [bench.advise, "inspect", path]), cold(path, [*read, path])) for _ in range(bench.rounds)]
        ours, whole = (statistics.median(p[i] for p in pairs) for i in (0, 1))
        limit = whole if name == "500 MB" else whole + statistics.median(Run([bench.advise, "inspect", path]).wall for _ in range(bench.rounds))
        print(f"  {name} cold: npu-advise {ours * 1e3:.1f} ms, reading all of it {whole * 1e3:.1f} ms")
        goal(f"O4 {name} cold against " + ("reading it" if name == "500 MB" else "reading it and loading it warm"), ours / limit, most)


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--make":
        _, make, count = next(m for m in MODELS if m[0] == sys.argv[2])
        make(pathlib.Path(sys.argv[3]), count)
        return
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    folder = build / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    file, results, inner = {}, {}, {}
    bench = Bench(build, rounds)
    for name, make, count in MODELS:
        file[name] = make_model(folder, name, make, count)
        results[name], inner[name] = bench.warm(file[name]), bench.inner(bench.timer, file[name])
        table(name, file[name], results[name])
    peer_inner = bench.inner(bench.peer, file["50,000 nodes"]) if bench.peer else None
    touches = [Run(["/usr/bin/python3", "-c", TOUCH, str(file["100 MB"])]).text for _ in range(rounds)]
    print("\nratios")
    ratios(results, inner, peer_inner, statistics.median(map(float, touches)))
    cold_runs(bench, file)
    growth = math.log(inner["200,000 nodes"]["infer_s"] / inner["50,000 nodes"]["infer_s"]) / math.log(4)
    print(f"  peak memory of npu-advise: " + ", ".join(f"{n} {r['npu-advise inspect'][1] / 1e6:.0f} MB" for n, r in results.items()))
    print(f"  growth of inference {growth:.2f} (1.0 is linear)")


main()

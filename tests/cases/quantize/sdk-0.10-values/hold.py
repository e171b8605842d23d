import pathlib, subprocess, sys
import numpy, onnx
def ranges(m):
    lines = next(p.value for p in m.metadata_props if p.key == "FurisoaAI.CalibrationResult").split("\n")
    found, name = {}, None
    for line in lines[1:]:
        if line.startswith("  - "):
            found[name].append(float(line[4:]))
        elif line:
            name = line.rstrip(":")
            found[name] = []
    return {k: (min(lo, 0), max(hi, 0)) for k, (lo, hi) in found.items()}
def run(model, inputs, folder):
    for i, x in enumerate(inputs):
        (folder / "in").mkdir(parents=True, exist_ok=True)
        numpy.save(folder / "in" / f"input_{i}.npy", x)
    subprocess.run([sys.argv[1], model, "--values", "--input-dir", folder / "in", "--output-dir", folder / "out"], check=True, capture_output=True)
    return [numpy.load(f) for f in sorted((folder / "out").glob("*.npy"))]
for name in sys.argv[2:]:
    m = onnx.load(f"vendor/{name}.onnx")
    scale = ranges(m)
    keys = {p.key: p.value for p in m.metadata_props}
    codes = [int(i) for i in keys.get("FurisoaAI.WithoutQuantize", "").split(",") if i]
    draw, fed, real = numpy.random.default_rng(7), [], []
    for i, x in enumerate(m.graph.input):
        shape, (lo, hi) = [d.dim_value for d in x.type.tensor_type.shape.dim], scale[x.name]
        if i in codes:
            fed.append(draw.integers(0, 256, shape, dtype=numpy.uint8))
            real.append((fed[-1] * ((hi - lo) / 255) + lo).astype(numpy.float32))
        else:
            fed.append(draw.uniform(lo, hi, shape).astype(numpy.float32))
            real.append(fed[-1])
    del m.metadata_props[:]
    onnx.save(m, "float.onnx")
    found = run(f"vendor/{name}.onnx", fed, pathlib.Path(name))
    want = run("float.onnx", real, pathlib.Path("float"))
    for o, y, x in zip(m.graph.output, found, want):
        lo, hi = scale[o.name]
        step = (hi - lo) / 255
        if y.dtype != numpy.float32:
            zero = (-128 if y.dtype == numpy.int8 else 0) - round(lo / step)
            y = (y.astype(numpy.float64) - zero) * step
        off = numpy.abs(y - x.clip(lo, hi)) / step
        print(name, o.name, "held" if (off <= 3).mean() >= 0.99 else f"{(off <= 3).mean()} {off.max()}")

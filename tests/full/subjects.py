"""Inputs of the checks that look at screens: engines, tables and networks, each with the traces that belong to it."""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tests/tools"
ENGINE_GRAPHS = ("graph.json", "layer_info.json")
ENGINE_TRACES = ("profile.json", "timing.json", "profile.metadata.json")


def corpus():
    """The folder of other projects' models and traces, or None."""
    name = os.environ.get("NPU_ADVISE_CORPUS")
    return pathlib.Path(name) if name else None


def engines(folder):
    """(graph, traces) of each engine: two made here, and those of the corpus."""
    subprocess.run([TOOLS / "make_engine.py", ROOT / "tests/cases/rules-trt/trt103/engines.txt"], cwd=folder, check=True, capture_output=True)
    for graph in sorted(folder.glob("*.graph.json")):
        yield graph, [graph.with_name(graph.name.replace(".graph.", ".profile."))]
    for place in sorted((corpus() / "traces/trex").iterdir()) if corpus() else ():
        for name in ENGINE_GRAPHS:
            if (place / name).exists():
                yield place / name, [place / t for t in ENGINE_TRACES if (place / t).exists()]


def tables(folder):
    """Tables of an RKNN runtime, of each form that the cases describe."""
    subprocess.run([TOOLS / "rknn_tables.py", "make", ROOT / "tests/cases/rknn/rknn-screen/tables.txt"], cwd=folder, check=True, capture_output=True)
    return sorted(folder.glob("*.txt"))


def programs():
    """What a vendor's compiler wrote of its graphs."""
    return sorted((corpus() / "vendor").glob("*.dot")) if corpus() else []


def exported(folder):
    """The blocks of exports.py as models."""
    import exports

    for make in exports.MADE:
        net, outputs = make()
        net.save(folder / f"{make.__name__}.onnx", *outputs)
        yield folder / f"{make.__name__}.onnx"

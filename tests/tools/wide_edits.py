#!/usr/bin/python3
"""wide_edits.py EDIT_MODEL MODEL…: edits of tests/full/edits.py and rewrites of tests/full/rewrites.py, where onnxruntime proves
the results of some models, on many small ones.  Of each that could apply: the status, what is said, and a sum of what is written.
An edit is tried or left out by its own name, so that one more changes nothing for the others."""
import pathlib
import subprocess
import sys
import zlib

import google.protobuf.message

TOOLS = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(TOOLS.parent / "full"), str(TOOLS)]
import edits  # noqa: E402
import rewrites  # noqa: E402
import wide  # noqa: E402

EVERY = 4
BEFORE, AFTER = pathlib.Path("before.onnx"), pathlib.Path("after.onnx")


def of_interfaces(source, scratch):
    kinds = [edits.input_types(source), edits.output_types(source), edits.permutations(source), edits.cuts(source, scratch),
             edits.sizes(source, scratch), edits.bindings(source), edits.batches(source, None), edits.pads(source)]
    for trials in kinds:
        try:
            yield from ((trial.kind, trial.where, trial.value) for trial in trials)
        except (IndexError, ValueError, TypeError, KeyError):  # an odd model, which that generator is not for
            continue


def of_nodes(source):
    for node in source.model.graph.node:
        for kind, operators in rewrites.AT.items():
            if node.op_type in operators.split() and node.output and node.output[0]:
                yield "rewrite", node.output[0], kind


def tried(program, name, words):
    AFTER.unlink(missing_ok=True)
    done = subprocess.run([program, BEFORE, AFTER, *words], capture_output=True, text=True, errors="replace")
    made = zlib.crc32(AFTER.read_bytes()) if AFTER.exists() else "-"
    print(name, *words, done.returncode, made, done.stderr.strip())


def main():
    program, *models = sys.argv[1:]
    scratch = pathlib.Path("scratch")
    scratch.mkdir()
    for name, data in wide.all_inputs(models):
        BEFORE.write_bytes(data)
        try:
            source = edits.Source(BEFORE)
        except (OSError, google.protobuf.message.DecodeError):  # weights elsewhere, or no model
            continue
        for words in dict.fromkeys([*of_interfaces(source, scratch), *of_nodes(source)]):
            if wide.number_of(" ".join((name, *words))) % EVERY == 0:
                tried(program, name, words)


main()

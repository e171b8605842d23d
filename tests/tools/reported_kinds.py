#!/usr/bin/python3
"""Which case holds each kind of export that users reported, and which of its lines are siblings of the report.

  reported_kinds.py [FILE]     FILE: tests/reported_kinds.txt

A line is KIND | FOLDER/CASE | SIBLING ; SIBLING …, where a sibling is the beginning of a line of what the case prints; "-" is
for a kind without a case.  A kind may have several lines.  Every kind has at least one line, every case exists, and prints
each of its siblings.  Prints the kinds that have fewer than three siblings; status 1 where a line is wrong.
"""
import collections
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
KINDS = """repro_01 repro_03 repro_04 repro_06 repro_07 repro_08 repro_10 repro_11 repro_12 focus_spacetodepth max_is_leakyrelu
midgraph_reshape silu_qoperator single_input_concat tflite_no_transpose tflite_upsample_as_tile tile_is_expand twin_noops
twin_shared_dq weights_in_constants attention23 dilation fp16_layernorm fp8 ln_after_ln quant_const_chain reducemax""".split()


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TESTS / "reported_kinds.txt"
    held, problems = collections.Counter(), []
    for line in path.read_text().splitlines()[1:]:
        kind, case, siblings = (part.strip() for part in line.split("|"))
        held[kind] += 0
        if case == "-":
            continue
        out = TESTS / "cases" / case / "out"
        if not out.is_file():
            problems.append(f"{kind}: no case {case} that prints anything")
            continue
        lines = [text.strip() for text in out.read_text().splitlines()]
        for sibling in filter(None, (s.strip() for s in siblings.split(";"))):
            held[kind] += any(text.startswith(sibling) for text in lines)
            if not any(text.startswith(sibling) for text in lines):
                problems.append(f"{kind}: {case} prints no line '{sibling}'")
    problems += [f"{kind}: no line" for kind in KINDS if kind not in held] + [f"{kind}: unknown" for kind in held if kind not in KINDS]
    print(*problems, sep="\n", end="\n" if problems else "")
    print("fewer than three siblings:", ", ".join(f"{kind} ({n})" for kind, n in held.items() if n < 3) or "none")
    print(f"{len(held)} kinds, {sum(held.values())} siblings, {len(problems)} problems")
    return 1 if problems else 0


sys.exit(main())

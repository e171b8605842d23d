#!/usr/bin/python3
"""wide_rewrites.py EDIT_MODEL: rewrites the small models of tests/full/rewrites.py, where onnxruntime proves the results; here
they are left as files, and "said" has the status and the words of each, so that what changes is seen.  A model that a rewrite
does not fit is refused."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "full"))
import rewrites  # noqa: E402


def made(kind, build, number):
    net = rewrites.Net([1, 4, 6, 8], getattr(build, "opset", 13))
    places, outputs = build(net)
    path = pathlib.Path(f"{number:02}-{kind}.onnx")
    net.save("before.onnx", *outputs)
    return path, [word for place in places for word in ("rewrite", place, kind)]


def main():
    rows = [(kind, build) for kind, build, _ in rewrites.SMALL] + rewrites.REFUSED
    for number, (kind, build) in enumerate(rows):
        path, words = made(kind, build, number)
        done = subprocess.run([sys.argv[1], "before.onnx", path, *words], capture_output=True, text=True)
        print(number, kind, build.__name__, done.returncode, done.stderr.strip())


main()

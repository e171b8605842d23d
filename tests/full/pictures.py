"""Pictures to measure accuracy on, found in Debian's packages or made of what is found there.

  photographs  those of python3-skimage and mate-backgrounds: of everything, few with a face
  digits       scikit-learn's 1,797 handwritten digits of 8 x 8 (UCI), as MNIST has them: 20 x 20 in the middle of 28 x 28, light on
               black; one folder for each digit
  faces        scikit-image's hundred faces of LFW, 25 x 25 and cut tightly, one to four of them upon a smooth ground of 320 x 240,
               with annotations of COCO
All but the photographs are drawn from a fixed seed.  A folder in NPU_ADVISE_PICTURES stands for the photographs.
"""
import gzip
import json
import os
import pathlib
import struct
import subprocess
import zlib

import numpy

PACKAGES = ("python3-skimage", "mate-backgrounds", "python3-sklearn")
DATA = "x/usr/lib/python3/dist-packages/"


def unpack(scratch):
    """The packages below scratch/x; those that cannot be had are missing."""
    if not (scratch / "x").exists():
        (scratch / "x").mkdir(parents=True)
        for package in PACKAGES:
            subprocess.run(["apt-get", "download", "-qq", package], cwd=scratch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for archive in scratch.glob("*.deb"):
            subprocess.run(["dpkg", "-x", archive, scratch / "x"], check=True)


def write_png(path, picture):
    """Of height x width or height x width x 3 bytes."""
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    head = struct.pack(">IIBBBBB", picture.shape[1], picture.shape[0], 8, 2 if picture.ndim == 3 else 0, 0, 0, 0)
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in (b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""):
            out.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


def enlarged(picture, height, width):
    """Bilinear, pixel centres in the middle."""
    for axis, size in (0, height), (1, width):
        at = (numpy.arange(size) + 0.5) * picture.shape[axis] / size - 0.5
        low = numpy.clip(numpy.floor(at).astype(int), 0, picture.shape[axis] - 1)
        high = numpy.minimum(low + 1, picture.shape[axis] - 1)
        part = numpy.clip(at - low, 0, 1).reshape([-1, 1] if axis == 0 else [1, -1])
        picture = numpy.take(picture, low, axis) * (1 - part) + numpy.take(picture, high, axis) * part
    return picture


def photographs(scratch):
    given = os.environ.get("NPU_ADVISE_PICTURES")
    if given:
        return pathlib.Path(given)
    unpack(scratch)
    chosen = scratch / "photographs"
    chosen.mkdir(exist_ok=True)
    for pattern in DATA + "skimage/data/*", "x/usr/share/backgrounds/mate/nature/*":
        for path in scratch.glob(pattern):
            if path.suffix in (".png", ".jpg") and 30000 < path.stat().st_size < 2000000 and path.name != "truncated.jpg":
                path.rename(chosen / path.name)
    return chosen if any(chosen.iterdir()) else None


def digits(scratch):
    unpack(scratch)
    source, chosen = scratch / DATA / "sklearn/datasets/data/digits.csv.gz", scratch / "digits"
    if not source.exists():
        return None
    if chosen.exists():
        return chosen
    with gzip.open(source, "rt") as rows:
        table = numpy.loadtxt(rows, delimiter=",")
    for k, row in enumerate(table):
        folder = chosen / str(int(row[64]))
        folder.mkdir(parents=True, exist_ok=True)
        canvas = numpy.zeros((28, 28))
        canvas[4:24, 4:24] = enlarged(row[:64].reshape(8, 8) / 16 * 255, 20, 20)
        write_png(folder / f"{k:04}.png", numpy.rint(canvas).astype(numpy.uint8))
    return chosen


def faces(scratch, count=120):
    """Pictures, and as annotations of COCO where their faces lie."""
    unpack(scratch)
    source, chosen = scratch / DATA / "skimage/data/lfw_subset.npy", scratch / "faces"
    if not source.exists():
        return None
    if chosen.exists():
        return chosen
    found = numpy.load(source)[:100]
    rng = numpy.random.default_rng(7)
    images, annotations = [], []
    chosen.mkdir()
    for k in range(count):
        images.append({"id": k, "file_name": f"{k:03}.png", "width": 320, "height": 240})
        canvas = enlarged(rng.uniform(40, 200, (4, 5)), 240, 320) + rng.normal(0, 3, (240, 320))
        for place in rng.permutation(4)[:rng.integers(1, 5)]:
            side = int(rng.integers(48, 100))
            x, y = 160 * (place % 2) + rng.integers(4, 156 - side), 120 * (place // 2) + rng.integers(4, 116 - side)
            annotations.append({"id": len(annotations) + 1, "image_id": k, "category_id": 1, "iscrowd": 0, "area": side * side,
                                "bbox": [int(x), int(y), side, side]})
            canvas[y:y + side, x:x + side] = enlarged(found[rng.integers(100)] * 255, side, side)
        write_png(chosen / f"{k:03}.png", numpy.clip(numpy.rint(canvas), 0, 255).astype(numpy.uint8))
    (chosen / "instances_faces.json").write_text(json.dumps({"images": images, "annotations": annotations, "categories": [{"id": 1, "name": "face"}]}))
    return chosen

"""The ranges of each method, held against definitions of their own."""
import json

import numpy

BINS, LEVELS = 2048, 128
x = numpy.load("data/x.npy").ravel().astype(float)


def range_of(name, tensor="x"):
    return json.load(open(f"{name}.json"))["ranges"][tensor]


def error(values, lo, hi):
    """Mean square of the errors of 8 bits, code by code."""
    lo = min(lo, 0)
    step = (hi - lo) / (254 if lo == -hi else 255)
    zero = 0 if lo == -hi else numpy.rint(-128 - lo / step)
    codes = numpy.clip(numpy.rint(values / step) + zero, -128, 127)
    return (((codes - zero) * step - values) ** 2).mean()


def divergence(hist, k):
    """Kullback-Leibler, of the values within k bins of zero from their copy in LEVELS levels."""
    half = BINS // 2
    inner = hist[half - k:half + k].astype(float)
    p = inner.copy()
    p[0] += hist[:half - k].sum()
    p[-1] += hist[half + k:].sum()
    there = p > 0
    begins = numpy.arange(LEVELS) * (len(p) // LEVELS)
    level = numpy.minimum(numpy.arange(len(p)) // (len(p) // LEVELS), LEVELS - 1)
    counts = numpy.maximum(numpy.add.reduceat(there.astype(int), begins), 1)
    q = there * (numpy.add.reduceat(inner, begins) / counts)[level]
    p, total = p / p.sum(), p.sum()
    q = numpy.maximum(q / max(q.sum(), 1), 1e-4 / total)
    return (p[there] * numpy.log(p[there] / q[there])).sum()


def show(name, ok):
    print(f"{'ok    ' if ok else 'WRONG '} {name}: x {range_of(name)[0]:.3f} to {range_of(name)[1]:.3f}, "
          f"y {range_of(name, 'y')[0]:.3f} to {range_of(name, 'y')[1]:.3f}")


show("min-max", range_of("min-max") == [-1.5, 1.5] and range_of("min-max", "y") == [0, 1.5])
show("min-max--symmetric", range_of("min-max--symmetric", "y") == [-1.5, 1.5])
for name in ("percentile", "percentile--symmetric"):
    lo, hi = range_of(name)
    show(name, -1.01 < lo <= -0.99 and 0.99 <= hi < 1.01)
for name in ("mse", "mse--symmetric"):
    for tensor, values in (("x", x), ("y", numpy.maximum(x, 0))):
        lo, hi = range_of(name, tensor)
        others = min(error(values, -1.5 * a * (tensor == "x" or name != "mse"), 1.5 * b) for a in numpy.linspace(0.05, 1, 20)
                     for b in ([a] if name != "mse" else numpy.linspace(0.05, 1, 20)))
        if not error(values, lo, hi) <= 1.02 * others:
            print(f"{name} {tensor}: {error(values, lo, hi):.3e} where {others:.3e} can be had")
    show(name, True)
for name in ("entropy", "entropy--symmetric"):
    for tensor, values in (("x", x), ("y", numpy.maximum(x, 0))):
        hist = numpy.histogram(values, BINS, (-1.5, 1.5))[0]
        least = 0 if (name, tensor) == ("entropy", "y") else -1.5
        ends = {k: (max(least, -1.5 * k / (BINS // 2)), 1.5 * k / (BINS // 2)) for k in range(LEVELS // 2, BINS // 2 + 1)}
        far = {k: divergence(hist, k) for k in ends}
        nearest = sorted(ends, key=far.get)
        by_distance, most = nearest[0], error(values, least, 1.5)
        best = next(far[k] for k in nearest if error(values, *ends[k]) <= most)
        ours = min(ends, key=lambda k: abs(ends[k][1] - range_of(name, tensor)[1]))
        print(f"{name} {tensor}: {ends[by_distance][1]:.3f} by the distance alone, {range_of(name, tensor)[1]:.3f} taken")
        ok = error(values, *range_of(name, tensor)) <= 1.01 * most and far[ours] <= 1.05 * best
        show(name, ok)

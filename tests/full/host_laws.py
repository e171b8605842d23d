"""Fits laws of float operators on one core to host_operators.csv, and prints them as rows of the target and of the silicon.

A row is for operators that do alike.  Of each row some forms are tried, and the form counts that is best on shapes left out of
its fit (a fifth at a time).  A fit minimizes the mean of |ln(predicted / measured)| with figures that are not negative.  An
interval has what 90 % of those errors leave open, and a factor of two on either side: the host is another processor than the
one that was measured.  A call takes 1.5 us at least, as that of the fastest operators, and may take up to 20 us, as those of
the runtime's own operators do.
"""
import collections
import csv
import itertools
import math
import random

import numpy

FOLDS, STARTS, STEPS = 5, 25, 6
OTHER_HOST, CALL_LEAST, CALL_HI = 2, 1500, 20000
UNITS = {"element": "elements", "byte-in": "bytes_in", "byte-out": "bytes_out", "mac": "macs", "weight-byte": "weight_bytes",
         "gathered-byte": "gathered_bytes", "row": "rows"}
# Operators of a row: measured ones; after "+" others that the same code computes.  Then the forms.
ROWS = """
Relu Abs Neg Clip + ThresholdedRelu | element
HardSigmoid Exp BatchNormalization | element
Reciprocal Softsign Round LeakyRelu | element
Sigmoid Tanh Floor Ceil Sqrt HardSwish Pow | element
Erf Gelu | element
Log Elu Sin Cos + Selu Celu | element
Softplus Mish | element
Add Sub Mul + Sum | byte, element
Min Max Div | byte, element
Greater Equal + Less GreaterOrEqual LessOrEqual | byte-out, element
Where | element
PRelu | element
Cast | byte, element
Softmax LogSoftmax | element
SoftmaxAcross LogSoftmaxAcross | element
LayerNormalization | element
InstanceNormalization | element, element weight-byte
MeanVarianceNormalization | element
GroupNormalization | element
LRN | element
LpNormalization | element
LpNormalizationAcross | element
MaxPool | byte-out, gathered-byte, byte-out gathered-byte, byte-in byte-out gathered-byte
AveragePool | gathered-byte, byte-out
GlobalAveragePool GlobalMaxPool | element
ReduceMean ReduceSum ReduceMax ReduceMin + ReduceProd ReduceL1 | element, element byte-out
ReduceMeanAcross ReduceSumAcross ReduceMaxAcross ReduceMinAcross + ReduceProdAcross ReduceL1Across | element
ReduceL2 + ReduceSumSquare | element
ReduceL2Across + ReduceSumSquareAcross | element
ArgMax + ArgMin | element
ArgMaxAcross + ArgMinAcross | element
TopK | element, byte-in byte-out
Transpose | element
TransposeRows | element, element row
Concat | element, element row
Split | element, element row
Slice | byte-out, byte-out row
Pad | byte-out, byte-out row
Gather | byte-out, byte-out row
GatherElements | byte-out
GatherND | byte-out
ScatterND | element
Expand | byte-out
Tile | byte-out, byte-out row
DepthToSpace | element
SpaceToDepth | element, element row
CumSumAcross + CumSum | element
MatMul | mac, mac byte-out
Gemm | mac, mac weight-byte
Einsum | mac
LSTM GRU + RNN | mac
Conv | mac, mac gathered-byte, mac gathered-byte byte weight-byte
DepthwiseConv | mac, mac byte-in
ConvTranspose | mac, mac gathered-byte weight-byte
ResizeNearest | element
ResizeTwice | element, element row
ResizeLinear | element
ResizeCubic | element
GridSample | byte-out
"""
VIEWS = "Reshape Flatten Unsqueeze + Squeeze Identity Dropout"
PRINTED = {"ResizeNearest": "Resize Upsample"}


def read(table, part):
    """{law: rows with numbers}."""
    found = collections.defaultdict(list)
    for r in csv.DictReader(table.open()):
        if r["set"] == part:
            x = {unit: float(r[column]) for unit, column in UNITS.items()}
            found[r["law"]].append({**x, "byte": x["byte-in"] + x["byte-out"], "ns": float(r["ns"]),
                                    "line": sum(math.ceil(x[u] / 64) for u in ("byte-in", "byte-out", "weight-byte", "gathered-byte")),
                                    "out_line": math.ceil(x["byte-out"] / 64)})
    return found


def errors(a, t, x):
    return numpy.log((CALL_LEAST + a @ x) / t)


def not_negative(a, b):
    """Least squares over all sets of columns that get no figure below 0."""
    best, x = None, numpy.zeros(a.shape[1])
    for count in range(1, a.shape[1] + 1):
        for chosen in itertools.combinations(range(a.shape[1]), count):
            c = numpy.linalg.lstsq(a[:, chosen], b, rcond=None)[0]
            left = ((a[:, chosen] @ c - b) ** 2).sum()
            if (c >= 0).all() and (best is None or left < best * (1 - 1e-9)):
                best, x = left, numpy.zeros(a.shape[1])
                x[list(chosen)] = c
    return x


def solve(a, t):
    """From several starts: all points, or as few as decide the figures; then points count less, the further off they are."""
    scale = numpy.abs(a).max(0)
    scale[scale == 0] = 1
    a, pick, best = a / scale, random.Random(1), (math.inf, None)
    for start in range(STARTS):
        chosen = pick.sample(range(len(t)), min(len(t), a.shape[1] + 2)) if start else list(range(len(t)))
        x = not_negative(a[chosen] / t[chosen, None], 1 - CALL_LEAST / t[chosen])
        for _ in range(STEPS):
            off = numpy.abs(errors(a, t, x))
            best = min(best, (off.mean(), x), key=lambda b: b[0])
            middle = numpy.sqrt(t * (CALL_LEAST + a @ x) * numpy.maximum(off, 0.02))
            x = not_negative(a / middle[:, None], (t - CALL_LEAST) / middle)
    return best[1] / scale


def design(rows, units):
    return numpy.array([[1.0] + [x[u] for u in units] for x in rows]), numpy.array([x["ns"] for x in rows])


def left_out(rows, units):
    a, t = design(rows, units)
    off = numpy.zeros(len(rows))
    for fold in range(FOLDS):
        out = numpy.arange(len(rows)) % FOLDS == fold
        off[out] = errors(a[out], t[out], solve(a[~out], t[~out]))
    return off


def fit(measured, forms):
    """(units, figures, errors on shapes left out) of the best form; the first unless another is better by a tenth."""
    best = None
    for units in forms:
        off = left_out(measured, units)
        if best is None or numpy.abs(off).mean() < 0.9 * numpy.abs(best[1]).mean():
            best = units, off
    return best[0], whole(solve(*design(measured, best[0]))), best[1]


def whole(x):
    return numpy.array([x[0] + CALL_LEAST, *x[1:]])


def table_rows(found):
    for line in ROWS.strip().split("\n"):
        names, forms = line.split("|")
        own, _, more = names.partition("+")
        measured = [x for k in range(max(map(len, found.values()))) for n in own.split() for x in found[n][k:k + 1]]
        yield own.split(), more.split(), [f.split() for f in forms.split(",")], measured


def percent(off, share):
    return f"{100 * math.expm1(numpy.quantile(numpy.abs(off), share)):.0f} %"


def shown(x):
    return f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def interval(name, x, off):
    low, high = math.exp(-numpy.quantile(off, 0.95)), math.exp(-numpy.quantile(off, 0.05))
    return min(1, low) / OTHER_HOST * x, max(1, high) * OTHER_HOST * x


def names_of(own, more):
    return " ".join(PRINTED.get(n, n) for n in [*own, *more])


def target_rows(found):
    call = []
    for own, more, forms, measured in table_rows(found):
        units, x, off = fit(measured, forms)
        call.append(x[0])
        low, high = interval("fixed", x[0], off)
        one, *also = [(u, v, *interval(u, v, off)) for u, v in zip(units, x[1:])]
        source = f"{len(measured)} shapes; left out in turn, half are within {percent(off, 0.5)}, nine in ten within {percent(off, 0.9)}"
        print(f'    <host operators="{names_of(own, more)}" unit="{one[0]}"\n'
              f'          fixed_ns="{shown(x[0])}" fixed_lo="{shown(low)}" fixed_hi="{shown(max(CALL_HI, high))}" per_unit_ns="{shown(one[1])}" '
              f'per_unit_lo="{shown(one[2])}" per_unit_hi="{shown(one[3])}"\n'
              f'          kind="assumed" source="{source}"' + (">" if also else "/>"))
        for unit, v, lo, hi in also:
            print(f'      <also unit="{unit}" per_unit_ns="{shown(v)}" per_unit_lo="{shown(lo)}" per_unit_hi="{shown(hi)}"/>')
        if also:
            print("    </host>")
    own, _, more = VIEWS.partition("+")
    alone = numpy.median([x["ns"] for n in own.split() for x in found[n]])
    call = numpy.median(call)
    print(f'    <host operators="{names_of(own.split(), more.split())}" unit="byte"\n'
          f'          fixed_ns="{shown(call)}" fixed_lo="{shown(call / OTHER_HOST)}" fixed_hi="{CALL_HI}" per_unit_ns="0" per_unit_lo="0" per_unit_hi="0"\n'
          f'          kind="assumed" source="nothing moves: {alone:.0f} ns in a row of them, and the call that the others have"/>')


def is_form(name):
    return name.endswith("Across") or name in ("TransposeRows", "DepthwiseConv", "ResizeLinear", "ResizeCubic", "ResizeTwice")


def silicon_rows(found):
    """Forms come first: of the silicon's rows the first that fits counts."""
    for own, more, _, measured in sorted(table_rows(found), key=lambda row: not is_form(row[0][0])):
        grain = ["element", "line", "out_line", "row", "mac"]
        x = solve(*design(measured, grain))
        off = errors(*design(measured, grain), x)
        x = whole(x)
        parts = "".join(f' {name}_ns="{shown(v)}"' for name, v in zip(grain, x[1:]) if v > 0)
        print(f'  <host op="operator" operators="{names_of(own, more)}" call_us="{shown(x[0] / 1e3)}"{parts} sigma="0.4" kind="assumed"\n'
              f'        source="{len(measured)} shapes, half within {percent(off, 0.5)}"/>')
    own, _, more = VIEWS.partition("+")
    print(f'  <host op="operator" operators="{names_of(own.split(), more.split())}" call_us="1.7" sigma="0.4" kind="assumed"\n'
          f'        source="a call, nothing moves"/>')

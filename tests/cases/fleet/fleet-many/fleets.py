"""Pairs of fleets' files, drawn: fleets.py SCHEMA."""
import math
import pathlib
import random
import sqlite3
import sys

SCHEMA = pathlib.Path(sys.argv[1]).read_text()
HOST = ["Quantize", "Dequantize", "Pad", "한국어 이름 컨볼루션", "a/very/long/operator/name/that/does/not/fit/in/a/column"]


def interval(draw, median, half):
    """Ends of the median's 90 %; now and then none, one alone, or the wrong way round."""
    lo, hi = median * math.exp(-half), median * math.exp(half)
    return draw.choices([(lo, hi), (None, hi), (lo, None), (hi, lo), (median, median), (0.0, hi)], [20, 1, 1, 1, 2, 1])[0]


def write(path, models):
    db = sqlite3.connect(path)
    db.executescript(SCHEMA)
    db.execute("PRAGMA user_version = 1")
    for i, (name, status, error, inferences, predicted, measured, steps, findings) in enumerate(models):
        db.execute("INSERT INTO models(id, model, file, settings, status, error, inferences, predicted_ns, measured_ns) VALUES(?,?,?,'',?,?,?,?,?)",
                   (i, name, name, status, error, inferences, predicted, measured))
        for k, (kind, op, median, lo, hi) in enumerate(steps):
            db.execute("INSERT INTO steps VALUES(?,?,?,?,?,?,?,?)", (i, k, kind, op, median, median, lo, hi))
        for k, (rule, unit, gain) in enumerate(findings):
            db.execute("INSERT INTO findings(model, change, rule_id, unit, gain_mid) VALUES(?,?,?,?,?)", (i, k + 1, rule, unit, gain))
    db.commit()
    db.close()


def steps_of(draw, count, half):
    steps = []
    for _ in range(count):
        kind = draw.choice(["host", "host", "npu", "h2d", "d2h"])
        median = 10 ** draw.uniform(3, 7)
        steps.append((kind, draw.choice(HOST) if kind == "host" else kind, median, *interval(draw, median, half * draw.choice([0.001, 1, 1, 2]))))
    return steps


def later(draw, steps, half, factor):
    """The same steps, each `factor` of its operator times as long, and what chance adds."""
    found = []
    for kind, op, median, _, _ in steps:
        median *= factor.get(op, 1.0) * math.exp(draw.gauss(0, half / 2))
        found.append((kind, op, median, *interval(draw, median, half)))
    return found


def fleets(name, draw, count, most_steps, half, factor):
    old, new = [], []
    for i in range(count):
        model = f"{'set/of models/' * (i % 4)}{i:03d}.onnx"
        steps = steps_of(draw, draw.randrange(most_steps + 1), half)
        row = [model, 0, None, draw.choice([4, 5, 6, 30, 100]), 2e6, sum(s[2] for s in steps) if steps else None, steps,
               [(f"NPU{draw.choice([101, 208, 503])}", draw.choice(["ns", "ns", "per_s"]), draw.choice([-5.0, 0.0, 1e3, 2.5e6])) for _ in range(draw.randrange(3))]]
        twin = [*row]
        twin[4] = row[4] * draw.choice([0.5, 0.985, 0.99, 1.0, 1.01, 1.015, 3.0])
        twin[6] = later(draw, steps, half, factor)
        twin[5] = sum(s[2] for s in twin[6]) if steps else None
        what = draw.randrange(30)
        if what == 0:
            twin[1:3], twin[6] = [2, "holds an operator that nobody knows"], []
        elif what == 1:
            row[1:3], row[6] = [3, "is not ONNX"], []
        elif what == 2:
            row[1] = twin[1] = 2
        elif what == 3:
            twin[1] = 1
        elif what == 4:
            twin[6] = twin[6][:-1]
        elif what == 5:
            twin[4] = None
        elif what == 6:
            row[4] = 0.0
        elif what == 7:
            twin[5] = None
        if what != 8:
            old.append(row)
        if what != 9:
            new.append(twin)
    draw.shuffle(old)
    write(f"{name}.old", old)
    write(f"{name}.new", new)


for seed, (count, most_steps, half, factor) in enumerate([
        (0, 0, 0.1, {}), (1, 1, 0.1, {}), (1, 8, 0.001, {"npu": 1.5}), (4, 2, 0.01, {"npu": 2.0}), (5, 2, 0.01, {"npu": 0.5}), (6, 2, 0.05, {"Quantize": 1.3}),
        (12, 3, 0.2, {"Pad": 3.0, HOST[3]: 0.2}), (30, 4, 0.25, {"Quantize": 0.5, HOST[4]: 1.4}), (40, 1, 0.02, {"npu": 1.1}), (41, 9, 0.003, {"h2d": 1.03, "d2h": 0.97}),
        (90, 6, 0.3, {"Dequantize": 0.9}), (200, 3, 0.1, {"npu": 1.02})]):
    fleets(f"{seed:02d}", random.Random(seed), count, most_steps, half, factor)
# All models slower by the very share from which a prediction counts, one beside it on each side.
write("edge.old", [(f"{i}.onnx", 0, None, None, 1e6, None, [], []) for i in range(6)])
write("edge.new", [(f"{i}.onnx", 0, None, None, ns, None, [], []) for i, ns in enumerate([1009999.0, 1010000.0, 1010001.0, 990001.0, 990000.0, 989999.0])])

"""Fleets' files: what one holds, and two with known figures; twins that are none."""
import json
import math
import pathlib
import re
import sqlite3
import sys


def answer(path, schema):
    said = sqlite3.connect(path)
    written = [row[0] for row in said.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")]
    fresh = sqlite3.connect(":memory:")
    fresh.executescript(pathlib.Path(schema).read_text())
    spaces = lambda text: "\n".join(line.strip() for line in text.splitlines())
    print("as documented:", list(map(spaces, written)) == [spaces(row[0]) for row in fresh.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")],
          "version", said.execute("PRAGMA user_version").fetchone()[0])
    for table in ("models", "steps", "findings"):
        print(table, said.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    print(said.execute("SELECT model, file, settings, status, sdk FROM models WHERE file = 'set/1.onnx'").fetchall())
    print(said.execute("SELECT rule_id, models, unit FROM rules_that_pay").fetchall())
    print(said.execute("SELECT op, models, steps, measured_steps, ns = (SELECT sum(predicted_ns) FROM steps WHERE kind = 'host' AND op = host_operators.op) FROM host_operators").fetchall())
    print(said.execute("SELECT file, old_sdk, new_sdk, new_predicted_ns < old_predicted_ns FROM sdk_updates").fetchall())


def page(path, database):
    """The page says the sums that the views say."""
    text, said = pathlib.Path(path).read_text(), sqlite3.connect(database)

    def rows(section, following):
        part = text[text.index(f'id="{section}"'):text.index(f'id="{following}"') if following else None]
        for row in re.findall(r"<tr>(<th scope=\"row\">.*?)</tr>", part):
            yield [re.search(r'value="([^"]*)"', cell).group(1) if "<data" in cell else re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]

    def same(name, found, wanted):
        wanted = sorted([*map(str, row[:-1]), float(row[-1])] for row in wanted)
        found = sorted([*row[:-1], float(row[-1])] for row in found)
        close = len(found) == len(wanted) > 0 and all(a[:-1] == b[:-1] and math.isclose(a[-1], b[-1], rel_tol=1e-5) for a, b in zip(found, wanted))
        print(name, "as in the file:", close, len(found), "" if close else (found, wanted))
    same("rules", ([r[0], *r[2:]] for r in rows("rules", "host")), said.execute("SELECT rule_id, models, gain_mid FROM rules_that_pay"))
    same("host", (row for row in rows("host", None) if len(row) == 5),
         said.execute("SELECT op, models, steps, measured_steps, ns FROM host_operators"))
    counts = said.execute("SELECT '0.9 → 0.10', count(*), sum(n < .99 * o), sum(n > 1.01 * o), sum(n BETWEEN .99 * o AND 1.01 * o), 0, 0.0 FROM "
                          "(SELECT old_predicted_ns o, new_predicted_ns n FROM sdk_updates WHERE o IS NOT NULL)")
    same("sdks", rows("sdks", "rules"), counts)


def fleet(path, schema, models, findings=()):
    """models: name -> (status, error, inferences, predicted, [(kind, op, median, half width of the logarithm)])."""
    db = sqlite3.connect(path)
    db.executescript(pathlib.Path(schema).read_text())
    db.execute("PRAGMA user_version = 1")
    for i, (name, (status, error, n, predicted, steps)) in enumerate(models.items()):
        db.execute("INSERT INTO models(id, model, file, settings, status, error, inferences, predicted_ns, measured_ns) VALUES(?,?,?,'',?,?,?,?,?)",
                   (i, name, name, status, error, n, predicted, sum(s[2] for s in steps) if steps else None))
        for k, (kind, op, median, half) in enumerate(steps):
            db.execute("INSERT INTO steps VALUES(?,?,?,?,NULL,?,?,?)", (i, k, kind, op, median, median * math.exp(-half), median * math.exp(half)))
    for model, rule, gain in findings:
        rank = db.execute("SELECT count(*) FROM findings WHERE model = ?", (model,)).fetchone()[0] + 1
        db.execute("INSERT INTO findings(model, change, rule_id, unit, gain_mid) VALUES(?,?,?,'ns',?)", (model, rank, rule, gain))
    db.commit()
    db.close()


def make(schema):
    old = {
        "a-slower.onnx": (0, None, 100, 2e6, [("npu", "npu", 1e6, 0), ("host", "Quantize", 1e5, 0.1)]),
        "b-noise.onnx": (0, None, 100, 2e6, [("host", "Quantize", 1e5, 0.1)]),
        "c-mixed.onnx": (0, None, 100, 2e6, [("npu", "npu", 1e6, 0), ("npu", "npu", 1e6, 0)]),
        "c-twice.onnx": (0, None, 100, 2e6, [("host", "Quantize", 1e5, 0.1)]),
        "d-few.onnx": (0, None, 4, 2e6, [("npu", "npu", 1e6, 0)]),
        "e-predicted.onnx": (0, None, None, 2e6, []),
        "f-nearly.onnx": (0, None, None, 2e6, []),
        "g-broken.onnx": (0, None, None, 2e6, []),
        "h-repaired.onnx": (2, "is not ONNX", None, None, []),
        "i-other-program.onnx": (0, None, 100, 2e6, [("npu", "npu", 1e6, 0)]),
        "j-gone.onnx": (0, None, None, 2e6, []),
    }
    new = {
        "a-slower.onnx": (0, None, 100, 2e6, [("npu", "npu", 1.05e6, 0), ("host", "Quantize", 1e5, 0.1)]),
        "b-noise.onnx": (0, None, 100, 2e6, [("host", "Quantize", 1.2e5, 0.1)]),
        "c-mixed.onnx": (0, None, 100, 2e6, [("npu", "npu", 1.05e6, 0), ("npu", "npu", 0.95e6, 0)]),
        "c-twice.onnx": (0, None, 100, 2e6, [("host", "Quantize", 2e5, 0.1)]),
        "d-few.onnx": (0, None, 4, 2e6, [("npu", "npu", 2e6, 0)]),
        "e-predicted.onnx": (0, None, None, 1.5e6, []),
        "f-nearly.onnx": (0, None, None, 2.01e6, []),
        "g-broken.onnx": (2, "holds an operator that nobody knows", None, None, []),
        "h-repaired.onnx": (0, None, None, 2e6, []),
        "i-other-program.onnx": (0, None, 100, 2e6, [("npu", "npu", 1e6, 0), ("host", "Concat", 1e6, 0)]),
        "k-added.onnx": (0, None, None, 2e6, []),
    }
    fleet("old.sqlite", schema, old, [(0, "NPU101", 1e6), (0, "NPU101", 5e5), (1, "NPU101", 2e6), (1, "NPU208", 1e5), (1, "NPU503", -5.0)])
    fleet("new.sqlite", schema, new, [(0, "NPU101", 1e6)])
    few = {f"{i}.onnx": (0, None, 100, 2e6, [("host", "Quantize", 1e5, 0.25)]) for i in range(10)}
    fleet("few.sqlite", schema, few)
    few.update({f"{i}.onnx": (0, None, 100, 2e6, [("host", "Quantize", 5e4, 0.25)]) for i in (1, 4, 5, 8)})
    fleet("sdk.sqlite", schema, few)
    fleet("version.sqlite", schema, new)
    db = sqlite3.connect("version.sqlite")
    db.execute("PRAGMA user_version = 7")
    db.commit()
    db = sqlite3.connect("tables.sqlite")
    db.execute("CREATE TABLE models(id)")
    db.execute("PRAGMA user_version = 1")
    db.commit()
    fleet("view.sqlite", schema, new)
    db = sqlite3.connect("view.sqlite")
    db.executescript("DROP VIEW rules_that_pay; DROP VIEW host_operators; DROP VIEW sdk_updates; DROP TABLE steps;"
                     "CREATE VIEW steps AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT 0 model, i step FROM n;")
    db.commit()
    whole = pathlib.Path("new.sqlite").read_bytes()
    pathlib.Path("cut.sqlite").write_bytes(whole[: len(whole) // 2])
    pathlib.Path("text.sqlite").write_text("SQLite format 4")


def chances(path):
    tree = json.loads(pathlib.Path(path).read_text())
    print(tree["kind"], tree["tests"], "steps,", tree["sensitive"], "sensitive")
    for o in tree["operators"]:
        print(o["kind"], o["op"], o["models"], o["steps"], o["slower"], o["faster"], *(f"{o['change'][k]:+.4f}" for k in ("lo", "mid", "hi")), f"{o['chance']:.2g}")
    for model in tree["models"]:
        for step in model["steps"]:
            print(model["model"], step["step"], f"{step['change']:+.3f} {step['chance']:.2g}")


{"answer": answer, "page": page, "make": make, "chances": chances}[sys.argv[1]](*sys.argv[2:])

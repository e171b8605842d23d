"""Results with figures and texts beyond any column: figures.py RESULT.json PREFIX SCHEMA.json"""
import copy
import json
import sys

result, schema = (json.load(open(sys.argv[i])) for i in (1, 3))
KEPT = {"schema_version", "unit_ns", "version", "language", "rank", "ranks", "id", "step_id", "deps"}
MOST = 2**63 - 1024  # the largest whole number that a double and 64 bits hold
words = set()


def enums(o):
    if isinstance(o, dict):
        words.update(x for x in o.get("enum", []) + [o.get("const")] if isinstance(x, str))
        for v in o.values():
            enums(v)
    elif isinstance(o, list):
        for v in o:
            enums(v)


def changed(o, number, text, key=""):
    if key in KEPT:
        return o
    if isinstance(o, dict):
        return {k: changed(v, number, text, k) for k, v in o.items()}
    if isinstance(o, list):
        return [changed(v, number, text, key) for v in o]
    if isinstance(o, str):
        return o if o in words else text(o)
    if isinstance(o, int) and not isinstance(o, bool):  # what the schema has as whole stays so
        return int(max(-MOST, min(MOST, number(o))))
    return number(o) if isinstance(o, float) else o


enums(schema)
same = lambda x: x  # noqa: E731
far = lambda x: (1e300 if x >= 0 else -1e300) + x  # noqa: E731
long = lambda s: s + " 아주 긴 이름" * 90 + s  # noqa: E731
made = {
    "far": changed(result, far, same),
    "back": changed(result, lambda x: -far(x), same),
    "near": changed(result, lambda x: x * 1e-300, same),
    "long": changed(result, same, long),
    "wide": changed(result, lambda x: x * 123456789.0, lambda s: s + "x" * 700),
}
COMBINED = {"rule_ids": [], "ranks": [], "levers": [], "predicted": {"lo": 1e5, "mid": 2e5, "hi": 3e5}, "baseline": 1e6, "verified": None, "sum_of_parts": 2e5, "overlap": 0}
# One to six recommendations that go together, and none; what is said of them has no more room for it.
for n in (0, 1, 2, 3, 6):
    many = copy.deepcopy(result)
    one = (many["recommendations"] or [{}])[0]
    many["recommendations"] = [{**copy.deepcopy(one), "rank": i + 1, "title": f"Change number {i + 1} of them" + " and more" * (i * 20)} for i in range(n)]
    if isinstance(many.get("combined"), dict) or result.get("combined") is None:
        many["combined"] = {**(many["combined"] or COMBINED), "ranks": list(range(1, n + 1))}
    made[f"of{n}"] = many
for name, odd in made.items():
    json.dump(odd, open(f"{sys.argv[2]}.{name}.odd", "w"), ensure_ascii=False)

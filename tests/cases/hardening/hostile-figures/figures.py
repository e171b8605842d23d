"""Results with figures and texts beyond any column: figures.py RESULT.json PREFIX SCHEMA.json"""
import copy
import json
import sys

result, schema = (json.load(open(sys.argv[i])) for i in (1, 3))
KEPT = {"schema_version", "unit_ns", "version", "language", "rank", "ranks", "id", "step_id", "deps"}
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
    return o if o is None or isinstance(o, bool) else number(o)


enums(schema)
same = lambda x: x  # noqa: E731
most = lambda x: 2 ** 53 - 1 if isinstance(x, int) else 1e300  # noqa: E731, of whole numbers what the schema allows
far = lambda x: most(x) if x >= 0 else -most(x)  # noqa: E731
near = lambda x: min(x, 1) if isinstance(x, int) else x * 1e-300  # noqa: E731
wide = lambda x: min(x * 123456789, most(x))  # noqa: E731
long = lambda s: s + " 아주 긴 이름" * 90 + s  # noqa: E731
made = {
    "far": changed(result, far, same),
    "back": changed(result, lambda x: -far(x), same),
    "near": changed(result, near, same),
    "long": changed(result, same, long),
    "wide": changed(result, wide, lambda s: s + "x" * 700),
}
# A plan of one to six changes, and no plan; titles have no more room.
for n in (0, 1, 2, 3, 6):
    many = copy.deepcopy(result)
    if many["plans"]:
        many["changes"] = [{**copy.deepcopy(many["changes"][0]), "id": i + 1, "title": f"Change number {i + 1}" + " and more" * (i * 20)} for i in range(n)]
        row = many["plans"][0]["changes"][0]
        many["plans"] = [{**many["plans"][0], "changes": [{**row, "id": i + 1} for i in range(n)]}] if n else []
    made[f"of{n}"] = many
for name, odd in made.items():
    json.dump(odd, open(f"{sys.argv[2]}.{name}.odd", "w"), ensure_ascii=False)

#!/usr/bin/python3
"""engine_figures.py FIGURES DIR: holds results of engines (DIR/NAME.json) against a table of figures.

A line of FIGURES is  NAME WHAT …  with times in ms, compared to 1e-6 ms:
  count layers|joined|idle|runs N        sum MS            compute MEAN MEDIAN CV_PERCENT N
  reformats N MS SHARE_PERCENT           kind TYPE N MS    (layers of a LayerType)
  slow RANK MS NAME…                     (start of the name; equal times may stand in either order)
  advice RULE PLACES R A                 (- for a figure that is not held; recommended or small)
  union RULE,RULE… A                     (each layer once)
  recommended|small|silent|observed RULE…
  grade X
"""
import json
import sys

TOLERANCE = 1.5  # ns: figures are whole nanoseconds


def near(found, ms):
    return abs(found - float(ms) * 1e6) <= TOLERANCE


class Engine:
    def __init__(self, path):
        self.r = json.load(open(path))
        self.c = self.r["compiled"]
        self.ns = [s["measured_ns"]["mean"] if s["measured_ns"] else None for s in self.r["steps"]]
        self.told = {}
        for x in self.r["by_hand"] + self.r["suppressed"]:
            self.told.setdefault(x["rule_id"], []).append(x)

    def gain(self, rule):
        """(places or None, R, A) of all advice of a rule together."""
        xs = self.told.get(rule, [])
        predicted = [x["alone"]["predicted"] for x in xs]
        return (sum(len(x["occurrences"]) for x in xs) if xs and all(x["occurrences"] for x in xs) else None,
                sum(p["mid"] for p in predicted), sum(p["hi"] for p in predicted)) if xs else None

    def layers(self, rule):
        return {i for x in self.told.get(rule, []) for i in x["alone"]["removes"] + x["alone"]["changes"]}

    def check(self, what, *args):
        return getattr(self, "check_" + what)(*args)

    def check_count(self, key, n):
        found = {"layers": self.c["layers"], "joined": self.c["joined"], "runs": self.c["runs"],
                 "idle": sum(ns == 0 for ns in self.ns)}[key]
        return found == int(n), found

    def check_sum(self, ms):
        return near(self.c["sum_ns"], ms), self.c["sum_ns"]

    def check_compute(self, *args):
        s = self.c["stages"]["compute"]
        if args == ("none",):
            return s is None, s
        return bool(s) and near(s["mean"], args[0]) and near(s["median"], args[1]) and \
            f"{s['cv'] * 100:.2f}" == args[2] and (args[3] == "-" or s["n"] == int(args[3])), s

    def check_reformats(self, n, ms, share):
        x = self.c["reformats"]
        return x["layers"] == int(n) and near(x["ns"], ms) and f"{x['share'] * 100:.2f}" == share, x

    def check_kind(self, kind, n, ms):
        found = [ns for s, ns in zip(self.r["steps"], self.ns) if s["op"] == kind]
        # each layer is a whole nanosecond: a sum of n may be n / 2 off
        return len(found) == int(n) and abs(sum(found) - float(ms) * 1e6) <= 1 + len(found) / 2, (len(found), sum(found))

    def check_slow(self, rank, ms, *name):
        order = sorted(range(len(self.ns)), key=lambda i: -(self.ns[i] or 0))
        i = order[int(rank) - 1]
        names = [self.r["steps"][k]["layer"]["name"] for k in order if self.ns[k] == self.ns[i]]
        digits = len(ms.split(".")[1])
        return f"{self.ns[i] / 1e6:.{digits}f}" == ms and any(n.startswith(" ".join(name)) for n in names), (self.ns[i], names)

    def check_advice(self, rule, places, r, a):
        found = self.gain(rule)
        return bool(found) and (places == "-" or found[0] in (int(places), None)) and \
            (r == "-" or near(found[1], r)) and (a == "-" or near(found[2], a)), found

    def check_union(self, rules, ms):
        found = sum(self.ns[i] for i in set().union(*(self.layers(r) for r in rules.split(","))))
        return near(found, ms), found

    def check_recommended(self, *rules):
        found = [x["rule_id"] for x in self.r["by_hand"]]
        return all(r in found for r in rules), found

    def check_small(self, *rules):
        found = [x["rule_id"] for x in self.r["suppressed"] if x["reason"] == "small"]
        return all(r in found for r in rules), found

    def check_observed(self, *rules):
        found = [x["rule_id"] for x in self.r["observations"]]
        return all(r in found for r in rules), found

    def check_silent(self, *rules):
        found = [r for r in rules if r in self.told]
        return not found, found

    def check_first(self, rule):
        found = self.r["by_hand"][0]["rule_id"]
        return found == rule, found

    def check_grade(self, letter):
        return self.r["evidence"]["grade"] == letter, self.r["evidence"]["grade"]


def main():
    engines, bad, n = {}, 0, 0
    for line in open(sys.argv[1]):
        words = line.split("#")[0].split() if not line.startswith("#") else []
        if not words:
            continue
        name, what, *args = words
        if name not in engines:
            engines[name] = Engine(f"{sys.argv[2]}/{name}.json")
        good, found = engines[name].check(what, *args)
        n += 1
        if not good:
            bad += 1
            print(f"{line.strip()}: found {found}")
    print(f"{len(engines)} engines, {n} figures, {bad} differ")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""engine_pairs.py DIR BEFORE:AFTER:RULE…: what was advised of an engine, against the engine that was built next.

Prints one line per pair: measured times before and after, the real gain, and what the first advice and all
together said at most.  A pair fails where the real gain does not lie between 0 and the most that all advice together
says, or the first advice is none of RULE (separated by "|"): what the second engine carried out.
"""
import json
import sys


def load(name):
    r = json.load(open(f"{sys.argv[1]}/{name}.json"))
    return r, r["compiled"]["sum_ns"], r["compiled"]["stages"]["compute"]["mean"]


def main():
    bad = 0
    print("before    after     layers ms           gain   compute ms          gain   first   at most  all at most")
    for pair in sys.argv[2:]:
        before, after, rules = pair.split(":")
        (r, sum_0, compute_0), (_, sum_1, compute_1) = load(before), load(after)
        first = r["by_hand"][0]
        steps = {i for x in r["by_hand"] for i in x["alone"]["removes"] + x["alone"]["changes"]}
        most = sum(r["steps"][i]["measured_ns"]["mean"] for i in steps)
        good = all(0 <= g <= most for g in (sum_0 - sum_1, compute_0 - compute_1)) and first["rule_id"] in rules.split("|")
        bad += not good
        ms = [x / 1e6 for x in (sum_0, sum_1, sum_0 - sum_1, compute_0, compute_1, compute_0 - compute_1,
                                first["alone"]["predicted"]["hi"], most)]
        print("{:9} {:9} {:.3f} to {:.3f}  {:.3f}   {:.3f} to {:.3f}  {:.3f}  {}  {:.3f}    {:.3f}{}".format(
            before, after, *ms[:6], first["rule_id"], *ms[6:], "" if good else "  WRONG"))
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()

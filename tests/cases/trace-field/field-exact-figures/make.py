"""Writes one small trace per kind of figure that a second reading of the public traces found wrong."""
import json


def event(phase, ts, name=None, **more):
    return {"ph": phase, "ts": ts, "pid": 1, "tid": 1, **({"name": name} if name else {}), **more}


def write(path, content):
    with open(path, "w") as out:
        json.dump(content, out)


# Durations of 20, 40 and 80 ns: 1.9 of the two steps up is 40 + 0.9 x 40 = 76.
write("percentile.json", [event("X", i, "a", dur=d / 1000) for i, d in enumerate((20, 40, 80))])

# Ends of another name, or of none, close the innermost.
write("renamed.json", [event("B", 0, "outer"), event("B", 1, "inner"), event("E", 2, "renamed"), event("E", 7)])
write("renamed-twice.json", [event("B", 0, "outer"), event("B", 1, "middle"), event("B", 2, "inner"), event("E", 3, "x"),
                             event("E", 5, "y"), event("B", 6, "second"), event("E", 8), event("E", 10)])

# Two runs of nine shapes each, of which the ninth differs; and twice the same nine.
nine = [[[8, 8]] * 8 + [[4, n]] for n in (4, 5, 5)]
write("shapes.json", {"schemaVersion": 1, "traceEvents": [
    event("X", 10 * i, "aten::cat", cat="cpu_op", dur=5, args={"Input Dims": dims}) for i, dims in enumerate(nine[:2])] + [
    event("X", 100 + 10 * i, "aten::stack", cat="cpu_op", dur=4, args={"Input Dims": dims}) for i, dims in enumerate(nine[1:])]})

# As the public ControlNet engine: 810 runs of 4123.79 ns.
write("profile.json", [{"count": 810}, {"name": "cast", "timeMs": 3.34027, "averageMs": 0.00412379, "medianMs": 0.004096, "percentage": 100}])

# A step of 100 us: conv2d 60 us, of which convolution takes 50, of which the launch takes 10.
write("nested.json", {"schemaVersion": 1, "traceEvents": [
    event("X", 0, "ProfilerStep#1", cat="user_annotation", dur=100), event("X", 10, "aten::conv2d", cat="cpu_op", dur=60),
    event("X", 15, "aten::convolution", cat="cpu_op", dur=50), event("X", 20, "cudaLaunchKernel", cat="cuda_runtime", dur=10)]})

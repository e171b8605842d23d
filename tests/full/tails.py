#!/usr/bin/python3
"""What the application's share of a plan comes to: the tails of at least twenty cuts, and four decoders.

  tests/full/tails.py [--build DIR] [--only TEXT] [MODEL]...

`application_ns.hi` of a plan that cuts a graph is all of tail.onnx on one thread: it is held against ONNX Runtime on one
thread, processor time, the least of blocks of calls.  Right within a factor of two.  The models are detectors and classifiers of
make_networks.py, fixed before the first run, and those given.  `application_ns.mid` is held against a C decoder of each
kind of head, with a threshold that twenty boxes pass; the outputs are those of the plan's bundle: codes where it returns codes.
A decoder takes the best class of every anchor, times the objectness where a head has one, and decodes and joins the boxes that
pass.  Right within a factor of three.  A decoder that looks at no class where the objectness alone is below the threshold is
printed beside it: it takes less, and the design's lower end, one pass over everything, does not reach down to it.  Status 1 where one is further off; 77 without onnxruntime.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCKS, BLOCK_NS = 12, 2e7
NETWORKS = [f"yolov5{n} --heads decoded" for n in ("n", "s", "m", "n6", "s6")] + [
    f"yolov5{n} --heads decoded --size {size}" for n, size in (("n", 320), ("s", 416), ("m", 512), ("l", 640))] + [
    f"yolov8{n} --heads decoded --dtype fp32" for n in ("n", "s")] + [
    f"yolov8{n} --heads decoded --size {size}" for n, size in (("n", 320), ("m", 640))] + [
    f"yolov5{n}u --heads decoded" for n in ("n", "s")] + ["yolov5s --heads decoded --dtype fp32", "yolov5s6 --heads decoded --size 640",
    "ssd_mobilenet --heads decoded", "ssd_mobilenet --heads decoded --dtype fp32", "ssd_resnet34 --heads decoded",
    "yolov5m6 --heads decoded", "yolov5su --heads decoded --dtype fp32"] + [
    f"yolov8{n} --heads decoded --dtype fp32 --size {size}" for n, size in (("n", 320), ("n", 416), ("n", 512), ("s", 416), ("m", 640), ("l", 640))]
DECODERS = [("yolov5s --heads decoded", "v5"), ("yolov8n --heads decoded", "v8"), ("ssd_mobilenet --heads decoded", "ssd")]


def network(flags, folder):
    more = [] if "--dtype" in flags else ["--dtype", "qdq"]
    done = subprocess.run([ROOT / "tests/networks/make_networks.py", *flags.split(), *more, "--weights", "real", "--no-check", "-o", folder],
                          capture_output=True, text=True)
    return next(pathlib.Path(folder).glob("*.onnx"), None) if done.returncode == 0 else None


def bundle(build, model, folder, cut_only):
    """(plan, folder) of the plan with new outputs."""
    result = folder / "r.json"
    subprocess.run([build / "npu-advise", model, "-q", "--json", result], capture_output=True)
    told = json.loads(result.read_text()) if result.exists() else {"plans": []}
    for plan in reversed(told["plans"]):
        cuts = any(x["lever"] == "cut-tail" for x in plan["levers"])
        if plan["route"] != "retrain" and plan["application_ns"]["hi"] > 0 and (cuts or not cut_only):
            out = folder / "bundle"
            done = subprocess.run([build / "npu-advise", "apply", model, "-q", "--result", result, "--plan", plan["id"], "--output", out],
                                  capture_output=True, text=True)
            return (plan, out) if done.returncode == 0 else (None, done.stderr.strip())
    return None, "no plan hands work over"


def processor_ns(call):
    call()
    n, best = 1, float("inf")
    while n < 1 << 20:
        start = time.process_time_ns()
        for _ in range(n):
            call()
        took = time.process_time_ns() - start
        if took > BLOCK_NS:
            break
        n *= 2
    for _ in range(BLOCKS):
        start = time.process_time_ns()
        for _ in range(n):
            call()
        best = min(best, (time.process_time_ns() - start) / n)
    return best


def tail_ns(path, ort):
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = ort.InferenceSession(str(path), options, ["CPUExecutionProvider"])
    numbers, feeds = numpy.random.default_rng(1), {}
    for x in session.get_inputs():
        kind = {"tensor(float)": "float32", "tensor(uint8)": "uint8", "tensor(int8)": "int8"}[x.type]
        drawn = numbers.normal(size=x.shape) if kind == "float32" else numbers.integers(0, 100, x.shape)
        feeds[x.name] = drawn.astype(kind)
    return processor_ns(lambda: session.run(None, feeds))


DECODE = r"""
/* A box of 20 among N anchors of a head: outputs as codes, or floats (T), C x N planes or N x C rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
typedef struct { float x, y, w, h, score; int class; } Box;
enum { CLASSES = 80 };
static double now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
static float real(T v) { return (float)v * 0.05f; }
static float sigmoid(float x) { return 1 / (1 + expf(-x)); }
static float overlap(const Box *a, const Box *b)
{
    float w = fminf(a->x + a->w / 2, b->x + b->w / 2) - fmaxf(a->x - a->w / 2, b->x - b->w / 2),
          h = fminf(a->y + a->h / 2, b->y + b->h / 2) - fmaxf(a->y - a->h / 2, b->y - b->h / 2);
    float both = w > 0 && h > 0 ? w * h : 0;
    return both / (a->w * a->h + b->w * b->h - both + 1e-9f);
}
static int decode(const T *p, long n, long step, long next, int values, int first, int objectness, int early, T threshold, Box *box)
{
    int found = 0;
    for (long i = 0; i < n; i++) {
        const T *a = p + i * next;
        if (early && a[4 * step] < threshold)
            continue;
        T best = a[first * step];
        int class = 0;
        for (int c = 1; c < values - first; c++)
            if (a[(first + c) * step] > best) { best = a[(first + c) * step]; class = c; }
        float score = objectness ? (float)best * (float)a[4 * step] : (float)best * (float)threshold;
        if (score < (float)threshold * (float)threshold || found == 300)
            continue;
        box[found++] = (Box){sigmoid(real(a[0])), sigmoid(real(a[step])), expf(real(a[2 * step])), expf(real(a[3 * step])), sigmoid(real(best)), class};
    }
    int kept = 0;
    for (int i = 0; i < found; i++) {
        int k = 0;
        while (k < kept && (box[k].class != box[i].class || overlap(&box[k], &box[i]) < 0.5f)) k++;
        if (k == kept) box[kept++] = box[i];
    }
    return kept;
}
int main(int argc, char **argv)
{
    long n = atol(argv[1]), values = atol(argv[2]), rows = atol(argv[3]), first = atol(argv[4]), objectness = atol(argv[5]), wide = atol(argv[6]), early = atol(argv[7]);
    long step = rows ? 1 : wide, next = rows ? wide : 1, all = rows ? n * wide : values * wide;
    T *p = malloc(sizeof *p * (size_t)all);
    for (long i = 0; i < all; i++) p[i] = (T)(i * 2654435761u % 50);
    for (int b = 0; b < 20; b++) {
        T *a = p + (n / 20 * b + 7) * next;
        a[(objectness ? 4 : first) * step] = 100;
        a[(first + b) * step] = 101;
    }
    Box box[300];
    double best = 1e30;
    int kept = 0;
    for (int r = 0; r < 200; r++) {
        double t = now();
        kept = decode(p, n, step, next, (int)values, (int)first, (int)objectness, (int)early, 90, box);
        t = now() - t;
        if (t < best) best = t;
    }
    printf("%.0f %d\n", best, kept);
    return argc != 8;
}
"""


def decoder(folder, kind):
    (folder / "decode.c").write_text(DECODE)
    subprocess.run(["cc", "-O2", "-DT=" + {"int8": "signed char"}.get(kind, kind), "-o", folder / f"decode-{kind}", folder / "decode.c", "-lm"], check=True)
    return folder / f"decode-{kind}"


HEADS = {"v5": (85, 5, 1), "v8": (84, 4, 0), "ssd": (91, 1, 0), "x": (85, 5, 1)}  # values, where classes begin, objectness


def decode_ns(folder, out, plan, head, early):
    """A head of the bundle's outputs, the sum over levels."""
    values, first, objectness = HEADS[head]
    early = objectness and early
    codes = any(x["lever"] == "output-dtype" for x in plan["levers"])
    program, sum_ns = decoder(folder, "int8" if codes else "float"), 0
    for y in onnx.load(out / "model.onnx", load_external_data=False).graph.output:
        dims = [d.dim_value for d in y.type.tensor_type.shape.dim]
        count = int(numpy.prod(dims))
        if head == "ssd" and count // dims[1] < values:
            continue  # the boxes: looked at only where a score passes
        if len(dims) == 4 and dims[1] % values == 0:  # anchors' channels, planes of a level
            for _ in range(dims[1] // values):
                sum_ns += float(run_decoder(program, dims[2] * dims[3], values, 0, first, objectness, dims[2] * dims[3], early))
        elif dims[-1] < dims[-2]:  # a row for each anchor, padded
            sum_ns += float(run_decoder(program, count // dims[-1], values, 1, first, objectness, dims[-1], early))
        else:
            sum_ns += float(run_decoder(program, min(dims[-1], 8400), values, 0, first, objectness, dims[-1], early))
    return sum_ns


def run_decoder(program, *words):
    told = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=True).stdout.split()
    assert int(told[1]) > 0, "no box passes the threshold"
    return told[0]


def judge(name, what, figure, seen, factor, table):
    off = max(figure / seen, seen / figure)
    print(f"{name}: {what} {figure / 1e3:.1f} us, {seen / 1e3:.1f} us here ({figure / seen:.2f} of it){'' if off <= factor else '  FAR'}", flush=True)
    table.append(off <= factor)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    p.add_argument("--only", default="")
    p.add_argument("model", nargs="*")
    a = p.parse_args()
    try:
        import onnxruntime as ort
    except ImportError:
        print("needs onnxruntime")
        return 77
    build, tails, heads = a.build.resolve(), [], []
    for flags in [*NETWORKS, *a.model]:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            model = pathlib.Path(flags) if flags in a.model else network(flags, folder) if a.only in flags else None
            plan, out = bundle(build, model, folder, True) if model else (None, "left out")
            if plan and (out / "tail.onnx").exists():
                judge(f"{flags} {plan['id']}", "tail", plan["application_ns"]["hi"], tail_ns(out / "tail.onnx", ort), 2, tails)
            elif a.only in flags:
                print(f"{flags}: {out if not plan else 'no tail'}")
    yolox = [(m, "x") for m in a.model if "yolox" in m]
    for flags, head in [*DECODERS, *yolox]:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            model = pathlib.Path(flags) if flags in a.model else network(flags, folder) if a.only in flags else None
            plan, out = bundle(build, model, folder, False) if model else (None, "left out")
            if plan:
                judge(f"{flags} {plan['id']}", "decoder", plan["application_ns"]["mid"], decode_ns(folder, out, plan, head, 0), 3, heads)
                if HEADS[head][2]:
                    print(f"  by objectness alone {decode_ns(folder, out, plan, head, 1) / 1e3:.1f} us")
            elif a.only in flags:
                print(f"{flags}: {out}")
    print(f"{sum(tails)} of {len(tails)} tails within a factor of 2, {sum(heads)} of {len(heads)} decoders within 3")
    return 0 if all(tails + heads) else 1


sys.exit(main())

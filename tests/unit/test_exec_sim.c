/* The simulation as a whole on a hand-built program: conservation, order, workers, queues, seeds.
 */
#include "graph/base/notes.h"
#include "graph/base/xml.h"
#include "npu_exec/sim/real_host.h"
#include "npu_exec/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(bool ok, const char *what)
{
    printf("%s: %s\n", ok ? "ok" : "FAILED", what);
    failures += !ok;
}

static Step host(StepId id, HostOp op, const char *name, DType from, DType to, int64_t elements)
{
    return (Step){.id = id,
                  .kind = STEP_HOST,
                  .host_op = op,
                  .op = name,
                  .from = from,
                  .to = to,
                  .elements = elements,
                  .bytes_in = elements * dtype_bits(from) / 8,
                  .bytes_out = elements * dtype_bits(to) / 8,
                  .known = true};
}

/* Quantize, Lower, h2d, a chain of convolutions, d2h, Unlower, Dequantize. */
static Program *build(Arena *a, const Machine *machine, int pe, uint32_t nconv)
{
    enum { INPUT = 3 * 224 * 224, OUTPUT = 128 * 28 * 28 };
    Program *p = ARENA_NEW(a, Program);
    Model *model = ARENA_NEW(a, Model);
    Graph *graph = ARENA_NEW(a, Graph);
    model->path = "hand-built";
    model->graph = graph;
    *p = (Program){
        .arena = a, .model = model, .machine = machine, .images = 1, .nstep = 7, .ntensor = 2};
    compile_options_init(&p->options);
    p->options.pe = pe;
    p->tensor = ARENA_ARRAY(a, PTensor, 2);
    p->tensor[0] =
        (PTensor){.n = 1, .c = 3, .h = 224, .w = 224, .elements = INPUT, .bytes = 4 * INPUT};
    p->tensor[1] =
        (PTensor){.id = 1, .n = 1, .c = 128, .h = 28, .w = 28, .elements = OUTPUT, .bytes = OUTPUT};
    static const PTensorId in = 0, out = 1;
    p->step = ARENA_ARRAY(a, Step, p->nstep);
    p->step[0] = host(0, HOST_QUANTIZE, "Quantize", DT_FLOAT32, DT_INT8, INPUT);
    p->step[1] = host(1, HOST_LOWER, "Lower", DT_INT8, DT_INT8, INPUT);
    p->step[2] = (Step){
        .id = 2, .kind = STEP_H2D, .op = "h2d", .bytes_in = 4 * INPUT, .bytes_out = 4 * INPUT};
    p->step[3] = (Step){.id = 3,
                        .kind = STEP_NPU,
                        .op = "npu",
                        .nop = nconv,
                        .input = &in,
                        .ninput = 1,
                        .output = &out,
                        .noutput = 1};
    p->step[4] =
        (Step){.id = 4, .kind = STEP_D2H, .op = "d2h", .bytes_in = OUTPUT, .bytes_out = OUTPUT};
    p->step[5] = host(5, HOST_UNLOWER, "Unlower", DT_INT8, DT_INT8, OUTPUT);
    p->step[6] = host(6, HOST_DEQUANTIZE, "Dequantize", DT_INT8, DT_FLOAT32, OUTPUT);
    p->op = ARENA_ARRAY(a, LowOp, nconv);
    p->nop = nconv;
    LowOpId *dep = ARENA_ARRAY(a, LowOpId, nconv);
    for (uint32_t i = 0; i < nconv; i++) {
        dep[i] = i - 1;
        p->op[i] = (LowOp){.id = i,
                           .kind = LOWOP_CONV2D,
                           .step = 3,
                           .n = 1,
                           .c_out = 128,
                           .h_out = 28,
                           .w_out = 28,
                           .c_in = 128,
                           .h_in = 28,
                           .w_in = 28,
                           .kernel_h = 3,
                           .kernel_w = 3,
                           .group = 1,
                           .ninput = 1,
                           .elements_in = OUTPUT,
                           .elements_out = OUTPUT,
                           .bytes_in = OUTPUT,
                           .bytes_out = OUTPUT,
                           .macs = INT64_C(28) * 28 * 128 * 128 * 9,
                           .weight_bytes = 128 * 128 * 9,
                           .tiles = 1 + i % 3,
                           .dep = &dep[i],
                           .ndep = i > 0};
    }
    return p;
}

typedef struct {
    uint64_t count;
    bool nested; /* stages in order and within the inference */
    Ps lane_free[SIM_MAX_DEVICES * 2];
    bool apart;     /* no two tasks at once on one lane */
    bool sums;      /* entries fill the task but for launch and commit */
    Ps gaps, tasks; /* between tasks of lane 0; in tasks of lane 0 */
    const RunPlan *plan;
} Watch;

static int by_begin(const void *pa, const void *pb)
{
    const Ps *x = pa, *y = pb;
    return x[0] < y[0] ? -1 : x[0] > y[0];
}

static Ps spans[100000][2];

static void watch(void *user, const Job *j)
{
    Watch *w = user;
    const RunPlan *p = w->plan;
    for (uint32_t i = 0; i < p->nstage; i++) {
        w->nested &= j->stage_end[i] >= j->stage_begin[i] && j->stage_begin[i] >= j->begin &&
                     j->stage_end[i] <= j->end;
        w->nested &= i == 0 || j->stage_begin[i] >= j->stage_end[i - 1];
    }
    const TaskRun *t = &j->task[0];
    const TaskPlan *plan = p->task[0];
    w->sums &=
        t->retired_at[plan->nentry - 1] <= t->end && t->retired_at[0] >= t->begin + plan->launch;
    for (uint32_t i = 1; i < plan->nentry; i++)
        w->sums &= t->retired_at[i] >= t->retired_at[i - 1];
    if (t->stream == 0) {
        spans[w->count][0] = t->begin;
        spans[w->count][1] = t->end;
        w->count++;
    }
}

/* Tasks of lane 0 apart from each other, and how long it idles between them. */
static void inspect_lane(Watch *w)
{
    qsort(spans, w->count, sizeof spans[0], by_begin);
    w->apart = true;
    for (uint64_t i = 0; i < w->count; i++) {
        w->tasks += spans[i][1] - spans[i][0];
        if (i > 0) {
            w->apart &= spans[i][0] >= spans[i - 1][1];
            w->gaps += spans[i][0] - spans[i - 1][1];
        }
    }
}

typedef struct {
    Arena *a;
    const RunPlan *plan;
} Bench;

static const RunPlan *plan_of(Arena *a, const Silicon *si, const Program *p, Notes *notes)
{
    RunPlan *r = NULL;
    Diag diag;
    if (run_plan(a, si, p, NULL, notes, &r, &diag))
        check(false, diag.text);
    return r;
}

static SimResult run(Bench b, SimOptions o, Watch *w)
{
    Diag diag;
    SimResult r = {0};
    *w = (Watch){.nested = true, .sums = true, .plan = b.plan};
    if (sim_run(b.a, b.plan, &o, &(SimSink){.job = watch, .user = w}, &r, &diag))
        check(false, diag.text);
    inspect_lane(w);
    return r;
}

static void test_one_run(Bench b, SimOptions o, const char *what)
{
    char line[200];
    Watch w;
    SimResult r = run(b, o, &w);
    snprintf(line, sizeof line, "%s: every request comes out once (%llu)", what,
             (unsigned long long)r.completed);
    check(r.submitted == o.runs + o.warmup && r.completed == r.submitted && r.nlatency == o.runs,
          line);
    snprintf(line, sizeof line, "%s: stages in order, within the inference", what);
    check(w.nested, line);
    snprintf(line, sizeof line, "%s: no PE runs two tasks at once", what);
    check(w.apart, line);
    snprintf(line, sizeof line, "%s: entries fill the task but for launch and commit", what);
    check(w.sums, line);
    double sum = 0;
    for (uint64_t i = 0; i < r.nlatency; i++)
        sum += (double)r.latency[i];
    double area = (double)r.in_system;
    snprintf(line, sizeof line, "%s: Little's law, %.4f requests in the system by either count",
             what, area / (double)r.total);
    check(o.warmup > 0 || o.arrivals != ARRIVALS_CLOSED || (area > 0.98 * sum && area < 1.02 * sum),
          line);
}

static void test_forms(Bench b, SimOptions o)
{
    Watch w;
    o.noise = false;
    SimResult x = run(b, o, &w);
    o.recurrence = true;
    SimResult y = run(b, o, &w);
    check(x.total == y.total && memcmp(x.latency, y.latency, x.nlatency * sizeof x.latency[0]) == 0,
          "no noise, one worker: events and recurrence give the same picosecond");
}

static void test_workers(Bench b, SimOptions o, const char *what)
{
    double last = 0;
    bool rising = true;
    for (o.workers = 1; o.workers <= 8; o.workers++) {
        Watch w;
        SimResult r = run(b, o, &w);
        double rate = (double)r.nlatency / (double)r.duration;
        rising &= rate > last * 0.99;
        last = rate;
        if (o.workers == 1)
            check(w.gaps > 10 * w.tasks / 100, "one worker: the NPU idles while the host works");
        if (o.workers == 8 && b.plan->program->options.pe == 2)
            check(w.gaps < w.tasks / 100, "eight workers: tasks are back to back");
    }
    check(rising, what);
}

static void test_seeds(Bench b, SimOptions o)
{
    Watch w;
    SimResult x = run(b, o, &w), y = run(b, o, &w);
    check(memcmp(x.latency, y.latency, x.nlatency * sizeof x.latency[0]) == 0,
          "one seed, the same picoseconds");
    o.seed = 2;
    SimResult z = run(b, o, &w);
    check(memcmp(x.latency, z.latency, x.nlatency * sizeof x.latency[0]) != 0,
          "another seed, others");
    o.noise = false;
    x = run(b, o, &w);
    o.seed = 3;
    y = run(b, o, &w);
    check(memcmp(x.latency, y.latency, x.nlatency * sizeof x.latency[0]) == 0,
          "seeds differ in noise only");
}

static void test_open_loop(Bench b, SimOptions o)
{
    Watch w;
    o.workers = 4;
    o.arrivals = ARRIVALS_POISSON;
    o.interval = 4 * PS_PER_MS;
    test_one_run(b, o, "open loop");
    o.interval = PS_PER_MS / 10;
    o.input_queue = 2;
    SimResult r = run(b, o, &w);
    check(r.completed == o.runs + o.warmup && r.queue_blocked > 0 && r.queue_longest == 2,
          "overload: the bounded queue blocks and loses nothing");
}

/* An application that takes longer per result than the device: its queue fills, workers wait,
 * nothing is lost, and results come at its pace. */
static void test_output_queue(Bench b, SimOptions o)
{
    Watch w;
    o.workers = 4;
    o.warmup = 0;
    o.output_queue = 3;
    o.receive = 5 * PS_PER_MS;
    SimResult r = run(b, o, &w);
    check(r.completed == o.runs && r.output_longest == 3 && r.output_blocked > 0,
          "slow application: the output queue blocks and loses nothing");
    Ps pace = (r.duration - r.latency[0]) / (Ps)(o.runs - 8);
    check(pace > o.receive * 98 / 100 && pace < o.receive * 102 / 100, "and sets the pace");
    o.receive = 1;
    r = run(b, o, &w);
    check(r.output_blocked == 0, "a fast one keeps no worker waiting");
}

static void test_contention(Arena *a, const Silicon *si, const Machine *m, SimOptions o,
                            Notes *notes)
{
    Program *p = build(a, m, 1, 24);
    for (size_t i = 0; i < p->nop; i++)
        p->op[i].spill_bytes = p->op[i].streamed_bytes = p->op[i].weight_bytes;
    Bench b = {a, plan_of(a, si, p, notes)};
    Watch w;
    o.noise = false;
    SimResult one = run(b, o, &w);
    o.workers = 8;
    SimResult many = run(b, o, &w);
    check(many.nstream == 2 && many.stream_busy[0] > 0 && many.stream_busy[1] > 0,
          "two single PEs share the work");
    double alone = (double)(one.stream_busy[0] + one.stream_busy[1]),
           shared = (double)(many.stream_busy[0] + many.stream_busy[1]);
    check(shared > 1.01 * alone, "and wait for each other at the DRAM");
}

/* ---- conversions that are measured, and those that are not ---- */

/* 2 channels of 3 rows and 4 columns, in 2 slices. */
static PTensor small(DType type)
{
    return (PTensor){.dtype = type,
                     .n = 1,
                     .c = 2,
                     .h = 3,
                     .w = 4,
                     .elements = 24,
                     .bytes = 48,
                     .ho = 1,
                     .co = 2,
                     .hi = 3,
                     .ci = 1,
                     .w_padded = 8};
}

/* Whether a step from `in` to `out` is measured. */
static bool is_measured(Arena *a, HostOp op, const PTensor *in, const PTensor *out)
{
    PTensor tensor[] = {*in, *out};
    PTensorId id[] = {0, 1};
    Step s = host(0, op, "by hand", in->dtype, out->dtype, in->elements);
    s.input = &id[0];
    s.output = &id[1];
    s.ninput = s.noutput = 1;
    Program p = {.tensor = tensor, .ntensor = 2, .step = &s, .nstep = 1};
    Stage stage = {.kind = STAGE_HOST, .known = true, .service = -1};
    RunPlan plan = {.program = &p, .stage = &stage, .nstage = 1};
    Notes notes;
    Diag diag;
    notes_init(&notes, a);
    bool ok = real_host_measure(&plan, &notes, &diag) == STATUS_OK &&
              notes.nnote == !stage.measured && (stage.service > 0) == stage.measured;
    check(ok, "a step is measured, or noted");
    return stage.measured;
}

static void test_measured_types(Arena *a)
{
    static const struct {
        HostOp op;
        DType from, to;
        bool can;
    } type[] = {
        {HOST_QUANTIZE, DT_FLOAT32, DT_INT8, true},
        {HOST_QUANTIZE, DT_UINT8, DT_INT8, true},
        {HOST_QUANTIZE, DT_FLOAT16, DT_INT8, false},
        {HOST_QUANTIZE, DT_FLOAT32, DT_INT16, false},
        {HOST_DEQUANTIZE, DT_INT8, DT_FLOAT32, true},
        {HOST_DEQUANTIZE, DT_INT8, DT_UINT8, true},
        {HOST_DEQUANTIZE, DT_INT8, DT_FLOAT16, false},
        {HOST_DEQUANTIZE, DT_INT16, DT_FLOAT32, false},
        {HOST_PAD, DT_INT8, DT_INT8, true},
        {HOST_PAD, DT_FLOAT32, DT_INT8, false},
        {HOST_PAD, DT_INT8, DT_FLOAT32, false},
        {HOST_OPERATOR, DT_INT8, DT_INT8, false},
    };
    for (size_t i = 0; i < sizeof type / sizeof *type; i++) {
        PTensor in = small(type[i].from), out = small(type[i].to);
        check(is_measured(a, type[i].op, &in, &out) == type[i].can, "by type");
    }
}

/* One of its tensors with other sizes, with none, and with slices that do not hold it. */
static void measure_other_sizes(Arena *a, HostOp op, bool of_output)
{
    PTensor in = small(DT_INT8), out = small(DT_INT8), *t = of_output ? &out : &in, was = *t;
    const struct {
        int64_t *at, value;
        bool can;
    } other[] = {
        {&t->n, t->n + 1, false}, {&t->c, t->c + 1, false}, {&t->h, t->h + 1, false},
        {&t->w, t->w + 1, false}, {&t->hi, 0, false},       {&t->ci, 0, false},
        {&t->w_padded, 3, false}, {&t->hi, 2, false},       {&t->w_padded, 4, true},
    };
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        *other[k].at = other[k].value;
        check(is_measured(a, op, &in, &out) == other[k].can, "of another size");
        *t = was;
    }
    for (int slices = 1; slices >= 0; slices--) {
        t->co = slices;
        check(!is_measured(a, op, &in, &out), "of fewer slices of channels");
        *t = was;
    }
    t->ho = 0;
    check(!is_measured(a, op, &in, &out), "of no slice of rows");
}

static void measure_nothing(Arena *a, HostOp op)
{
    PTensor in = small(DT_INT8), out = small(DT_INT8);
    int64_t *size[][2] = {{&in.n, &out.n}, {&in.c, &out.c}, {&in.h, &out.h}, {&in.w, &out.w}};
    in.elements = 0;
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        int64_t was = *size[k][0];
        *size[k][0] = *size[k][1] = 0;
        check(!is_measured(a, op, &in, &out), "of nothing");
        *size[k][0] = *size[k][1] = was;
    }
}

static void test_measured_sizes(Arena *a)
{
    static const HostOp moves[] = {HOST_LOWER, HOST_UNLOWER, HOST_PAD, HOST_SLICE};
    const PTensor one = {.dtype = DT_INT8,
                         .n = 1,
                         .c = 1,
                         .h = 1,
                         .w = 1,
                         .elements = 1,
                         .bytes = 8,
                         .ho = 1,
                         .co = 1,
                         .hi = 1,
                         .ci = 1,
                         .w_padded = 8};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        PTensor in = small(DT_INT8), out = small(DT_INT8), from = one, to = one;
        check(is_measured(a, moves[i], &in, &out), "as it is");
        check(is_measured(a, moves[i], &from, &to), "of one element");
        measure_other_sizes(a, moves[i], false);
        measure_other_sizes(a, moves[i], true);
        measure_nothing(a, moves[i]);
    }
}

int main(void)
{
    xml_startup();
    Arena *a = arena_new(0);
    Diag diag;
    Machine *machine;
    Silicon *si;
    Notes notes;
    notes_init(&notes, a);
    if (machine_load(a, "warboy", &machine, &diag) || silicon_load(a, NULL, machine, &si, &diag)) {
        printf("FAILED: %s\n", diag.text);
        return 1;
    }
    SimOptions o;
    sim_options_init(&o);
    o.runs = 400;
    o.warmup = 20;
    Bench fused = {a, plan_of(a, si, build(a, machine, 2, 200), &notes)};
    Bench single = {a, plan_of(a, si, build(a, machine, 1, 200), &notes)};
    test_one_run(fused, o, "fused");
    test_one_run(single, o, "single");
    SimOptions crowd = o;
    crowd.workers = 12;
    crowd.warmup = 0;
    test_one_run(fused, crowd, "twelve workers");
    test_forms(fused, o);
    test_forms(single, o);
    test_workers(fused, o, "fused: a further worker never lowers the throughput");
    test_workers(single, o, "single: a further worker never lowers the throughput");
    test_seeds(fused, o);
    test_open_loop(fused, o);
    test_output_queue(fused, o);
    test_contention(a, si, machine, o, &notes);
    test_measured_types(a);
    test_measured_sizes(a);
    check(notes.nnote == 0, notes.nnote ? message_format(a, NULL, notes.note[0].said) : "no notes");
    arena_free(a);
    return failures != 0;
}

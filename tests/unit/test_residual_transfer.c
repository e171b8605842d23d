/* Carrying over: what a measured step or operator says about one of another size. */
#include "cost_model/residual_transfer.h"
#include "graph/base/xml.h"
#include "tests/unit/cost_parts.h"

enum { OPS = 3 };

/* A baseline of one step that matters to the check and a task of three Conv2d, and a variant of the
 * same shape with predictions of its own, nothing of which is matched. */
typedef struct {
    Costs *costs;
    Step step[2], other[2];
    LowOp op[OPS], other_op[OPS];
    Program baseline, variant;
    StepPrediction pure_step[2], step_time[2];
    OpPrediction pure_op[OPS], op_time[OPS];
    Prediction pure, time;
    Measured step_measured[2], op_measured[OPS];
    Reconciliation r;
    bool step_matched[2], op_matched[OPS];
} Pair;

static Interval exactly(double ns)
{
    return (Interval){ns, ns, ns};
}

static Pair *pair(Arena *a, Step step)
{
    Pair *x = ARENA_NEW(a, Pair);
    x->costs = load(a);
    x->step[0] = x->other[0] = step;
    x->step[1] = x->other[1] = (Step){.id = 1, .kind = STEP_NPU, .op = "npu", .nop = OPS};
    for (int i = 0; i < OPS; i++)
        x->op[i].kind = x->other_op[i].kind = LOWOP_CONV2D;
    x->baseline =
        (Program){.options = {.sdk = 10}, .step = x->step, .nstep = 2, .op = x->op, .nop = OPS};
    x->variant = x->baseline;
    x->variant.step = x->other;
    x->variant.op = x->other_op;
    x->pure = (Prediction){.step = x->pure_step, .op = x->pure_op};
    x->time = (Prediction){.step = x->step_time, .op = x->op_time};
    x->r = (Reconciliation){.step = x->step_measured, .op = x->op_measured};
    return x;
}

static void carry(Pair *x)
{
    const MeasuredBaseline b = {&x->baseline, &x->pure, &x->r, x->costs};
    residual_transfer_apply(&b, &x->variant, x->step_matched, x->op_matched, &x->time);
}

/* The step is predicted to take `there` in the baseline, measured at `ns`, and predicted to take
 * `here` in the variant: what it is taken to take. */
static double carried_ns(Pair *x, double there, double ns, double here)
{
    x->pure_step[0].total_ns = exactly(there);
    x->step_measured[0] = (Measured){(int64_t)ns, (int64_t)ns, (int64_t)ns, 30, 1};
    x->step_time[0] = (StepPrediction){exactly(here), true, LIMIT_HOST};
    carry(x);
    return x->step_time[0].total_ns.mid;
}

/* The set-up of a transfer is 3 us and may be 1.5 to 60: 7 us too many are its own, and stay the
 * same; of 87 it can be 57, of 5 too few 1.5, and only the rest grows from 13 to 23. */
static void transfer_checks(Arena *a)
{
    Pair *x = pair(a, (Step){.kind = STEP_H2D, .op = "h2d"});
    CHECK_NEAR(carried_ns(x, 13000, 20000, 23000), 30000, 1e-9);
    CHECK_NEAR(carried_ns(x, 13000, 100000, 23000), 57000 + 23000 * 43000 / 13000., 1e-9);
    CHECK_NEAR(carried_ns(x, 13000, 8000, 23000), -1500 + 23000 * 9500 / 13000., 1e-9);
    x->other[0].kind = STEP_D2H; /* the other direction says nothing */
    CHECK(carried_ns(x, 13000, 20000, 23000) == 23000);
    x->other[0].kind = STEP_H2D;
    x->step_matched[0] = true; /* it has a measurement of its own */
    CHECK(carried_ns(x, 13000, 20000, 23000) == 23000);
}

/* Of two reads of 5 us the first takes 20, and the second, of the same request, 6: so 15 and 1 more
 * than the 8 of two larger ones.  Where no second one was measured, the first has to do. */
static void request_checks(Arena *a)
{
    Pair *x = pair(a, (Step){.kind = STEP_D2H, .op = "d2h"});
    x->step[1] = x->other[1] = (Step){.id = 1, .kind = STEP_D2H, .op = "d2h"};
    x->pure_step[1].total_ns = exactly(5000);
    x->step_measured[1] = (Measured){6000, 6000, 6000, 30, 1};
    x->step_time[1] = (StepPrediction){exactly(8000), true, LIMIT_PCIE};
    CHECK_NEAR(carried_ns(x, 5000, 20000, 8000), 23000, 1e-9);
    CHECK_NEAR(x->step_time[1].total_ns.mid, 9000, 1e-9);
    x->step_measured[1].count = 0;
    x->step_time[1].total_ns = exactly(8000);
    CHECK_NEAR(carried_ns(x, 5000, 20000, 8000), 23000, 1e-9);
    CHECK_NEAR(x->step_time[1].total_ns.mid, 23000, 1e-9);
}

/* Lower, half as long again: so is one of three times the size.  Of the ends, those of the
 * measurement grow with it, and the model's own count for the two thirds that were not there. */
static void law_checks(Arena *a)
{
    Pair *x = pair(a, (Step){.kind = STEP_HOST, .host_op = HOST_LOWER, .op = "Lower"});
    x->pure_step[0].total_ns = exactly(100000);
    x->step_measured[0] = (Measured){150000, 140000, 170000, 30, 1};
    x->step_time[0] = (StepPrediction){{240000, 300000, 390000}, true, LIMIT_HOST};
    carry(x);
    Interval t = x->step_time[0].total_ns;
    CHECK_NEAR(t.mid, 450000, 1e-9);
    CHECK_NEAR(t.lo, 450000 - hypot(30000, 60000), 1e-9);
    CHECK_NEAR(t.hi, 450000 + hypot(60000, 90000), 1e-9);
    x->step_time[0] = (StepPrediction){{0, 0, 0}, false, LIMIT_UNKNOWN}; /* nobody knows its cost */
    carry(x);
    CHECK(x->step_time[0].total_ns.mid == 0);
}

static Step dequantize(int64_t elements)
{
    return (Step){.kind = STEP_HOST,
                  .host_op = HOST_DEQUANTIZE,
                  .op = "Dequantize",
                  .from = DT_INT8,
                  .to = DT_FLOAT32,
                  .elements = elements,
                  .bytes_in = elements,
                  .bytes_out = 4 * elements};
}

/* A Dequantize of 1 MiB, which the caches hold, takes twice as long as predicted: so do the
 * elements of one of 8 MiB.  Of its price for what is written beyond 1.25 MiB, 0.5 ns for 7,077,888
 * B = 3,538,944 ns of 4 ms, that says nothing. */
static void near_to_far_checks(Arena *a)
{
    Pair *x = pair(a, dequantize(1 << 18));
    x->other[0] = dequantize(1 << 21);
    CHECK_NEAR(carried_ns(x, 200000, 400000, 4000000), 3538944 + 2 * 461056, 1e-9);
    CHECK_NEAR(carried_ns(x, 200000, 100000, 4000000), 3538944 + 0.5 * 461056, 1e-9);
}

/* Where what was measured lies beyond the caches itself, the same share is off as it was: 3,538,944
 * of 4 ms there, 7,733,248 of 8 ms here, of which 7,733,248 - 7,077,888 are more. */
static void far_to_far_checks(Arena *a)
{
    Pair *x = pair(a, dequantize(1 << 21));
    CHECK_NEAR(carried_ns(x, 4000000, 3000000, 4000000), 3000000, 1e-9);
    x->other[0] = dequantize(1 << 22);
    CHECK_NEAR(carried_ns(x, 4000000, 3000000, 8000000), 655360 + 0.75 * 7344640, 1e-9);
}

/* Quantize of 1,000 floats is off by 10 us.  Its call may be off by (45 - 4) / 2 us, its elements
 * by (25 - 14) / 2: a Quantize of uint8 is off by the call's share of the squares.  Not so
 * operators of the model, whose code is another for each type. */
static void call_checks(Arena *a)
{
    Step step = {.kind = STEP_HOST,
                 .host_op = HOST_QUANTIZE,
                 .op = "Quantize",
                 .from = DT_FLOAT32,
                 .to = DT_INT8,
                 .elements = 1000};
    Pair *x = pair(a, step);
    x->other[0].from = DT_UINT8;
    double share = 20.5 * 20.5 / (20.5 * 20.5 + 5.5 * 5.5);
    CHECK_NEAR(carried_ns(x, 39200, 49200, 20210), 20210 + share * 10000, 1e-9);
    CHECK_NEAR(carried_ns(x, 39200, 139200, 20210), 20210 + 25000,
               1e-9); /* no call takes more than 45 */
    CHECK_NEAR(carried_ns(x, 39200, 0.2, 20210), 20210 - 16000, 1e-9); /* nor less than 4 */
    x->other[0].elements = 3000; /* if pixels were as slow: 3 times 49.2 us */
    carried_ns(x, 39200, 49200, 20630);
    x->step[0].host_op = x->other[0].host_op = HOST_OPERATOR;
    CHECK(carried_ns(x, 39200, 49200, 20210) == 20210);
}

/* Where the law may not be off at all, the measurement is another thing's: nothing is carried. */
static void exact_call_checks(Arena *a)
{
    Step step = {.kind = STEP_HOST,
                 .host_op = HOST_QUANTIZE,
                 .op = "Quantize",
                 .from = DT_FLOAT32,
                 .to = DT_INT8,
                 .elements = 1000};
    Pair *x = pair(a, step);
    x->other[0].from = DT_UINT8;
    HostCost *law = (HostCost *)costs_for_host(x->costs, 10, &step);
    law->fixed_ns = exactly(law->fixed_ns.mid);
    law->per_unit_ns = exactly(law->per_unit_ns.mid);
    CHECK(carried_ns(x, 39200, 49200, 20210) == 20210);
    x->step_time[0].total_ns = (Interval){16210, 20210, 30210};
    carry(x);
    Interval t = x->step_time[0].total_ns;
    CHECK(t.lo == 16210 && t.mid == 20210 && t.hi == 30210);
}

/* What the call does not explain is as uncertain as it was; nothing takes less than no time. */
static void call_ends_checks(Arena *a)
{
    Step step = {.kind = STEP_HOST,
                 .host_op = HOST_QUANTIZE,
                 .op = "Quantize",
                 .from = DT_FLOAT32,
                 .to = DT_INT8,
                 .elements = 1000};
    Pair *x = pair(a, step);
    x->other[0].from = DT_UINT8;
    double share = 20.5 * 20.5 / (20.5 * 20.5 + 5.5 * 5.5);
    carried_ns(x, 39200, 49200, 20210);
    x->step_time[0].total_ns = (Interval){16210, 20210, 30210};
    carry(x);
    Interval t = x->step_time[0].total_ns;
    CHECK_NEAR(t.mid, 20210 + share * 10000, 1e-9);
    CHECK_NEAR(t.mid - t.lo, (1 - share) * 4000, 1e-9);
    CHECK_NEAR(t.hi - t.mid, (1 - share) * 10000, 1e-9);
    carried_ns(x, 39200, 0.2, 20210);
    x->step_time[0].total_ns = (Interval){8000, 10000, 15000}; /* 16 us less */
    carry(x);
    t = x->step_time[0].total_ns;
    CHECK(t.lo == 0 && t.mid == 0);
    CHECK_NEAR(t.hi, (1 - share) * 5000, 1e-9);
}

/* Each of three Conv2d: what it is predicted to take in the baseline and in the variant, what the
 * first `n` were measured at, and the bytes of every output. */
typedef struct {
    double there[OPS], ns[OPS], here;
    int n;
    int64_t bytes[2];
    double fixed;
} Ops;

static void ops_took(Pair *x, Ops o)
{
    x->step_time[1].total_ns = exactly(OPS * o.here);
    for (int i = 0; i < OPS; i++) {
        int64_t ns = (int64_t)o.ns[i];
        x->op[i].bytes_out = o.bytes[0];
        x->other_op[i].bytes_out = o.bytes[1];
        x->other_op[i].c_out = 1; /* of another shape */
        x->pure_op[i] = (OpPrediction){.total_ns = exactly(o.there[i]), .fixed_ns = o.fixed};
        x->op_measured[i] = (Measured){ns, ns, ns, i < o.n ? 30 : 0, 1};
        x->op_time[i] =
            (OpPrediction){.total_ns = exactly(o.here), .compute_ns = o.here, .utilisation = 0.6};
    }
    carry(x);
}

static Ops alike(int n, double there, double ns, double here)
{
    return (Ops){{there, there, there}, {ns, ns, ns}, here, n, {0, 0}, 0};
}

/* Predicted to take 1 us each, three Conv2d of three shapes took 1.5, 0.5 and 1: of 8 images, those
 * take as many times as long as predicted.  What is known of a shape says nothing where an operator
 * waits for DRAM and none did, or where nearly all of its time is fixed: then its kind counts,
 * which as a whole is right (3 us in 3). */
static void shape_checks(Arena *a)
{
    static const double ns[OPS] = {1500, 500, 1000};
    Pair *x = pair(a, (Step){.kind = STEP_H2D, .op = "h2d"});
    for (int i = 0; i < OPS; i++) {
        x->op[i].c_in = x->other_op[i].c_in = i + 1;
        x->other_op[i].n = 8;
        x->pure_op[i] = (OpPrediction){.total_ns = exactly(1000)};
        x->op_measured[i] = (Measured){(int64_t)ns[i], (int64_t)ns[i], (int64_t)ns[i], 30, 1};
    }
    enum { KNOWN, WAITS, FIXED, STRANGE, WAYS };
    static const double want[WAYS] = {12000, 8000, 8000, 8000};
    for (int way = 0; way < WAYS; way++) {
        x->pure_op[0].fixed_ns = way == FIXED ? 990 : 0;
        x->other_op[0].c_out = way == STRANGE;
        for (int i = 0; i < OPS; i++)
            x->op_time[i] =
                (OpPrediction){.total_ns = exactly(8000), .dram_ns = way == WAITS && i == 0};
        carry(x);
        CHECK_NEAR(x->op_time[0].total_ns.mid, want[way], 1e-9);
        CHECK_NEAR(x->op_time[1].total_ns.mid, 4000, 1e-9);
    }
}

/* Of one size, a Conv2d's time may be fixed as far as the figure of a fixed time reaches (1.2 us,
 * 1.0 to 1.5): of three of 1 us that take 300 ns more, one of 2 us takes 300 ns more too; and so
 * with two.  What is beyond 1.5 us grows: 4 us measured are (1 + 1.5) * 1.6.  What they take less
 * is no fixed time's, of which none was predicted: all shrink alike. */
static void op_checks(Arena *a)
{
    Pair *x = pair(a, (Step){.kind = STEP_H2D, .op = "h2d"});
    x->op_matched[0] = true;
    ops_took(x, alike(3, 1000, 1300, 2000));
    CHECK(x->op_time[0].total_ns.mid == 2000); /* measured itself */
    CHECK_NEAR(x->op_time[1].total_ns.mid, 2300, 1e-9);
    CHECK_NEAR(x->op_time[1].compute_ns, 2300, 1e-9);
    CHECK_NEAR(x->op_time[1].utilisation, 0.6 / 1.15, 1e-9);
    CHECK_NEAR(x->step_time[1].total_ns.mid, 2000 + 2300 + 2300, 1e-9); /* and so the task */
    ops_took(x, alike(2, 1000, 1300, 2000));
    CHECK_NEAR(x->op_time[2].total_ns.mid, 2300, 1e-9);
    x->op_time[1] = (OpPrediction){.total_ns = exactly(2500), .dram_ns = 500};
    carry(x); /* nobody waited for the DRAM: nothing is known of that */
    CHECK_NEAR(x->op_time[1].total_ns.mid, 2800, 1e-9);
    CHECK_NEAR(x->op_time[1].dram_ns, 500, 1e-9);
    ops_took(x, alike(3, 1000, 4000, 2000));
    CHECK_NEAR(x->op_time[1].total_ns.mid, 1.6 * (2000 + 1500), 1e-9);
    ops_took(x, alike(3, 1000, 400, 2000));
    CHECK_NEAR(x->op_time[1].total_ns.mid, 800, 1e-9);
    ops_took(x, alike(0, 1000, 1300, 2000)); /* none is measured */
    CHECK(x->op_time[1].total_ns.mid == 2000);
}

/* Sizes that differ by more than 4 tell what is the same for each, also beyond the figure's range,
 * but no more than the line through measured over predicted times says: of 2, 6.2 and 10 us for 1,
 * 2 and 8, weighted by 1 / measured^2, the slope is 1.2521 and the rest 0.9893, which is 0.7902 of
 * a predicted us; 18.2 us in all are 11 and 3 * 0.7902 times 1.3612.  What takes seven times as
 * long throughout has no fixed time.  Less by 300 ns each, but at most half of an op. */
static void size_checks(Arena *a)
{
    Pair *x = pair(a, (Step){.kind = STEP_H2D, .op = "h2d"});
    ops_took(x, (Ops){{1000, 2000, 8000}, {2900, 3900, 9900}, 2000, 3, {0, 0}, 0});
    CHECK_NEAR(x->op_time[1].total_ns.mid, 3900, 1e-9);
    ops_took(x, (Ops){{1000, 2000, 8000}, {2000, 6200, 10000}, 2000, 3, {0, 0}, 0});
    CHECK_NEAR(x->op_time[1].total_ns.mid, 1.3612 * (2000 + 790.2), 1e-4);
    ops_took(x, (Ops){{1000, 2000, 8000}, {7000, 14000, 56000}, 2000, 3, {0, 0}, 0});
    CHECK_NEAR(x->op_time[1].total_ns.mid, 14000, 1e-6);
    ops_took(x, (Ops){{1000, 2000, 8000}, {700, 1700, 7700}, 2000, 3, {0, 0}, 0});
    CHECK_NEAR(x->op_time[1].total_ns.mid, 1700, 1e-9);
    ops_took(x, (Ops){{1000, 2000, 8000}, {700, 1700, 7700}, 400, 3, {0, 0}, 0});
    CHECK_NEAR(x->op_time[1].total_ns.mid, 200, 1e-9);
}

/* What has nothing but a fixed time, and takes 4 us to write 1,000 bytes: 1 us is the least that
 * the figure allows, 3 ns a byte the rest; of 2,000 bytes 7 us. */
static void move_checks(Arena *a)
{
    Pair *x = pair(a, (Step){.kind = STEP_H2D, .op = "h2d"});
    Ops o = alike(3, 1000, 4000, 1000);
    o.bytes[0] = 1000;
    o.bytes[1] = 2000;
    o.fixed = 1000;
    ops_took(x, o);
    CHECK_NEAR(x->op_time[1].total_ns.mid, 7000, 1e-9);
}

/* Of three Conv2d one waits for its weights, and the others take what was predicted.  What is the
 * same for all is then nothing; one of 2 us stays so.  Predicted are 50 us of wait and 10 of work,
 * measured 90 in all: of the 30 us more 50^2 / (50^2 + 1^2) are waited for, so the wait is 79.988
 * of 50, the work 10.012 of 10.  One that waits 5 us and works for 4 then takes 7.9988 + 4.0048:
 * not half as long again, as both together do. */
static void wait_checks(Arena *a)
{
    Pair *x = pair(a, (Step){.kind = STEP_H2D, .op = "h2d"});
    ops_took(x, (Ops){{1000, 2000, 60000}, {1000, 2000, 90000}, 2000, 3, {0, 0}, 0});
    CHECK(x->op_time[1].total_ns.mid > 2500); /* as if it did not wait */
    x->pure_op[2].dram_ns = 50000;
    x->op_time[1] = (OpPrediction){.total_ns = exactly(2000)};
    x->op_time[2] = (OpPrediction){.total_ns = exactly(9000), .dram_ns = 5000};
    carry(x);
    CHECK_NEAR(x->op_time[1].total_ns.mid, 2000, 1e-9);
    CHECK_NEAR(x->op_time[2].dram_ns, 7998.80, 1e-5);
    CHECK_NEAR(x->op_time[2].total_ns.mid, 12003.60, 1e-5);
}

/* 100 of 1,000 ns wait: of 500 ns more 100^2 / (100^2 + 90^2) are waited for.  Who waits for half
 * of them, all but a hundredth; less than nothing nobody waits, nor longer than all takes. */
static void share_checks(void)
{
    OpPrediction op = {.total_ns = exactly(1000), .dram_ns = 100};
    CHECK_NEAR(predict_op_wait(&op, 1500), 100 + 500 / 1.81, 1e-9);
    op.dram_ns = 500;
    CHECK_NEAR(predict_op_wait(&op, 1500), 500 + 500 / 1.01, 1e-9);
    CHECK(predict_op_wait(&op, 400) == 0);
    op.dram_ns = 1200; /* the channel is busy with it for longer than it takes */
    CHECK_NEAR(predict_op_wait(&op, 900), 900, 1e-9);
    op.dram_ns = 0;
    CHECK(predict_op_wait(&op, 1500) == 0);
}

/* Convolutions read a megabyte of weights each and take a megabyte's `times` longer than fits: the
 * fit finds the channel slower, and so it is in the mean for maps and other kinds, of which the
 * trace has none.  Where they take less than predicted, it is not faster. */
static void channel_checks(Arena *a)
{
    Costs *c = load(a);
    LowOp op[OPS];
    OpPrediction time[OPS];
    Measured measured[OPS], task = {.count = 30, .median_ns = 0};
    KeyedItem key[OPS] = {{0, 0}, {0, 1}, {0, 2}};
    Step step = {.kind = STEP_NPU, .op = "npu", .nop = OPS};
    Program p = {.machine = &machine, .options = {.pe = 1}, .step = &step, .nstep = 1, .op = op};
    p.nop = OPS;
    Reconciliation r = {.step = &task, .op = measured, .op_by_key = key, .nop_by_key = OPS};
    Costs carried = *c;
    carried.carried = true;
    for (uint32_t i = 0; i < OPS; i++) {
        op[i] = conv_op();
        op[i].id = i;
        op[i].weight_bytes = op[i].streamed_bytes = op[i].spill_bytes = 1000000;
    }
    OpModel m = op_model(&p, &carried);
    for (int slower = 0; slower < 2; slower++) {
        task.median_ns = 0;
        for (uint32_t i = 0; i < OPS; i++) {
            double work[TERM_MAX];
            time[i] = predict_op(&m, &carried, &op[i], work);
            double ns = time[i].total_ns.mid + (slower ? 4 : -0.5) * time[i].dram_ns;
            measured[i] = (Measured){.count = 30, .median_ns = (int64_t)ns};
            task.median_ns += (int64_t)ns;
        }
        const Costs *k = residual_transfer_costs(a, &p, c, &r);
        double weights = k->kind_factor[LOWOP_CONV2D][term(k, "overflow")];
        int read = costs_term_of_form(k, TERM_WEIGHT);
        double each = costs_form_figure(c, TERM_OVERFLOW).mid, once = costs_term_ns(c, read, 1);
        double all = each * weights + once * k->kind_factor[LOWOP_CONV2D][read];
        double others = slower ? all / (each + once) : 1;
        CHECK(slower ? weights > 3 : weights < 0.9);
        CHECK_NEAR(k->kind_factor[LOWOP_CONV2D][term(k, "spill")], others, 1e-9);
        CHECK_NEAR(k->kind_factor[LOWOP_CONCAT][term(k, "spill")], others, 1e-9);
        CHECK(k->kind_factor[LOWOP_CONCAT][term(k, "concat")] == 1); /* no term of the DRAM */
    }
}

/* Convolutions of 16 to 192 input channels, so that products take from a third to four times as
 * long as activations.  Where a trace shows their sum, all of it is kept; where it shows the longer
 * of the two, and in between, that is found.  The products' figure is the data sheet's peak, of
 * which a fit may leave 0.96 (`lo` in the file): where operators take less, the rest is the faster.
 */
static void beside_checks(Arena *a)
{
    enum { LAYERS = 12 };
    Costs carried = *load(a);
    LowOp op[LAYERS];
    Measured measured[LAYERS], task;
    KeyedItem key[LAYERS] = {{0, 0}};
    Step step = {.kind = STEP_NPU, .op = "npu", .nop = LAYERS};
    Program p = {.machine = &machine, .options = {.pe = 1}, .step = &step, .nstep = 1, .op = op};
    Reconciliation r = {.step = &task, .op = measured, .op_by_key = key, .nop_by_key = LAYERS};
    int mac = term(&carried, "mac");
    p.nop = LAYERS;
    carried.carried = true;
    for (uint32_t i = 0; i < LAYERS; i++) {
        op[i] = conv_op();
        op[i].id = i;
        op[i].c_in = 16 * (i + 1);
        op[i].macs = op[i].macs / 64 * op[i].c_in;
    }
    OpModel m = op_model(&p, &carried);
    for (int quarters = 0; quarters <= 4; quarters += 2)
        for (int faster = 0; faster < 2; faster++) {
            task = (Measured){.count = 30};
            carried.activation_beside = quarters / 4.0;
            for (uint32_t i = 0; i < LAYERS; i++) {
                double work[TERM_MAX], ns = predict_op(&m, &carried, &op[i], work).total_ns.mid;
                ns -= faster ? 0.2 * costs_term_ns(&carried, mac, work[mac]) : 0;
                measured[i] = (Measured){.count = 30, .median_ns = (int64_t)ns};
                task.median_ns += (int64_t)ns;
            }
            carried.activation_beside = 0;
            const Costs *k = residual_transfer_costs(a, &p, &carried, &r);
            CHECK(faster || k->activation_beside == quarters / 4.0);
            CHECK(k->kind_factor[LOWOP_CONV2D][mac] >= 0.96 - 1e-9);
            CHECK(faster || about(k->kind_factor[LOWOP_CONV2D][mac], 1, 0.01));
        }
}

int main(void)
{
    xml_startup();
    Arena *a = arena_new(0);
    transfer_checks(a);
    request_checks(a);
    law_checks(a);
    far_to_far_checks(a);
    shape_checks(a);
    near_to_far_checks(a);
    call_checks(a);
    exact_call_checks(a);
    call_ends_checks(a);
    op_checks(a);
    size_checks(a);
    move_checks(a);
    wait_checks(a);
    share_checks();
    channel_checks(a);
    beside_checks(a);
    arena_free(a);
    return check_failures() != 0;
}

/* Residuals: which measured times the cost model cannot explain, and what it takes them for. */
#include "cost_model/reconcile.h"
#include "cost_model/residual.h"
#include "graph/base/xml.h"
#include "tests/unit/cost_parts.h"
#include <string.h>

enum { OPS = 6 };

/* Quantize of 100,000 floats, a transfer, and a task of six Conv2d of 1 ms each; an inference takes
 * 1 ms, so what is less than 20 us off does not matter. */
typedef struct {
    Arena *arena;
    Costs *costs;
    Step step[3];
    LowOp op[OPS];
    Program program;
    StepPrediction step_time[3];
    OpPrediction op_time[OPS];
    Prediction pred;
    Measured step_measured[3], op_measured[OPS];
    Reconciliation r;
    Residual *found;
    size_t count;
} Search;

static Search *search(Arena *a)
{
    Search *s = ARENA_NEW(a, Search);
    s->arena = a;
    s->costs = load(a);
    s->step[0] = (Step){.kind = STEP_HOST,
                        .host_op = HOST_QUANTIZE,
                        .op = "Quantize",
                        .from = DT_FLOAT32,
                        .to = DT_INT8,
                        .elements = 100000};
    s->step[1] = (Step){.id = 1, .kind = STEP_H2D, .op = "h2d"};
    s->step[2] = (Step){.id = 2, .kind = STEP_NPU, .op = "npu", .nop = OPS};
    s->program =
        (Program){.options = {.sdk = 10}, .step = s->step, .nstep = 3, .op = s->op, .nop = OPS};
    s->step_time[0] = (StepPrediction){{1500000, 1940000, 2500000}, true, LIMIT_HOST};
    s->step_time[1] = (StepPrediction){{10000, 20000, 30000}, true, LIMIT_PCIE};
    s->step_time[2] = (StepPrediction){{6e6, 6e6, 6e6}, true, LIMIT_MAC};
    for (int i = 0; i < OPS; i++) {
        s->op[i] = (LowOp){.kind = LOWOP_CONV2D};
        s->op_time[i] = (OpPrediction){.total_ns = {990000, 1000000, 1010000},
                                       .alone_ns = {990000, 1000000, 1010000},
                                       .limit = LIMIT_MAC};
    }
    s->pred = (Prediction){.step = s->step_time, .op = s->op_time};
    s->r = (Reconciliation){
        .step = s->step_measured, .op = s->op_measured, .latency = {.median_ns = 1000000}};
    return s;
}

static void step_took(Search *s, int i, int64_t ns)
{
    s->step_measured[i] = (Measured){ns, ns, ns, 30, 1};
}

static void ops_took(Search *s, const double times[OPS])
{
    for (int i = 0; i < OPS; i++) {
        int64_t ns = (int64_t)(times[i] * s->op_time[i].total_ns.mid);
        s->op_measured[i] = (Measured){ns, ns, ns, 30, 1};
    }
}

static size_t find(Search *s)
{
    s->found = residual_find(s->arena, &s->program, s->costs, &s->pred, &s->r, &s->count);
    return s->count;
}

static bool only(Search *s, ResidualCause cause, bool is_op, uint32_t item)
{
    find(s);
    return s->count == 1 && s->found->cause == cause && s->found->is_op == is_op &&
           s->found->item == item;
}

static void step_checks(Arena *a)
{
    Search *s = search(a);
    CHECK(find(s) == 0); /* nothing is measured */
    step_took(s, 0, 2400000);
    CHECK(find(s) == 0); /* where it is expected */
    step_took(s, 0, 5000000);
    CHECK(only(s, CAUSE_HOST, false, 0));
    s->step_time[0].known = false;
    CHECK(find(s) == 0);
    s->step_time[0].known = true;
    step_took(s, 0, 41000); /* as a Quantize of uint8: 20 us + 0.21 ns each */
    CHECK(only(s, CAUSE_OTHER_TYPE, false, 0) && s->found->from == DT_UINT8 &&
          s->found->to == DT_INT8);
    s->step[0].host_op = HOST_LOWER; /* no conversion of types, whatever laws there are */
    CHECK(only(s, CAUSE_HOST, false, 0));
    s->step[0].host_op = HOST_QUANTIZE;
    s->step_time[0].total_ns = (Interval){900000, 1000000, 1100000};
    step_took(s, 0, 1940000); /* as long as its own law says: it is of no other type */
    CHECK(only(s, CAUSE_HOST, false, 0));
    s->step_time[0].total_ns = (Interval){1500000, 1940000, 2500000};
    step_took(s, 0, 1940000);
    step_took(s, 1, 39000); /* 19 us more: not 2 % */
    CHECK(find(s) == 0);
    step_took(s, 1, 41000);
    CHECK(only(s, CAUSE_LINK, false, 1));
    step_took(s, 0, 900000);
    CHECK(find(s) == 2 && s->found[0].item == 0 && s->found[1].item == 1); /* the larger first */
    step_took(s, 0, 1940000);
    step_took(s, 1, 20000);
    step_took(s, 2, 60000000); /* a task is judged by its operators */
    CHECK(find(s) == 0);
}

static void op_checks(Arena *a)
{
    Search *s = search(a);
    ops_took(s, (double[]){1, 1, 1, 1, 1, 1.09}); /* ln 0.086: as good as the same */
    CHECK(find(s) == 0);
    ops_took(s, (double[]){1, 1, 1, 1, 1, 1.12}); /* ln 0.113 */
    CHECK(only(s, CAUSE_LOWERING, true, 5));
    s->op_time[5].limit = LIMIT_DRAM;
    CHECK(only(s, CAUSE_MEMORY, true, 5));
    ops_took(s, (double[]){1, 1, 1, 1, 1, 0.8}); /* quicker: it did not wait */
    CHECK(only(s, CAUSE_LOWERING, true, 5));
    s->op_time[5].alone_ns.lo = 700000; /* where it is expected */
    CHECK(find(s) == 0);
    s->op_time[5].total_ns = s->op_time[5].alone_ns =
        (Interval){99000, 100000, 101000}; /* 12 us: not 2 % */
    ops_took(s, (double[]){1, 1, 1, 1, 1, 1.12});
    CHECK(find(s) == 0);
    /* ln -0.1, -0.05, 0, 0.05, 0.1 and x: the middle is 0.025, their median distance 0.075, and 3.5
     * times 1.4826 of it 0.389. */
    s = search(a);
    ops_took(s, (double[]){exp(-0.1), exp(-0.05), 1, exp(0.05), exp(0.1), exp(0.40)});
    CHECK(find(s) == 0);
    ops_took(s, (double[]){exp(-0.1), exp(-0.05), 1, exp(0.05), exp(0.1), exp(0.43)});
    CHECK(only(s, CAUSE_LOWERING, true, 5));
    /* Of five, one odd one still stands out; of four nobody can tell. */
    ops_took(s, (double[]){1, 1, 1, 1, 1, 1.5});
    s->op_measured[0].count = 0;
    CHECK(only(s, CAUSE_LOWERING, true, 5));
    s->op[1].kind = LOWOP_POOL;
    CHECK(find(s) == 0);
}

/* The largest difference first; of equal ones the steps, then in the order of the program. */
static void order_checks(Arena *a)
{
    Search *s = search(a);
    ops_took(s, (double[]){1, 1, 1.5, 1, 1, 1.5});
    step_took(s, 0, 2700000);
    step_took(s, 1, 520000);
    CHECK(find(s) == 4);
    CHECK(!s->found[0].is_op && s->found[0].item == 0);
    CHECK(!s->found[1].is_op && s->found[1].item == 1);
    CHECK(s->found[2].is_op && s->found[2].item == 2 && s->found[3].item == 5);
}

/* All six by one factor, which is that of the task. */
static void clock_checks(Arena *a)
{
    Search *s = search(a);
    step_took(s, 2, 7800000);
    ops_took(s, (double[]){1.3, 1.3, 1.3, 1.3, 1.3, 1.3});
    CHECK(only(s, CAUSE_CLOCK, false, 2));
    ops_took(s, (double[]){1.09, 1.09, 1.09, 1.09, 1.09, 1.09}); /* ln 0.086 */
    CHECK(find(s) == 0);
    ops_took(s, (double[]){1.1, 1.2, 1.3, 1.4, 1.5, 1.6}); /* not by one factor */
    CHECK(find(s) == 0);
    ops_took(s, (double[]){0.7, 0.7, 0.7, 0.7, 0.7, 0.7});
    CHECK(only(s, CAUSE_CLOCK, false, 2));
    step_took(s, 2, 6010000); /* the task itself is not off */
    CHECK(find(s) == 0);
    step_took(s, 2, 7800000);
    s->op_measured[0].count = s->op_measured[1].count = 0; /* four of them */
    CHECK(find(s) == 0);
}

static bool says(Search *s, Residual x, const char *text)
{
    x.measured_ns = x.measured_ns > 0 ? x.measured_ns : 2000;
    x.predicted_ns = (Interval){900, 1000, 1100};
    return strstr(message_format(s->arena, NULL, residual_message(s->arena, &s->program, &x)),
                  text) != NULL;
}

static void text_checks(Arena *a)
{
    Search *s = search(a);
    CHECK(says(s, (Residual){.cause = CAUSE_HOST},
               "Quantize took 2.00 µs, predicted 1.00 µs [900 ns, 1.10 µs]: this host is slower"));
    CHECK(says(s, (Residual){.cause = CAUSE_HOST, .measured_ns = 500},
               "took 500 ns, predicted 1.00 µs [900 ns, 1.10 µs]: this host is faster"));
    CHECK(says(s, (Residual){.cause = CAUSE_OTHER_TYPE, .from = DT_UINT8, .to = DT_INT8},
               "uint8 to int8 would take that long"));
    CHECK(says(s, (Residual){.cause = CAUSE_CLOCK, .item = 2},
               "npu took 2.00 µs, predicted 1.00 µs [900 ns, 1.10 µs]: all operators of the NPU"));
    CHECK(says(
        s, (Residual){.cause = CAUSE_MEMORY, .is_op = true},
        "LowLevelConv2d took 2.00 µs, predicted 1.00 µs [900 ns, 1.10 µs]: it waits for DRAM"));
    CHECK(says(s, (Residual){.cause = CAUSE_LINK, .item = 1},
               "h2d took 2.00 µs, predicted 1.00 µs [900 ns, 1.10 µs]: the link"));
    CHECK(says(s, (Residual){.cause = CAUSE_LOWERING, .is_op = true}, "this operator alone"));
    CHECK(!strcmp(residual_cause_key(CAUSE_LOWERING), "lowering") &&
          !strcmp(residual_cause_key(CAUSE_OTHER_TYPE), "other-type"));
}

int main(void)
{
    xml_startup();
    Arena *a = arena_new(0);
    step_checks(a);
    op_checks(a);
    order_checks(a);
    clock_checks(a);
    text_checks(a);
    arena_free(a);
    return check_failures() != 0;
}

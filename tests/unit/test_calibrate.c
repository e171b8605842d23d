/* Calibration: what is fitted, from which spans, and what is kept and why, against calculations by
 * hand. */
#include "cost_model/calibrate.h"
#include "graph/base/xml.h"
#include "tests/unit/cost_parts.h"

#include <string.h>

enum { STEPS = 4, EXECUTIONS = 3 };

/* Quantize of 100,000 floats, 125 kB to the card, one task of a Conv2d, 250 kB back. */
typedef struct {
    LowOp op[2]; /* the second is none of the program's unless a check says so */
    Step step[STEPS];
    Program program;
    ExecutionStat execution[EXECUTIONS];
    TraceStats stats;
    Measured step_measured[STEPS], op_measured[2];
    Reconciliation rec;
} Run;

static Measured took(double ns)
{
    return (Measured){(int64_t)ns, (int64_t)ns, (int64_t)ns, 30, 1};
}

/* Nothing measured yet. */
static Run *run_new(Arena *a)
{
    Run *r = ARENA_NEW(a, Run);
    r->op[0] = conv_op();
    r->step[0] = (Step){.kind = STEP_HOST,
                        .host_op = HOST_QUANTIZE,
                        .op = "Quantize",
                        .from = DT_FLOAT32,
                        .to = DT_INT8,
                        .elements = 100000};
    r->step[1] = (Step){.kind = STEP_H2D, .op = "h2d", .bytes_in = 1, .bytes_out = 125000};
    r->step[2] =
        (Step){.kind = STEP_NPU, .op = "npu", .nop = 1, .bytes_in = 125000, .bytes_out = 250000};
    r->step[3] = (Step){.kind = STEP_D2H, .op = "d2h", .bytes_in = 250000, .bytes_out = 1};
    for (StepId i = 0; i < STEPS; i++) {
        r->step[i].id = i;
        r->step[i].known = true;
    }
    r->program = (Program){
        .machine = &machine, .images = 1, .op = r->op, .nop = 1, .step = r->step, .nstep = STEPS};
    r->program.options = (CompileOptions){.pe = 1, .sdk = 10, .host_cores = 8};
    r->stats.execution = r->execution;
    r->rec = (Reconciliation){
        .stats = &r->stats, .step = r->step_measured, .op = r->op_measured, .inferences = 30};
    return r;
}

static Calibration *fitted(Arena *a, const Costs *c, Run *const *run, size_t n)
{
    CalibrationRun *v = ARENA_ARRAY(a, CalibrationRun, n);
    for (size_t i = 0; i < n; i++)
        v[i] = (CalibrationRun){.program = &run[i]->program, .rec = &run[i]->rec};
    Calibration *cal = NULL;
    Diag diag = {{0}};
    CHECK(calibrate(a, c, v, n, &cal, &diag) == STATUS_OK);
    return cal;
}

static bool is_kept(const CalibratedFigure *f, const char *why)
{
    return f->kept && !strcmp(f->kept, why) && f->value.mid == f->prior && f->spans == 0;
}

static bool is_fitted(const CalibratedFigure *f, double lo, double mid, double hi, size_t spans)
{
    bool ok = !f->kept && f->spans == spans && fabs(f->value.mid - mid) <= 1e-3 * mid &&
              fabs(f->value.lo - lo) <= 1e-3 * mid && fabs(f->value.hi - hi) <= 1e-3 * mid;
    if (!ok)
        printf("  found %g %g %g, %zu spans\n", f->value.lo, f->value.mid, f->value.hi, f->spans);
    return ok;
}

/* Middle deviation from the median, -0.1, 0 and 0.1 off: 0.1 * 1.4826 * 1.645; and the median's
 * own. */
static void check_spread(void)
{
    double even[] = {0.1, -0.1, 0}, off[] = {0.3, 0.1, 0.2}, none[] = {0, 0};
    CHECK_NEAR(calibrate_spread(even, 3), 0.243888, 1e-5);
    CHECK_NEAR(calibrate_spread(off, 3), 0.443888, 1e-5);
    CHECK_NEAR(calibrate_spread(none, 2), 0.03, 1e-9);
}

/* Total - Run of 4 us on average where the file tells Run, less 375,000 bytes at 10.6 ps: 25 ns.
 * A request takes 30 us of what nobody explains; three hand-offs share the rest. */
static void check_runtime(Arena *a)
{
    const Costs *c = load(a);
    Run *run[3] = {run_new(a), run_new(a), run_new(a)};
    const double rest[] = {60000, 66000, 72000};
    for (int k = 0; k < 3; k++) {
        run[k]->step_measured[0] = took(1940000);
        run[k]->rec.unattributed_ns = (int64_t)(rest[k] + 30000);
    }
    run[0]->execution[0] = (ExecutionStat){.has_run = true, .io_wait_ns = 9000};
    run[0]->execution[1] = (ExecutionStat){.has_run = true, .io_wait_ns = 7000};
    run[0]->execution[2] = (ExecutionStat){.io_wait_ns = 900000}; /* nobody told Run: none */
    run[0]->stats.nexecution = 3;
    run[0]->rec.unattributed_ns += 8000;
    const Calibration *cal = fitted(a, c, run, 3);
    double launch = 8000 - c->task_io_ns_per_byte.mid * 375000;
    CHECK(is_fitted(&cal->figure[COST_launch_ns], launch * 0.97, launch, launch * 1.03, 1));
    /* 20, 22 and 24 us: 1/11 about the middle, 1.645 * 1.4826 / 11 = 0.22172 */
    CHECK(is_fitted(&cal->figure[COST_gap_ns], 17122, 22000, 26878, 3));
    run[0]->stats.nexecution = 0;
    run[0]->rec.unattributed_ns = 96000;
    run[1]->rec.inferences = 0; /* shows no inference */
    run[2]->program.nstep = 1;  /* nothing is handed over */
    cal = fitted(a, c, run, 3);
    CHECK(is_kept(&cal->figure[COST_launch_ns], "no task with operators"));
    CHECK(is_fitted(&cal->figure[COST_gap_ns], 22000 * 0.97, 22000, 22000 * 1.03, 1));
    run[0]->rec.inferences = 0;
    cal = fitted(a, c, run, 3);
    CHECK(is_kept(&cal->figure[COST_gap_ns], "no inference"));
}

/* 125 and 250 kB at 12.5 GB/s take 10 and 20 us beside the set-up of 3 us: as the target has it. */
static void check_transfers(Arena *a)
{
    const Costs *c = load(a);
    Run *run = run_new(a);
    run->step_measured[1] = took(c->pcie_ns.mid + 10000);
    run->step_measured[3] = took(c->pcie_ns.mid + 20000);
    const Calibration *cal = fitted(a, c, &run, 1);
    CHECK(is_fitted(&cal->figure[COST_pcie_ns], 2910, 3000, 3090, 2));
    CHECK(is_fitted(&cal->figure[COST_pcie_bytes_per_s], 12.5e9 * 0.97, 12.5e9, 12.5e9 * 1.03, 2));
    /* Half the rate, and the same set-up; a prior of 1 with ten times the error of a row holds back
     * a little. */
    run->step_measured[1] = took(c->pcie_ns.mid + 20000);
    run->step_measured[3] = took(c->pcie_ns.mid + 40000);
    cal = fitted(a, c, &run, 1);
    CHECK_NEAR(cal->figure[COST_pcie_bytes_per_s].value.mid, 6.25e9, 0.04);
    /* 10 MB takes less than 125 kB. */
    run->step[3].bytes_in = 10 << 20;
    run->step_measured[1] = took(9000);
    run->step_measured[3] = took(5000);
    cal = fitted(a, c, &run, 1);
    CHECK(is_kept(&cal->figure[COST_pcie_bytes_per_s], "the spans do not depend on their bytes"));
    /* 3 us x with x / 3 - 1 beyond Huber's 0.15, so 0.15 / 3 = 0.6 (0.6 x - 1) + 0.01 (x - 1). */
    CHECK_NEAR(cal->figure[COST_pcie_ns].value.mid, 3000 * 0.66 / 0.37, 1e-3);
    run->step_measured[1] = run->step_measured[3] = (Measured){0};
    run->step_measured[0] = took(5000);
    cal = fitted(a, c, &run, 1);
    CHECK(is_kept(&cal->figure[COST_pcie_ns], "no transfer span matched"));
    CHECK(is_kept(&cal->figure[COST_pcie_bytes_per_s], "no transfer span matched"));
}

/* One law has spans: twice as long as it says, so half more or so of both its parts. */
static void check_laws(Arena *a)
{
    const Costs *c = load(a);
    Run *run = run_new(a);
    const HostCost *law = costs_for_host(c, 10, &run->step[0]);
    run->step_measured[0] = took(costs_host_ns(law, &run->step[0]).mid);
    const Calibration *cal = fitted(a, c, &run, 1);
    CHECK(cal->nlaw == c->nhost && cal->spans == 1 + 0);
    for (size_t i = 0; i < cal->nlaw; i++) {
        const CalibratedLaw *x = &cal->law[i];
        bool is_it = x->prior == law;
        CHECK(x->spans == (is_it ? 1 : 0) && !x->kept == is_it);
        CHECK(is_it ? x->law.info.kind == KIND_CALIBRATED : !strcmp(x->kept, "no span of it"));
        CHECK_NEAR(x->law.per_unit_ns.mid, x->prior->per_unit_ns.mid, 1e-4);
        CHECK_NEAR(x->law.fixed_ns.hi,
                   x->prior->fixed_ns.mid * (is_it ? 1.03 : 1) +
                       (is_it ? 0 : x->prior->fixed_ns.hi - x->prior->fixed_ns.mid),
                   1e-4);
    }
    run->step_measured[0] = took(2 * costs_host_ns(law, &run->step[0]).mid);
    cal = fitted(a, c, &run, 1);
    const CalibratedLaw *x = &cal->law[law - c->host];
    /* Shares f and g of the prior are f/2 and g/2 of the measured time: what misses is half of it,
     * and of that the prior, ten times as loose as a row, holds back 0.01 / ((f f + g g) / 4 +
     * 0.01). */
    double f = 20000 / 1940000., g = 1 - f, less = 0.5 * 0.01 / ((f * f + g * g) / 4 + 0.01);
    CHECK_NEAR(x->law.fixed_ns.mid + 100000 * x->law.per_unit_ns.mid, 2 * 1940000 * (1 - less),
               1e-4);
}

static double predicted_ns(const Run *run, const Costs *c)
{
    OpModel m = op_model(&run->program, c);
    double work[TERM_MAX];
    return predict_op(&m, c, &run->op[0], work).total_ns.mid;
}

static void measure_task(Run *run, double ns)
{
    run->step_measured[2] = run->op_measured[0] = run->rec.npu = took(ns);
}

/* Two runs whose operator takes twice as long: each is predicted by the other's fit.  Two that
 * contradict each other: either's fit makes the other worse, and nothing is taken. */
static void check_npu(Arena *a)
{
    const Costs *c = load(a);
    Run *run[2] = {run_new(a), run_new(a)};
    double ns = predicted_ns(run[0], c);
    measure_task(run[0], 2 * ns);
    measure_task(run[1], 2 * ns);
    const Calibration *cal = fitted(a, c, run, 2);
    CHECK(!cal->npu_kept && cal->runs == 2);
    CHECK_NEAR(cal->npu_before, 0.5, 1e-4);
    CHECK_NEAR(cal->kinds_before, 0.5, 1e-4);
    /* As for a law, but the op and its task say the same: twice the sum of squares. */
    double work[TERM_MAX], squares = 0;
    OpModel m = op_model(&run[0]->program, c);
    op_work(&m, run[0]->op, work);
    for (int t = 0; t < c->nterm; t++)
        squares += pow(costs_term_ns(c, t, work[t]) / (2 * ns), 2);
    CHECK_NEAR(cal->npu_after, 0.5 * 0.01 / (2 * squares + 0.01), 1e-3);
    CHECK_NEAR(cal->kinds_after, cal->npu_after, 1e-3);
    Costs found = *c; /* the prior holds each factor back a little */
    found.calibration = "found";
    memcpy(found.kind_factor, cal->kind_factor, sizeof found.kind_factor);
    CHECK_NEAR(predicted_ns(run[0], &found), 2 * ns, 0.02);
    CHECK(cal->kind_factor[LOWOP_PAD][term(c, "pad")] == 1 && cal->kind_spans[LOWOP_CONV2D] == 2);
    CHECK(cal->spans == 2 + 4); /* steps that matched, and rows of the fit: an op and a task each */
    CHECK(is_kept(&cal->figure[COST_COUNT + term(c, "mac")], "is scaled per kind of operator"));
    CHECK(cal->figure[COST_residual_conv].spans == 2 && /* and keeps what the target says */
          cal->figure[COST_residual_conv].value.mid == c->residual_conv.mid);
    CHECK(is_kept(&cal->figure[COST_clock_hz],
                  "the spans cannot tell the clock from the array's factor"));
    measure_task(run[1], ns / 2);
    cal = fitted(a, c, run, 2);
    CHECK(cal->npu_kept && cal->kind_factor[LOWOP_CONV2D][term(c, "mac")] == 1);
    CHECK(is_kept(&cal->figure[COST_COUNT + term(c, "mac")],
                  "a fit without one of the runs predicts it no better"));
    CHECK(is_kept(&cal->figure[COST_residual_move],
                  "a fit without one of the runs predicts it no better"));
    /* 4.5 times 18 us: 8.6 us of activations are more than 2 % of that, the start's 1.2 us are not.
     */
    measure_task(run[0], 4.5 * ns);
    measure_task(run[1], 4.5 * ns);
    cal = fitted(a, c, run, 2);
    CHECK(cal->kind_factor[LOWOP_CONV2D][term(c, "activation")] > 1.01 &&
          cal->kind_factor[LOWOP_CONV2D][term(c, "op")] == 1);
}

/* Weights that the compiled program streams though the model has them stay take time of no term:
 * such an op says nothing of its kind.  Where not all weights fit, there is a term for it. */
static void check_streamed(Arena *a)
{
    const Costs *c = load(a);
    Run *run = run_new(a);
    measure_task(run, 2 * predicted_ns(run, c));
    run->op[0].streamed_bytes = run->op[0].weight_bytes;
    const Calibration *cal = fitted(a, c, &run, 1);
    CHECK(cal->kind_spans[LOWOP_CONV2D] == 0 &&
          cal->kind_factor[LOWOP_CONV2D][term(c, "mac")] == 1);
    run->op[0].weight_bytes *= 1000; /* 37 of 16 MB */
    cal = fitted(a, c, &run, 1);
    CHECK(cal->kind_spans[LOWOP_CONV2D] == 1);
}

/* An op that the trace does not show is part of the task, and says nothing of its kind. */
static void check_unseen(Arena *a)
{
    const Costs *c = load(a);
    Run *run = run_new(a);
    run->program.nop = run->step[2].nop = 2;
    run->op[1] = (LowOp){.id = 1,
                         .kind = LOWOP_PAD,
                         .n = 1,
                         .c_out = 1,
                         .h_out = 1,
                         .w_out = 1,
                         .c_in = 1,
                         .h_in = 1,
                         .w_in = 1};
    double ns = predicted_ns(run, c);
    measure_task(run, 2 * ns);
    const Calibration *cal = fitted(a, c, &run, 1);
    CHECK(cal->spans == 1 + 2 && cal->kind_spans[LOWOP_PAD] == 0);
    CHECK_NEAR(cal->kinds_before, 0.5, 1e-4); /* of the Conv2d alone */
    CHECK(cal->npu_before < 0.5);             /* of both: the Pad helps to fill the time */
    CHECK(cal->kinds_after < 0.05);
}

/* Three runs make three ops of a class: what it is off by after the fit, and at least 3 %. */
static void check_residuals(Arena *a)
{
    const Costs *c = load(a);
    Run *run[3] = {run_new(a), run_new(a), run_new(a)};
    double ns = predicted_ns(run[0], c);
    for (int k = 0; k < 3; k++)
        measure_task(run[k], 2 * ns);
    const Calibration *cal = fitted(a, c, run, 3);
    CHECK(is_fitted(&cal->figure[COST_residual_conv], 0.03, 0.03, 0.03, 3));
    measure_task(run[0], 1.8 * ns);
    measure_task(run[2], 2.2 * ns);
    cal = fitted(a, c, run, 3);
    CHECK(!cal->npu_kept);
    CHECK_NEAR(cal->figure[COST_residual_conv].value.mid, log(2 / 1.8), 0.15);
}

static void check_nothing(Arena *a)
{
    const Costs *c = load(a);
    const Run *run = run_new(a);
    const CalibrationRun one = {.program = &run->program, .rec = &run->rec};
    Calibration *cal = NULL;
    Diag diag = {{0}};
    CHECK(calibrate(a, c, &one, 1, &cal, &diag) == STATUS_UNDECIDED && !cal);
}

int main(void)
{
    xml_startup();
    Arena *a = arena_new(0);
    check_spread();
    check_runtime(a);
    check_transfers(a);
    check_laws(a);
    check_npu(a);
    check_streamed(a);
    check_unseen(a);
    check_residuals(a);
    check_nothing(a);
    arena_free(a);
    return check_failures() != 0;
}

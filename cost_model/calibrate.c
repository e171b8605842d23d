/* Fits runtime, transfers and host operators to traces, and decides whether the NPU's fit is
 * taken. */
#include "cost_model/calibrate.h"
#include "cost_model/fit.h"
#include "graph/base/statistics.h"

#define PRIOR_SD_SHARE 1.0 /* host laws differ by factors between machines */
#define ROW_NOISE      0.1
#define SPREAD_MIN     0.03

typedef struct {
    Arena *arena;
    const Costs *costs;
    const CalibrationRun *run;
    size_t nrun;
    CalibratedFigure figure[FIGURE_MAX];
    Calibration *cal;
} Fitter;

double calibrate_spread(double *relative_error, size_t n)
{
    double middle = statistics_median(relative_error, n);
    for (size_t i = 0; i < n; i++)
        relative_error[i] = fabs(relative_error[i] - middle);
    double spread = fabs(middle) + 1.645 * 1.4826 * statistics_median(relative_error, n);
    return spread > SPREAD_MIN ? spread : SPREAD_MIN;
}

/* Measured steps of one law: each the time and what its terms are at the prior, in ns. */
enum { TERMS = 2 + HOST_ALSO_MAX }; /* fixed, per unit, and per unit of each additional term */

typedef struct {
    double (*prior_ns)[TERMS];
    double *ns;
    size_t count;
} Line;

/* ns = sum of x * prior_ns by relative rows, x around 1; returns the spread. */
static double fit_line(Arena *a, const Line *l, double x[TERMS])
{
    assert(l->count > 0);
    double *m = ARENA_ARRAY(a, double, TERMS * l->count + 1),
           *b = ARENA_ARRAY(a, double, l->count + 1), prior[TERMS], sd[TERMS];
    for (int t = 0; t < TERMS; t++) {
        prior[t] = 1;
        sd[t] = PRIOR_SD_SHARE / ROW_NOISE;
    }
    for (size_t i = 0; i < l->count; i++) {
        for (int t = 0; t < TERMS; t++)
            m[TERMS * i + (size_t)t] = l->prior_ns[i][t] / l->ns[i];
        b[i] = 1;
    }
    FitProblem p = {m, b, NULL, l->count, TERMS, prior, sd, 0.15};
    fit_solve(&p, x);
    for (size_t i = 0; i < l->count; i++) {
        b[i] = -1;
        for (int t = 0; t < TERMS; t++)
            b[i] += m[TERMS * i + (size_t)t] * x[t];
    }
    return calibrate_spread(b, l->count);
}

static Interval spread_around(double value, double spread)
{
    return (Interval){spread < 1 ? value * (1 - spread) : 0, value, value * (1 + spread)};
}

static void keep_prior(Fitter *f, int figure, const char *why)
{
    Interval prior = costs_figure(f->costs, figure);
    f->figure[figure] =
        (CalibratedFigure){figure, costs_figure_info(f->costs, figure), prior.mid, prior, 0, why};
}

static void set_calibrated(Fitter *f, int figure, Interval value, size_t spans)
{
    f->figure[figure] = (CalibratedFigure){figure,
                                           costs_figure_info(f->costs, figure),
                                           costs_figure(f->costs, figure).mid,
                                           value,
                                           spans,
                                           NULL};
}

/* Whether the step is one of those; its terms at the prior. */
typedef bool (*Wanted)(const Fitter *f, const CalibrationRun *run, const Step *s, const void *what,
                       double ret_ns[TERMS]);

static Line gather_line(const Fitter *f, Wanted wanted, const void *what)
{
    size_t most = LIST_SUM(size_t, k, f->nrun, f->run[k].program->nstep) + 1;
    Line l = {arena_calloc(f->arena, most, sizeof *l.prior_ns), ARENA_ARRAY(f->arena, double, most),
              0};
    for (size_t k = 0; k < f->nrun; k++) {
        for (size_t i = 0; i < f->run[k].program->nstep; i++) {
            const Measured *m = &f->run[k].rec->step[i];
            if (!m->count || m->median_ns <= 0 ||
                !wanted(f, &f->run[k], &f->run[k].program->step[i], what, l.prior_ns[l.count]))
                continue;
            assert(l.count + 1 < most);
            l.ns[l.count++] = (double)m->median_ns;
        }
    }
    return l;
}

static bool is_transfer(const Fitter *f, const CalibrationRun *run, const Step *s, const void *what,
                        double ret_ns[TERMS])
{
    (void)run, (void)what;
    ret_ns[0] = f->costs->pcie_ns.mid;
    ret_ns[1] = 1e9 / f->costs->pcie_bytes_per_s.mid *
                (double)(s->kind == STEP_H2D ? s->bytes_out : s->bytes_in);
    return s->kind == STEP_H2D || s->kind == STEP_D2H;
}

static void fit_transfers(Fitter *f)
{
    Line l = gather_line(f, is_transfer, NULL);
    if (!l.count) {
        keep_prior(f, COST_pcie_bytes_per_s, "no transfer span matched");
        keep_prior(f, COST_pcie_ns, "no transfer span matched");
        return;
    }
    double fixed = f->costs->pcie_ns.mid, rate = f->costs->pcie_bytes_per_s.mid, x[TERMS];
    double spread = fit_line(f->arena, &l, x);
    set_calibrated(f, COST_pcie_ns, spread_around(fixed * x[0], spread), l.count);
    if (x[1] > 1e-6)
        set_calibrated(f, COST_pcie_bytes_per_s, spread_around(rate / x[1], spread), l.count);
    else
        keep_prior(f, COST_pcie_bytes_per_s, "the spans do not depend on their bytes");
}

static bool uses_law(const Fitter *f, const CalibrationRun *run, const Step *s, const void *what,
                     double ret_ns[TERMS])
{
    const HostCost *h = what;
    if (s->kind != STEP_HOST || costs_for_host(f->costs, run->program->options.sdk, s) != what)
        return false;
    ret_ns[0] = h->fixed_ns.mid;
    ret_ns[1] = h->per_unit_ns.mid * costs_host_units(h->unit, s);
    for (int i = 0; i < h->nalso; i++)
        ret_ns[2 + i] = h->also[i].per_unit_ns.mid * costs_host_units(h->also[i].unit, s);
    return true;
}

static void fit_law(Fitter *f, const HostCost *law)
{
    assert(f->cal->nlaw < f->costs->nhost);
    Line l = gather_line(f, uses_law, law);
    CalibratedLaw *c = &f->cal->law[f->cal->nlaw++];
    *c = (CalibratedLaw){*law, law, l.count, l.count ? NULL : "no span of it"};
    if (!l.count)
        return;
    double x[TERMS], spread = fit_line(f->arena, &l, x);
    c->law.fixed_ns = spread_around(law->fixed_ns.mid * x[0], spread);
    c->law.per_unit_ns = spread_around(law->per_unit_ns.mid * x[1], spread);
    for (int i = 0; i < law->nalso; i++)
        c->law.also[i].per_unit_ns = spread_around(law->also[i].per_unit_ns.mid * x[2 + i], spread);
    c->law.info.kind = KIND_CALIBRATED;
}

/* Total - Run of one task of the run, less what its input and output take; < 0: not measured. */
static double launch_of(const Fitter *f, const CalibrationRun *run, double *ret_wait)
{
    const TraceStats *s = run->rec->stats;
    double sum = 0, seen = 0, tasks = 0, bytes = 0;
    for (size_t i = 0; i < s->nexecution; i++) {
        sum += s->execution[i].has_run ? (double)s->execution[i].io_wait_ns : 0;
        seen += s->execution[i].has_run;
    }
    for (size_t i = 0; i < run->program->nstep; i++) {
        const Step *step = &run->program->step[i];
        tasks += step->kind == STEP_NPU;
        bytes += step->kind == STEP_NPU ? (double)step->bytes_in + (double)step->bytes_out : 0;
    }
    *ret_wait = seen > 0 && sum > 0 ? sum / seen * tasks : 0;
    if (!(seen > 0) || !(tasks > 0))
        return -1;
    return fmax(0, sum / seen - f->costs->task_io_ns_per_byte.mid * bytes / tasks);
}

/* The gap is what no span explains, per hand-off. */
static void fit_runtime(Fitter *f)
{
    double *launch = ARENA_ARRAY(f->arena, double, f->nrun + 1);
    double *gap = ARENA_ARRAY(f->arena, double, f->nrun + 1);
    size_t nlaunch = 0, ngap = 0;
    for (size_t k = 0; k < f->nrun; k++) {
        double wait, one = launch_of(f, &f->run[k], &wait);
        if (one >= 0)
            launch[nlaunch++] = one;
        double rest = (double)f->run[k].rec->unattributed_ns - wait - f->costs->request_ns.mid;
        if (f->run[k].program->nstep > 1 && f->run[k].rec->inferences)
            gap[ngap++] = fmax(0, rest) / (double)(f->run[k].program->nstep - 1);
    }
    if (nlaunch)
        set_calibrated(f, COST_launch_ns,
                       spread_around(statistics_median(launch, nlaunch), SPREAD_MIN), nlaunch);
    else
        keep_prior(f, COST_launch_ns, "no task with operators");
    double middle = statistics_median(gap, ngap);
    for (size_t i = 0; i < ngap && middle > 0; i++)
        gap[i] = gap[i] / middle - 1;
    double spread = ngap && middle > 0 ? calibrate_spread(gap, ngap) : 0;
    if (ngap)
        set_calibrated(f, COST_gap_ns, spread_around(middle, spread), ngap);
    else
        keep_prior(f, COST_gap_ns, "no inference");
}

static Costs with_npu(const Costs *c, const CalibratedNpu *npu)
{
    Costs v = *c;
    costs_scale_kinds(&v, npu->kind_factor, "fitted");
    return v;
}

typedef struct {
    double npu, kinds;
} NpuError;

/* Errors of one run, over the runs that there are. */
static NpuError npu_error(const Costs *c, const CalibrationRun *run, size_t nrun)
{
    double predicted[LOWOP_KIND_COUNT] = {0}, measured[LOWOP_KIND_COUNT] = {0}, sum = 0, wrong = 0,
           all = 0;
    OpModel m = op_model(run->program, c);
    for (size_t i = 0; i < run->program->nop; i++) {
        const LowOp *op = &run->program->op[i];
        double work[TERM_MAX], ns = predict_op(&m, c, op, work).total_ns.mid;
        sum += ns;
        if (!run->rec->op[i].count)
            continue;
        predicted[op->kind] += ns;
        measured[op->kind] += (double)run->rec->op[i].median_ns;
    }
    for (int k = 0; k < LOWOP_KIND_COUNT; k++) {
        wrong += fabs(predicted[k] - measured[k]);
        all += measured[k];
    }
    double npu = (double)run->rec->npu.median_ns, n = (double)nrun;
    return (NpuError){npu > 0 ? fabs(sum / npu - 1) / n : 0, all > 0 ? wrong / all / n : 0};
}

static void take_npu(Fitter *f, const CalibratedNpu *npu)
{
    for (int t = 0; t < f->costs->nterm; t++)
        keep_prior(f, COST_COUNT + t, "is scaled per kind of operator");
    for (int i = 0; i < COST_COUNT; i++)
        if (npu->residual[i].spans || npu->residual[i].kept)
            f->figure[i] = npu->residual[i];
    memcpy(f->cal->kind_factor, npu->kind_factor, sizeof npu->kind_factor);
    memcpy(f->cal->kind_spans, npu->kind_spans, sizeof npu->kind_spans);
}

/* The target's figures, and its idea of how far they are off. */
static void keep_npu(Fitter *f, const CalibratedNpu *npu)
{
    for (int i = 0; i < COST_COUNT; i++)
        if (npu->residual[i].spans || npu->residual[i].kept)
            keep_prior(f, i, "a fit without one of the runs predicts it no better");
    for (int t = 0; t < f->costs->nterm; t++)
        keep_prior(f, COST_COUNT + t, "a fit without one of the runs predicts it no better");
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        for (int i = 0; i < TERM_MAX; i++)
            f->cal->kind_factor[k][i] = 1;
    f->cal->npu_kept = true;
}

static void fit_npu(Fitter *f)
{
    CalibratedNpu *all = ARENA_NEW(f->arena, CalibratedNpu),
                  *without = ARENA_NEW(f->arena, CalibratedNpu);
    calibrate_npu(f->costs, f->run, f->nrun, SIZE_MAX, all);
    f->cal->spans += all->spans;
    for (size_t k = 0; k < f->nrun; k++) {
        calibrate_npu(f->costs, f->run, f->nrun, f->nrun > 1 ? k : SIZE_MAX, without);
        Costs fitted = with_npu(f->costs, without);
        NpuError before = npu_error(f->costs, &f->run[k], f->nrun);
        NpuError after = npu_error(&fitted, &f->run[k], f->nrun);
        f->cal->npu_before += before.npu;
        f->cal->npu_after += after.npu;
        f->cal->kinds_before += before.kinds;
        f->cal->kinds_after += after.kinds;
    }
    take_npu(f, all);
    if (f->cal->kinds_after >= f->cal->kinds_before && f->cal->npu_after >= f->cal->npu_before)
        keep_npu(f, all);
}

Status calibrate(Arena *a, const Costs *c, const CalibrationRun *run, size_t nrun,
                 Calibration **ret, Diag *diag)
{
    Calibration *cal = ARENA_NEW(a, Calibration);
    Fitter f = {.arena = a, .costs = c, .run = run, .nrun = nrun, .cal = cal};
    cal->runs = nrun;
    for (int t = 0; t < c->nterm; t++)
        cal->term[t] = c->term[t].name;
    for (size_t k = 0; k < nrun; k++)
        cal->spans += LIST_SUM(size_t, i, f.run[k].program->nstep, f.run[k].rec->step[i].count > 0);
    if (!cal->spans)
        return diag_set(diag, STATUS_UNDECIDED, NULL, NULL,
                        "no span of any trace matches its model: nothing to calibrate");
    cal->law = ARENA_ARRAY(a, CalibratedLaw, c->nhost + 1);
    fit_npu(&f);
    fit_transfers(&f);
    fit_runtime(&f);
    for (size_t i = 0; i < c->nhost; i++)
        fit_law(&f, &c->host[i]);
#define KEEP(figure, why) keep_prior(&f, COST_##figure, why);
    COSTS_KEPT(KEEP)
    size_t n = (size_t)costs_figure_count(c);
    cal->figure = ARENA_ARRAY(a, CalibratedFigure, n);
    for (size_t i = 0; i < n; i++) {
        assert(f.figure[i].info);   /* each is fitted, or kept for a reason */
        if (f.figure[i].info->name) /* the target has it */
            cal->figure[cal->nfigure++] = f.figure[i];
    }
    *ret = cal;
    return STATUS_OK;
}

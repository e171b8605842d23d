/* Calibration of the NPU: figures per term from the times of ops and whole tasks. */
#include "cost_model/calibrate.h"
#include "cost_model/fit.h"
#include "cost_model/score.h"

#include <math.h>
#include <string.h>

/* A figure moves by half of its value as easily as the fit is off by a twentieth: the fit of one
 * model must not wreck what another one needs, yet silicon may differ. */
#define PRIOR_SD_SHARE 0.5
#define ROW_NOISE      0.05

enum { SPANS_MIN = 3 };

typedef struct {
    double work[TERM_COUNT];
    double measured_ns;
    double weight;
    int residual; /* class of the op; -1 for a whole task */
} Row;

typedef struct {
    Row *row;
    size_t nrow, cap;
} Rows;

static void add_row(Arena *a, Rows *r, const double work[TERM_COUNT], double ns, double weight,
                    int residual)
{
    if (!(ns > 0))
        return;
    Row *row = VEC_PUSH(a, r->row, r->nrow, r->cap);
    memcpy(row->work, work, sizeof row->work);
    row->measured_ns = ns;
    row->weight = weight;
    row->residual = residual;
}

/* An op counts with its share of the task's time, the whole task as much as all its ops. */
static void rows_of_step(Arena *a, Rows *r, const CalibrationRun *run, const OpModel *m,
                         const Step *s)
{
    double whole[TERM_COUNT] = {0}, total = (double)run->rec->step[s->id].median_ns;
    for (LowOpId i = s->first_op; i < s->first_op + s->nop; i++) {
        double work[TERM_COUNT];
        op_work(m, &run->program->op[i], work);
        for (int t = 0; t < TERM_COUNT; t++)
            whole[t] += work[t];
        double ns = (double)run->rec->op[i].median_ns;
        if (run->rec->op[i].count && total > 0)
            add_row(a, r, work, ns, sqrt(ns / total), op_residual_figure(&run->program->op[i]));
    }
    if (run->rec->step[s->id].count)
        add_row(a, r, whole, total, 1, -1);
}

static Rows gather(Arena *a, const Costs *c, const CalibrationRun *run, size_t nrun, size_t skip)
{
    Rows r = {0};
    for (size_t k = 0; k < nrun; k++) {
        if (k == skip)
            continue;
        OpModel m = op_model(run[k].program, c);
        for (size_t i = 0; i < run[k].program->nstep; i++)
            if (run[k].program->step[i].kind == STEP_NPU)
                rows_of_step(a, &r, &run[k], &m, &run[k].program->step[i]);
    }
    return r;
}

static size_t informed_by(const Rows *r, int term, double value)
{
    size_t n = 0;
    for (size_t i = 0; i < r->nrow; i++)
        n += r->row[i].work[term] * value > 0.02 * r->row[i].measured_ns;
    return n;
}

/* Columns in units of the prior: x = 1 is the target's figure. A figure of 0 stays out. */
static void solve(Arena *a, const Costs *c, const Rows *r, double x[TERM_COUNT])
{
    double *m = ARENA_ARRAY(a, double, r->nrow *TERM_COUNT + 1),
           *b = ARENA_ARRAY(a, double, r->nrow + 1);
    double prior[TERM_COUNT], sd[TERM_COUNT];
    for (int t = 0; t < TERM_COUNT; t++) {
        prior[t] = 1;
        sd[t] = PRIOR_SD_SHARE / ROW_NOISE;
    }
    for (size_t i = 0; i < r->nrow; i++) {
        const Row *row = &r->row[i];
        b[i] = row->weight;
        for (int t = 0; t < TERM_COUNT; t++)
            m[i * TERM_COUNT + (size_t)t] = row->weight * row->work[t] / row->measured_ns *
                                            costs_figure(c, term_table[t].figure).mid;
    }
    FitProblem p = {m, b, NULL, r->nrow, TERM_COUNT, prior, sd, 0.15};
    fit_solve(&p, x);
}

static double row_ns(const Costs *c, const Row *row, const double x[TERM_COUNT])
{
    double sum = 0;
    for (int t = 0; t < TERM_COUNT; t++)
        sum += x[t] * costs_figure(c, term_table[t].figure).mid * row->work[t];
    return sum;
}

/* 90 % of |ln(measured / fitted)| of the ops of one class lie below what is returned; 0 when there
 * are too few to tell. */
static double residual_of_class(Arena *a, const Costs *c, const Rows *r, int class,
                                const double x[TERM_COUNT], size_t *ret_n)
{
    double *e = ARENA_ARRAY(a, double, r->nrow + 1);
    size_t n = 0;
    for (size_t i = 0; i < r->nrow; i++) {
        double ns = row_ns(c, &r->row[i], x);
        if (r->row[i].residual == class && ns > 0)
            e[n++] = log(r->row[i].measured_ns / ns);
    }
    *ret_n = n;
    return n < SPANS_MIN ? 0 : calibrate_spread(e, n);
}

static void fill_term(const Costs *c, const Rows *r, int t, double x, CalibratedFigure *f)
{
    int index = term_table[t].figure;
    Interval prior = costs_figure(c, index);
    *f = (CalibratedFigure){index, prior.mid, prior, informed_by(r, t, prior.mid), NULL};
    if (prior.mid == 0)
        f->kept = "is 0 in the target";
    else if (f->spans < SPANS_MIN)
        f->kept = "fewer than 3 spans take more than 2 % of their time for it";
    else
        f->value = interval_scale(prior, x);
}

size_t calibrate_npu(Arena *a, const Costs *c, const CalibrationRun *run, size_t nrun, size_t skip,
                     CalibratedFigure figure[COST_COUNT])
{
    static const int class[] = {COST_residual_conv, COST_residual_depthwise, COST_residual_vector,
                                COST_residual_move, COST_residual_unseen};
    Rows r = gather(a, c, run, nrun, skip);
    double x[TERM_COUNT];
    solve(a, c, &r, x);
    for (int t = 0; t < TERM_COUNT; t++)
        fill_term(c, &r, t, x[t], &figure[term_table[t].figure]);
    for (size_t k = 0; k < sizeof class / sizeof *class; k++) {
        Interval prior = costs_figure(c, class[k]);
        size_t n = 0;
        double spread = residual_of_class(a, c, &r, class[k], x, &n);
        figure[class[k]] =
            (CalibratedFigure){class[k], prior.mid, spread > 0 ? interval_exact(spread) : prior, n,
                               spread > 0 ? NULL : "fewer than 3 ops of the class"};
    }
    return r.nrow;
}

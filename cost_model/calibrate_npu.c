/* Scales the terms of each kind of NPU operator to times of operators and tasks. Scaling per kind
 * keeps apart what the published points could not: the vector unit after a convolution and in an
 * addition, say. */
#include "cost_model/calibrate.h"
#include "cost_model/fit.h"

/* A factor leaves 1 by 1 as easily as the fit of a row is off by a tenth: what little data does not
 * tell stays as the target has it. */
#define PRIOR_SD     1.0
#define ROW_NOISE    0.1
#define RESIDUAL_MIN 0.03
#define FULL_TASK    LOWOP_KIND_COUNT

enum { SPANS_MIN = 3 };

typedef struct {
    double ns[LOWOP_KIND_COUNT][TERM_MAX]; /* predicted, of an op: one kind; of a task: all */
    double measured_ns;
    double weight;
    LowOpKind kind; /* FULL_TASK */
    int residual;   /* class of the op; -1 for a whole task */
    size_t run;
} Row;

/* A factor to be found. */
typedef struct {
    int kind, term;
} Column;

typedef struct {
    Arena *arena;
    const Costs *costs;
    Row *row;
    size_t nrow, cap;
    size_t spans[LOWOP_KIND_COUNT];
    Column column[FIT_MAX_COLUMNS];
    size_t ncolumn;
    double factor[LOWOP_KIND_COUNT][TERM_MAX];
    double off;
} Fitter;

static Row *add_fit_row(Fitter *f, double ns, double weight, size_t run)
{
    Row *row = VEC_PUSH(f->arena, f->row, f->nrow, f->cap);
    row->measured_ns = ns;
    row->weight = weight;
    row->run = run;
    return row;
}

/* Of the work that a unit does beside a longer one nothing counts, as the factors so far say. */
static void add_op(const Fitter *f, const OpModel *m, const LowOp *op, Row *row)
{
    double work[TERM_MAX];
    assert(op->kind < LOWOP_KIND_COUNT);
    op_work(m, op, work);
    for (int t = 0; t < m->costs->nterm; t++)
        row->ns[op->kind][t] += costs_term_ns(m->costs, t, work[t]) / f->factor[op->kind][t];
}

/* Weights that the compiled program reads each time although the model has them stay: that takes
 * time which is no term's, and a fit would give it to the products. */
static bool is_beyond_terms(const OpModel *m, const LowOp *op)
{
    return op->streamed_bytes > 0 && !(m->overflow_bytes > 0) && !m->costs->carried;
}

/* An op counts with its share of the task's time, the whole task as much as all its ops. */
static void rows_of_step(Fitter *f, const CalibrationRun *run, size_t k, const OpModel *m,
                         const Step *s)
{
    const Measured *measured = &run->rec->step[s->id];
    double total = (double)measured->median_ns;
    if (!measured->count || !(total > 0))
        return;
    assert(s->first_op + s->nop <= run->program->nop);
    for (LowOpId i = s->first_op; i < s->first_op + s->nop; i++) {
        const LowOp *op = &run->program->op[i];
        double ns = (double)run->rec->op[i].median_ns;
        if (!run->rec->op[i].count || !(ns > 0) || is_beyond_terms(m, op))
            continue;
        Row *row = add_fit_row(f, ns, sqrt(ns / total), k);
        add_op(f, m, op, row);
        row->kind = op->kind;
        row->residual = op_residual_figure(op);
        f->spans[op->kind]++;
    }
    Row *row = add_fit_row(f, total, 1, k);
    row->kind = FULL_TASK;
    row->residual = -1;
    for (LowOpId i = s->first_op; i < s->first_op + s->nop; i++)
        add_op(f, m, &run->program->op[i], row);
}

static void gather_rows(Fitter *f, const Costs *now, const CalibrationRun *run, size_t nrun,
                        size_t skip)
{
    for (size_t k = 0; k < nrun; k++) {
        OpModel m = op_model(run[k].program, now);
        for (size_t i = 0; k != skip && i < run[k].program->nstep; i++)
            if (run[k].program->step[i].kind == STEP_NPU)
                rows_of_step(f, &run[k], k, &m, &run[k].program->step[i]);
    }
}

/* Whether the term is more than 2 % of the measured time of one op.  One is enough: the prior
 * holds what a row cannot move, and a term that is rare here may be large in the next network. */
static bool is_informed(const Fitter *f, int kind, int term)
{
    return LIST_ANY(i, f->nrow,
                    f->row[i].kind != FULL_TASK &&
                        f->row[i].ns[kind][term] > 0.02 * f->row[i].measured_ns);
}

static void choose_columns(Fitter *f)
{
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        for (int t = 0; t < f->costs->nterm; t++)
            if (f->ncolumn < FIT_MAX_COLUMNS && is_informed(f, k, t))
                f->column[f->ncolumn++] = (Column){k, t};
}

static double row_ns(const Fitter *f, const Row *row)
{
    double sum = 0;
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        for (int t = 0; t < f->costs->nterm; t++)
            sum += f->factor[k][t] * row->ns[k][t];
    return sum;
}

/* A figure of the data sheet is a limit: a fit below it would hand time to other terms. */
static double lowest_factor(const Costs *c, Column x)
{
    Interval figure = c->term[x.term].figure;
    double now = figure.mid * (c->calibration ? c->kind_factor[x.kind][x.term] : 1);
    return c->term_info[x.term].kind == KIND_DATASHEET ? fmin(1, figure.lo / now) : 0;
}

static void solve_factors(Fitter *f)
{
    double *m = ARENA_ARRAY(f->arena, double, f->nrow * f->ncolumn + 1);
    double *b = ARENA_ARRAY(f->arena, double, f->nrow + 1);
    double prior[FIT_MAX_COLUMNS], sd[FIT_MAX_COLUMNS], x[FIT_MAX_COLUMNS];
    for (size_t j = 0; j < f->ncolumn; j++) {
        double least = lowest_factor(f->costs, f->column[j]);
        f->factor[f->column[j].kind][f->column[j].term] = least;
        prior[j] = 1 - least;
        sd[j] = PRIOR_SD / ROW_NOISE;
    }
    for (size_t i = 0; i < f->nrow; i++) {
        const Row *row = &f->row[i];
        assert(row->measured_ns > 0); /* add_fit_row's callers leave others out */
        double scale = row->weight / row->measured_ns;
        for (size_t j = 0; j < f->ncolumn; j++)
            m[i * f->ncolumn + j] = scale * row->ns[f->column[j].kind][f->column[j].term];
        b[i] = row->weight - scale * row_ns(f, row);
    }
    FitProblem p = {m, b, NULL, f->nrow, f->ncolumn, prior, sd, 0.15};
    f->off = fit_solve(&p, x);
    for (size_t j = 0; j < f->ncolumn; j++)
        f->factor[f->column[j].kind][f->column[j].term] += x[j];
}

/* Which of two units that work beside each other is the longer one changes with the fit. */
enum { BESIDE_ROUNDS = 3 };
/* What the next round may find again. */
#define LOWEST_FACTOR 0.01

static void fit_factors(Fitter *f, const CalibrationRun *run, size_t nrun, size_t skip)
{
    Costs *now = ARENA_NEW(f->arena, Costs);
    int rounds = f->costs->activation_beside > 0 ? BESIDE_ROUNDS : 1;
    for (int i = 0; i < rounds; i++) {
        for (int k = 0; k < LOWOP_KIND_COUNT; k++)
            for (int t = 0; t < TERM_MAX; t++)
                f->factor[k][t] = i ? fmax(f->factor[k][t], LOWEST_FACTOR) : 1;
        *now = *f->costs;
        costs_scale_kinds(now, f->factor, "fitted");
        f->nrow = f->cap = f->ncolumn = 0;
        memset(f->spans, 0, sizeof f->spans);
        gather_rows(f, now, run, nrun, skip);
        choose_columns(f);
        solve_factors(f);
    }
}

/* The most that the class is off by in all ops of one run: a model's errors go together. */
static CalibratedFigure class_figure(const Fitter *f, int class, size_t nrun)
{
    Interval prior = costs_figure(f->costs, class);
    CalibratedFigure c = {class, costs_figure_info(f->costs, class), prior.mid, prior,
                          0,     "fewer than 3 ops of the class"};
    double most = RESIDUAL_MIN;
    for (size_t k = 0; k < nrun; k++) {
        double measured = 0, fitted = 0;
        for (size_t i = 0; i < f->nrow; i++) {
            if (f->row[i].residual != class || f->row[i].run != k)
                continue;
            measured += f->row[i].measured_ns;
            fitted += row_ns(f, &f->row[i]);
            c.spans++;
        }
        if (fitted > 0)
            most = fmax(most, fabs(log(measured / fitted)));
    }
    if (c.spans < SPANS_MIN)
        return c;
    c.value = interval_exact(most);
    c.kept = NULL;
    return c;
}

void calibrate_npu(const Costs *c, const CalibrationRun *run, size_t nrun, size_t skip,
                   CalibratedNpu *ret)
{
    static const int class[] = {COST_residual_conv, COST_residual_depthwise, COST_residual_vector,
                                COST_residual_move, COST_residual_unseen};
    assert(skip == SIZE_MAX || skip < nrun);
    Arena *scratch = arena_new(0); /* a row is large */
    Fitter *f = ARENA_NEW(scratch, Fitter);
    f->arena = scratch;
    f->costs = c;
    fit_factors(f, run, nrun, skip);
    memset(ret, 0, sizeof *ret);
    for (size_t k = 0; k < sizeof class / sizeof *class; k++)
        ret->residual[class[k]] = class_figure(f, class[k], nrun);
    memcpy(ret->kind_factor, f->factor, sizeof f->factor);
    memcpy(ret->kind_spans, f->spans, sizeof f->spans);
    ret->spans = f->nrow;
    ret->activation_beside = c->activation_beside;
    ret->off = f->off;
    arena_free(scratch);
}

/* Splits a prediction into terms that are linear in the fitted figures, and solves for those
 * figures. */
#include "advisor/validation/crossvalidate.h"
#include "cost_model/costs.h"
#include "cost_model/fit.h"

typedef struct {
    const Costs *costs;
    size_t n;
    int column[TERM_MAX]; /* terms with a fitted figure */
    size_t ncolumn;
    double *a, *b;
} Design;

void crossvalidate_work(const Program *p, const Costs *c, double work[TERM_MAX])
{
    OpModel m = op_model(p, c);
    memset(work, 0, TERM_MAX * sizeof *work);
    for (size_t i = 0; i < p->nop; i++) {
        double one[TERM_MAX];
        op_work(&m, &p->op[i], one);
        for (int t = 0; t < c->nterm; t++)
            work[t] += one[t];
    }
}

static bool is_fitted(const Costs *c, int term)
{
    return c->term_info[term].kind == KIND_PUBLISHED_FIT;
}

/* Time of the terms that are not fitted. */
static double known_ns(const Costs *c, const FitPoint *pt)
{
    return LIST_SUM(double, t, c->nterm, is_fitted(c, t) ? 0 : costs_term_ns(c, t, pt->work[t]));
}

/* Rows are relative: a millisecond and a microsecond weigh the same. */
static Design design_new(Arena *a, const Costs *c, const FitPoint *point, size_t n)
{
    Design d = {.costs = c, .n = n};
    for (int t = 0; t < c->nterm; t++)
        if (is_fitted(c, t))
            d.column[d.ncolumn++] = t;
    d.a = ARENA_ARRAY(a, double, n *d.ncolumn + 1);
    d.b = ARENA_ARRAY(a, double, n + 1);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d.ncolumn; j++)
            d.a[i * d.ncolumn + j] = point[i].work[d.column[j]] / point[i].measured_ns;
        d.b[i] = 1 - known_ns(c, &point[i]) / point[i].measured_ns;
    }
    return d;
}

static void fit_figures(const Design *d, const bool *skip, double *x)
{
    FitProblem p = {d->a, d->b, skip, d->n, d->ncolumn, NULL, NULL, 0.15};
    fit_solve(&p, x);
}

static double fitted_ns(const Design *d, const FitPoint *pt, const double *x)
{
    double sum = known_ns(d->costs, pt);
    for (size_t j = 0; j < d->ncolumn; j++)
        sum += x[j] * pt->work[d->column[j]];
    return sum;
}

void crossvalidate_fit(Arena *a, const Costs *c, const FitPoint *point, size_t n, const bool *skip,
                       double value[TERM_MAX], double *ret_ns)
{
    Design d = design_new(a, c, point, n);
    fit_figures(&d, skip, value);
    for (size_t i = 0; i < n; i++)
        ret_ns[i] = fitted_ns(&d, &point[i], value);
}

void crossvalidate(Arena *a, const Costs *c, const FitPoint *point, size_t n, const int *group,
                   CrossValidation *ret)
{
    Design d = design_new(a, c, point, n);
    CrossValidation v = {.left_out_ns = ARENA_ARRAY(a, double, n + 1),
                         .in_sample_ns = ARENA_ARRAY(a, double, n + 1),
                         .nterm = d.ncolumn};
    assert(n >= 2);
    memcpy(v.term, d.column, sizeof v.term);
    crossvalidate_fit(a, c, point, n, NULL, v.value, v.in_sample_ns);
    bool *skip = ARENA_ARRAY(a, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        double x[TERM_MAX];
        for (size_t k = 0; k < n; k++)
            skip[k] = k == i || (group && group[k] == group[i]);
        fit_figures(&d, skip, x);
        v.left_out_ns[i] = fitted_ns(&d, &point[i], x);
    }
    *ret = v;
}

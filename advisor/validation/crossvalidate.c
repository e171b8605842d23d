/* Splits a prediction into terms that are linear in the fitted figures, and solves for those
 * figures. */
#include "advisor/validation/crossvalidate.h"
#include "cost_model/costs.h"
#include "cost_model/fit.h"

#include <assert.h>
#include <string.h>

/* phi is the one figure that is not linear: tried on a grid of this many steps over 0..1. */
enum { PHI_STEPS = 20 };

typedef struct {
    const Costs *costs;
    const FitPoint *point;
    size_t n;
    int column[TERM_COUNT]; /* fitted figures of terms */
    size_t ncolumn;
    bool fit_phi;
    double *a, *b;
} Design;

void crossvalidate_work(const Program *p, const Costs *c, double work[TERM_COUNT])
{
    OpModel m = op_model(p, c);
    m.share = 1;
    memset(work, 0, TERM_COUNT * sizeof *work);
    for (size_t i = 0; i < p->nop; i++) {
        double one[TERM_COUNT];
        op_work(&m, &p->op[i], one);
        for (int t = 0; t < TERM_COUNT; t++)
            work[t] += one[t];
    }
}

static double split_work(const FitPoint *pt, Term t, double phi)
{
    return pt->work[t] / (term_table[t].split ? 1 + phi * (pt->pe - 1) : 1);
}

static bool is_of_a_term(int figure)
{
    for (int t = 0; t < TERM_COUNT; t++)
        if (term_table[t].figure == figure)
            return true;
    return false;
}

/* Work that the figure is multiplied by, in all its terms. */
static double figure_work(const FitPoint *pt, int figure, double phi)
{
    double sum = 0;
    for (int t = 0; t < TERM_COUNT; t++)
        sum += term_table[t].figure == figure ? split_work(pt, (Term)t, phi) : 0;
    return sum;
}

static Design design_new(Arena *a, const Costs *c, const FitPoint *point, size_t n)
{
    Design d = {.costs = c, .point = point, .n = n};
    for (int i = 0; i < COST_COUNT; i++)
        if (c->info[i].kind == KIND_PUBLISHED_FIT && is_of_a_term(i))
            d.column[d.ncolumn++] = i;
    d.fit_phi = c->info[COST_fusion_phi].kind == KIND_PUBLISHED_FIT;
    d.a = ARENA_ARRAY(a, double, n *d.ncolumn + 1);
    d.b = ARENA_ARRAY(a, double, n + 1);
    return d;
}

/* Time of the terms that are not fitted. */
static double known_ns(const Design *d, const FitPoint *pt, double phi)
{
    double sum = 0;
    for (int t = 0; t < TERM_COUNT; t++)
        if (d->costs->info[term_table[t].figure].kind != KIND_PUBLISHED_FIT)
            sum += costs_figure(d->costs, term_table[t].figure).mid * split_work(pt, (Term)t, phi);
    return sum;
}

static void fill_design_matrix(Design *d, double phi)
{
    for (size_t i = 0; i < d->n; i++) {
        const FitPoint *pt = &d->point[i];
        for (size_t j = 0; j < d->ncolumn; j++)
            d->a[i * d->ncolumn + j] = figure_work(pt, d->column[j], phi) / pt->measured_ns;
        d->b[i] = 1 - known_ns(d, pt, phi) / pt->measured_ns;
    }
}

/* Best figures without the skipped points; x[ncolumn] is phi. */
static void fit_figures(Design *d, const bool *skip, double *x)
{
    assert(d->ncolumn <= TERM_COUNT);
    double best = -1, at = d->costs->fusion_phi.mid;
    for (int s = 0; s <= PHI_STEPS; s++) {
        double phi = d->fit_phi ? (double)s / PHI_STEPS : at, found[TERM_COUNT + 1];
        fill_design_matrix(d, phi);
        FitProblem p = {d->a, d->b, skip, d->n, d->ncolumn, NULL, NULL, 0.15};
        double loss = fit_solve(&p, found);
        if (best >= 0 && loss >= best)
            continue;
        best = loss;
        memcpy(x, found, d->ncolumn * sizeof *x);
        x[d->ncolumn] = phi;
    }
}

static double fitted_ns(const Design *d, const FitPoint *pt, const double *x)
{
    double phi = x[d->ncolumn], sum = known_ns(d, pt, phi);
    for (size_t j = 0; j < d->ncolumn; j++)
        sum += x[j] * figure_work(pt, d->column[j], phi);
    return sum;
}

void crossvalidate_fit(Arena *a, const Costs *c, const FitPoint *point, size_t n, const bool *skip,
                       double value[TERM_COUNT + 1], double *ret_ns)
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
                         .in_sample_ns = ARENA_ARRAY(a, double, n + 1)};
    for (size_t j = 0; j < d.ncolumn; j++)
        v.figure[v.nfigure++] = d.column[j];
    if (d.fit_phi)
        v.figure[v.nfigure++] = COST_fusion_phi;
    assert(n >= 2 && v.nfigure <= TERM_COUNT + 1);
    crossvalidate_fit(a, c, point, n, NULL, v.value, v.in_sample_ns);
    bool *skip = ARENA_ARRAY(a, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        double x[TERM_COUNT + 1];
        for (size_t k = 0; k < n; k++)
            skip[k] = k == i || (group && group[k] == group[i]);
        fit_figures(&d, skip, x);
        v.left_out_ns[i] = fitted_ns(&d, &point[i], x);
    }
    *ret = v;
}

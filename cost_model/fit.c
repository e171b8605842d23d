/* Implements iteratively reweighted least squares, each round by coordinate descent on x >= 0. */
#include "cost_model/fit.h"

enum { SWEEPS_MAX = 4000 };

typedef struct {
    size_t n;
    double h[FIT_MAX_COLUMNS][FIT_MAX_COLUMNS]; /* A' W A + ridge */
    double g[FIT_MAX_COLUMNS];                  /* A' W b + ridge prior */
} Normal;

static double row_residual(const FitProblem *p, size_t row, const double *x)
{
    double r = -p->b[row];
    for (size_t j = 0; j < p->ncolumn; j++)
        r += p->a[row * p->ncolumn + j] * x[j];
    return r;
}

static void add_normal_row(const FitProblem *p, size_t row, double weight, Normal *q)
{
    const double *a = p->a + row * p->ncolumn;
    for (size_t j = 0; j < q->n; j++) {
        q->g[j] += weight * a[j] * p->b[row];
        for (size_t k = 0; k < q->n; k++)
            q->h[j][k] += weight * a[j] * a[k];
    }
}

static void build_normal(const FitProblem *p, const double *x, bool first, Normal *q)
{
    memset(q, 0, sizeof *q);
    q->n = p->ncolumn;
    for (size_t i = 0; i < p->nrow; i++) {
        if (p->skip && p->skip[i])
            continue;
        double r = first ? 0 : fabs(row_residual(p, i, x));
        add_normal_row(p, i, r > p->huber ? p->huber / r : 1, q);
    }
    for (size_t j = 0; p->prior && j < q->n; j++) {
        if (!(p->sd[j] > 0))
            continue;
        double ridge = 1 / (p->sd[j] * p->sd[j]);
        q->h[j][j] += ridge;
        q->g[j] += ridge * p->prior[j];
    }
}

/* Exact for one coordinate at a time; the problem is convex, so the order does not matter. */
static void coordinate_descent(const Normal *q, double *x)
{
    for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
        double moved = 0;
        for (size_t j = 0; j < q->n; j++) {
            if (!(q->h[j][j] > 0))
                continue;
            double g = q->g[j];
            for (size_t k = 0; k < q->n; k++)
                g -= k == j ? 0 : q->h[j][k] * x[k];
            double better = g > 0 ? g / q->h[j][j] : 0;
            moved = fmax(moved, fabs(better - x[j]) * sqrt(q->h[j][j]));
            x[j] = better;
        }
        if (moved < 1e-9)
            return;
    }
}

double fit_solve(const FitProblem *p, double *x)
{
    assert(p->ncolumn <= FIT_MAX_COLUMNS && p->huber > 0 && !p->prior == !p->sd);
    Normal q;
    for (size_t j = 0; j < p->ncolumn; j++)
        x[j] = p->prior ? p->prior[j] : 0;
    for (int round = 0; round < FIT_ROUNDS; round++) {
        build_normal(p, x, round == 0, &q);
        coordinate_descent(&q, x);
    }
    for (size_t j = 0; j < p->ncolumn; j++)
        assert(!(x[j] < 0));
    double loss = 0;
    for (size_t i = 0; i < p->nrow; i++) {
        if (p->skip && p->skip[i])
            continue;
        double r = fabs(row_residual(p, i, x));
        loss += r <= p->huber ? r * r : 2 * p->huber * r - p->huber * p->huber;
    }
    return loss;
}

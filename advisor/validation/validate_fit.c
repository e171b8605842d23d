/* Predicts each published point from a fit without it, and checks what each fitted figure is worth.
 */
#include "advisor/validation/validate.h"

#include "cost_model/costs.h"
#include "cost_model/interval.h"

enum { FIT_POINTS_MIN = 10 };

typedef struct {
    Arena *arena;
    const Costs *costs;
    const Validation *validation;
    FitPoint *point;
    int *group;      /* points of one network on one target leave together */
    uint32_t *index; /* into outcome */
    size_t n;
} Fitted;

static Fitted fitted_of(Arena *a, const Costs *c, const Validation *v)
{
    Fitted f = {a,
                c,
                v,
                ARENA_ARRAY(a, FitPoint, v->noutcome + 1),
                ARENA_ARRAY(a, int, v->noutcome + 1),
                ARENA_ARRAY(a, uint32_t, v->noutcome + 1),
                0};
    for (size_t i = 0; i < v->noutcome; i++) {
        const PointOutcome *o = &v->outcome[i];
        if (!o->fitted)
            continue;
        f.point[f.n] = o->fit;
        f.index[f.n] = (uint32_t)i;
        f.group[f.n] = (int)f.n;
        for (size_t k = 0; k < f.n; k++) { /* of one network? */
            const PublishedPoint *p = v->outcome[f.index[k]].point;
            if (p->pe == o->point->pe && strcmp(p->flags, o->point->flags) == 0)
                f.group[f.n] = f.group[k];
        }
        f.n++;
    }
    return f;
}

/* Score of NPU times ns[i], with the relative width that the file's figures give the interval. */
static Score score_of(const Fitted *f, const double *ns, const bool *only)
{
    double *measured = ARENA_ARRAY(f->arena, double, f->n + 1);
    Interval *predicted = ARENA_ARRAY(f->arena, Interval, f->n + 1);
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (only && !only[i])
            continue;
        Interval file = f->validation->outcome[f->index[i]].predicted_ns;
        measured[n] = f->point[i].measured_ns;
        predicted[n++] =
            file.mid > 0 ? interval_scale(file, ns[i] / file.mid) : interval_exact(ns[i]);
    }
    return score(f->arena, measured, predicted, n);
}

static double mean_left_out(const Fitted *f, const Costs *c)
{
    CrossValidation cv;
    crossvalidate(f->arena, c, f->point, f->n, f->group, &cv);
    return score_of(f, cv.left_out_ns, NULL).mean_abs_error;
}

/* Each fitted figure in turn is taken from the data sheet, the others are fitted anew. */
static void check_figures(const Fitted *f, const CrossValidation *cv, FitReport *r)
{
    for (size_t i = 0; i < cv->nterm; i++) {
        int t = cv->term[i];
        FigureCheck check = {&f->costs->term_info[t], f->costs->term[t].figure, cv->value[i], 0};
        if (f->costs->physical) {
            Costs without = *f->costs;
            without.term[t].figure = f->costs->physical->term[t].figure;
            without.term_info[t].kind = KIND_DATASHEET;
            check.mean_without = mean_left_out(f, &without);
        }
        assert(r->nfigure < TERM_MAX);
        r->figure[r->nfigure++] = check;
    }
}

/* Pairs of one network on one and on two PEs, both as NPU time. */
static void check_pairs(const Fitted *f, const double *ns, FitReport *r)
{
    double sum = 0;
    for (size_t i = 0; i < f->n; i++) {
        const PublishedPoint *one = f->validation->outcome[f->index[i]].point;
        for (size_t k = 0; k < f->n; k++) {
            const PublishedPoint *two = f->validation->outcome[f->index[k]].point;
            if (one->pe != 1 || two->pe != 2 || strcmp(one->flags, two->flags) ||
                strcmp(one->metric, "npu_ms") || strcmp(two->metric, "npu_ms"))
                continue;
            double measured = f->point[i].measured_ns / f->point[k].measured_ns;
            double predicted = ns[i] / ns[k];
            sum += fabs(predicted / measured - 1);
            r->wrong_side += (measured > 2) != (predicted > 2);
            r->npair++;
        }
    }
    r->pair_mean_error = r->npair ? sum / (double)r->npair : 0;
}

static void check_held(const Fitted *f, const char *name, FitReport *r)
{
    bool *held = ARENA_ARRAY(f->arena, bool, f->n + 1);
    double value[TERM_MAX], *ns = ARENA_ARRAY(f->arena, double, f->n + 1);
    for (size_t i = 0; i < f->n; i++) {
        held[i] = strstr(f->validation->outcome[f->index[i]].point->model, name) != NULL;
        r->nheld += held[i];
    }
    if (r->nheld + FIT_POINTS_MIN > f->n)
        return;
    crossvalidate_fit(f->arena, f->costs, f->point, f->n, held, value, ns);
    r->held = score_of(f, ns, held);
}

static void check_physical(const Fitted *f, FitReport *r)
{
    double *ns = ARENA_ARRAY(f->arena, double, f->n + 1);
    for (size_t i = 0; i < f->n && f->costs->physical; i++) {
        double work[TERM_MAX];
        crossvalidate_work(f->validation->outcome[f->index[i]].program, f->costs->physical, work);
        for (int t = 0; t < f->costs->nterm; t++)
            ns[i] += costs_term_ns(f->costs->physical, t, work[t]);
    }
    r->physical = score_of(f, ns, NULL);
}

void validate_fit(Arena *a, const Costs *c, const ValidateRequest *q, Validation *v)
{
    Fitted f = fitted_of(a, c, v);
    FitReport r = {.left_out_ns = ARENA_ARRAY(a, double, v->noutcome + 1),
                   .family_out_ns = ARENA_ARRAY(a, Interval, v->noutcome + 1)};
    v->has_fit = f.n >= FIT_POINTS_MIN;
    if (!v->has_fit)
        return;
    CrossValidation cv;
    crossvalidate(a, c, f.point, f.n, f.group, &cv);
    r.left_out = score_of(&f, cv.left_out_ns, NULL);
    r.in_sample = score_of(&f, cv.in_sample_ns, NULL);
    check_physical(&f, &r);
    check_figures(&f, &cv, &r);
    check_pairs(&f, cv.left_out_ns, &r);
    if (q->hold_out)
        check_held(&f, q->hold_out, &r);
    validate_families(a, c, f.point, f.index, f.n, v->outcome, &r.families);
    for (size_t i = 0; i < f.n; i++)
        r.family_out_ns[f.index[i]] =
            interval_scale(r.families.predicted_ns[i], v->outcome[f.index[i]].fit_scale);
    for (size_t i = 0; i < f.n; i++)
        r.left_out_ns[f.index[i]] = cv.left_out_ns[i] * v->outcome[f.index[i]].fit_scale;
    v->fit = r;
}

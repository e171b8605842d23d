/* Fits the figures without one family of networks at a time, and computes how wide intervals must
 * be to hold that family.
 *
 * Points of one network, and networks of one family, are off together: a point left out by itself
 * is predicted by its own brothers.  So each family leaves in turn.  Its intervals are those of the
 * target file, as many times as wide as the other families need for 90 % of their points, each of
 * them left out in its turn: nothing of the family itself is in them. */
#include "advisor/validation/validate.h"

#include "cost_model/interval.h"
#include "graph/base/statistics.h"

#define HELD 0.9

typedef struct {
    Arena *arena;
    const Costs *costs;
    const FitPoint *point;
    const PointOutcome **outcome;
    const char **family;
    size_t n;
    double *ns;      /* of each point, by the fit without its family … */
    Interval *reach; /* … and how far either way, as a multiple of it, the target file thinks */
    bool *skip;      /* scratch */
} Families;

/* The family that the points file states; else networks are of one when they are made of the same
 * kinds of operators. */
static const char *family_of(Arena *a, const PointOutcome *o)
{
    if (o->point->family)
        return o->point->family;
    static_assert(LOWOP_KIND_COUNT <= 64, "a bit for each kind");
    uint64_t kinds = 0;
    for (size_t i = 0; i < o->program->nop; i++)
        kinds |= UINT64_C(1) << o->program->op[i].kind;
    const uint64_t edge = UINT64_C(1) << LOWOP_LOWER | UINT64_C(1) << LOWOP_UNLOWER |
                          UINT64_C(1) << LOWOP_TRANSPOSE | UINT64_C(1) << LOWOP_MASK;
    return arena_printf(a, "kinds %llx", (unsigned long long)(kinds & ~edge));
}

static bool is_of(const Families *f, size_t i, const char *family)
{
    return family && strcmp(f->family[i], family) == 0;
}

/* What the fit without the family says of all points. */
static void predict_without(Families *f, const char *family, double *ret_ns)
{
    double value[TERM_MAX];
    for (size_t i = 0; i < f->n; i++)
        f->skip[i] = is_of(f, i, family);
    crossvalidate_fit(f->arena, f->costs, f->point, f->n, f->skip, value, ret_ns);
}

/* Relative interval of the point, by the target file. */
static Interval reach_of(const Families *f, size_t point)
{
    RunOptions run = {.workers = 1, .devices = 1};
    Arena *scratch = arena_new(0);
    Interval v = predict(scratch, f->outcome[point]->program, f->costs, &run)->npu_ns;
    arena_free(scratch);
    return v.mid > 0 && v.lo > 0 ? interval_scale(v, 1 / v.mid) : (Interval){0.5, 1, 2};
}

/* How many times the interval the error is. */
static double error_in_intervals(double ns, double measured_ns, Interval reach)
{
    double off = log(measured_ns / ns);
    double side = off > 0 ? log(reach.hi) : -log(reach.lo);
    return side > 0 ? fabs(off) / side : INFINITY;
}

/* The conformal quantile: of n errors and the one to come, as many as `HELD` lie below. */
static double conformal_quantile(double *score, size_t n)
{
    size_t rank = (size_t)ceil(HELD * (double)(n + 1));
    if (n == 0)
        return 1;
    statistics_sort_reals(score, n);
    return score[(rank < n ? rank : n) - 1];
}

/* Of the points of families other than `left` (NULL: none), each with its own family left out. */
static double width_of_others(const Families *f, const char *left)
{
    double *score = ARENA_ARRAY(f->arena, double, f->n + 1);
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        if (!is_of(f, i, left))
            score[n++] = error_in_intervals(f->ns[i], f->point[i].measured_ns, f->reach[i]);
    return conformal_quantile(score, n);
}

/* Each family leaves once. */
static void predict_held_out(Families *f)
{
    double *ns = ARENA_ARRAY(f->arena, double, f->n + 1);
    for (size_t i = 0; i < f->n; i++) {
        if (f->ns[i] > 0)
            continue;
        predict_without(f, f->family[i], ns);
        for (size_t k = i; k < f->n; k++)
            if (is_of(f, k, f->family[i])) {
                f->ns[k] = ns[k];
                f->reach[k] = reach_of(f, k);
            }
    }
}

static Score score_family(const Families *f, const Interval *predicted, const char *family)
{
    double *measured = ARENA_ARRAY(f->arena, double, f->n);
    Interval *v = ARENA_ARRAY(f->arena, Interval, f->n);
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        if (!family || is_of(f, i, family)) {
            measured[n] = f->point[i].measured_ns;
            v[n++] = predicted[i];
        }
    return score(f->arena, measured, v, n);
}

void validate_families(Arena *a, const Costs *c, const FitPoint *point, const uint32_t *index,
                       size_t n, const PointOutcome *outcome, FamilyReport *ret)
{
    Families f = {.arena = a, .costs = c, .point = point, .n = n};
    f.outcome = ARENA_ARRAY(a, const PointOutcome *, n + 1);
    f.family = ARENA_ARRAY(a, const char *, n + 1);
    f.skip = ARENA_ARRAY(a, bool, n + 1);
    f.ns = ARENA_ARRAY(a, double, n + 1);
    f.reach = ARENA_ARRAY(a, Interval, n + 1);
    for (size_t i = 0; i < n; i++) {
        f.outcome[i] = &outcome[index[i]];
        f.family[i] = family_of(a, f.outcome[i]);
    }
    predict_held_out(&f);
    FamilyReport r = {.predicted_ns = ARENA_ARRAY(a, Interval, n + 1),
                      .family = ARENA_ARRAY(a, FamilyScore, n + 1),
                      .width = width_of_others(&f, NULL)};
    for (size_t i = 0; i < n; i++) {
        if (r.predicted_ns[i].mid > 0)
            continue;
        double times = width_of_others(&f, f.family[i]);
        for (size_t k = i; k < n; k++)
            if (is_of(&f, k, f.family[i]))
                r.predicted_ns[k] = (Interval){f.ns[k] * pow(f.reach[k].lo, times), f.ns[k],
                                               f.ns[k] * pow(f.reach[k].hi, times)};
        const PublishedPoint *first = f.outcome[i]->point;
        r.family[r.nfamily++] = (FamilyScore){first->family, first->model,
                                              score_family(&f, r.predicted_ns, f.family[i]), times};
    }
    assert(r.nfamily > 0 && r.nfamily <= n);
    r.all = score_family(&f, r.predicted_ns, NULL);
    *ret = r;
}

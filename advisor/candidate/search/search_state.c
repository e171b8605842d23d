/* Adds builds and their points to the search and updates the best point. */
#include "advisor/candidate/search/search_state.h"

#include <math.h>

static bool point_beats(const SearchState *r, const TunePoint *x, const TunePoint *y)
{
    return front_is_better(r->g->objective, front_value(x, r->g->objective),
                           front_value(y, r->g->objective));
}

static void update_best_point(SearchState *r, size_t from)
{
    PointList *l = &r->out->points;
    for (size_t i = from; i < l->n; i++)
        if (front_meets_limit(&l->point[i], r->g) &&
            (!r->out->found || point_beats(r, &l->point[i], &r->out->best))) {
            r->out->best = l->point[i];
            r->out->found = true;
        }
}

const Build *search_add(SearchState *r, const PartSet *set, int pe, int64_t batch)
{
    size_t before = r->out->builds->nbuild, compiled = r->out->builds->ncompiled;
    const Build *x = builds_get(r->out->builds, set, pe, batch);
    if (r->out->builds->nbuild == before)
        return x;
    compiled = r->out->builds->ncompiled - compiled;
    r->budget = r->budget > compiled ? r->budget - compiled : 0;
    size_t from = r->out->points.n;
    front_add(&r->out->points, r->s, x);
    update_best_point(r, from);
    return x;
}

double search_bound(const SearchState *r, double bound)
{
    if (!r->out->found)
        return INFINITY;
    double best = front_value(&r->out->best, r->g->objective);
    if (!(best > 0) || !front_is_better(r->g->objective, bound, best))
        return 0;
    return r->g->objective == OBJECTIVE_LATENCY ? 1 - bound / best : bound / best - 1;
}

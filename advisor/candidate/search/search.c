/* Runs the searches within their budgets and chooses among the best points. */
#include "advisor/candidate/search/search_state.h"

static void take_all(SearchState *r)
{
    for (size_t i = 0; i < r->nset; i++)
        for (size_t m = 0; m < r->s->npe; m++)
            for (size_t b = 0; b < r->s->nbatch; b++)
                search_add(r, &r->set[i], r->s->pe[m], r->s->batch[b]);
}

/* ---- the choice ---- */

/* The value that the choice has to reach: nearly the best, and all known results. */
static double choice_threshold(const SearchState *r)
{
    const double *known = r->from->known;
    Objective o = r->g->objective;
    double best = front_value(&r->out->best, o);
    double least =
        o == OBJECTIVE_LATENCY ? best * (1 + CHOICE_TOLERANCE) : best * (1 - CHOICE_TOLERANCE);
    for (size_t i = 0; i < r->from->nknown; i++)
        if (front_is_better(o, known[i], least))
            least = front_is_better(o, known[i], best) ? best : known[i];
    return least;
}

/* Whether it is as good as the best. */
static bool is_as_good(const SearchState *r, const TunePoint *p, double least)
{
    return front_meets_limit(p, r->g) &&
           !front_is_better(r->g->objective, least, front_value(p, r->g->objective));
}

/* Chooses the point with the fewest needs among those as good, unless latency suffers. */
static void choose_point(SearchState *r)
{
    const PointList *l = &r->out->points;
    double least = choice_threshold(r);
    TunePoint soon = r->out->best;
    for (size_t i = 0; i < l->n; i++)
        if (is_as_good(r, &l->point[i], least) && front_compare_needs(&l->point[i], &soon) <= 0 &&
            (front_compare_needs(&l->point[i], &soon) < 0 ||
             l->point[i].latency_ns < soon.latency_ns))
            soon = l->point[i];
    r->out->chosen = soon;
    for (size_t i = 0; i < l->n; i++) {
        const TunePoint *p = &l->point[i];
        if (is_as_good(r, p, least) && p->latency_ns <= soon.latency_ns * CHOICE_WAITS &&
            front_is_simpler(p, &r->out->chosen))
            r->out->chosen = *p;
    }
}

static void search_baseline(SearchState *r)
{
    const Variant *now = &r->s->w->baseline.variant;
    const PartSet none = {{0}};
    const Build *x = search_add(r, &none, now->compile.pe, now->compile.batch);
    r->out->baseline = front_point(r->s, x, now->run.workers, now->run.devices);
}

static size_t work_of(const Space *s)
{
    const Program *p = s->w->baseline.program;
    return p->model->graph->nnode + p->nop + 1;
}

static size_t budget_of(const Space *s, size_t work)
{
    size_t n = work / work_of(s);
    return n > BUILDS_MIN ? n : BUILDS_MIN;
}

/* All of it, or from the largest bound down. */
static void search_all(SearchState *r)
{
    r->budget = WORK_OF_SEARCH / work_of(r->s);
    r->set = space_sets(r->a, r->s, SETS_MAX, &r->nset);
    search_baseline(r);
    bool small = r->nset * r->s->npe * r->s->nbatch <= r->budget;
    if (small)
        take_all(r);
    else
        search_by_bounds(r);
    search_between(r);
    r->out->searched.exhaustive = small && !r->s->nleft_out;
}

static void search_some(SearchState *r)
{
    r->budget = budget_of(r->s, WORK_NEAR);
    r->out->searched.near = true;
    search_baseline(r);
    search_near(r);
    r->budget = budget_of(r->s, WORK_OF_CURVES);
    if (r->from->curves)
        search_curves(r);
}

void search_run(Search *ret, Arena *a, const Space *s, const Goal *g, const SearchFrom *from,
                TuneWatch watch)
{
    *ret = (Search){.points = {.a = a}};
    ret->builds = ARENA_NEW(a, Builds);
    builds_init(ret->builds, a, s, watch);
    SearchState r = {.a = a, .out = ret, .s = s, .g = g, .from = from};
    if (from->reach == SEARCH_NEAR)
        search_some(&r);
    else
        search_all(&r);
    ret->searched.points = ret->points.seen;
    ret->searched.builds = ret->builds->nbuild;
    ret->searched.compiled = ret->builds->ncompiled;
    if (ret->found)
        choose_point(&r);
}

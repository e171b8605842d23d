/* Climbs to the best set of changes and settings, and chooses among points that are as good. */
#include "advisor/candidate/search/search.h"
#include "advisor/rules/need.h"

const Build *search_add(Search *r, const PartSet *set, int pe, int64_t batch)
{
    size_t before = r->builds->nbuild, compiled = r->builds->ncompiled;
    const Build *x = builds_get(r->builds, set, pe, batch);
    if (r->builds->nbuild == before)
        return x;
    compiled = r->builds->ncompiled - compiled;
    r->budget = r->budget > compiled ? r->budget - compiled : 0;
    Build *own = r->builds->build[before];
    own->point = r->points.n;
    front_add(&r->points, r->space, x);
    own->npoint = r->points.n - own->point;
    return x;
}

static size_t builds_within(const Space *s, size_t work)
{
    const Program *p = s->w->baseline.program;
    size_t n = work / (p->model->graph->nnode + p->nop + 1);
    return n > SEARCH_BUILDS_MIN ? n : SEARCH_BUILDS_MIN;
}

/* Takes the whole space, if the budget suffices. */
static void take_all(Search *r)
{
    const Space *s = r->space;
    size_t n = 0, most = r->budget / (s->npe * s->nbatch);
    const PartSet *set = most ? space_sets(r->a, s, most, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < s->npe; m++)
            for (size_t b = 0; b < s->nbatch; b++)
                search_add(r, &set[i], s->pe[m], s->batch[b]);
    r->exhaustive = n > 0;
}

void search_open(Search *ret, Arena *a, const Space *s, Goal g, double min_share, size_t work,
                 TuneWatch watch)
{
    const Variant *now = &s->w->baseline.variant;
    const PartSet none = {{0}};
    *ret = (Search){.a = a, .space = s, .goal = g, .points = {.a = a}};
    ret->min_share = fmin(min_share, SEARCH_SIMPLER);
    ret->builds = ARENA_NEW(a, Builds);
    builds_init(ret->builds, a, s, watch);
    ret->budget = builds_within(s, work);
    const Build *x = search_add(ret, &none, now->compile.pe, now->compile.batch);
    ret->baseline = front_point(s, x, now->run.workers, now->run.devices);
    take_all(ret);
}

/* ---- points ---- */

/* A rate that is lower by this share is not lower. */
#define RATE_KEPT 0.001

static bool is_allowed(const Search *r, const TunePoint *p, NeedSet allowed)
{
    const RunOptions *now = &r->space->w->baseline.variant.run;
    if (p->needs & ~allowed || p->devices != now->devices)
        return false;
    return r->goal.objective == OBJECTIVE_THROUGHPUT ||
           (p->workers == now->workers && p->per_s >= r->baseline.per_s * (1 - RATE_KEPT));
}

/* A point within the limit is better than one outside; outside, the smaller latency is better. */
static bool is_better(const Goal *g, const TunePoint *x, const TunePoint *y)
{
    bool keeps = front_meets_limit(x, g), other = front_meets_limit(y, g);
    if (keeps != other)
        return keeps;
    Objective o = keeps ? g->objective : OBJECTIVE_LATENCY;
    return front_is_better(o, front_value(x, o), front_value(y, o));
}

/* The best of a build's points; NULL: none is allowed. */
static const TunePoint *best_of_build(const Search *r, const Build *x, NeedSet allowed)
{
    const TunePoint *best = NULL;
    for (size_t i = 0; i < x->npoint; i++) {
        const TunePoint *p = &r->points.point[x->point + i];
        if (is_allowed(r, p, allowed) && (!best || is_better(&r->goal, p, best)))
            best = p;
    }
    return best;
}

/* ---- climbing ---- */

typedef struct {
    Search *r;
    NeedSet allowed;
    bool any, moved;
    TunePoint at;
} Climb;

static void try_build(Climb *k, const PartSet *set, int pe, int64_t batch)
{
    Search *r = k->r;
    bool known = builds_known(r->builds, set, pe, batch) != NULL;
    if ((!known && r->budget == 0) || !space_fits(r->space, set) ||
        space_needs(r->space, set) & ~k->allowed)
        return;
    const TunePoint *p = best_of_build(r, search_add(r, set, pe, batch), k->allowed);
    if (!p || (k->any && !is_better(&r->goal, p, &k->at)))
        return;
    k->moved |= k->any && p->build != k->at.build;
    k->at = *p;
    k->any = true;
}

static void try_set(Climb *k, const PartSet *set)
{
    try_build(k, set, k->at.build->pe, k->at.build->batch);
}

/* Drops the changes that the new one excludes. */
static PartSet flip_change(const Space *s, PartSet set, size_t i, int way)
{
    set.way[i] = (uint8_t)way;
    for (size_t j = 0; j < s->npart && way != SET_LEFT; j++)
        if (j != i && set.way[j] && space_excludes(s, &set, i, j))
            set.way[j] = SET_LEFT;
    return set;
}

/* A change that cannot be made together with the others, as a cut that takes away what others edit,
 * in place of one or two of them. */
static void try_in_place(Climb *k, const PartSet *set, size_t i)
{
    const Build *now = k->at.build;
    const Build *x = builds_known(k->r->builds, set, now->pe, now->batch);
    if (!x || x->fits || set->way[i] == SET_LEFT)
        return;
    for (size_t j = 0; j < k->r->space->npart; j++)
        for (size_t m = j; m < k->r->space->npart; m++) {
            PartSet other = *set;
            other.way[j] = other.way[m] = SET_LEFT;
            if (set->way[j] && set->way[m] && other.way[i])
                try_set(k, &other);
        }
}

static void try_changes(Climb *k)
{
    const Space *s = k->r->space;
    for (size_t i = 0; i < s->npart; i++)
        for (int way = SET_LEFT; way <= (int)s->part[i].nattempt; way++) {
            PartSet set = flip_change(s, k->at.build->set, i, way);
            if (way == k->at.build->set.way[i])
                continue;
            try_set(k, &set);
            try_in_place(k, &set, i);
        }
}

static void try_settings(Climb *k)
{
    const Space *s = k->r->space;
    const PartSet set = k->at.build->set;
    for (size_t m = 0; m < s->npe; m++)
        for (size_t b = 0; b < s->nbatch; b++)
            try_build(k, &set, s->pe[m], s->batch[b]);
}

/* One change and the next batch at once: each may exceed a limit that both keep. */
static void try_next_batches(Climb *k)
{
    const Space *s = k->r->space;
    const Build *now = k->at.build;
    for (size_t b = 0; b < s->nbatch; b++) {
        bool next = s->batch[b] == 2 * now->batch || 2 * s->batch[b] == now->batch;
        for (size_t i = 0; next && i < s->npart; i++) {
            int way = now->set.way[i] ? SET_LEFT : 1;
            PartSet set = flip_change(s, now->set, i, way);
            try_build(k, &set, now->pe, s->batch[b]);
        }
    }
}

enum { PAIRED_MAX = 6 };

/* Two changes of which neither helps without the other. */
static void try_pairs(Climb *k)
{
    const Space *s = k->r->space;
    size_t left[PAIRED_MAX], n = 0;
    for (size_t i = 0; i < s->npart && n < PAIRED_MAX; i++)
        if (k->at.build->set.way[i] == SET_LEFT)
            left[n++] = i;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            for (int x = 1; x <= (int)s->part[left[i]].nattempt; x++)
                for (int y = 1; y <= (int)s->part[left[j]].nattempt; y++) {
                    PartSet set = flip_change(s, k->at.build->set, left[i], x);
                    set = flip_change(s, set, left[j], y);
                    if (set.way[left[i]])
                        try_set(k, &set);
                }
}

static TunePoint climb_from(Search *r, NeedSet allowed, const Build *from)
{
    Climb k = {.r = r, .allowed = allowed};
    try_build(&k, &from->set, from->pe, from->batch);
    while (k.any) {
        k.moved = false;
        try_changes(&k);
        try_settings(&k);
        if (!k.moved)
            try_next_batches(&k);
        if (!k.moved)
            try_pairs(&k);
        if (!k.moved)
            break;
    }
    return k.any ? k.at : r->baseline;
}

/* ---- the choice ---- */

static bool is_as_good(const Search *r, const TunePoint *p, double best, double share)
{
    Objective o = r->goal.objective;
    return front_meets_limit(p, &r->goal) &&
           !front_is_better(
               o, r->goal.objective == OBJECTIVE_LATENCY ? best * (1 + share) : best * (1 - share),
               front_value(p, o));
}

/* Whether `x` is to be preferred among points that are as good; of rates, for its latency. */
static bool is_preferred(Objective o, const TunePoint *x, const TunePoint *y)
{
    double a = front_total_ns(x), b = front_total_ns(y);
    size_t needs = need_count(x->needs), other = need_count(y->needs);
    if (o == OBJECTIVE_THROUGHPUT && fabs(a - b) > SEARCH_AS_GOOD * fmin(a, b))
        return a < b;
    return needs != other ? needs < other : a < b;
}

/* Of points that are as good as `best`, the one with the fewest needs; of rates, that with the
 * lowest latency. */
static TunePoint prefer_as_good(const Search *r, NeedSet allowed, TunePoint best)
{
    Objective o = r->goal.objective;
    double value = front_value(&best, o);
    TunePoint chosen = best;
    for (size_t i = 0; i < r->points.n; i++) {
        const TunePoint *p = &r->points.point[i];
        if (is_allowed(r, p, allowed) && is_as_good(r, p, value, SEARCH_AS_GOOD) &&
            is_preferred(o, p, &chosen))
            chosen = *p;
    }
    return chosen;
}

/* Of rates, down to the knee: as long as little rate buys much latency.  Then the point with the
 * fewest changes among those that are no worse by more than a small share. */
static TunePoint prefer_point(const Search *r, NeedSet allowed, TunePoint best)
{
    Objective o = r->goal.objective;
    TunePoint chosen = prefer_as_good(r, allowed, best), next, simple;
    while (o == OBJECTIVE_THROUGHPUT &&
           (next = prefer_as_good(r, allowed, chosen),
            front_total_ns(&chosen) > SEARCH_KNEE * front_total_ns(&next)))
        chosen = next;
    simple = chosen;
    for (size_t i = 0; i < r->points.n; i++) {
        const TunePoint *p = &r->points.point[i];
        if (is_allowed(r, p, allowed) && need_count(p->needs) <= need_count(chosen.needs) &&
            is_as_good(r, p, front_value(&chosen, o), r->min_share) &&
            front_total_ns(p) <= front_total_ns(&chosen) * (1 + r->min_share) &&
            front_is_simpler(p, &simple))
            simple = *p;
    }
    return simple;
}

/* The same without each of its changes and settings. */
static void add_simpler(Search *r, const TunePoint *p)
{
    const CompileOptions *now = &r->space->w->baseline.variant.compile;
    const Build *x = p->build;
    for (size_t i = 0; i < r->space->npart; i++) {
        PartSet set = x->set;
        set.way[i] = SET_LEFT;
        if (x->set.way[i] && space_fits(r->space, &set))
            search_add(r, &set, x->pe, x->batch);
    }
    search_add(r, &x->set, now->pe, x->batch);
    search_add(r, &x->set, x->pe, now->batch);
}

/* The better of `best` and all points that are known. */
static TunePoint best_known(const Search *r, NeedSet allowed, TunePoint best)
{
    for (size_t i = 0; i < r->points.n; i++) {
        const TunePoint *p = &r->points.point[i];
        if (is_allowed(r, p, allowed) && is_better(&r->goal, p, &best))
            best = *p;
    }
    return best;
}

bool search_route(Search *r, NeedSet allowed, const TunePoint *from, TunePoint *ret)
{
    TunePoint best = climb_from(r, allowed, r->baseline.build);
    if (from)
        climb_from(r, allowed, from->build);
    best = best_known(r, allowed, best);
    TunePoint last = {0};
    for (*ret = best; ret->build != last.build;) {
        last = *ret;
        add_simpler(r, ret);
        *ret = prefer_point(r, allowed, best);
    }
    return front_meets_limit(ret, &r->goal);
}

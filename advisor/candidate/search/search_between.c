/* Searches between the batches that were compiled, where a latency limit may leave room. */
#include "advisor/candidate/search/search_state.h"

#include <math.h>
#include <string.h>

enum { BETWEEN_MAX = 256 }; /* builds */

/* Two neighbours of one set in one mode. */
typedef struct {
    const Build *small, *large;
    double bound; /* throughput of what lies between them at most; 0: nothing */
} Gap;

/* The smaller batch's latency with the better throughput. */
static double bound_of(const SearchState *r, const Gap *x, int devices)
{
    TunePoint *soon = ARENA_ARRAY(r->a, TunePoint, WORKERS_MAX),
              *more = ARENA_ARRAY(r->a, TunePoint, WORKERS_MAX);
    int n = front_max_workers(r->s, x->small, devices),
        most = front_max_workers(r->s, x->large, devices);
    double best = 0;
    n = n > most ? n : most;
    front_sweep(r->s, x->small, n, devices, soon);
    front_sweep(r->s, x->large, n, devices, more);
    for (int k = 0; k < n; k++)
        if (front_meets_limit(&soon[k], r->g))
            best = fmax(best, fmax(soon[k].per_s, more[k].per_s));
    return best;
}

static void set_bound(const SearchState *r, Gap *x)
{
    bool apart = x->large->batch - x->small->batch > 1 && x->small->fits && x->large->fits;
    x->bound = 0;
    if (apart)
        x->bound = bound_of(r, x, r->s->w->baseline.variant.run.devices);
}

/* The next larger batch of the same set and mode; NULL when there is none. */
static const Build *next_of(const SearchState *r, const Build *x)
{
    const Builds *b = r->out->builds;
    const Build *next = NULL;
    for (size_t i = 0; i < b->nbuild; i++) {
        const Build *y = b->build[i];
        if (y->pe == x->pe && y->batch > x->batch && !memcmp(&y->set, &x->set, sizeof x->set) &&
            (!next || y->batch < next->batch))
            next = y;
    }
    return next;
}

static Gap *gaps_of(SearchState *r, size_t *ret_count)
{
    const Builds *b = r->out->builds;
    Gap *list = ARENA_ARRAY(r->a, Gap, b->nbuild + 2 * BETWEEN_MAX);
    size_t n = 0;
    for (size_t i = 0; i < b->nbuild; i++) {
        Gap x = {b->build[i], next_of(r, b->build[i]), 0};
        if (!x.large)
            continue;
        set_bound(r, &x);
        list[n++] = x;
    }
    *ret_count = n;
    return list;
}

static size_t widest_gap(const Gap *list, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (list[i].bound > list[best].bound)
            best = i;
    return best;
}

/* Improvements within the tolerance of the choice are not searched. */
void search_between(SearchState *r)
{
    size_t n = 0;
    if (r->g->objective != OBJECTIVE_THROUGHPUT || !(r->g->limit_ns > 0) ||
        !r->s->open[AXIS_BATCH] || !r->out->found)
        return;
    Gap *list = gaps_of(r, &n);
    for (int k = 0; n && k < BETWEEN_MAX; k++) {
        Gap *x = &list[widest_gap(list, n)];
        if (search_bound(r, x->bound) <= CHOICE_TOLERANCE)
            break;
        int64_t middle = x->small->batch + (x->large->batch - x->small->batch) / 2;
        const Build *y = search_add(r, &x->small->set, x->small->pe, middle);
        list[n] = (Gap){y, x->large, 0};
        x->large = y;
        set_bound(r, x);
        set_bound(r, &list[n++]);
    }
    double left = n ? search_bound(r, list[widest_gap(list, n)].bound) : 0;
    if (left > CHOICE_TOLERANCE && left > r->out->searched.gap)
        r->out->searched.gap = left;
}

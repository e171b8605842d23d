/* Bounds builds by a relaxed problem and compiles them from the largest bound down. */
#include "advisor/candidate/search/search_state.h"

#include "cost_model/queueing.h"
#include "graph/base/compare.h"

#include <math.h>
#include <stdlib.h>

enum { STATIONS = 3 };

static double *resource_demand(QueueDemand *d, int k)
{
    return k == 0 ? &d->npu_ns : k == 1 ? &d->host_ns : &d->pcie_ns;
}

/* Most that a set takes from what each station, the delay and a request alone need per image. */
typedef struct {
    double loaded[STATIONS], alone[STATIONS], delay, latency;
    double application;
} Saving;

static double per_image(double x, const Build *b)
{
    return x / b->images;
}

static void raise_max(double *most, double x)
{
    *most = fmax(*most, x);
}

static void note_saving(Saving *most, const Build *without, const Build *with)
{
    Build x = *without, y = *with;
    for (int k = 0; k < STATIONS; k++) {
        raise_max(&most->loaded[k], per_image(*resource_demand(&x.loaded, k), &x) -
                                        per_image(*resource_demand(&y.loaded, k), &y));
        raise_max(&most->alone[k], per_image(*resource_demand(&x.alone, k), &x) -
                                       per_image(*resource_demand(&y.alone, k), &y));
    }
    raise_max(&most->delay, per_image(x.loaded.delay_ns, &x) - per_image(y.loaded.delay_ns, &y));
    raise_max(&most->application,
              per_image(x.loaded.application_ns, &x) - per_image(y.loaded.application_ns, &y));
    raise_max(&most->latency, per_image(x.latency_ns, &x) - per_image(y.latency_ns, &y));
}

static void lower(double *x, double by)
{
    *x = fmax(0, *x - by);
}

/* The build at best. */
static Build relax_build(const Build *without, const Saving *most, const PartSet *set)
{
    Build x = *without;
    double n = x.images;
    x.set = *set;
    for (int k = 0; k < STATIONS; k++) {
        lower(resource_demand(&x.loaded, k), most->loaded[k] * n);
        lower(resource_demand(&x.alone, k), most->alone[k] * n);
    }
    lower(&x.loaded.delay_ns, most->delay * n);
    lower(&x.alone.delay_ns, most->delay * n);
    lower(&x.loaded.application_ns, most->application * n);
    lower(&x.alone.application_ns, most->application * n);
    lower(&x.latency_ns, most->latency * n);
    return x;
}

/* ---- branch and bound ---- */

typedef struct {
    PartSet set;
    int pe;
    int64_t batch;
    Objective objective;
    bool any; /* a point of the relaxed build keeps the limit */
    double bound;
    size_t order;
} Branch;

static void set_bound(const SearchState *r, Arena *scratch, Branch *x, const Build *relaxed_build)
{
    PointList l = {.a = scratch};
    Objective o = r->g->objective;
    front_add(&l, r->s, relaxed_build);
    for (size_t i = 0; i < l.n; i++) {
        double value = front_value(&l.point[i], o);
        if (front_meets_limit(&l.point[i], r->g) &&
            (!x->any || front_is_better(o, value, x->bound))) {
            x->any = true;
            x->bound = value;
        }
    }
}

/* The batch whose build without changes reaches most. */
static int64_t best_batch(SearchState *r, int pe)
{
    const PartSet none = {{0}};
    double most = -1;
    int64_t best = r->s->batch[0];
    for (size_t b = 0; b < r->s->nbatch; b++) {
        const Build *x = search_add(r, &none, pe, r->s->batch[b]);
        double per_s = x->fits ? queueing_ceiling(&x->loaded) * x->images : 0;
        if (per_s > most * (1 + CHOICE_TOLERANCE)) {
            most = per_s;
            best = r->s->batch[b];
        }
    }
    return best;
}

static void add_branches(SearchState *r, Branch **list, size_t *n, size_t *cap, size_t i, int pe,
                         int64_t batch)
{
    const PartSet none = {{0}};
    const int64_t probe[] = {r->s->batch[0], batch};
    Saving most = {.delay = 0};
    Arena *scratch = arena_new(0);
    for (size_t k = 0; k < sizeof probe / sizeof *probe; k++) {
        const Build *x = search_add(r, &r->set[i], pe, probe[k]),
                    *y = search_add(r, &none, pe, probe[k]);
        if (x->fits && y->fits)
            note_saving(&most, y, x);
    }
    for (size_t b = 0; b < r->s->nbatch; b++) {
        const Build *y = search_add(r, &none, pe, r->s->batch[b]);
        Build x = relax_build(y, &most, &r->set[i]);
        Branch branch = {.set = r->set[i],
                         .pe = pe,
                         .batch = r->s->batch[b],
                         .objective = r->g->objective,
                         .order = *n};
        if (r->s->batch[b] == probe[0] || r->s->batch[b] == probe[1])
            continue; /* they are compiled */
        set_bound(r, scratch, &branch, &x);
        *VEC_PUSH(r->a, *list, *n, *cap) = branch;
    }
    arena_free(scratch);
}

static int by_bound(const void *pa, const void *pb)
{
    const Branch *a = pa, *b = pb;
    if (a->any != b->any)
        return a->any ? -1 : 1;
    if (a->any && a->bound != b->bound)
        return front_is_better(a->objective, a->bound, b->bound) ? -1 : 1;
    return COMPARE(a->order, b->order);
}

void search_by_bounds(SearchState *r)
{
    Branch *list = NULL;
    size_t n = 0, cap = 0, i = 0;
    for (size_t m = 0; m < r->s->npe; m++) {
        int64_t batch = best_batch(r, r->s->pe[m]);
        for (size_t k = 0; k < r->nset; k++)
            add_branches(r, &list, &n, &cap, k, r->s->pe[m], batch);
    }
    if (n)
        qsort(list, n, sizeof *list, by_bound);
    for (; i < n && list[i].any && search_bound(r, list[i].bound) > 0 && r->budget > 0; i++)
        search_add(r, &list[i].set, list[i].pe, list[i].batch);
    r->out->searched.cut = n - i;
    r->out->searched.gap = i < n && list[i].any ? search_bound(r, list[i].bound) : 0;
}

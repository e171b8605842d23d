/* Predicts subsets of the changes and settings, and shares the result by Shapley values. */
#include "advisor/candidate/search/parts.h"

#include "graph/compile/options.h"
#include "graph/base/compare.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Arena *a;
    Builds *b;
    Objective objective;
    const TunedPoint *t;
} Game;

/* ---- the parts ---- */

static void add_axis(TunedPoint *t, SpaceAxis axis, const char *value)
{
    t->part[t->npart++] = (TunePart){.axis = axis, .value = value};
}

/* As space_settings has them. */
static int by_trial(const void *pa, const void *pb)
{
    const TunePart *a = pa, *b = pb;
    int x = a->change->proposal->match->rule->order, y = b->change->proposal->match->rule->order;
    return x != y ? x - y : COMPARE(a->change, b->change);
}

static void list_parts(TunedPoint *t, Arena *a, const Space *s)
{
    const TunePoint *p = &t->point;
    const Variant *now = &s->w->baseline.variant;
    TargetText target;
    t->part = ARENA_ARRAY(a, TunePart, s->npart + AXIS_COUNT);
    for (size_t i = 0; i < s->npart; i++)
        if (p->build->set.way[i])
            t->part[t->npart++] = (TunePart){
                .change = &s->part[i], .attempt = s->part[i].attempt[p->build->set.way[i] - 1]};
    if (t->npart)
        qsort(t->part, t->npart, sizeof *t->part, by_trial);
    if (p->build->pe != now->compile.pe)
        add_axis(t, AXIS_TARGET,
                 arena_strdup(a, target_text(&target, now->compile.target_name, p->build->pe)));
    if (p->build->batch != now->compile.batch)
        add_axis(t, AXIS_BATCH, arena_printf(a, "%lld", (long long)p->build->batch));
    if (p->workers != now->run.workers)
        add_axis(t, AXIS_WORKERS, arena_printf(a, "%d", p->workers));
    if (space_queue_depth(s, p->workers))
        add_axis(t, AXIS_DEPTH, arena_printf(a, "%d", p->workers));
    if (p->devices != now->run.devices)
        add_axis(t, AXIS_DEVICES, arena_printf(a, "%d", p->devices));
    assert(t->npart <= s->npart + AXIS_COUNT && t->npart < 32); /* value_with has a bit for each */
}

/* ---- predictions of subsets ---- */

/* Removes changes whose base is missing. */
static void drop_unfit(const Space *s, PartSet *set)
{
    for (size_t i = s->npart; i-- > 0 && !space_fits(s, set);)
        if (set->way[i]) {
            PartSet less = *set;
            less.way[i] = SET_LEFT;
            if (space_fits(s, &less) || i == 0)
                *set = less;
        }
    if (!space_fits(s, set))
        memset(set, 0, sizeof *set);
}

static double value_with(const Game *g, unsigned taken)
{
    const Space *s = g->b->space;
    const Variant *now = &s->w->baseline.variant;
    const TunePoint *full = &g->t->point;
    PartSet set = {{0}};
    int pe = now->compile.pe, workers = now->run.workers, devices = now->run.devices;
    int64_t batch = now->compile.batch;
    for (size_t i = 0; i < g->t->npart; i++) {
        const TunePart *p = &g->t->part[i];
        if (!(taken & 1u << i))
            continue;
        if (p->change)
            set.way[p->change - s->part] = full->build->set.way[p->change - s->part];
        else if (p->axis == AXIS_TARGET)
            pe = full->build->pe;
        else if (p->axis == AXIS_BATCH)
            batch = full->build->batch;
        else if (p->axis == AXIS_WORKERS)
            workers = full->workers;
        else if (p->axis == AXIS_DEVICES)
            devices = full->devices;
    }
    drop_unfit(s, &set);
    const Build *x = builds_get(g->b, &set, pe, batch);
    if (!x->fits)
        return front_value(&g->t->point, g->objective);
    TunePoint p = front_point(s, x, workers, devices);
    double value = front_value(&p, g->objective);
    return g->objective == OBJECTIVE_LATENCY ? -value : value;
}

static int bits_of(unsigned x)
{
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static double factorial(int n)
{
    double x = 1;
    for (int k = 2; k <= n; k++)
        x *= k;
    return x;
}

/* Mean of what it adds, over all orders. */
static double shapley(const double *value, size_t n, size_t i)
{
    double sum = 0;
    for (unsigned taken = 0; taken < 1u << n; taken++) {
        if (taken & 1u << i)
            continue;
        int before = bits_of(taken), after = (int)n - before - 1;
        sum += factorial(before) * factorial(after) / factorial((int)n) *
               (value[taken | 1u << i] - value[taken]);
    }
    return sum;
}

static void share_by_orders(TunedPoint *t, const Game *g)
{
    double value[1u << SHARES_FULL];
    assert(t->npart <= SHARES_FULL);
    for (unsigned taken = 0; taken < 1u << t->npart; taken++)
        value[taken] = value_with(g, taken);
    for (size_t i = 0; i < t->npart; i++) {
        t->part[i].alone = value[1u << i] - value[0];
        t->part[i].share = shapley(value, t->npart, i) / t->brings;
    }
}

static void share_by_removal(TunedPoint *t, const Game *g)
{
    unsigned all = (1u << t->npart) - 1;
    double with = value_with(g, all), without = value_with(g, 0), sum = 0;
    for (size_t i = 0; i < t->npart; i++) {
        t->part[i].alone = value_with(g, 1u << i) - without;
        t->part[i].share = with - value_with(g, all & ~(1u << i));
        sum += t->part[i].share;
    }
    for (size_t i = 0; i < t->npart && sum != 0; i++)
        t->part[i].share /= sum;
}

void parts_of(TunedPoint *t, Arena *a, Builds *b, const Goal *goal, SharesOf how)
{
    list_parts(t, a, b->space);
    Game g = {a, b, goal->objective, t};
    if (!t->npart || how == SHARES_NONE)
        return;
    t->brings = value_with(&g, (1u << t->npart) - 1) - value_with(&g, 0);
    t->known = t->brings != 0;
    t->shapley = (int)t->npart <= (int)how;
    if (!t->known)
        return;
    if (t->shapley)
        share_by_orders(t, &g);
    else
        share_by_removal(t, &g);
    for (size_t i = 0; i < t->npart; i++)
        t->sum_alone += t->part[i].alone;
}

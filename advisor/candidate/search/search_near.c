/* Searches by hill climbing from the recommended list, one change, mode or batch at a time. */
#include "advisor/candidate/search/search_state.h"

/* The best build of one PE mode so far, by the points that were added. */
typedef struct {
    SearchState *r;
    int pe;
    size_t seen; /* points that were looked at */
    bool any, moved;
    TunePoint at;
} Walk;

/* A point within the limit is better than one outside; outside, the smaller latency is better. */
static bool is_better(const Goal *g, const TunePoint *x, const TunePoint *y)
{
    bool keeps = front_meets_limit(x, g), other = front_meets_limit(y, g);
    if (keeps != other)
        return keeps;
    Objective o = keeps ? g->objective : OBJECTIVE_LATENCY;
    return front_is_better(o, front_value(x, o), front_value(y, o));
}

static void update_best(Walk *k)
{
    const PointList *l = &k->r->out->points;
    for (; k->seen < l->n; k->seen++) {
        const TunePoint *p = &l->point[k->seen];
        if (p->build->pe != k->pe || (k->any && !is_better(k->r->g, p, &k->at)))
            continue;
        k->moved |= k->any && p->build != k->at.build;
        k->at = *p;
        k->any = true;
    }
}

static void try_neighbour(Walk *k, const PartSet *set, int64_t batch)
{
    if (k->r->budget == 0 || !space_fits(k->r->s, set))
        return;
    search_add(k->r, set, k->pe, batch);
    update_best(k);
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

static void other_changes(Walk *k)
{
    const Space *s = k->r->s;
    for (size_t i = 0; i < s->npart; i++)
        for (int way = SET_LEFT; way <= (int)s->part[i].nattempt; way++) {
            PartSet set = flip_change(s, k->at.build->set, i, way);
            if (way != k->at.build->set.way[i])
                try_neighbour(k, &set, k->at.build->batch);
        }
}

/* Two changes of which neither helps without the other. */
static void other_pairs(Walk *k)
{
    const Space *s = k->r->s;
    for (size_t i = 0; i < s->npart; i++)
        for (size_t j = i + 1; j < s->npart; j++)
            for (int x = SET_LEFT; x <= (int)s->part[i].nattempt; x++)
                for (int y = SET_LEFT; y <= (int)s->part[j].nattempt; y++) {
                    const PartSet *at = &k->at.build->set;
                    PartSet set = flip_change(s, flip_change(s, *at, i, x), j, y);
                    if (x != at->way[i] && y != at->way[j])
                        try_neighbour(k, &set, k->at.build->batch);
                }
}

static size_t index_of(const Space *s, int64_t batch)
{
    size_t i = 0;
    while (i + 1 < s->nbatch && s->batch[i] < batch)
        i++;
    return i;
}

/* Steps of eight, four, two and one in the list of batches, up and down. */
static void other_batches(Walk *k)
{
    const Space *s = k->r->s;
    for (size_t step = 8; step; step /= 2) {
        size_t at = index_of(s, k->at.build->batch);
        if (at + step < s->nbatch)
            try_neighbour(k, &k->at.build->set, s->batch[at + step]);
        if (at >= step)
            try_neighbour(k, &k->at.build->set, s->batch[at - step]);
    }
}

static void hill_climb(Walk *k)
{
    do {
        k->moved = false;
        other_changes(k);
        other_batches(k);
        if (!k->moved)
            other_pairs(k);
    } while (k->moved && k->r->budget > 0);
}

/* From the list and from the baseline, in one mode. */
static void search_mode(SearchState *r, int pe)
{
    const PartSet none = {{0}};
    Walk k = {.r = r, .pe = pe};
    try_neighbour(&k, &none, r->s->w->baseline.variant.compile.batch);
    try_neighbour(&k, &r->from->seed.set, r->from->seed.batch);
    if (k.any)
        hill_climb(&k);
}

/* Begins with the list's own mode, as the budget may end. */
void search_near(SearchState *r)
{
    search_mode(r, r->from->seed.pe);
    for (size_t m = 0; m < r->s->npe; m++)
        if (r->s->pe[m] != r->from->seed.pe)
            search_mode(r, r->s->pe[m]);
}

static void compile_curve(SearchState *r, const PartSet *set)
{
    for (size_t m = 0; m < r->s->npe; m++)
        for (size_t b = 0; b < r->s->nbatch && r->budget > 0; b++)
            search_add(r, set, r->s->pe[m], r->s->batch[b]);
}

void search_curves(SearchState *r)
{
    const PartSet none = {{0}};
    PartSet best = r->out->found ? r->out->best.build->set : none;
    compile_curve(r, &none);
    compile_curve(r, &best);
}

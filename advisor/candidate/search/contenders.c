/* Compares each larger batch with the fastest point by the interval of the difference. */
#include "advisor/candidate/search/contenders.h"

#include "advisor/candidate/whatif.h"

/* The point of the build that makes most; NULL: it has none. */
static const TunePoint *fastest_point(const Search *s, const Build *x)
{
    const TunePoint *most = NULL;
    for (size_t i = 0; i < s->points.n; i++) {
        const TunePoint *p = &s->points.point[i];
        if (p->build == x && (!most || p->per_s > most->per_s))
            most = p;
    }
    return most;
}

static bool may_make_more(const Search *s, const WhatIf *w, const Trial *fastest,
                          const TunePoint *p)
{
    Trial t;
    Diag why;
    if (builds_trial(s->builds, p->build, p->workers, p->devices, &t, &why))
        return false; /* it was compiled before */
    Gain g = whatif_gain_over(w, fastest, &t);
    trial_free(&t);
    return g.known && g.gain.hi > CHOICE_TOLERANCE * g.before;
}

static size_t add_larger(TunePoint *list, size_t most, const Search *s, const Space *space,
                         const Trial *fastest, const Build *x)
{
    size_t n = 0;
    WhatIf w = *space->w;
    w.objective = OBJECTIVE_THROUGHPUT;
    for (size_t i = 0; i < space->nbatch && n < most; i++) {
        const Build *y = space->batch[i] > x->batch
                             ? builds_known(s->builds, &x->set, x->pe, space->batch[i])
                             : NULL;
        const TunePoint *p = y ? fastest_point(s, y) : NULL;
        if (!p)
            continue;
        if (!may_make_more(s, &w, fastest, p))
            break;
        list[n++] = *p;
    }
    return n;
}

TunePoint *contenders_of(Arena *a, const Search *s, const Space *space, const TunePoint *fastest,
                         size_t most, size_t *ret_count)
{
    TunePoint *list = ARENA_ARRAY(a, TunePoint, most);
    Trial t;
    Diag why;
    *ret_count = 0;
    if (builds_trial(s->builds, fastest->build, fastest->workers, fastest->devices, &t, &why))
        return list;
    *ret_count = add_larger(list, most, s, space, &t, fastest->build);
    trial_free(&t);
    return list;
}

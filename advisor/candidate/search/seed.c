/* Checks which tries belong to the space, and maps the recommended list to a point of it. */
#include "advisor/candidate/search/seed.h"

#include "advisor/rules/variant.h"

#include <string.h>

static bool sets_closed_axis(const Space *s, const Attempt *t)
{
    for (int a = 0; a < AXIS_COUNT; a++)
        if (!s->open[a] && attempt_setting(t, space_axis_lever((SpaceAxis)a)))
            return true;
    return false;
}

static bool allows_proposal(const Space *s, const Proposal *p, const Attempt *t)
{
    return !p->off && !p->match->withheld && p->verdict != VERDICT_ACCURACY_BLOCKED &&
           p->match->rule->applicability <= s->effort && attempt_basis(t) == BASIS_WHAT_IF &&
           !sets_closed_axis(s, t);
}

static bool allows_list(const Space *s, const Combined *c)
{
    for (size_t i = 0; i < c->npart; i++)
        if (!allows_proposal(s, c->part[i], proposal_attempt(c->part[i])))
            return false;
    return c->npart > 0;
}

double *seed_values(Arena *a, const Space *s, const Proposal *list, size_t n, const Combined *c,
                    size_t *ret_count)
{
    double *value = NULL;
    size_t count = 0, cap = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < list[i].npoint; k++) {
            const ProposalTrial *x = &list[i].point[k];
            if (x->tried && x->gain.known &&
                allows_proposal(s, &list[i], &list[i].match->attempt[k]))
                *VEC_PUSH(a, value, count, cap) = x->gain.objective.mid;
        }
    if (allows_list(s, c))
        *VEC_PUSH(a, value, count, cap) = c->gain.objective.mid;
    *ret_count = count;
    return value;
}

/* ---- where a search begins ---- */

static void take_part(const Space *s, PartSet *set, const Proposal *p)
{
    for (size_t i = 0; i < s->npart; i++)
        for (size_t k = 0; k < s->part[i].nattempt && s->part[i].proposal == p; k++)
            if (s->part[i].attempt[k] == p->chosen)
                set->way[i] = (uint8_t)(k + 1);
}

static void apply_axes(const Space *s, Arena *a, Variant *v, const Attempt *t)
{
    Diag why;
    for (size_t i = 0; i < t->nset; i++)
        for (int x = 0; x < AXIS_COUNT; x++)
            if (s->open[x] && t->set[i].lever == space_axis_lever((SpaceAxis)x))
                variant_apply(a, v, s->w->model, &t->set[i], &why); /* it was tried before */
}

static int64_t batch_within(const Space *s, int64_t batch)
{
    int64_t most = s->batch[0];
    for (size_t i = 0; i < s->nbatch; i++)
        if (s->batch[i] <= batch)
            most = s->batch[i];
    return most;
}

SearchSeed seed_from_advice(Arena *a, const Space *s, const Combined *c)
{
    Variant v = s->w->baseline.variant;
    SearchSeed seed = {.pe = v.compile.pe};
    for (size_t i = 0; i < c->npart; i++) {
        const Proposal *p = c->part[i];
        if (!allows_proposal(s, p, proposal_attempt(p)))
            continue;
        take_part(s, &seed.set, p);
        apply_axes(s, a, &v, proposal_attempt(p));
    }
    seed.pe = v.compile.pe;
    seed.batch = batch_within(s, v.compile.batch);
    if (!space_fits(s, &seed.set))
        memset(&seed.set, 0, sizeof seed.set);
    return seed;
}

/* Sorts by weighted saving, then moves proposals that depend on others after them. */
#include "advisor/candidate/proposal_order.h"

#include "advisor/rules/rule.h"
#include "advisor/candidate/cut_cost.h"
#include "graph/base/compare.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int proposal_tier(const Proposal *p)
{
    Verdict v = p->verdict;
    if (v == VERDICT_NO_GAIN || v == VERDICT_REGRESSION || v == VERDICT_ACCURACY_BLOCKED)
        return 2;
    return proposal_has_gain(p) ? 0 : 1;
}

static double key_of(const Proposal *p)
{
    if (!proposal_has_gain(p))
        return 0;
    double bound = proposal_lower_bound(p),
           weight = applicability_weight(p->match->rule->applicability);
    return bound > 0 ? bound * weight : bound / weight;
}

/* Proposals come from the matcher by rule id and place, hence their address breaks ties. */
static int by_rank(const void *pa, const void *pb)
{
    const Proposal *a = *(Proposal *const *)pa, *b = *(Proposal *const *)pb;
    if (proposal_tier(a) != proposal_tier(b))
        return proposal_tier(a) - proposal_tier(b);
    double x = key_of(a), y = key_of(b);
    if (x != y)
        return COMPARE(y, x);
    return COMPARE(a, b);
}

bool proposal_builds_on(const Proposal *upper, const Proposal *lower)
{
    const Attempt *t = proposal_attempt(upper), *given = proposal_attempt(lower);
    for (size_t i = 0; t && given && i < t->nset; i++)
        if (t->set[i].given && attempt_makes(given, &t->set[i]))
            return true;
    return false;
}

/* Moves a proposal to retrain after the last larger bound. */
static void put_bounds_first(Proposal **order, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        Proposal *p = order[i];
        size_t to = i;
        if (p->match->rule->applicability != APPLY_RETRAIN || proposal_tier(p) != 0)
            continue;
        for (size_t k = i + 1; k < n && proposal_tier(order[k]) == 0; k++)
            if (order[k]->basis == BASIS_BOUND && proposal_mid(order[k]) > proposal_mid(p))
                to = k;
        memmove(order + i, order + i + 1, (to - i) * sizeof *order);
        order[to] = p;
    }
}

/* Moves the bound of remaining boundary conversions after other proposals. */
static void put_rest_last(Proposal **order, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        Proposal *p = order[i];
        const Attempt *t = proposal_attempt(p);
        size_t last = i;
        if (!t || !attempt_is_rest(t) || proposal_tier(p) != 0)
            continue;
        while (last + 1 < n && proposal_tier(order[last + 1]) == 0)
            last++;
        memmove(order + i, order + i + 1, (last - i) * sizeof *order);
        order[last] = p;
    }
}

static bool is_cut(const LeverSetting *s)
{
    return s->lever == LEVER_CUT_TAIL;
}

static bool depends_on_others(const Attempt *t)
{
    for (size_t i = 0; t && i < t->nset; i++)
        if (t->set[i].given)
            return true;
    return false;
}

/* True for a cut that no other proposal makes. */
static bool attempt_cuts(const Attempt *t)
{
    for (size_t i = 0; i < t->nset; i++)
        if (is_cut(&t->set[i]) && !t->set[i].given)
            return true;
    return false;
}

bool proposal_is_downstream(Arena *scratch, const Graph *g, const Attempt *cut, const Proposal *p)
{
    const Match *m = p->match;
    if (!g || !attempt_cuts(cut) || m->nplace == 0 || depends_on_others(proposal_attempt(p)))
        return false;
    bool *downstream = ARENA_ARRAY(scratch, bool, g->nnode + 1), all = true;
    for (size_t i = 0; i < cut->nset; i++)
        if (is_cut(&cut->set[i]))
            cut_cost_mark_nodes(g, cut->set[i].index.text, downstream);
    for (size_t i = 0; i < m->nplace; i++)
        all = all && m->place[i].node != NODE_NONE && downstream[m->place[i].node];
    return all;
}

/* Moves proposals downstream of a cut after the cut, which is the alternative with fewer needs. */
static void move_after_cuts(Arena *a, const Graph *g, Proposal **order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        Proposal *cut = order[i];
        const Attempt *t = proposal_attempt(cut);
        if (!t || !attempt_cuts(t) || proposal_tier(cut) != 0)
            continue;
        size_t to = 0, moved = 0;
        Proposal **later = ARENA_ARRAY(a, Proposal *, i + 1);
        for (size_t k = 0; k < i; k++)
            if (proposal_tier(order[k]) == 0 && proposal_is_downstream(a, g, t, order[k]))
                later[moved++] = order[k];
            else
                order[to++] = order[k];
        order[to++] = cut;
        assert(to + moved == i + 1);
        memcpy(order + to, later, moved * sizeof *order);
    }
}

/* Moves a proposal that depends on a setting after the last proposal that makes it. */
static void put_on_top(Proposal **order, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        Proposal *p = order[i];
        size_t to = i;
        for (size_t k = i + 1; k < n; k++)
            to = proposal_builds_on(p, order[k]) ? k : to;
        memmove(order + i, order + i + 1, (to - i) * sizeof *order);
        order[to] = p;
    }
}

Proposal **proposal_sort(Arena *a, const Graph *g, Proposal *list, size_t n)
{
    Proposal **order = ARENA_ARRAY(a, Proposal *, n + 1);
    for (size_t i = 0; i < n; i++)
        order[i] = &list[i];
    if (n)
        qsort(order, n, sizeof *order, by_rank);
    put_rest_last(order, n);
    put_bounds_first(order, n);
    move_after_cuts(a, g, order, n);
    put_on_top(order, n);
    for (size_t i = 0; i < n; i++)
        assert(order[i] >= list && order[i] < list + n);
    return order;
}

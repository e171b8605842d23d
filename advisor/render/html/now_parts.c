/* Assigns each step and operator to the first change that names it, and sums by kind and change. */
#include "advisor/render/html/now_parts.h"

/* What a row of the plan, or work by hand, is about. */
typedef struct {
    int64_t id;
    const ResultInts *steps, *operators;
} Claim;

typedef struct {
    const Result *r;
    Claim *claim;
    size_t nclaim;
    size_t *of_step, *of_operator; /* 1 + the claim of each; 0: none */
    size_t *first_operator;        /* of each step, and the end */
    double *weight;                /* by claim, of the kind at hand */
} Cut;

/* ---- who claims what ---- */

static void list_claims(Arena *a, Cut *c, const ResultPlan *plan)
{
    const ResultHandWorkList *hand = &c->r->by_hand;
    c->claim = ARENA_ARRAY(a, Claim, (plan ? plan->changes.count : hand->count) + 1);
    for (size_t i = 0; plan && i < plan->changes.count; i++) {
        const ResultPlanChange *x = &plan->changes.item[i];
        c->claim[c->nclaim++] = (Claim){x->id, &x->steps, &x->operators};
    }
    for (size_t i = 0; !plan && i < hand->count; i++)
        c->claim[c->nclaim++] =
            (Claim){hand->item[i].id, &hand->item[i].steps, &hand->item[i].operators};
}

static void claim_ids(size_t *owner, size_t n, const ResultInts *ids, size_t claim)
{
    for (size_t i = 0; i < ids->count; i++) {
        size_t id = (size_t)ids->item[i];
        if (id < n && !owner[id])
            owner[id] = claim;
    }
}

static Cut cut_of(Arena *a, const Result *r, const ResultPlan *plan)
{
    size_t nstep = r->steps.count, nop = r->operators.count, op = 0;
    Cut c = {.r = r,
             .of_step = ARENA_ARRAY(a, size_t, nstep + 1),
             .of_operator = ARENA_ARRAY(a, size_t, nop + 1),
             .first_operator = ARENA_ARRAY(a, size_t, nstep + 1)};
    list_claims(a, &c, plan);
    c.weight = ARENA_ARRAY(a, double, c.nclaim + 1);
    for (size_t i = 0; i < c.nclaim; i++) {
        claim_ids(c.of_step, nstep, c.claim[i].steps, i + 1);
        claim_ids(c.of_operator, nop, c.claim[i].operators, i + 1);
    }
    for (size_t i = 0; i < nstep; i++) {
        c.first_operator[i] = op;
        while (op < nop && r->operators.item[op].step_id == r->steps.item[i].id)
            op++;
    }
    c.first_operator[nstep] = op;
    return c;
}

/* ---- the time of a kind ---- */

/* A task is shared among those that claim its operators. */
static void add_step(Cut *c, size_t step)
{
    size_t from = c->first_operator[step], to = c->first_operator[step + 1];
    double ns = 0, one, all = 0;
    if (!summary_step_time_ns(&c->r->steps.item[step], &ns))
        return;
    for (size_t i = from; i < to; i++)
        all += summary_operator_time_ns(&c->r->operators.item[i], &one) ? one : 0;
    for (size_t i = from; i < to && all > 0; i++)
        if (summary_operator_time_ns(&c->r->operators.item[i], &one))
            c->weight[c->of_operator[i] ? c->of_operator[i] : c->of_step[step]] += ns * one / all;
    if (!(all > 0))
        c->weight[c->of_step[step]] += ns;
}

/* Fills c->weight, which sums to 1. */
static void weigh_kind(Cut *c, const ResultInts *steps)
{
    double sum = 0;
    memset(c->weight, 0, (c->nclaim + 1) * sizeof *c->weight);
    for (size_t i = 0; i < steps->count; i++)
        if ((size_t)steps->item[i] < c->r->steps.count)
            add_step(c, (size_t)steps->item[i]);
    for (size_t k = 0; k <= c->nclaim; k++)
        sum += c->weight[k];
    if (!(sum > 0))
        c->weight[0] = sum = 1;
    for (size_t k = 0; k <= c->nclaim; k++)
        c->weight[k] /= sum;
}

/* ---- the kinds ---- */

static ResultInts layers_of_kind(Arena *a, const ResultStepList *steps, const char *kind)
{
    int64_t *list = ARENA_ARRAY(a, int64_t, steps->count + 1);
    size_t n = 0;
    for (size_t i = 0; i < steps->count; i++)
        if (steps->item[i].layer && !strcmp(steps->item[i].layer->kind, kind))
            list[n++] = (int64_t)i;
    return (ResultInts){list, n};
}

/* Those of a compiled graph as the breakdown has those of a model. */
static ResultBreakdownList kinds_of_layers(Arena *a, const Result *r)
{
    const ResultLayerGroupList *kinds = &r->compiled->kinds;
    ResultBreakdown *list = ARENA_ARRAY(a, ResultBreakdown, kinds->count + 1);
    for (size_t i = 0; i < kinds->count; i++) {
        const ResultLayerGroup *k = &kinds->item[i];
        list[i] =
            (ResultBreakdown){k->name, k->share, k->ns, layers_of_kind(a, &r->steps, k->name)};
    }
    return (ResultBreakdownList){list, kinds->count};
}

NowParts now_parts(Arena *a, const Result *r, const Summary *d)
{
    ResultBreakdownList kinds = r->compiled ? kinds_of_layers(a, r) : r->breakdown;
    Cut c = cut_of(a, r, d->plan);
    size_t rows = c.nclaim + 1;
    double *ns = ARENA_ARRAY(a, double, rows *kinds.count + 1);
    NowParts parts = {.part = ARENA_ARRAY(a, NowPart, rows * kinds.count + 1)};
    for (size_t i = 0; i < kinds.count; i++) {
        weigh_kind(&c, &kinds.item[i].steps);
        for (size_t k = 0; k < rows; k++)
            ns[k * kinds.count + i] = (double)kinds.item[i].ns * c.weight[k];
    }
    for (size_t k = 1; k <= rows; k++) /* those without a claim last */
        for (size_t i = 0; i < kinds.count; i++) {
            double part = ns[k % rows * kinds.count + i];
            if (!(part > 0))
                continue;
            parts.part[parts.n++] =
                (NowPart){kinds.item[i].kind, k < rows ? c.claim[k - 1].id : 0, part};
            parts.total += part;
        }
    return parts;
}

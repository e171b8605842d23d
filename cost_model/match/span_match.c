/* Matches host spans by name and place, and NPU spans by aligning sequences of kinds. */
#include "cost_model/match/span_match.h"
#include "cost_model/match/task_order.h"

const char *match_host_name(const char *span_name)
{
    static const struct {
        const char *span, *step;
    } other[] = {
        {"TableLookup", "Dequantize"}, /* a tabulated Dequantize, SDK 0.7 */
        {"WriteToDram", "h2d"},
        {"ReadFromDram", "d2h"},
    };
    return LIST_VALUE(i, sizeof other / sizeof *other, strcmp(span_name, other[i].span) == 0,
                      other[i].step, span_name);
}

/* LOWOP_KIND_COUNT: no kind of the program's. */
static LowOpKind kind_of_name(const char *span_name)
{
    return LIST_VALUE(k, LOWOP_KIND_COUNT, strcmp(span_name, program_lowop_name((LowOpKind)k)) == 0,
                      (LowOpKind)k, LOWOP_KIND_COUNT);
}

/* ---- host: nodes by name ---- */

StrMap match_node_names(Arena *a, const Program *p)
{
    StrMap names;
    strmap_init(&names, a, p->nstep);
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        if (s->host_op != HOST_OPERATOR || s->nnode != 1)
            continue;
        const char *name = p->model->graph->node[s->node[0]].name;
        bool again = strmap_get(&names, name) != STRMAP_NONE;
        if (*name)
            strmap_put(&names, name, again ? STRMAP_NONE : (uint32_t)i);
    }
    return names;
}

static void match_nodes(const Program *p, const StrMap *node_name, const OpSpan *span,
                        uint32_t nspan, bool *taken, uint32_t *ret)
{
    for (uint32_t i = 0; i < nspan; i++) {
        uint32_t step = op_span_type(&span[i]) ? strmap_get(node_name, span[i].name) : STRMAP_NONE;
        if (step == STRMAP_NONE || taken[step] ||
            strcmp(p->step[step].op, op_span_type(&span[i])) != 0)
            continue;
        ret[i] = step;
        taken[step] = true;
    }
}

/* ---- host: the k-th of each name ---- */

typedef struct {
    const char *name;
    int64_t order; /* operator index where the trace has one, else position in time */
    uint32_t item; /* span or step */
} Named;

ORDER_BY(by_name_and_order, Named, strcmp(a->name, b->name), COMPARE(a->order, b->order),
         COMPARE(a->item, b->item))

static size_t run_length(const Named *v, size_t n, size_t from)
{
    size_t end = from;
    while (end < n && strcmp(v[end].name, v[from].name) == 0)
        end++;
    return end - from;
}

static size_t name_steps(const Program *p, const bool *taken, Named *ret)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nstep; i++)
        if (p->step[i].kind != STEP_NPU && !taken[i])
            ret[n++] = (Named){p->step[i].op, (int64_t)i, (uint32_t)i};
    ORDER_LIST(ret, n, by_name_and_order);
    return n;
}

static size_t name_spans(const OpSpan *span, uint32_t nspan, const uint32_t *match, Named *ret)
{
    size_t n = 0;
    for (uint32_t i = 0; i < nspan; i++) {
        bool counts = span[i].kind == SPAN_HOST_OPERATOR || span[i].kind == SPAN_TRANSFER;
        if (!counts || match[i] != MATCH_NONE)
            continue;
        int64_t order = span[i].operator_index == INDEX_NONE ? 0 : span[i].operator_index;
        const char *name = op_span_type(&span[i]) ? op_span_type(&span[i]) : span[i].name;
        ret[n++] = (Named){match_host_name(name), order, i};
    }
    ORDER_LIST(ret, n, by_name_and_order);
    return n;
}

void match_host(Arena *a, const Program *p, const StrMap *node_name, const OpSpan *span,
                uint32_t nspan, uint32_t *ret)
{
    for (uint32_t i = 0; i < nspan; i++)
        ret[i] = MATCH_NONE;
    bool *taken = ARENA_ARRAY(a, bool, p->nstep + 1);
    match_nodes(p, node_name, span, nspan, taken, ret);
    Named *s = ARENA_ARRAY(a, Named, p->nstep + 1), *t = ARENA_ARRAY(a, Named, (size_t)nspan + 1);
    size_t ns = name_steps(p, taken, s), nt = name_spans(span, nspan, ret, t);
    for (size_t i = 0, j = 0; i < ns && j < nt;) {
        int names = strcmp(s[i].name, t[j].name);
        size_t steps = run_length(s, ns, i), spans = run_length(t, nt, j);
        if (names == 0 && steps == spans)
            for (size_t k = 0; k < steps; k++)
                ret[t[j + k].item] = s[i + k].item;
        i += names <= 0 ? steps : 0;
        j += names >= 0 ? spans : 0;
    }
}

/* ---- NPU: alignment of kinds ---- */

static bool is_view(LowOpKind k)
{
    return k == LOWOP_RESHAPE || k == LOWOP_SLICE || k == LOWOP_EXPAND;
}

static uint32_t skip_op(const LowOp *op)
{
    return op->zero_cost ? 0 : 1;
}

static uint32_t skip_seen(const TracedOp *s)
{
    return s->free ? 0 : 1;
}

/* Where the sequences are too long to align: the k-th of a kind, where the counts agree. */
static void match_by_kind(const TracedTask *t, uint32_t *ret)
{
    for (int k = 0; k < LOWOP_KIND_COUNT; k++) {
        uint32_t spans = 0, ops = 0, op = 0;
        for (uint32_t i = 0; i < t->nseen; i++)
            spans += t->seen[i].kind == (LowOpKind)k;
        for (uint32_t i = 0; i < t->nop; i++)
            ops += t->op[i].kind == (LowOpKind)k;
        for (uint32_t i = 0; spans == ops && i < t->nseen; i++) {
            if (t->seen[i].kind != (LowOpKind)k)
                continue;
            while (t->op[op].kind != (LowOpKind)k)
                op++;
            assert(op < t->nop); /* there are as many ops of the kind as spans */
            ret[i] = op++;
        }
    }
}

/* cost[i][j]: the least that is skipped when i spans and j ops of the order are still to come. */
static void fill_costs(const TracedTask *t, const uint32_t *order, uint32_t *cost)
{
    size_t wide = (size_t)t->nop + 1;
    for (size_t i = t->nseen + (size_t)1; i-- > 0;) {
        for (size_t j = wide; j-- > 0;) {
            uint32_t best = UINT32_MAX;
            if (i == t->nseen && j == wide - 1)
                best = 0;
            if (i < t->nseen)
                best = cost[(i + 1) * wide + j] + skip_seen(&t->seen[i]);
            const LowOp *op = j < wide - 1 ? &t->op[order[j]] : NULL;
            if (op && cost[i * wide + j + 1] + skip_op(op) < best)
                best = cost[i * wide + j + 1] + skip_op(op);
            if (i < t->nseen && op && t->seen[i].kind == op->kind &&
                cost[(i + 1) * wide + j + 1] < best)
                best = cost[(i + 1) * wide + j + 1];
            cost[i * wide + j] = best;
        }
    }
}

/* Ties go to the match, then to skipping a span: the same input gives the same answer. */
static void walk_costs(const TracedTask *t, const uint32_t *order, const uint32_t *cost,
                       uint32_t *ret)
{
    size_t wide = (size_t)t->nop + 1, i = 0, j = 0;
    while (i < t->nseen && j < wide - 1) {
        uint32_t here = cost[i * wide + j];
        if (t->seen[i].kind == t->op[order[j]].kind && cost[(i + 1) * wide + j + 1] == here) {
            ret[i++] = order[j++];
        } else if (cost[(i + 1) * wide + j] + skip_seen(&t->seen[i]) == here) {
            i++;
        } else {
            j++;
        }
    }
}

/* `cost` is working memory. */
static void align_task(const TracedTask *t, const uint32_t *order, uint32_t *cost, uint32_t *ret)
{
    for (uint32_t i = 0; i < t->nseen; i++)
        ret[i] = MATCH_NONE;
    fill_costs(t, order, cost);
    walk_costs(t, order, cost, ret);
}

/* ---- NPU: branches in another order ---- */

/* How much more likely another order must be, in the logarithm, to be taken. */
#define ORDER_MARGIN 8.0

static double cost_of(const TracedTask *t, const uint32_t *match)
{
    double cost = 0, missed = 0;
    for (uint32_t i = 0; i < t->nop; i++)
        missed += skip_op(&t->op[i]);
    for (uint32_t i = 0; i < t->nseen; i++) {
        if (match[i] == MATCH_NONE) {
            missed += skip_seen(&t->seen[i]);
            continue;
        }
        missed -= skip_op(&t->op[match[i]]);
        cost += task_order_deviation(t, match[i], i);
    }
    return cost + ORDER_SKIP * missed;
}

static void try_other_order(Arena *a, TracedTask *t, uint32_t *order, uint32_t *work, uint32_t *ret)
{
    task_order_fit_scale(t);
    double most = cost_of(t, ret) - ORDER_MARGIN;
    if (!(task_order_min_cost(a, t) < most))
        return;
    double jumps = task_order(a, t, order);
    if (!isfinite(jumps))
        return;
    uint32_t *other = ARENA_ARRAY(a, uint32_t, (size_t)t->nseen + 1);
    align_task(t, order, work, other);
    if (cost_of(t, other) + jumps < most)
        memcpy(ret, other, t->nseen * sizeof *ret);
}

static TracedOp seen_op(const OpSpan *span)
{
    LowOpKind kind = span->kind == SPAN_NPU_OPERATOR ? kind_of_name(span->name) : LOWOP_KIND_COUNT;
    return (TracedOp){kind, kind == LOWOP_KIND_COUNT || is_view(kind), (double)span->dur_ns};
}

static void match_seen(Arena *a, TracedTask *t, uint32_t *ret)
{
    size_t cells = ((size_t)t->nseen + 1) * ((size_t)t->nop + 1);
    if (cells > MATCH_MAX_CELLS) {
        match_by_kind(t, ret);
        return;
    }
    uint32_t *work = ARENA_ARRAY(a, uint32_t, cells);
    uint32_t *order = ARENA_ARRAY(a, uint32_t, (size_t)t->nop + 1);
    for (uint32_t i = 0; i < t->nop; i++)
        order[i] = i;
    align_task(t, order, work, ret);
    if (t->op_ns)
        try_other_order(a, t, order, work, ret);
}

void match_task(Arena *a, const Program *p, const Step *step, const double *op_ns,
                const OpSpan *span, uint32_t nspan, uint32_t *ret)
{
    assert(step->kind == STEP_NPU && step->first_op + step->nop <= p->nop);
    TracedOp *seen = ARENA_ARRAY(a, TracedOp, (size_t)nspan + 1);
    for (uint32_t i = 0; i < nspan; i++) {
        seen[i] = seen_op(&span[i]);
        ret[i] = MATCH_NONE;
    }
    TracedTask t = {.op = p->op + step->first_op,
                    .nop = step->nop,
                    .first = step->first_op,
                    .op_ns = op_ns ? op_ns + step->first_op : NULL,
                    .seen = seen,
                    .nseen = nspan};
    match_seen(a, &t, ret);
    for (uint32_t i = 0; i < nspan; i++) {
        assert(ret[i] == MATCH_NONE || ret[i] < step->nop);
        ret[i] += ret[i] == MATCH_NONE ? 0 : step->first_op;
    }
}

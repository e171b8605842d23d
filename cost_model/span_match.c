/* Matching: which span of one inference is which step or op of the program. */
#include "cost_model/span_match.h"

#include <stdlib.h>
#include <string.h>

const char *match_host_name(const char *span_name)
{
    static const struct {
        const char *span, *step;
    } other[] = {
        {"TableLookup", "Dequantize"}, /* a tabulated Dequantize, SDK 0.7 */
        {"WriteToDram", "h2d"},
        {"ReadFromDram", "d2h"},
    };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (strcmp(span_name, other[i].span) == 0)
            return other[i].step;
    return span_name;
}

LowOpKind match_op_kind(const char *span_name)
{
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        if (strcmp(span_name, lowop_name((LowOpKind)k)) == 0)
            return (LowOpKind)k;
    return LOWOP_KIND_COUNT;
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
                        const HostDetail *detail, uint32_t nspan, bool *taken, uint32_t *ret)
{
    for (uint32_t i = 0; i < nspan; i++) {
        uint32_t step = detail[i].op ? strmap_get(node_name, span[i].name) : STRMAP_NONE;
        if (step == STRMAP_NONE || taken[step] || strcmp(p->step[step].op, detail[i].op) != 0)
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

static int by_name_and_order(const void *pa, const void *pb)
{
    const Named *a = pa, *b = pb;
    int names = strcmp(a->name, b->name);
    if (names)
        return names;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->item < b->item ? -1 : a->item > b->item;
}

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
    qsort(ret, n, sizeof *ret, by_name_and_order);
    return n;
}

static size_t name_spans(const OpSpan *span, const HostDetail *detail, uint32_t nspan,
                         const uint32_t *match, Named *ret)
{
    size_t n = 0;
    for (uint32_t i = 0; i < nspan; i++) {
        bool counts = span[i].kind == SPAN_HOST_OPERATOR || span[i].kind == SPAN_TRANSFER;
        if (!counts || match[i] != MATCH_NONE)
            continue;
        int64_t order = span[i].operator_index == INDEX_NONE ? 0 : span[i].operator_index;
        const char *name = detail[i].op ? detail[i].op : span[i].name;
        ret[n++] = (Named){match_host_name(name), order, i};
    }
    qsort(ret, n, sizeof *ret, by_name_and_order);
    return n;
}

void match_host(Arena *a, const Program *p, const StrMap *node_name, const OpSpan *span,
                const HostDetail *detail, uint32_t nspan, uint32_t *ret)
{
    for (uint32_t i = 0; i < nspan; i++)
        ret[i] = MATCH_NONE;
    bool *taken = ARENA_ARRAY(a, bool, p->nstep + 1);
    match_nodes(p, node_name, span, detail, nspan, taken, ret);
    Named *s = ARENA_ARRAY(a, Named, p->nstep + 1), *t = ARENA_ARRAY(a, Named, (size_t)nspan + 1);
    size_t ns = name_steps(p, taken, s), nt = name_spans(span, detail, nspan, ret, t);
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

typedef struct {
    const Program *program;
    const Step *step;
    const OpSpan *span;
    uint32_t nspan;
    LowOpKind *span_kind; /* per span, LOWOP_KIND_COUNT for Load, Store and the unknown */
} Task;

static bool is_view(LowOpKind k)
{
    return k == LOWOP_RESHAPE || k == LOWOP_SLICE || k == LOWOP_EXPAND;
}

static uint32_t skip_op(const LowOp *op)
{
    return op->zero_cost ? 0 : 1;
}

static uint32_t skip_span(LowOpKind k)
{
    return k == LOWOP_KIND_COUNT || is_view(k) ? 0 : 1;
}

/* Where the sequences are too long to align: the k-th of a kind, where the counts agree. */
static void match_by_kind(const Task *t, uint32_t *ret)
{
    for (int k = 0; k < LOWOP_KIND_COUNT; k++) {
        uint32_t spans = 0, ops = 0, op = t->step->first_op;
        for (uint32_t i = 0; i < t->nspan; i++)
            spans += t->span_kind[i] == (LowOpKind)k;
        for (uint32_t i = 0; i < t->step->nop; i++)
            ops += t->program->op[t->step->first_op + i].kind == (LowOpKind)k;
        for (uint32_t i = 0; spans == ops && i < t->nspan; i++) {
            if (t->span_kind[i] != (LowOpKind)k)
                continue;
            while (t->program->op[op].kind != (LowOpKind)k)
                op++;
            ret[i] = op++;
        }
    }
}

/* cost[i][j]: the least that is skipped when i spans and j ops are still to come. */
static void fill_costs(const Task *t, uint32_t *cost)
{
    size_t wide = (size_t)t->step->nop + 1;
    const LowOp *op = t->program->op + t->step->first_op;
    for (size_t i = t->nspan + (size_t)1; i-- > 0;) {
        for (size_t j = wide; j-- > 0;) {
            uint32_t best = UINT32_MAX;
            if (i == t->nspan && j == wide - 1)
                best = 0;
            if (i < t->nspan)
                best = cost[(i + 1) * wide + j] + skip_span(t->span_kind[i]);
            if (j < wide - 1 && cost[i * wide + j + 1] + skip_op(&op[j]) < best)
                best = cost[i * wide + j + 1] + skip_op(&op[j]);
            if (i < t->nspan && j < wide - 1 && t->span_kind[i] == op[j].kind &&
                cost[(i + 1) * wide + j + 1] < best)
                best = cost[(i + 1) * wide + j + 1];
            cost[i * wide + j] = best;
        }
    }
}

/* Ties go to the match, then to skipping a span: the same input gives the same answer. */
static void walk_costs(const Task *t, const uint32_t *cost, uint32_t *ret)
{
    size_t wide = (size_t)t->step->nop + 1, i = 0, j = 0;
    const LowOp *op = t->program->op + t->step->first_op;
    while (i < t->nspan && j < wide - 1) {
        uint32_t here = cost[i * wide + j];
        if (t->span_kind[i] == op[j].kind && cost[(i + 1) * wide + j + 1] == here) {
            ret[i++] = t->step->first_op + (uint32_t)j++;
        } else if (cost[(i + 1) * wide + j] + skip_span(t->span_kind[i]) == here) {
            i++;
        } else {
            j++;
        }
    }
}

void match_task(Arena *a, const Program *p, const Step *step, const OpSpan *span, uint32_t nspan,
                uint32_t *ret)
{
    Task t = {p, step, span, nspan, ARENA_ARRAY(a, LowOpKind, (size_t)nspan + 1)};
    for (uint32_t i = 0; i < nspan; i++) {
        ret[i] = MATCH_NONE;
        bool is_op = span[i].kind == SPAN_NPU_OPERATOR;
        t.span_kind[i] = is_op ? match_op_kind(span[i].name) : LOWOP_KIND_COUNT;
    }
    size_t cells = ((size_t)nspan + 1) * ((size_t)step->nop + 1);
    if (cells > MATCH_MAX_CELLS) {
        match_by_kind(&t, ret);
        return;
    }
    uint32_t *cost = ARENA_ARRAY(a, uint32_t, cells);
    fill_costs(&t, cost);
    walk_costs(&t, cost, ret);
}

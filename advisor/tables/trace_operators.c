/* Operators of a trace: collected from both sides, matched to the model, filtered, aggregated,
 * ordered. */
#include "advisor/tables/trace_operators.h"
#include "advisor/tables/trace_nodes.h"

#include "graph/infer/ops.h"
#include "graph/model/dtype.h"

#include <stdlib.h>
#include <string.h>

double operator_flops(const OperatorRow *r)
{
    return r->time_ns > 0 ? r->flop / r->time_ns * 1e9 : 0;
}

double operator_bandwidth(const OperatorRow *r)
{
    return r->time_ns > 0 ? r->memory_bytes / r->time_ns * 1e9 : 0;
}

/* ---- the model ----------------------------------------------------------------------------- */

static const char *shapes_of(Arena *a, const Graph *g, const TensorId *id, uint32_t n)
{
    enum { SHOWN = 4 };
    const char *text = NULL;
    for (uint32_t i = 0; i < n && i < SHOWN; i++)
        if (id[i] != TENSOR_NONE)
            text = arena_printf(a, "%s%s%s", text ? text : "", text ? " " : "",
                                shape_text(a, &g->tensor[id[i]].shape));
    return text && n > SHOWN ? arena_printf(a, "%s …", text) : text;
}

/* Bytes of all inputs and outputs; 0 when one is unknown. */
static double bytes_of(const Graph *g, const Node *n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n->ninput + n->noutput; i++) {
        TensorId id = i < n->ninput ? n->input[i] : n->output[i - n->ninput];
        if (id == TENSOR_NONE)
            continue;
        int64_t nelem = shape_elements(&g->tensor[id].shape);
        int bits = dtype_bits(g->tensor[id].dtype);
        if (nelem < 0 || bits <= 0)
            return 0;
        sum += (double)nelem * (double)bits / 8;
    }
    return sum;
}

static void join_node(OperatorRow *r, const Graph *g, const Node *n, Arena *a, double runs)
{
    int64_t macs = node_macs(g, n);
    r->node = n->name[0] ? n->name : NULL;
    r->op = r->op ? r->op : n->op;
    r->in_shapes = r->in_shapes ? r->in_shapes : shapes_of(a, g, n->input, n->ninput);
    r->out_shapes = r->out_shapes ? r->out_shapes : shapes_of(a, g, n->output, n->noutput);
    if (macs > 0) /* a runtime may hide its packed weights, the model has them */
        r->flop = 2 * (double)macs * runs;
    if (r->memory_bytes == 0)
        r->memory_bytes = bytes_of(g, n) * runs;
}

static void add_model(Arena *a, const Graph *g, OperatorRow *row, size_t n, double inferences)
{
    TraceNode *t = ARENA_ARRAY(a, TraceNode, n + 1);
    for (size_t i = 0; i < n; i++)
        t[i] = (TraceNode){.name = row[i].name, .op = row[i].op};
    trace_nodes_match(a, g, t, n);
    for (size_t i = 0; i < n; i++)
        if (t[i].node != NODE_NONE)
            join_node(&row[i], g, &g->node[t[i].node], a, (double)row[i].count / inferences);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static OperatorRow operator_row(const NameStat *n, double runs, double inferences)
{
    OperatorRow r = {.name = n->name, .op = n->op, .kind = n->kind, .count = n->count};
    r.time_ns = (double)n->self_ns / inferences;
    if (n->detail) {
        r.in_shapes = n->detail->in_shapes;
        r.out_shapes = n->detail->out_shapes;
        r.flop = n->detail->flop * runs;
        r.memory_bytes = n->detail->memory_bytes * runs;
    }
    return r;
}

static bool has_type(const OperatorQuery *q, const OperatorRow *r)
{
    for (size_t i = 0; i < q->ntype; i++)
        if (!strcmp(q->type[i], r->op ? r->op : r->name))
            return true;
    return q->ntype == 0;
}

static bool is_wanted(const OperatorQuery *q, const OperatorRow *r)
{
    return has_type(q, r) && r->time_ns >= q->min_ns &&
           (q->max_ns <= 0 || r->time_ns <= q->max_ns) &&
           (!q->name || regexec(q->name, r->name, 0, NULL, 0) == 0);
}

static size_t collect(Arena *a, const TraceStats *s, const OperatorQuery *q, OperatorRow *row)
{
    size_t n = 0;
    double inferences = s->ninference ? (double)s->ninference : 1, total = 0;
    for (size_t i = 0; i < s->nnpu_name + s->nhost_name; i++) {
        const NameStat *from = i < s->nnpu_name ? &s->npu_name[i] : &s->host_name[i - s->nnpu_name];
        if (from->kind != SPAN_NPU_OPERATOR && from->kind != SPAN_HOST_OPERATOR)
            continue;
        row[n] = operator_row(from, (double)from->count / inferences, inferences);
        total += row[n++].time_ns;
    }
    if (q->model)
        add_model(a, q->model->graph, row, n, inferences);
    for (size_t i = 0; i < n && total > 0; i++)
        row[i].share = row[i].time_ns / total;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (is_wanted(q, &row[i]))
            row[kept++] = row[i];
    return kept;
}

/* ---- aggregation --------------------------------------------------------------------------- */

static double combine(Aggregate how, double so_far, double value, bool first)
{
    if (first)
        return value;
    if (how == AGGREGATE_MAX)
        return value > so_far ? value : so_far;
    if (how == AGGREGATE_MIN)
        return value < so_far ? value : so_far;
    return so_far + value; /* a mean is divided at the end */
}

static void merge(OperatorRow *into, const OperatorRow *r, Aggregate how, bool first)
{
    into->time_ns = combine(how, into->time_ns, r->time_ns, first);
    into->share = combine(how, into->share, r->share, first);
    into->flop = combine(how, into->flop, r->flop, first);
    into->memory_bytes = combine(how, into->memory_bytes, r->memory_bytes, first);
    into->count++;
}

static size_t aggregate(Arena *a, const OperatorQuery *q, OperatorRow *row, size_t n)
{
    OperatorRow *group = ARENA_ARRAY(a, OperatorRow, n + 1);
    StrMap index;
    size_t ngroup = 0;
    strmap_init(&index, a, n + 1);
    for (size_t i = 0; i < n; i++) {
        const char *key = !q->by_type ? "all" : row[i].op ? row[i].op : row[i].name;
        uint32_t at = strmap_get(&index, key);
        bool first = at == STRMAP_NONE;
        if (first) {
            at = (uint32_t)ngroup;
            group[ngroup++] = (OperatorRow){.name = key, .op = key, .kind = row[i].kind};
            strmap_put(&index, key, at);
        }
        merge(&group[at], &row[i], q->aggregate, first);
    }
    for (size_t i = 0; i < ngroup && q->aggregate == AGGREGATE_MEAN; i++) {
        double k = (double)group[i].count;
        group[i].time_ns /= k;
        group[i].share /= k;
        group[i].flop /= k;
        group[i].memory_bytes /= k;
    }
    memcpy(row, group, ngroup * sizeof *row);
    return ngroup;
}

/* ---- order --------------------------------------------------------------------------------- */

static double time_of(const OperatorRow *r)
{
    return r->time_ns;
}

static double count_of(const OperatorRow *r)
{
    return (double)r->count;
}

static double flop_of(const OperatorRow *r)
{
    return r->flop;
}

static double memory_of(const OperatorRow *r)
{
    return r->memory_bytes;
}

static double nothing(const OperatorRow *r)
{
    (void)r;
    return 0;
}

static const struct {
    const char *word;
    double (*key)(const OperatorRow *r);
} order_table[] = {
    {"time", time_of},         {"count", count_of},   {"computation", flop_of},
    {"flops", operator_flops}, {"memory", memory_of}, {"bandwidth", operator_bandwidth},
    {"name", nothing},
};

static double (*order_of(const char *word))(const OperatorRow *)
{
    for (size_t i = 0; i < sizeof order_table / sizeof *order_table; i++)
        if (!strcmp(order_table[i].word, word + (*word == '+')))
            return order_table[i].key;
    return NULL;
}

bool operator_order_is_known(const char *order)
{
    return order_of(order) != NULL;
}

typedef struct {
    double key;
    OperatorRow row;
} Keyed;

static int by_key(const void *pa, const void *pb)
{
    const Keyed *a = pa, *b = pb;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    int names = strcmp(a->row.name, b->row.name);
    return names ? names : (a->row.kind > b->row.kind) - (a->row.kind < b->row.kind);
}

static void put_in_order(Arena *a, const OperatorQuery *q, OperatorRow *row, size_t n)
{
    const char *order = q->order ? q->order : "time";
    double (*key)(const OperatorRow *) = order_of(order), sum = 0;
    Keyed *k = ARENA_ARRAY(a, Keyed, n + 1);
    for (size_t i = 0; i < n; i++)
        k[i] = (Keyed){.key = *order == '+' ? -key(&row[i]) : key(&row[i]), .row = row[i]};
    if (n)
        qsort(k, n, sizeof *k, by_key);
    for (size_t i = 0; i < n; i++) {
        row[i] = k[i].row;
        row[i].cumulative = sum += row[i].share;
    }
}

OperatorRow *trace_operators(Arena *a, const TraceStats *s, const OperatorQuery *q,
                             size_t *ret_count)
{
    OperatorRow *row = ARENA_ARRAY(a, OperatorRow, s->nnpu_name + s->nhost_name + 1);
    size_t n = collect(a, s, q, row);
    if (q->aggregate != AGGREGATE_NONE)
        n = aggregate(a, q, row, n);
    put_in_order(a, q, row, n);
    *ret_count = n;
    return row;
}

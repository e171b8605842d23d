/* Collects operators from both sides, matches them to the model, then filters, aggregates and sorts
 * them. */
#include "advisor/render/tables/trace_operators.h"
#include "advisor/render/tables/trace_nodes.h"

#include "graph/infer/ops.h"
#include "graph/model/dtype.h"

double trace_operator_flops(const OperatorRow *r)
{
    return r->time_ns > 0 ? r->flop / r->time_ns * 1e9 : 0;
}

double trace_operator_bandwidth(const OperatorRow *r)
{
    return r->time_ns > 0 ? r->memory_bytes / r->time_ns * 1e9 : 0;
}

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
static double node_io_bytes(const Graph *g, const Node *n)
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
        r->memory_bytes = node_io_bytes(g, n) * runs;
}

static void join_model(Arena *a, const Graph *g, OperatorRow *row, size_t n, double inferences)
{
    TraceNode *t = ARENA_ARRAY(a, TraceNode, n + 1);
    for (size_t i = 0; i < n; i++)
        t[i] = (TraceNode){.name = row[i].name, .op = row[i].op};
    trace_nodes_match(a, g, t, n);
    for (size_t i = 0; i < n; i++)
        if (t[i].node != NODE_NONE)
            join_node(&row[i], g, &g->node[t[i].node], a, (double)row[i].count / inferences);
}

/* `share` of the runs is one inference's. */
static void add_work(Arena *a, OperatorRow *r, const NameStat *n, double share)
{
    r->in_shapes = name_stat_shapes(a, n, SHAPES_IN);
    r->out_shapes = name_stat_shapes(a, n, SHAPES_OUT);
    r->flop = n->flop * share;
    r->memory_bytes = n->memory_bytes * share;
}

/* For operators of a device: the host's launch time, and the shapes that only launches have. */
static void add_launches(Arena *a, const TraceStats *s, OperatorRow *row, size_t n)
{
    StrMap at;
    strmap_init(&at, a, n + 1);
    for (size_t i = 0; i < n; i++)
        if (row[i].kind == SPAN_NPU_OPERATOR)
            strmap_put(&at, row[i].name, (uint32_t)i);
    for (size_t i = 0; i < s->nhost_name; i++) {
        const NameStat *from = &s->host_name[i];
        uint32_t k = strmap_get(&at, from->name);
        if (from->kind != SPAN_SUBMIT || !from->op || k == STRMAP_NONE)
            continue;
        row[k].launch_ns += name_ns_per_inference(s, from);
        add_work(a, &row[k], from, name_runs_per_inference(s, from) / (double)from->count);
    }
}

static OperatorRow operator_row(Arena *a, const TraceStats *s, const NameStat *n)
{
    double runs = name_runs_per_inference(s, n);
    OperatorRow r = {.name = n->name,
                     .op = n->op,
                     .kind = n->kind,
                     .count = n->is_mean ? n->runs : n->count,
                     .is_mean = n->is_mean};
    r.time_ns = r.least_ns = r.most_ns = name_ns_per_inference(s, n);
    r.operators = n->op && strcmp(n->op, n->name) != 0 ? 1 : fmax(1, round(runs));
    add_work(a, &r, n, runs / (double)n->count);
    return r;
}

typedef struct {
    OperatorRow *row;
    StrMap index[2]; /* by name: of the NPU, of the host */
    uint32_t *now;   /* per row: the inference that least and most are of, plus one */
    double *least, *most;
    double *inferences; /* per row: summed up so far */
} Extremes;

static void end_inference(Extremes *x, size_t i)
{
    OperatorRow *r = &x->row[i];
    if (!x->now[i])
        return;
    r->least_ns += x->least[i];
    r->most_ns += x->most[i];
    x->inferences[i]++;
}

static void see_run(Extremes *x, const OpSpan *s, double ns)
{
    uint32_t i = strmap_get(&x->index[s->kind == SPAN_HOST_OPERATOR], s->name), at;
    if (i == STRMAP_NONE)
        return;
    at = s->inference == INFERENCE_NONE ? UINT32_MAX : s->inference + 1;
    if (x->now[i] != at) {
        end_inference(x, i);
        x->now[i] = at;
        x->least[i] = x->most[i] = ns;
    }
    x->least[i] = fmin(x->least[i], ns);
    x->most[i] = fmax(x->most[i], ns);
}

/* For names that several operators share: means over the inferences. */
static void find_extremes(Arena *a, const TraceStats *s, OperatorRow *row, size_t n)
{
    Extremes x = {.row = row,
                  .now = ARENA_ARRAY(a, uint32_t, n + 1),
                  .least = ARENA_ARRAY(a, double, n + 1),
                  .most = ARENA_ARRAY(a, double, n + 1),
                  .inferences = ARENA_ARRAY(a, double, n + 1)};
    strmap_init(&x.index[0], a, n + 1);
    strmap_init(&x.index[1], a, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (row[i].operators <= 1)
            continue;
        strmap_put(&x.index[row[i].kind == SPAN_HOST_OPERATOR], row[i].name, (uint32_t)i);
        row[i].least_ns = row[i].most_ns = 0;
    }
    for (size_t i = 0; i < s->nop_span; i++) /* grouped by inference, as host spans are */
        if (s->op_span[i].kind == SPAN_NPU_OPERATOR)
            see_run(&x, &s->op_span[i], (double)s->op_span[i].dur_ns);
    for (size_t i = 0; i < s->nhost_span; i++)
        if (s->host_span[i].kind == SPAN_HOST_OPERATOR)
            see_run(&x, &s->host_span[i], (double)s->host_detail[i].self_ns);
    for (size_t i = 0; i < n; i++) {
        if (row[i].operators <= 1)
            continue;
        end_inference(&x, i);
        row[i].least_ns /= fmax(1, x.inferences[i]);
        row[i].most_ns /= fmax(1, x.inferences[i]);
    }
}

static bool is_type(const OperatorQuery *q, const char *type)
{
    return LIST_ANY(i, q->ntype, type && !strcmp(q->type[i], type));
}

static bool is_wanted(const OperatorQuery *q, const OperatorRow *r)
{
    return (q->ntype == 0 || is_type(q, r->op) || is_type(q, r->name)) && r->time_ns >= q->min_ns &&
           (q->max_ns <= 0 || r->time_ns <= q->max_ns) &&
           (!q->name || regexec(q->name, r->name, 0, NULL, 0) == 0);
}

static size_t name_rows(Arena *a, const TraceStats *s, const OperatorQuery *q, OperatorRow *row)
{
    size_t n = 0;
    for (size_t i = 0; i < s->nnpu_name + s->nhost_name; i++) {
        const NameStat *from = i < s->nnpu_name ? &s->npu_name[i] : &s->host_name[i - s->nnpu_name];
        if (from->kind == SPAN_NPU_OPERATOR || from->kind == SPAN_HOST_OPERATOR)
            row[n++] = operator_row(a, s, from);
    }
    add_launches(a, s, row, n);
    find_extremes(a, s, row, n);
    if (q->model)
        join_model(a, q->model->graph, row, n, s->ninference ? (double)s->ninference : 1);
    return n;
}

static size_t collect_rows(Arena *a, const TraceStats *s, const OperatorQuery *q, OperatorRow *row)
{
    double total = 0;
    size_t n = q->program ? trace_program_op_rows(a, s, q, row) : name_rows(a, s, q, row), kept = 0;
    for (size_t i = 0; i < n; i++)
        total += row[i].time_ns;
    for (size_t i = 0; i < n && total > 0; i++)
        row[i].share = row[i].time_ns / total;
    for (size_t i = 0; i < n; i++)
        if (is_wanted(q, &row[i]))
            row[kept++] = row[i];
    return kept;
}

/* Of the row's operators the one that the aggregate is about, or all. */
static OperatorRow member_of(const OperatorRow *r, Aggregate how)
{
    OperatorRow m = *r;
    if (how != AGGREGATE_MAX && how != AGGREGATE_MIN)
        return m;
    m.time_ns = how == AGGREGATE_MAX ? r->most_ns : r->least_ns;
    m.share = r->time_ns > 0 ? r->share * m.time_ns / r->time_ns : 0;
    m.flop /= r->operators;
    m.memory_bytes /= r->operators;
    return m;
}

static double combine_values(Aggregate how, double so_far, double value)
{
    assert(how != AGGREGATE_NONE);
    if (how == AGGREGATE_MAX)
        return value > so_far ? value : so_far;
    if (how == AGGREGATE_MIN)
        return value < so_far ? value : so_far;
    return so_far + value; /* a mean is divided at the end */
}

static void merge_row(OperatorRow *into, const OperatorRow *m, Aggregate how)
{
    into->time_ns = combine_values(how, into->time_ns, m->time_ns);
    into->launch_ns = combine_values(how, into->launch_ns, m->launch_ns);
    into->share = combine_values(how, into->share, m->share);
    into->flop = combine_values(how, into->flop, m->flop);
    into->memory_bytes = combine_values(how, into->memory_bytes, m->memory_bytes);
}

static void average_row(OperatorRow *r)
{
    double k = (double)r->count;
    r->time_ns /= k;
    r->launch_ns /= k;
    r->share /= k;
    r->flop /= k;
    r->memory_bytes /= k;
}

/* The same name on the host hands over what runs on the device. */
static const char *group_of(Arena *a, const OperatorQuery *q, const OperatorRow *r)
{
    const char *type = !q->by_type ? "all" : r->op ? r->op : r->name;
    return arena_printf(a, "%d%s", (int)r->kind, type);
}

static size_t aggregate_rows(Arena *a, const OperatorQuery *q, OperatorRow *row, size_t n)
{
    OperatorRow *group = ARENA_ARRAY(a, OperatorRow, n + 1);
    StrMap index;
    size_t ngroup = 0;
    strmap_init(&index, a, n + 1);
    for (size_t i = 0; i < n; i++) {
        const char *key = group_of(a, q, &row[i]), *type = key + 1;
        uint32_t at = strmap_number(&index, key, ngroup);
        OperatorRow m = member_of(&row[i], q->aggregate);
        if (at == ngroup)
            group[ngroup++] = (OperatorRow){.name = type,
                                            .op = type,
                                            .kind = row[i].kind,
                                            .time_ns = m.time_ns,
                                            .launch_ns = m.launch_ns,
                                            .share = m.share,
                                            .flop = m.flop,
                                            .memory_bytes = m.memory_bytes};
        else
            merge_row(&group[at], &m, q->aggregate);
        group[at].count += (uint64_t)row[i].operators;
    }
    for (size_t i = 0; i < ngroup && q->aggregate == AGGREGATE_MEAN; i++)
        average_row(&group[i]);
    memcpy(row, group, ngroup * sizeof *row);
    return ngroup;
}

/* What an order ("time", "+time" …) sorts by; false where there is no such order. */
static bool order_key(const char *order, const OperatorRow *r, double *ret)
{
    const struct {
        const char *word;
        double key;
    } known[] = {{"time", r->time_ns},
                 {"count", (double)r->count},
                 {"computation", r->flop},
                 {"flops", trace_operator_flops(r)},
                 {"memory", r->memory_bytes},
                 {"bandwidth", trace_operator_bandwidth(r)},
                 {"name", 0}};
    size_t n = sizeof known / sizeof *known,
           i = LIST_INDEX(k, n, !strcmp(known[k].word, order + (*order == '+')));
    *ret = i == n ? 0 : *order == '+' ? -known[i].key : known[i].key;
    return i < n;
}

bool trace_operator_order_known(const char *order)
{
    double key;
    return order_key(order, &(OperatorRow){0}, &key);
}

typedef struct {
    double key;
    OperatorRow row;
} Keyed;

ORDER_BY(by_key, Keyed, COMPARE(b->key, a->key), strcmp(a->row.name, b->row.name),
         COMPARE(a->row.kind, b->row.kind))

static void put_in_order(Arena *a, const OperatorQuery *q, OperatorRow *row, size_t n)
{
    const char *order = q->order ? q->order : "time";
    double sum = 0;
    Keyed *k = ARENA_ARRAY(a, Keyed, n + 1);
    for (size_t i = 0; i < n; i++) {
        k[i].row = row[i];
        bool known = order_key(order, &row[i], &k[i].key);
        assert(known); /* the caller has asked trace_operator_order_known */
    }
    ORDER_LIST(k, n, by_key);
    for (size_t i = 0; i < n; i++) {
        row[i] = k[i].row;
        row[i].cumulative = sum += row[i].share;
    }
}

OperatorRow *trace_operators(Arena *a, const TraceStats *s, const OperatorQuery *q,
                             size_t *ret_count)
{
    size_t names = s->nnpu_name + s->nhost_name;
    size_t cap = names + (q->program ? q->program->nop + q->program->nstep : 0) + 1;
    OperatorRow *row = ARENA_ARRAY(a, OperatorRow, cap);
    size_t n = collect_rows(a, s, q, row);
    assert(n < cap);
    if (q->aggregate != AGGREGATE_NONE)
        n = aggregate_rows(a, q, row, n);
    put_in_order(a, q, row, n);
    *ret_count = n;
    return row;
}

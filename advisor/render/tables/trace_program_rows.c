/* Builds a row for each operator of a program that the trace has measured. */
#include "advisor/render/tables/trace_operators.h"

#include "cost_model/match/span_match.h"
#include "graph/compile/program.h"
#include "graph/infer/ops.h"
#include "graph/model/model.h"

typedef struct {
    Arena *arena;
    const TraceStats *stats;
    const Program *program;
    const Reconciliation *rec;
    OperatorRow *row;
    size_t n;
} Rows;

static OperatorRow *add_program_row(Rows *r, const char *name, SpanKind kind, double ns)
{
    OperatorRow *x = &r->row[r->n++];
    *x = (OperatorRow){.name = name, .kind = kind, .operators = 1};
    x->time_ns = x->least_ns = x->most_ns = ns;
    return x;
}

static const char *format_sizes(Rows *r, int64_t n, int64_t c, int64_t h, int64_t w)
{
    return arena_printf(r->arena, "%lldx%lldx%lldx%lld", (long long)n, (long long)c, (long long)h,
                        (long long)w);
}

/* Of the nodes that it runs, the one that names it: the first that multiplies, else the first. */
static void name_node(Rows *r, OperatorRow *x, const NodeId *node, uint32_t nnode)
{
    const Graph *g = r->program->model->graph;
    uint32_t at = 0;
    for (uint32_t i = nnode; i-- > 0;)
        if (node_macs(g, &g->node[node[i]]) > 0)
            at = i;
    if (nnode == 0)
        return;
    x->op = g->node[node[at]].op;
    x->node = node_label(r->arena, &g->node[node[at]]);
}

/* What only moves data serves a node and is none of its type. */
static bool moves_data(LowOpKind k)
{
    static const bool moves[LOWOP_KIND_COUNT] = {
        [LOWOP_PAD] = true,     [LOWOP_MASK] = true,      [LOWOP_EXPAND] = true,
        [LOWOP_RESHAPE] = true, [LOWOP_SLICE] = true,     [LOWOP_TRANSPOSE] = true,
        [LOWOP_CONCAT] = true,  [LOWOP_SPLIT] = true,     [LOWOP_LOWER] = true,
        [LOWOP_UNLOWER] = true, [LOWOP_DEQUANTIZE] = true};
    return moves[k];
}

static void add_npu(Rows *r, const LowOp *op)
{
    const Measured *m = &r->rec->op[op->id];
    OperatorRow *x =
        add_program_row(r, program_lowop_name(op->kind), SPAN_NPU_OPERATOR, (double)m->median_ns);
    x->count = m->count;
    name_node(r, x, op->node, op->nnode);
    if (moves_data(op->kind))
        x->op = program_lowop_name(op->kind) + strlen("LowLevel");
    x->flop = 2 * (double)op->macs;
    x->memory_bytes = op->zero_cost ? 0 : (double)(op->bytes_in + op->bytes_out + op->weight_bytes);
    x->in_shapes = format_sizes(r, op->n, op->c_in, op->h_in, op->w_in);
    x->out_shapes = format_sizes(r, op->n, op->c_out, op->h_out, op->w_out);
}

static const char *tensor_shapes_text(Rows *r, const PTensorId *id, uint32_t n)
{
    enum { SHOWN = 4 };
    const char *text = NULL;
    for (uint32_t i = 0; i < n && i < SHOWN; i++) {
        const PTensor *t = &r->program->tensor[id[i]];
        text = arena_printf(r->arena, "%s%s%s", text ? text : "", text ? " " : "",
                            format_sizes(r, t->n, t->c, t->h, t->w));
    }
    return text;
}

static void add_host(Rows *r, const Step *s)
{
    const Measured *m = &r->rec->step[s->id];
    OperatorRow *x = add_program_row(r, s->op, SPAN_HOST_OPERATOR, (double)m->median_ns);
    x->count = m->count;
    name_node(r, x, s->node, s->nnode);
    x->op = s->op; /* a Quantize that runs a QuantizeLinear is called as the trace calls it */
    x->flop = 2 * (double)s->macs;
    x->memory_bytes = (double)(s->bytes_in + s->bytes_out + s->weight_bytes);
    x->in_shapes = tensor_shapes_text(r, s->input, s->ninput);
    x->out_shapes = tensor_shapes_text(r, s->output, s->noutput);
}

/* What the program's operators do not explain of a name, if it is half a run or more. */
static void add_rest(Rows *r, const NameStat *n, size_t known)
{
    const char *name = n->op ? n->op : n->name;
    double runs = name_runs_per_inference(r->stats, n), ns = name_ns_per_inference(r->stats, n);
    size_t matched = 0;
    for (size_t i = 0; i < known; i++)
        if (r->row[i].kind == n->kind && !strcmp(match_host_name(name), r->row[i].name)) {
            ns -= r->row[i].time_ns;
            matched++;
        }
    if (runs - (double)matched < 0.5 || ns <= 0)
        return;
    OperatorRow *x = add_program_row(r, n->name, n->kind, ns);
    x->op = n->op;
    x->operators = fmax(1, round(runs - (double)matched));
    x->count = n->count;
    x->least_ns = x->most_ns = ns / x->operators; /* the longest of them is not known */
}

size_t trace_program_op_rows(Arena *a, const TraceStats *s, const OperatorQuery *q,
                             OperatorRow *row)
{
    Rows r = {a, s, q->program, q->rec, row, 0};
    const Program *p = q->program;
    for (size_t i = 0; i < p->nop; i++)
        if (q->rec->op[i].count)
            add_npu(&r, &p->op[i]);
    for (size_t i = 0; i < p->nstep; i++)
        if (p->step[i].kind == STEP_HOST && q->rec->step[i].count)
            add_host(&r, &p->step[i]);
    size_t known = r.n;
    for (size_t i = 0; i < s->nnpu_name + s->nhost_name; i++) {
        const NameStat *n = i < s->nnpu_name ? &s->npu_name[i] : &s->host_name[i - s->nnpu_name];
        if (n->kind == SPAN_NPU_OPERATOR || n->kind == SPAN_HOST_OPERATOR)
            add_rest(&r, n, known);
    }
    return r.n;
}

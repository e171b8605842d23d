/* Finds where the graph could end so that the application does the remaining host work.
 *
 * Every node is kept or given up, and what a kept node needs is kept; the cheapest choice is a
 * minimum cut.  A kept operator on the host costs its time and hand-offs, an edge between host and
 * NPU its conversions, a product that is given up its time on a CPU and what the NPU took for it, a
 * tensor that is handed over its conversions and one pass over it.  Of equal cuts the earliest is
 * taken.  Then the cut moves up over what multiplies nothing as long as no more is handed over, so
 * that every product keeps its own scale.  A cut that leaves less than 90 % of the multiplications
 * in the model is searched for once more, with every product of the NPU kept; and where no cut
 * saves anything, with an application that takes codes of what the NPU makes, not floats.
 *
 * A tensor goes to one side only, so no cut is downstream of another; an output of the model may be
 * read on both, and needs no cut then. */
#include "passes/flow.h"
#include "passes/pass.h"
#include "passes/surroundings.h"
#include "cost_model/costs.h"

enum {
    CUTS_MAX = 64,       /* tensors: no one rewires more by hand */
    OPS_TEXT_MAX = 60,   /* bytes, before it says that there are more */
    WORK_MAX = 50000000, /* steps of the search: below a second */
    KEPT_PERCENT = 90,   /* of all multiplications, at least, stay in the model */
};

typedef enum { ON_NOTHING, ON_HOST, ON_NPU } Home;

typedef struct {
    const PassInput *in;
    const Program *p;
    const Graph *g;
    const Costs *costs;
    Arena *a;
    NodeId *root;     /* per node: of those that are kept or given up together */
    Home *side;       /* per node */
    int64_t *keep;    /* per root: what keeping it costs */
    int64_t *give_up; /* per root: what giving it up costs */
    bool *product;    /* per root: the NPU multiplies there */
    bool takes_codes; /* the application, of what the NPU hands over */
    Flow *flow;
    size_t source, sink, nvertex;
    int64_t everything; /* what keeping all of it costs */
} Cutting;

static NodeId group_root(const Cutting *c, NodeId n)
{
    while (c->root[n] != n)
        n = c->root[n] = c->root[c->root[n]];
    return n;
}

static void merge_groups(const Cutting *c, NodeId a, NodeId b)
{
    NodeId x = group_root(c, a), y = group_root(c, b);
    c->root[x > y ? x : y] = x < y ? x : y;
}

static void join_all(const Cutting *c, const NodeId *node, uint32_t n)
{
    for (uint32_t k = 1; k < n; k++)
        merge_groups(c, node[0], node[k]);
}

/* A value that changes from one inference to the next. */
static bool is_variable(const Cutting *c, TensorId t)
{
    return t != TENSOR_NONE && !c->g->tensor[t].value && !c->g->tensor[t].is_initializer;
}

/* False for nodes computed before the first inference, such as the Shape of a tensor. */
static bool is_live(const Cutting *c, NodeId n)
{
    return LIST_ANY(k, c->g->node[n].noutput, is_variable(c, c->g->node[n].output[k]));
}

static NodeId producer_of_variable(const Cutting *c, TensorId t)
{
    return is_variable(c, t) ? c->g->tensor[t].producer : NODE_NONE;
}

static bool is_coding(const Node *n)
{
    return n->ninput && (n->op_id == OP_QuantizeLinear || n->op_id == OP_DequantizeLinear);
}

/* A host step is one unit, and so is an NPU operator with the nodes that it includes.  A
 * QuantizeLinear or DequantizeLinear belongs to the unit that makes its input. */
static void find_units(Cutting *c)
{
    for (size_t i = 0; i < c->g->nnode; i++)
        c->root[i] = (NodeId)i;
    for (size_t i = 0; i < c->p->nstep; i++)
        if (surroundings_is_island(&c->p->step[i]))
            join_all(c, c->p->step[i].node, c->p->step[i].nnode);
    for (size_t i = 0; i < c->p->nop; i++)
        join_all(c, c->p->op[i].node, c->p->op[i].nnode);
    for (size_t i = 0; i < c->g->nnode; i++) {
        const Node *n = &c->g->node[i];
        NodeId from = is_coding(n) ? producer_of_variable(c, n->input[0]) : NODE_NONE;
        if (from != NODE_NONE)
            merge_groups(c, from, (NodeId)i);
    }
}

static void find_sides(Cutting *c)
{
    for (size_t i = 0; i < c->p->nstep; i++) {
        const Step *s = &c->p->step[i];
        for (uint32_t k = 0; k < s->nnode; k++)
            if (surroundings_is_island(s) || s->kind == STEP_NPU)
                c->side[s->node[k]] = s->kind == STEP_NPU ? ON_NPU : ON_HOST;
    }
    for (size_t i = 0; i < c->g->nnode; i++) { /* views stay where their input is */
        const Node *n = &c->g->node[i];
        for (uint32_t k = 0; k < n->ninput && c->side[i] == ON_NOTHING; k++) {
            NodeId from = producer_of_variable(c, n->input[k]);
            c->side[i] = from != NODE_NONE ? c->side[from] : ON_NOTHING;
        }
    }
}

static int64_t elements_of(const Cutting *c, TensorId t)
{
    int64_t n = shape_max_elements(&c->g->tensor[t].shape);
    int64_t batch = c->p->options.batch > 1 ? c->p->options.batch : 1;
    return n == DIM_UNKNOWN ? 0 : n * batch;
}

/* By the law of small tensors: a tensor in parts is to cost what it costs whole. */
static double host_ns(const Cutting *c, HostOp host_op, const char *op, DType from, DType to,
                      int64_t elements)
{
    Step s = {.kind = STEP_HOST,
              .host_op = host_op,
              .op = op,
              .from = from,
              .to = to,
              .elements = elements,
              .bytes_in = elements * (from == DT_FLOAT32 ? 4 : 1),
              .bytes_out = elements * (to == DT_FLOAT32 ? 4 : 1),
              .known = true};
    Step small = s;
    small.bytes_out = 0;
    const HostCost *law = costs_for_host(c->costs, c->p->options.sdk, &small);
    return law ? costs_host_ns(law, &s).mid + c->costs->gap_ns.mid : 0;
}

static int64_t width_of(const Cutting *c, TensorId t)
{
    const Shape *s = &c->g->tensor[t].shape;
    return s->rank > 2 ? s->dim[s->rank - 1].value : 0;
}

static double dequantize_ns(const Cutting *c, TensorId t)
{
    return host_ns(c, HOST_DEQUANTIZE, "Dequantize", DT_INT8, DT_FLOAT32, elements_of(c, t));
}

/* Across the border, there (Quantize, Pad) or back (Slice, Dequantize). */
static double border_ns(const Cutting *c, TensorId t, bool back)
{
    int64_t n = elements_of(c, t), width = width_of(c, t), unit = c->p->machine->width_multiple;
    double rate = c->costs->pcie_bytes_per_s.mid; /* 0: one memory, nothing is sent */
    double ns =
        c->costs->pcie_ns.mid + c->costs->gap_ns.mid + (rate > 0 ? (double)n * 1e9 / rate : 0);
    if (unit > 0 && width > 0 && width % unit)
        ns += back ? host_ns(c, HOST_SLICE, "Slice", DT_INT8, DT_INT8, n)
                   : host_ns(c, HOST_PAD, "Pad", DT_INT8, DT_INT8, n);
    return ns + (back ? dequantize_ns(c, t)
                      : host_ns(c, HOST_QUANTIZE, "Quantize", DT_FLOAT32, DT_INT8, n));
}

/* Arithmetic on a CPU. */
static double product_ns(const Cutting *c, int64_t macs)
{
    Step s = {
        .kind = STEP_HOST, .host_op = HOST_OPERATOR, .op = "operator", .macs = macs, .known = true};
    const HostCost *law = costs_for_host(c->costs, c->p->options.sdk, &s);
    return law ? costs_host_ns(law, &s).mid : 0;
}

static void price_nodes(Cutting *c)
{
    const Prediction *t = c->in->time;
    for (size_t i = 0; i < c->p->nstep; i++) {
        const Step *s = &c->p->step[i];
        if (!surroundings_is_island(s) || !s->nnode)
            continue;
        NodeId root = group_root(c, s->node[0]);
        c->keep[root] +=
            (int64_t)(c->costs->gap_ns.mid + (t->step[i].known ? t->step[i].total_ns.mid : 0));
        c->give_up[root] += s->macs > 0 ? (int64_t)product_ns(c, s->macs) : 0;
    }
    for (size_t i = 0; i < c->p->nop; i++) {
        const LowOp *op = &c->p->op[i];
        if (op->macs == 0 || op->nnode == 0)
            continue;
        NodeId root = group_root(c, op->node[0]);
        c->give_up[root] += (int64_t)(t->op[i].total_ns.mid + product_ns(c, op->macs));
        c->product[root] = true;
    }
}

/* True when a consumer of the tensor is on the side. */
static bool is_read_on(const Cutting *c, TensorId t, Home side)
{
    const Tensor *x = &c->g->tensor[t];
    return LIST_ANY(k, x->nconsumer, c->side[x->consumer[k]] == side);
}

/* `over` is on the sink's side as soon as a consumer is given up, `there` on the source's side
 * as soon as one on the NPU is kept. */
static void connect_tensor(Cutting *c, TensorId id)
{
    const Tensor *t = &c->g->tensor[id];
    NodeId from = producer_of_variable(c, id);
    if (from == NODE_NONE)
        return;
    size_t made = group_root(c, from), over = c->nvertex++, there = c->nvertex++;
    assert(there < c->source); /* the source and the sink come last */
    bool on_npu = c->side[from] == ON_NPU, is_host_input = is_read_on(c, id, ON_HOST),
         takes_codes = c->takes_codes && on_npu && !is_host_input;
    double pass =
        (double)elements_of(c, id) * (takes_codes ? 1 : 4) * c->costs->pass_ns_per_byte.mid;
    double back = on_npu ? border_ns(c, id, true) - (takes_codes ? dequantize_ns(c, id) : 0) : 0;
    if (t->is_output || is_host_input)
        c->keep[made] += (int64_t)back;
    else
        pass += back;
    flow_edge(c->flow, made, over, (int64_t)pass);
    size_t last = made;
    for (uint32_t k = 0; k < t->nconsumer; k++) {
        size_t reader = group_root(c, t->consumer[k]);
        if (!is_live(c, t->consumer[k]))
            continue;
        flow_edge(c->flow, over, reader, FLOW_INFINITE);
        flow_edge(c->flow, reader, made, FLOW_INFINITE);
        if (!t->is_output && last != made && last != reader) { /* all of them on one side */
            flow_edge(c->flow, reader, last, FLOW_INFINITE);
            flow_edge(c->flow, last, reader, FLOW_INFINITE);
        }
        last = reader;
        if (c->side[from] == ON_HOST && c->side[t->consumer[k]] == ON_NPU)
            flow_edge(c->flow, reader, there, FLOW_INFINITE);
    }
    if (c->side[from] == ON_HOST && is_read_on(c, id, ON_NPU)) {
        int64_t ns = (int64_t)border_ns(c, id, false);
        flow_edge(c->flow, there, c->sink, ns);
        c->everything += ns;
    }
}

static void build_flow(Cutting *c)
{
    c->nvertex = c->g->nnode;
    for (size_t t = 0; t < c->g->ntensor; t++)
        connect_tensor(c, (TensorId)t);
    for (size_t i = 0; i < c->g->nnode; i++) {
        c->everything += c->keep[i];
        if (c->keep[i])
            flow_edge(c->flow, i, c->sink, c->keep[i]);
        if (c->give_up[i])
            flow_edge(c->flow, c->source, i, c->give_up[i]);
    }
}

/* What is given up. */
typedef struct {
    bool *kept;             /* per vertex */
    int64_t nodes, unknown; /* operators on the host; steps of unknown cost */
    double ns;              /* that the host takes for them */
    int64_t saved_ns;
    const char *ops;     /* distinct operator types on the host, as many as fit a line */
    int64_t npu_nodes;   /* operators on the NPU … */
    const char *npu_ops; /* … and their types */
    const char *ends;    /* those that make what is handed over */
    bool all_codes;      /* all of them on the NPU */
    NodeId first;
} Tail;

#define MORE "…"

static const char *with_op(Arena *a, const char *ops, const char *op)
{
    size_t len = strlen(op);
    for (const char *s = ops; *s; s += strspn(s, ", ")) {
        size_t word = strcspn(s, ",");
        if (word == len && strncmp(s, op, len) == 0)
            return ops;
        s += word;
    }
    if (strlen(ops) + len < OPS_TEXT_MAX)
        return arena_printf(a, "%s%s%s", ops, *ops ? ", " : "", op);
    return strstr(ops, MORE) ? ops : arena_printf(a, "%s, " MORE, ops);
}

static void summarise_tail(const Cutting *c, Tail *t)
{
    for (size_t i = 0; i < c->p->nstep; i++) {
        const Step *s = &c->p->step[i];
        const StepPrediction *time = &c->in->time->step[i];
        if (!surroundings_is_island(s) || s->nnode == 0 || t->kept[group_root(c, s->node[0])])
            continue;
        if (t->first == NODE_NONE)
            t->first = s->node[0];
        t->unknown += !time->known;
        t->ns += time->known ? time->total_ns.mid : 0;
        t->nodes += s->nnode;
        t->ops = with_op(c->a, t->ops, s->op);
    }
    for (size_t i = 0; i < c->g->nnode; i++) {
        const Node *n = &c->g->node[i];
        if (c->side[i] != ON_NPU || t->kept[group_root(c, (NodeId)i)] || is_coding(n) ||
            !is_live(c, (NodeId)i))
            continue;
        t->first = t->first == NODE_NONE ? (NodeId)i : t->first;
        t->npu_nodes++;
        t->npu_ops = with_op(c->a, t->npu_ops, n->op);
    }
}

/* What crosses the border when node `n`'s unit is given up, less what crosses when it is kept;
 * INT64_MAX when something that stays needs it, or reads what it reads. */
static int64_t more_handed_over(const Cutting *c, const bool *kept, NodeId unit)
{
    int64_t more = 0;
    for (size_t i = unit; i < c->g->nnode; i++) {
        const Node *n = &c->g->node[i];
        if (group_root(c, (NodeId)i) != unit)
            continue;
        for (uint32_t k = 0; k < n->noutput; k++) {
            const Tensor *t = n->output[k] == TENSOR_NONE ? NULL : &c->g->tensor[n->output[k]];
            bool leaves = false;
            for (uint32_t j = 0; t && j < t->nconsumer; j++) {
                NodeId reader = group_root(c, t->consumer[j]);
                if (reader != unit && kept[reader] && is_live(c, t->consumer[j]))
                    return INT64_MAX;
                leaves |= reader != unit && is_live(c, t->consumer[j]);
            }
            if (t && t->is_output)
                return INT64_MAX;
            more -= leaves ? elements_of(c, n->output[k]) : 0;
        }
        for (uint32_t k = 0; k < n->ninput; k++) {
            NodeId from = producer_of_variable(c, n->input[k]);
            const Tensor *t = from == NODE_NONE ? NULL : &c->g->tensor[n->input[k]];
            if (!t || group_root(c, from) == unit)
                continue;
            if (LIST_ANY(j, t->nconsumer,
                         group_root(c, t->consumer[j]) != unit &&
                             kept[group_root(c, t->consumer[j])] && is_live(c, t->consumer[j])))
                return INT64_MAX;
            more += elements_of(c, n->input[k]);
        }
    }
    return more;
}

/* Nodes are in topological order, so going back once moves the border as far as it goes. */
static void move_up(const Cutting *c, bool *kept)
{
    for (size_t i = c->g->nnode; i-- > 0;)
        if (c->root[i] == i && kept[i] && !c->product[i] && c->side[i] == ON_NPU &&
            more_handed_over(c, kept, (NodeId)i) <= 0)
            kept[i] = false;
}

static bool is_border(const Cutting *c, const Tail *tail, TensorId id)
{
    const Tensor *t = &c->g->tensor[id];
    NodeId from = producer_of_variable(c, id);
    if (from == NODE_NONE || !tail->kept[group_root(c, from)])
        return false;
    bool is_read_here = LIST_ANY(
        k, t->nconsumer, is_live(c, t->consumer[k]) && tail->kept[group_root(c, t->consumer[k])]);
    return !is_read_here && LIST_ANY(k, t->nconsumer, is_live(c, t->consumer[k]));
}

/* Codes of what an operator makes are no operator of their own. */
static const char *maker_op(const Cutting *c, TensorId t)
{
    const Node *n = &c->g->node[producer_of_variable(c, t)];
    for (NodeId from; is_coding(n) && (from = producer_of_variable(c, n->input[0])) != NODE_NONE;)
        n = &c->g->node[from];
    return n->op;
}

static void add_cut(FindingList *out, const Cutting *c, const Tail *tail, TensorId cut, size_t cuts)
{
    assert(tail->first != NODE_NONE && tail->kept[group_root(c, c->g->tensor[cut].producer)]);
    Finding *f = finding_add(out, "host-tail");
    f->tensor = cut;
    f->node = tail->first;
    finding_text(out, f, "op", c->g->node[tail->first].op);
    finding_text(out, f, "cut", c->g->tensor[cut].name);
    finding_text(out, f, "made-by", maker_op(c, cut));
    finding_text(out, f, "ends", tail->ends);
    finding_text(out, f, "name", c->g->tensor[cut].name);
    finding_text(out, f, "index", arena_printf(out->arena, "tensor:%s", c->g->tensor[cut].name));
    finding_int(out, f, "elements", elements_of(c, cut));
    finding_int(out, f, "dequantize-ns", (int64_t)dequantize_ns(c, cut));
    finding_text(out, f, "codes", tail->all_codes ? "yes" : "no");
    finding_text(out, f, "shape", shape_text(out->arena, &c->g->tensor[cut].shape));
    finding_text(out, f, "ops", tail->ops);
    finding_int(out, f, "nodes", tail->nodes);
    finding_text(out, f, "npu-ops", tail->npu_ops);
    finding_int(out, f, "npu-nodes", tail->npu_nodes);
    finding_int(out, f, "unknown", tail->unknown);
    finding_int(out, f, "cuts", (int64_t)cuts);
    finding_int(out, f, "saves-ns", tail->saved_ns);
    finding_int(out, f, "time-ns", (int64_t)tail->ns);
}

/* Most multiplications stay, and what the NPU multiplies is given up only downstream of an operator
 * of the host that is, too. */
static bool leaves_little(const Cutting *c, const bool *kept)
{
    bool *late = ARENA_ARRAY(c->a, bool, c->g->nnode + 1), is_early = false; /* per node */
    double all = 0, left = 0;
    for (size_t i = 0; i < c->g->nnode; i++) {
        const Node *n = &c->g->node[i];
        const NodeId root = group_root(c, (NodeId)i);
        bool is_run = is_live(c, (NodeId)i);
        double macs = is_run ? fmax(0, (double)node_macs(c->g, n)) : 0;
        all += macs;
        left += kept[root] ? macs : 0;
        late[i] = !kept[root] && ((c->side[i] == ON_HOST && is_run) ||
                                  LIST_ANY(k, n->ninput,
                                           producer_of_variable(c, n->input[k]) != NODE_NONE &&
                                               late[producer_of_variable(c, n->input[k])]));
        is_early |= root == i && c->product[i] && !kept[i] && !late[i];
    }
    return left * 100 >= all * KEPT_PERCENT && !is_early;
}

static Cutting new_cutting(const PassInput *in, Arena *a, bool keeps_products, bool takes_codes)
{
    const Graph *g = in->program->model->graph;
    size_t n = g->nnode + 2 * g->ntensor + 2;
    Cutting c = {.in = in,
                 .p = in->program,
                 .g = g,
                 .costs = in->rec && in->rec->carried ? in->rec->carried : in->costs,
                 .a = a,
                 .root = ARENA_ARRAY(a, NodeId, g->nnode + 1),
                 .side = ARENA_ARRAY(a, Home, g->nnode + 1),
                 .keep = ARENA_ARRAY(a, int64_t, g->nnode + 1),
                 .give_up = ARENA_ARRAY(a, int64_t, g->nnode + 1),
                 .product = ARENA_ARRAY(a, bool, g->nnode + 1),
                 .takes_codes = takes_codes,
                 .flow = flow_new(a, n),
                 .source = n - 2,
                 .sink = n - 1};
    find_units(&c);
    find_sides(&c);
    price_nodes(&c);
    for (size_t i = 0; keeps_products && i < g->nnode; i++)
        c.give_up[i] = c.product[i] ? FLOW_INFINITE : c.give_up[i];
    build_flow(&c);
    return c;
}

/* The host runs operators, or takes an output that a Resize enlarges at the end. */
static bool has_tail(const Program *p)
{
    const Graph *g = p->model->graph;
    for (size_t i = 0; i < g->noutput; i++) {
        NodeId from = g->tensor[g->output[i]].producer;
        while (from != NODE_NONE && is_coding(&g->node[from]) &&
               g->node[from].input[0] != TENSOR_NONE)
            from = g->tensor[g->node[from].input[0]].producer;
        if (from != NODE_NONE && op_is(g->node[from].op_id, OP_Resize, OP_Upsample))
            return true;
    }
    return LIST_ANY(i, p->nstep, surroundings_is_island(&p->step[i]));
}

void pass_host_tail(const PassInput *in, FindingList *out)
{
    if (!has_tail(in->program))
        return;
    Cutting c;
    Tail tail = {.ops = "", .npu_ops = "", .ends = "", .all_codes = true, .first = NODE_NONE};
    int64_t cost = 0;
    for (int again = 0; !tail.kept && again < 4; again++) {
        c = new_cutting(in, out->arena, again % 2, again / 2);
        tail.kept = flow_cut(c.flow, c.source, c.sink, WORK_MAX, &cost);
        if (!tail.kept)
            return;
        move_up(&c, tail.kept);
        bool saves = cost < c.everything && LIST_ANY(i, c.g->nnode, c.product[i] && tail.kept[i]);
        tail.kept = saves && leaves_little(&c, tail.kept) ? tail.kept : NULL;
    }
    if (!tail.kept)
        return;
    tail.saved_ns = c.everything - cost;
    summarise_tail(&c, &tail);
    TensorId cut[CUTS_MAX];
    size_t n = 0;
    for (size_t t = 0; t < c.g->ntensor && tail.first != NODE_NONE; t++) {
        if (!is_border(&c, &tail, (TensorId)t))
            continue;
        if (n == CUTS_MAX)
            return;
        tail.all_codes &= c.side[producer_of_variable(&c, (TensorId)t)] == ON_NPU;
        tail.ends = with_op(c.a, tail.ends, maker_op(&c, (TensorId)t));
        cut[n++] = (TensorId)t;
    }
    for (size_t i = 0; i < n; i++)
        add_cut(out, &c, &tail, cut[i], n);
}

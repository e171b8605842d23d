/* Finds outputs from which only the position of the largest value is read. */
#include "passes/order_only.h"
#include "passes/pass.h"

enum { WALK_LIMIT = 64 };

/* Operators that change values, but not which of two along an axis is the greater: all elements
 * alike, or Softmax along that axis. */
static bool keeps_order(const Graph *g, const Node *n, int64_t axis, int32_t rank)
{
    const Tensor *scale = node_input(g, n, 1);
    int64_t own = node_attr_int(n, "axis", -1);
    if (op_is(n->op_id, OP_DequantizeLinear, OP_QuantizeLinear))
        return scale && scale->value && scale->value->nelem == 1;
    if (op_is(n->op_id, OP_Softmax, OP_LogSoftmax))
        return (own < 0 ? own + rank : own) == axis;
    return op_is(n->op_id, OP_Identity, OP_Sigmoid);
}

static bool is_choice(const Graph *g, const Node *n)
{
    const Tensor *values = node_output(g, n, 0);
    if (n->op_id != OP_TopK)
        return n->op_id == OP_ArgMax;
    return !values || (!values->is_output && values->nconsumer == 0);
}

/* The choice that ends at an output; NODE_NONE when the output is something else. */
static NodeId choice_before(const Graph *g, TensorId output)
{
    TensorId t = output;
    for (int i = 0; i < WALK_LIMIT && g->tensor[t].producer != NODE_NONE; i++) {
        const Node *n = &g->node[g->tensor[t].producer];
        if (n->ninput == 0 || n->input[0] == TENSOR_NONE)
            break;
        if (is_choice(g, n))
            return g->tensor[t].producer;
        if (op_info(n->op_id)->op_class != CLASS_VIEW && n->op_id != OP_Cast)
            break;
        t = n->input[0];
    }
    return NODE_NONE;
}

bool *order_only_nodes(Arena *a, const Graph *g)
{
    bool *choice = ARENA_ARRAY(a, bool, g->nnode + 1);
    for (uint32_t i = 0; i < g->noutput; i++) {
        NodeId n = choice_before(g, g->output[i]);
        if (n != NODE_NONE)
            choice[n] = true;
    }
    return choice;
}

static int64_t reduced_axis(const Node *n, int32_t rank)
{
    int64_t axis = node_attr_int(n, "axis", n->op_id == OP_TopK ? -1 : 0);
    return axis < 0 ? axis + rank : axis;
}

/* The first tensor whose order decides.  What others read as well has to stay for them. */
static TensorId order_source(const Graph *g, const Node *choice)
{
    TensorId t = choice->input[0];
    int32_t rank = g->tensor[t].shape.rank;
    for (int i = 0; i < WALK_LIMIT && rank > 0; i++) {
        const Tensor *x = &g->tensor[t];
        if (x->producer == NODE_NONE || x->nconsumer != 1 || x->is_output)
            break;
        const Node *n = &g->node[x->producer];
        if (!keeps_order(g, n, reduced_axis(choice, rank), rank))
            break;
        t = n->input[0];
    }
    return t;
}

static void add_output(const PassInput *in, FindingList *out, uint32_t i, NodeId choice)
{
    const Graph *g = in->program->model->graph;
    TensorId source = order_source(g, &g->node[choice]);
    const Tensor *t = &g->tensor[source];
    bool coded = t->dtype == DT_INT8 || t->dtype == DT_UINT8;
    Finding *f = finding_add(out, "order-only");
    f->node = choice;
    f->tensor = g->output[i];
    finding_text(out, f, "op", g->node[choice].op);
    finding_int(out, f, "index", i);
    finding_text(out, f, "output", g->tensor[g->output[i]].name);
    finding_text(out, f, "source", t->producer == NODE_NONE ? "" : t->name);
    finding_text(out, f, "shape", shape_text(out->arena, &t->shape));
    finding_text(out, f, "dtype", dtype_name(t->dtype));
    finding_text(out, f, "coded", coded ? "yes" : "no");
}

void pass_order_only(const PassInput *in, FindingList *out)
{
    const Graph *g = in->program->model->graph;
    for (uint32_t i = 0; i < g->noutput; i++) {
        NodeId choice = choice_before(g, g->output[i]);
        if (choice != NODE_NONE)
            add_output(in, out, i, choice);
    }
}

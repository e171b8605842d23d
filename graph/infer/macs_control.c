/* Counts the MACs of If, Loop and Scan from their bodies and trip counts. */
#include "graph/infer/macs.h"

/* Recursion goes as deep as bodies are nested, which the loader limits (ONNX_MAX_DEPTH). */
static int64_t macs_of_body(const Graph *body, int64_t times, MacFunction *each)
{
    int64_t sum = 0, product;
    if (!body || times < 0)
        return -1;
    for (size_t i = 0; i < body->nnode; i++) {
        int64_t macs = each(body, &body->node[i]);
        if (macs < 0)
            return -1;
        if (__builtin_add_overflow(sum, macs, &sum))
            sum = INT64_MAX;
    }
    return __builtin_mul_overflow(sum, times, &product) ? INT64_MAX : product;
}

/* The branch that a known condition takes; otherwise known only if both cost the same. */
static int64_t macs_if(const Graph *g, const Node *n, MacFunction *each)
{
    int64_t condition;
    const Graph *yes = node_body(n, "then_branch"), *no = node_body(n, "else_branch");
    if (tensor_int(node_input(g, n, 0), &condition))
        return macs_of_body(condition ? yes : no, 1, each);
    int64_t macs = macs_of_body(yes, 1, each);
    return macs == macs_of_body(no, 1, each) ? macs : -1;
}

/* The body is inferred with a true condition (shape_loop): its result holds for all iterations. */
int64_t macs_loop_trips(const Graph *g, const Node *n, const Graph *body)
{
    const Tensor *count = node_input(g, n, 0), *start = node_input(g, n, 1);
    int64_t trips = INT64_MAX, starts = 1, goes_on;
    if (body->noutput < 1 || (start && !tensor_int(start, &starts)))
        return -1;
    if (!starts)
        return 0;
    if (count && !tensor_int(count, &trips))
        return -1;
    if (trips <= 1)
        return i64_max(0, trips);
    if (!tensor_int(&body->tensor[body->output[0]], &goes_on))
        return -1;
    return !goes_on ? 1 : count ? trips : -1;
}

/* As often as the scanned axis is long.  Opset 8 has one more input, and a batch axis in front. */
int64_t macs_scan_trips(const Graph *g, const Node *n, const Graph *body)
{
    int64_t scanned = node_attr_int(n, "num_scan_inputs", 1), axis = 0, trips, batch = 1;
    const int64_t *axes;
    bool batched = body->ninput + 1 == n->ninput;
    if (scanned < 1 || scanned > n->ninput)
        return -1;
    const Tensor *t = node_input(g, n, n->ninput - (uint32_t)scanned);
    if (node_attr_ints(n, "scan_input_axes", &axes))
        axis = axes[0];
    axis = batched ? 1 : t && axis < 0 ? axis + t->shape.rank : axis;
    if (!t || axis < 0 || axis >= t->shape.rank || t->shape.dim[axis].value < 0)
        return -1;
    if (batched && (batch = t->shape.dim[0].value) < 0)
        return -1;
    return __builtin_mul_overflow(batch, t->shape.dim[axis].value, &trips) ? -1 : trips;
}

int64_t macs_control(const Graph *g, const Node *n, MacFunction *each)
{
    const Graph *body = node_body(n, "body");
    if (n->op_id == OP_If)
        return macs_if(g, n, each);
    bool loop = n->op_id == OP_Loop;
    if (!body || !(loop || n->op_id == OP_Scan))
        return -1;
    return macs_of_body(body, (loop ? macs_loop_trips : macs_scan_trips)(g, n, body), each);
}

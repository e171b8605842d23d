/* Runs the fold function of each node's operator (fold_*.c) and marks constant results. */
#include "graph/infer/fold.h"

static bool inputs_are_constant(const InferContext *c)
{
    bool any = false;
    for (uint32_t i = 0; i < c->node->ninput; i++) {
        const Tensor *t = infer_input(c, i);
        any = any || t;
        if (t && !t->value)
            return false;
    }
    return any;
}

/* A constant without computed bytes: too large, or its weights are missing. */
static void mark_constant(InferContext *c, uint32_t index)
{
    const Tensor *out = node_output(c->graph, c->node, index);
    int64_t n = out ? shape_elements(&out->shape) : DIM_UNKNOWN;
    int64_t nbyte = n >= 0 ? dtype_bytes(out->dtype, n) : DIM_UNKNOWN;
    if (!out || out->value || nbyte < 0)
        return;
    Const *k = ARENA_NEW(c->run->arena, Const);
    *k = (Const){.dtype = out->dtype, .nelem = n, .nbyte = (size_t)nbyte};
    infer_set_value(c, index, k);
}

void fold_node(InferContext *c)
{
    const OpInfo *op = op_info(c->node->op_id);
    if (op->fold == fold_never)
        return;
    if (op->fold)
        op->fold(c);
    if (!inputs_are_constant(c))
        return;
    for (uint32_t i = 0; i < c->node->noutput; i++)
        mark_constant(c, i);
}

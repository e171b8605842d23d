/* Infers shapes of reductions over axes (ReduceX, ArgMax, TopK, losses). */
#include "graph/infer/infer.h"

/* The input without the marked axes, or with 1 in their place. */
static void set_reduced(InferContext *c, const bool *gone, bool keep)
{
    int32_t rank = infer_rank(c, 0), n = 0;
    Dim *dim = infer_dims(c, rank);
    for (int32_t i = 0; dim && i < rank; i++) {
        if (!gone[i])
            dim[n++] = infer_dim(c, 0, i);
        else if (keep)
            dim[n++] = dim_of(1);
    }
    infer_set_shape(c, 0, n, dim);
}

static void infer_reduce(InferContext *c, int axes_input)
{
    int32_t rank = infer_rank(c, 0);
    bool gone[INFER_MAX_RANK] = {false};
    bool keep = node_attr_int(c->node, "keepdims", 1) != 0;
    List axes = infer_list(c, "axes", axes_input);
    /* An empty input of axes says the same as none; so does an empty list of known length. */
    bool all = !axes.given || (axes.known && axes.n == 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (rank == RANK_UNKNOWN || rank > INFER_MAX_RANK)
        return;
    if (all && node_attr_int(c->node, "noop_with_empty_axes", 0)) {
        infer_copy(c, 0, 0);
        return;
    }
    if (!all && !list_is_complete(&axes)) {
        if (keep) /* the rank stays */
            infer_set_shape(c, 0, rank, infer_dims(c, rank));
        return;
    }
    for (int32_t i = 0; i < rank; i++)
        gone[i] = all;
    for (int64_t i = 0; i < axes.n; i++) {
        int32_t axis;
        if (!infer_axis(c, axes.e[i].i, rank, &axis))
            return;
        gone[axis] = true;
    }
    set_reduced(c, gone, keep);
}

/* The input with axes is the second one since opset 13 (ReduceSum) or 18. */
void shape_reduce(InferContext *c)
{
    bool quantized = c->node->op_id == OP_MsQLinearReduceMean; /* its second input is a scale */
    infer_reduce(c, quantized ? -1 : 1);
}

void shape_reduce_sum_integer(InferContext *c)
{
    infer_reduce(c, -1);
    infer_set_dtype(c, 0, DT_INT32);
}

void shape_argmax(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), axis;
    bool gone[INFER_MAX_RANK] = {false};
    infer_set_dtype(c, 0, DT_INT64);
    if (rank < 1 || rank > INFER_MAX_RANK ||
        !infer_axis(c, node_attr_int(c->node, "axis", 0), rank, &axis))
        return;
    gone[axis] = true;
    set_reduced(c, gone, node_attr_int(c->node, "keepdims", 1) != 0);
}

void shape_topk(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), axis;
    List k = infer_list(c, "k", 1);
    Dim taken = list_dim(&k, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    infer_set_dtype(c, 1, DT_INT64);
    if (rank < 1 || !infer_axis(c, node_attr_int(c->node, "axis", -1), rank, &axis))
        return;
    Dim *dim = infer_dims_of(c, 0, 0);
    if (!dim)
        return;
    dim[axis] = taken;
    int64_t all = dim_max(infer_dim(c, 0, axis));
    if (!dim_known(taken) && (!taken.most || (all && all < taken.most)))
        dim[axis].most = all;
    infer_set_shape(c, 0, rank, dim);
    infer_set_shape(c, 1, rank, dim);
}

/* The determinant of the last two axes. */
void shape_det(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (rank >= 2)
        infer_set_shape(c, 0, rank - 2, infer_shape(c, 0)->dim);
}

/* ---- losses ---- */

void shape_nll_loss(InferContext *c)
{
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    const Shape *target = infer_shape(c, 1);
    if (strcmp(node_attr_string(c->node, "reduction", "mean"), "none") != 0)
        infer_set_shape(c, 0, 0, NULL);
    else
        infer_set_shape(c, 0, target->rank, target->dim);
}

void shape_softmax_loss(InferContext *c)
{
    shape_nll_loss(c);
    infer_copy(c, 1, 0);
}

/* Infers shapes of operators that pick elements by index or condition. */
#include "graph/infer/infer.h"

/* ---- Gather ---- */

void shape_gather(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), nindex = infer_rank(c, 1), axis, at = 0;
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (rank < 1 || nindex == RANK_UNKNOWN ||
        !infer_axis(c, node_attr_int(c->node, "axis", 0), rank, &axis))
        return;
    Dim *dim = infer_dims(c, rank + nindex - 1);
    if (!dim)
        return;
    for (int32_t i = 0; i < rank; i++) {
        if (i != axis) {
            dim[at++] = infer_dim(c, 0, i);
            continue;
        }
        for (int32_t k = 0; k < nindex; k++)
            dim[at++] = infer_dim(c, 1, k);
    }
    infer_set_shape(c, 0, at, dim);
}

void shape_gather_elements(InferContext *c)
{
    infer_copy(c, 0, 1);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
}

/* indices.shape[:-1] + data.shape[batch_dims + indices.shape[-1]:] */
void shape_gather_nd(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), nindex = infer_rank(c, 1), at = 0;
    int64_t batch = node_attr_int(c->node, "batch_dims", 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (rank < 1 || nindex < 1)
        return;
    Dim depth = infer_dim(c, 1, nindex - 1);
    if (!dim_known(depth))
        return;
    if (batch < 0 || batch > rank || depth.value > rank - batch) {
        infer_conflict(c, MESSAGE_ID(INDEX_ENTRIES), arg_count(depth.value), arg_count(rank));
        return;
    }
    int32_t kept = (int32_t)(batch + depth.value);
    Dim *dim = infer_dims(c, nindex - 1 + rank - kept);
    if (!dim)
        return;
    for (int32_t i = 0; i < nindex - 1; i++)
        dim[at++] = infer_dim(c, 1, i);
    for (int32_t i = kept; i < rank; i++)
        dim[at++] = infer_dim(c, 0, i);
    infer_set_shape(c, 0, at, dim);
}

/* ArrayFeatureExtractor: the last axis is picked by indices; a vector becomes one row. */
void shape_array_feature_extractor(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    int64_t picked = shape_elements(infer_shape(c, 1));
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    Dim *dim = rank >= 1 ? infer_dims(c, rank == 1 ? 2 : rank) : NULL;
    if (!dim)
        return;
    int32_t out = rank == 1 ? 2 : rank;
    for (int32_t i = 0; i < out - 1; i++)
        dim[i] = rank == 1 ? dim_of(1) : infer_dim(c, 0, i);
    dim[out - 1] = dim_of(picked);
    infer_set_shape(c, 0, out, dim);
}

/* ---- OneHot ---- */

void shape_one_hot(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), axis;
    List depth = infer_list(c, NULL, 1);
    infer_set_dtype(c, 0, infer_dtype(c, 2));
    if (rank == RANK_UNKNOWN)
        return;
    Dim *dim = infer_dims(c, rank + 1);
    if (!dim || !infer_axis(c, node_attr_int(c->node, "axis", -1), rank + 1, &axis))
        return;
    for (int32_t i = 0; i <= rank; i++)
        dim[i] = i == axis ? list_size(&depth, 0) : infer_dim(c, 0, i - (i > axis));
    infer_set_shape(c, 0, rank + 1, dim);
}

/* ---- what depends on values ---- */

void shape_non_zero(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    Dim *dim = infer_dims(c, 2);
    dim[0] = dim_of(rank == 0 ? 1 : rank);
    dim[1] = dim_with_max(shape_max_elements(infer_shape(c, 0)));
    infer_set(c, 0, DT_INT64, 2, dim);
}

/* How many elements of a condition hold; at most `all` when it is not a known constant. */
static Dim count_true(InferContext *c, uint32_t input, Dim all)
{
    List condition = infer_list(c, NULL, (int)input);
    int64_t n = 0;
    if (!list_is_complete(&condition))
        return dim_with_max(dim_max(all));
    for (int64_t i = 0; i < condition.n; i++)
        n += condition.e[i].i != 0;
    return dim_of(n);
}

void shape_compress(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), axis;
    const Attr *along = node_attr(c->node, "axis");
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (!along) {
        Dim *flat = infer_dims(c, 1);
        flat[0] = count_true(c, 1, dim_of(shape_elements(infer_shape(c, 0))));
        infer_set_shape(c, 0, 1, flat);
        return;
    }
    if (rank == RANK_UNKNOWN || !infer_axis(c, along->i, rank, &axis))
        return;
    Dim *dim = infer_dims_of(c, 0, 0);
    if (dim)
        dim[axis] = count_true(c, 1, dim[axis]);
    infer_set_shape(c, 0, dim ? rank : RANK_UNKNOWN, dim);
}

/* (values, first place of each, place of each in the values, how often). */
void shape_unique(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), axis;
    const Attr *along = node_attr(c->node, "axis");
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    Dim *different = infer_dims(c, 1), *inverse = infer_dims(c, 1);
    for (uint32_t k = 1; k < 4; k++)
        infer_set(c, k, DT_INT64, 1, different);
    if (!along) {
        inverse[0] = dim_of(shape_elements(infer_shape(c, 0)));
        different[0] = dim_with_max(shape_max_elements(infer_shape(c, 0)));
        infer_set_shape(c, 0, 1, different);
    } else if (rank > 0 && infer_axis(c, along->i, rank, &axis)) {
        Dim *dim = infer_dims_of(c, 0, 0);
        different[0] = dim_with_max(dim_max(infer_dim(c, 0, axis)));
        if (dim)
            dim[axis] = different[0];
        inverse[0] = infer_dim(c, 0, axis);
        infer_set_shape(c, 0, rank, dim);
    }
    infer_set_shape(c, 2, 1, inverse);
}

/* [selected, (batch, class, box)] */
void shape_non_max_suppression(InferContext *c)
{
    List most = infer_list(c, NULL, 2);
    Dim boxes = infer_dim(c, 1, 2), each = list_dim(&most, 0);
    Dim *dim = infer_dims(c, 2);
    if (!dim_max(each) || (dim_max(boxes) && dim_max(boxes) < dim_max(each)))
        each = boxes;
    Dim all = dim_mul(dim_mul(infer_dim(c, 1, 0), infer_dim(c, 1, 1)), each);
    dim[0] = dim_with_max(dim_max(all));
    dim[1] = dim_of(3);
    infer_set(c, 0, DT_INT64, 2, dim);
}

/* Infers shapes of operators that move nothing (Reshape, Squeeze, Identity …). */
#include "graph/infer/infer.h"

void shape_identity(InferContext *c)
{
    infer_copy(c, 0, 0);
    infer_set_member(c, 0, infer_member(c, 0));
}

/* ---- Reshape ---- */

/* What the output dimensions must multiply to: a number times symbols that are not matched yet. */
typedef struct {
    int64_t number;
    const char *symbol[INFER_MAX_RANK];
    int nsymbol;
    bool usable; /* false: an anonymous unknown, or overflow */
} Product;

static void product_times(Product *p, Dim d)
{
    if (dim_known(d))
        p->usable = p->usable && !__builtin_mul_overflow(p->number, d.value, &p->number);
    else if (d.symbol && p->nsymbol < INFER_MAX_RANK)
        p->symbol[p->nsymbol++] = d.symbol;
    else
        p->usable = false;
}

/* Takes one equal symbol out of `p`; false when there is none. */
static bool product_cancel(Product *p, const char *symbol)
{
    for (int i = 0; i < p->nsymbol; i++)
        if (strcmp(p->symbol[i], symbol) == 0) {
            p->symbol[i] = p->symbol[--p->nsymbol];
            return true;
        }
    return false;
}

static Product product_of_input(InferContext *c)
{
    Product p = {.number = 1, .usable = infer_rank(c, 0) != RANK_UNKNOWN};
    for (int32_t i = 0; i < infer_rank(c, 0); i++)
        product_times(&p, infer_dim(c, 0, i));
    return p;
}

/* The dimension written as -1: all elements of the input over those of the other dimensions. */
static Dim remaining_dim(InferContext *c, const Dim *dim, int32_t rank, int32_t hole)
{
    Product in = product_of_input(c), out = {.number = 1, .usable = true};
    for (int32_t i = 0; i < rank; i++)
        if (i != hole)
            product_times(&out, dim[i]);
    for (int i = 0; i < out.nsymbol; i++)
        out.usable = out.usable && product_cancel(&in, out.symbol[i]);
    if (!in.usable || !out.usable || out.number == 0) {
        int64_t most = shape_max_elements(infer_shape(c, 0));
        return out.usable && !out.nsymbol && out.number > 0 ? dim_with_max(most / out.number)
                                                            : dim_of(DIM_UNKNOWN);
    }
    if (in.nsymbol == 0 && in.number % out.number != 0) {
        infer_conflict(c, MESSAGE_ID(NO_ROWS), arg_count(in.number), arg_count(out.number));
        return dim_of(DIM_UNKNOWN);
    }
    if (in.nsymbol == 0)
        return dim_of(in.number / out.number);
    if (in.nsymbol == 1 && in.number == out.number)
        return (Dim){DIM_UNKNOWN, in.symbol[0], 0};
    return dim_of(DIM_UNKNOWN);
}

static void check_elements(InferContext *c, int32_t rank, const Dim *dim)
{
    Shape out = {rank, dim};
    int64_t from = shape_elements(infer_shape(c, 0)), to = shape_elements(&out);
    if (from >= 0 && to >= 0 && from != to)
        infer_conflict(c, MESSAGE_ID(NO_RESHAPE), arg_count(from), arg_count(to));
}

/* The output when the wanted shape has that many entries, each of them perhaps unknown.  An entry
 * that alone is unknown follows from the number of elements like a -1. */
static void reshape_to(InferContext *c, const List *wanted, int64_t rank)
{
    bool zero_is_zero = node_attr_int(c->node, "allowzero", 0) != 0;
    int32_t hole = -1, unknown = -1, nunknown = 0;
    Dim *dim = infer_dims(c, rank);
    for (int32_t i = 0; dim && i < (int32_t)rank; i++) {
        int64_t v;
        if (!list_int(wanted, i, &v))
            dim[i] = list_dim(wanted, i);
        else if (v == -1)
            hole = i;
        else
            dim[i] = v == 0 && !zero_is_zero ? infer_dim(c, 0, i) : dim_of(v);
        if (!dim_known(dim[i])) {
            nunknown++;
            unknown = i;
        }
    }
    if (!dim)
        return;
    if (hole < 0 && nunknown == 1 && shape_is_known(infer_shape(c, 0)))
        hole = unknown;
    if (hole >= 0)
        dim[hole] = remaining_dim(c, dim, (int32_t)rank, hole);
    check_elements(c, (int32_t)rank, dim);
    infer_set_shape(c, 0, (int32_t)rank, dim);
}

void shape_reshape(InferContext *c)
{
    List wanted = infer_list(c, "shape", 1);
    Dim length = infer_dim(c, 1, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (wanted.known)
        reshape_to(c, &wanted, wanted.n);
    else if (infer_rank(c, 1) == 1 && dim_known(length))
        reshape_to(c, &wanted, length.value);
}

void shape_flatten(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    int64_t axis = node_attr_int(c->node, "axis", 1);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    Dim *dim = infer_dims(c, 2);
    infer_set_shape(c, 0, 2, dim);
    if (rank == RANK_UNKNOWN)
        return;
    if (axis < -rank || axis > rank) {
        infer_conflict(c, MESSAGE_ID(NO_SUCH_AXIS), arg_count(axis), arg_count(rank));
        return;
    }
    axis = axis < 0 ? axis + rank : axis;
    dim[0] = dim[1] = dim_of(1);
    for (int32_t i = 0; i < rank; i++)
        dim[i >= axis] = dim_mul(dim[i >= axis], infer_dim(c, 0, i));
}

/* ---- Squeeze, Unsqueeze ---- */

/* Marks the axes of a list; false when one is unknown or out of range. */
static bool mark_axes(InferContext *c, const List *axes, int32_t rank, bool *marked)
{
    for (int64_t i = 0; i < axes->n; i++) {
        int64_t v;
        int32_t axis;
        if (!list_int(axes, i, &v) || !infer_axis(c, v, rank, &axis))
            return false;
        marked[axis] = true;
    }
    return axes->known;
}

/* Without axes every dimension of 1 goes, so that all must be known. */
static bool mark_ones(InferContext *c, int32_t rank, bool *marked)
{
    for (int32_t i = 0; i < rank; i++) {
        Dim d = infer_dim(c, 0, i);
        if (!dim_known(d))
            return false;
        marked[i] = dim_is(d, 1);
    }
    return true;
}

void shape_squeeze(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), n = 0;
    bool gone[INFER_MAX_RANK] = {false};
    List axes = infer_list(c, "axes", 1);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (rank == RANK_UNKNOWN || rank > INFER_MAX_RANK)
        return;
    if (!(axes.given ? mark_axes(c, &axes, rank, gone) : mark_ones(c, rank, gone))) {
        int64_t left = rank - shape_elements(infer_shape(c, 1)); /* the rank at least */
        if (axes.given && infer_rank(c, 1) == 1 && left >= 0 && left <= rank)
            infer_set_shape(c, 0, (int32_t)left, infer_dims(c, left));
        return;
    }
    Dim *dim = infer_dims(c, rank);
    for (int32_t i = 0; i < rank; i++) {
        Dim d = infer_dim(c, 0, i);
        if (!gone[i])
            dim[n++] = d;
        else if (dim_known(d) && d.value != 1)
            infer_conflict(c, MESSAGE_ID(NO_SQUEEZE), arg_count(i), arg_count(d.value));
    }
    infer_set_shape(c, 0, n, dim);
}

static void infer_unsqueeze(InferContext *c, const List *axes)
{
    int32_t rank = infer_rank(c, 0), from = 0;
    bool added[INFER_MAX_RANK] = {false};
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    int64_t count = axes->known ? axes->n : shape_elements(infer_shape(c, 1));
    if (rank == RANK_UNKNOWN || count < 0 || count > INFER_MAX_RANK)
        return;
    Dim *dim = infer_dims(c, rank + count);
    if (!axes->known) { /* the rank at least */
        infer_set_shape(c, 0, dim ? (int32_t)(rank + count) : RANK_UNKNOWN, dim);
        return;
    }
    int32_t out_rank = (int32_t)(rank + axes->n);
    if (!dim || !mark_axes(c, axes, out_rank, added))
        return;
    for (int32_t i = 0; i < out_rank; i++)
        dim[i] = added[i] || from >= rank ? dim_of(1) : infer_dim(c, 0, from++);
    infer_set_shape(c, 0, out_rank, dim);
}

void shape_unsqueeze(InferContext *c)
{
    List axes = infer_list(c, "axes", 1);
    infer_unsqueeze(c, &axes);
}

/* ExpandDims of com.microsoft: one axis, a scalar input. */
void shape_expand_dims(InferContext *c)
{
    List axis = infer_list(c, NULL, 1);
    infer_unsqueeze(c, &axis);
}

/* ---- descriptions of shapes ---- */

static int64_t clamp_axis(int64_t v, int64_t rank)
{
    v = v < 0 ? v + rank : v;
    return v < 0 ? 0 : v > rank ? rank : v;
}

void shape_shape(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    Dim *dim = infer_dims(c, 1);
    infer_set(c, 0, DT_INT64, 1, dim);
    if (rank == RANK_UNKNOWN)
        return;
    int64_t start = clamp_axis(node_attr_int(c->node, "start", 0), rank);
    int64_t end =
        node_attr(c->node, "end") ? clamp_axis(node_attr_int(c->node, "end", 0), rank) : rank;
    dim[0] = dim_of(end > start ? end - start : 0);
}

void shape_scalar_int64(InferContext *c)
{
    infer_set(c, 0, DT_INT64, 0, NULL);
}

void shape_scalar_bool(InferContext *c)
{
    infer_set(c, 0, DT_BOOL, 0, NULL);
}

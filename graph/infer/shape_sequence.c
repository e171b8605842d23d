/* Infers types of operators on sequences and optionals. */
#include "graph/infer/infer.h"

static const MemberType empty_sequence = {MEMBER_SEQUENCE, DT_UNKNOWN, {RANK_UNKNOWN, NULL}, 0};

/* Type of a sequence with one more tensor, input `index`. */
static MemberType with_tensor(InferContext *c, const MemberType *m, uint32_t index)
{
    bool first = m->count == 0;
    MemberType out = *m;
    if (out.dtype == DT_UNKNOWN)
        out.dtype = infer_dtype(c, index);
    out.shape = first ? *infer_shape(c, index) : infer_common(c, &m->shape, infer_shape(c, index));
    out.count = m->count < 0 ? -1 : m->count + 1;
    return out;
}

static bool is_sequence(const MemberType *m)
{
    return m && m->kind == MEMBER_SEQUENCE;
}

void shape_sequence_construct(InferContext *c)
{
    MemberType m = empty_sequence;
    for (uint32_t i = 0; i < c->node->ninput; i++)
        m = with_tensor(c, &m, i);
    infer_set_member(c, 0, &m);
}

void shape_sequence_empty(InferContext *c)
{
    MemberType m = empty_sequence;
    m.dtype = dtype_from_onnx((int32_t)node_attr_int(c->node, "dtype", 1));
    infer_set_member(c, 0, &m);
}

void shape_sequence_insert(InferContext *c)
{
    const MemberType *m = infer_member(c, 0);
    if (!is_sequence(m))
        return;
    MemberType out = with_tensor(c, m, 1);
    infer_set_member(c, 0, &out);
}

void shape_sequence_erase(InferContext *c)
{
    const MemberType *m = infer_member(c, 0);
    if (!is_sequence(m))
        return;
    MemberType out = *m;
    out.count = m->count > 0 ? m->count - 1 : -1;
    infer_set_member(c, 0, &out);
}

void shape_sequence_at(InferContext *c)
{
    const MemberType *m = infer_member(c, 0);
    if (is_sequence(m))
        infer_set(c, 0, m->dtype, m->shape.rank, m->shape.dim);
}

/* Joined along an axis, or stacked on a new one. */
void shape_concat_from_sequence(InferContext *c)
{
    const MemberType *m = infer_member(c, 0);
    bool stack = node_attr_int(c->node, "new_axis", 0) != 0;
    int32_t axis;
    if (!is_sequence(m))
        return;
    infer_set_dtype(c, 0, m->dtype);
    int32_t rank = m->shape.rank + stack;
    if (m->shape.rank == RANK_UNKNOWN || m->count == 0 ||
        !infer_axis(c, node_attr_int(c->node, "axis", 0), rank, &axis))
        return;
    Dim *dim = infer_dims(c, rank);
    for (int32_t i = 0; dim && i < rank; i++) {
        if (i == axis)
            dim[i] = dim_mul(dim_of(m->count), stack ? dim_of(1) : m->shape.dim[i]);
        else
            dim[i] = m->shape.dim[stack && i > axis ? i - 1 : i];
    }
    if (dim)
        infer_set_shape(c, 0, rank, dim);
}

/* Pieces of `size` along the axis, 1 without a second input; the axis goes when keepdims is 0. */
void shape_split_to_sequence(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), axis, n = 0;
    bool split = infer_has(c, 1);
    bool keep = split || node_attr_int(c->node, "keepdims", 1) != 0;
    int64_t size = 1;
    List sizes = infer_list(c, NULL, 1);
    MemberType m = {MEMBER_SEQUENCE, infer_dtype(c, 0), {RANK_UNKNOWN, NULL}, -1};
    Dim *dim = rank > 0 ? infer_dims(c, rank) : NULL;
    if (dim && infer_axis(c, node_attr_int(c->node, "axis", 0), rank, &axis)) {
        Dim whole = infer_dim(c, 0, axis);
        bool even = !split || (infer_rank(c, 1) == 0 && list_int(&sizes, 0, &size) && size > 0 &&
                               dim_known(whole) && whole.value % size == 0);
        if (even && dim_known(whole))
            m.count = whole.value / size;
        for (int32_t i = 0; i < rank; i++)
            if (i != axis || keep)
                dim[n++] = i == axis ? dim_of(even ? size : DIM_UNKNOWN) : infer_dim(c, 0, i);
        m.shape = (Shape){n, dim};
    }
    infer_set_member(c, 0, &m);
}

/* ---- optionals ---- */

void shape_optional(InferContext *c)
{
    const MemberType *inner = infer_member(c, 0);
    MemberType m = {MEMBER_OPTIONAL_TENSOR, infer_dtype(c, 0), *infer_shape(c, 0), -1};
    if (is_sequence(inner)) {
        m = *inner;
        m.kind = MEMBER_OPTIONAL_SEQUENCE;
    }
    if (infer_has(c, 0))
        infer_set_member(c, 0, &m);
}

/* Since opset 18 the input may be the element itself. */
void shape_optional_get_element(InferContext *c)
{
    const MemberType *m = infer_member(c, 0);
    if (!m) {
        infer_copy(c, 0, 0);
        return;
    }
    MemberType inner = *m;
    inner.kind = MEMBER_SEQUENCE;
    if (m->kind == MEMBER_OPTIONAL_TENSOR)
        infer_set(c, 0, m->dtype, m->shape.rank, m->shape.dim);
    else
        infer_set_member(c, 0, &inner);
}

/* Computes operators that pick elements by index, compare them or count positions. */
#include "npu_exec/values/kernels.h"

/* Where a position of `shape` lies in `v`, but for one axis. */
static int64_t offset_without(const Value *v, const int64_t *index, int32_t axis)
{
    int64_t at = 0;
    for (int32_t i = 0; i < v->rank; i++)
        at = at * v->dim[i] + (i == axis ? 0 : index[i]);
    return at;
}

/* Whether `index` has the rank of `v`, and no axis but one that is longer. */
static bool lies_within(const Value *index, const Value *v, int32_t axis)
{
    return index->rank == v->rank && LIST_ALL(i, v->rank, i == axis || index->dim[i] <= v->dim[i]);
}

Status kernel_gather_elements(Call *c)
{
    const uint8_t *x = NULL;
    const int64_t *which = NULL;
    Value *v = call_in(c, 0), *at = call_in(c, 1), *out = c->out[0];
    int64_t index[VALUE_MAX_RANK] = {0};
    Status st = kernel_same_bytes(c, &x);
    st = st ? st : kernel_in_ints(c, 1, &which);
    int32_t axis = v ? kernel_axis(c, 0, v->rank) : -1;
    if (st || axis < 0 || at->count != out->count || !lies_within(at, v, axis))
        return st ? st : call_refuse(c, "its shapes do not go together");
    int64_t inner = value_extent(v, axis + 1, v->rank), d = v->dim[axis];
    for (int64_t i = 0; i < out->count; i++, kernel_next_index(at, index)) {
        int64_t k = which[i] + (which[i] < 0 ? d : 0);
        if (k < 0 || k >= d)
            return call_refuse(c, "an index is out of range");
        value_put_element(out, i, x, offset_without(v, index, axis) + k * inner);
    }
    return STATUS_OK;
}

/* The triangle of the last two axes from diagonal k on, or up to it. */
Status kernel_trilu(Call *c)
{
    Value *v = call_in(c, 0), *out = c->out[0];
    const uint8_t *x = NULL;
    const int64_t *diagonal = NULL;
    Status st = kernel_same_bytes(c, &x);
    st = st || !call_in(c, 1) ? st : kernel_in_ints(c, 1, &diagonal);
    if (st || v->rank < 2 || v->count != out->count || (diagonal && call_in(c, 1)->count != 1))
        return st ? st : call_refuse(c, "its shapes do not go together");
    bool upper = node_attr_int(c->node, "upper", 1);
    int64_t columns = v->dim[v->rank - 1], rows = v->dim[v->rank - 2], k = diagonal ? *diagonal : 0;
    k = k < -rows ? -rows : k > columns ? columns : k;
    memset(out->data, 0, (size_t)value_bytes(out));
    for (int64_t i = 0; i < v->count; i++) {
        int64_t off = i % columns - i / columns % rows;
        if (upper ? off >= k : off <= k)
            value_put_element(out, i, x, i);
    }
    return STATUS_OK;
}

/* Running sums along an axis, which is input 1. */
Status kernel_cum_sum(Call *c)
{
    Numbers x;
    const int64_t *given = NULL;
    Value *v = call_in(c, 0), *out = c->out[0];
    Status st = kernel_in_numbers(c, 0, &x);
    st = st ? st : kernel_in_ints(c, 1, &given);
    if (st || call_in(c, 1)->count != 1 || v->count != out->count)
        return st ? st : call_refuse(c, "its shapes do not go together");
    int64_t axis = *given + (*given < 0 ? v->rank : 0);
    if (axis < 0 || axis >= v->rank)
        return call_refuse(c, "its axis does not fit");
    bool late = node_attr_int(c->node, "exclusive", 0), back = node_attr_int(c->node, "reverse", 0);
    float *y = x.real ? kernel_out_floats(out) : NULL;
    int64_t *whole = x.real ? NULL : kernel_out_ints(out);
    int64_t inner = value_extent(v, (int32_t)axis + 1, v->rank), d = v->dim[axis];
    for (int64_t i = 0; (y || whole) && d > 0 && i < v->count / d; i++) {
        int64_t first = i / inner * inner * d + i % inner;
        double sum = 0;
        uint64_t total = 0;
        for (int64_t k = 0; k < d; k++) {
            int64_t at = first + (back ? d - 1 - k : k) * inner;
            double before = sum;
            uint64_t had = total;
            sum += x.real ? (double)x.real[at] : 0;
            total += x.whole ? (uint64_t)x.whole[at] : 0;
            if (y)
                y[at] = (float)(late ? before : sum);
            else
                whole[at] = kernel_wrap_int64(late ? had : total);
        }
    }
    return y || whole ? STATUS_OK : call_no_memory(c);
}

/* Two values at the index of each depth: off, on.  Inputs: indices, depth, values. */
Status kernel_one_hot(Call *c)
{
    const int64_t *which = NULL, *depth = NULL;
    Value *at = call_in(c, 0), *value = call_in(c, 2), *out = c->out[0];
    Status st = kernel_in_ints(c, 0, &which);
    st = st ? st : kernel_in_ints(c, 1, &depth);
    if (st || !value || !value->data || value->count != 2 || value->dtype != out->dtype ||
        call_in(c, 1)->count != 1 || out->rank != at->rank + 1)
        return st ? st : call_refuse(c, "its shapes or types are not handled");
    int32_t axis = kernel_axis(c, -1, out->rank);
    if (axis < 0 || out->dim[axis] != *depth || out->count != at->count * *depth)
        return call_refuse(c, "its shapes do not go together");
    int64_t inner = value_extent(out, axis + 1, out->rank);
    for (int64_t i = 0; i < out->count; i++) {
        int64_t k = which[i / (inner * *depth) * inner + i % inner];
        value_put_element(out, i, value->data, (k + (k < 0 ? *depth : 0)) == i / inner % *depth);
    }
    return STATUS_OK;
}

/* IsNaN, IsInf. */
Status kernel_is_special(Call *c)
{
    const float *x = NULL;
    Value *v = call_in(c, 0), *out = c->out[0];
    Status st = kernel_in_floats(c, 0, &x);
    if (st || v->count != out->count || out->dtype != DT_BOOL)
        return st ? st : call_refuse(c, "its shapes do not go together");
    bool infinite = c->node->op_id == OP_IsInf;
    bool below = node_attr_int(c->node, "detect_negative", 1);
    bool above = node_attr_int(c->node, "detect_positive", 1);
    for (int64_t i = 0; i < out->count; i++)
        ((uint8_t *)out->data)[i] =
            infinite ? isinf(x[i]) && (x[i] < 0 ? below : above) : isnan(x[i]) != 0;
    return STATUS_OK;
}

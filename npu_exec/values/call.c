/* Gives kernels their inputs, attributes and indices. */
#include "npu_exec/values/kernels.h"
#include "graph/base/limits.h"

Status call_refuse(Call *c, const char *why)
{
    return diag_set(c->diag, STATUS_UNDECIDED, NULL, node_label(c->scratch, c->node),
                    "%s cannot be executed: %s", c->node->op, why);
}

Status call_no_memory(Call *c)
{
    return diag_set(c->diag, STATUS_INPUT, NULL, node_label(c->scratch, c->node),
                    "%s cannot be executed: not enough memory", c->node->op);
}

/* Why there are no numbers of an input. */
static Status refuse_input(Call *c, const Value *v)
{
    if (!v)
        return call_refuse(c, "an input is missing");
    return value_has_numbers(v) ? call_no_memory(c) : call_refuse(c, "an input has no numbers");
}

Value *call_in(const Call *c, uint32_t i)
{
    return i < c->nin ? c->in[i] : NULL;
}

Status kernel_in_floats(Call *c, uint32_t i, const float **ret)
{
    Value *v = call_in(c, i);
    *ret = v ? value_floats(v) : NULL;
    return *ret ? STATUS_OK : refuse_input(c, v);
}

Status kernel_in_ints(Call *c, uint32_t i, const int64_t **ret)
{
    Value *v = call_in(c, i);
    *ret = v ? value_ints(v) : NULL;
    return *ret ? STATUS_OK : refuse_input(c, v);
}

Status kernel_in_numbers(Call *c, uint32_t i, Numbers *ret)
{
    Value *v = call_in(c, i);
    *ret = (Numbers){NULL, NULL};
    return v && !dtype_is_float(v->dtype) ? kernel_in_ints(c, i, &ret->whole)
                                          : kernel_in_floats(c, i, &ret->real);
}

Status kernel_in_bytes(Call *c, uint32_t i, const uint8_t **ret)
{
    Value *v = call_in(c, i);
    bool there = v && (v->data || value_floats(v));
    *ret = there ? v->data : NULL;
    return there ? STATUS_OK : refuse_input(c, v);
}

Status kernel_same_bytes(Call *c, const uint8_t **ret)
{
    Value *x = call_in(c, 0);
    if (x && c->out[0] && x->dtype != c->out[0]->dtype)
        return call_refuse(c, "types differ");
    return kernel_in_bytes(c, 0, ret);
}

Status kernel_int_list(Call *c, const char *attribute, uint32_t i, const int64_t **ret,
                       size_t *ret_count)
{
    *ret = NULL;
    *ret_count = node_attr_ints(c->node, attribute, ret);
    Value *v = call_in(c, i);
    if (*ret || !v)
        return STATUS_OK;
    *ret_count = (size_t)v->count;
    return kernel_in_ints(c, i, ret);
}

Status kernel_number_or(Call *c, const char *attribute, uint32_t i, double fallback, double *ret)
{
    const Attr *a = node_attr(c->node, attribute);
    Value *v = call_in(c, i);
    *ret = a ? (a->type == ATTR_INT ? (double)a->i : a->f) : fallback;
    if (a || !v)
        return STATUS_OK;
    const float *x = NULL;
    Status st = v->count == 1 ? kernel_in_floats(c, i, &x) : call_refuse(c, "a number is expected");
    if (!st)
        *ret = (double)x[0];
    return st;
}

float *kernel_out_floats(Value *v)
{
    if (!v->floats)
        v->floats =
            v->dtype == DT_FLOAT32 ? v->data : limits_alloc(((size_t)v->count + 1) * sizeof(float));
    return v->floats;
}

int64_t *kernel_out_ints(Value *v)
{
    if (!v->ints)
        v->ints =
            v->dtype == DT_INT64 ? v->data : limits_alloc(((size_t)v->count + 1) * sizeof(int64_t));
    return v->ints;
}

int32_t kernel_axis(const Call *c, int64_t fallback, int32_t rank)
{
    int64_t axis = node_attr_int(c->node, "axis", fallback);
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank ? (int32_t)axis : -1;
}

int64_t kernel_pad_before(const Node *n, size_t i, WindowAxis x)
{
    const int64_t *pads;
    size_t npads = node_attr_ints(n, "pads", &pads);
    const char *automatic = node_attr_string(n, "auto_pad", "NOTSET");
    if (strncmp(automatic, "SAME", 4) != 0)
        return i < npads ? pads[i] : 0;
    int64_t total = i64_max((x.out - 1) * x.stride + (x.kernel - 1) * x.dilation + 1 - x.in, 0);
    return strcmp(automatic, "SAME_LOWER") == 0 ? total - total / 2 : total / 2;
}

bool kernel_broadcast_strides(const Value *from, const Value *to, int64_t *ret_stride)
{
    int64_t stride = 1;
    for (int32_t i = to->rank - 1, k = from->rank - 1; i >= 0; i--, k--) {
        int64_t d = k >= 0 ? from->dim[k] : 1;
        if (d != 1 && d != to->dim[i])
            return false;
        ret_stride[i] = d == 1 ? 0 : stride;
        stride *= d;
    }
    return LIST_ALL(k, from->rank - to->rank, from->dim[k] == 1);
}

bool kernel_next_index(const Value *shape, int64_t *index)
{
    for (int32_t i = shape->rank - 1; i >= 0; i--) {
        if (++index[i] < shape->dim[i])
            return true;
        index[i] = 0;
    }
    return false;
}

Status kernel_zero_points(Call *c, uint32_t i, int64_t most, const int32_t **ret,
                          int64_t *ret_count)
{
    Value *z = call_in(c, i);
    const int64_t *x = NULL;
    *ret_count = z ? z->count : 1;
    int32_t *zero = ARENA_ARRAY(c->scratch, int32_t, (size_t)*ret_count);
    Status st = z ? kernel_in_ints(c, i, &x) : STATUS_OK;
    if (!st && *ret_count != 1 && *ret_count != most)
        st = call_refuse(c, "zero points do not fit the channels or columns");
    for (int64_t k = 0; !st && z && k < *ret_count; k++) {
        if (x[k] < -128 || x[k] > 255)
            st = call_refuse(c, "a zero point is not a byte");
        else
            zero[k] = (int32_t)x[k];
    }
    *ret = zero;
    return st;
}

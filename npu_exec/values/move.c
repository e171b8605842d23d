/* Copies elements to other positions, for operators that compute nothing. */
#include "npu_exec/values/kernels.h"

/* Out element at `index` comes from the element of an input at
 * base + sum of index[i] * stride[i]; the caller has checked that all of them lie within. */
static void gather_strided(Value *out, const uint8_t *x, int64_t base, const int64_t *stride)
{
    int64_t index[VALUE_MAX_RANK] = {0};
    for (int64_t to = 0; to < out->count; to++, kernel_next_index(out, index))
        value_put_element(out, to, x, base + kernel_offset(index, stride, out->rank));
}

/* Reshape, Flatten, Identity …: the same bytes. */
Status kernel_view(Call *c)
{
    const uint8_t *x = NULL;
    Status st = kernel_same_bytes(c, &x);
    if (!st && call_in(c, 0)->count != c->out[0]->count)
        st = call_refuse(c, "shapes differ");
    if (!st)
        memcpy(c->out[0]->data, x, (size_t)value_bytes(c->out[0]));
    if (!st && c->nout > 1 && c->out[1]) /* Dropout's mask: everything stays */
        memset(c->out[1]->data, c->out[1]->dtype == DT_BOOL, (size_t)value_bytes(c->out[1]));
    return st;
}

/* Of inputs 1 and 2, since opset 12; training with ratio 0 drops nothing either. */
Status kernel_dropout(Call *c)
{
    double ratio = 0, training = 0;
    Status st = kernel_number_or(c, "ratio", 1, 0.5, &ratio);
    st = st ? st : kernel_number_or(c, "training_mode", 2, 0, &training);
    if (!st && training != 0 && ratio != 0)
        st = call_refuse(c, "training is not handled");
    return st ? st : kernel_view(c);
}

Status kernel_transpose(Call *c)
{
    const uint8_t *x = NULL;
    const int64_t *perm = NULL;
    Value *v = call_in(c, 0), *out = c->out[0];
    Status st = kernel_same_bytes(c, &x);
    size_t n = node_attr_ints(c->node, "perm", &perm);
    int64_t from[VALUE_MAX_RANK], stride[VALUE_MAX_RANK];
    if (st || out->rank != v->rank || (n != 0 && n != (size_t)v->rank))
        return st ? st : call_refuse(c, "its axes do not fit");
    value_strides(v, from);
    bool taken[VALUE_MAX_RANK] = {false};
    for (int32_t i = 0; i < v->rank; i++) {
        int64_t p = n ? perm[i] : v->rank - 1 - i;
        if (p < 0 || p >= v->rank || taken[p] || v->dim[p] != out->dim[i])
            return call_refuse(c, "its axes do not fit");
        taken[p] = true;
        stride[i] = from[p];
    }
    gather_strided(out, x, 0, stride);
    return STATUS_OK;
}

Status kernel_concat(Call *c)
{
    Value *out = c->out[0];
    int32_t axis = kernel_axis(c, 1, out->rank);
    if (axis < 0)
        return call_refuse(c, "its axis does not fit");
    size_t size = value_element_bytes(out), at = 0, outer = (size_t)value_extent(out, 0, axis);
    size_t rest = (size_t)value_extent(out, axis + 1, out->rank) * size;
    size_t step = (size_t)out->dim[axis] * rest;
    for (uint32_t i = 0; i < c->nin; i++) {
        const uint8_t *x = NULL;
        Value *v = call_in(c, i);
        Status st = kernel_in_bytes(c, i, &x);
        if (st)
            return st;
        size_t inner = v->rank == out->rank ? (size_t)v->dim[axis] * rest : 0;
        if (v->rank != out->rank || v->dtype != out->dtype || at + inner > step ||
            outer * inner != (size_t)value_bytes(v))
            return call_refuse(c, "its parts do not fit");
        for (size_t k = 0; k < outer; k++)
            memcpy((uint8_t *)out->data + k * step + at, x + k * inner, inner);
        at += inner;
    }
    return at == step ? STATUS_OK : call_refuse(c, "its parts do not fit");
}

Status kernel_split(Call *c)
{
    const uint8_t *x = NULL;
    Value *v = call_in(c, 0);
    Status st = kernel_in_bytes(c, 0, &x);
    int32_t axis = v ? kernel_axis(c, 0, v->rank) : -1;
    if (st || axis < 0)
        return st ? st : call_refuse(c, "its axis does not fit");
    size_t rest = (size_t)value_extent(v, axis + 1, v->rank) * value_element_bytes(v);
    size_t step = (size_t)v->dim[axis] * rest, outer = (size_t)value_extent(v, 0, axis), at = 0;
    for (uint32_t i = 0; i < c->nout; i++) {
        Value *o = c->out[i];
        if (!o || o->rank != v->rank || o->dtype != v->dtype)
            return call_refuse(c, "an output is missing or does not fit");
        size_t inner = (size_t)o->dim[axis] * rest;
        if (at + inner > step || outer * inner != (size_t)value_bytes(o))
            return call_refuse(c, "its parts do not fit");
        for (size_t k = 0; k < outer; k++)
            memcpy((uint8_t *)o->data + k * inner, x + k * step + at, inner);
        at += inner;
    }
    return STATUS_OK;
}

Status kernel_slice(Call *c)
{
    const uint8_t *x = NULL;
    const int64_t *starts, *axes, *steps = NULL, *ends;
    size_t n, nend, naxis, nstep;
    Value *v = call_in(c, 0), *out = c->out[0];
    Status st = kernel_same_bytes(c, &x);
    st = st ? st : kernel_int_list(c, "starts", 1, &starts, &n);
    st = st ? st : kernel_int_list(c, "ends", 2, &ends, &nend);
    st = st ? st : kernel_int_list(c, "axes", 3, &axes, &naxis);
    st = st ? st : kernel_int_list(c, "steps", 4, &steps, &nstep);
    if (st)
        return st;
    int64_t stride[VALUE_MAX_RANK], base = 0;
    value_strides(v, stride);
    if (out->rank != v->rank || nend != n || (naxis && naxis != n) || (nstep && nstep != n))
        return call_refuse(c, "its lists do not fit");
    bool cut[VALUE_MAX_RANK] = {false};
    for (size_t i = 0; i < n; i++) {
        int64_t a = naxis ? axes[i] : (int64_t)i, step = nstep ? steps[i] : 1;
        a += a < 0 ? v->rank : 0;
        if (a < 0 || a >= v->rank || cut[a] || step == 0)
            return call_refuse(c, "its lists do not fit");
        int64_t d = v->dim[a], first = starts[i] < 0 ? starts[i] + d : starts[i];
        first = step > 0 ? i64_clamp(first, 0, d) : i64_clamp(first, 0, d - 1);
        int64_t last = out->dim[a] > 0 ? out->dim[a] - 1 : 0;
        bool far = last > 0 && (step > d || step < -d);
        if (out->count > 0 &&
            (first < 0 || first >= d || far || first + last * step < 0 || first + last * step >= d))
            return call_refuse(c, "it reaches beyond its input");
        base += first * stride[a];
        stride[a] = last > 0 ? stride[a] * step : 0;
        cut[a] = true;
    }
    if (LIST_ANY(i, v->rank, !cut[i] && out->dim[i] != v->dim[i]))
        return call_refuse(c, "its lists do not fit");
    if (out->count > 0)
        gather_strided(out, x, base, stride);
    return STATUS_OK;
}

typedef enum { PAD_CONSTANT, PAD_REFLECT, PAD_EDGE, PAD_WRAP } PadMode;

/* Position in the input, or -1: the constant. */
static int64_t pad_source(PadMode mode, int64_t at, int64_t d)
{
    if (at >= 0 && at < d)
        return at;
    if (mode == PAD_CONSTANT || d < 1)
        return -1;
    if (mode == PAD_EDGE)
        return i64_clamp(at, 0, d - 1);
    if (mode == PAD_WRAP)
        return (at % d + d) % d;
    int64_t period = d > 1 ? 2 * (d - 1) : 1, p = (at % period + period) % period;
    return p < d ? p : period - p;
}

static Status pad_value(Call *c, uint8_t *ret)
{
    Value *out = c->out[0];
    const uint8_t *given = NULL;
    memset(ret, 0, sizeof(uint64_t));
    if (call_in(c, 2) && call_in(c, 2)->count == 1 && call_in(c, 2)->dtype == out->dtype) {
        Status st = kernel_in_bytes(c, 2, &given);
        if (!st)
            memcpy(ret, given, value_element_bytes(out));
        return st;
    }
    double number = node_attr_float(c->node, "value", 0);
    if (number != 0 && out->dtype != DT_FLOAT32)
        return call_refuse(c, "its value is of a type that is not handled");
    memcpy(ret, &(float){(float)number}, out->dtype == DT_FLOAT32 ? sizeof(float) : 0);
    return STATUS_OK;
}

Status kernel_pad(Call *c)
{
    static const char *const mode_name[] = {"constant", "reflect", "edge", "wrap"};
    const uint8_t *x = NULL;
    const int64_t *pads, *axes = NULL;
    size_t n, naxis = 0;
    uint8_t filler[sizeof(uint64_t)];
    Value *v = call_in(c, 0), *out = c->out[0];
    Status st = kernel_same_bytes(c, &x);
    st = st ? st : kernel_int_list(c, "pads", 1, &pads, &n);
    st = st || !call_in(c, 3) ? st : kernel_int_list(c, "axes", 3, &axes, &naxis);
    st = st ? st : pad_value(c, filler);
    int mode =
        LIST_INDEX(i, 4, strcmp(node_attr_string(c->node, "mode", "constant"), mode_name[i]) == 0);
    if (st || mode == 4 || out->rank != v->rank || n != 2 * (axes ? naxis : (size_t)v->rank))
        return st ? st : call_refuse(c, "its mode or its pads are not handled");
    int64_t before[VALUE_MAX_RANK] = {0}, stride[VALUE_MAX_RANK], index[VALUE_MAX_RANK] = {0};
    value_strides(v, stride);
    for (size_t i = 0; i < n / 2; i++) {
        int64_t a = axes ? axes[i] : (int64_t)i;
        a += a < 0 ? v->rank : 0;
        if (a < 0 || a >= v->rank || pads[i] < -(INT64_C(1) << 40) || pads[i] > INT64_C(1) << 40)
            return call_refuse(c, "its mode or its pads are not handled");
        before[a] = pads[i];
    }
    for (int64_t to = 0; to < out->count; to++, kernel_next_index(out, index)) {
        int64_t from = 0;
        for (int32_t i = 0; i < v->rank && from >= 0; i++) {
            int64_t at = pad_source((PadMode)mode, index[i] - before[i], v->dim[i]);
            from = at < 0 ? -1 : from + at * stride[i];
        }
        value_put_element(out, to, from < 0 ? filler : x, from < 0 ? 0 : from);
    }
    return STATUS_OK;
}

Status kernel_expand(Call *c)
{
    const uint8_t *x = NULL;
    int64_t stride[VALUE_MAX_RANK];
    Status st = kernel_same_bytes(c, &x);
    if (!st && !kernel_broadcast_strides(call_in(c, 0), c->out[0], stride))
        st = call_refuse(c, "its shapes do not go together");
    if (!st)
        gather_strided(c->out[0], x, 0, stride);
    return st;
}

Status kernel_tile(Call *c)
{
    const uint8_t *x = NULL;
    Value *v = call_in(c, 0), *out = c->out[0];
    Status st = kernel_same_bytes(c, &x);
    if (st || v->rank != out->rank || v->count == 0)
        return st ? st : call_refuse(c, "its shapes do not go together");
    int64_t stride[VALUE_MAX_RANK], index[VALUE_MAX_RANK] = {0};
    value_strides(v, stride);
    for (int64_t to = 0; to < out->count; to++, kernel_next_index(out, index)) {
        int64_t from = LIST_SUM(int64_t, i, v->rank, index[i] % v->dim[i] * stride[i]);
        value_put_element(out, to, x, from);
    }
    return STATUS_OK;
}

Status kernel_gather(Call *c)
{
    const uint8_t *x = NULL;
    const int64_t *pick = NULL;
    Value *v = call_in(c, 0), *p = call_in(c, 1), *out = c->out[0];
    Status st = kernel_same_bytes(c, &x);
    st = st ? st : kernel_in_ints(c, 1, &pick);
    int32_t axis = v ? kernel_axis(c, 0, v->rank) : -1;
    if (st || axis < 0)
        return st ? st : call_refuse(c, "its axis does not fit");
    size_t inner = (size_t)value_extent(v, axis + 1, v->rank) * value_element_bytes(v);
    size_t outer = (size_t)value_extent(v, 0, axis), d = (size_t)v->dim[axis];
    if (outer * (size_t)p->count * inner != (size_t)value_bytes(out))
        return call_refuse(c, "its shapes do not go together");
    uint8_t *to = out->data;
    for (size_t i = 0; i < outer; i++)
        for (int64_t k = 0; k < p->count; k++, to += inner) {
            int64_t at = pick[k] + (pick[k] < 0 ? (int64_t)d : 0);
            if (at < 0 || at >= (int64_t)d)
                return call_refuse(c, "an index is out of range");
            memcpy(to, x + (i * d + (size_t)at) * inner, inner);
        }
    return STATUS_OK;
}

/* DepthToSpace (DCR, CRD) and SpaceToDepth: one is the other read backwards. */
Status kernel_space_depth(Call *c)
{
    const uint8_t *x = NULL;
    Value *v = call_in(c, 0), *out = c->out[0];
    Status st = kernel_same_bytes(c, &x);
    int64_t b = node_attr_int(c->node, "blocksize", 0);
    bool to_space = c->node->op_id == OP_DepthToSpace;
    const Value *deep = to_space ? v : out, *wide = to_space ? out : v;
    if (st || v->rank != 4 || out->rank != 4 || b < 1 || b > 1 << 16 || v->count != out->count ||
        deep->dim[2] * b != wide->dim[2] || deep->dim[3] * b != wide->dim[3] ||
        wide->dim[1] * b * b != deep->dim[1] || deep->dim[0] != wide->dim[0])
        return st ? st : call_refuse(c, "its shapes do not go together");
    bool crd = strcmp(node_attr_string(c->node, "mode", "DCR"), "CRD") == 0;
    int64_t index[VALUE_MAX_RANK] = {0}, channels = wide->dim[1];
    for (int64_t at = 0; at < wide->count; at++, kernel_next_index(wide, index)) {
        int64_t block = index[2] % b * b + index[3] % b;
        int64_t k = crd ? index[1] * b * b + block : block * channels + index[1];
        int64_t there =
            ((index[0] * deep->dim[1] + k) * deep->dim[2] + index[2] / b) * deep->dim[3] +
            index[3] / b;
        value_put_element(out, to_space ? at : there, x, to_space ? there : at);
    }
    return STATUS_OK;
}

Status kernel_shape(Call *c)
{
    Value *v = call_in(c, 0), *out = c->out[0];
    int64_t *y = kernel_out_ints(out), first = node_attr_int(c->node, "start", 0);
    if (!v || !y)
        return call_refuse(c, "an input is missing");
    first = i64_clamp(first + (first < 0 ? v->rank : 0), 0, v->rank);
    bool size = c->node->op_id == OP_Size;
    for (int64_t i = 0; i < out->count; i++)
        y[i] = size ? v->count : first + i < v->rank ? v->dim[first + i] : 1;
    return STATUS_OK;
}

Status kernel_fill(Call *c)
{
    Value *out = c->out[0];
    const Attr *a = node_attr(c->node, "value");
    size_t size = value_element_bytes(out);
    if (a && (!a->tensor || !a->tensor->data || a->tensor->nbyte != size ||
              a->tensor->dtype != out->dtype))
        return call_refuse(c, "its value is not handled");
    for (int64_t i = 0; i < out->count; i++) {
        if (a)
            value_put_element(out, i, a->tensor->data, 0);
        else
            memset((uint8_t *)out->data + (size_t)i * size, 0, size);
    }
    return STATUS_OK;
}

/* Converts between real numbers and 8-bit steps. */
#include "npu_exec/values/kernels.h"
#include "npu_exec/sim/convert.h"

/* Smallest and largest of an integer type. */
static bool range_of(DType t, double *ret_lo, double *ret_hi)
{
    int bits = dtype_bits(t);
    if (!dtype_is_integer(t) || bits > 16)
        return false;
    bool is_signed = t == DT_INT8 || t == DT_INT16;
    *ret_lo = is_signed ? -ldexp(1, bits - 1) : 0;
    *ret_hi = ldexp(1, is_signed ? bits - 1 : bits) - 1;
    return true;
}

/* Scales and zero points at inputs `scale` and `zero`: one, or one for each of `inner` elements in
 * turns. */
typedef struct {
    const float *scale;
    const int64_t *zero; /* or NULL */
    int64_t n, inner;
} Steps;

static Status read_steps(Call *c, uint32_t scale, uint32_t zero, const Value *v, Steps *ret)
{
    Value *s = call_in(c, scale), *z = call_in(c, zero);
    Status st = kernel_in_floats(c, scale, &ret->scale);
    st = st || !z ? st : kernel_in_ints(c, zero, &ret->zero);
    if (st)
        return st;
    ret->n = s->count;
    ret->inner = v->count;
    if (z && z->count != s->count)
        return call_refuse(c, "scales and zero points are not equally many");
    if (s->count == 1)
        return STATUS_OK;
    int32_t axis = kernel_axis(c, 1, v->rank);
    if (axis < 0 || v->dim[axis] != s->count || s->rank > 1)
        return call_refuse(c, "scales do not fit the axis (blocks are not handled)");
    ret->inner = value_extent(v, axis + 1, v->rank);
    return STATUS_OK;
}

bool kernel_quantize_row(const float *x, float scale, int64_t zero, DType to, void *ret_y, size_t n)
{
    if (to == DT_INT8 && zero >= INT8_MIN && zero <= INT8_MAX)
        convert_float_to_int8(x, scale, (int32_t)zero, ret_y, n);
    else if (to == DT_UINT8 && zero >= 0 && zero <= UINT8_MAX)
        convert_float_to_uint8(x, scale, (int32_t)zero, ret_y, n);
    else
        return false;
    return true;
}

static Status quantize_values(Call *c, const float *x, const Steps *s, Value *out)
{
    double lo, hi;
    if (!range_of(out->dtype, &lo, &hi))
        return call_refuse(c, "its type is not handled");
    if (s->n == 1 && kernel_quantize_row(x, s->scale[0], s->zero ? s->zero[0] : 0, out->dtype,
                                         out->data, (size_t)out->count))
        return STATUS_OK;
    int64_t *y = kernel_out_ints(out);
    for (int64_t i = 0; i < out->count; i++) {
        int64_t k = s->n == 1 ? 0 : i / s->inner % s->n;
        double q = (double)rintf(x[i] / s->scale[k]) + (s->zero ? (double)s->zero[k] : 0);
        y[i] = (int64_t)(q >= hi ? hi : q > lo ? q : lo); /* NaN: the lower end */
    }
    return STATUS_OK;
}

Status kernel_quantize_out(Call *c, const float *x, uint32_t scale, uint32_t zero, Value *out)
{
    Steps s = {0};
    Status st = read_steps(c, scale, zero, out, &s);
    return st ? st : quantize_values(c, x, &s, out);
}

Status kernel_quantize(Call *c)
{
    const float *x = NULL;
    Status st = kernel_in_floats(c, 0, &x);
    if (!st && call_in(c, 0)->count != c->out[0]->count)
        st = call_refuse(c, "shapes differ");
    return st ? st : kernel_quantize_out(c, x, 1, 2, c->out[0]);
}

static Status keep_steps(Call *c, const Steps *s, Value *out)
{
    if (s->zero &&
        LIST_ANY(k, s->n,
                 s->zero[k] < INT8_MIN ||
                     s->zero[k] >
                         UINT8_MAX)) /* before anything is kept: the plain kernel is asked again */
        return call_refuse(c, "a zero point is not a byte");
    out->nscale = s->n;
    /* Zero points are mostly the same for all channels, 0 of weights. */
    out->nzero = s->zero && LIST_ANY(k, s->n, s->zero[k] != s->zero[0]) ? s->n : 1;
    out->scale = calloc((size_t)s->n, sizeof *out->scale);
    out->zero = calloc((size_t)out->nzero, sizeof *out->zero);
    if (!out->scale || !out->zero)
        return call_no_memory(c);
    for (int64_t k = 0; k < s->n; k++)
        out->scale[k] = s->scale[k];
    for (int64_t k = 0; s->zero && k < out->nzero; k++)
        out->zero[k] = (int32_t)s->zero[k];
    return STATUS_OK;
}

/* 8-bit steps stay beside the value; other types become numbers at once. */
Status kernel_dequantize(Call *c)
{
    Value *x = call_in(c, 0), *out = c->out[0];
    Steps s = {0};
    Status st =
        x && x->count == out->count ? read_steps(c, 1, 2, x, &s) : call_refuse(c, "shapes differ");
    if (st)
        return st;
    if ((x->dtype == DT_INT8 || x->dtype == DT_UINT8) && out->dtype == DT_FLOAT32) {
        st = keep_steps(c, &s, out);
        if (st)
            return st;
        out->axis = s.n > 1 ? kernel_axis(c, 1, x->rank) : 0;
        out->source = x;
        x->refs++;
        free(out->data); /* made on demand */
        out->data = NULL;
        return STATUS_OK;
    }
    const int64_t *q = NULL;
    float *y = kernel_out_floats(out);
    st = y ? kernel_in_ints(c, 0, &q) : call_no_memory(c);
    for (int64_t i = 0; !st && i < out->count; i++) {
        int64_t k = s.n == 1 ? 0 : i / s.inner % s.n;
        y[i] = (float)(q[i] - (s.zero ? s.zero[k] : 0)) * s.scale[k];
    }
    return st;
}

/* Outputs: y (uint8), its scale, its zero point. */
Status kernel_dynamic_quantize(Call *c)
{
    const float *x = NULL;
    Status st = kernel_in_floats(c, 0, &x);
    if (st || c->nout < 3 || !c->out[0] || !c->out[1] || !c->out[2])
        return st ? st : call_refuse(c, "an output is missing");
    Value *v = call_in(c, 0);
    float lo = 0, hi = 0;
    for (int64_t i = 0; i < v->count; i++) {
        lo = x[i] < lo ? x[i] : lo;
        hi = x[i] > hi ? x[i] : hi;
    }
    float scale = hi > lo ? (hi - lo) / 255 : 1, zero = rintf(-lo / scale);
    zero = zero < 0 ? 0 : zero > 255 ? 255 : zero;
    ((float *)c->out[1]->data)[0] = scale;
    ((uint8_t *)c->out[2]->data)[0] = (uint8_t)zero;
    int64_t whole = (int64_t)zero;
    return quantize_values(
        c, x, &(Steps){.scale = &scale, .zero = &whole, .n = 1, .inner = v->count}, c->out[0]);
}

/* QLinearAdd, QLinearMul: a, scale, zero, b, scale, zero, scale of y, zero of y. */
Status kernel_qlinear_binary(Call *c)
{
    Value *in[2] = {call_in(c, 0), call_in(c, 3)}, *out = c->out[0];
    const int64_t *q[2];
    Steps s[2] = {{0}};
    int64_t stride[2][VALUE_MAX_RANK], index[VALUE_MAX_RANK] = {0};
    bool adds = c->node->op_id == OP_MsQLinearAdd;
    for (uint32_t k = 0; k < 2; k++) {
        Status st = kernel_in_ints(c, 3 * k, &q[k]);
        st = st ? st : read_steps(c, 3 * k + 1, 3 * k + 2, in[k], &s[k]);
        if (st || s[k].n != 1 || !kernel_broadcast_strides(in[k], out, stride[k]))
            return st ? st : call_refuse(c, "its shapes or scales are not handled");
    }
    float *y = ARENA_ARRAY(c->scratch, float, (size_t)out->count);
    for (int64_t i = 0; i < out->count; i++, kernel_next_index(out, index)) {
        float x[2];
        for (int k = 0; k < 2; k++) {
            int64_t at = kernel_offset(index, stride[k], out->rank);
            x[k] = (float)(q[k][at] - (s[k].zero ? s[k].zero[0] : 0)) * s[k].scale[0];
        }
        y[i] = adds ? x[0] + x[1] : x[0] * x[1];
    }
    return kernel_quantize_out(c, y, 6, 7, out);
}

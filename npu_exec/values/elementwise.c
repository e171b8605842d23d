/* Computes operators on one element of each input, with broadcasting. */
#include "npu_exec/values/kernels.h"
#include "npu_exec/values/loops.h"

typedef float FloatFunction(float a, float b);
typedef int64_t IntFunction(int64_t a, int64_t b);

static int64_t divide_int(int64_t a, int64_t b)
{
    return b == 0 || (a == INT64_MIN && b == -1) ? 0 : a / b;
}

/* With the sign of the divisor, as Python has it, and with that of the dividend, as C. */
static int64_t modulo_int(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b + (a % b && (a < 0) != (b < 0) ? b : 0);
}

static int64_t remainder_of(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

/* Of bits that are not negative numbers; a shift by all of them or more leaves none. */
static int64_t shift_left(int64_t a, int64_t b)
{
    return b < 0 || b > 63 ? 0 : kernel_wrap_int64((uint64_t)a << b);
}

static int64_t shift_right(int64_t a, int64_t b)
{
    return b < 0 || b > 63 ? 0 : kernel_wrap_int64((uint64_t)a >> b);
}

static int64_t power_int(int64_t a, int64_t b)
{
    uint64_t y = 1;
    for (int64_t i = 0; i < b && i < 64; i++)
        y *= (uint64_t)a;
    return kernel_wrap_int64(y);
}

/* X(operator, name, of floats, of whole numbers, when: this attribute is 1, or this text; NULL:
 * always). */
#include "npu_exec/values/binary.def"

#define X(op, name, floats, ints, when)                                                            \
    static float name##_floats(float a, float b)                                                   \
    {                                                                                              \
        return floats;                                                                             \
    }                                                                                              \
    static int64_t name##_ints(int64_t a, int64_t b)                                               \
    {                                                                                              \
        return ints;                                                                               \
    }
BINARY_OPERATORS(X)
#undef X

static const struct {
    OpIndex op;
    FloatFunction *floats;
    IntFunction *ints;
    const char *when;
} binary[] = {
#define X(op, name, floats, ints, when) {OP_##op, name##_floats, name##_ints, when},
    BINARY_OPERATORS(X)
#undef X
};

/* Positions in two inputs of each element of `to`, rows of the last dimension at a time. */
typedef void Row(void *user, int64_t to, int64_t a, int64_t b, int64_t sa, int64_t sb, int64_t n);

static bool walk_rows(const Value *a, const Value *b, const Value *to, Row *row, void *user)
{
    int64_t sa[VALUE_MAX_RANK] = {0}, sb[VALUE_MAX_RANK] = {0}, index[VALUE_MAX_RANK] = {0};
    if (!kernel_broadcast_strides(a, to, sa) || !kernel_broadcast_strides(b, to, sb))
        return false;
    if (to->count == 0)
        return true;
    bool alike = a->count == to->count && b->count == to->count;
    if (alike) { /* one row of all elements */
        row(user, 0, 0, 0, 1, 1, to->count);
        return true;
    }
    Value outer = *to;
    outer.rank = to->rank > 0 ? to->rank - 1 : 0;
    int64_t n = to->rank > 0 ? to->dim[outer.rank] : 1, at = 0;
    do {
        row(user, at, kernel_offset(index, sa, outer.rank), kernel_offset(index, sb, outer.rank),
            sa[outer.rank], sb[outer.rank], n);
        at += n;
    } while (kernel_next_index(&outer, index));
    return true;
}

typedef struct {
    const float *a, *b;
    float *y;
    FloatFunction *f;
} FloatRow;

/* The commonest ones, where both rows are whole. */
static bool whole_row(const FloatRow *r, const float *a, const float *b, float *y, size_t n)
{
    if (r->f == add_floats || r->f == sum_floats || r->f == mean_floats)
        loop_add(a, b, y, n);
    else if (r->f == sub_floats)
        loop_sub(a, b, y, n);
    else if (r->f == mul_floats)
        loop_mul(a, b, y, n);
    else
        return false;
    return true;
}

static void float_row(void *user, int64_t to, int64_t a, int64_t b, int64_t sa, int64_t sb,
                      int64_t n)
{
    const FloatRow *r = user;
    if (sa == 1 && sb == 1 && whole_row(r, r->a + a, r->b + b, r->y + to, (size_t)n))
        return;
    for (int64_t i = 0; i < n; i++)
        r->y[to + i] = r->f(r->a[a + i * sa], r->b[b + i * sb]);
}

typedef struct {
    const int64_t *a, *b;
    int64_t *y;
    IntFunction *f;
} IntRow;

static void int_row(void *user, int64_t to, int64_t a, int64_t b, int64_t sa, int64_t sb, int64_t n)
{
    const IntRow *r = user;
    for (int64_t i = 0; i < n; i++)
        r->y[to + i] = r->f(r->a[a + i * sa], r->b[b + i * sb]);
}

/* out = op(a, input i), where a is input 0 or what out holds so far. */
static Status combine_input(Call *c, size_t k, Value *a, uint32_t i, bool real)
{
    Value *b = call_in(c, i), *out = c->out[0];
    bool fits = false;
    if (!a || !b)
        return call_refuse(c, "an input is missing");
    if (real) {
        FloatRow r = {value_floats(a), value_floats(b), kernel_out_floats(out), binary[k].floats};
        fits = r.a && r.b && r.y && walk_rows(a, b, out, float_row, &r);
    } else {
        IntRow r = {value_ints(a), value_ints(b), kernel_out_ints(out), binary[k].ints};
        fits = r.a && r.b && r.y && walk_rows(a, b, out, int_row, &r);
    }
    return fits ? STATUS_OK : call_refuse(c, "its shapes do not go together");
}

static bool condition_holds(const Call *c, const char *when)
{
    const char *text = when ? strchr(when, '=') : NULL;
    if (!text)
        return !when || node_attr_int(c->node, when, 0) == 1;
    const char *name = arena_strndup(c->scratch, when, (size_t)(text - when));
    return strcmp(node_attr_string(c->node, name, ""), text + 1) == 0;
}

static size_t binary_row(const Call *c)
{
    size_t k = 0;
    while (binary[k].op != (OpIndex)c->node->op_id || !condition_holds(c, binary[k].when))
        k++; /* the table of kernels brings no other operator here */
    return k;
}

Status kernel_binary(Call *c)
{
    Value *a = call_in(c, 0), *b = call_in(c, 1);
    if (node_attr(c->node, "broadcast") || node_attr(c->node, "axis"))
        return call_refuse(c, "broadcasting of opset 6 and older is not handled");
    bool real = (a && dtype_is_float(a->dtype)) || (b && dtype_is_float(b->dtype));
    return combine_input(c, binary_row(c), a, 1, real);
}

/* Max, Min, Sum, Mean of any number of operands. */
Status kernel_variadic(Call *c)
{
    Value *first = call_in(c, 0), *out = c->out[0];
    size_t k = binary_row(c);
    if (!first)
        return call_refuse(c, "an input is missing");
    bool real = dtype_is_float(first->dtype);
    bool single = c->nin == 1;
    Status st = combine_input(c, k, first, single ? 0 : 1, real);
    for (uint32_t i = 2; i < c->nin && !st; i++)
        st = combine_input(c, k, out, i, real);
    if (st || !real || (c->node->op_id != OP_Mean && !single))
        return st;
    for (int64_t i = 0; i < out->count; i++) /* one operand is itself */
        out->floats[i] = single ? first->floats[i] : out->floats[i] / (float)c->nin;
    return st;
}

Status kernel_prelu(Call *c)
{
    Value *x = call_in(c, 0), *slope = call_in(c, 1), *out = c->out[0];
    if (!x || !slope)
        return call_refuse(c, "an input is missing");
    FloatRow r = {value_floats(x), value_floats(slope), kernel_out_floats(out), mul_floats};
    if (!r.a || !r.b || !r.y || x->count != out->count || !walk_rows(x, slope, out, float_row, &r))
        return call_refuse(c, "its shapes do not go together");
    for (int64_t i = 0; i < out->count; i++)
        r.y[i] = r.a[i] < 0 ? r.y[i] : r.a[i];
    return STATUS_OK;
}

/* A whole number at input i; the fallback where it is left out. */
static Status whole_of(Call *c, uint32_t i, int64_t fallback, int64_t *ret)
{
    const int64_t *x = NULL;
    Value *v = call_in(c, i);
    Status st = !v              ? STATUS_OK
                : v->count == 1 ? kernel_in_ints(c, i, &x)
                                : call_refuse(c, "a number is expected");
    if (!st)
        *ret = x ? x[0] : fallback;
    return st;
}

static Status clip_ints(Call *c)
{
    const int64_t *x = NULL;
    int64_t lo = 0, hi = 0, *y = kernel_out_ints(c->out[0]);
    Status st = kernel_in_ints(c, 0, &x);
    st = st ? st : whole_of(c, 1, INT64_MIN, &lo);
    st = st ? st : whole_of(c, 2, INT64_MAX, &hi);
    if (st || !y || call_in(c, 0)->count != c->out[0]->count)
        return st ? st : call_refuse(c, "shapes differ");
    for (int64_t i = 0; i < c->out[0]->count; i++)
        y[i] = min_ints(max_ints(x[i], lo), hi);
    return STATUS_OK;
}

Status kernel_clip(Call *c)
{
    if (!dtype_is_float(c->out[0]->dtype))
        return clip_ints(c);
    const float *x = NULL;
    double lo = 0, hi = 0;
    float *y = kernel_out_floats(c->out[0]);
    Status st = kernel_in_floats(c, 0, &x);
    st = st ? st : kernel_number_or(c, "min", 1, -INFINITY, &lo);
    st = st ? st : kernel_number_or(c, "max", 2, INFINITY, &hi);
    if (st || !y || call_in(c, 0)->count != c->out[0]->count)
        return st ? st : call_refuse(c, "shapes differ");
    loop_clip(x, (float)lo, (float)hi, y, (size_t)c->out[0]->count);
    return STATUS_OK;
}

Status kernel_where(Call *c)
{
    const int64_t *condition = NULL;
    const uint8_t *x = NULL, *y = NULL;
    Value *out = c->out[0];
    Status st = kernel_in_ints(c, 0, &condition);
    st = st ? st : kernel_in_bytes(c, 1, &x);
    st = st ? st : kernel_in_bytes(c, 2, &y);
    int64_t stride[3][VALUE_MAX_RANK], index[VALUE_MAX_RANK] = {0};
    for (uint32_t k = 0; k < 3 && !st; k++)
        if (!kernel_broadcast_strides(call_in(c, k), out, stride[k]) ||
            (k > 0 && call_in(c, k)->dtype != out->dtype))
            st = call_refuse(c, "its shapes do not go together");
    for (int64_t i = 0; i < out->count && !st; i++, kernel_next_index(out, index)) {
        bool first = condition[kernel_offset(index, stride[0], out->rank)];
        value_put_element(out, i, first ? x : y,
                          kernel_offset(index, stride[first ? 1 : 2], out->rank));
    }
    return st;
}

Status kernel_cast(Call *c)
{
    Value *x = call_in(c, 0), *out = c->out[0];
    if (!x || x->count != out->count)
        return call_refuse(c, "shapes differ");
    if (x->dtype == out->dtype && x->data) {
        memcpy(out->data, x->data, (size_t)value_bytes(x));
        return STATUS_OK;
    }
    if (dtype_is_float(x->dtype) && dtype_is_float(out->dtype)) {
        const float *from = NULL;
        float *to = kernel_out_floats(out);
        Status st = kernel_in_floats(c, 0, &from);
        if (!st && to)
            memcpy(to, from, (size_t)out->count * sizeof *to);
        return st || to ? st : call_no_memory(c);
    }
    const float *real = out->dtype == DT_BOOL ? value_floats(x) : NULL;
    const int64_t *from = value_ints(x);
    int64_t *to = kernel_out_ints(out);
    if (!from || !to || (out->dtype == DT_BOOL && !real))
        return value_has_numbers(x) ? call_no_memory(c) : call_refuse(c, "an input has no numbers");
    for (int64_t i = 0; i < out->count; i++)
        to[i] = real ? real[i] != 0 : from[i];
    return STATUS_OK;
}

/* Reads and writes values as floats and as whole numbers. */
#include "npu_exec/values/value.h"
#include "npu_exec/sim/convert.h"

/* ---- one number of any type ---- */

static double half_number(uint16_t h)
{
    int e = h >> 10 & 31, m = h & 1023;
    double v = e == 0 ? ldexp(m, -24) : e == 31 ? (m ? NAN : INFINITY) : ldexp(m + 1024, e - 25);
    return h >> 15 ? -v : v;
}

/* The nearest half, ties to even. */
static uint16_t half_of(float x)
{
    double a = fabs((double)x);
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    if (isnan(x))
        return sign | 0x7e00;
    if (a >= 65520)
        return sign | 0x7c00;
    int e;
    (void)frexp(a, &e);
    e = e < -13 ? -13 : e; /* below, halves are 2^-24 apart */
    double steps = rint(ldexp(a, 11 - e));
    if (steps == 0)
        return sign;
    return sign | (uint16_t)(steps + ((e + 13) << 10));
}

static float bfloat_number(uint16_t b)
{
    uint32_t bits = (uint32_t)b << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint16_t bfloat_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? 0x7fc0 : (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* CASE(type, C type, to number, from number) */
#define TYPES(CASE)                                                                                \
    CASE(DT_FLOAT32, float, , (float))                                                             \
    CASE(DT_FLOAT64, double, , (double))                                                           \
    CASE(DT_FLOAT16, uint16_t, half_number, half_of)                                               \
    CASE(DT_BFLOAT16, uint16_t, bfloat_number, bfloat_of)                                          \
    CASE(DT_INT8, int8_t, , (int8_t)(int64_t))                                                     \
    CASE(DT_UINT8, uint8_t, , (uint8_t)(int64_t))                                                  \
    CASE(DT_INT16, int16_t, , (int16_t)(int64_t))                                                  \
    CASE(DT_UINT16, uint16_t, , (uint16_t)(int64_t))                                               \
    CASE(DT_INT32, int32_t, , (int32_t)(int64_t))                                                  \
    CASE(DT_UINT32, uint32_t, , (uint32_t)(int64_t))                                               \
    CASE(DT_INT64, int64_t, , (int64_t))                                                           \
    CASE(DT_UINT64, uint64_t, , (uint64_t)(int64_t))                                               \
    CASE(DT_BOOL, uint8_t, , 0 !=)
/* The case of the type; false where no case has it. */
#define RETURN_BY_TYPE(dtype, CASE)                                                                \
    switch (dtype) {                                                                               \
        TYPES(CASE)                                                                                \
    default:                                                                                       \
        return false;                                                                              \
    }

static bool make_floats(const Value *v, float *to)
{
#define TO_FLOATS(type, T, number, from)                                                           \
    case type:                                                                                     \
        for (int64_t i = 0; i < v->count; i++)                                                     \
            to[i] = (float)number(((const T *)v->data)[i]);                                        \
        return true;
    RETURN_BY_TYPE(v->dtype, TO_FLOATS)
}

bool value_has_numbers(const Value *v)
{
#define HAS_NUMBERS(type, T, number, from)                                                         \
    case type:                                                                                     \
        return true;
    RETURN_BY_TYPE(v->dtype, HAS_NUMBERS)
}

int64_t value_round_to_int64(double x)
{
    return x >= 9.2e18 ? INT64_MAX : x <= -9.2e18 ? INT64_MIN : x != x ? 0 : (int64_t)x;
}

static bool make_ints(const Value *v, int64_t *to)
{
#define TO_INTS(type, T, number, from)                                                             \
    case type:                                                                                     \
        for (int64_t i = 0; i < v->count; i++)                                                     \
            to[i] = dtype_is_float(v->dtype)                                                       \
                        ? value_round_to_int64((double)number(((const T *)v->data)[i]))            \
                        : (int64_t)((const T *)v->data)[i];                                        \
        return true;
    RETURN_BY_TYPE(v->dtype, TO_INTS)
}

static bool settle_floats(Value *v)
{
#define OF_FLOATS(type, T, number, from)                                                           \
    case type:                                                                                     \
        for (int64_t i = 0; i < v->count; i++)                                                     \
            ((T *)v->data)[i] = dtype_is_float(v->dtype)                                           \
                                    ? (T)(from(v->floats[i]))                                      \
                                    : (T)value_round_to_int64((double)v->floats[i]);               \
        return true;
    RETURN_BY_TYPE(v->dtype, OF_FLOATS)
}

static bool settle_ints(Value *v)
{
    if (v->dtype == DT_FLOAT64) { /* which has room for more digits than a float */
        for (int64_t i = 0; i < v->count; i++)
            ((double *)v->data)[i] = (double)v->ints[i];
        return true;
    }
#define OF_INTS(type, T, number, from)                                                             \
    case type:                                                                                     \
        for (int64_t i = 0; i < v->count; i++)                                                     \
            ((T *)v->data)[i] =                                                                    \
                dtype_is_float(v->dtype) ? (T)(from((float)v->ints[i])) : (T)v->ints[i];           \
        return true;
    RETURN_BY_TYPE(v->dtype, OF_INTS)
}

bool value_convert_elements(Value *v)
{
    bool ok = true;
    if (v->ints && (const void *)v->ints != v->data) {
        ok = settle_ints(v);
        free(v->ints);
    } else if (v->floats && (const void *)v->floats != v->data) {
        ok = settle_floats(v);
        free(v->floats);
    }
    v->ints = NULL; /* what rounding left is what others see */
    v->floats = NULL;
    return ok;
}

/* ---- as a whole ---- */

/* Elements from `from` up to `to`. */
static void dequantize_range(const Value *v, int64_t from, int64_t to, float *ret)
{
    const Value *s = v->source;
    const uint8_t *code = s->data;
    if (v->table) {
        for (int64_t i = from; i < to; i++)
            ret[i - from] = v->table[code[i]];
        return;
    }
    int64_t inner = v->nscale == 1 ? s->count : value_extent(s, v->axis + 1, s->rank), end;
    for (int64_t at = from; at < to; at = end) {
        int64_t k = at / inner % v->nscale;
        int32_t zero = v->zero[v->nzero > 1 ? k : 0];
        end = (at / inner + 1) * inner;
        end = end < to ? end : to;
        if (s->dtype == DT_INT8)
            convert_int8_to_float((const int8_t *)code + at, v->scale[k], zero, ret + at - from,
                                  (size_t)(end - at));
        else
            convert_uint8_to_float(code + at, v->scale[k], zero, ret + at - from,
                                   (size_t)(end - at));
    }
}

bool value_float_range(Value *v, int64_t from, int64_t count, float *ret)
{
    if (v->data || v->floats || !v->source || !value_plain(v) || v->data)
        return false;
    dequantize_range(v, from, from + count, ret);
    return true;
}

const float *value_floats(Value *v)
{
    if (v->floats)
        return v->floats;
    if (v->dtype == DT_FLOAT32 && v->data)
        return v->floats = v->data;
    if (!value_plain(v))
        return NULL;
    v->floats = malloc(((size_t)v->count + 1) * sizeof *v->floats);
    if (!v->floats)
        return NULL;
    if (v->source)
        dequantize_range(v, 0, v->count, v->floats);
    else if (!make_floats(v, v->floats)) {
        free(v->floats);
        v->floats = NULL;
    }
    if (v->dtype == DT_FLOAT32)
        v->data = v->floats;
    return v->floats;
}

const int64_t *value_ints(Value *v)
{
    if (v->ints)
        return v->ints;
    if (!value_plain(v) || (!v->data && !value_floats(v)))
        return NULL;
    if (v->dtype == DT_INT64)
        return v->ints = v->data;
    v->ints = malloc(((size_t)v->count + 1) * sizeof *v->ints);
    if (v->ints && !make_ints(v, v->ints)) {
        free(v->ints);
        v->ints = NULL;
    }
    return v->ints;
}

/* Allocates, copies and frees values. */
#include "npu_exec/values/value.h"

static const int64_t value_limit_bytes = INT64_C(8) << 30;

Value *value_shape(DType dtype, int32_t rank, const int64_t *dim)
{
    Value *v = calloc(1, sizeof *v);
    if (!v || rank > VALUE_MAX_RANK || dtype_bits(dtype) < 8)
        goto fail;
    *v = (Value){.refs = 1, .dtype = dtype, .rank = rank, .count = 1, .nscale = 1, .nzero = 1};
    for (int32_t i = 0; i < rank; i++) {
        v->dim[i] = dim[i];
        if (dim[i] < 0 || (dim[i] > 0 && v->count > value_limit_bytes / dim[i]))
            goto fail;
        v->count *= dim[i];
    }
    if (v->count <= value_limit_bytes / dtype_bits(dtype))
        return v;
fail:
    free(v);
    return NULL;
}

bool value_allocate(Value *v)
{
    if (!v->data)
        v->data = malloc((size_t)value_bytes(v) + 1);
    return v->data != NULL;
}

Value *value_create(DType dtype, int32_t rank, const int64_t *dim)
{
    Value *v = value_shape(dtype, rank, dim);
    if (v && value_allocate(v))
        return v;
    free(v);
    return NULL;
}

void value_release(Value *v)
{
    assert(!v || v->refs > 0);
    if (!v || --v->refs > 0)
        return;
    value_release(v->source);
    if (v->floats != v->data)
        free(v->floats);
    if (v->ints != v->data)
        free(v->ints);
    free(v->scale);
    free(v->zero);
    free(v->table);
    free(v->codes);
    if (!v->borrowed)
        free(v->data);
    free(v);
}

size_t value_element_bytes(const Value *v)
{
    return (size_t)dtype_bits(v->dtype) / 8;
}

int64_t value_bytes(const Value *v)
{
    return v->count * (int64_t)value_element_bytes(v);
}

void value_put_element(Value *to, int64_t at, const void *from, int64_t i)
{
    size_t size = value_element_bytes(to);
    memcpy((uint8_t *)to->data + (size_t)at * size, (const uint8_t *)from + (size_t)i * size, size);
}

void value_strides(const Value *v, int64_t *ret)
{
    int64_t stride = 1;
    for (int32_t i = v->rank - 1; i >= 0; i--) {
        ret[i] = stride;
        stride *= v->dim[i];
    }
}

bool value_is_bytes(const Value *v)
{
    return v && (v->dtype == DT_INT8 || v->dtype == DT_UINT8);
}

int64_t value_extent(const Value *v, int32_t from, int32_t to)
{
    assert(from >= 0);
    int64_t n = 1;
    for (int32_t i = from; i < to && i < v->rank; i++)
        n *= v->dim[i];
    return n;
}

/* Holds a tensor with its numbers while a model is executed.
 *
 * A value that DequantizeLinear made remembers the integers it came from, so that a multiplication
 * of two such values adds up integers, as the NPU does; its floats are made on demand.
 *
 * A byte has 256 values, so any elementwise function of one tensor of bytes is a table: of floats
 * (Sigmoid of dequantized bytes), or of bytes again (and quantized).  Such a value, too, has no
 * elements until value_open. */
#pragma once

#include "graph/model/dtype.h"
#include "graph/model/model.h"

enum { VALUE_MAX_RANK = 8 };

typedef struct Value {
    uint32_t refs;
    DType dtype; /* of whole bytes */
    int32_t rank;
    int64_t dim[VALUE_MAX_RANK];
    int64_t count;
    void *data; /* count elements; NULL until needed where `source` has them */
    float
        *floats; /* the numbers as float32, once asked for; data itself where that is their type */
    int64_t *ints;        /* and as int64 */
    struct Value *source; /* 8-bit integers: value = (source - zero) * scale, or by a table */
    float *scale;         /* nscale of them along `axis`; 1: for all; NULL: by a table */
    int32_t *zero;        /* nzero of them; 1: for all */
    int64_t nscale, nzero;
    int32_t axis;
    float *table;   /* 256 of them: value = table[source], the source's byte as unsigned */
    uint8_t *codes; /* or 256 bytes, for a value that is bytes itself */
    bool last;      /* the bytes lie with the channels (dimension 1) last */
    bool borrowed;  /* data is another's */
} Value;

/* A new value with undefined elements, one reference.  NULL where memory ends. */
Value *value_create(DType dtype, int32_t rank, const int64_t *dim);
/* The same without elements, and elements for it. */
Value *value_shape(DType dtype, int32_t rank, const int64_t *dim);
bool value_allocate(Value *v);
/* One reference less; the last one frees.  Accepts NULL. */
void value_release(Value *v);

int64_t value_bytes(const Value *v);

/* int8 or uint8, and element i of such a value.  Accepts NULL. */
bool value_is_bytes(const Value *v);
static inline int32_t value_byte(const Value *v, int64_t i)
{
    return v->dtype == DT_INT8 ? ((const int8_t *)v->data)[i] : ((const uint8_t *)v->data)[i];
}

/* Bytes that a table describes become elements, with the channels where the source has them.  False
 * where memory ends.  Other values are as they were. */
bool value_open(Value *v);
/* As value_open, with elements (its source's too) in the order of the dimensions, as the plain
 * kernels expect. */
bool value_plain(Value *v);
/* Elements of bytes with the channels last; NULL where memory ends, or there are no channels. */
const uint8_t *value_channels_last(Value *v);

/* All numbers as float32 or int64; NULL where memory ends or the type has no numbers.  They live as
 * long as the value. */
const float *value_floats(Value *v);
const int64_t *value_ints(Value *v);
bool value_has_numbers(const Value *v); /* by its type */

/* `count` of them from element `from` on, of a value that has no elements yet and gets none; false
 * where it has, or memory ends. */
bool value_float_range(Value *v, int64_t from, int64_t count, float *ret);

/* The whole part; beyond the range of int64 the nearest end, 0 for NaN. */
int64_t value_round_to_int64(double x);

/* Makes the elements from `floats` or `ints`, which a kernel wrote, rounded to the type. */
bool value_convert_elements(Value *v);

/* Distances of neighbours along each dimension, in elements. */
void value_strides(const Value *v, int64_t *ret);

size_t value_element_bytes(const Value *v);
/* Element `at` of `to` becomes element i of `from`, which has elements of the same type. */
void value_put_element(Value *to, int64_t at, const void *from, int64_t i);

/* Elements from dimension `from` up to `to`, 1 for none. */
int64_t value_extent(const Value *v, int32_t from, int32_t to);

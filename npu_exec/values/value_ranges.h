/* Finds the range of each tensor on data and how much of it eight bits should hold.
 *
 * Two passes over the data: the first finds the smallest and largest of every float tensor, the
 * second, where the method needs one, counts how often each value in between occurs. */
#pragma once

#include "npu_exec/values/value.h"

/* Which part of the values the range holds.  METHOD(id, name, needs a second pass, what) */
#define RANGE_METHODS(X)                                                                           \
    X(MIN_MAX, "min-max", false, "all that was seen")                                              \
    X(PERCENTILE, "percentile", true, "99.99 % of the values, half of the rest beyond each end")   \
    X(ENTROPY, "entropy", true,                                                                    \
      "the least loss of information (Kullback-Leibler) that costs no square error")               \
    X(MSE, "mse", true, "the least square of the errors")

typedef enum {
#define X(id, name, second, what) RANGE_##id,
    RANGE_METHODS(X)
#undef X
        RANGE_METHOD_COUNT
} RangeMethod;

const char *range_method_name(RangeMethod m);

typedef struct ValueRanges ValueRanges;

typedef enum { RANGE_ENDS_FREE, RANGE_ENDS_OPPOSITE } RangeEnds;

/* Lives in `a`. */
ValueRanges *value_ranges_new(Arena *a, const Graph *g, RangeMethod method, RangeEnds ends);

/* Begins a pass (0, then 1 where value_ranges_passes is 2); value_ranges_add sees its values
 * (ValuesIo.see, whose user is the Ranges).  Values that are not finite are skipped. */
int value_ranges_passes(const ValueRanges *r);
void value_ranges_begin(ValueRanges *r, int pass);
Status value_ranges_add(void *ranges, TensorId id, Value *v, Diag *diag);

/* The range of a tensor after all passes; false when none of its values was seen. */
bool value_ranges_of(const ValueRanges *r, TensorId id, double *ret_lo, double *ret_hi);

/* JSON: {"method", "symmetric", "images", "ranges": {tensor: [lo, hi], …}} */
Status value_ranges_write(const ValueRanges *r, size_t images, const char *path, Diag *diag);

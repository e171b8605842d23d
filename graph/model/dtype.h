/* Describes the element types of tensors, which dtypes.xml lists. */
#pragma once

#include "graph/base/libc.h"

typedef enum {
    DT_UNKNOWN = 0,
#define DTYPE(id, name, onnx, bits, kind, npy) DT_##id,
#include "graph/model/dtypes.def"
    DT_COUNT
} DType;

/* "float32" …; "unknown" for DT_UNKNOWN. */
const char *dtype_name(DType t);
/* DT_UNKNOWN for a name that is not in the table. */
DType dtype_from_name(const char *name);
DType dtype_from_onnx(int32_t code);
/* By the two letters that .npy files have after the byte order, "f4". */
DType dtype_from_npy(const char *text);
const char *dtype_to_npy(DType t); /* "": they have none */
int32_t dtype_to_onnx(DType t);

/* Bits per element; 0 for strings and unknown. */
int dtype_bits(DType t);

/* Bytes of n packed elements (4- and 2-bit types share bytes); -1 when unknown or negative. */
int64_t dtype_bytes(DType t, int64_t n);

bool dtype_is_float(DType t);   /* float16, bfloat16, float32, float64 and the 8/4-bit floats */
bool dtype_is_integer(DType t); /* signed and unsigned, not bool */

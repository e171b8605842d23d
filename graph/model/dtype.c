/* Expands dtypes.xml into the tables of names, ONNX numbers and sizes. */
#include "graph/model/dtype.h"
#include "graph/base/list.h"

typedef enum { KIND_OTHER = 0, KIND_FLOAT, KIND_INTEGER } Kind;

typedef struct {
    const char *name;
    int32_t onnx;
    int bits;
    Kind kind;
    const char *npy;
} Row;

static const Row row[] = {
    [DT_UNKNOWN] = {"unknown", 0, 0, KIND_OTHER, ""},
#define DTYPE(id, name, onnx, bits, kind, npy) [DT_##id] = {name, onnx, bits, KIND_##kind, npy},
#include "graph/model/dtypes.def"
};
static_assert(sizeof row / sizeof *row == DT_COUNT, "a row for each element type");

const char *dtype_name(DType t)
{
    assert(t < DT_COUNT);
    return row[t].name;
}

DType dtype_from_name(const char *name)
{
    return LIST_VALUE(t, DT_COUNT, t && strcmp(row[t].name, name) == 0, (DType)t, DT_UNKNOWN);
}

DType dtype_from_onnx(int32_t code)
{
    return LIST_VALUE(t, DT_COUNT, t && row[t].onnx == code, (DType)t, DT_UNKNOWN);
}

DType dtype_from_npy(const char *text)
{
    return LIST_VALUE(t, DT_COUNT, *row[t].npy && strncmp(row[t].npy, text, 2) == 0, (DType)t,
                      DT_UNKNOWN);
}

const char *dtype_to_npy(DType t)
{
    assert(t < DT_COUNT);
    return row[t].npy;
}

int32_t dtype_to_onnx(DType t)
{
    assert(t < DT_COUNT);
    return row[t].onnx;
}

int dtype_bits(DType t)
{
    assert(t < DT_COUNT);
    return row[t].bits;
}

int64_t dtype_bytes(DType t, int64_t n)
{
    int64_t total;
    if (n < 0 || !row[t].bits || __builtin_mul_overflow(n, (int64_t)row[t].bits, &total))
        return -1;
    return total / 8 + (total % 8 != 0);
}

bool dtype_is_float(DType t)
{
    return t < DT_COUNT && row[t].kind == KIND_FLOAT;
}

bool dtype_is_integer(DType t)
{
    return t < DT_COUNT && row[t].kind == KIND_INTEGER;
}

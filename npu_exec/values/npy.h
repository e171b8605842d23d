/* Writes NumPy arrays to files. */
#pragma once

#include "npu_exec/values/value.h"

/* Makes the folder unless it is there. */
Status npy_folder(const char *path, Diag *diag);

/* Version 1.0, C order, little endian; bfloat16 becomes float32. */
Status npy_write(Value *v, const char *path, Diag *diag);

/* Values of one type and shape as one array, whose first axis counts them.  Begun with the first of
 * `n`, added one by one, itself included; the file is there after npy_end.  npy_abort leaves
 * nothing, also of one that was never begun (zeroed). */
typedef struct {
    OutFile file;
    bool begun;
} NpyStack;
Status npy_begin(NpyStack *s, Value *like, size_t n, const char *path, Diag *diag);
Status npy_add(NpyStack *s, Value *v, Diag *diag);
Status npy_end(NpyStack *s, Diag *diag);
void npy_abort(NpyStack *s);

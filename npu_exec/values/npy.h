/* Writing NumPy arrays. */
#ifndef NPU_EXEC_VALUES_NPY_H
#define NPU_EXEC_VALUES_NPY_H

#include "graph/base/diag.h"
#include "npu_exec/values/value.h"

/* Makes the folder unless it is there. */
Status npy_folder(const char *path, Diag *diag);

/* Version 1.0, C order, little endian; bfloat16 becomes float32. */
Status npy_write(Value *v, const char *path, Diag *diag);

#endif

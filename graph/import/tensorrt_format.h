/* Interprets TensorRT's words for a tensor's format. */
#pragma once

#include "graph/base/arena.h"
#include "graph/model/dtype.h"

typedef struct {
    DType dtype; /* DT_UNKNOWN where the words name none */
    const char
        *layout; /* "CHW", "CHW4" (four channels side by side), "HWC8" (padded to eight), "DLA …";
                    NULL where the words name none, as those of Myelin's kernels do */
} TensorrtFormat;

/* `words` may be NULL.  The layout lives in `a` or is constant. */
TensorrtFormat tensorrt_format(Arena *a, const char *words);

/* A type alone, as TensorRT spells it: FP32, Float, BFloat16, BOOL …; whole words count. */
DType tensorrt_dtype(const char *words);

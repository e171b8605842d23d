/* Describes the quantization that a file holds beside float nodes: ranges, and the types at its
 * inputs and outputs.
 *
 * The quantizer of SDK 0.10 writes such files (graph/onnx/furiosa_keys.h): the graph declares
 * float32 everywhere, and the compiler quantizes by these ranges.  All of it goes by the names of
 * tensors, which edits of a graph keep. */
#pragma once

#include "graph/model/model.h"

/* The least and the greatest number that a tensor had; it is quantized with 0 between them. */
typedef struct {
    double min, max;
    bool known;
} CalibratedRange;

typedef struct {
    const char *name;
    CalibratedRange range;
    bool is_fed_as_uint8; /* an input */
    DType output_dtype;   /* DT_INT8 or DT_UINT8 of an output; DT_UNKNOWN: as the graph has it */
    CalibratedRange output_range; /* range of its quantized values, where not `range` */
} CalibratedTensor;

typedef struct StoredRanges {
    CalibratedTensor *tensor;
    size_t ntensor;
    StrMap by_name; /* -> index of tensor */
} StoredRanges;

/* What is stored of a tensor; NULL: nothing. */
const CalibratedTensor *stored_ranges_find(const StoredRanges *c, const char *name);

/* A copy in `a` with one more entry, or the entry of that name replaced. */
const StoredRanges *stored_ranges_with(Arena *a, const StoredRanges *c, CalibratedTensor entry);

/* The scale and zero point of codes of `dtype` (int8 or uint8) of that tensor: its range, with 0 in
 * it, over 255 steps.  False where it has no range, or all of it is 0. */
bool stored_ranges_scale(const CalibratedTensor *x, DType dtype, double *ret_scale,
                         int64_t *ret_zero);

/* The first tensor of `m` that a node makes and that has no range, though it is none of `before`,
 * of which `m` is an edited copy; NULL: there is none, or nothing is stored. */
const Tensor *stored_ranges_first_without_range(const Model *m, const Model *before);

/* The type that the application feeds or takes: the stored one, else the graph's. */
DType model_input_dtype(const Model *m, const Tensor *input);
DType model_output_dtype(const Model *m, const Tensor *output);

/* Describes the quantization that a file holds beside float nodes: ranges, and the types at its
 * inputs and outputs.
 *
 * The quantizer of SDK 0.10 writes such files (graph/onnx/furiosa_keys.h): the graph declares
 * float32 everywhere, and the compiler quantizes by these ranges.  All of it goes by the names of
 * tensors, which edits of a graph keep. */
#ifndef GRAPH_MODEL_CALIBRATION_H
#define GRAPH_MODEL_CALIBRATION_H

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
    CalibratedRange output_range; /* what its codes stand for, where that is not `range` */
} CalibratedTensor;

typedef struct Calibration {
    CalibratedTensor *tensor;
    size_t ntensor;
    StrMap by_name; /* -> index of tensor */
} Calibration;

/* What the calibration says of a tensor; NULL: nothing. */
const CalibratedTensor *calibration_find(const Calibration *c, const char *name);

/* The type that the application feeds or takes: the calibration's, else the graph's. */
DType model_input_dtype(const Model *m, const Tensor *input);
DType model_output_dtype(const Model *m, const Tensor *output);

#endif

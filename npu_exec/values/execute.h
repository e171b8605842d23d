/* Executes a model on values, in int8 where it is quantized, in float32 elsewhere.
 *
 * The model is executed as ONNX defines its operators, node by node.  Convolutions and matrix
 * products of dequantized 8-bit operands add up integers exactly and scale once, as the NPU does;
 * so the result lies within a quantization step of any other runtime's, not always on the same one.
 * Convolutions are oneDNN's where they are large and it is there (onednn.h), else plain
 * kernels': the same integers, floats but for the order of sums. */
#pragma once

#include "npu_exec/values/value.h"

/* Where the values come from and go to; both return STATUS_OK or what went wrong. */
typedef struct {
    void *user;
    /* Fills the elements of `v`, which has the type and the shape of input i. */
    Status (*take)(void *user, size_t i, const Tensor *t, Value *v, Diag *diag);
    /* Output i, to be copied; where v->data is NULL, value_floats(v) are its elements. */
    Status (*give)(void *user, size_t i, Value *v, Diag *diag);
    /* Every value that is computed or taken, as soon as it is there; may be NULL. */
    Status (*see)(void *user, TensorId id, Value *v, Diag *diag);
} ValuesIo;

/* A model that is executed again and again: what its constants are made into is kept. */
typedef struct Execution Execution;

/* STATUS_UNDECIDED names the operator that has no kernel. */
Status execution_open(const Model *model, Execution **ret, Diag *diag);
/* One run, in the order of the graph's inputs and outputs.  STATUS_UNDECIDED names the node whose
 * shape is not known. */
Status execution_run(Execution *x, const ValuesIo *io, Diag *diag);
void execution_close(Execution *x); /* accepts NULL */

/* All three. */
Status values_run(const Model *model, const ValuesIo *io, Diag *diag);

/* The same with files: reads input_0.npy or input_0.pb, input_1 … of `input_dir`, in the order of
 * the graph's inputs, and writes output_0.npy, output_1.npy … to `output_dir`, which is made when
 * it is not there. bfloat16, which NumPy does not have, is written as float32.  STATUS_INPUT names
 * the file that is missing or does not fit. */
Status values_execute(const Model *model, const char *input_dir, const char *output_dir,
                      Diag *diag);

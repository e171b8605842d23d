/* Quantizes a float model with the ranges that a runner finds on data. */
#pragma once

#include "advisor/message/helper.h"
#include "graph/compile/program.h"
#include "graph/edit/quantize.h"

typedef struct {
    const char *model;
    const CompileOptions *compile;
    const char *ranges;                     /* a file of them; NULL: found on `data` */
    const char *data, *preprocess, *images; /* as npu-exec takes them; the last two may be NULL */
    const char *method;
    bool symmetric, per_tensor;
    bool keeps_floats;  /* the form of SDK 0.10: float nodes, the ranges beside them */
    bool as_sdk_0_9;    /* the scales of its quantizer, which gives a Concat's operands one */
    const char *runner; /* NULL: npu-exec beside this program */
    Helper *helper;     /* starts it */
    Notes *notes;
} QuantizeRequest;

typedef struct {
    Model *model;           /* quantized; with `keeps_floats` activations have ranges */
    const Program *assumed; /* the float model, as if it had been quantized … */
    const Program *program; /* … and what it is now */
    Quantized done;
    const char *method; /* of the ranges */
    bool symmetric;
    double images;
} QuantizeResult;

/* STATUS_INPUT when the model is quantized already, or the runner or the ranges cannot be used. */
Status quantize_model(Arena *a, const QuantizeRequest *q, QuantizeResult *ret, Diag *diag);

/* Nodes of the model whose work the NPU does. */
size_t program_npu_nodes(Arena *a, const Program *p);

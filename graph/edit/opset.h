/* Converts a model of a newer opset to opset 13, which the vendor's quantizer takes.
 *
 * FuriosaAI's optimize_model asks ONNX's version converter for opset 13, which has no way down for
 * an operator whose version changed since (measured with furiosa-optimizer 0.9.1 and 0.10.1). The
 * table opset_forms.xml lists these operators up to opset 23, each with its form in opset 13: the
 * older version of the operator, or operators that compute the same and that the quantizer makes
 * int8. */
#pragma once

#include "graph/infer/shape.h"
#include "graph/model/model.h"

enum {
    OPSET_CONVERTED = 13, /* what is written */
    OPSET_NEWEST = 23,    /* what is read; the table knows nothing of newer ones */
    OPSET_IR_SDK_0_9 = 8, /* newest IR version of onnxruntime 1.13.1, in the quantizer of SDK 0.9 */
    OPSET_IR_SDK_0_10 = 9, /* of onnxruntime 1.15.1, in that of 0.10 */
};

/* Nodes of one operator that are written in another form. */
typedef struct {
    const char *op, *form; /* "HardSwish", "Add, Clip, Mul, Mul" */
    uint32_t count;
} OpsetChange;

typedef struct {
    int64_t opset, ir_version; /* of the file */
    OpsetChange *change;       /* in the order of the graph */
    size_t nchange;
    uint32_t nolder;     /* nodes whose older version means the same, and is taken */
    uint32_t ndescribed; /* tensors with value_info, all but inputs, outputs and initializers */
    const char *unknown; /* the first without a type or with an unknown size; NULL: none */
    const char *refused; /* label of the first node that the quantizer refuses in any opset (Loop,
                            MaxPool with dilations); NULL: none */
} OpsetReport;

/* A copy of `m` in `a` that imports opset 13, has at most IR version `ir_most`, and has value_info
 * of every tensor when it is written. Outputs are equal up to the rounding of float32. `m` must
 * outlive it. An older opset is raised to 13.
 *
 * STATUS_INPUT names the first node that has no equal form: an operator without one (GridSample), a
 * list that is computed at run time, element types that the quantizer does not take (float16). */
Status model_convert_opset(Arena *a, const Model *m, int64_t ir_most, Model **ret,
                           OpsetReport *ret_report, Diag *diag);

/* Whether its version came after opset 13, in a model of that opset: ONNX's converter has no way
 * down from it, as the vendor's optimizer shows on 85 models. LSTM, GRU and RNN it converts. */
bool opset_is_newer(const Node *n, int64_t opset);

/* *m becomes a copy whose float16 numbers are float32, and which takes over the files of *m; a
 * model without any, or of another format than ONNX, stays as it is. */
Status model_widen(Arena *a, Model **m, bool *ret_changed, Diag *diag);

/* Fixes free dimensions of inputs: *m becomes an edited copy.  Bindings that name none are skipped.
 * model_fix_dims makes the first dimensions that are left free 1, too. */
Status model_bind_dims(Arena *a, Model **m, const DimBinding *dim, size_t n, Diag *diag);
Status model_fix_dims(Arena *a, Model **m, const DimBinding *dim, size_t n, Diag *diag);

/* Describes every ONNX operator by one line of graph/infer/ops.xml. */
#pragma once

#include "graph/model/model.h"

/* How an operator spends its time; decides counting, lowering and the executor's engine. */
typedef enum {
    CLASS_UNKNOWN = 0,
    CLASS_MAC,         /* Conv, ConvTranspose, Gemm, MatMul and their quantized forms */
    CLASS_POOL,        /* windowed reductions */
    CLASS_ELEMENTWISE, /* one pass without transcendentals: Add, Relu, Clip, BatchNormalization … */
    CLASS_ACTIVATION, /* elementwise through a table or transcendental: Sigmoid, Tanh, Exp … */
    CLASS_REDUCE,     /* over axes, normalisations included: ReduceMean, Softmax, LayerNorm … */
    CLASS_MOVE,       /* copies elements: Concat, Split, Slice, Transpose, Pad, Resize … */
    CLASS_VIEW,       /* moves nothing: Reshape, Flatten, Squeeze, Identity … */
    CLASS_CONVERT,    /* QuantizeLinear, DequantizeLinear, Cast */
    CLASS_SHAPE,      /* integer arithmetic about shapes: Shape, Range, NonZero … */
    CLASS_CONTROL,    /* If, Loop, Scan: bodies */
    CLASS_OTHER,      /* known, none of the above (TopK, NonMaxSuppression, TreeEnsemble …) */
} OpClass;

typedef struct InferContext InferContext;
/* Sets types and shapes of the outputs as far as the inputs carry them. */
typedef void ShapeFunction(InferContext *ctx);
/* Multiply-accumulates of one execution without biases and scalings; -1 when a shape is unknown. */
typedef int64_t MacFunction(const Graph *g, const Node *n);
/* Sets the values of the outputs as far as small constant inputs determine them. */
typedef void FoldFunction(InferContext *ctx);

typedef struct {
    const char *name, *domain; /* domain "" is ai.onnx */
    OpClass op_class;
    ShapeFunction *shape;
    MacFunction *macs;  /* NULL: multiplies nothing */
    FoldFunction *fold; /* NULL: constant when its inputs are, the value is not computed */
} OpInfo;

/* OP(id, name, domain, class, shape function, MAC function, fold function): enum constants OP_Conv,
 * OP_MatMul, OP_MsQLinearAdd …, in the order of ops.xml. */
typedef enum {
    OP_UNKNOWN = 0,
#define OP(id, name, domain, op_class, shape, macs, fold) OP_##id,
#include "graph/infer/ops.def"
    OP_COUNT
} OpIndex;

/* OP_UNKNOWN when the table has no such line; "ai.onnx" is the domain "". */
OpId op_lookup(const char *domain, const char *name);
const OpInfo *op_info(OpId id); /* never NULL; the first entry is for unknown operators */

/* Whether the operator is one of those that follow it; an unknown one never is. */
#define op_is(id, ...) op_is_listed(id, (const OpId[]){__VA_ARGS__, OP_UNKNOWN})
static inline bool op_is_listed(OpId id, const OpId *list) /* which ends with OP_UNKNOWN */
{
    while (*list != OP_UNKNOWN && *list != id)
        list++;
    return *list != OP_UNKNOWN;
}

/* MACs of the node; -1 when a shape it needs is unknown or the operator is. */
int64_t node_macs(const Graph *g, const Node *n);

/* Elements of the stored constants (initializers, Constant nodes; of bodies too), without scales
 * and zero points, scalars, and the integers of shape arithmetic.  Saturates. */
int64_t graph_parameters(const Graph *g);

/* What is known about ONNX operators: one line per operator in graph/ops.def. */
#ifndef GRAPH_OPS_H
#define GRAPH_OPS_H

#include "graph/model.h"

/* How an operator spends its time; decides counting, lowering and the executor's engine. */
typedef enum {
    CLASS_UNKNOWN = 0,
    CLASS_MAC,       /* Conv, ConvTranspose, Gemm, MatMul and their quantized forms */
    CLASS_POOL,      /* windowed reductions */
    CLASS_ELEMENTWISE,
    CLASS_ACTIVATION, /* elementwise through a table or transcendental: Sigmoid, Tanh, Exp … */
    CLASS_REDUCE,
    CLASS_MOVE,      /* copies elements: Concat, Split, Slice, Transpose, Pad, Resize … */
    CLASS_VIEW,      /* moves nothing: Reshape, Flatten, Squeeze, Identity … */
    CLASS_CONVERT,   /* QuantizeLinear, DequantizeLinear, Cast */
    CLASS_SHAPE,     /* integer arithmetic about shapes: Shape, Range, NonZero … */
    CLASS_CONTROL,   /* If, Loop, Scan: bodies */
    CLASS_OTHER,     /* known, none of the above (TopK, NonMaxSuppression, TreeEnsemble …) */
} OpClass;

struct InferContext;
/* Sets types and shapes of the outputs as far as the inputs carry them. */
typedef void (*ShapeFunction)(struct InferContext *ctx);
/* Multiply-accumulates of one execution, from complete shapes; 0 for what multiplies nothing. */
typedef int64_t (*MacFunction)(const Graph *g, const Node *n);

typedef struct {
    const char *name, *domain; /* domain "" is ai.onnx */
    OpClass op_class;
    ShapeFunction shape;
    MacFunction macs; /* NULL: no MACs */
} OpInfo;

/* OP(id, name, domain, class, shape function, MAC function): enum constants OP_Conv, OP_MatMul,
 * OP_MsQLinearAdd …, in the order of ops.def. */
typedef enum {
    OP_UNKNOWN = 0,
#define OP(id, name, domain, op_class, shape, macs) OP_##id,
#include "graph/ops.def"
#undef OP
    OP_COUNT
} OpIndex;

OpId op_lookup(const char *domain, const char *name);
const OpInfo *op_info(OpId id); /* never NULL; the first entry stands for unknown operators */

/* MACs of the node; -1 when a shape it needs is unknown or the operator is. */
int64_t node_macs(const Graph *g, const Node *n);

#endif

/* Holds the compiler's working state, which its stages share.
 *
 * Between the model and the program there are values and ops.  A *value* is a tensor once
 * quantization nodes, identities and casts at the inputs are seen through: all tensors of such a
 * chain are one value.  An *op* is one unit of work on values: an ONNX node, or several that were
 * fused. What is done to them, stage by stage: stages.xml. */
#pragma once

#include "graph/compile/compile.h"
#include "graph/compile/layout.h"
#include "graph/infer/ops.h"

typedef uint32_t ValueId;
typedef uint32_t IrId;
#define VALUE_NONE   UINT32_MAX
#define IR_NONE      UINT32_MAX
#define SEGMENT_NONE UINT32_MAX
#define INDEX_NOT    UINT32_MAX

typedef struct {
    TensorId tensor; /* the tensor it was made as; gives the value its shape and name */
    IrId producer;   /* IR_NONE: a graph input */
    uint32_t input;  /* number of the graph input, or INDEX_NOT */
    IrId *user;      /* ascending, without merged ops; valid after compile_index */
    uint32_t nuser;
    bool is_output;            /* of the graph, under any of its names */
    bool quantized;            /* has an int8 form */
    const char *foreign_codes; /* their type, where the NPU does not have it; else NULL */
    bool pixels;               /* bytes of an input that nothing has computed on yet */
    bool known;                /* type and shape are known */
    bool channel_last; /* lies with the channels innermost until a Transpose (host Lower does
                          not transpose: the vendor's MobileNet v1 trace, whose input is NHWC,
                          has one LowLevelTranspose on the NPU) */
    bool last_axis;    /* of a machine of rows: lies with its last axis as channels */
    char *letter;      /* per axis; NULL until placement */
    Geometry g;        /* when known: all images */
} CompileValue;

typedef enum { FUSED_NONE, FUSED_FREE, FUSED_VECTOR } FusedActivation;

typedef struct {
    NodeId node;  /* whose attributes say what to do */
    OpIndex op;   /* after aliases: OP_Conv for QLinearConv … */
    ValueId *in;  /* activations in order; a value read twice is there twice */
    ValueId *out; /* VALUE_NONE for unnamed outputs */
    uint32_t nin, nout;
    FusedActivation fused; /* FREE in the output stage, VECTOR one pass more */
    bool folded;           /* the vendor's quantizer folded Mul or Add alone into the weights */
    bool merged;           /* part of op `into`: no longer there itself */
    IrId into;
    bool float_island; /* quantized model, but this op has no int8 form */
    bool on_npu;
    QuantizedType type; /* in a float model: its type after the vendor's quantizer */
    bool place_unknown; /* no page says that the NPU takes it in this type: options.unknown_on */
    Reason reason;      /* on the host: why */
    const Message *why, *nearest;
    bool as_others; /* `nearest` are operators of the NPU that do the same */
    uint32_t segment;
    const SupportRow *row; /* machines of rows: what allows it; NULL: none */
    const char *word;      /* of its last row, with what joined it */
    bool told;             /* `row` is of a table of the vendor */
} Ir;

typedef enum {
    NODE_FREE,   /* not claimed yet: only while the stages run */
    NODE_OP,     /* id: op */
    NODE_VALUE,  /* id: value whose conversion it is; a boundary step may take it, else folded */
    NODE_FOLDED, /* reason: why it is gone */
} NodeRole;

typedef struct {
    NodeRole role;
    uint32_t id;
    const char *reason;
} NodeUse;

typedef struct Compile {
    Arena *arena;    /* the program's */
    Arena *of_model; /* of the compiler's copy of the model */
    Arena *scratch;  /* gone when the compile ends */
    const Model *model;
    const Graph *graph;
    const Machine *machine;
    const CompileOptions *options;
    Notes *notes;
    Diag *diag;
    bool quantized_model;       /* QDQ, QLinear or integer ops: else assumed PTQ */
    const Quantizer *quantizer; /* decides the types; NULL: quantized already, or not known */
    NodeUse *use;               /* per node */
    ValueId *value_of;          /* per tensor; VALUE_NONE for constants */
    CompileValue *value;
    size_t nvalue, value_cap;
    Ir *ir;
    size_t nir, ir_cap;
    DType *input_dtype;     /* per graph input: type that the application feeds */
    DType *output_dtype;    /* per graph output: type that the application takes */
    uint32_t *first_output; /* per value: its first graph output, or INDEX_NOT */
    uint32_t *next_output;  /* per graph output: the next of the same value */
    int64_t images;         /* the model's own batch */
    uint32_t nsegment;
    Program *program;
} Compile;

/* The stages, in order; compile.c calls them. */
#define STAGE(name) void name(Compile *c);
#include "graph/compile/stages.def"

void compile_index(Compile *c);         /* rebuilds Value.user and Value.producer */
void compile_follow_merged(Compile *c); /* nodes of merged ops go to those that do them; indexes */
void compile_focus(Compile *c);         /* part of compile_fuse: four strided Slices and a Concat */
void compile_patterns(Compile *c);      /* likewise: normalizations and shuffles written out */
void rows_patterns(Compile *c); /* likewise, of machines of rows: gates, chunks, attention … */
void rows_views(Compile *c);    /* likewise: runs of Reshape and Transpose */
/* An input or output whose shape is not known; VALUE_NONE. */
ValueId compile_unknown_value(const Compile *c, const Ir *op);
/* The only reader of the value; IR_NONE: there are others, or it is VALUE_NONE or an output. */
IrId compile_only_user(const Compile *c, ValueId v);
void compile_merge_ir(Compile *c, IrId from, IrId into);

/* A Transpose with which the labels go along, so that only the order in memory can change. */
bool compile_transpose_relabels(const Compile *c, const Ir *op);

/* The tensor whose name people know the value by: the graph's output if it is one. */
TensorId compile_value_tensor(const Compile *c, ValueId v);

/* What the last axis of the value means as the application feeds it (permute_input included) or
 * takes it: 'N', 'C', 'H' or 'W'. */
char compile_value_last_letter(const Compile *c, ValueId v);

/* An operator under the name or names ("Mul+Add") that the support table knows it by. */
const char *compile_op_table_name(const Compile *c, const Ir *op);

/* The quantizer of SDK 0.9 writes a Split as a Slice for each part; 0.8 and 0.10 leave it. */
bool compile_is_parts(const Compile *c, const Ir *op);
/* What it is called otherwise: another name is a reading of ours, unless it is depthwise. */
const char *compile_op_own_name(const Compile *c, const Ir *op);
/* Multiplications of the nodes, of all images. */
int64_t compile_macs(const Compile *c, const NodeId *node, uint32_t n);
/* Sets macs, rows, weight_bytes and gathered_bytes of a host operator's step, whose nodes are set.
 */
void compile_host_work(const Compile *c, const Ir *op, Step *s);
/* A convolution with as many groups as input channels. */
bool compile_is_depthwise(const Compile *c, const Ir *op);
/* Alone, the host computes on floats: codes are a form of the file. */
DType compile_host_type(const Compile *c, DType t);
bool compile_node_is_depthwise(const Graph *g, const Node *conv);
OpIndex compile_canonical_op(OpId id);
bool compile_takes_codes(const Node *n); /* its inputs are codes, each with scale and zero point */

/* Of an op whose shapes are known. */
bool condition_holds(const Compile *c, const Ir *op, const Condition *want);

typedef struct {
    const Message *found;   /* "has group 256" */
    const Message *nearest; /* NULL: no value that a user can choose */
} ConditionMiss;
/* Of one that does not hold. */
ConditionMiss condition_miss(Compile *c, const Ir *op, const Condition *want);

typedef struct {
    bool allowed;
    Reason reason;
    const Message *why, *nearest;
    bool as_others;        /* `nearest` are operators that do the same */
    const SupportRow *row; /* that holds */
} Support;
/* Asks the table; `why` is one sentence, in c->arena. */
Support support_find(Compile *c, const Ir *op, SupportPage page);
/* The first row of that name that holds for the op; NULL. */
const SupportRow *support_row(Compile *c, const Ir *op, const char *name);
/* The row of a vendor's quantizer that holds for the op; NULL where it was not tried.  *ret_miss:
 * the condition that the last row of int8 before it does not fulfil; NULL. */
const QuantizerRow *support_quantized(const Compile *c, const Quantizer *q, const Ir *op,
                                      const Condition **ret_miss);
/* Other operators that do what the op's one node does; NULL. */
const MessageId *support_spelled_as(const Compile *c, const Ir *op);
/* Arithmetic with one constant, or one for each element of the axis of its input. */
bool compile_scales_axis(const Compile *c, const Ir *op, int axis);
/* Multiplications for one output: height x width of the window, with its gaps, x channels. */
int64_t compile_window_taps(const Compile *c, const Ir *op);
/* Several nodes that were fused to an operator which their last one is not. */
bool compile_is_pattern(const Compile *c, const Ir *op);
/* Axes of a reduction, the first 8 from the attribute or (opset 18) the second input. */
size_t compile_reduce_axes(const Graph *g, const Node *n, int64_t axis[8]);
/* True when the table has the operator for this SDK on any condition. */
bool support_has(const Compile *c, const char *name);

static inline const Shape *value_shape(const Compile *c, ValueId v)
{
    return &c->graph->tensor[c->value[v].tensor].shape;
}

static inline const Node *ir_node(const Compile *c, const Ir *op)
{
    return &c->graph->node[op->node];
}

static inline OpClass ir_class(const Ir *op)
{
    return op_info((OpId)op->op)->op_class;
}

/* Describes a compiled model as steps, transfers and tasks.
 *
 * Everything that the cost model, the executor and the rules know about the machine's work they
 * know from here.  Every step and low-level op keeps the ONNX nodes it came from; every ONNX node
 * is in exactly one step or in `folded`.  Sizes are per task: `images` images. */
#pragma once

#include "graph/compile/options.h"
#include "graph/compile/program_words.def"

typedef uint32_t StepId;
typedef uint32_t LowOpId;
typedef uint32_t PTensorId;
#define STEP_NONE    UINT32_MAX
#define PTENSOR_NONE UINT32_MAX

/* Where the bytes of a program tensor are laid out. */
typedef enum {
    LAYOUT_PLAIN,   /* as ONNX: row-major, last axis fastest */
    LAYOUT_PADDED,  /* plain with the width padded to the multiple */
    LAYOUT_LOWERED, /* N, Ho, Co, Hi, Ci, W (MLPerf v1.1, unlower.h) */
} Layout;

/* A value between steps. */
typedef struct {
    PTensorId id;
    TensorId tensor; /* ONNX tensor, TENSOR_NONE for what only the compiler made */
    DType dtype;
    Layout layout;
    int64_t n, c, h, w; /* as the NPU sees it: rank 2 is N,C,1,1 */
    int64_t elements;   /* real elements, all images */
    bool at_most;       /* the shape depends on the data: elements and bytes are upper bounds */
    int64_t bytes;      /* in this layout, padding included */
    int ho, co;         /* lowered: height and channel partitions, ho*co = slices */
    int64_t hi, ci, w_padded;
    StepId producer; /* STEP_NONE: a graph input */
} PTensor;

typedef enum { STEP_HOST, STEP_H2D, STEP_NPU, STEP_D2H } StepKind;

/* What a host step does. */
typedef enum {
    HOST_NONE = 0,
#define X(id, name) HOST_##id,
    HOST_OPS(X)
#undef X
        HOST_OP_COUNT
} HostOp;

/* Why a step exists on the host. */
typedef enum {
#define X(id, key) REASON_##id,
    REASONS(X)
#undef X
        REASON_COUNT
} Reason;

typedef enum { IO_NONE, IO_INPUT, IO_OUTPUT } IoKind;

typedef struct {
    StepId id; /* = index: steps are in a valid execution order */
    StepKind kind;
    HostOp host_op;    /* HOST_NONE unless kind is STEP_HOST */
    const char *op;    /* "Quantize", "Lower" … or ONNX operator type; "h2d", "npu", "d2h" */
    const char *finer; /* DepthwiseConv where op is Conv, ResizeLinear …; or NULL */
    const NodeId *node;
    uint32_t nnode;
    Reason reason;
    QuantizedType type;     /* operators of float models: type after the vendor's quantizer */
    bool place_unknown;     /* taken as the host: no page says that the NPU takes it */
    const Message *why;     /* one sentence for people, with the row or dimension that failed */
    const Message *nearest; /* the nearest value that would pass, e.g. "group 128"; NULL if none */
    bool as_others;         /* `nearest` are operators of the NPU that do the same */
    IoKind io;              /* a boundary of the graph … */
    uint32_t io_index;      /* … and which input or output */
    DType from, to;         /* conversions */
    int64_t elements;       /* real elements handled (larger side) */
    int64_t bytes_in, bytes_out;
    int64_t macs;
    int64_t weight_bytes;   /* host operators: constants that it reads */
    int64_t gathered_bytes; /* host convolutions and pools: windows laid out side by side */
    int64_t rows;           /* host operators that move elements: pieces that stay together */
    uint32_t more_calls;    /* host operators: that the vendor's tools make of it besides one */
    bool known;             /* false: its cost cannot be known (unknown op, shape, trip count) */
    bool at_most;           /* sizes are upper bounds: the shapes depend on the data */
    const PTensorId *input, *output;
    uint32_t ninput, noutput;
    const StepId *dep; /* steps that must be done before, ascending, all < id */
    uint32_t ndep;
    uint32_t segment; /* STEP_NPU: number of the segment, from 0 */
    LowOpId first_op; /* STEP_NPU: its low-level ops are [first_op, first_op + nop) */
    uint32_t nop;
} Step;

/* Low-level NPU operators. */
typedef enum {
#define X(id, name) LOWOP_##id,
    LOWOPS(X)
#undef X
        LOWOP_KIND_COUNT
} LowOpKind;

typedef struct {
    LowOpId id;
    LowOpKind kind;
    StepId step;
    const NodeId *node; /* ONNX nodes it covers (a fused activation is one more node) */
    uint32_t nnode;
    /* Geometry, all images: output n,c,h,w and (largest) input c,h,w. */
    int64_t n, c_out, h_out, w_out;
    int64_t c_in, h_in, w_in;
    int kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
    int64_t group;
    int ninput; /* activation inputs */
    int64_t macs;
    int64_t columns, matrices; /* of a product: columns of each result, and how many; 0: none */
    int64_t elements_in;       /* real elements of all activation inputs */
    int64_t elements_out;
    int64_t bytes_in; /* lowered bytes of all activation inputs */
    int64_t bytes_out;
    int64_t weight_bytes; /* int8 weights and int32 biases, unpadded */
    int vector_passes;    /* passes of the vector engine over the output (fused activation: 1) */
    bool zero_cost;       /* a view */
    const char *row;      /* word of the compiler's table; NULL: the machine has none */
    bool joint;           /* fused PEs share it; of machines of rows */
    /* Schedule. */
    int64_t tiles;          /* >= 1 */
    int64_t halo_bytes;     /* re-read between tiles */
    int64_t spill_bytes;    /* to and from DRAM because SRAM was full: halo and weights included */
    int64_t streamed_bytes; /* of spill_bytes: weights that are not kept in SRAM, read each time */
    int64_t live_bytes;     /* SRAM in use while it runs, weights included */
    const LowOpId *dep;     /* producers within the segment, ascending */
    uint32_t ndep;
} LowOp;

typedef struct {
    NodeId node;
    const char *reason; /* "constant", "dead", "identity", "fused-dequantize" … */
} FoldedNode;

typedef struct {
    const Message *why; /* one sentence: the page's condition */
    NodeId first;       /* the first such op */
    uint32_t ops;
    bool own_reading; /* no page names the operator: it is taken for others that one does name */
} OtherPage;

/* One allocation in SRAM over the ops that keep it live (for verifier and memory report). */
typedef struct {
    int64_t address, bytes;
    LowOpId first, last;
    TensorId tensor;
    bool weight;
} SramBox;

/* How the numbers of a model become 8 bits wide. */
typedef enum {
    PRECISION_INT8,        /* its nodes quantize: QDQ, QLinear… */
    PRECISION_CALIBRATED,  /* the nodes are float, the file holds ranges (model/stored_ranges.h) */
    PRECISION_ASSUMED_PTQ, /* it is float: taken as if the vendor's tool had quantized it */
    PRECISION_COUNT
} Precision;
const char *precision_name(Precision p); /* "int8", "calibrated", "assumed-ptq" */

typedef struct {
    int64_t segments, host_steps, unknown_places, refused_ops, sram_peak_bytes, sram_bytes;
    int64_t dram_spill_bytes; /* what lives in DRAM because SRAM was full, each thing once */
    int64_t h2d_bytes, d2h_bytes, macs, weight_bytes;
    int64_t activation_peak_bytes; /* of the activations that are in SRAM at one time */
    bool weights_resident;         /* all weights and the activation peak fit SRAM together */
} ProgramSummary;

typedef struct Program {
    Arena *arena;
    const Model *model; /* the (edited, inferred) model it was compiled from */
    const Machine *machine;
    CompileOptions options;
    int64_t images;      /* per task: the model's own batch times options.batch */
    Precision precision; /* float models are taken as quantized by the vendor's tool */
    PTensor *tensor;
    size_t ntensor;
    Step *step;
    size_t nstep;
    LowOp *op;
    size_t nop;
    FoldedNode *folded;
    size_t nfolded;
    SramBox *box;
    size_t nbox;
    ProgramSummary summary;
    size_t nodes, nodes_known;     /* coverage: ONNX nodes, and those whose cost can be told */
    const char *const *unknown_op; /* distinct, sorted, "domain::Op" or "Op" */
    size_t nunknown_op;
    const Message *refused; /* why the vendor's optimizer does not take the float model; NULL */
    OtherPage *other_page;  /* ops on the NPU that the guide's other support page does not take */
    size_t nother_page;
    Notes *notes;
} Program;

/* The user gives the model to the vendor's quantizer: a float ONNX file, and the SDK has one. */
bool program_is_for_quantizer(const Program *p);

/* The newest IR version that the quantizer of the SDK reads. */
int64_t program_newest_ir(Sdk sdk);

/* Why that takes the model in no form (graph/edit/opset.h), in `a`; NULL: it does, or is not asked.
 */
const char *program_refusal(Arena *a, const Program *p);

const char *layout_name(Layout l);      /* "plain" "padded" "lowered" */
const char *step_kind_name(StepKind k); /* "host" "h2d" "npu" "d2h" */
/* What a host operator is called whose form decides how long it takes: DepthwiseConv, ResizeLinear,
 * ResizeCubic, TransposeRows (of rows that stay whole), SoftmaxAcross (of an axis that is not the
 * innermost) and all reductions likewise; else NULL. */
const char *program_host_form(Arena *a, const Model *m, const Node *n);
const char *program_host_op_name(HostOp h);
const char *program_lowop_name(LowOpKind k);
LowOpKind program_lowop_from_word(const char *word); /* "Conv2d"; LOWOP_KIND_COUNT: none */
const char *reason_key(Reason r);

/* Cycles of one PE's MAC array for the op if its lanes work along the width, or reduce channels,
 * and the split of slices between rows and output channels that is best for the better of the two;
 * 0 for ops without products.  From the geometry alone: the cost model uses a separate law. */
typedef struct {
    int64_t width, channel;
    int ho, co;
} LowOpCycles;
LowOpCycles program_lowop_cycles(const Machine *m, const LowOp *op);

/* A 64-bit key of a step's work (kind, operator, types, sizes, boundary index, operator
 * neighbourhood), free of names: equal in two variants of one model when the step is the same. */
uint64_t step_key(const Program *p, const Step *s);
uint64_t program_lowop_key(const Program *p, const LowOp *op);

/* The hash of a node that fingerprints are made of: operator type, attributes, shapes and
 * neighbourhood, never names. */
uint64_t node_fingerprint(const Graph *g, NodeId id);
uint64_t tensor_fingerprint(const Graph *g, TensorId id);

/* Independent check of the promises above: every node once, bytes conserved along edges, lowered
 * >= real, no overlap in SRAM, deps before users.  Runs in debug builds and tests. */
Status program_verify(const Program *p, Diag *diag);

/* Per node of the model: the NPU computes it. */
const bool *program_nodes_on_npu(Arena *a, const Program *p);

/* Holds an ONNX model as its file describes it.
 *
 * Weights stay in the mapped file: a constant is a view of it.  Names are the file's own, never
 * changed.  Ids are dense indices into the arrays of one Graph.  Unknown stays unknown: a type
 * is DT_UNKNOWN, a rank RANK_UNKNOWN, a dimension DIM_UNKNOWN (perhaps with a symbol). */
#pragma once

#include "graph/base/file.h"
#include "graph/base/notes.h"
#include "graph/model/dtype.h"

typedef uint32_t TensorId;
typedef uint32_t NodeId;
#define TENSOR_NONE UINT32_MAX /* an omitted optional input or output */
#define NODE_NONE   UINT32_MAX

#define DIM_UNKNOWN  (-1)
#define RANK_UNKNOWN (-1)

typedef struct {
    int64_t value;      /* >= 0, or DIM_UNKNOWN */
    const char *symbol; /* dim_param when the value is unknown; NULL for an anonymous unknown */
    int64_t most;       /* an unknown value is at most this: NonZero has no more results than
                           elements; 0 when no bound is known */
} Dim;

typedef struct {
    int32_t rank; /* RANK_UNKNOWN, or the number of entries of dim */
    const Dim *dim;
} Shape;

/* A constant: initializer, Constant node, or folded value. */
typedef struct {
    DType dtype;
    int64_t nelem;
    size_t nbyte;        /* nelem elements, packed, little endian */
    const uint8_t *data; /* NULL when the bytes are not there (missing weight file) */
} Const;

typedef struct {
    const char *name;
    DType dtype;
    Shape shape;
    NodeId producer;        /* NODE_NONE for graph inputs and initializers */
    const NodeId *consumer; /* ascending; a node that reads it twice is listed once */
    uint32_t nconsumer;
    const Const *value; /* known at compile time, else NULL; set by the loader and by fold */
    bool is_input;      /* graph input that is no initializer */
    bool is_output;
    bool is_initializer;
    size_t raw_offset, raw_size; /* its TensorProto in the file (initializers), for writing */
    bool edited; /* input or output whose ValueInfoProto in the file no longer describes it */
    DType declared_dtype; /* what value_info or the list of outputs says: a hint, which */
    Shape declared_shape; /* inference may use where it cannot tell by itself */
    const Message
        *conflict; /* what of the shapes that its maker reads contradicts; NULL: nothing */
} Tensor;

typedef enum {
    ATTR_FLOAT = 1,
    ATTR_INT = 2,
    ATTR_STRING = 3,
    ATTR_TENSOR = 4,
    ATTR_GRAPH = 5,
    ATTR_FLOATS = 6,
    ATTR_INTS = 7,
    ATTR_STRINGS = 8,
    ATTR_OTHER = 99,
} AttrType; /* numbers are AttributeProto.AttributeType */

struct Graph;

typedef struct {
    const char *name;
    AttrType type;
    double f;
    int64_t i;
    const char *s; /* NUL-terminated copy; slen bytes, binary safe */
    size_t slen;
    const float *floats;
    const int64_t *ints;
    const char *const *strings;
    size_t count; /* of floats, ints or strings */
    const Const *tensor;
    Shape tensor_shape;
    const struct Graph *graph; /* ATTR_GRAPH: a body */
} Attr;

/* Operator identity: index into the table of graph/infer/ops.h; OP_UNKNOWN if not there. */
typedef uint16_t OpId;

#define ROWS_TOLD_MARK "compiler-rows:" /* in a node's doc_string */

typedef struct {
    const char *name;   /* may be empty */
    const char *op;     /* op_type */
    const char *domain; /* "" for ai.onnx */
    OpId op_id;
    const TensorId *input;
    const TensorId *output;
    uint32_t ninput, noutput;
    const Attr *attr;
    uint32_t nattr;
    uint32_t order;              /* position in the file */
    size_t raw_offset, raw_size; /* its NodeProto in the file; raw_size 0 when edited or inlined */
    bool rewired;                /* its inputs or outputs are not those of that NodeProto */
    bool on_host;                /* the file says that it runs on the host */
    const char *told; /* words of the rows that are named after it; NULL: no table tells */
} Node;

typedef struct Graph {
    const char *name;
    const struct Graph *parent; /* of a body; NULL at the top */
    Tensor *tensor;
    size_t ntensor;
    Node *node; /* in topological order, ties by position in the file */
    size_t nnode;
    const TensorId *input; /* real inputs only (old exports list initializers too) */
    const TensorId *output;
    size_t ninput, noutput;
    StrMap by_name; /* tensor name -> TensorId */
} Graph;

typedef struct {
    const char *domain;
    int64_t version;
} OpsetImport;

typedef struct {
    const char *key, *value;
} Metadata;

/* A file of another format, in its own words. */
typedef struct {
    const char *op;
    uint32_t count;
} SourceOperator;

typedef struct {
    const char *name;
    DType dtype;
    Shape shape;
    double scale; /* 0: not quantised */
    int64_t zero_point;
} SourceValue;

typedef struct {
    const char *format; /* "tflite" */
    int64_t version;
    uint32_t ngraph, ntensor, nconstant; /* tensors of the main graph */
    uint64_t constant_bytes;             /* each buffer counted once */
    const SourceOperator *op;            /* of the main graph, by name */
    size_t nop;
    const SourceValue *input, *output;
    size_t ninput, noutput;
} ModelSource;

typedef struct Model {
    Arena *arena; /* owns everything below but the file mapping */
    InFile file;
    const uint8_t *raw; /* the file's bytes, to which every raw_offset refers */
    size_t raw_size;
    const char *path;
    bool is_made;              /* `raw` was made of a file of another format */
    const ModelSource *source; /* what that file says of itself; NULL for ONNX */
    int64_t ir_version;
    int64_t opset;      /* of ai.onnx; 0 when the file imports none */
    bool folds_large;   /* larger constants than shapes are made of are computed too (infer.h) */
    bool describes_all; /* written with value_info of every tensor, as inferred */
    bool tells_rows;    /* written with Node.told after ROWS_TOLD_MARK, from where it is read */
    const OpsetImport *import;
    size_t nimport;
    const Metadata *metadata;
    size_t nmetadata;
    /* The quantization beside float nodes (stored_ranges.h); NULL: the file has no such keys. */
    const struct StoredRanges *stored_ranges;
    Graph *graph;
    Notes *notes;
    InFile *external; /* files of external data, mapped */
    size_t nexternal;
    uint64_t missing_bytes; /* weight bytes whose file is not there */
    size_t nmissing;
} Model;

/* Lists the `n` operators, one entry each so far, by name with their counts. */
void source_list_operators(ModelSource *s, SourceOperator *op, size_t n);

/* Attribute by name, or NULL; with a default. */
const Attr *node_attr(const Node *n, const char *name);
const struct Graph *node_body(const Node *n, const char *name); /* NULL: it has none of that name */
bool node_has_body(const Node *n);                              /* an If, a Loop, a Scan … */
int64_t node_attr_int(const Node *n, const char *name, int64_t fallback);
double node_attr_float(const Node *n, const char *name, double fallback);
const char *node_attr_string(const Node *n, const char *name, const char *fallback);
/* Number of ints; *ret is NULL and the result 0 when absent. */
size_t node_attr_ints(const Node *n, const char *name, const int64_t **ret);

/* Input or output tensor; NULL when omitted or out of range. */
const Tensor *node_input(const Graph *g, const Node *n, uint32_t index);
const Tensor *node_output(const Graph *g, const Node *n, uint32_t index);

/* In a body: true for a value that the graph around it owns.  Always false at the top. */
bool tensor_is_outer(const Tensor *t);

/* Its first element, where it is known and whole; `t` may be NULL. */
bool tensor_int(const Tensor *t, int64_t *ret);

/* Element type and shape: of an input or initializer, inferred, or declared. */
DType tensor_dtype(const Tensor *t);
const Shape *tensor_shape(const Tensor *t);

/* Elements of a shape; DIM_UNKNOWN when any dimension is.  Saturates at INT64_MAX / 16. */
int64_t shape_elements(const Shape *s);
/* The same with unknown dimensions at their upper bounds; DIM_UNKNOWN when one has none. */
int64_t shape_max_elements(const Shape *s);
bool shape_is_known(const Shape *s);

/* "1x3x640x640", symbols by name, '?' for unknown dimensions, "?" for an unknown rank. */
const char *shape_text(Arena *a, const Shape *s);

/* Nodes by name, and by the tensors that they make; the names are copied into `a`. */
void graph_index_names(Arena *a, const Graph *g, StrMap *ret);

/* Display name of a node: its name, else "Conv#12" (type and file position). */
const char *node_label(Arena *a, const Node *n);

/* Constant's integer or real element i; false when it has no bytes or is out of range. */
bool const_int(const Const *c, int64_t i, int64_t *ret);
bool const_float(const Const *c, int64_t i, double *ret);
/* Numbers of float16 in `a` as float32; others, and NULL, as they are. */
const Const *const_widened(Arena *a, const Const *c);
bool const_is_all(const Const *c, double want); /* every element is known, and that number */

/* Declares what the files of the ONNX loader share: one Loader per onnx_load. Private to
 * graph/onnx/.
 *
 * Order: guard (onnx_guard.c), model fields and functions (onnx_load.c, onnx_function.c), then the
 * graph (onnx_graph.c): values and initializers (onnx_tensor.c, onnx_external.c), nodes and their
 * attributes (onnx_node.c), last the order of nodes and the producer and consumer index (order.c).
 * Bodies are graphs within a node; the guard bounds how deep. */
#pragma once

#include "graph/onnx/onnx.h"
#include "graph/onnx/onnx_fields.h"

#include "onnx.pb-c.h"

/* Memory of the one message that protobuf-c has unpacked last: reset by the next unpack, so
 * nothing may point into it for longer than that. */
typedef struct {
    Arena *arena;
    uint8_t *block;
    size_t used, cap;
} Scratch;

/* A model-local function (FunctionProto). */
typedef struct {
    const char *domain, *name, *overload;
    Bytes raw;
    const char *const *input, *const *output; /* formal names */
    size_t ninput, noutput;
    int64_t opset; /* of ai.onnx in its own imports, 0 if it has none */
} Function;

/* Names inside an inlined function: formals become the caller's names, everything else takes the
 * prefix.  `outer` is never searched: a function sees only its own names. */
typedef struct {
    StrMap actual; /* formal name -> index of value */
    const char *const *value;
    const char *prefix;
    const Attr *attr; /* the caller's, for ref_attr_name */
    uint32_t nattr;
    unsigned depth; /* calls within calls */
} OnnxScope;

typedef struct {
    InFile file; /* path: the location as the model spells it */
    bool missing;
} ExternalFile;

struct Loader;
struct Builder;

/* How a node has what it holds read: a body, and the nodes of the function that it calls.  The
 * loader knows both; the file of nodes knows neither. */
typedef Status ReadBody(struct Loader *l, Bytes raw, const Graph *parent, const OnnxScope *scope,
                        Graph **ret_graph);
typedef Status ReadCall(struct Builder *b, const Function *f, const Node *call,
                        const char *const *input, const char *const *output,
                        const OnnxScope *caller);

typedef struct Loader {
    ReadBody *read_body;
    ReadCall *read_call;
    Arena *arena;
    Notes *notes;
    Diag *diag;
    const char *path;
    const char *folder; /* where external data may be; NULL: nowhere */
    Bytes file;
    Bytes own_file; /* of a model that was made: where ONNX_OWN_FILE leads */
    Model *model;
    Scratch scratch;
    Function *function;
    size_t nfunction;
    StrMap function_index;
    size_t nnode, ncall; /* in all graphs */
    size_t ninlined;     /* nodes that functions have brought */
    size_t dense_bytes;  /* of sparse tensors made dense */
    ExternalFile *external;
    size_t nexternal, external_cap;
    StrMap external_index;        /* location -> index */
    const Message *first_missing; /* what the note about missing weights says */
} Loader;

/* A graph that grows. */
typedef struct Builder {
    Loader *loader;
    Graph *graph;
    size_t tensor_cap, node_cap;
} Builder;

/* Unpacks with protobuf-c into the scratch memory; NULL when it cannot (l->diag says why). */
void *onnx_unpack(Loader *l, const ProtobufCMessageDescriptor *type, Bytes bytes, const char *what);

/* STATUS_INPUT with "path: place 'name': fact". */
Status onnx_error(Loader *l, const char *place, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Copy of a string field in the arena ("" when it is not there). */
const char *onnx_string(Arena *a, Bytes message, uint32_t number);

/* GraphProto into a new Graph. `scope` is that of the function the graph is in, or NULL. */
ReadBody onnx_read_graph;

/* The tensor of that name, made when it is new; TENSOR_NONE for "". */
TensorId onnx_intern(Builder *b, const char *name);
/* The name as it is inside `scope` (NULL: unchanged). */
const char *onnx_scoped(Builder *b, const OnnxScope *scope, const char *name);

/* NodeProto into the builder's graph, a call of a model-local function inlined. */
Status onnx_read_node(Builder *b, Bytes raw, const OnnxScope *scope);

/* AttributeProto alone, as the defaults of functions are. */
Status onnx_read_attribute(Builder *b, Bytes raw, const OnnxScope *scope, Attr *ret);

/* Reads the functions of the model (fields 25). */
Status onnx_read_functions(Loader *l);
/* What a function is found by, and the one that a node calls; NULL: none. */
const char *onnx_function_key(Arena *a, const char *domain, const char *name, const char *overload);
const Function *onnx_function_find(const Loader *l, const char *domain, const char *name,
                                   const char *overload);
/* Adds the nodes of the function that `call` (a node of the graph that is not added to it, with
 * its names in `input` and `output`) calls. */
ReadCall onnx_inline;

/* TensorProto and SparseTensorProto (made dense). */
typedef struct {
    const char *name;
    Const value;
    Shape shape;
} TensorRead;
Status onnx_read_tensor(Loader *l, Bytes raw, TensorRead *ret);
Status onnx_read_sparse(Loader *l, Bytes raw, TensorRead *ret);

/* Bytes of an external tensor: entries of TensorProto.external_data in `raw`.  *ret_data is NULL
 * when the file is not there (counted in the model). */
Status onnx_read_external(Loader *l, Bytes raw, const char *tensor, size_t nbyte,
                          const uint8_t **ret_data);
/* Counts bytes that are not there; the first file or tensor is named in a note. */
void onnx_note_missing(Loader *l, size_t nbyte, const char *what, const MessageId *why);

/* Builds an ONNX model in memory, field by field. */
#pragma once

#include "graph/model/dtype.h"
#include "graph/model/model.h"
#include "graph/onnx/pb_writer.h"

enum { ONNX_EMIT_MAX_INPUTS = 8, ONNX_EMIT_MAX_ATTRIBUTES = 6 };

static inline Attr emit_int(const char *name, int64_t i)
{
    return (Attr){.name = name, .type = ATTR_INT, .i = i};
}
static inline Attr emit_ints(const char *name, const int64_t *v, size_t n)
{
    return (Attr){.name = name, .type = ATTR_INTS, .ints = v, .count = n};
}
static inline Attr emit_float(const char *name, double f)
{
    return (Attr){.name = name, .type = ATTR_FLOAT, .f = f};
}
static inline Attr emit_graph(const char *name, Bytes graph)
{
    return (Attr){
        .name = name, .type = ATTR_GRAPH, .s = (const char *)graph.data, .slen = graph.size};
}
static inline Attr emit_text(const char *name, const char *s)
{
    return (Attr){.name = name, .type = ATTR_STRING, .s = s, .slen = strlen(s)};
}

typedef struct {
    const char *name, *op;
    const char *domain;                   /* NULL: ai.onnx */
    const char *in[ONNX_EMIT_MAX_INPUTS]; /* up to the first NULL; "" is omitted */
    const char *const *ins;               /* instead of `in`, when there are more */
    size_t nins;
    const char *out;         /* one result … */
    const char *const *outs; /* … or several */
    size_t nouts;
    Attr attribute[ONNX_EMIT_MAX_ATTRIBUTES]; /* up to the first without a name */
} EmitNode;

typedef struct {
    Arena *arena;
    PbWriter graph; /* fields of GraphProto */
    size_t nnode;
    const char *weights; /* where external data lie: the file itself */
    const char *domain;  /* of operators beside ONNX's own, which the model imports; NULL: none */
    uint64_t domain_version;
} OnnxEmit;

/* Fields of messages, for whatever writes an ONNX model. */
/* The value of an attribute that is a number, a text or a list of them. */
void onnx_emit_attribute_value(PbWriter *attribute, const Attr *a);
/* A ValueInfoProto as field `number`; without a type or a shape where they are not known. */
void onnx_emit_value_field(PbWriter *out, uint32_t number, const char *name, DType t,
                           const Shape *s);
/* All of a TensorProto but its bytes. */
void onnx_emit_tensor_head(PbWriter *tensor, const char *name, DType t, const Shape *s);
void onnx_emit_entry_field(PbWriter *out, uint32_t number, const char *key, const char *value);

void onnx_emit_init(OnnxEmit *e, Arena *a, const char *weights);

void onnx_emit_node(OnnxEmit *e, const EmitNode *n);

/* A constant: its bytes in the message, or at `at` of the file of weights.  Dimensions >= 0. */
void onnx_emit_constant(OnnxEmit *e, const char *name, DType t, const int64_t *dim, size_t rank,
                        Bytes bytes);
void onnx_emit_weights(OnnxEmit *e, const char *name, DType t, const int64_t *dim, size_t rank,
                       size_t at);
/* Its bytes are in another file. */
void onnx_emit_missing(OnnxEmit *e, const char *name, DType t, const int64_t *dim, size_t rank);

/* Field numbers of GraphProto. */
enum { ONNX_EMIT_INPUT = 11, ONNX_EMIT_OUTPUT = 12, ONNX_EMIT_VALUE = 13 };
/* dim[i] -1: symbol[i], or nothing known when that is NULL.  rank < 0: no shape. */
void onnx_emit_value(OnnxEmit *e, uint32_t field, const char *name, DType t, const int64_t *dim,
                     const char *const *symbol, int rank);

/* What was emitted into `graph`, as the body of a node. */
Bytes onnx_emit_body(OnnxEmit *e, const char *name);

/* The whole ModelProto, contiguous, in the arena. */
Bytes onnx_emit_model(OnnxEmit *e, const char *graph_name, const char *producer, int opset,
                      const Metadata *property, size_t nproperty);

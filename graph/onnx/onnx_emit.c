/* Writes nodes, attributes and tensors as protobuf fields. */
#include "graph/onnx/onnx_emit.h"

#include <string.h>

/* Field numbers of onnx.proto. */
enum { MODEL_IR = 1, MODEL_PRODUCER = 2, MODEL_GRAPH = 7, MODEL_OPSET = 8, MODEL_PROPERTY = 14 };
enum { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_INITIALIZER = 5 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OP = 4, NODE_ATTRIBUTE = 5 };
enum { NODE_DOMAIN = 7, ATTRIBUTE_NAME = 1, ATTRIBUTE_F = 2, ATTRIBUTE_I = 3, ATTRIBUTE_S = 4 };
enum { ATTRIBUTE_INTS = 8, ATTRIBUTE_TYPE = 20, TYPE_F = 1, TYPE_I = 2, TYPE_S = 3, TYPE_INTS = 7 };
enum { TENSOR_DIM = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9, TENSOR_EXTERNAL = 13 };
enum { TENSOR_LOCATION = 14, IS_EXTERNAL = 1, IR_VERSION = 8 };

void onnx_emit_init(OnnxEmit *e, Arena *a, const char *weights)
{
    *e = (OnnxEmit){.arena = a, .weights = weights};
    pb_writer_init(&e->graph, a);
}

static void emit_attribute(OnnxEmit *e, PbWriter *node, const EmitAttribute *from)
{
    static const uint64_t type[] = {TYPE_I, TYPE_INTS, TYPE_F, TYPE_S};
    PbWriter r;
    pb_writer_init(&r, e->arena);
    pb_writer_string_field(&r, ATTRIBUTE_NAME, from->name);
    if (from->kind == EMIT_INT)
        pb_writer_varint_field(&r, ATTRIBUTE_I, (uint64_t)from->i);
    else if (from->kind == EMIT_FLOAT)
        pb_writer_float_field(&r, ATTRIBUTE_F, (float)from->f);
    else if (from->kind == EMIT_STRING)
        pb_writer_string_field(&r, ATTRIBUTE_S, from->s);
    for (size_t i = 0; from->kind == EMIT_INTS && i < from->count; i++)
        pb_writer_varint_field(&r, ATTRIBUTE_INTS, (uint64_t)from->ints[i]);
    pb_writer_varint_field(&r, ATTRIBUTE_TYPE, type[from->kind]);
    pb_writer_message_field(node, NODE_ATTRIBUTE, &r);
}

void onnx_emit_node(OnnxEmit *e, const EmitNode *n)
{
    PbWriter r;
    pb_writer_init(&r, e->arena);
    for (size_t i = 0; i < n->nins; i++)
        pb_writer_string_field(&r, NODE_INPUT, n->ins[i]);
    for (size_t i = 0; !n->ins && i < ONNX_EMIT_MAX_INPUTS && n->in[i]; i++)
        pb_writer_string_field(&r, NODE_INPUT, n->in[i]);
    for (size_t i = 0; i < n->nouts; i++)
        pb_writer_string_field(&r, NODE_OUTPUT, n->outs[i]);
    if (n->out)
        pb_writer_string_field(&r, NODE_OUTPUT, n->out);
    pb_writer_string_field(&r, NODE_NAME, n->name);
    pb_writer_string_field(&r, NODE_OP, n->op);
    for (size_t i = 0; i < ONNX_EMIT_MAX_ATTRIBUTES && n->attribute[i].name; i++)
        emit_attribute(e, &r, &n->attribute[i]);
    if (n->domain)
        pb_writer_string_field(&r, NODE_DOMAIN, n->domain);
    pb_writer_message_field(&e->graph, GRAPH_NODE, &r);
    e->nnode++;
}

static void begin_tensor(OnnxEmit *e, PbWriter *r, const char *name, DType t, const int64_t *dim,
                         size_t rank)
{
    pb_writer_init(r, e->arena);
    for (size_t i = 0; i < rank; i++)
        pb_writer_varint_field(r, TENSOR_DIM, (uint64_t)dim[i]);
    pb_writer_varint_field(r, TENSOR_TYPE, (uint64_t)dtype_to_onnx(t));
    pb_writer_string_field(r, TENSOR_NAME, name);
}

void onnx_emit_constant(OnnxEmit *e, const char *name, DType t, const int64_t *dim, size_t rank,
                        Bytes bytes)
{
    PbWriter r;
    begin_tensor(e, &r, name, t, dim, rank);
    pb_writer_bytes_field(&r, TENSOR_RAW, bytes);
    pb_writer_message_field(&e->graph, GRAPH_INITIALIZER, &r);
}

static void external_entry(OnnxEmit *e, PbWriter *tensor, const char *key, const char *value)
{
    PbWriter r;
    pb_writer_init(&r, e->arena);
    pb_writer_string_field(&r, 1, key);
    pb_writer_string_field(&r, 2, value);
    pb_writer_message_field(tensor, TENSOR_EXTERNAL, &r);
}

static void emit_external(OnnxEmit *e, const char *name, DType t, const int64_t *dim, size_t rank,
                          const char *location, size_t at)
{
    PbWriter r;
    begin_tensor(e, &r, name, t, dim, rank);
    external_entry(e, &r, "location", location);
    external_entry(e, &r, "offset", arena_printf(e->arena, "%zu", at));
    pb_writer_varint_field(&r, TENSOR_LOCATION, IS_EXTERNAL);
    pb_writer_message_field(&e->graph, GRAPH_INITIALIZER, &r);
}

void onnx_emit_weights(OnnxEmit *e, const char *name, DType t, const int64_t *dim, size_t rank,
                       size_t at)
{
    emit_external(e, name, t, dim, rank, e->weights, at);
}

void onnx_emit_missing(OnnxEmit *e, const char *name, DType t, const int64_t *dim, size_t rank)
{
    emit_external(e, name, t, dim, rank, "bytes that another file holds", 0);
}

static void add_dim(OnnxEmit *e, PbWriter *shape, int64_t value, const char *symbol)
{
    PbWriter r;
    pb_writer_init(&r, e->arena);
    if (value >= 0)
        pb_writer_varint_field(&r, 1, (uint64_t)value);
    else if (symbol)
        pb_writer_string_field(&r, 2, symbol);
    pb_writer_message_field(shape, 1, &r);
}

void onnx_emit_value(OnnxEmit *e, uint32_t field, const char *name, DType t, const int64_t *dim,
                     const char *const *symbol, int rank)
{
    PbWriter value, type, tensor, shape;
    pb_writer_init(&value, e->arena);
    pb_writer_init(&type, e->arena);
    pb_writer_init(&tensor, e->arena);
    pb_writer_init(&shape, e->arena);
    pb_writer_string_field(&value, 1, name);
    if (t != DT_UNKNOWN)
        pb_writer_varint_field(&tensor, 1, (uint64_t)dtype_to_onnx(t));
    for (int i = 0; i < rank; i++)
        add_dim(e, &shape, dim[i], symbol ? symbol[i] : NULL);
    if (rank >= 0)
        pb_writer_message_field(&tensor, 2, &shape);
    pb_writer_message_field(&type, 1, &tensor);
    pb_writer_message_field(&value, 2, &type);
    pb_writer_message_field(&e->graph, field, &value);
}

static Bytes flatten_pieces(Arena *a, const PbWriter *r)
{
    uint8_t *out = arena_alloc(a, r->size + 1);
    size_t at = 0;
    for (const PbPiece *p = r->first; p; p = p->next) {
        if (p->bytes.size)
            memcpy(out + at, p->bytes.data, p->bytes.size);
        at += p->bytes.size;
    }
    return (Bytes){out, at};
}

static void add_opset(PbWriter *model, Arena *a, const char *domain, uint64_t version)
{
    PbWriter r;
    pb_writer_init(&r, a);
    pb_writer_string_field(&r, 1, domain);
    pb_writer_varint_field(&r, 2, version);
    pb_writer_message_field(model, MODEL_OPSET, &r);
}

Bytes onnx_emit_model(OnnxEmit *e, const char *graph_name, const char *producer, int opset,
                      const EmitProperty *property, size_t nproperty)
{
    PbWriter model;
    pb_writer_init(&model, e->arena);
    pb_writer_varint_field(&model, MODEL_IR, IR_VERSION);
    pb_writer_string_field(&model, MODEL_PRODUCER, producer);
    pb_writer_string_field(&e->graph, GRAPH_NAME, graph_name);
    pb_writer_message_field(&model, MODEL_GRAPH, &e->graph);
    add_opset(&model, e->arena, "", (uint64_t)opset);
    if (e->domain)
        add_opset(&model, e->arena, e->domain, e->domain_version);
    for (size_t i = 0; i < nproperty; i++) {
        PbWriter r;
        pb_writer_init(&r, e->arena);
        pb_writer_string_field(&r, 1, property[i].key);
        pb_writer_string_field(&r, 2, property[i].value);
        pb_writer_message_field(&model, MODEL_PROPERTY, &r);
    }
    return flatten_pieces(e->arena, &model);
}

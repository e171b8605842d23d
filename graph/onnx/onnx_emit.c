/* Writes nodes, attributes and tensors as protobuf fields. */
#include "graph/onnx/onnx_fields.h"
#include "graph/onnx/onnx_emit.h"

enum { IS_EXTERNAL = 1, IR_VERSION = 8 };

/* ---- fields ---- */

void onnx_emit_attribute_value(PbWriter *attribute, const Attr *a)
{
    if (a->type == ATTR_FLOAT)
        pb_writer_float_field(attribute, A_FLOAT, (float)a->f);
    else if (a->type == ATTR_INT)
        pb_writer_varint_field(attribute, A_INT, (uint64_t)a->i);
    else if (a->type == ATTR_STRING)
        pb_writer_bytes_field(attribute, A_STRING, (Bytes){(const uint8_t *)a->s, a->slen});
    else if (a->type == ATTR_GRAPH)
        pb_writer_bytes_field(attribute, A_GRAPH, (Bytes){(const uint8_t *)a->s, a->slen});
    for (size_t i = 0; i < a->count; i++)
        if (a->type == ATTR_FLOATS)
            pb_writer_float_field(attribute, A_FLOATS, a->floats[i]);
        else if (a->type == ATTR_INTS)
            pb_writer_varint_field(attribute, A_INTS, (uint64_t)a->ints[i]);
        else
            pb_writer_string_field(attribute, A_STRINGS, a->strings[i]);
}

static void add_dim(PbWriter *shape, const Dim *d)
{
    PbWriter r;
    pb_writer_init(&r, shape->arena);
    if (d->value >= 0)
        pb_writer_varint_field(&r, 1, (uint64_t)d->value);
    else if (d->symbol)
        pb_writer_string_field(&r, 2, d->symbol);
    pb_writer_message_field(shape, 1, &r);
}

void onnx_emit_value_field(PbWriter *out, uint32_t number, const char *name, DType t,
                           const Shape *s)
{
    PbWriter value, type, tensor, shape;
    pb_writer_init(&value, out->arena);
    pb_writer_init(&type, out->arena);
    pb_writer_init(&tensor, out->arena);
    pb_writer_init(&shape, out->arena);
    if (t != DT_UNKNOWN)
        pb_writer_varint_field(&tensor, 1, (uint64_t)dtype_to_onnx(t));
    for (int32_t i = 0; i < s->rank; i++)
        add_dim(&shape, &s->dim[i]);
    if (s->rank != RANK_UNKNOWN)
        pb_writer_message_field(&tensor, 2, &shape);
    pb_writer_message_field(&type, 1, &tensor);
    pb_writer_string_field(&value, 1, name);
    pb_writer_message_field(&value, 2, &type);
    pb_writer_message_field(out, number, &value);
}

void onnx_emit_tensor_head(PbWriter *tensor, const char *name, DType t, const Shape *s)
{
    for (int32_t i = 0; i < s->rank; i++)
        pb_writer_varint_field(tensor, T_DIMS, (uint64_t)s->dim[i].value);
    pb_writer_varint_field(tensor, T_TYPE, (uint64_t)dtype_to_onnx(t));
    if (*name)
        pb_writer_string_field(tensor, T_NAME, name);
}

void onnx_emit_entry_field(PbWriter *out, uint32_t number, const char *key, const char *value)
{
    PbWriter r;
    pb_writer_init(&r, out->arena);
    pb_writer_string_field(&r, ENTRY_KEY, key);
    pb_writer_string_field(&r, ENTRY_VALUE, value);
    pb_writer_message_field(out, number, &r);
}

/* ---- a model ---- */

void onnx_emit_init(OnnxEmit *e, Arena *a, const char *weights)
{
    *e = (OnnxEmit){.arena = a, .weights = weights};
    pb_writer_init(&e->graph, a);
}

static void emit_attribute(PbWriter *node, const Attr *a)
{
    PbWriter r;
    pb_writer_init(&r, node->arena);
    pb_writer_string_field(&r, A_NAME, a->name);
    onnx_emit_attribute_value(&r, a);
    pb_writer_varint_field(&r, A_TYPE, (uint64_t)a->type);
    pb_writer_message_field(node, N_ATTRIBUTE, &r);
}

void onnx_emit_node(OnnxEmit *e, const EmitNode *n)
{
    PbWriter r;
    pb_writer_init(&r, e->arena);
    for (size_t i = 0; i < n->nins; i++)
        pb_writer_string_field(&r, N_INPUT, n->ins[i]);
    for (size_t i = 0; !n->ins && i < ONNX_EMIT_MAX_INPUTS && n->in[i]; i++)
        pb_writer_string_field(&r, N_INPUT, n->in[i]);
    for (size_t i = 0; i < n->nouts; i++)
        pb_writer_string_field(&r, N_OUTPUT, n->outs[i]);
    if (n->out)
        pb_writer_string_field(&r, N_OUTPUT, n->out);
    pb_writer_string_field(&r, N_NAME, n->name);
    pb_writer_string_field(&r, N_OP, n->op);
    for (size_t i = 0; i < ONNX_EMIT_MAX_ATTRIBUTES && n->attribute[i].name; i++)
        emit_attribute(&r, &n->attribute[i]);
    if (n->domain)
        pb_writer_string_field(&r, N_DOMAIN, n->domain);
    pb_writer_message_field(&e->graph, G_NODE, &r);
    e->nnode++;
}

/* Dimensions without a value are `symbol`, where that is given. */
static Shape shape_of(Arena *a, const int64_t *dim, const char *const *symbol, int rank)
{
    Dim *d = ARENA_ARRAY(a, Dim, (size_t)(rank > 0 ? rank : 0));
    for (int i = 0; i < rank; i++)
        d[i] = (Dim){.value = dim[i], .symbol = symbol ? symbol[i] : NULL};
    return (Shape){rank < 0 ? RANK_UNKNOWN : rank, d};
}

static PbWriter begin_tensor(OnnxEmit *e, const char *name, DType t, const int64_t *dim,
                             size_t rank)
{
    PbWriter r;
    const Shape s = shape_of(e->arena, dim, NULL, (int)rank);
    pb_writer_init(&r, e->arena);
    onnx_emit_tensor_head(&r, name, t, &s);
    return r;
}

void onnx_emit_constant(OnnxEmit *e, const char *name, DType t, const int64_t *dim, size_t rank,
                        Bytes bytes)
{
    PbWriter r = begin_tensor(e, name, t, dim, rank);
    pb_writer_bytes_field(&r, T_RAW, bytes);
    pb_writer_message_field(&e->graph, G_INITIALIZER, &r);
}

static void emit_external(OnnxEmit *e, const char *name, DType t, const int64_t *dim, size_t rank,
                          const char *location, size_t at)
{
    PbWriter r = begin_tensor(e, name, t, dim, rank);
    onnx_emit_entry_field(&r, T_EXTERNAL, "location", location);
    onnx_emit_entry_field(&r, T_EXTERNAL, "offset", arena_printf(e->arena, "%zu", at));
    pb_writer_varint_field(&r, T_LOCATION, IS_EXTERNAL);
    pb_writer_message_field(&e->graph, G_INITIALIZER, &r);
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

void onnx_emit_value(OnnxEmit *e, uint32_t field, const char *name, DType t, const int64_t *dim,
                     const char *const *symbol, int rank)
{
    const Shape s = shape_of(e->arena, dim, symbol, rank);
    onnx_emit_value_field(&e->graph, field, name, t, &s);
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
    pb_writer_message_field(model, P_OPSET, &r);
}

Bytes onnx_emit_body(OnnxEmit *e, const char *name)
{
    pb_writer_string_field(&e->graph, G_NAME, name);
    return flatten_pieces(e->arena, &e->graph);
}

Bytes onnx_emit_model(OnnxEmit *e, const char *graph_name, const char *producer, int opset,
                      const Metadata *property, size_t nproperty)
{
    PbWriter model;
    pb_writer_init(&model, e->arena);
    pb_writer_varint_field(&model, P_IR, IR_VERSION);
    pb_writer_string_field(&model, P_PRODUCER, producer);
    pb_writer_string_field(&e->graph, G_NAME, graph_name);
    pb_writer_message_field(&model, P_GRAPH, &e->graph);
    add_opset(&model, e->arena, "", (uint64_t)opset);
    if (e->domain)
        add_opset(&model, e->arena, e->domain, e->domain_version);
    for (size_t i = 0; i < nproperty; i++)
        onnx_emit_entry_field(&model, P_METADATA, property[i].key, property[i].value);
    return flatten_pieces(e->arena, &model);
}

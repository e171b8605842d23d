/* Writes nodes, values and tensors of an edited model. */
#include "graph/onnx/onnx_writer.h"

#include "graph/model/dtype.h"

/* Field numbers of GraphProto (of a body), NodeProto, AttributeProto, TensorProto. */
enum {
    G_NODE = 1,
    G_NAME = 2,
    G_INITIALIZER = 5,
    G_INPUT = 11,
    G_OUTPUT = 12,
    N_INPUT = 1,
    N_OUTPUT = 2,
    N_NAME = 3,
    N_OP = 4,
    N_ATTRIBUTE = 5,
    N_DOMAIN = 7,
    A_NAME = 1,
    A_F = 2,
    A_I = 3,
    A_S = 4,
    A_T = 5,
    A_G = 6,
    A_FLOATS = 7,
    A_INTS = 8,
    A_STRINGS = 9,
    A_TYPE = 20,
    T_DIMS = 1,
    T_TYPE = 2,
    T_NAME = 8,
    T_RAW = 9,
};

Status writer_refuse(Writer *w, const char *kind, const char *name, const char *fact)
{
    const char *place = arena_printf(w->arena, "%s '%s'", kind, name);
    return diag_set(w->diag, STATUS_INPUT, w->model->path, place, "cannot be written: %s", fact);
}

static void write_dims(Writer *w, PbWriter *shape, const Shape *s)
{
    for (int32_t i = 0; i < s->rank; i++) {
        PbWriter dim;
        pb_writer_init(&dim, w->arena);
        if (s->dim[i].value >= 0)
            pb_writer_varint_field(&dim, 1, (uint64_t)s->dim[i].value);
        else if (s->dim[i].symbol)
            pb_writer_string_field(&dim, 2, s->dim[i].symbol);
        pb_writer_message_field(shape, 1, &dim);
    }
}

/* ValueInfoProto from what is known of the tensor now. */
Status writer_value(Writer *w, PbWriter *out, uint32_t number, const Tensor *t)
{
    DType dtype = tensor_dtype(t);
    const Shape *s = tensor_shape(t);
    if (dtype == DT_UNKNOWN)
        return writer_refuse(w, "value", t->name, "its element type is unknown");
    PbWriter value, type, tensor, shape;
    pb_writer_init(&value, w->arena);
    pb_writer_init(&type, w->arena);
    pb_writer_init(&tensor, w->arena);
    pb_writer_init(&shape, w->arena);
    pb_writer_varint_field(&tensor, 1, (uint64_t)dtype_to_onnx(dtype));
    if (s->rank != RANK_UNKNOWN) {
        write_dims(w, &shape, s);
        pb_writer_message_field(&tensor, 2, &shape);
    }
    pb_writer_message_field(&type, 1, &tensor);
    pb_writer_string_field(&value, 1, t->name);
    pb_writer_message_field(&value, 2, &type);
    pb_writer_message_field(out, number, &value);
    return STATUS_OK;
}

Status writer_const(Writer *w, PbWriter *out, uint32_t number, const char *name, const Const *c,
                    const Shape *s)
{
    PbWriter t;
    if (c->dtype == DT_STRING || c->dtype == DT_UNKNOWN || (!c->data && c->nbyte))
        return writer_refuse(w, "tensor", name, "its bytes are not known");
    pb_writer_init(&t, w->arena);
    for (int32_t i = 0; i < s->rank; i++)
        pb_writer_varint_field(&t, T_DIMS, (uint64_t)s->dim[i].value);
    pb_writer_varint_field(&t, T_TYPE, (uint64_t)dtype_to_onnx(c->dtype));
    if (*name)
        pb_writer_string_field(&t, T_NAME, name);
    pb_writer_bytes_field(&t, T_RAW, (Bytes){c->data, c->nbyte});
    pb_writer_message_field(out, number, &t);
    return STATUS_OK;
}

static Status write_graph_attribute(Writer *w, PbWriter *out, const Graph *body);

static void write_floats(PbWriter *out, const Attr *a)
{
    for (size_t i = 0; i < a->count; i++)
        pb_writer_float_field(out, A_FLOATS, a->floats[i]);
}

static void write_ints(PbWriter *out, const Attr *a)
{
    for (size_t i = 0; i < a->count; i++)
        pb_writer_varint_field(out, A_INTS, (uint64_t)a->ints[i]);
}

static void write_strings(PbWriter *out, const Attr *a)
{
    for (size_t i = 0; i < a->count; i++)
        pb_writer_string_field(out, A_STRINGS, a->strings[i]);
}

static Status write_attribute(Writer *w, PbWriter *out, const Node *n, const Attr *a)
{
    PbWriter r;
    Status st = STATUS_OK;
    pb_writer_init(&r, w->arena);
    pb_writer_string_field(&r, A_NAME, a->name);
    if (a->type == ATTR_FLOAT)
        pb_writer_float_field(&r, A_F, (float)a->f);
    else if (a->type == ATTR_INT)
        pb_writer_varint_field(&r, A_I, (uint64_t)a->i);
    else if (a->type == ATTR_STRING)
        pb_writer_bytes_field(&r, A_S, (Bytes){(const uint8_t *)a->s, a->slen});
    else if (a->type == ATTR_FLOATS)
        write_floats(&r, a);
    else if (a->type == ATTR_INTS)
        write_ints(&r, a);
    else if (a->type == ATTR_STRINGS)
        write_strings(&r, a);
    else if (a->type == ATTR_TENSOR)
        st = writer_const(w, &r, A_T, "", a->tensor, &a->tensor_shape);
    else if (a->type == ATTR_GRAPH)
        st = write_graph_attribute(w, &r, a->graph);
    else
        st = writer_refuse(w, "node", node_label(w->arena, n),
                           "an attribute is of a type unknown here");
    pb_writer_varint_field(&r, A_TYPE, (uint64_t)a->type);
    if (!st)
        pb_writer_message_field(out, N_ATTRIBUTE, &r);
    return st;
}

static void put_names(PbWriter *out, uint32_t number, const Graph *g, const TensorId *id,
                      uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        pb_writer_string_field(out, number, id[i] == TENSOR_NONE ? "" : g->tensor[id[i]].name);
}

static void copy_rest_of_node(PbWriter *out, Bytes raw)
{
    WireField f;
    while (onnx_wire_next(&raw, &f) == WIRE_FIELD)
        if (f.number != N_INPUT && f.number != N_OUTPUT)
            pb_writer_view(out, f.whole);
}

Status writer_node(Writer *w, PbWriter *out, const Graph *g, const Node *n)
{
    PbWriter r;
    Bytes raw = {w->model->raw + n->raw_offset, n->raw_size};
    if (n->raw_size && !n->rewired) {
        pb_writer_bytes_field(out, G_NODE, raw);
        return STATUS_OK;
    }
    pb_writer_init(&r, w->arena);
    put_names(&r, N_INPUT, g, n->input, n->ninput);
    put_names(&r, N_OUTPUT, g, n->output, n->noutput);
    Status st = STATUS_OK;
    if (n->raw_size) {
        copy_rest_of_node(&r, raw);
    } else {
        if (*n->name)
            pb_writer_string_field(&r, N_NAME, n->name);
        pb_writer_string_field(&r, N_OP, n->op);
        if (*n->domain)
            pb_writer_string_field(&r, N_DOMAIN, n->domain);
        for (uint32_t i = 0; !st && i < n->nattr; i++)
            st = write_attribute(w, &r, n, &n->attr[i]);
    }
    if (!st)
        pb_writer_message_field(out, G_NODE, &r);
    return st;
}

/* A value of a body need not have a type. */
static Status write_body_value(Writer *w, PbWriter *out, uint32_t number, const Tensor *t)
{
    if (t->dtype != DT_UNKNOWN || t->declared_dtype != DT_UNKNOWN)
        return writer_value(w, out, number, t);
    PbWriter value;
    pb_writer_init(&value, w->arena);
    pb_writer_string_field(&value, 1, t->name);
    pb_writer_message_field(out, number, &value);
    return STATUS_OK;
}

/* A body of an inlined function's node, which has no bytes of its own in the file.  Recursion is
 * bounded by the loader's ONNX_MAX_DEPTH. */
static Status write_graph_attribute(Writer *w, PbWriter *out, const Graph *body)
{
    PbWriter g;
    Status st = STATUS_OK;
    pb_writer_init(&g, w->arena);
    for (size_t i = 0; !st && i < body->nnode; i++)
        st = writer_node(w, &g, body, &body->node[i]);
    pb_writer_string_field(&g, G_NAME, *body->name ? body->name : "body");
    for (size_t i = 0; !st && i < body->ntensor; i++)
        if (body->tensor[i].is_initializer)
            st = writer_const(w, &g, G_INITIALIZER, body->tensor[i].name, body->tensor[i].value,
                              &body->tensor[i].shape);
    for (size_t i = 0; !st && i < body->ninput; i++)
        st = write_body_value(w, &g, G_INPUT, &body->tensor[body->input[i]]);
    for (size_t i = 0; !st && i < body->noutput; i++)
        st = write_body_value(w, &g, G_OUTPUT, &body->tensor[body->output[i]]);
    if (!st)
        pb_writer_message_field(out, A_G, &g);
    return st;
}

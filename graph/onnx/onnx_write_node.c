/* Writes nodes, values and tensors of an edited model. */
#include "graph/onnx/onnx_fields.h"
#include "graph/onnx/onnx_emit.h"
#include "graph/onnx/onnx_writer.h"

Status writer_refuse(Writer *w, const char *kind, const char *name, const char *fact)
{
    const char *place = arena_printf(w->arena, "%s '%s'", kind, name);
    return diag_set(w->diag, STATUS_INPUT, w->model->path, place, "cannot be written: %s", fact);
}

/* ValueInfoProto from the type and shape that are known now. */
Status writer_value(Writer *w, PbWriter *out, uint32_t number, const Tensor *t)
{
    DType dtype = tensor_dtype(t);
    if (dtype == DT_UNKNOWN)
        return writer_refuse(w, "value", t->name, "its element type is unknown");
    onnx_emit_value_field(out, number, t->name, dtype, tensor_shape(t));
    return STATUS_OK;
}

Status writer_const(Writer *w, PbWriter *out, uint32_t number, const char *name, const Const *c,
                    const Shape *s)
{
    PbWriter t;
    if (c->dtype == DT_STRING || c->dtype == DT_UNKNOWN || (!c->data && c->nbyte))
        return writer_refuse(w, "tensor", name, "its bytes are not known");
    pb_writer_init(&t, w->arena);
    onnx_emit_tensor_head(&t, name, c->dtype, s);
    pb_writer_bytes_field(&t, T_RAW, (Bytes){c->data, c->nbyte});
    pb_writer_message_field(out, number, &t);
    return STATUS_OK;
}

static Status write_graph_attribute(Writer *w, PbWriter *out, const Graph *body);

static Status write_attribute(Writer *w, PbWriter *out, const Node *n, const Attr *a)
{
    PbWriter r;
    Status st = STATUS_OK;
    pb_writer_init(&r, w->arena);
    pb_writer_string_field(&r, A_NAME, a->name);
    if (a->type == ATTR_TENSOR)
        st = writer_const(w, &r, A_TENSOR, "", a->tensor, &a->tensor_shape);
    else if (a->type == ATTR_GRAPH)
        st = write_graph_attribute(w, &r, a->graph);
    else if (a->type == ATTR_OTHER)
        st = writer_refuse(w, "node", node_label(w->arena, n),
                           "an attribute is of a type unknown here");
    else
        onnx_emit_attribute_value(&r, a);
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

Status writer_node(Writer *w, PbWriter *out, const Graph *g, const Node *n)
{
    PbWriter r;
    Bytes raw = {w->model->raw + n->raw_offset, n->raw_size};
    bool tells = w->model->tells_rows && n->told && n->raw_size;
    if (n->raw_size && !n->rewired && !tells) {
        pb_writer_bytes_field(out, G_NODE, raw);
        return STATUS_OK;
    }
    pb_writer_init(&r, w->arena);
    put_names(&r, N_INPUT, g, n->input, n->ninput);
    put_names(&r, N_OUTPUT, g, n->output, n->noutput);
    Status st = STATUS_OK;
    if (n->raw_size) {
        WireField f;
        while (onnx_wire_next(&raw, &f) == WIRE_FIELD)
            if (f.number != N_INPUT && f.number != N_OUTPUT)
                pb_writer_view(&r, f.whole);
    } else {
        if (*n->name)
            pb_writer_string_field(&r, N_NAME, n->name);
        pb_writer_string_field(&r, N_OP, n->op);
        if (*n->domain)
            pb_writer_string_field(&r, N_DOMAIN, n->domain);
        for (uint32_t i = 0; !st && i < n->nattr; i++)
            st = write_attribute(w, &r, n, &n->attr[i]);
    }
    if (tells)
        pb_writer_string_field(&r, N_DOC, arena_printf(w->arena, ROWS_TOLD_MARK "%s", n->told));
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

/* A body of an inlined function's node, which has no separate bytes in the file.  Recursion is
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
        pb_writer_message_field(out, A_GRAPH, &g);
    return st;
}

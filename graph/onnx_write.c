/* Writing a model: what no edit touched is copied from the original file by byte range. */
#include "graph/onnx.h"
#include "graph/rope.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Field numbers of ModelProto, GraphProto, NodeProto, AttributeProto, TensorProto. */
enum {
    P_GRAPH = 7, P_TRAINING = 20, P_FUNCTION = 25,
    G_NODE = 1, G_NAME = 2, G_INITIALIZER = 5, G_INPUT = 11, G_OUTPUT = 12, G_VALUE = 13,
    G_ANNOTATION = 14, G_SPARSE = 15,
    N_INPUT = 1, N_OUTPUT = 2, N_NAME = 3, N_OP = 4, N_ATTRIBUTE = 5, N_DOMAIN = 7,
    A_NAME = 1, A_F = 2, A_I = 3, A_S = 4, A_T = 5, A_G = 6, A_FLOATS = 7, A_INTS = 8,
    A_STRINGS = 9, A_TYPE = 20,
    T_DIMS = 1, T_TYPE = 2, T_NAME = 8, T_RAW = 9, T_EXTERNAL = 13, T_LOCATION = 14,
    FIRST_IR_WITHOUT_INITIALIZER_INPUTS = 4,
};

typedef struct {
    Arena *arena;
    const Model *model;
    const Graph *graph; /* the top one */
    bool keeps_folder;  /* written beside the original: external data stays where it is */
    Diag *diag;
} Writer;

static Status refuse(Writer *w, const char *kind, const char *name, const char *fact)
{
    const char *place = arena_printf(w->arena, "%s '%s'", kind, name);
    return diag_set(w->diag, STATUS_INPUT, w->model->path, place, "cannot be written: %s", fact);
}

/* --- values -------------------------------------------------------------------------------- */

static void write_dims(Writer *w, Rope *shape, const Shape *s)
{
    for (int32_t i = 0; i < s->rank; i++) {
        Rope dim;
        rope_init(&dim, w->arena);
        if (s->dim[i].value >= 0)
            rope_varint_field(&dim, 1, (uint64_t)s->dim[i].value);
        else if (s->dim[i].symbol)
            rope_string_field(&dim, 2, s->dim[i].symbol);
        rope_message_field(shape, 1, &dim);
    }
}

/* ValueInfoProto from what is known of the tensor now. */
static Status write_value(Writer *w, Rope *out, uint32_t number, const Tensor *t)
{
    DType dtype = t->dtype != DT_UNKNOWN ? t->dtype : t->declared_dtype;
    const Shape *s = t->shape.rank != RANK_UNKNOWN ? &t->shape : &t->declared_shape;
    if (dtype == DT_UNKNOWN)
        return refuse(w, "value", t->name, "its element type is unknown");
    Rope value, type, tensor, shape;
    rope_init(&value, w->arena);
    rope_init(&type, w->arena);
    rope_init(&tensor, w->arena);
    rope_init(&shape, w->arena);
    rope_varint_field(&tensor, 1, (uint64_t)dtype_to_onnx(dtype));
    if (s->rank != RANK_UNKNOWN) {
        write_dims(w, &shape, s);
        rope_message_field(&tensor, 2, &shape);
    }
    rope_message_field(&type, 1, &tensor);
    rope_string_field(&value, 1, t->name);
    rope_message_field(&value, 2, &type);
    rope_message_field(out, number, &value);
    return STATUS_OK;
}

/* --- tensors ------------------------------------------------------------------------------- */

static Status write_const(Writer *w, Rope *out, uint32_t number, const char *name, const Const *c,
                          const Shape *s)
{
    Rope t;
    if (c->dtype == DT_STRING || c->dtype == DT_UNKNOWN || (!c->data && c->nbyte))
        return refuse(w, "tensor", name, "its bytes are not known");
    rope_init(&t, w->arena);
    for (int32_t i = 0; i < s->rank; i++)
        rope_varint_field(&t, T_DIMS, (uint64_t)s->dim[i].value);
    rope_varint_field(&t, T_TYPE, (uint64_t)dtype_to_onnx(c->dtype));
    if (*name)
        rope_string_field(&t, T_NAME, name);
    rope_bytes_field(&t, T_RAW, (Bytes){c->data, c->nbyte});
    rope_message_field(out, number, &t);
    return STATUS_OK;
}

static bool is_external(Bytes tensor)
{
    WireField f;
    return wire_find(tensor, T_LOCATION, WIRE_VARINT, &f) && f.value == 1;
}

/* A tensor whose data file would not be found from where the model is written: bytes inside. */
static void write_internal(Writer *w, Rope *out, Bytes tensor, const Const *c)
{
    Rope t;
    WireField f;
    rope_init(&t, w->arena);
    while (wire_next(&tensor, &f) == WIRE_FIELD)
        if (f.number != T_EXTERNAL && f.number != T_LOCATION && f.number != T_RAW)
            rope_copy(&t, f.whole.data, f.whole.size);
    rope_bytes_field(&t, T_RAW, (Bytes){c->data, c->nbyte});
    rope_message_field(out, G_INITIALIZER, &t);
}

static const char *name_in(Writer *w, Bytes message, uint32_t number)
{
    WireField f;
    if (!wire_find(message, number, WIRE_BYTES, &f))
        return "";
    return arena_strndup(w->arena, (const char *)f.bytes.data, f.bytes.size);
}

/* The graph's tensor of that name; NULL when an edit took it away. */
static const Tensor *find_tensor(const Writer *w, const char *name)
{
    uint32_t id = strmap_get(&w->graph->by_name, name);
    return id == STRMAP_NONE ? NULL : &w->graph->tensor[id];
}

static void copy_initializer(Writer *w, Rope *out, const WireField *f)
{
    WireField values = {.bytes = f->bytes};
    if (f->number == G_SPARSE)
        wire_find(f->bytes, 1, WIRE_BYTES, &values);
    const Tensor *t = find_tensor(w, name_in(w, values.bytes, T_NAME));
    if (!t || !t->is_initializer)
        return;
    if (f->number == G_INITIALIZER && !w->keeps_folder && t->value->data && is_external(f->bytes))
        write_internal(w, out, f->bytes, t->value);
    else
        rope_view(out, f->whole);
}

static Status write_new_initializers(Writer *w, Rope *out)
{
    const Graph *g = w->graph;
    Status st = STATUS_OK;
    for (size_t i = 0; !st && i < g->ntensor; i++)
        if (g->tensor[i].is_initializer && !g->tensor[i].raw_size)
            st = write_const(w, out, G_INITIALIZER, g->tensor[i].name, g->tensor[i].value,
                             &g->tensor[i].shape);
    return st;
}

/* --- nodes --------------------------------------------------------------------------------- */

static Status write_graph_attribute(Writer *w, Rope *out, const Graph *body);

static void write_floats(Rope *out, const Attr *a)
{
    for (size_t i = 0; i < a->count; i++)
        rope_float_field(out, A_FLOATS, a->floats[i]);
}

static void write_ints(Rope *out, const Attr *a)
{
    for (size_t i = 0; i < a->count; i++)
        rope_varint_field(out, A_INTS, (uint64_t)a->ints[i]);
}

static void write_strings(Rope *out, const Attr *a)
{
    for (size_t i = 0; i < a->count; i++)
        rope_string_field(out, A_STRINGS, a->strings[i]);
}

static Status write_attribute(Writer *w, Rope *out, const Node *n, const Attr *a)
{
    Rope r;
    Status st = STATUS_OK;
    rope_init(&r, w->arena);
    rope_string_field(&r, A_NAME, a->name);
    if (a->type == ATTR_FLOAT)
        rope_float_field(&r, A_F, (float)a->f);
    else if (a->type == ATTR_INT)
        rope_varint_field(&r, A_I, (uint64_t)a->i);
    else if (a->type == ATTR_STRING)
        rope_bytes_field(&r, A_S, (Bytes){(const uint8_t *)a->s, a->slen});
    else if (a->type == ATTR_FLOATS)
        write_floats(&r, a);
    else if (a->type == ATTR_INTS)
        write_ints(&r, a);
    else if (a->type == ATTR_STRINGS)
        write_strings(&r, a);
    else if (a->type == ATTR_TENSOR)
        st = write_const(w, &r, A_T, "", a->tensor, &a->tensor_shape);
    else if (a->type == ATTR_GRAPH)
        st = write_graph_attribute(w, &r, a->graph);
    else
        st = refuse(w, "node", node_label(w->arena, n), "an attribute is of a type unknown here");
    rope_varint_field(&r, A_TYPE, (uint64_t)a->type);
    if (!st)
        rope_message_field(out, N_ATTRIBUTE, &r);
    return st;
}

static void write_names(Rope *out, uint32_t number, const Graph *g, const TensorId *id, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        rope_string_field(out, number, id[i] == TENSOR_NONE ? "" : g->tensor[id[i]].name);
}

static void copy_rest_of_node(Rope *out, Bytes raw)
{
    WireField f;
    while (wire_next(&raw, &f) == WIRE_FIELD)
        if (f.number != N_INPUT && f.number != N_OUTPUT)
            rope_view(out, f.whole);
}

static Status write_node(Writer *w, Rope *out, const Graph *g, const Node *n)
{
    Rope r;
    Bytes raw = {w->model->raw + n->raw_offset, n->raw_size};
    if (n->raw_size && !n->rewired) {
        rope_bytes_field(out, G_NODE, raw);
        return STATUS_OK;
    }
    rope_init(&r, w->arena);
    write_names(&r, N_INPUT, g, n->input, n->ninput);
    write_names(&r, N_OUTPUT, g, n->output, n->noutput);
    Status st = STATUS_OK;
    if (n->raw_size) {
        copy_rest_of_node(&r, raw);
    } else {
        if (*n->name)
            rope_string_field(&r, N_NAME, n->name);
        rope_string_field(&r, N_OP, n->op);
        if (*n->domain)
            rope_string_field(&r, N_DOMAIN, n->domain);
        for (uint32_t i = 0; !st && i < n->nattr; i++)
            st = write_attribute(w, &r, n, &n->attr[i]);
    }
    if (!st)
        rope_message_field(out, G_NODE, &r);
    return st;
}

/* A value of a body need not have a type. */
static Status write_body_value(Writer *w, Rope *out, uint32_t number, const Tensor *t)
{
    if (t->dtype != DT_UNKNOWN || t->declared_dtype != DT_UNKNOWN)
        return write_value(w, out, number, t);
    Rope value;
    rope_init(&value, w->arena);
    rope_string_field(&value, 1, t->name);
    rope_message_field(out, number, &value);
    return STATUS_OK;
}

/* A body of an inlined function's node, which has no bytes of its own in the file.  Recursion is
 * bounded by the loader's ONNX_MAX_DEPTH. */
static Status write_graph_attribute(Writer *w, Rope *out, const Graph *body)
{
    Rope g;
    Status st = STATUS_OK;
    rope_init(&g, w->arena);
    for (size_t i = 0; !st && i < body->nnode; i++)
        st = write_node(w, &g, body, &body->node[i]);
    rope_string_field(&g, G_NAME, *body->name ? body->name : "body");
    for (size_t i = 0; !st && i < body->ntensor; i++)
        if (body->tensor[i].is_initializer)
            st = write_const(w, &g, G_INITIALIZER, body->tensor[i].name, body->tensor[i].value,
                             &body->tensor[i].shape);
    for (size_t i = 0; !st && i < body->ninput; i++)
        st = write_body_value(w, &g, G_INPUT, &body->tensor[body->input[i]]);
    for (size_t i = 0; !st && i < body->noutput; i++)
        st = write_body_value(w, &g, G_OUTPUT, &body->tensor[body->output[i]]);
    if (!st)
        rope_message_field(out, A_G, &g);
    return st;
}

/* --- the graph ----------------------------------------------------------------------------- */

/* Inputs in the file's order.  Up to IR 3 initializers are listed among them. */
static Status write_inputs(Writer *w, Rope *out, Bytes raw)
{
    WireField f;
    Status st = STATUS_OK;
    while (!st && wire_next(&raw, &f) == WIRE_FIELD) {
        if (f.number != G_INPUT)
            continue;
        const Tensor *t = find_tensor(w, name_in(w, f.bytes, 1));
        if (t && t->is_input && t->edited)
            st = write_value(w, out, G_INPUT, t);
        else if (t && (t->is_input || t->is_initializer))
            rope_view(out, f.whole);
    }
    if (w->model->ir_version >= FIRST_IR_WITHOUT_INITIALIZER_INPUTS)
        return st;
    for (size_t i = 0; !st && i < w->graph->ntensor; i++)
        if (w->graph->tensor[i].is_initializer && !w->graph->tensor[i].raw_size)
            st = write_value(w, out, G_INPUT, &w->graph->tensor[i]);
    return st;
}

static Status write_outputs(Writer *w, Rope *out, Bytes raw)
{
    const Graph *g = w->graph;
    StrMap index;
    WireField f, *field = ARENA_ARRAY(w->arena, WireField, wire_count(raw, G_OUTPUT) + 1);
    uint32_t n = 0;
    Status st = STATUS_OK;
    strmap_init(&index, w->arena, g->noutput);
    while (wire_next(&raw, &f) == WIRE_FIELD) {
        if (f.number != G_OUTPUT)
            continue;
        strmap_put(&index, name_in(w, f.bytes, 1), n);
        field[n++] = f;
    }
    for (size_t i = 0; !st && i < g->noutput; i++) {
        const Tensor *t = &g->tensor[g->output[i]];
        uint32_t at = t->edited ? STRMAP_NONE : strmap_get(&index, t->name);
        if (at == STRMAP_NONE)
            st = write_value(w, out, G_OUTPUT, t);
        else
            rope_view(out, field[at].whole);
    }
    return st;
}

/* Descriptions of inner tensors that are still there and whose shape no edit made stale. */
static void copy_value(Writer *w, Rope *out, const WireField *f)
{
    const Tensor *t = find_tensor(w, name_in(w, f->bytes, 1));
    if (t && !t->is_input && !t->is_output && t->declared_shape.rank != RANK_UNKNOWN)
        rope_view(out, f->whole);
}

static void copy_field(Writer *w, Rope *out, const WireField *f)
{
    switch (f->number) {
    case G_NODE:
    case G_INPUT:
    case G_OUTPUT:
        break; /* written from the model */
    case G_INITIALIZER:
    case G_SPARSE:
        copy_initializer(w, out, f);
        break;
    case G_VALUE:
        copy_value(w, out, f);
        break;
    case G_ANNOTATION:
        if (find_tensor(w, name_in(w, f->bytes, 1)))
            rope_view(out, f->whole);
        break;
    default:
        rope_view(out, f->whole);
        break;
    }
}

static Status write_graph(Writer *w, Rope *out, Bytes raw)
{
    Rope g;
    WireField f;
    Status st = STATUS_OK;
    rope_init(&g, w->arena);
    for (size_t i = 0; !st && i < w->graph->nnode; i++)
        st = write_node(w, &g, w->graph, &w->graph->node[i]);
    for (Bytes rest = raw; wire_next(&rest, &f) == WIRE_FIELD;)
        copy_field(w, &g, &f);
    if (!st)
        st = write_new_initializers(w, &g);
    if (!st)
        st = write_inputs(w, &g, raw);
    if (!st)
        st = write_outputs(w, &g, raw);
    if (!st)
        rope_message_field(out, P_GRAPH, &g);
    return st;
}

/* --- the model ----------------------------------------------------------------------------- */

/* Functions are inlined and training is not kept: both refer to nodes that may be gone. */
static Status write_model(Writer *w, Rope *out)
{
    const Model *m = w->model;
    WireField f, graph;
    Bytes raw = {m->raw, m->raw_size};
    if (!wire_find(raw, P_GRAPH, WIRE_BYTES, &graph))
        return refuse(w, "model", m->path, "it holds no graph");
    while (wire_next(&raw, &f) == WIRE_FIELD)
        if (f.number != P_GRAPH && f.number != P_FUNCTION && f.number != P_TRAINING)
            rope_view(out, f.whole);
    Status st = write_graph(w, out, graph.bytes);
    if (!st && out->size > INT32_MAX)
        st = diag_set(w->diag, STATUS_INPUT, m->path, NULL,
                      "would be larger than 2 GiB; write it beside the original, whose weight "
                      "files it can go on using");
    return st;
}

static bool folder_of(const char *path, char folder[PATH_MAX])
{
    char copy[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    if (n + 2 > sizeof copy)
        return false;
    memcpy(copy, path, n);
    memcpy(copy + n, ".", 2);
    return realpath(copy, folder) != NULL;
}

static bool same_folder(const char *a, const char *b)
{
    char folder_a[PATH_MAX], folder_b[PATH_MAX];
    return strcmp(b, "-") != 0 && folder_of(a, folder_a) && folder_of(b, folder_b) &&
           strcmp(folder_a, folder_b) == 0;
}

static Status write_file(Writer *w, const Rope *r, const char *path)
{
    OutFile f;
    Status st = outfile_open(&f, path, w->diag);
    if (st)
        return st;
    rope_write(r, f.stream);
    st = outfile_commit(&f, w->diag);
    outfile_abort(&f);
    return st;
}

Status onnx_write(const Model *m, const char *path, Diag *diag)
{
    Writer w = {.arena = arena_new(0),
                .model = m,
                .graph = m->graph,
                .keeps_folder = same_folder(m->path, path),
                .diag = diag};
    Rope out;
    rope_init(&out, w.arena);
    Status st = write_model(&w, &out);
    if (!st)
        st = write_file(&w, &out, path);
    arena_free(w.arena);
    return st;
}

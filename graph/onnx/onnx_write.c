/* Writes a model and copies unedited byte ranges from the original file. */
#include "graph/onnx/furiosa_keys.h"
#include "graph/onnx/onnx_emit.h"
#include "graph/onnx/onnx_read.h"
#include "graph/onnx/onnx_writer.h"

enum { FIRST_IR_WITHOUT_INITIALIZER_INPUTS = 4 };

static bool is_external(Bytes tensor)
{
    WireField f;
    return onnx_wire_find(tensor, T_LOCATION, WIRE_VARINT, &f) && f.value == 1;
}

/* A tensor whose data file would not be found from where the model is written: bytes inside. */
static void write_internal(Writer *w, PbWriter *out, Bytes tensor, const Const *c)
{
    PbWriter t;
    WireField f;
    pb_writer_init(&t, w->arena);
    while (onnx_wire_next(&tensor, &f) == WIRE_FIELD)
        if (f.number != T_EXTERNAL && f.number != T_LOCATION && f.number != T_RAW)
            pb_writer_copy(&t, f.whole.data, f.whole.size);
    pb_writer_bytes_field(&t, T_RAW, (Bytes){c->data, c->nbyte});
    pb_writer_message_field(out, G_INITIALIZER, &t);
}

/* The graph's tensor of that name; NULL when an edit took it away. */
static const Tensor *find_tensor(const Writer *w, const char *name)
{
    uint32_t id = strmap_get(&w->graph->by_name, name);
    return id == STRMAP_NONE ? NULL : &w->graph->tensor[id];
}

static void copy_initializer(Writer *w, PbWriter *out, const WireField *f)
{
    WireField values = {.bytes = f->bytes};
    if (f->number == G_SPARSE)
        onnx_wire_find(f->bytes, 1, WIRE_BYTES, &values);
    const Tensor *t = find_tensor(w, onnx_string(w->arena, values.bytes, T_NAME));
    if (!t || !t->is_initializer || !t->raw_size)
        return;
    if (f->number == G_INITIALIZER && !w->keeps_folder && t->value->data && is_external(f->bytes))
        write_internal(w, out, f->bytes, t->value);
    else
        pb_writer_view(out, f->whole);
}

static Status write_new_initializers(Writer *w, PbWriter *out)
{
    const Graph *g = w->graph;
    Status st = STATUS_OK;
    for (size_t i = 0; !st && i < g->ntensor; i++)
        if (g->tensor[i].is_initializer && !g->tensor[i].raw_size)
            st = writer_const(w, out, G_INITIALIZER, g->tensor[i].name, g->tensor[i].value,
                              &g->tensor[i].shape);
    return st;
}

/* Inputs in the file's order.  Up to IR 3 initializers are listed among them. */
static Status write_inputs(Writer *w, PbWriter *out, Bytes raw)
{
    WireField f;
    Status st = STATUS_OK;
    StrMap listed;
    strmap_init(&listed, w->arena, w->graph->ninput);
    while (!st && onnx_wire_next(&raw, &f) == WIRE_FIELD) {
        if (f.number != G_INPUT)
            continue;
        const char *name = onnx_string(w->arena, f.bytes, 1);
        const Tensor *t = find_tensor(w, name);
        strmap_put(&listed, name, 0);
        if (t && t->is_input && t->edited)
            st = writer_value(w, out, G_INPUT, t);
        else if (t && (t->is_input || (t->is_initializer && t->raw_size)))
            pb_writer_view(out, f.whole);
    }
    for (size_t i = 0; !st && i < w->graph->ninput; i++) { /* that an edit has made */
        const Tensor *t = &w->graph->tensor[w->graph->input[i]];
        if (strmap_get(&listed, t->name) == STRMAP_NONE)
            st = writer_value(w, out, G_INPUT, t);
    }
    if (w->model->ir_version >= FIRST_IR_WITHOUT_INITIALIZER_INPUTS)
        return st;
    for (size_t i = 0; !st && i < w->graph->ntensor; i++)
        if (w->graph->tensor[i].is_initializer && !w->graph->tensor[i].raw_size)
            st = writer_value(w, out, G_INPUT, &w->graph->tensor[i]);
    return st;
}

/* An inner tensor that value_info can describe. */
static bool is_described(const Tensor *t)
{
    return !t->is_input && !t->is_output && !t->is_initializer && t->producer != NODE_NONE &&
           tensor_dtype(t) != DT_UNKNOWN && tensor_shape(t)->rank != RANK_UNKNOWN;
}

static Status write_outputs(Writer *w, PbWriter *out, Bytes raw)
{
    const Graph *g = w->graph;
    StrMap index;
    WireField f, *field = ARENA_ARRAY(w->arena, WireField, onnx_wire_count(raw, G_OUTPUT) + 1);
    uint32_t n = 0;
    Status st = STATUS_OK;
    strmap_init(&index, w->arena, g->noutput);
    while (onnx_wire_next(&raw, &f) == WIRE_FIELD) {
        if (f.number != G_OUTPUT)
            continue;
        strmap_put(&index, onnx_string(w->arena, f.bytes, 1), n);
        field[n++] = f;
    }
    for (size_t i = 0; !st && i < g->noutput; i++) {
        const Tensor *t = &g->tensor[g->output[i]];
        uint32_t at = t->edited ? STRMAP_NONE : strmap_get(&index, t->name);
        if (at == STRMAP_NONE)
            st = writer_value(w, out, G_OUTPUT, t);
        else
            pb_writer_view(out, field[at].whole);
    }
    return st;
}

/* Descriptions of inner tensors that are still there and whose shape no edit made stale. */
static void copy_value(Writer *w, PbWriter *out, const WireField *f)
{
    const Tensor *t = find_tensor(w, onnx_string(w->arena, f->bytes, 1));
    if (t && !t->is_input && !t->is_output && t->declared_shape.rank != RANK_UNKNOWN &&
        !(w->model->describes_all && is_described(t)))
        pb_writer_view(out, f->whole);
}

/* Every inner tensor of which type and shape are known. */
static Status write_values(Writer *w, PbWriter *out)
{
    const Graph *g = w->graph;
    Status st = STATUS_OK;
    for (size_t i = 0; !st && w->model->describes_all && i < g->ntensor; i++)
        if (is_described(&g->tensor[i]))
            st = writer_value(w, out, G_VALUE, &g->tensor[i]);
    return st;
}

static void copy_field(Writer *w, PbWriter *out, const WireField *f)
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
        if (find_tensor(w, onnx_string(w->arena, f->bytes, 1)))
            pb_writer_view(out, f->whole);
        break;
    default:
        pb_writer_view(out, f->whole);
        break;
    }
}

static Status write_graph(Writer *w, PbWriter *out, Bytes raw)
{
    PbWriter g;
    WireField f;
    Status st = STATUS_OK;
    pb_writer_init(&g, w->arena);
    for (size_t i = 0; !st && i < w->graph->nnode; i++)
        st = writer_node(w, &g, w->graph, &w->graph->node[i]);
    for (Bytes rest = raw; onnx_wire_next(&rest, &f) == WIRE_FIELD;)
        copy_field(w, &g, &f);
    st = st ? st : write_new_initializers(w, &g);
    st = st ? st : write_inputs(w, &g, raw);
    st = st ? st : write_outputs(w, &g, raw);
    st = st ? st : write_values(w, &g);
    if (!st)
        pb_writer_message_field(out, P_GRAPH, &g);
    return st;
}

static bool is_own_domain(const char *domain)
{
    return !*domain || strcmp(domain, "ai.onnx") == 0;
}

/* The import of ai.onnx, where an edit has changed it. */
static bool is_own_opset(Writer *w, Bytes import)
{
    WireField version;
    return is_own_domain(onnx_string(w->arena, import, O_DOMAIN)) &&
           !(onnx_wire_find(import, O_VERSION, WIRE_VARINT, &version) &&
             (int64_t)version.value == w->model->opset);
}

static void write_opset(Writer *w, PbWriter *out)
{
    PbWriter import;
    pb_writer_init(&import, w->arena);
    pb_writer_varint_field(&import, O_VERSION, (uint64_t)w->model->opset);
    pb_writer_message_field(out, P_OPSET, &import);
}

/* The calibration as the graph is now. */
static void write_calibration(Writer *w, PbWriter *out)
{
    size_t n = 0;
    const Metadata *key =
        w->model->stored_ranges ? furiosa_keys_write(w->arena, w->model, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        onnx_emit_entry_field(out, P_METADATA, key[i].key, key[i].value);
}

/* An import of another domain that an edit has taken away. */
static bool is_dropped_import(Writer *w, const StrMap *kept, Bytes import)
{
    const char *domain = onnx_string(w->arena, import, O_DOMAIN);
    return !is_own_domain(domain) && strmap_get(kept, domain) == STRMAP_NONE;
}

static StrMap import_map(Writer *w)
{
    const Model *m = w->model;
    StrMap kept;
    strmap_init(&kept, w->arena, m->nimport);
    for (size_t i = 0; i < m->nimport; i++)
        strmap_put(&kept, m->import[i].domain, 0);
    return kept;
}

/* Functions are inlined and training is not kept: both refer to nodes that may be gone. */
static Status write_model(Writer *w, PbWriter *out)
{
    const Model *m = w->model;
    WireField f, graph;
    Bytes raw = {m->raw, m->raw_size};
    if (!onnx_wire_find(raw, P_GRAPH, WIRE_BYTES, &graph))
        return writer_refuse(w, "model", m->path, "it holds no graph");
    const StrMap kept = import_map(w);
    while (onnx_wire_next(&raw, &f) == WIRE_FIELD)
        if (f.number == P_OPSET && m->describes_all && is_dropped_import(w, &kept, f.bytes))
            continue;
        else if (f.number == P_OPSET && is_own_opset(w, f.bytes))
            write_opset(w, out);
        else if (f.number == P_IR && (int64_t)f.value != m->ir_version)
            pb_writer_varint_field(out, P_IR, (uint64_t)m->ir_version);
        else if (f.number != P_GRAPH && f.number != P_FUNCTION && f.number != P_TRAINING &&
                 !(w->model->stored_ranges && f.number == P_METADATA &&
                   furiosa_keys_has(onnx_string(w->arena, f.bytes, 1))))
            pb_writer_view(out, f.whole);
    write_calibration(w, out);
    Status st = write_graph(w, out, graph.bytes);
    if (!st && out->size > INT32_MAX)
        st = diag_set(w->diag, STATUS_INPUT, m->path, NULL,
                      "would be larger than 2 GiB; write it beside the original, whose weight "
                      "files it can go on using");
    return st;
}

static bool real_folder(const char *path, char folder[PATH_MAX])
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
    return strcmp(b, "-") != 0 && real_folder(a, folder_a) && real_folder(b, folder_b) &&
           strcmp(folder_a, folder_b) == 0;
}

/* The pieces of the file; they live in w->arena and the model. */
static Status gather_pieces(Writer *w, const Model *m, bool keeps_folder, Diag *diag, PbWriter *ret)
{
    *w = (Writer){.arena = arena_new(0),
                  .model = m,
                  .graph = m->graph,
                  .keeps_folder = keeps_folder,
                  .diag = diag};
    pb_writer_init(ret, w->arena);
    return write_model(w, ret);
}

Status onnx_write_stream(const Model *m, FILE *out, Diag *diag)
{
    Writer w;
    PbWriter r;
    Status st = gather_pieces(&w, m, false, diag, &r);
    if (!st)
        pb_writer_flush(&r, out);
    arena_free(w.arena);
    return st;
}

Status onnx_write(const Model *m, const char *path, Diag *diag)
{
    Writer w;
    PbWriter r;
    OutFile f = {0};
    Status st = gather_pieces(&w, m, !m->is_made && same_folder(m->path, path), diag, &r);
    st = st ? st : file_out_open(&f, path, diag);
    if (!st) {
        pb_writer_flush(&r, f.stream);
        st = file_out_commit(&f, diag);
    }
    file_out_abort(&f);
    arena_free(w.arena);
    return st;
}

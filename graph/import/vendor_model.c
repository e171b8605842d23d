/* Builds the ONNX model of a vendor's graph, and reads it. */
#include "graph/import/vendor_model.h"

#include "graph/import/vendor_map.h"
#include "graph/import/vendor_read.h"
#include "graph/onnx/onnx.h"

/* ---- the graph */

/* Ends of the graph have the names of the model that was quantized. */
static void name_ends(VendorMap *m, const VendorPorts *ends, const char *what)
{
    for (size_t i = 0; i < ends->count; i++) {
        const VendorTensor *t = &m->g->tensor[ends->tensor[i]];
        if (!m->stored[ends->tensor[i]])
            m->stored[ends->tensor[i]] = vendor_map_name(
                m, t->nsource ? t->source_name[0] : arena_printf(m->arena, "%s %zu", what, i));
    }
}

static void emit_ends(VendorMap *m, const VendorPorts *ends, uint32_t field)
{
    for (size_t i = 0; i < ends->count; i++) {
        const VendorTensor *t = &m->g->tensor[ends->tensor[i]];
        onnx_emit_value(&m->emit, field, m->stored[ends->tensor[i]], t->dtype, t->shape.dim, NULL,
                        t->shape.rank);
    }
}

static Status map_operators(VendorMap *m, Diag *diag)
{
    for (size_t i = 0; i < m->g->nop; i++) {
        m->op = &m->g->op[i];
        m->made = 0;
        if (!vendor_map_operator(m))
            m->fact = "is not known, so the graph cannot be compiled; `inspect` shows the rest";
        if (m->fact)
            return diag_set(diag, STATUS_INPUT, m->g->path, vendor_op_label(m->arena, m->op), "%s",
                            m->fact);
    }
    return STATUS_OK;
}

static Status map_graph(VendorMap *m, Bytes *ret, Diag *diag)
{
    const VendorGraph *g = m->g;
    onnx_emit_init(&m->emit, m->arena, ONNX_OWN_FILE);
    strmap_init(&m->name, m->arena, 256);
    strmap_init(&m->node, m->arena, 256);
    strmap_init(&m->host, m->arena, 64);
    m->stored = ARENA_ARRAY(m->arena, const char *, g->ntensor + 1);
    m->real = ARENA_ARRAY(m->arena, const char *, g->ntensor + 1);
    name_ends(m, &g->input, "input");
    name_ends(m, &g->output, "output");
    emit_ends(m, &g->input, ONNX_EMIT_INPUT);
    emit_ends(m, &g->output, ONNX_EMIT_OUTPUT);
    Status st = map_operators(m, diag);
    if (!st)
        *ret = onnx_emit_model(&m->emit, "main", "dfg", (int)m->opset, NULL, 0);
    return st;
}

/* ---- what the file says of itself */

static void count_operators(const VendorGraph *g, ModelSource *s)
{
    SourceOperator *op = ARENA_ARRAY(g->arena, SourceOperator, g->nop + 1);
    for (size_t i = 0; i < g->nop; i++)
        op[i] = (SourceOperator){g->op[i].type, 1};
    source_list_operators(s, op, g->nop);
}

static const SourceValue *source_values(const VendorMap *m, const VendorPorts *ends)
{
    SourceValue *v = ARENA_ARRAY(m->arena, SourceValue, ends->count + 1);
    for (size_t i = 0; i < ends->count; i++) {
        const VendorTensor *t = &m->g->tensor[ends->tensor[i]];
        Dim *dim = ARENA_ARRAY(m->arena, Dim, VENDOR_MAX_RANK);
        for (int k = 0; k < t->shape.rank; k++)
            dim[k].value = t->shape.dim[k];
        v[i] = (SourceValue){m->stored[ends->tensor[i]], t->dtype, {t->shape.rank, dim}, 0, 0};
        if (t->quantized && t->axis < 0) {
            v[i].scale = vendor_tensor_scale(t, 0);
            v[i].zero_point = vendor_tensor_zero_point(t, 0);
        }
    }
    return v;
}

static const ModelSource *describe_source(const VendorMap *m)
{
    const VendorGraph *g = m->g;
    ModelSource *s = ARENA_NEW(m->arena, ModelSource);
    *s = (ModelSource){.format = "dfg",
                       .version = 1,
                       .ngraph = 1,
                       .ntensor = (uint32_t)g->ntensor,
                       .ninput = g->input.count,
                       .noutput = g->output.count};
    for (size_t i = 0; i < g->ntensor; i++)
        if (g->tensor[i].is_constant) {
            s->nconstant++;
            s->constant_bytes += g->tensor[i].constant_bytes;
        }
    count_operators(g, s);
    s->input = source_values(m, &g->input);
    s->output = source_values(m, &g->output);
    return s;
}

static void mark_host(const VendorMap *m, Model *model)
{
    for (size_t i = 0; i < model->graph->nnode; i++) {
        Node *n = &model->graph->node[i];
        n->on_host = strmap_get(&m->host, n->name) == 1;
    }
}

Status vendor_model_load(Arena *a, InFile file, Notes *notes, Model **ret, Diag *diag)
{
    VendorGraph *g;
    Bytes made;
    Status st = vendor_graph_read(a, file, &g, diag);
    if (st)
        return st;
    VendorMap m = {.arena = a, .g = g, .file = file.data, .opset = VENDOR_OPSET};
    st = map_graph(&m, &made, diag);
    if (!st)
        st = onnx_load_made(a, file.path, made, (Bytes){file.data, file.size}, notes, ret, diag);
    if (st)
        return st;
    (*ret)->source = describe_source(&m);
    mark_host(&m, *ret);
    return STATUS_OK;
}

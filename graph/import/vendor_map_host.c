/* Copies the node of an OnnxRuntime operator out of the ONNX model that it holds.
 *
 * The model is untrusted: it is read by the reader of ONNX files, with its limits.  What is copied
 * are the bytes of that one node's attributes and of its initializers, under new names. */
#include "graph/import/vendor_map.h"

#include "graph/model/model.h"
#include "graph/onnx/onnx.h"
#include "graph/onnx/pb_writer.h"

enum { GRAPH_NODE = 1, GRAPH_INITIALIZER = 5, TENSOR_NAME = 8 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3 };

/* The embedded model, and what its tensors are called outside. */
typedef struct {
    VendorMap *m;
    const Model *model;
    const char **outside; /* by tensor of its graph; NULL: not seen */
} Embedded;

static Bytes raw_bytes(const Embedded *e, size_t offset, size_t size)
{
    return (Bytes){e->model->raw + offset, size};
}

/* The message without the fields up to NODE_NAME, or without the tensor's name. */
static void copy_fields(PbWriter *to, Bytes message, bool (*is_left_out)(uint32_t number))
{
    WireField f;
    while (onnx_wire_next(&message, &f) == WIRE_FIELD)
        if (!is_left_out(f.number))
            pb_writer_view(to, f.whole);
}

static bool is_node_name(uint32_t number)
{
    return number == NODE_INPUT || number == NODE_OUTPUT || number == NODE_NAME;
}

static bool is_tensor_name(uint32_t number)
{
    return number == TENSOR_NAME;
}

static const char *copy_initializer(Embedded *e, const Tensor *t)
{
    PbWriter r;
    const char *name = vendor_map_name(e->m, t->name);
    pb_writer_init(&r, e->m->arena);
    copy_fields(&r, raw_bytes(e, t->raw_offset, t->raw_size), is_tensor_name);
    pb_writer_string_field(&r, TENSOR_NAME, name);
    pb_writer_message_field(&e->m->emit.graph, GRAPH_INITIALIZER, &r);
    return name;
}

/* Name outside of a tensor that the node reads; NULL where nothing gives it. */
static const char *outside_name(Embedded *e, TensorId id)
{
    const Tensor *t = &e->model->graph->tensor[id];
    if (!e->outside[id] && t->is_initializer && t->raw_size)
        e->outside[id] = copy_initializer(e, t);
    return e->outside[id];
}

static void copy_node(Embedded *e, const Node *n)
{
    PbWriter r;
    pb_writer_init(&r, e->m->arena);
    for (uint32_t i = 0; i < n->ninput; i++) {
        const char *name = n->input[i] == TENSOR_NONE ? "" : outside_name(e, n->input[i]);
        if (!name) {
            e->m->fact = "its ONNX model reads a tensor that nothing gives it";
            return;
        }
        pb_writer_string_field(&r, NODE_INPUT, name);
    }
    for (uint32_t i = 0; i < n->noutput; i++)
        pb_writer_string_field(&r, NODE_OUTPUT,
                               n->output[i] == TENSOR_NONE || !e->outside[n->output[i]]
                                   ? ""
                                   : e->outside[n->output[i]]);
    pb_writer_string_field(&r, NODE_NAME, vendor_map_node_name(e->m));
    copy_fields(&r, raw_bytes(e, n->raw_offset, n->raw_size), is_node_name);
    pb_writer_message_field(&e->m->emit.graph, GRAPH_NODE, &r);
}

/* The one node, and as many ends as the operator has. */
static const char *model_fault(const VendorMap *m, const Model *model)
{
    const Graph *g = model->graph;
    if (g->nnode != 1 || !g->node[0].raw_size || node_has_body(&g->node[0]))
        return "its ONNX model is not one node without a body";
    if (g->ninput != m->op->input.count || g->noutput != m->op->output.count)
        return "its ONNX model has other inputs or outputs than it";
    return NULL;
}

static void copy_model(VendorMap *m, const Model *model)
{
    const Graph *g = model->graph;
    Embedded e = {m, model, ARENA_ARRAY(m->arena, const char *, g->ntensor + 1)};
    m->fact = model_fault(m, model);
    for (size_t i = 0; i < g->ninput && !m->fact; i++)
        e.outside[g->input[i]] = vendor_map_in(m, i);
    for (size_t i = 0; i < g->noutput && !m->fact; i++)
        e.outside[g->output[i]] = vendor_map_result(m, i);
    if (!m->fact)
        copy_node(&e, &g->node[0]);
    for (size_t i = 0; i < g->noutput && !m->fact; i++)
        vendor_map_end(m, i, e.outside[g->output[i]]);
}

void vendor_map_host(VendorMap *m)
{
    const VendorTensor *t = &m->g->tensor[m->op->model];
    Notes notes; /* those of one node say nothing of the file */
    Diag diag;
    Model *model;
    notes_init(&notes, m->arena);
    if (onnx_load_bytes(m->arena, "its ONNX model", t->constant.data, t->constant.size, &notes,
                        &model, &diag)) {
        m->fact = arena_strdup(m->arena, diag.text);
        return;
    }
    if (model->opset > m->opset)
        m->opset = model->opset;
    copy_model(m, model);
    model_close(model);
}

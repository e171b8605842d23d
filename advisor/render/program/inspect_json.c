/* Builds the JSON tree of `inspect` from a model with inferred shapes. */
#include "advisor/render/program/inspect.h"

#include "graph/infer/ops.h"
#include "graph/model/stored_ranges.h"
#include "graph/model/dtype.h"

enum { MAX_BODY_DEPTH = 32 };

static cJSON *number_or_null(int64_t v)
{
    return v >= 0 ? cJSON_CreateNumber((double)v) : cJSON_CreateNull();
}

/* ---- tensors ---- */

static cJSON *dim_json(const Dim *d)
{
    if (d->value != DIM_UNKNOWN)
        return cJSON_CreateNumber((double)d->value);
    return d->symbol ? cJSON_CreateString(d->symbol) : cJSON_CreateNull();
}

static cJSON *shape_json(const Shape *s)
{
    if (s->rank == RANK_UNKNOWN)
        return cJSON_CreateNull();
    cJSON *list = cJSON_CreateArray();
    for (int32_t i = 0; i < s->rank; i++)
        cJSON_AddItemToArray(list, dim_json(&s->dim[i]));
    return list;
}

static int64_t tensor_bytes(const Tensor *t)
{
    int64_t n = shape_elements(&t->shape);
    return t->dtype == DT_UNKNOWN || t->dtype == DT_STRING || n < 0 ? -1 : dtype_bytes(t->dtype, n);
}

/* What a calibrated file says of the tensor beside the graph. */
static void add_calibration(cJSON *o, const Model *m, const Tensor *t)
{
    const CalibratedTensor *x = stored_ranges_find(m->stored_ranges, t->name);
    DType fed = t->is_input ? model_input_dtype(m, t) : model_output_dtype(m, t);
    if (fed != t->dtype)
        cJSON_AddStringToObject(o, "application_dtype", dtype_name(fed));
    if (x && x->range.known)
        cJSON_AddItemToObject(o, "range",
                              cJSON_CreateDoubleArray((double[]){x->range.min, x->range.max}, 2));
}

static cJSON *tensor_json(const Model *m, const Tensor *t)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", t->name);
    cJSON_AddStringToObject(o, "dtype", dtype_name(t->dtype));
    cJSON_AddItemToObject(o, "shape", shape_json(&t->shape));
    cJSON_AddItemToObject(o, "bytes", number_or_null(tensor_bytes(t)));
    add_calibration(o, m, t);
    return o;
}

/* All tensors where `id` is NULL. */
static cJSON *listed_tensors(const Model *m, const TensorId *id, size_t n)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, tensor_json(m, &m->graph->tensor[id ? id[i] : i]));
    return list;
}

/* ---- nodes ---- */

static cJSON *nodes_json(Arena *a, const Graph *g, int depth);

/* The nodes of If, Loop and Scan bodies, by attribute. */
static void add_bodies(Arena *a, cJSON *o, const Node *n, int depth)
{
    cJSON *bodies = NULL;
    for (uint32_t i = 0; i < n->nattr && depth < MAX_BODY_DEPTH; i++) {
        if (!n->attr[i].graph)
            continue;
        if (!bodies)
            bodies = cJSON_CreateArray();
        cJSON *body = json_add_row(bodies);
        cJSON_AddStringToObject(body, "attribute", n->attr[i].name);
        cJSON_AddItemToObject(body, "nodes", nodes_json(a, n->attr[i].graph, depth + 1));
    }
    if (bodies)
        cJSON_AddItemToObject(o, "bodies", bodies);
}

static cJSON *nodes_json(Arena *a, const Graph *g, int depth)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < g->nnode; i++) {
        const Node *n = &g->node[i];
        cJSON *o = json_add_row(list);
        cJSON_AddStringToObject(o, "name", node_label(a, n));
        cJSON_AddStringToObject(o, "op", n->op);
        cJSON_AddStringToObject(o, "domain", n->domain);
        cJSON_AddItemToObject(o, "macs", number_or_null(node_macs(g, n)));
        add_bodies(a, o, n, depth);
    }
    return list;
}

/* ---- totals ---- */

static cJSON *totals_json(const Model *m)
{
    const Graph *g = m->graph;
    int64_t macs = 0, unknown_macs = 0, weight_bytes = 0;
    for (size_t i = 0; i < g->nnode; i++) {
        int64_t v = node_macs(g, &g->node[i]);
        unknown_macs += v < 0;
        macs += v < 0 ? 0 : v > INT64_MAX - macs ? INT64_MAX - macs : v;
    }
    for (size_t i = 0; i < g->ntensor; i++) {
        const Tensor *t = &g->tensor[i];
        bool stored = t->is_initializer ||
                      (t->producer != NODE_NONE && g->node[t->producer].op_id == OP_Constant);
        int64_t v = stored ? tensor_bytes(t) : 0;
        weight_bytes += v < 0 || v > INT64_MAX - weight_bytes ? 0 : v;
    }
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "nodes", (double)g->nnode);
    cJSON_AddNumberToObject(o, "tensors", (double)g->ntensor);
    cJSON_AddNumberToObject(o, "parameters", (double)graph_parameters(g));
    cJSON_AddNumberToObject(o, "weight_bytes", (double)weight_bytes);
    cJSON_AddNumberToObject(o, "missing_weight_bytes", (double)m->missing_bytes);
    cJSON_AddNumberToObject(o, "macs", (double)macs);
    cJSON_AddNumberToObject(o, "nodes_without_macs", (double)unknown_macs);
    return o;
}

/* ---- what is unknown ---- */

typedef struct {
    Arena *arena;
    const Graph *graph;
    const Language *lang;
    cJSON *list;
} Unknowns;

/* "cause" is the caller's to add: whether the unknown begins here. */
static cJSON *add_unknown(const Unknowns *u, const char *kind, const char *name,
                          const Message *reason)
{
    cJSON *o = json_add_row(u->list);
    cJSON_AddStringToObject(o, "kind", kind);
    cJSON_AddStringToObject(o, "name", name);
    cJSON_AddStringToObject(o, "reason", message_format(u->arena, u->lang, reason));
    return o;
}

static bool is_unknown(const Tensor *t)
{
    return t->dtype == DT_UNKNOWN || !shape_is_known(&t->shape);
}

/* The first unknown input of the node that makes a tensor, or NULL. */
static const Tensor *unknown_input(const Graph *g, const Tensor *t)
{
    const Node *n = &g->node[t->producer];
    return LIST_VALUE(i, n->ninput, node_input(g, n, i) && is_unknown(node_input(g, n, i)),
                      node_input(g, n, i), NULL);
}

/* The unknown begins here: an input left open, an unknown operator, or a node with known inputs
 * and an unknown output. */
static bool is_root(const Graph *g, const Tensor *t)
{
    return t->producer == NODE_NONE || !unknown_input(g, t) ||
           op_info(g->node[t->producer].op_id)->op_class == CLASS_UNKNOWN;
}

static const Message *reason_of(Arena *a, const Graph *g, const Tensor *t)
{
    if (t->producer == NODE_NONE)
        return MESSAGE(a, phrase_arg(t->is_input ? PHRASE_INPUT_OF_MODEL : PHRASE_NO_INIT_TYPE));
    const Node *n = &g->node[t->producer];
    if (op_info(n->op_id)->op_class == CLASS_UNKNOWN)
        return MESSAGE(a, phrase_arg(PHRASE_OPERATOR_NOT_KNOWN), arg_text(n->op));
    if (is_root(g, t))
        return MESSAGE(a, phrase_arg(PHRASE_INPUTS_DO_NOT_TELL), arg_text(n->op));
    return MESSAGE(a, phrase_arg(PHRASE_FOLLOWS_FROM), arg_text(unknown_input(g, t)->name));
}

static void add_tensors(const Unknowns *u, bool roots)
{
    for (size_t i = 0; i < u->graph->ntensor; i++) {
        const Tensor *t = &u->graph->tensor[i];
        if (is_unknown(t) && !tensor_is_outer(t) && is_root(u->graph, t) == roots)
            cJSON_AddBoolToObject(add_unknown(u, t->dtype == DT_UNKNOWN ? "type" : "shape", t->name,
                                              reason_of(u->arena, u->graph, t)),
                                  "cause", roots);
    }
}

static void add_operators(const Unknowns *u)
{
    Arena *a = u->arena;
    StrMap seen;
    strmap_init(&seen, a, 8);
    for (size_t i = 0; i < u->graph->nnode; i++) {
        const Node *n = &u->graph->node[i];
        if (op_info(n->op_id)->op_class != CLASS_UNKNOWN)
            continue;
        const char *name = arena_printf(a, "%s%s%s", n->domain, n->domain[0] ? "::" : "", n->op);
        if (strmap_add(&seen, name, 0))
            cJSON_AddTrueToObject(
                add_unknown(u, "operator", name, MESSAGE(a, phrase_arg(PHRASE_NOT_IN_TABLE))),
                "cause");
    }
}

/* Causes first. */
static cJSON *unknown_json(Arena *a, const Graph *g, const Language *lang)
{
    const Unknowns u = {a, g, lang, cJSON_CreateArray()};
    add_operators(&u);
    add_tensors(&u, true);
    add_tensors(&u, false);
    return u.list;
}

/* ---- what a file of another format says of itself ---- */

static cJSON *source_values(const SourceValue *v, size_t n)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++) {
        cJSON *o = json_add_row(list);
        cJSON_AddStringToObject(o, "name", v[i].name);
        cJSON_AddStringToObject(o, "dtype", dtype_name(v[i].dtype));
        cJSON_AddItemToObject(o, "shape", shape_json(&v[i].shape));
        bool scaled = v[i].scale > 0;
        json_add_number(o, "scale", scaled ? v[i].scale : (double)NAN);
        json_add_number(o, "zero_point", scaled ? (double)v[i].zero_point : (double)NAN);
    }
    return list;
}

static cJSON *source_json(const ModelSource *s)
{
    cJSON *o = cJSON_CreateObject(), *ops = cJSON_CreateArray();
    for (size_t i = 0; i < s->nop; i++) {
        cJSON *op = json_add_row(ops);
        cJSON_AddStringToObject(op, "op", s->op[i].op);
        cJSON_AddNumberToObject(op, "count", s->op[i].count);
    }
    cJSON_AddStringToObject(o, "format", s->format);
    cJSON_AddNumberToObject(o, "version", (double)s->version);
    cJSON_AddNumberToObject(o, "subgraphs", s->ngraph);
    cJSON_AddItemToObject(o, "operators", ops);
    cJSON_AddNumberToObject(o, "tensors", s->ntensor);
    cJSON_AddNumberToObject(o, "constants", s->nconstant);
    cJSON_AddNumberToObject(o, "constant_bytes", (double)s->constant_bytes);
    cJSON_AddItemToObject(o, "inputs", source_values(s->input, s->ninput));
    cJSON_AddItemToObject(o, "outputs", source_values(s->output, s->noutput));
    return o;
}

cJSON *inspect_json(Arena *a, const Model *m, const Language *lang)
{
    const Graph *g = m->graph;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "opset", (double)m->opset);
    if (m->source)
        cJSON_AddItemToObject(root, "source", source_json(m->source));
    if (m->stored_ranges)
        cJSON_AddStringToObject(root, "quantized", "SDK 0.10");
    cJSON_AddItemToObject(root, "inputs", listed_tensors(m, g->input, g->ninput));
    cJSON_AddItemToObject(root, "outputs", listed_tensors(m, g->output, g->noutput));
    cJSON_AddItemToObject(root, "tensors", listed_tensors(m, NULL, g->ntensor));
    cJSON_AddItemToObject(root, "nodes", nodes_json(a, g, 0));
    cJSON_AddItemToObject(root, "totals", totals_json(m));
    cJSON_AddItemToObject(root, "unknown", unknown_json(a, g, lang));
    return root;
}

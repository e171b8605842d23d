/* Copies a model for editing, rewires its nodes, removes what no output needs, and answers
 * questions about quantization. */
#include "graph/edit/editor.h"

#include "graph/infer/shape.h"
#include "graph/model/order.h"

void *editor_copy_array(Arena *a, const void *from, size_t count, size_t size, size_t extra)
{
    void *to = arena_calloc(a, count + extra, size);
    if (count)
        memcpy(to, from, count * size);
    return to;
}

void editor_clear_names(Graph *g)
{
    for (size_t i = 0; i < g->ntensor; i++) {
        Tensor *t = &g->tensor[i];
        if (t->is_input || t->is_initializer)
            continue;
        t->declared_dtype = tensor_dtype(t);
        t->declared_shape = *tensor_shape(t);
        t->dtype = DT_UNKNOWN;
        t->shape = (Shape){.rank = RANK_UNKNOWN};
        t->value = NULL;
    }
}

static StrMap copy_names(Arena *a, const Graph *g)
{
    StrMap m;
    strmap_init(&m, a, g->ntensor);
    for (size_t i = 0; i < g->ntensor; i++)
        strmap_put(&m, g->tensor[i].name, (uint32_t)i);
    return m;
}

enum { EXTRA_ROOM = 8 }; /* most edits add a node or two */

/* Recursion is bounded: the guard refuses graphs that are nested deeper than ONNX_MAX_DEPTH. */
static Graph *copy_graph(Arena *a, const Graph *from, const Graph *parent)
{
    Graph *g = ARENA_NEW(a, Graph);
    *g = *from;
    g->parent = parent;
    g->tensor = editor_copy_array(a, from->tensor, from->ntensor, sizeof *g->tensor, EXTRA_ROOM);
    g->node = editor_copy_array(a, from->node, from->nnode, sizeof *g->node, EXTRA_ROOM);
    g->input = editor_copy_array(a, from->input, from->ninput, sizeof *g->input, 1);
    g->output = editor_copy_array(a, from->output, from->noutput, sizeof *g->output, 1);
    g->by_name = copy_names(a, from);
    editor_clear_names(g);
    for (size_t i = 0; i < g->nnode; i++)
        editor_copy_bodies(a, &g->node[i], g);
    return g;
}

void editor_copy_bodies(Arena *a, Node *n, const Graph *parent)
{
    Attr *attr = node_has_body(n) ? editor_copy_array(a, n->attr, n->nattr, sizeof *attr, 0) : NULL;
    for (uint32_t k = 0; attr && k < n->nattr; k++)
        if (attr[k].type == ATTR_GRAPH)
            attr[k].graph = copy_graph(a, attr[k].graph, parent);
    n->attr = attr ? attr : n->attr;
}

void editor_begin(Editor *e, Arena *a, const Model *m, Diag *diag)
{
    Model *copy = ARENA_NEW(a, Model);
    *copy = *m;
    copy->arena = a;
    copy->file = (InFile){0}; /* the mapping stays m's */
    copy->external = NULL;
    copy->nexternal = 0;
    copy->graph = copy_graph(a, m->graph, NULL);
    *e = (Editor){.arena = a,
                  .model = copy,
                  .graph = copy->graph,
                  .tensor_cap = m->graph->ntensor + EXTRA_ROOM,
                  .node_cap = m->graph->nnode + EXTRA_ROOM,
                  .diag = diag};
}

Status editor_index(Editor *e)
{
    Status st = graph_index(e->arena, e->graph, e->model->path, e->diag);
    e->node_cap = e->graph->nnode; /* sorting may have made a new array of that size */
    return st;
}

Status editor_refuse(Editor *e, const Edit *edit, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *fact = arena_vprintf(e->arena, fmt, ap);
    va_end(ap);
    const char *place = arena_printf(e->arena, "%s '%s'", edit_name(edit->kind), edit->where);
    return diag_set(e->diag, STATUS_INPUT, e->model->path, place, "%s", fact);
}

static Status find_in(Editor *e, const Edit *edit, const TensorId *list, size_t n, const char *what,
                      TensorId *ret)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(e->graph->tensor[list[i]].name, edit->where) == 0) {
            *ret = list[i];
            return STATUS_OK;
        }
    }
    return editor_refuse(e, edit, "the model has no such %s", what);
}

Status editor_find_input(Editor *e, const Edit *edit, TensorId *ret)
{
    return find_in(e, edit, e->graph->input, e->graph->ninput, "input", ret);
}

Status editor_find_output(Editor *e, const Edit *edit, TensorId *ret)
{
    return find_in(e, edit, e->graph->output, e->graph->noutput, "output", ret);
}

TensorId editor_tensor(Editor *e, TensorId like, const char *suffix)
{
    assert(like < e->graph->ntensor);
    return editor_named(e, arena_printf(e->arena, "%s%s", e->graph->tensor[like].name, suffix));
}

TensorId editor_named(Editor *e, const char *base)
{
    Graph *g = e->graph;
    const char *name = base;
    for (unsigned k = 2; strmap_get(&g->by_name, name) != STRMAP_NONE; k++)
        name = arena_printf(e->arena, "%s_%u", base, k);
    TensorId id = (TensorId)g->ntensor;
    *VEC_PUSH(e->arena, g->tensor, g->ntensor, e->tensor_cap) =
        (Tensor){.name = name,
                 .producer = NODE_NONE,
                 .shape.rank = RANK_UNKNOWN,
                 .declared_shape.rank = RANK_UNKNOWN};
    strmap_put(&g->by_name, name, id);
    return id;
}

TensorId editor_constant(Editor *e, TensorId like, const char *suffix, DType dtype,
                         const int64_t *dim, int32_t rank, const void *data)
{
    assert(rank >= 0 && (rank == 0 || dim));
    TensorId id = editor_tensor(e, like, suffix);
    Const *c = ARENA_NEW(e->arena, Const);
    Dim *d = rank ? ARENA_ARRAY(e->arena, Dim, (size_t)rank) : NULL;
    *c = (Const){.dtype = dtype, .nelem = 1, .data = data};
    for (int32_t i = 0; i < rank; i++) {
        d[i].value = dim[i];
        c->nelem *= dim[i];
    }
    int64_t nbyte = dtype_bytes(dtype, c->nelem);
    c->nbyte = nbyte > 0 ? (size_t)nbyte : 0;
    Tensor *t = &e->graph->tensor[id];
    t->is_initializer = true;
    t->dtype = dtype;
    t->shape = (Shape){rank, d};
    t->value = c;
    return id;
}

TensorId editor_scalar(Editor *e, TensorId like, const char *suffix, float value)
{
    float *v = editor_copy_array(e->arena, &value, 1, sizeof value, 0);
    return editor_constant(e, like, suffix, DT_FLOAT32, NULL, 0, v);
}

TensorId editor_integers(Editor *e, TensorId like, const char *suffix, const int64_t *value,
                         size_t n)
{
    const int64_t length = (int64_t)n;
    int64_t *v = editor_copy_array(e->arena, value, n, sizeof *v, 1);
    return editor_constant(e, like, suffix, DT_INT64, &length, 1, v);
}

Node *editor_node(Editor *e, const char *op, TensorId a, TensorId b, TensorId c, TensorId output)
{
    Graph *g = e->graph;
    const TensorId given[] = {a, b, c};
    TensorId *input = ARENA_ARRAY(e->arena, TensorId, 3);
    TensorId *out = ARENA_ARRAY(e->arena, TensorId, 1);
    assert(output < g->ntensor);
    uint32_t ninput = 0;
    for (int i = 0; i < 3; i++)
        if (given[i] != TENSOR_NONE)
            input[ninput++] = given[i];
    out[0] = output;
    Node *n = VEC_PUSH(e->arena, g->node, g->nnode, e->node_cap);
    *n = (Node){.name = arena_printf(e->arena, "%s/%s", g->tensor[output].name, op),
                .op = op,
                .domain = "",
                .op_id = op_lookup("", op),
                .input = input,
                .ninput = ninput,
                .output = out,
                .noutput = 1,
                .order = (uint32_t)(g->nnode - 1)};
    return n;
}

void editor_become(Node *n, const char *op)
{
    n->op = op;
    n->domain = "";
    n->op_id = op_lookup("", op);
    n->attr = NULL;
    n->nattr = 0;
    n->raw_size = 0;
}

static Attr *add_attr(Editor *e, Node *n, const char *name, AttrType type)
{
    Attr *attr = editor_copy_array(e->arena, n->attr, n->nattr, sizeof *attr, 1);
    attr[n->nattr] = (Attr){.name = name, .type = type};
    n->attr = attr;
    return &attr[n->nattr++];
}

void editor_attr_int(Editor *e, Node *n, const char *name, int64_t value)
{
    add_attr(e, n, name, ATTR_INT)->i = value;
}

void editor_attr_ints(Editor *e, Node *n, const char *name, const int64_t *value, size_t count)
{
    Attr *a = add_attr(e, n, name, ATTR_INTS);
    a->ints = editor_copy_array(e->arena, value, count, sizeof *value, 0);
    a->count = count;
}

static void replace_id(Editor *e, const TensorId **list, uint32_t n, TensorId from, TensorId to)
{
    TensorId *copy = editor_copy_array(e->arena, *list, n, sizeof *copy, 1);
    for (uint32_t i = 0; i < n; i++)
        if (copy[i] == from)
            copy[i] = to;
    *list = copy;
}

typedef struct {
    TensorId wanted;
    uint32_t found;
} Reading;

static void count_wanted(void *user, TensorId t)
{
    Reading *r = user;
    r->found += t == r->wanted;
}

Status editor_rewire(Editor *e, const Edit *edit, TensorId from, TensorId to)
{
    Graph *g = e->graph;
    assert(from < g->ntensor && to < g->ntensor);
    const Tensor *t = &g->tensor[from];
    for (uint32_t k = 0; k < t->nconsumer; k++) {
        Node *n = &g->node[t->consumer[k]];
        Reading all = {.wanted = from};
        uint32_t direct = 0;
        node_each_read(g, n, count_wanted, &all);
        for (uint32_t i = 0; i < n->ninput; i++)
            direct += n->input[i] == from;
        if (all.found != direct)
            return editor_refuse(e, edit, "tensor '%s' is used inside the body of node '%s'",
                                 t->name, node_label(e->arena, n));
    }
    for (uint32_t k = 0; k < t->nconsumer; k++) {
        Node *n = &g->node[t->consumer[k]];
        replace_id(e, &n->input, n->ninput, from, to);
        n->rewired = true;
    }
    return STATUS_OK;
}

void editor_redirect(Editor *e, TensorId from, TensorId to)
{
    assert(e->graph->tensor[from].producer != NODE_NONE);
    Node *n = &e->graph->node[e->graph->tensor[from].producer];
    replace_id(e, &n->output, n->noutput, from, to);
    n->rewired = true;
}

/* The tensor that Identities copy, which exporters put between a constant and its readers. */
static const Tensor *skip_identities(const Graph *g, const Tensor *x)
{
    for (uint32_t i = 0; i < g->nnode && x->producer != NODE_NONE; i++) {
        const Node *n = &g->node[x->producer];
        if (!editor_is_op(n, "Identity") || n->ninput != 1 || n->input[0] == TENSOR_NONE)
            break;
        x = &g->tensor[n->input[0]];
    }
    return x;
}

const Const *editor_value(const Editor *e, TensorId t)
{
    const Tensor *x = skip_identities(e->graph, &e->graph->tensor[t]);
    if (x->is_initializer)
        return x->value;
    if (x->producer == NODE_NONE)
        return NULL;
    const Node *n = &e->graph->node[x->producer];
    const Attr *value = strcmp(n->op, "Constant") == 0 ? node_attr(n, "value") : NULL;
    return value && value->type == ATTR_TENSOR ? value->tensor : NULL;
}

/* Marks needed nodes and tensors, from the outputs backwards. */
typedef struct {
    const Graph *graph;
    bool *node, *tensor;
    NodeId *stack;
    size_t depth;
} Marking;

static void mark_tensor(void *user, TensorId t)
{
    Marking *m = user;
    NodeId p = m->graph->tensor[t].producer;
    m->tensor[t] = true;
    if (p == NODE_NONE || m->node[p])
        return;
    m->node[p] = true;
    m->stack[m->depth++] = p;
}

static void mark_needed(Marking *m)
{
    const Graph *g = m->graph;
    for (size_t i = 0; i < g->noutput; i++)
        mark_tensor(m, g->output[i]);
    while (m->depth)
        node_each_read(g, &g->node[m->stack[--m->depth]], mark_tensor, m);
    for (size_t i = 0; i < g->ninput; i++)
        m->tensor[g->input[i]] = true;
    for (size_t i = 0; i < g->nnode; i++)
        for (uint32_t k = 0; m->node[i] && k < g->node[i].noutput; k++)
            if (g->node[i].output[k] != TENSOR_NONE)
                m->tensor[g->node[i].output[k]] = true;
}

const TensorId *editor_renumber(Editor *e, const TensorId *list, size_t n, const TensorId *place)
{
    TensorId *to = ARENA_ARRAY(e->arena, TensorId, n + 1);
    for (size_t i = 0; i < n; i++)
        to[i] = list[i] == TENSOR_NONE ? TENSOR_NONE : place[list[i]];
    return to;
}

static void compact_graph(Editor *e, const Marking *m)
{
    Graph *g = e->graph;
    TensorId *place = ARENA_ARRAY(e->arena, TensorId, g->ntensor + 1);
    size_t ntensor = 0, nnode = 0;
    for (size_t t = 0; t < g->ntensor; t++) {
        place[t] = (TensorId)ntensor;
        if (m->tensor[t])
            g->tensor[ntensor++] = g->tensor[t];
    }
    for (size_t i = 0; i < g->nnode; i++) {
        if (!m->node[i])
            continue;
        Node n = g->node[i];
        n.input = editor_renumber(e, n.input, n.ninput, place);
        n.output = editor_renumber(e, n.output, n.noutput, place);
        g->node[nnode++] = n;
    }
    g->input = editor_renumber(e, g->input, g->ninput, place);
    g->output = editor_renumber(e, g->output, g->noutput, place);
    g->ntensor = ntensor;
    g->nnode = nnode;
    g->by_name = copy_names(e->arena, g);
}

Status editor_finish(Editor *e)
{
    Graph *g = e->graph;
    Marking m = {.graph = g,
                 .node = ARENA_ARRAY(e->arena, bool, g->nnode + 1),
                 .tensor = ARENA_ARRAY(e->arena, bool, g->ntensor + 1),
                 .stack = ARENA_ARRAY(e->arena, NodeId, g->nnode + 1)};
    mark_needed(&m);
    compact_graph(e, &m);
    return editor_index(e);
}

/* What inference has to say is said again when the edited model is compiled: not here. */
void editor_infer(Editor *e)
{
    Notes *notes = e->model->notes;
    e->model->notes = NULL;
    shape_infer(e->model, NULL, 0, DIM_UNKNOWN);
    e->model->notes = notes;
}

/* ---- quantization, element types and opsets ---- */

bool editor_is_op(const Node *n, const char *op)
{
    return strcmp(n->op, op) == 0 && !*n->domain;
}

bool editor_quantization(const Editor *e, const Node *n, Quantization *ret)
{
    if (!(editor_is_op(n, "QuantizeLinear") || editor_is_op(n, "DequantizeLinear")) ||
        n->ninput < 2 || n->noutput != 1 || n->input[0] == TENSOR_NONE ||
        n->input[1] == TENSOR_NONE || n->output[0] == TENSOR_NONE)
        return false;
    Quantization q = {.node = n,
                      .scale = n->input[1],
                      .zero_point = n->ninput > 2 ? n->input[2] : TENSOR_NONE,
                      .dtype = DT_UINT8, /* what the operator takes without a zero point */
                      .scalar = true};
    const Const *scale = editor_value(e, q.scale);
    if (q.zero_point != TENSOR_NONE) {
        const Const *zero = editor_value(e, q.zero_point);
        if (!zero)
            return false;
        q.dtype = zero->dtype;
        q.scalar = zero->nelem == 1 && const_int(zero, 0, &q.zero);
    } else if (node_attr_int(n, "output_dtype", 0)) {
        q.dtype = dtype_from_onnx((int32_t)node_attr_int(n, "output_dtype", 0));
    }
    q.scalar = q.scalar && scale && scale->nelem == 1;
    *ret = q;
    return true;
}

bool editor_is_8_bit(DType t)
{
    return t == DT_INT8 || t == DT_UINT8;
}

TensorId editor_shifted_zero(Editor *e, const Quantization *q, DType want)
{
    if (want == q->dtype)
        return q->zero_point;
    int64_t zero = q->zero + (want == DT_INT8 ? -128 : 128);
    uint8_t *byte = arena_alloc(e->arena, 1);
    *byte = (uint8_t)zero;
    return editor_constant(e, q->scale, "_zero_point", want, NULL, 0, byte);
}

Status editor_convert_end(Editor *e, const Edit *edit, TensorId t,
                          Status (*calibrate)(Editor *, const Edit *, TensorId, DType),
                          Status (*convert)(Editor *, const Edit *, TensorId, DType, DType))
{
    DType want = dtype_from_name(edit->text), from = tensor_dtype(&e->graph->tensor[t]);
    if (want == DT_UNKNOWN || want == DT_STRING)
        return editor_refuse(e, edit, "'%s' is not an element type for it", edit->text);
    if (e->model->stored_ranges && dtype_is_float(from))
        return calibrate(e, edit, t, want);
    if (from == want)
        return STATUS_OK;
    if (from == DT_UNKNOWN || from == DT_STRING)
        return editor_refuse(e, edit, "its element type is %s", dtype_name(from));
    Status st = convert(e, edit, t, from, want);
    Tensor *x = &e->graph->tensor[t];
    if (st)
        return st;
    *(x->is_input ? &x->dtype : &x->declared_dtype) = want;
    x->edited = true;
    return STATUS_OK;
}

Status editor_need_opset(Editor *e, const Edit *edit, const char *op, int64_t since)
{
    if (e->model->opset >= since)
        return STATUS_OK;
    return editor_refuse(e, edit, "needs %s of opset %lld, the model imports %lld", op,
                         (long long)since, (long long)e->model->opset);
}

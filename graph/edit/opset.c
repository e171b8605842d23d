/* Converts each node of a newer opset by the table opset_forms.xml, then describes every tensor. */
#include "graph/edit/opset.h"

#include "graph/edit/opset_form.h"
#include "graph/edit/quantize.h"

#define V(version)      (UINT32_C(1) << (version))
#define T(dtype)        (UINT64_C(1) << DT_##dtype)
#define EVERY           V(OPSET_CONVERTED)
#define SHORT_INTEGERS  (T(INT8) | T(UINT8) | T(INT16) | T(UINT16))
#define SIGNED_INTEGERS (T(INT8) | T(INT16) | T(INT32) | T(INT64))
#define WIDE_CODES      (T(INT16) | T(UINT16))

typedef struct {
    OpIndex op;
    uint32_t versions;
    uint64_t types;
    OpsetForming form;
} OpsetRow;

static const OpsetRow opset_row[] = {
#define OPSET(op, versions, types, function) {OP_##op, versions, types, function},
#include "graph/edit/opset_forms.def"
};

/* Taken neither by the versions of opset 13 in onnxruntime nor by the quantizer ("float16 casts").
 */
static const uint64_t refused_types =
    T(FLOAT16) | T(BFLOAT16) | T(FLOAT8E4M3FN) | T(FLOAT8E4M3FNUZ) | T(FLOAT8E5M2) |
    T(FLOAT8E5M2FNUZ) | T(UINT4) | T(INT4) | T(FLOAT4E2M1) | T(FLOAT8E8M0) | T(UINT2) | T(INT2);

typedef struct {
    Editor e;
    int64_t opset; /* of the file */
    OpsetReport report;
    size_t cap_change;
    const Node *none; /* the first node without a form, as it was … */
    const char *why;
    uint32_t nnone;
    const char *others; /* … and the operators of the others, joined by commas */
} Conversion;

/* The newest version of the row that the model can mean; 0: the operator means what it did. */
static int row_version(const OpsetRow *row, int64_t opset)
{
    for (int v = OPSET_NEWEST; v >= OPSET_CONVERTED; v--)
        if (row->versions & V(v) && (v <= opset || v == OPSET_CONVERTED))
            return v;
    return 0;
}

static const OpsetRow *find_row(const Node *n, int64_t opset)
{
    for (size_t i = 0; !*n->domain && i < sizeof opset_row / sizeof opset_row[0]; i++)
        if ((OpId)opset_row[i].op == n->op_id)
            return row_version(&opset_row[i], opset) ? &opset_row[i] : NULL;
    return NULL;
}

bool opset_is_newer(const Node *n, int64_t opset)
{
    const OpsetRow *row = find_row(n, opset);
    return row && row->form != opset_form_recurrent && row_version(row, opset) > OPSET_CONVERTED;
}

/* ---- element types ---- */

static bool is_of_types(const Graph *g, TensorId t, uint64_t types)
{
    DType dtype = t == TENSOR_NONE ? DT_UNKNOWN : tensor_dtype(&g->tensor[t]);
    return dtype != DT_UNKNOWN && types >> dtype & 1;
}

static bool has_types(const Graph *g, const Node *n, uint64_t types)
{
    return LIST_ANY(i, n->ninput, is_of_types(g, n->input[i], types)) ||
           LIST_ANY(i, n->noutput, is_of_types(g, n->output[i], types));
}

/* ---- one node ---- */

static void count_change(Conversion *c, const char *op, const char *form)
{
    OpsetReport *r = &c->report;
    for (size_t i = 0; i < r->nchange; i++) {
        if (strcmp(r->change[i].op, op) || strcmp(r->change[i].form, form))
            continue;
        r->change[i].count++;
        return;
    }
    *VEC_PUSH(c->e.arena, r->change, r->nchange, c->cap_change) = (OpsetChange){op, form, 1};
}

static void count_none(Conversion *c, const Node *n, const char *why)
{
    if (c->nnone++ == 0) {
        c->none = n;
        c->why = why;
        c->others = "";
    } else if (!strstr(c->others, n->op) && strlen(c->others) < 200) {
        c->others = arena_printf(c->e.arena, "%s%s%s", c->others, *c->others ? ", " : "", n->op);
    }
}

/* What a body of a node holds has to mean the same already: nothing is converted in it. */
static const Node *newer_in_bodies(const Node *n, int64_t opset)
{
    for (uint32_t i = 0; i < n->nattr; i++) {
        const Graph *body = n->attr[i].type == ATTR_GRAPH ? n->attr[i].graph : NULL;
        for (size_t k = 0; body && k < body->nnode; k++) {
            const OpsetRow *row = find_row(&body->node[k], opset);
            const Node *inner = newer_in_bodies(&body->node[k], opset);
            bool newer =
                row && row->form != opset_form_older && row_version(row, opset) > OPSET_CONVERTED;
            if (newer || inner)
                return newer ? &body->node[k] : inner;
        }
    }
    return NULL;
}

static const char *node_obstacle(const Conversion *c, const Node *n, const OpsetRow *row)
{
    bool reads = row && row->form != opset_form_older && row->form != opset_form_none;
    if (has_types(c->e.graph, n, refused_types))
        return "the quantizer takes no float16 or narrower numbers; export the model in float32, "
               "without weight-only quantization";
    if (row && has_types(c->e.graph, n, row->types))
        return "its element type came with a newer opset";
    if (reads && (!n->ninput || n->input[0] == TENSOR_NONE))
        return "it has no input";
    return newer_in_bodies(n, c->opset) ? "its body holds operators of newer opsets" : NULL;
}

static void convert_node(Conversion *c, NodeId id)
{
    const Node *n = &c->e.graph->node[id];
    const OpsetRow *row = find_row(n, c->opset);
    OpsetNode x = {&c->e, id, *n, c->opset, node_obstacle(c, n, row)};
    bool whole = n->noutput && n->output[0] != TENSOR_NONE;
    const char *form = NULL;
    if (row && !x.why && whole)
        form = row->form(&x);
    Node *was = ARENA_NEW(c->e.arena, Node);
    *was = x.was;
    if (x.why)
        count_none(c, was, x.why);
    else if (form)
        count_change(c, was->op, form);
    else if (row && row_version(row, c->opset) > OPSET_CONVERTED)
        c->report.nolder++;
}

/* ---- the model ---- */

static Status refuse_none(const Conversion *c)
{
    Arena *a = c->e.arena;
    const char *more = "", *what = strchr(c->why, ';') ? "" : "; change it in the float model";
    const char *list = *c->others ? arena_printf(a, " (%s)", c->others) : "";
    const char *form = c->opset > OPSET_CONVERTED
                           ? arena_printf(a, " of opset %lld has no equal form in opset %d",
                                          (long long)c->opset, OPSET_CONVERTED)
                           : "";
    if (c->nnone > 1)
        more = arena_printf(a, ". %u more %s refused%s", c->nnone - 1,
                            c->nnone == 2 ? "node is" : "nodes are", list);
    return diag_set(c->e.diag, STATUS_INPUT, c->e.model->path, node_label(a, c->none),
                    "%s%s: %s%s%s", c->none->op, form, c->why, what, more);
}

static Status convert_nodes(Conversion *c)
{
    size_t n = c->e.graph->nnode;
    for (size_t i = 0; i < n; i++)
        convert_node(c, (NodeId)i);
    return c->nnone ? refuse_none(c) : STATUS_OK;
}

static bool is_typed(const Tensor *t)
{
    return tensor_dtype(t) != DT_UNKNOWN && tensor_shape(t)->rank != RANK_UNKNOWN;
}

/* Outputs without a shape in the file get what was inferred. */
static void describe_tensors(Conversion *c)
{
    Graph *g = c->e.graph;
    for (size_t i = 0; i < g->ntensor; i++) {
        Tensor *t = &g->tensor[i];
        bool used = t->is_input || t->is_output || t->producer != NODE_NONE;
        if (t->is_initializer || !used)
            continue;
        t->edited |= t->is_output && !t->is_input && is_typed(t);
        c->report.ndescribed += is_typed(t) && !t->is_input && !t->is_output;
        if (!(tensor_dtype(t) != DT_UNKNOWN && shape_is_known(tensor_shape(t))) &&
            !c->report.unknown)
            c->report.unknown = t->name;
    }
}

static void mark_domains(StrMap *used, const Graph *g)
{
    for (size_t i = 0; i < g->nnode; i++) {
        const Node *n = &g->node[i];
        strmap_put(used, n->domain, 0);
        for (uint32_t k = 0; k < n->nattr; k++)
            if (n->attr[k].type == ATTR_GRAPH)
                mark_domains(used, n->attr[k].graph);
    }
}

/* onnxruntime in the quantizer refuses newer versions of a domain, even if no node uses it. */
static void drop_unused_imports(Conversion *c)
{
    Model *m = c->e.model;
    OpsetImport *kept = ARENA_ARRAY(c->e.arena, OpsetImport, m->nimport + 1);
    size_t n = 0;
    StrMap used;
    strmap_init(&used, c->e.arena, 0);
    mark_domains(&used, c->e.graph);
    for (size_t i = 0; i < m->nimport; i++)
        if (strmap_get(&used, m->import[i].domain) != STRMAP_NONE)
            kept[n++] = m->import[i];
    m->import = kept;
    m->nimport = n;
}

/* The quantizer refuses them, and no other form is known; that of SDK 0.10 takes any MaxPool. */
static void find_refused(Conversion *c, int64_t ir_most)
{
    const Graph *g = c->e.graph;
    for (size_t i = 0; i < g->nnode && !c->report.refused; i++) {
        const Node *n = &g->node[i];
        const int64_t *d;
        bool image = ir_most < OPSET_IR_SDK_0_10 && n->op_id == OP_MaxPool &&
                     node_attr_ints(n, "dilations", &d) == 2;
        if (op_is(n->op_id, OP_If, OP_Loop, OP_Scan) || (image && (d[0] != 1 || d[1] != 1)))
            c->report.refused = node_label(c->e.arena, n);
    }
}

static Status check_opset(const Model *m, Diag *diag)
{
    if (m->opset <= OPSET_NEWEST)
        return STATUS_OK;
    return diag_set(diag, STATUS_INPUT, m->path, NULL,
                    "is of opset %lld; opsets up to %d can be converted: export it with one of "
                    "these",
                    (long long)m->opset, OPSET_NEWEST);
}

/* Dead nodes are gone before the first question, and what is made of constants is known. */
static Status begin_conversion(Conversion *c, Arena *a, const Model *m, Diag *diag)
{
    *c =
        (Conversion){.opset = m->opset, .report = {.opset = m->opset, .ir_version = m->ir_version}};
    editor_begin(&c->e, a, m, diag);
    c->e.before = m->graph;
    Status st = editor_index(&c->e);
    st = st ? st : editor_finish(&c->e);
    if (!st)
        editor_infer(&c->e);
    return st;
}

Status model_convert_opset(Arena *a, const Model *m, int64_t ir_most, Model **ret,
                           OpsetReport *ret_report, Diag *diag)
{
    Conversion c;
    Model *raised = (Model *)m;
    int64_t opset = m->opset;
    Status st = check_opset(m, diag);
    if (!st && m->opset < OPSET_CONVERTED)
        st = model_raise_opset(a, m, &raised, diag);
    st = st ? st : begin_conversion(&c, a, raised, diag);
    st = st ? st : convert_nodes(&c);
    if (st)
        return st;
    editor_clear_names(c.e.graph);
    c.e.model->opset = OPSET_CONVERTED;
    c.e.model->ir_version = m->ir_version < ir_most ? m->ir_version : ir_most;
    c.e.model->describes_all = true;
    st = editor_index(&c.e);
    st = st ? st : editor_finish(&c.e);
    if (st)
        return st;
    editor_infer(&c.e);
    describe_tensors(&c);
    find_refused(&c, ir_most);
    drop_unused_imports(&c);
    c.report.opset = opset;
    *ret = c.e.model;
    *ret_report = c.report;
    return STATUS_OK;
}

/* ---- dimensions ---- */

Status model_bind_dims(Arena *a, Model **m, const DimBinding *dim, size_t n, Diag *diag)
{
    Status st = STATUS_OK;
    for (size_t i = 0; i < n && !st; i++) {
        Edit edit = {.kind = EDIT_BIND_DIM, .where = dim[i].name, .number = dim[i].value};
        if (shape_can_bind(*m, dim[i].name))
            st = model_edit(a, *m, &edit, 1, m, diag);
    }
    return st;
}

Status model_fix_dims(Arena *a, Model **m, const DimBinding *dim, size_t n, Diag *diag)
{
    const Graph *g = (*m)->graph;
    DimBinding *first = ARENA_ARRAY(a, DimBinding, g->ninput + 1);
    for (size_t i = 0; i < g->ninput; i++)
        first[i] = (DimBinding){arena_printf(a, "%s:0", g->tensor[g->input[i]].name), 1};
    Status st = model_bind_dims(a, m, dim, n, diag);
    return st ? st : model_bind_dims(a, m, first, g->ninput, diag);
}

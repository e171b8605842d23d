/* Edits of the graph itself: width, cut, drop, replace. */
#include "graph/editor.h"

#include "graph/ops.h"

#include <string.h>

typedef struct {
    const char *name;
    Editing apply;
} Kind;

static const Kind kind[EDIT_COUNT] = {
    [EDIT_WIDTH] = {"width", edit_width},
    [EDIT_CUT_TAIL] = {"cut-tail", edit_cut_tail},
    [EDIT_DROP_OUTPUT] = {"drop-output", edit_drop_output},
    [EDIT_REPLACE_OP] = {"replace-op", edit_replace_op},
    [EDIT_PAD_OUTPUT] = {"pad-output", edit_pad_output},
    [EDIT_INPUT_DTYPE] = {"input-dtype", edit_input_dtype},
    [EDIT_PERMUTE_INPUT] = {"permute-input", edit_permute_input},
    [EDIT_OUTPUT_DTYPE] = {"output-dtype", edit_output_dtype},
};

const char *edit_name(EditKind k)
{
    return kind[k].name;
}

bool edit_from_name(const char *name, EditKind *ret)
{
    for (int k = 0; k < EDIT_COUNT; k++) {
        if (strcmp(kind[k].name, name) == 0) {
            *ret = (EditKind)k;
            return true;
        }
    }
    return false;
}

Status model_edit(Arena *a, const Model *m, const Edit *edit, size_t nedit, Model **ret, Diag *diag)
{
    Editor e;
    editor_begin(&e, a, m, diag);
    e.edit = edit;
    e.nedit = nedit;
    Status st = STATUS_OK;
    for (size_t i = 0; !st && i < nedit; i++) {
        st = kind[edit[i].kind].apply(&e, &edit[i]);
        if (!st)
            st = editor_index(&e);
    }
    if (!st)
        st = editor_finish(&e);
    if (!st)
        *ret = e.model;
    return st;
}

/* --- width ------------------------------------------------------------------------------- */

static bool is_transpose_to_nchw(const Node *n)
{
    static const int64_t nchw[] = {0, 3, 1, 2};
    const int64_t *perm;
    return strcmp(n->op, "Transpose") == 0 && node_attr_ints(n, "perm", &perm) == 4 &&
           memcmp(perm, nchw, sizeof nchw) == 0;
}

/* Operators of ai.onnx whose data is N, C, spatial axes. */
static bool wants_nchw(const Node *n)
{
    static const char *const op[] = {
        "Conv", "ConvInteger", "QLinearConv",   "ConvTranspose", "MaxPool",      "AveragePool",
        "LRN",  "BatchNormalization", "InstanceNormalization",   "DepthToSpace", "SpaceToDepth"};
    for (size_t i = 0; i < sizeof op / sizeof *op; i++)
        if (strcmp(n->op, op[i]) == 0)
            return true;
    return false;
}

/* Width axis that the first consumers tell, through operators that keep axes; -1 if they do not.
 * The walk follows one chain of bounded length: exports put at most a few casts and scalings
 * before the first convolution. */
static int axis_by_consumer(const Graph *g, TensorId t)
{
    enum { STEPS = 16 };
    for (int step = 0; step < STEPS && g->tensor[t].nconsumer; step++) {
        const Node *n = &g->node[g->tensor[t].consumer[0]];
        if (is_transpose_to_nchw(n))
            return 2;
        if (wants_nchw(n))
            return n->ninput && n->input[0] == t ? 3 : -1;
        OpClass c = op_info(n->op_id)->op_class;
        bool keeps = c == CLASS_ELEMENTWISE || c == CLASS_CONVERT || c == CLASS_ACTIVATION ||
                     strcmp(n->op, "Identity") == 0 || strcmp(n->op, "Pad") == 0;
        if (!keeps || !n->noutput || n->output[0] == TENSOR_NONE)
            return -1;
        t = n->output[0];
    }
    return -1;
}

static bool is_channel_count(int64_t n)
{
    return n == 1 || n == 3 || n == 4;
}

static int width_axis(const Graph *g, TensorId t)
{
    const Shape *s = &g->tensor[t].shape;
    if (s->rank != 4)
        return -1;
    int axis = axis_by_consumer(g, t);
    if (axis >= 0)
        return axis;
    bool first = is_channel_count(s->dim[1].value), last = is_channel_count(s->dim[3].value);
    return first == last ? -1 : first ? 3 : 2;
}

/* Every shape that the file declares may be stale: only types are kept. */
static void forget_shapes(Graph *g)
{
    for (size_t t = 0; t < g->ntensor; t++) {
        Tensor *x = &g->tensor[t];
        x->declared_shape = (Shape){.rank = RANK_UNKNOWN};
        x->edited = x->edited || x->is_output;
    }
}

Status edit_width(Editor *e, const Edit *edit)
{
    TensorId id;
    Status st = editor_find_input(e, edit, &id);
    if (st)
        return st;
    Tensor *t = &e->graph->tensor[id];
    int axis = width_axis(e->graph, id);
    if (axis < 0)
        return editor_refuse(e, edit, "cannot tell which axis of %s is the width",
                             shape_text(e->arena, &t->shape));
    if (edit->number < 1)
        return editor_refuse(e, edit, "a width of %lld is none", (long long)edit->number);
    Dim *dim = ARENA_ARRAY(e->arena, Dim, 4);
    memcpy(dim, t->shape.dim, 4 * sizeof *dim);
    dim[axis] = (Dim){.value = edit->number};
    t->shape.dim = dim;
    t->edited = true;
    forget_shapes(e->graph);
    return STATUS_OK;
}

/* --- cut-tail and drop-output -------------------------------------------------------------- */

/* Tensors that depend on one that a cut names, those themselves included. */
static bool *behind_cuts(const Editor *e)
{
    const Graph *g = e->graph;
    bool *behind = ARENA_ARRAY(e->arena, bool, g->ntensor + 1);
    for (size_t i = 0; i < e->nedit; i++) {
        uint32_t t = strmap_get(&g->by_name, e->edit[i].where);
        if (e->edit[i].kind == EDIT_CUT_TAIL && t != STRMAP_NONE)
            behind[t] = true;
    }
    bool *node = ARENA_ARRAY(e->arena, bool, g->nnode + 1);
    for (size_t t = 0; t < g->ntensor; t++)
        for (uint32_t k = 0; behind[t] && k < g->tensor[t].nconsumer; k++)
            node[g->tensor[t].consumer[k]] = true;
    for (size_t i = 0; i < g->nnode; i++) { /* in topological order: once is enough */
        for (uint32_t k = 0; node[i] && k < g->node[i].noutput; k++) {
            TensorId out = g->node[i].output[k];
            if (out == TENSOR_NONE)
                continue;
            behind[out] = true;
            for (uint32_t j = 0; j < g->tensor[out].nconsumer; j++)
                node[g->tensor[out].consumer[j]] = true;
        }
    }
    return behind;
}

static Status check_cut(Editor *e, const Edit *edit, TensorId *ret)
{
    uint32_t id = strmap_get(&e->graph->by_name, edit->where);
    if (id == STRMAP_NONE)
        return editor_refuse(e, edit, "the model has no such tensor");
    const Tensor *t = &e->graph->tensor[id];
    if (t->producer == NODE_NONE || editor_value(e, id))
        return editor_refuse(e, edit, "is an input or a constant: nothing would be left");
    *ret = id;
    return STATUS_OK;
}

/* All cuts at once, because one cut may take away what only another one's tensor still needs.
 * Outputs that do not depend on a cut stay; the cut tensors come where the first output that they
 * replace was. */
static Status cut_all(Editor *e)
{
    Graph *g = e->graph;
    bool *behind = behind_cuts(e);
    TensorId *output = ARENA_ARRAY(e->arena, TensorId, g->noutput + e->nedit);
    size_t n = 0, first = g->noutput;
    for (size_t i = 0; i < g->noutput; i++) {
        g->tensor[g->output[i]].is_output = !behind[g->output[i]];
        if (behind[g->output[i]] && first == g->noutput)
            first = i;
    }
    for (size_t i = 0; i <= g->noutput; i++) {
        for (size_t k = 0; i == first && k < e->nedit; k++) {
            TensorId t = TENSOR_NONE;
            if (e->edit[k].kind != EDIT_CUT_TAIL)
                continue;
            Status st = check_cut(e, &e->edit[k], &t);
            if (st)
                return st;
            if (g->tensor[t].is_output)
                continue; /* named twice */
            g->tensor[t].is_output = g->tensor[t].edited = true;
            output[n++] = t;
        }
        if (i < g->noutput && !behind[g->output[i]])
            output[n++] = g->output[i];
    }
    g->output = output;
    g->noutput = n;
    return STATUS_OK;
}

Status edit_cut_tail(Editor *e, const Edit *edit)
{
    for (const Edit *before = e->edit; before < edit; before++)
        if (before->kind == EDIT_CUT_TAIL)
            return STATUS_OK; /* the first one has cut them all */
    return cut_all(e);
}

Status edit_drop_output(Editor *e, const Edit *edit)
{
    TensorId id;
    Graph *g = e->graph;
    Status st = editor_find_output(e, edit, &id);
    if (st)
        return st;
    if (g->noutput == 1)
        return editor_refuse(e, edit, "is the only output");
    TensorId *output = ARENA_ARRAY(e->arena, TensorId, g->noutput);
    size_t n = 0;
    for (size_t i = 0; i < g->noutput; i++)
        if (g->output[i] != id)
            output[n++] = g->output[i];
    g->tensor[id].is_output = false;
    g->output = output;
    g->noutput = n;
    return STATUS_OK;
}

/* --- replace-op ---------------------------------------------------------------------------- */

/* Operators that need no attribute, with the opset that brought them. */
typedef struct {
    const char *op;
    uint32_t ninput;
    int64_t since;
} Plain;

static const Plain plain[] = {
    {"Abs", 1, 6},       {"Celu", 1, 12},       {"Elu", 1, 6},        {"Erf", 1, 9},
    {"Exp", 1, 6},       {"Gelu", 1, 20},       {"HardSigmoid", 1, 6}, {"HardSwish", 1, 14},
    {"Identity", 1, 1},  {"LeakyRelu", 1, 6},   {"Mish", 1, 18},      {"Neg", 1, 6},
    {"Relu", 1, 6},      {"Selu", 1, 6},        {"Sigmoid", 1, 6},    {"Softplus", 1, 1},
    {"Softsign", 1, 1},  {"Sqrt", 1, 6},        {"Tanh", 1, 6},       {"ThresholdedRelu", 1, 10},
    {"Add", 2, 7},       {"Div", 2, 7},         {"Max", 2, 8},        {"Min", 2, 8},
    {"Mul", 2, 7},       {"PRelu", 2, 7},       {"Sub", 2, 7},        {"GlobalAveragePool", 1, 1},
    {"GlobalMaxPool", 1, 1},
};

/* A node goes by the tensor that it makes, which is the only name that must be unique, else by its
 * own. */
static Node *find_node(Graph *g, Arena *a, const char *name)
{
    for (size_t i = 0; i < g->nnode; i++)
        for (uint32_t k = 0; k < g->node[i].noutput; k++) {
            TensorId t = g->node[i].output[k];
            if (t != TENSOR_NONE && strcmp(g->tensor[t].name, name) == 0)
                return &g->node[i];
        }
    for (size_t i = 0; i < g->nnode; i++)
        if (strcmp(g->node[i].name, name) == 0)
            return &g->node[i];
    for (size_t i = 0; i < g->nnode; i++)
        if (!g->node[i].name[0] && strcmp(node_label(a, &g->node[i]), name) == 0)
            return &g->node[i];
    return NULL;
}

static const Plain *find_plain(const char *op)
{
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(plain[i].op, op) == 0)
            return &plain[i];
    return NULL;
}

Status edit_replace_op(Editor *e, const Edit *edit)
{
    Node *n = find_node(e->graph, e->arena, edit->where);
    if (!n)
        return editor_refuse(e, edit, "the model has no such node");
    const Plain *p = find_plain(edit->text);
    if (!p)
        return editor_refuse(e, edit, "%s cannot be put in: not an operator without attributes",
                             edit->text);
    if (n->ninput != p->ninput || n->noutput != 1)
        return editor_refuse(e, edit, "%s has %u inputs and 1 output, %s here has %u and %u",
                             edit->text, p->ninput, n->op, n->ninput, n->noutput);
    if (e->model->opset && e->model->opset < p->since)
        return editor_refuse(e, edit, "%s needs opset %lld, the model imports %lld", edit->text,
                             (long long)p->since, (long long)e->model->opset);
    n->op = p->op;
    n->domain = "";
    n->op_id = op_lookup("", p->op);
    n->attr = NULL;
    n->nattr = 0;
    n->raw_size = 0;
    return STATUS_OK;
}

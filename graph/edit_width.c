/* Resizing an input: which axis is the width, and whether the rest of the model fits. */
#include "graph/editor.h"

#include "graph/ops.h"
#include "graph/shape.h"

#include <string.h>

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
        "Conv",        "ConvInteger", "QLinearConv",        "ConvTranspose",         "MaxPool",
        "AveragePool", "LRN",         "BatchNormalization", "InstanceNormalization", "DepthToSpace",
        "SpaceToDepth"};
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

/* Every shape that the file declares may be stale: only types are kept.  Inputs with unknown
 * dimensions are written anew too, because some files spell them -1, which fits no other size. */
static void forget_shapes(Graph *g)
{
    for (size_t t = 0; t < g->ntensor; t++) {
        Tensor *x = &g->tensor[t];
        x->declared_shape = (Shape){.rank = RANK_UNKNOWN};
        bool vague = x->is_input && x->dtype != DT_UNKNOWN && !shape_is_known(&x->shape);
        x->edited = x->edited || x->is_output || vague;
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

/* What inference finds in a throw-away copy. */
typedef struct {
    const char *conflict; /* text of the first contradiction, or NULL */
    const Graph *graph;
} Inferred;

static Inferred infer_copy_of(Arena *a, const Model *m)
{
    static const char conflict[] = "shape-conflict";
    Editor copy;
    Diag unused;
    Notes *notes = ARENA_NEW(a, Notes);
    notes_init(notes, a);
    editor_begin(&copy, a, m, &unused);
    copy.model->notes = notes;
    shape_infer(copy.model, NULL, 0, 1); /* one image: sizes that a free batch would hide show */
    Inferred r = {.graph = copy.graph};
    for (size_t i = 0; !r.conflict && i < notes->nnote; i++)
        if (strncmp(notes->note[i].cause, conflict, sizeof conflict - 1) == 0)
            r.conflict = notes->note[i].text;
    return r;
}

Status edit_check_shapes(Editor *e, const Model *before, const Edit *edit)
{
    Inferred old = infer_copy_of(e->arena, before), now = infer_copy_of(e->arena, e->model);
    if (now.conflict && !old.conflict)
        return editor_refuse(e, edit, "the rest of the model does not fit: %s", now.conflict);
    for (size_t i = 0; i < now.graph->noutput; i++) {
        const Tensor *t = &now.graph->tensor[now.graph->output[i]];
        uint32_t was = strmap_get(&old.graph->by_name, t->name);
        if (t->shape.rank == RANK_UNKNOWN && was != STRMAP_NONE &&
            old.graph->tensor[was].shape.rank != RANK_UNKNOWN)
            return editor_refuse(e, edit, "no shape can be told for output '%s' then", t->name);
    }
    return STATUS_OK;
}

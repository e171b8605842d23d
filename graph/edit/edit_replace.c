/* Implements the edit that replaces an operator. */
#include "graph/edit/editor.h"

#include "graph/edit/rewrite.h"

/* Operators that need no attribute, with the opset that brought them. */
typedef struct {
    const char *op;
    uint32_t ninput;
    int64_t since;
} Plain;

static const Plain plain[] = {
#define PLAIN(op, inputs, since) {op, inputs, since},
#include "graph/edit/plain_ops.def"
};

/* A node is named by the tensor that it makes, the only unique name, else by its own. */
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
    return LIST_FIND(i, g->node, g->nnode,
                     !g->node[i].name[0] && strcmp(node_label(a, &g->node[i]), name) == 0);
}

static const Plain *find_plain(const char *op)
{
    return LIST_FIND(i, plain, sizeof plain / sizeof *plain, strcmp(plain[i].op, op) == 0);
}

/* A Resize with the defaults of its attributes: to the nearest pixel.  Axes would be lost. */
static bool is_default_resize(const Node *n, const char *op)
{
    return strcmp(op, "Resize") == 0 && editor_is_op(n, "Resize") && !node_attr(n, "axes");
}

/* InstanceNormalization with statistics that are fixed: its scale and bias, and as many numbers
 * more of each channel.  Which ones only samples tell; the bias and the scale stand for them. */
static bool fix_statistics(Editor *e, Node *n, const char *op)
{
    if (strcmp(op, "BatchNormalization") != 0 || !editor_is_op(n, "InstanceNormalization") ||
        n->ninput != 3 || e->model->opset < 7)
        return false;
    TensorId x = n->input[0], scale = n->input[1], bias = n->input[2];
    TensorId *input = ARENA_ARRAY(e->arena, TensorId, 5);
    memcpy(input, (TensorId[]){x, scale, bias, bias, scale}, 5 * sizeof *input);
    n->input = input;
    n->ninput = 5;
    n->op = "BatchNormalization";
    n->op_id = op_lookup("", n->op);
    n->raw_size = 0;
    return true;
}

/* The last product of x * Sigmoid(x) and its like reads x alone. */
static void take_sequence(Editor *e, Node *n)
{
    Activation a;
    if (!e->inferred)
        editor_infer(e);
    e->inferred = true;
    if (activation_ends_at(e->graph, (NodeId)(n - e->graph->node), &a)) {
        TensorId *input = ARENA_NEW(e->arena, TensorId);
        *input = a.input;
        n->input = input;
        n->ninput = 1;
    }
}

Status edit_replace_op(Editor *e, const Edit *edit)
{
    Node *n = find_node(e->graph, e->arena, edit->where);
    if (!n)
        return editor_refuse(e, edit, "the model has no such node");
    if (is_default_resize(n, edit->text)) {
        editor_become(n, "Resize");
        return STATUS_OK;
    }
    if (fix_statistics(e, n, edit->text))
        return STATUS_OK;
    const Plain *p = find_plain(edit->text);
    if (!p)
        return editor_refuse(e, edit, "%s cannot be put in: not an operator without attributes",
                             edit->text);
    if (n->ninput != p->ninput && p->ninput == 1)
        take_sequence(e, n);
    if (n->ninput != p->ninput || n->noutput != 1)
        return editor_refuse(e, edit, "%s has %u inputs and 1 output, %s here has %u and %u",
                             edit->text, p->ninput, n->op, n->ninput, n->noutput);
    if (e->model->opset && e->model->opset < p->since)
        return editor_refuse(e, edit, "%s needs opset %lld, the model imports %lld", edit->text,
                             (long long)p->since, (long long)e->model->opset);
    editor_become(n, p->op);
    return STATUS_OK;
}

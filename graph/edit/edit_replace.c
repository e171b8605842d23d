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

/* InstanceNormalization with fixed statistics: its scale and bias, and as many numbers more of each
 * channel.  Only samples give these; the bias and the scale are their placeholders. */
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

/* Codes of a product's operand `at` are dequantized before the operator, and its result is
 * quantized as the product's was. */
static bool replace_codes(Editor *e, Node *n, uint32_t at, const char *op)
{
    const TensorId *in = n->input;
    if (n->op_id != OP_MsQLinearMul || n->ninput != 8 || at > 3 || in[at + 2] == TENSOR_NONE ||
        in[7] == TENSOR_NONE)
        return false;
    TensorId *input = ARENA_ARRAY(e->arena, TensorId, 3);
    TensorId x = editor_tensor(e, n->output[0], "_dequantized");
    *input = editor_tensor(e, n->output[0], "_float");
    memcpy(input + 1, in + 6, 2 * sizeof *input);
    n->input = input;
    n->ninput = 3;
    editor_become(n, "QuantizeLinear");
    editor_node(e, op, x, TENSOR_NONE, TENSOR_NONE, *input); /* n moves */
    editor_node(e, "DequantizeLinear", in[at], in[at + 1], in[at + 2], x);
    return true;
}

/* The last product of x * Sigmoid(x) and its like reads x alone: as floats where the file has only
 * codes of it.  True where it has become the operator. */
static bool take_sequence(Editor *e, Node *n, const char *op)
{
    Activation a;
    uint32_t at = 0;
    if (!e->inferred)
        editor_infer(e);
    e->inferred = true;
    if (!activation_ends_at(e->graph, (NodeId)(n - e->graph->node), &a))
        return false;
    while (at < n->ninput && activation_root(e->graph, n->input[at]) != a.input)
        at++;
    if (replace_codes(e, n, at, op))
        return true;
    bool codes = dtype_is_integer(e->graph->tensor[a.input].dtype);
    if (n->op_id == OP_MsQLinearMul || (codes && at == n->ninput))
        return false; /* its arity refuses it */
    TensorId *input = ARENA_NEW(e->arena, TensorId);
    *input = codes ? n->input[at] : a.input;
    n->input = input;
    n->ninput = 1;
    return false;
}

Status edit_replace_op(Editor *e, const Edit *edit)
{
    Node *n = find_node(e->graph, e->arena, edit->where);
    if (!n)
        return editor_refuse(e, edit, "the model has no such node");
    /* With the defaults of its attributes, to the nearest pixel.  Axes would be lost. */
    if (strcmp(edit->text, "Resize") == 0 && editor_is_op(n, "Resize") && !node_attr(n, "axes")) {
        editor_become(n, "Resize");
        return STATUS_OK;
    }
    if (fix_statistics(e, n, edit->text))
        return STATUS_OK;
    const Plain *p =
        LIST_FIND(i, plain, sizeof plain / sizeof *plain, strcmp(plain[i].op, edit->text) == 0);
    if (!p)
        return editor_refuse(e, edit, "%s cannot be put in: not an operator without attributes",
                             edit->text);
    if (e->model->opset && e->model->opset < p->since)
        return editor_refuse(e, edit, "%s needs opset %lld, the model imports %lld", edit->text,
                             (long long)p->since, (long long)e->model->opset);
    if (n->ninput != p->ninput && p->ninput == 1 && take_sequence(e, n, p->op))
        return STATUS_OK;
    if (n->ninput != p->ninput || n->noutput != 1)
        return editor_refuse(e, edit, "%s has %u inputs and 1 output, %s here has %u and %u",
                             edit->text, p->ninput, n->op, n->ninput, n->noutput);
    editor_become(n, p->op);
    return STATUS_OK;
}

/* Adds the steps that a node of a newer opset becomes, and reads its inputs. */
#include "graph/edit/opset_form.h"

const char *opset_refuse(OpsetNode *x, const char *why)
{
    x->why = why;
    return NULL;
}

/* ---- what the node is given ---- */

const Tensor *opset_input(const OpsetNode *x, uint32_t i)
{
    return node_input(x->e->graph, &x->was, i);
}

bool opset_is_float(OpsetNode *x)
{
    const Tensor *t = opset_input(x, 0);
    if (t && tensor_dtype(t) == DT_FLOAT32)
        return true;
    return opset_refuse(x, "its values are not float32"), false;
}

int32_t opset_rank(OpsetNode *x)
{
    const Tensor *t = opset_input(x, 0);
    int32_t rank = t ? tensor_shape(t)->rank : RANK_UNKNOWN;
    if (rank >= 0 && rank <= OPSET_MAX_RANK)
        return rank;
    return opset_refuse(x, "the number of its axes is not known"), -1;
}

bool opset_is_used(const OpsetNode *x, uint32_t i)
{
    const Tensor *t = node_output(x->e->graph, &x->was, i);
    return t && (t->nconsumer || t->is_output);
}

OpsetInts opset_ints(const OpsetNode *x, uint32_t input)
{
    const Tensor *t = opset_input(x, input);
    OpsetInts r = {.given = t != NULL};
    const Const *c = t ? t->value : NULL;
    if (!c || c->nelem < 0 || c->nelem > 2 * OPSET_MAX_RANK || (c->nelem && !c->data))
        return r;
    r.known = true;
    for (r.n = 0; r.n < (size_t)c->nelem && r.known; r.n++)
        r.known = const_int(c, (int64_t)r.n, &r.v[r.n]);
    return r;
}

OpsetInts opset_attr_ints(const OpsetNode *x, const char *name)
{
    const int64_t *v;
    OpsetInts r = {.n = node_attr_ints(&x->was, name, &v)};
    r.given = node_attr(&x->was, name) != NULL;
    r.known = r.given && r.n <= 2 * OPSET_MAX_RANK;
    if (r.known && r.n)
        memcpy(r.v, v, r.n * sizeof *v);
    return r;
}

bool opset_axes(OpsetNode *x, OpsetInts *axes, int32_t rank)
{
    bool seen[OPSET_MAX_RANK] = {false};
    assert(rank >= 0 && rank <= OPSET_MAX_RANK);
    for (size_t i = 0; i < axes->n; i++) {
        axes->v[i] += axes->v[i] < 0 ? rank : 0;
        if (axes->v[i] < 0 || axes->v[i] >= rank || seen[axes->v[i]])
            return opset_refuse(x, "one of its axes is outside the tensor, or given twice"), false;
        seen[axes->v[i]] = true;
    }
    return true;
}

/* ---- steps ---- */

NodeId opset_last(const OpsetNode *x)
{
    return (NodeId)(x->e->graph->nnode - 1);
}

TensorId opset_step(OpsetNode *x, const char *op, TensorId a, TensorId b)
{
    TensorId out = editor_tensor(x->e, x->was.output[0], arena_printf(x->e->arena, "_%s", op));
    editor_node(x->e, op, a, b, TENSOR_NONE, out);
    return out;
}

void opset_set_inputs(OpsetNode *x, NodeId node, const TensorId *input, uint32_t n)
{
    TensorId *list = ARENA_ARRAY(x->e->arena, TensorId, (size_t)n + 1);
    if (n)
        memcpy(list, input, n * sizeof *list);
    x->e->graph->node[node].input = list;
    x->e->graph->node[node].ninput = n;
    x->e->graph->node[node].rewired = true;
}

void opset_end(OpsetNode *x, const char *op, TensorId a, TensorId b)
{
    const TensorId input[2] = {a, b};
    Node *n = &x->e->graph->node[x->node];
    editor_become(n, op);
    n->noutput = 1;
    opset_set_inputs(x, x->node, input, b == TENSOR_NONE ? 1 : 2);
}

TensorId opset_clip(OpsetNode *x, TensorId a, float lo, float hi)
{
    const TensorId input[3] = {a, isinf(lo) ? TENSOR_NONE : opset_scalar(x, "_min", lo),
                               isinf(hi) ? TENSOR_NONE : opset_scalar(x, "_max", hi)};
    TensorId out = opset_step(x, "Clip", a, TENSOR_NONE);
    opset_set_inputs(x, opset_last(x), input, input[2] == TENSOR_NONE ? 2 : 3);
    return out;
}

TensorId opset_scalar(OpsetNode *x, const char *suffix, float value)
{
    return editor_scalar(x->e, x->was.output[0], suffix, value);
}

TensorId opset_list(OpsetNode *x, const char *suffix, const int64_t *value, size_t n)
{
    return editor_integers(x->e, x->was.output[0], suffix, value, n);
}

static bool has_elements(const Const *c, const int64_t *dim, int32_t rank)
{
    int64_t n = 1;
    for (int32_t i = 0; i < rank && n >= 0; i++)
        n = dim[i] < 0 || dim[i] > c->nelem ? -1 : n * dim[i];
    return n == c->nelem;
}

TensorId opset_view(OpsetNode *x, TensorId t, const int64_t *dim, int32_t rank)
{
    const Const *c = x->e->graph->tensor[t].value;
    if (c && c->data && has_elements(c, dim, rank))
        return editor_constant(x->e, t, "_view", c->dtype, dim, rank, c->data);
    return opset_step(x, "Reshape", t, opset_list(x, "_shape", dim, (size_t)rank));
}

void *opset_room(OpsetNode *x, int64_t n, size_t size)
{
    if (n >= 0 && n <= (int64_t)(OPSET_MAX_CONSTANT / size))
        return arena_calloc(x->e->arena, (size_t)n + 1, size);
    opset_refuse(x, "the constant that it needs in opset 13 is larger than 256 MiB");
    return NULL;
}

/* Adds the constants and nodes that spellings are made of. */
#include "graph/edit/spell.h"

#include <string.h>

TensorId spell_scalar(const Spelling *x, const char *suffix, float value)
{
    const Shape scalar = {.rank = 0};
    float *v = ARENA_NEW(x->e->arena, float);
    *v = value;
    return rewrite_add_floats(x->e, x->like, suffix, &scalar, v);
}

TensorId spell_integers(const Spelling *x, const char *suffix, const int64_t *value, int64_t n)
{
    int64_t *v = ARENA_ARRAY(x->e->arena, int64_t, (size_t)n);
    memcpy(v, value, (size_t)n * sizeof *v);
    return editor_constant(x->e, x->like, suffix, DT_INT64, &n, 1, v);
}

TensorId spell_unary(const Spelling *x, const char *op, const char *suffix, TensorId a)
{
    NodeId node;
    return rewrite_add_node(x->e, op, x->like, suffix, a, &node);
}

TensorId spell_binary(const Spelling *x, const char *op, const char *suffix, TensorId a, TensorId b)
{
    NodeId node;
    TensorId out = rewrite_add_node(x->e, op, x->like, suffix, a, &node);
    rewrite_set_input(x->e, node, 1, b);
    return out;
}

const Shape *spell_shape(const Scene *s, TensorId t)
{
    return &s->graph->tensor[t].shape;
}

size_t spell_axes(const Scene *s, const Node *n, int64_t axis[EDIT_PERMUTE_MAX_RANK])
{
    const int64_t *given;
    const Const *c = node_constant(s->graph, n, 1);
    int32_t rank = spell_shape(s, n->input[0])->rank;
    size_t count = node_attr_ints(n, "axes", &given);
    if (!count && c)
        count = (size_t)c->nelem;
    for (size_t i = 0; i < count && i < EDIT_PERMUTE_MAX_RANK; i++) {
        if (c ? !const_int(c, (int64_t)i, &axis[i]) : (axis[i] = given[i], false))
            return 0;
        axis[i] += axis[i] < 0 ? rank : 0;
        if (axis[i] < 0 || axis[i] >= rank)
            return 0;
    }
    return rank > EDIT_PERMUTE_MAX_RANK || count > EDIT_PERMUTE_MAX_RANK ? 0 : count;
}

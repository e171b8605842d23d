/* Adds the constants and nodes that spellings are made of. */
#include "graph/edit/spelling.h"

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

/* Spells operators that look at windows: GlobalMaxPool, ReduceMax, LRN, Conv of a wide dilation. */
#include "graph/edit/spelling.h"

#include "graph/infer/ops.h"

const char *spell_not_whole_image(const Scene *s, const Node *n)
{
    const Shape *shape = spell_shape(s, n->input[0]);
    bool known = shape->rank == 4 && shape->dim[2].value > 0 && shape->dim[3].value > 0;
    return known ? NULL : "the size of its image is not known";
}

TensorId spell_global_max(const Spelling *x)
{
    const Shape *shape = spell_shape(x->s, x->n.input[0]);
    const int64_t kernel[2] = {shape->dim[2].value, shape->dim[3].value};
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "MaxPool", x->like, "_pooled", x->n.input[0], &node);
    rewrite_set_ints(x->e, node, "kernel_shape", kernel, 2);
    return out;
}

/* Moves the choice of a channel from after a nearest Resize to before it. */
#include "graph/edit/spell.h"

enum { INDEX_BYTE_MAX = 256 /* channels that a uint8 counts */ };

/* The choice's axis, the Resize before it, and the first node after the Resize (NULL: none). */
typedef struct {
    const Node *resize, *top;
    int32_t axis;
} Enlarged;

/* Its scales or sizes are known, for all axes, and leave that one. */
static bool resize_leaves_axis(const Scene *s, const Node *n, int32_t axis)
{
    const int64_t *axes;
    double scale;
    bool sized = n->ninput > 3 && n->input[3] != TENSOR_NONE;
    const Const *by = node_constant(s->graph, n, sized ? 3 : n->ninput > 2 ? 2 : 1);
    return by && by->nelem == spell_shape(s, n->input[0])->rank &&
           !node_attr_ints(n, "axes", &axes) &&
           (sized || (const_float(by, axis, &scale) && scale == 1)) &&
           !strcmp(node_attr_string(n, "keep_aspect_ratio_policy", "stretch"), "stretch");
}

/* Each of its pixels is one of its input's. */
static bool copies_pixels(const Node *n)
{
    const char *places = node_attr_string(n, "coordinate_transformation_mode", "half_pixel");
    return op_is(n->op_id, OP_Resize, OP_Upsample) && !*n->domain &&
           !strcmp(node_attr_string(n, "mode", "nearest"), "nearest") &&
           strcmp(places, "tf_crop_and_resize") != 0;
}

static bool find_enlarged(const Scene *s, const Node *n, Enlarged *r)
{
    const Graph *g = s->graph;
    int64_t axis = node_attr_int(n, "axis", 0);
    TensorId t = rewrite_walk_up(s, n->input[0], rewrite_ignores_order, &r->top);
    r->resize = tensor_maker(g, t);
    const Shape *out = spell_shape(s, n->input[0]);
    r->axis = (int32_t)(axis + (axis < 0 ? out->rank : 0));
    if (!r->resize || !copies_pixels(r->resize) || !rewrite_only_reader(g, t) || r->axis < 1 ||
        r->axis >= out->rank || out->rank > EDIT_PERMUTE_MAX_RANK || !shape_is_known(out) ||
        !shape_is_known(spell_shape(s, n->output[0])))
        return false;
    const Shape *in = spell_shape(s, r->resize->input[0]);
    return in->rank == out->rank && shape_elements(in) < shape_elements(out) &&
           in->dim[r->axis].value == out->dim[r->axis].value &&
           resize_leaves_axis(s, r->resize, r->axis);
}

/* The Resize again, of one channel. */
static TensorId enlarge_choice(const Spelling *x, const Node *resize, int32_t axis, TensorId t)
{
    const Graph *g = x->s->graph;
    NodeId node;
    TensorId out = rewrite_add_node(x->e, resize->op, x->like, "_enlarged", t, &node);
    for (uint32_t i = 1; i < resize->ninput; i++)
        rewrite_set_input(x->e, node, i, resize->input[i]);
    const Const *sizes = node_constant(g, resize, 3);
    int64_t size[EDIT_PERMUTE_MAX_RANK];
    for (int64_t i = 0; sizes && i < sizes->nelem; i++)
        size[i] = spell_shape(x->s, x->n.input[0])->dim[i].value;
    if (sizes) {
        size[axis] = 1;
        rewrite_set_input(x->e, node, 3, spell_integers(x, "_sizes", size, sizes->nelem));
    }
    x->e->graph->node[node].attr = resize->attr;
    x->e->graph->node[node].nattr = resize->nattr;
    return out;
}

static TensorId cast_choice(const Spelling *x, const char *suffix, TensorId t, DType to)
{
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "Cast", x->like, suffix, t, &node);
    rewrite_set_int(x->e, node, "to", dtype_to_onnx(to));
    return out;
}

/* The small map's values, through what followed the Resize. */
static TensorId small_values(const Spelling *x, const Enlarged *r)
{
    const Graph *g = x->s->graph;
    TensorId small = r->resize->input[0];
    for (TensorId t = x->n.input[0]; r->top && t != r->top->input[0];) { /* of another size now */
        rewrite_clear_tensor_type(x->e, t);
        t = tensor_maker(g, t)->input[0];
    }
    if (!r->top)
        return small;
    rewrite_set_input(x->e, node_id(g, r->top), 0, small);
    return x->n.input[0];
}

const char *rewrite_check_choose_first(const Scene *s, NodeId node)
{
    Enlarged r;
    const Node *n = scene_node(s, node, "ArgMax");
    n = n ? n : scene_node(s, node, "ArgMin");
    if (!n)
        return "neither an ArgMax nor an ArgMin";
    if (!find_enlarged(s, n, &r))
        return "no nearest Resize that enlarges all channels alike makes what it reads";
    return rewrite_is_rewirable(s->graph, n->output[0]) ? NULL : "a body reads its result";
}

/* onnxruntime's Resize takes no int64. */
void rewrite_choose_first(Editor *e, const Scene *s, NodeId id)
{
    const Spelling x = {e, s, s->graph->node[id], s->graph->node[id].output[0]};
    Enlarged r;
    if (!find_enlarged(s, &x.n, &r))
        return;
    bool few = spell_shape(s, x.n.input[0])->dim[r.axis].value <= INDEX_BYTE_MAX;
    const Node resize = *r.resize; /* nodes move */
    NodeId node;
    TensorId t = rewrite_add_node(e, x.n.op, x.like, "_chosen", small_values(&x, &r), &node);
    e->graph->node[node].attr = x.n.attr;
    e->graph->node[node].nattr = x.n.nattr;
    rewrite_set_int(e, node, "keepdims", 1);
    t = cast_choice(&x, "_narrow", t, few ? DT_UINT8 : DT_INT32);
    t = cast_choice(&x, "_index", enlarge_choice(&x, &resize, r.axis, t), DT_INT64);
    if (!node_attr_int(&x.n, "keepdims", 1))
        t = spell_sized(&x, "Reshape", "_shaped", t, spell_shape(s, x.like));
    rewrite_replace_result(e, id, t);
}

/* Writes out normalizations and attention of newer opsets. */
#include "graph/edit/opset_form.h"
#include "graph/edit/spell.h"

#include <float.h>
#include <math.h>

const char *opset_form_batch_norm(OpsetNode *x)
{
    if (node_attr_int(&x->was, "training_mode", 0))
        return opset_refuse(x, "it is in training mode; export the model in inference mode");
    rewrite_drop_attr(x->e, x->node, "training_mode");
    return NULL;
}

/* ---- the sequence that the quantizer fuses ---- */

static TensorId mean_over_axes(OpsetNode *x, TensorId of, const OpsetInts *axes)
{
    TensorId mean = opset_step(x, "ReduceMean", of, TENSOR_NONE);
    rewrite_set_ints(x->e, opset_last(x), "axes", axes->v, axes->n);
    rewrite_set_int(x->e, opset_last(x), "keepdims", 1);
    return mean;
}

/* a / sqrt(mean of squares + epsilon) */
static TensorId root_score(OpsetNode *x, TensorId a, const OpsetInts *axes)
{
    float epsilon = (float)node_attr_float(&x->was, "epsilon", 1e-5);
    TensorId square = opset_step(x, "Pow", a, opset_scalar(x, "_two", 2));
    TensorId above =
        opset_step(x, "Add", mean_over_axes(x, square, axes), opset_scalar(x, "_epsilon", epsilon));
    return opset_step(x, "Div", a, opset_step(x, "Sqrt", above, TENSOR_NONE));
}

static TensorId standard_score(OpsetNode *x, TensorId a, const OpsetInts *axes)
{
    return root_score(x, opset_step(x, "Sub", a, mean_over_axes(x, a, axes)), axes);
}

static bool layer_axes(OpsetNode *x, OpsetInts *ret)
{
    int32_t rank = opset_rank(x);
    *ret = (OpsetInts){.given = true, .known = true, .n = 1};
    ret->v[0] = node_attr_int(&x->was, "axis", -1);
    if (rank < 0 || !opset_axes(x, ret, rank))
        return false;
    for (int64_t axis = ret->v[0] + 1; axis < rank; axis++)
        ret->v[ret->n++] = axis;
    return true;
}

const char *opset_form_layer_norm(OpsetNode *x)
{
    OpsetInts axes;
    if (!opset_is_float(x) || !layer_axes(x, &axes))
        return NULL;
    if (opset_is_used(x, 1) || opset_is_used(x, 2))
        return opset_refuse(x, "its mean or its deviation is used as well");
    if (!opset_input(x, 1))
        return opset_refuse(x, "it has no scale");
    TensorId score = standard_score(x, x->was.input[0], &axes);
    if (!opset_input(x, 2)) {
        opset_end(x, "Mul", score, x->was.input[1]);
        return "ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div, Mul";
    }
    opset_end(x, "Add", opset_step(x, "Mul", score, x->was.input[1]), x->was.input[2]);
    return "ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div, Mul, Add";
}

const char *opset_form_rms_norm(OpsetNode *x)
{
    OpsetInts axes;
    if (!opset_is_float(x) || !layer_axes(x, &axes))
        return NULL;
    if (!opset_input(x, 1))
        return opset_refuse(x, "it has no scale");
    opset_end(x, "Mul", root_score(x, x->was.input[0], &axes), x->was.input[1]);
    return "Pow, ReduceMean, Add, Sqrt, Div, Mul";
}

/* As spell-out writes it. */
const char *opset_form_attention(OpsetNode *x)
{
    const Scene s = {.graph = x->e->graph, .opset = OPSET_CONVERTED};
    const Spelling spelling = {x->e, &s, x->was, x->was.output[0]};
    const char *why = spell_not_attention(&s, &x->was);
    if (why)
        return opset_refuse(x, why);
    opset_end(x, "Identity", spell_attention(&spelling), TENSOR_NONE);
    return "MatMul, Mul, Softmax, MatMul";
}

/* ---- groups ---- */

typedef struct {
    const Shape *shape; /* of the input; all axes but the first are known */
    int64_t group, channels;
    bool by_group; /* scale and bias have one number for each group (opset 18), not channel (21) */
} Groups;

static bool read_groups(OpsetNode *x, Groups *ret)
{
    const Tensor *a = opset_input(x, 0);
    Groups q = {.shape = &a->shape,
                .group = node_attr_int(&x->was, "num_groups", 0),
                .by_group = x->opset < 21};
    bool known = q.shape->rank >= 3 && q.shape->rank <= OPSET_MAX_RANK;
    for (int32_t i = 1; known && i < q.shape->rank; i++)
        known = q.shape->dim[i].value > 0;
    q.channels = known ? q.shape->dim[1].value : 0;
    *ret = q;
    if (known && q.group > 0 && q.channels % q.group == 0 && opset_input(x, 1) && opset_input(x, 2))
        return true;
    opset_refuse(x, known ? "its groups do not divide the channels" : "its shape is not known");
    return false;
}

/* One number for each group or channel, shaped to meet them. */
static TensorId group_factor(OpsetNode *x, const Groups *q, TensorId list)
{
    int64_t dim[OPSET_MAX_RANK];
    int32_t rank = q->by_group ? 2 : q->shape->rank - 1;
    for (int32_t i = 0; i < rank; i++)
        dim[i] = 1;
    dim[0] = q->by_group ? q->group : q->channels;
    return opset_view(x, list, dim, rank);
}

/* Back from [N, G, rest]. */
static TensorId image_shape(OpsetNode *x, const Groups *q)
{
    int64_t dim[OPSET_MAX_RANK] = {0};
    for (int32_t i = 1; i < q->shape->rank; i++)
        dim[i] = q->shape->dim[i].value;
    return opset_list(x, "_shape", dim, (size_t)q->shape->rank);
}

const char *opset_form_group_norm(OpsetNode *x)
{
    const OpsetInts last = {.given = true, .known = true, .n = 1, .v = {2}};
    Groups q;
    if (!opset_is_float(x) || !read_groups(x, &q))
        return NULL;
    const int64_t grouped[3] = {0, q.group, -1};
    TensorId rows = opset_step(x, "Reshape", x->was.input[0], opset_list(x, "_groups", grouped, 3));
    TensorId score = standard_score(x, rows, &last);
    TensorId scale = group_factor(x, &q, x->was.input[1]),
             bias = group_factor(x, &q, x->was.input[2]);
    if (q.by_group) {
        TensorId y = opset_step(x, "Add", opset_step(x, "Mul", score, scale), bias);
        opset_end(x, "Reshape", y, image_shape(x, &q));
        return "Reshape, ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div, Mul, Add, Reshape";
    }
    TensorId image = opset_step(x, "Reshape", score, image_shape(x, &q));
    opset_end(x, "Add", opset_step(x, "Mul", image, scale), bias);
    return "Reshape, ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div, Reshape, Mul, Add";
}

/* ---- LpNormalization, which the quantizer leaves in float, or refuses ---- */

/* It exists in opset 13: without a shape it stays. */
static bool read_norm(const OpsetNode *x, OpsetInts *ret_axis, int64_t *ret_p)
{
    const Tensor *a = opset_input(x, 0);
    OpsetNode asked = *x;
    *ret_p = node_attr_int(&x->was, "p", 2);
    *ret_axis = (OpsetInts){.given = true, .known = true, .n = 1};
    ret_axis->v[0] = node_attr_int(&x->was, "axis", -1);
    return a && tensor_dtype(a) == DT_FLOAT32 && (*ret_p == 1 || *ret_p == 2) &&
           shape_is_known(&a->shape) && a->shape.rank > 0 && a->shape.rank <= OPSET_MAX_RANK &&
           opset_axes(&asked, ret_axis, a->shape.rank);
}

/* With Expand the quantizer fuses the four to one L2Normalization. onnxruntime divides by 1 where
 * the norm is 0; the smallest normal number gives the same, 0. */
const char *opset_form_lp_norm(OpsetNode *x)
{
    OpsetInts axis;
    int64_t p, dim[OPSET_MAX_RANK];
    if (!read_norm(x, &axis, &p))
        return NULL;
    const Shape *shape = &opset_input(x, 0)->shape;
    for (int32_t i = 0; i < shape->rank; i++)
        dim[i] = shape->dim[i].value;
    TensorId size = opset_list(x, "_shape", dim, (size_t)shape->rank);
    TensorId norm = opset_step(x, p == 1 ? "ReduceL1" : "ReduceL2", x->was.input[0], TENSOR_NONE);
    rewrite_set_ints(x->e, opset_last(x), "axes", axis.v, 1);
    rewrite_set_int(x->e, opset_last(x), "keepdims", 1);
    TensorId whole = opset_step(x, "Expand", opset_clip(x, norm, FLT_MIN, INFINITY), size);
    opset_end(x, "Div", x->was.input[0], whole);
    return p == 1 ? "ReduceL1, Clip, Expand, Div" : "ReduceL2, Clip, Expand, Div";
}

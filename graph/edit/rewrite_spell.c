/* Replaces an operator that the NPU lacks by operators that it has (spell-out). Real numbers
 * stay the same; float32 rounds in other places. The table has one line per operator. */
#include "graph/edit/edit_messages.h"
#include "graph/edit/rewriter.h"

#include "graph/infer/ops.h"

#include <string.h>

enum { OPSET_CLIP_INPUTS = 11, OPSET_AXES_INPUT = 13, OPSET_SPLIT_INPUT = 13, OPSET_SLICE = 10 };

typedef struct {
    Editor *e;
    const Scene *s;
    Node n; /* as it is: nodes may move while others are added */
    TensorId like;
} Spelling;

/* ---- small parts ---- */

static TensorId scalar_const(const Spelling *x, const char *suffix, float value)
{
    const Shape scalar = {.rank = 0};
    float *v = ARENA_NEW(x->e->arena, float);
    *v = value;
    return rewrite_add_floats(x->e, x->like, suffix, &scalar, v);
}

static TensorId integer_const(const Spelling *x, const char *suffix, const int64_t *value,
                              int64_t n)
{
    int64_t *v = ARENA_ARRAY(x->e->arena, int64_t, (size_t)n);
    memcpy(v, value, (size_t)n * sizeof *v);
    return editor_constant(x->e, x->like, suffix, DT_INT64, &n, 1, v);
}

static TensorId unary_node(const Spelling *x, const char *op, const char *suffix, TensorId a)
{
    NodeId node;
    return rewrite_add_node(x->e, op, x->like, suffix, a, &node);
}

static TensorId binary_node(const Spelling *x, const char *op, const char *suffix, TensorId a,
                            TensorId b)
{
    NodeId node;
    TensorId out = rewrite_add_node(x->e, op, x->like, suffix, a, &node);
    rewrite_set_input(x->e, node, 1, b);
    return out;
}

static TensorId clip_node(const Spelling *x, TensorId a, TensorId lo, TensorId hi)
{
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "Clip", x->like, "_clipped", a, &node);
    rewrite_set_input(x->e, node, 1, lo);
    if (hi != TENSOR_NONE)
        rewrite_set_input(x->e, node, 2, hi);
    return out;
}

static const Shape *shape_of(const Scene *s, TensorId t)
{
    return &s->graph->tensor[t].shape;
}

/* ---- activations ---- */

static TensorId hard_sigmoid(const Spelling *x, float alpha, float beta)
{
    TensorId scaled =
        binary_node(x, "Mul", "_scaled", x->n.input[0], scalar_const(x, "_alpha", alpha));
    TensorId shifted = binary_node(x, "Add", "_shifted", scaled, scalar_const(x, "_beta", beta));
    return clip_node(x, shifted, scalar_const(x, "_zero", 0), scalar_const(x, "_one", 1));
}

static TensorId spell_hard_sigmoid(const Spelling *x)
{
    return hard_sigmoid(x, (float)node_attr_float(&x->n, "alpha", 0.2),
                        (float)node_attr_float(&x->n, "beta", 0.5));
}

static TensorId spell_hard_swish(const Spelling *x)
{
    return binary_node(x, "Mul", "_gated", x->n.input[0], hard_sigmoid(x, 1.0F / 6, 0.5F));
}

static const char *has_clip(const Scene *s, const Node *n)
{
    (void)n;
    return s->opset < OPSET_CLIP_INPUTS ? "it needs Clip of opset 11" : NULL;
}

/* One of two inputs is one number: Clip does it. */
static const char *has_bound(const Scene *s, const Node *n)
{
    double v;
    if (s->opset < OPSET_CLIP_INPUTS || n->ninput != 2)
        return "it needs two inputs, and Clip of opset 11";
    for (uint32_t i = 0; i < 2; i++)
        if (rewrite_scalar_value(s->graph, n->input[i], &v) && shape_of(s, n->input[i])->rank == 0)
            return NULL;
    return "neither side is one constant number";
}

static TensorId spell_max(const Spelling *x)
{
    double v;
    int bound = rewrite_scalar_value(x->s->graph, x->n.input[1], &v);
    return clip_node(x, x->n.input[!bound], x->n.input[bound], TENSOR_NONE);
}

static TensorId spell_min(const Spelling *x)
{
    double v;
    int bound = rewrite_scalar_value(x->s->graph, x->n.input[1], &v);
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "Clip", x->like, "_clipped", x->n.input[!bound], &node);
    rewrite_set_input(x->e, node, 2, x->n.input[bound]);
    return out;
}

/* ---- quotients ---- */

static TensorId reciprocal_node(const Spelling *x, TensorId of)
{
    return binary_node(x, "Pow", "_reciprocal", of, scalar_const(x, "_minus_one", -1));
}

/* A constant divisor needs no spelling: the compiler multiplies. */
static const char *is_quotient(const Scene *s, const Node *n)
{
    if (n->ninput != 2 || n->input[1] == TENSOR_NONE)
        return "it has no divisor";
    return s->graph->tensor[n->input[1]].value ? "its divisor is a constant" : NULL;
}

static TensorId spell_div(const Spelling *x)
{
    return binary_node(x, "Mul", "_quotient", x->n.input[0], reciprocal_node(x, x->n.input[1]));
}

static TensorId spell_reciprocal(const Spelling *x)
{
    return reciprocal_node(x, x->n.input[0]);
}

static TensorId spell_neg(const Spelling *x)
{
    return binary_node(x, "Mul", "_negative", x->n.input[0], scalar_const(x, "_minus_one", -1));
}

static const char *no_obstacle(const Scene *s, const Node *n)
{
    (void)s;
    (void)n;
    return NULL;
}

/* ---- means and normalisations ---- */

/* Axes of a reduction, not negative; 0 when they are not known (or all, which nobody writes). */
static size_t axes_of(const Scene *s, const Node *n, int64_t axis[EDIT_PERMUTE_MAX_RANK])
{
    const int64_t *given;
    const Const *c = node_constant(s->graph, n, 1);
    int32_t rank = shape_of(s, n->input[0])->rank;
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

/* Elements that a mean over the axes is of; 0 when that is not known. */
static int64_t mean_count(const Shape *shape, const int64_t *axis, size_t naxis)
{
    int64_t n = naxis > 0;
    for (size_t i = 0; i < naxis; i++)
        n *= shape->dim[axis[i]].value > 0 ? shape->dim[axis[i]].value : 0;
    return n;
}

static const char *is_mean(const Scene *s, const Node *n)
{
    int64_t axis[EDIT_PERMUTE_MAX_RANK];
    size_t count = axes_of(s, n, axis);
    return mean_count(shape_of(s, n->input[0]), axis, count) ? NULL : "its axes are not known";
}

static TensorId mean_over(const Spelling *x, TensorId of, const int64_t *axis, size_t naxis,
                          int64_t keep, int64_t n)
{
    NodeId node;
    TensorId sum = rewrite_add_node(x->e, "ReduceSum", x->like, "_sum", of, &node);
    if (x->s->opset >= OPSET_AXES_INPUT)
        rewrite_set_input(x->e, node, 1, integer_const(x, "_axes", axis, (int64_t)naxis));
    else
        rewrite_set_ints(x->e, node, "axes", axis, naxis);
    rewrite_set_int(x->e, node, "keepdims", keep);
    return binary_node(x, "Mul", "_mean", sum, scalar_const(x, "_share", 1.0F / (float)n));
}

static TensorId spell_mean(const Spelling *x)
{
    int64_t axis[EDIT_PERMUTE_MAX_RANK];
    size_t count = axes_of(x->s, &x->n, axis);
    int64_t n = mean_count(shape_of(x->s, x->n.input[0]), axis, count);
    return mean_over(x, x->n.input[0], axis, count, node_attr_int(&x->n, "keepdims", 1), n);
}

/* The mean of something of the input's shape. */
typedef TensorId (*Mean)(const Spelling *x, TensorId of);

/* (a - mean) * (variance + epsilon)^-0.5 */
static TensorId standardise_x(const Spelling *x, Mean mean)
{
    float epsilon = (float)node_attr_float(&x->n, "epsilon", 1e-5);
    TensorId off = binary_node(x, "Sub", "_centred", x->n.input[0], mean(x, x->n.input[0]));
    TensorId variance = mean(x, binary_node(x, "Mul", "_squared", off, off));
    TensorId above =
        binary_node(x, "Add", "_above_zero", variance, scalar_const(x, "_epsilon", epsilon));
    TensorId scale = binary_node(x, "Pow", "_scale", above, scalar_const(x, "_minus_half", -0.5F));
    return binary_node(x, "Mul", "_standardised", off, scale);
}

/* First of the axes that a LayerNormalization takes together; -1 when that is not known. */
static int32_t first_axis(const Scene *s, const Node *n)
{
    int32_t rank = shape_of(s, n->input[0])->rank;
    int64_t axis = node_attr_int(n, "axis", -1);
    axis += axis < 0 ? rank : 0;
    return rank > EDIT_PERMUTE_MAX_RANK || axis < 0 || axis >= rank ? -1 : (int32_t)axis;
}

static TensorId layer_mean(const Spelling *x, TensorId of)
{
    const Shape *shape = shape_of(x->s, x->n.input[0]);
    int64_t axis[EDIT_PERMUTE_MAX_RANK];
    size_t n = 0;
    for (int32_t i = first_axis(x->s, &x->n); i < shape->rank; i++)
        axis[n++] = i;
    return mean_over(x, of, axis, n, 1, mean_count(shape, axis, n));
}

static const char *is_layer_norm(const Scene *s, const Node *n)
{
    const Shape *shape = shape_of(s, n->input[0]);
    if (n->noutput > 1)
        return "its mean is an output as well";
    for (int32_t i = first_axis(s, n); i < shape->rank; i++)
        if (i < 0 || shape->dim[i].value <= 0)
            return "its axes are not known";
    return shape->rank > 0 && n->ninput > 1 ? NULL : "its shape is not known";
}

static TensorId spell_layer_norm(const Spelling *x)
{
    TensorId y = binary_node(x, "Mul", "_weighted", standardise_x(x, layer_mean), x->n.input[1]);
    bool biased = x->n.ninput > 2 && x->n.input[2] != TENSOR_NONE;
    return biased ? binary_node(x, "Add", "_biased", y, x->n.input[2]) : y;
}

static TensorId image_mean(const Spelling *x, TensorId of)
{
    return unary_node(x, "GlobalAveragePool", "_mean", of);
}

static const char *is_instance_norm(const Scene *s, const Node *n)
{
    const Tensor *scale = node_input(s->graph, n, 1), *bias = node_input(s->graph, n, 2);
    bool known = scale && bias && scale->value && bias->value;
    return known && shape_of(s, n->input[0])->rank == 4 ? NULL
                                                        : "its factors are not constants of images";
}

/* A list of one number per channel, so shaped that it meets the channels of an image. */
static TensorId per_channel(const Spelling *x, const char *suffix, TensorId list)
{
    const int64_t shape[3] = {x->s->graph->tensor[list].value->nelem, 1, 1};
    return binary_node(x, "Reshape", suffix, list, integer_const(x, "_channels", shape, 3));
}

static TensorId spell_instance_norm(const Spelling *x)
{
    TensorId factor = per_channel(x, "_factor", x->n.input[1]);
    TensorId shift = per_channel(x, "_shift", x->n.input[2]);
    TensorId y = binary_node(x, "Mul", "_weighted", standardise_x(x, image_mean), factor);
    return binary_node(x, "Add", "_biased", y, shift);
}

/* ---- choosing ---- */

static const char *is_whole_image(const Scene *s, const Node *n)
{
    const Shape *shape = shape_of(s, n->input[0]);
    bool known = shape->rank == 4 && shape->dim[2].value > 0 && shape->dim[3].value > 0;
    return known ? NULL : "the size of its image is not known";
}

static TensorId spell_global_max(const Spelling *x)
{
    const Shape *shape = shape_of(x->s, x->n.input[0]);
    const int64_t kernel[2] = {shape->dim[2].value, shape->dim[3].value};
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "MaxPool", x->like, "_pooled", x->n.input[0], &node);
    rewrite_set_ints(x->e, node, "kernel_shape", kernel, 2);
    return out;
}

static int32_t gather_axis(const Scene *s, const Node *n)
{
    int32_t rank = shape_of(s, n->input[0])->rank;
    int64_t axis = node_attr_int(n, "axis", 0);
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank ? (int32_t)axis : -1;
}

static bool index_at(const Scene *s, const Node *n, int64_t i, int64_t size, int64_t *ret)
{
    const Const *c = node_constant(s->graph, n, 1);
    if (!c || i >= c->nelem || !const_int(c, i, ret))
        return false;
    *ret += *ret < 0 ? size : 0;
    return *ret >= 0 && *ret < size;
}

/* The indices are one number, or a list of them. */
static const char *is_choice(const Scene *s, const Node *n)
{
    const Shape *in = shape_of(s, n->input[0]), *out = shape_of(s, n->output[0]);
    const Tensor *index = node_input(s->graph, n, 1);
    int32_t axis = gather_axis(s, n);
    int64_t i;
    if (!index || !index->value || index->shape.rank > 1 || axis < 0 || in->dim[axis].value <= 0 ||
        !shape_is_known(out) || out->rank < 1 || out->rank > EDIT_PERMUTE_MAX_RANK)
        return "its indices are not known";
    if (s->opset < OPSET_SLICE)
        return "it needs Slice of opset 10";
    for (int64_t k = 0; k < index->value->nelem; k++)
        if (!index_at(s, n, k, in->dim[axis].value, &i))
            return "its indices are not known";
    int64_t first = 0, next = 0;
    index_at(s, n, 0, in->dim[axis].value, &first);
    for (int64_t k = 1; k < index->value->nelem; k++)
        if (!index_at(s, n, k, in->dim[axis].value, &next) || next != first + k)
            return in->rank == 4 && axis == 1 ? NULL : "its indices do not follow each other";
    return NULL;
}

/* The indices follow each other. */
static const char *is_run(const Scene *s, const Node *n)
{
    const char *why = is_choice(s, n);
    int64_t size = why ? 0 : shape_of(s, n->input[0])->dim[gather_axis(s, n)].value;
    int64_t count = why ? 0 : node_input(s->graph, n, 1)->value->nelem, first = 0, next = 0;
    index_at(s, n, 0, size, &first);
    for (int64_t k = 1; k < count && !why; k++)
        if (!index_at(s, n, k, size, &next) || next != first + k)
            why = "its indices do not follow each other";
    return why;
}

/* In any order: a Conv that multiplies one channel by 1, and all others by 0. */
static TensorId choose_channels(const Spelling *x, int64_t from, int64_t count)
{
    Dim dim[4] = {{.value = count}, {.value = from}, {.value = 1}, {.value = 1}};
    const Shape shape = {.rank = 4, .dim = dim};
    float *w = ARENA_ARRAY(x->e->arena, float, (size_t)(count * from));
    int64_t i = 0;
    for (int64_t k = 0; k < count; k++)
        if (index_at(x->s, &x->n, k, from, &i))
            w[k * from + i] = 1;
    return binary_node(x, "Conv", "_chosen", x->n.input[0],
                       rewrite_add_floats(x->e, x->like, "_one_hot", &shape, w));
}

/* Of stacked images ([2,1,24,44,44] along its first axis) the channels of one; 0 when the axis is
 * not alone before a single image. */
static int64_t flat_scale(const Shape *in, int32_t axis)
{
    if (in->rank < 5 || axis > in->rank - 4)
        return 0;
    for (int32_t i = 0; i < in->rank; i++)
        if (in->dim[i].value <= 0 || (i != axis && i < in->rank - 3 && in->dim[i].value != 1))
            return 0;
    return in->dim[in->rank - 3].value;
}

static TensorId spell_gather(const Spelling *x)
{
    const Shape *in = shape_of(x->s, x->n.input[0]), *out = shape_of(x->s, x->n.output[0]);
    const Tensor *index = node_input(x->s->graph, &x->n, 1);
    int64_t axis = gather_axis(x->s, &x->n), count = index->value->nelem, first = 0, next = 0;
    int64_t sizes[EDIT_PERMUTE_MAX_RANK];
    NodeId node;
    for (int64_t k = 0; k < count; k++)
        if (index_at(x->s, &x->n, k, in->dim[axis].value, &next) && k == 0)
            first = next;
        else if (next != first + k)
            return choose_channels(x, in->dim[axis].value, count);
    TensorId from = x->n.input[0];
    int64_t scale = flat_scale(in, (int32_t)axis);
    if (scale) { /* the axis before the image's, and all are its channels */
        const int64_t flat[4] = {1, in->dim[axis].value * scale, in->dim[in->rank - 2].value,
                                 in->dim[in->rank - 1].value};
        from = binary_node(x, "Reshape", "_flat", from, integer_const(x, "_flat_shape", flat, 4));
        first *= scale;
        count *= scale;
        axis = 1;
    }
    int64_t end = first + count;
    TensorId part = rewrite_add_node(x->e, "Slice", x->like, "_part", from, &node);
    rewrite_set_input(x->e, node, 1, integer_const(x, "_starts", &first, 1));
    rewrite_set_input(x->e, node, 2, integer_const(x, "_ends", &end, 1));
    rewrite_set_input(x->e, node, 3, integer_const(x, "_axis", &axis, 1));
    if (index->shape.rank == 1 && !scale)
        return part;
    for (int32_t i = 0; i < out->rank; i++)
        sizes[i] = out->dim[i].value;
    return binary_node(x, "Reshape", "_chosen", part, integer_const(x, "_shape", sizes, out->rank));
}

/* ---- moving along an axis that the NPU's operator does not take ---- */

/* A list that is an attribute in old opsets and an input in others. */
static bool int_at(const Scene *s, const Node *n, uint32_t input, const char *attr, int64_t *ret)
{
    const int64_t *list;
    const Const *c = node_constant(s->graph, n, input);
    size_t count = node_attr_ints(n, attr, &list);
    if (count == 1)
        *ret = list[0];
    return count == 1 || (c && c->nelem == 1 && const_int(c, 0, ret));
}

typedef struct {
    int64_t axis, size, first, end;
} Cut;

/* A Slice along one axis that takes every element from `first` to `end`. */
static bool cut_of(const Scene *s, const Node *n, Cut *ret)
{
    Cut c = {.axis = 0};
    int64_t step = 1;
    const Shape *in = shape_of(s, n->input[0]);
    bool stepped = n->ninput > 4 && n->input[4] != TENSOR_NONE;
    if (!int_at(s, n, 1, "starts", &c.first) || !int_at(s, n, 2, "ends", &c.end) ||
        !int_at(s, n, 3, "axes", &c.axis) || (stepped && !int_at(s, n, 4, "steps", &step)))
        return false;
    c.axis += c.axis < 0 ? in->rank : 0;
    if (step != 1 || c.axis < 0 || c.axis >= in->rank || in->dim[c.axis].value <= 0)
        return false;
    c.size = in->dim[c.axis].value;
    c.first += c.first < 0 ? c.size : 0;
    c.end += c.end < 0 ? c.size : 0;
    c.end = c.end > c.size ? c.size : c.end;
    *ret = c;
    return c.first >= 0 && c.first < c.end;
}

static const char *is_cut(const Scene *s, const Node *n)
{
    Cut c;
    return cut_of(s, n, &c) ? NULL : "it takes no single run of elements along one axis";
}

static TensorId spell_slice(const Spelling *x)
{
    Cut c;
    if (!cut_of(x->s, &x->n, &c))
        return x->n.output[0];
    const int64_t part[3] = {c.first, c.end - c.first, c.size - c.end};
    int64_t size[3], n = 0;
    TensorId out[3], result = TENSOR_NONE;
    NodeId node;
    TensorId first = rewrite_add_node(x->e, "Split", x->like, "_part", x->n.input[0], &node);
    for (int i = 0; i < 3; i++) {
        if (!part[i])
            continue;
        out[n] = n ? editor_tensor(x->e, x->like, "_part") : first;
        result = i == 1 ? out[n] : result;
        size[n++] = part[i];
    }
    if (x->s->opset >= OPSET_SPLIT_INPUT)
        rewrite_set_input(x->e, node, 1, integer_const(x, "_sizes", size, n));
    else
        rewrite_set_ints(x->e, node, "split", size, (size_t)n);
    rewrite_set_int(x->e, node, "axis", c.axis);
    rewrite_set_outputs(x->e, node, out, (uint32_t)n);
    return result;
}

/* ---- joining along an axis that the NPU's Concat does not take: a Transpose swaps it with the one
 * before ---- */

static int64_t join_axis(const Scene *s, const Node *n)
{
    int64_t axis = node_attr_int(n, "axis", 1);
    return axis < 0 ? axis + shape_of(s, n->output[0])->rank : axis;
}

static const char *is_join(const Scene *s, const Node *n)
{
    int32_t rank = shape_of(s, n->output[0])->rank;
    int64_t axis = join_axis(s, n);
    return rank >= 3 && rank <= EDIT_PERMUTE_MAX_RANK && axis > 1 && axis < rank
               ? NULL
               : "it does not join along an axis after the channels";
}

/* Converts with one scale, from which every int8 value comes back, and one zero point. */
static bool has_one_scale(const Scene *s, const Node *n, const char *op)
{
    return n && editor_is_op(n, op) && n->ninput == 3 && n->input[1] != TENSOR_NONE &&
           n->input[2] != TENSOR_NONE && shape_of(s, n->input[1])->rank == 0 &&
           shape_of(s, n->input[2])->rank == 0 &&
           editor_is_8_bit(s->graph->tensor[n->input[2]].dtype) &&
           rewrite_scale_is_sound(s->graph, n->input[1]);
}

/* Every part, and the result, have a scale and a zero point that the Transposes keep. */
static bool joins_quantized(const Scene *s, const Node *n)
{
    for (uint32_t i = 0; i < n->ninput; i++)
        if (!has_one_scale(s, tensor_maker(s->graph, n->input[i]), "DequantizeLinear"))
            return false;
    return has_one_scale(s, rewrite_only_reader(s->graph, n->output[0]), "QuantizeLinear");
}

/* `t` quantized and dequantized with a scale and a zero point; as it is when they are NULL. */
static TensorId requantize(const Spelling *x, TensorId t, const TensorId *parameter)
{
    static const char *const op[2] = {"QuantizeLinear", "DequantizeLinear"};
    for (int i = 0; i < 2 && parameter; i++) {
        NodeId node;
        t = rewrite_add_node(x->e, op[i], x->like, i ? "_dequantized" : "_quantized", t, &node);
        rewrite_set_input(x->e, node, 1, parameter[0]);
        rewrite_set_input(x->e, node, 2, parameter[1]);
    }
    return t;
}

static TensorId swap_join_axis(const Spelling *x, TensorId t)
{
    int64_t perm[EDIT_PERMUTE_MAX_RANK], axis = join_axis(x->s, &x->n);
    int32_t rank = shape_of(x->s, x->n.output[0])->rank;
    NodeId node;
    for (int32_t i = 0; i < rank; i++)
        perm[i] = i == axis ? axis - 1 : i == axis - 1 ? axis : i;
    TensorId out = rewrite_add_node(x->e, "Transpose", x->like, "_turned", t, &node);
    rewrite_set_ints(x->e, node, "perm", perm, (size_t)rank);
    return out;
}

static TensorId spell_concat(const Spelling *x)
{
    const Graph *g = x->s->graph;
    bool quantized = joins_quantized(x->s, &x->n);
    const TensorId *result = quantized ? rewrite_only_reader(g, x->n.output[0])->input + 1 : NULL;
    TensorId *part = ARENA_ARRAY(x->e->arena, TensorId, x->n.ninput);
    for (uint32_t i = 0; i < x->n.ninput; i++) {
        const TensorId *own = quantized ? tensor_maker(g, x->n.input[i])->input + 1 : NULL;
        part[i] = requantize(x, swap_join_axis(x, x->n.input[i]), own);
    }
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "Concat", x->like, "_joined", part[0], &node);
    for (uint32_t i = 1; i < x->n.ninput; i++)
        rewrite_set_input(x->e, node, i, part[i]);
    rewrite_set_int(x->e, node, "axis", join_axis(x->s, &x->n) - 1);
    return swap_join_axis(x, requantize(x, out, result));
}

/* ---- the table ---- */

static const struct {
    OpIndex op;
    const MessageId *instead; /* what a reader is told */
    const char *(*why_not)(const Scene *s, const Node *n);
    TensorId (*spell)(const Spelling *x);
} spelling[] = {
    {OP_HardSigmoid, &message_SPELL_GATE, has_clip, spell_hard_sigmoid},
    {OP_HardSwish, &message_SPELL_SWISH, has_clip, spell_hard_swish},
    {OP_Max, &message_SPELL_CLIP, has_bound, spell_max},
    {OP_Min, &message_SPELL_CLIP, has_bound, spell_min},
    {OP_Div, &message_SPELL_QUOTIENT, is_quotient, spell_div},
    {OP_Reciprocal, &message_SPELL_INVERSE, no_obstacle, spell_reciprocal},
    {OP_Neg, &message_SPELL_NEGATIVE, no_obstacle, spell_neg},
    {OP_ReduceMean, &message_SPELL_MEAN, is_mean, spell_mean},
    {OP_LayerNormalization, &message_SPELL_LAYER_NORM, is_layer_norm, spell_layer_norm},
    {OP_InstanceNormalization, &message_SPELL_INSTANCE_NORM, is_instance_norm, spell_instance_norm},
    {OP_GlobalMaxPool, &message_SPELL_GLOBAL_MAX, is_whole_image, spell_global_max},
    {OP_Gather, &message_SPELL_SLICE, is_run, spell_gather},
    {OP_Gather, &message_SPELL_CHANNELS, is_choice, spell_gather},
    {OP_Slice, &message_SPELL_SPLIT, is_cut, spell_slice},
    {OP_Concat, &message_SPELL_CONCAT, is_join, spell_concat},
};

enum { SPELLINGS = sizeof spelling / sizeof *spelling };

/* The first line that fits the node; SPELLINGS when none does. */
static size_t spelling_of(const Scene *s, const Node *n)
{
    bool whole = !*n->domain && n->ninput && n->input[0] != TENSOR_NONE && n->noutput &&
                 n->output[0] != TENSOR_NONE;
    size_t i = whole ? 0 : SPELLINGS;
    while (i < SPELLINGS && ((OpId)spelling[i].op != n->op_id || spelling[i].why_not(s, n)))
        i++;
    return i;
}

const MessageId *rewrite_decomposed(const Scene *s, NodeId node)
{
    size_t i = spelling_of(s, &s->graph->node[node]);
    return i < SPELLINGS ? spelling[i].instead : NULL;
}

/* Its values have scales of their own, which parts of it would lack. */
static bool is_quantized(const Scene *s, const Node *n)
{
    for (uint32_t i = 0; i < n->ninput; i++) {
        const Node *maker = tensor_maker(s->graph, n->input[i]);
        if (maker && editor_is_op(maker, "DequantizeLinear"))
            return true;
    }
    return false;
}

const char *rewrite_check_spell_out(const Scene *s, NodeId node)
{
    const Node *n = &s->graph->node[node];
    if (!rewrite_decomposed(s, node))
        return "the NPU has no other operators for it";
    if (s->graph->tensor[n->output[0]].dtype != DT_FLOAT32)
        return "its values are not float32";
    if (is_quantized(s, n) && !(n->op_id == OP_Concat && joins_quantized(s, n)))
        return "it is quantized: the float model has to be changed, and quantized again";
    return rewrite_is_rewirable(s->graph, n->output[0]) ? NULL : "a body reads its result";
}

void rewrite_spell_out(Editor *e, const Scene *s, NodeId node)
{
    const Spelling x = {e, s, s->graph->node[node], s->graph->node[node].output[0]};
    rewrite_replace_result(e, node, spelling[spelling_of(s, &x.n)].spell(&x));
}

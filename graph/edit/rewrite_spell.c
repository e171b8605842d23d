/* Replaces an operator that the NPU lacks by operators that it has (spell-out). Real numbers
 * stay the same; float32 rounds in other places. The table has one line per operator. */
#include "graph/base/messages.h"
#include "graph/edit/spell.h"

enum {
    OPSET_CLIP_INPUTS = 11,
    OPSET_AXES_INPUT = 13,
    OPSET_GROUP_PER_CHANNEL = 21,
    ROWS_MAX = 4096
};

/* ---- activations ---- */

static TensorId clip_node(const Spelling *x, TensorId a, TensorId lo, TensorId hi)
{
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "Clip", x->like, "_clipped", a, &node);
    rewrite_set_input(x->e, node, 1, lo);
    rewrite_set_input(x->e, node, 2, hi);
    return out;
}

/* With Mul before Add the quantizer of 0.9 panics after a Conv without bias. */
static TensorId hard_sigmoid(const Spelling *x, float alpha, float beta)
{
    TensorId shift = spell_scalar(x, "_shift", beta / alpha);
    TensorId shifted = spell_binary(x, "Add", "_shifted", x->n.input[0], shift);
    TensorId scaled = spell_binary(x, "Mul", "_scaled", shifted, spell_scalar(x, "_alpha", alpha));
    return clip_node(x, scaled, spell_scalar(x, "_zero", 0), spell_scalar(x, "_one", 1));
}

static TensorId spell_hard_sigmoid(const Spelling *x)
{
    return hard_sigmoid(x, (float)node_attr_float(&x->n, "alpha", 0.2),
                        (float)node_attr_float(&x->n, "beta", 0.5));
}

static TensorId spell_hard_swish(const Spelling *x)
{
    return spell_binary(x, "Mul", "_gated", x->n.input[0], hard_sigmoid(x, 1.0F / 6, 0.5F));
}

static const char *has_clip(const Scene *s, const Node *n)
{
    (void)n;
    return s->opset < OPSET_CLIP_INPUTS ? "it needs Clip of opset 11" : NULL;
}

static const char *has_slope(const Scene *s, const Node *n)
{
    double alpha = node_attr_float(n, "alpha", 0.2), beta = node_attr_float(n, "beta", 0.5);
    return fabs(beta) < 0x1p10 * fabs(alpha) ? has_clip(s, n) : "its slope is too flat";
}

/* One of two inputs is one number: Clip does it. */
static const char *has_bound(const Scene *s, const Node *n)
{
    double v;
    if (s->opset < OPSET_CLIP_INPUTS || n->ninput != 2)
        return "it needs two inputs, and Clip of opset 11";
    return LIST_VALUE(i, 2,
                      rewrite_scalar_value(s->graph, n->input[i], &v) &&
                          spell_shape(s, n->input[i])->rank == 0,
                      NULL, "neither side is one constant number");
}

static TensorId spell_bound(const Spelling *x)
{
    double v;
    int bound = rewrite_scalar_value(x->s->graph, x->n.input[1], &v);
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "Clip", x->like, "_clipped", x->n.input[!bound], &node);
    rewrite_set_input(x->e, node, x->n.op_id == OP_Min ? 2 : 1, x->n.input[bound]);
    return out;
}

/* `t` is `x` times one number. */
static bool is_share(const Scene *s, TensorId t, TensorId x, double *ret)
{
    const Node *mul = tensor_maker(s->graph, t);
    return mul && editor_is_op(mul, "Mul") && mul->ninput == 2 &&
           LIST_ANY(k, 2,
                    mul->input[k] == x && rewrite_scalar_value(s->graph, mul->input[!k], ret) &&
                        spell_shape(s, mul->input[!k])->rank == 0);
}

static TensorId input_of(const Scene *s, TensorId t, const char *op)
{
    const Node *n = tensor_maker(s->graph, t);
    return n && editor_is_op(n, op) && n->ninput ? n->input[0] : TENSOR_NONE;
}

/* `t` is a number times Relu(-x). */
static bool is_share_below(const Scene *s, TensorId t, TensorId x, double *ret)
{
    const Node *mul = tensor_maker(s->graph, t);
    for (uint32_t k = 0; mul && mul->ninput == 2 && k < 2; k++) {
        TensorId below = input_of(s, mul->input[k], "Relu");
        double minus = 0;
        if (below != TENSOR_NONE && is_share(s, t, mul->input[k], ret) &&
            (input_of(s, below, "Neg") == x || (is_share(s, below, x, &minus) && minus == -1)))
            return true;
    }
    return false;
}

/* The node takes x where that is above zero, else a share of x. */
static bool is_choice_by_sign(const Scene *s, const Node *n, TensorId *ret, double *slope)
{
    double zero = 1;
    const Node *test = tensor_maker(s->graph, n->input[0]);
    bool above = test && op_is(test->op_id, OP_Greater, OP_GreaterOrEqual);
    if (!test || test->ninput != 2 || n->ninput != 3 ||
        (!above && !op_is(test->op_id, OP_Less, OP_LessOrEqual)) ||
        !rewrite_scalar_value(s->graph, test->input[1], &zero) ||
        spell_shape(s, test->input[1])->rank || zero != 0)
        return false;
    *ret = test->input[0];
    return n->input[above ? 1 : 2] == *ret && is_share(s, n->input[above ? 2 : 1], *ret, slope);
}

/* What the node is LeakyRelu of, and its slope. */
static bool find_leaky(const Scene *s, const Node *n, TensorId *ret, double *slope)
{
    const Const *slopes = node_constant(s->graph, n, 1);
    if (n->op_id == OP_Where)
        return is_choice_by_sign(s, n, ret, slope);
    *ret = n->input[0];
    if (n->op_id == OP_PRelu)
        return slopes && slopes->nelem > 0 && const_float(slopes, 0, slope) &&
               const_is_all(slopes, *slope);
    for (uint32_t i = 0; n->ninput == 2 && i < (n->op_id == OP_Sub ? 1 : 2); i++) {
        *ret = n->op_id == OP_Max ? n->input[i] : input_of(s, n->input[i], "Relu");
        if (n->op_id == OP_Max
                ? is_share(s, n->input[!i], *ret, slope) && *slope >= 0 && *slope <= 1
                : *ret != TENSOR_NONE && is_share_below(s, n->input[!i], *ret, slope)) {
            *slope *= n->op_id == OP_Add ? -1 : 1;
            return true;
        }
    }
    return false;
}

static const char *is_leaky(const Scene *s, const Node *n)
{
    double slope;
    TensorId of;
    return find_leaky(s, n, &of, &slope) ? NULL : "it is not x above zero and a share of x below";
}

static TensorId spell_leaky(const Spelling *x)
{
    double slope = 0;
    NodeId node;
    TensorId of = x->n.input[0];
    find_leaky(x->s, &x->n, &of, &slope);
    TensorId out = rewrite_add_node(x->e, "LeakyRelu", x->like, "_leaky", of, &node);
    rewrite_set_float(x->e, node, "alpha", slope);
    return out;
}

/* ---- quotients ---- */

static TensorId reciprocal_node(const Spelling *x, TensorId of)
{
    return spell_binary(x, "Pow", "_reciprocal", of, spell_scalar(x, "_minus_one", -1));
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
    return spell_binary(x, "Mul", "_quotient", x->n.input[0], reciprocal_node(x, x->n.input[1]));
}

static TensorId spell_reciprocal(const Spelling *x)
{
    return reciprocal_node(x, x->n.input[0]);
}

static TensorId spell_neg(const Spelling *x)
{
    return spell_binary(x, "Mul", "_negative", x->n.input[0], spell_scalar(x, "_minus_one", -1));
}

static const char *no_obstacle(const Scene *s, const Node *n)
{
    (void)s;
    (void)n;
    return NULL;
}

static const char *has_two_inputs(const Scene *s, const Node *n)
{
    return node_input(s->graph, n, 1) ? NULL : "it has no bias";
}

/* The sequence that the vendor's quantizer fuses. */
static TensorId spell_bias_gelu(const Spelling *x)
{
    TensorId sum = spell_binary(x, "Add", "_biased", x->n.input[0], x->n.input[1]);
    TensorId scaled = spell_binary(x, "Div", "_scaled", sum, spell_scalar(x, "_root", sqrtf(2)));
    TensorId gate = spell_binary(x, "Add", "_gate", spell_unary(x, "Erf", "_erf", scaled),
                                 spell_scalar(x, "_one", 1));
    return spell_binary(x, "Mul", "_gated", spell_binary(x, "Mul", "_whole", sum, gate),
                        spell_scalar(x, "_half", 0.5F));
}

/* ---- means and normalisations ---- */

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
    size_t count = spell_axes(s, n, axis);
    return mean_count(spell_shape(s, n->input[0]), axis, count) ? NULL : "its axes are not known";
}

static TensorId mean_over(const Spelling *x, TensorId of, const int64_t *axis, size_t naxis,
                          int64_t keep, int64_t n)
{
    NodeId node;
    TensorId sum = rewrite_add_node(x->e, "ReduceSum", x->like, "_sum", of, &node);
    if (x->s->opset >= OPSET_AXES_INPUT)
        rewrite_set_input(x->e, node, 1, spell_integers(x, "_axes", axis, (int64_t)naxis));
    else
        rewrite_set_ints(x->e, node, "axes", axis, naxis);
    rewrite_set_int(x->e, node, "keepdims", keep);
    return spell_binary(x, "Mul", "_mean", sum, spell_scalar(x, "_share", 1.0F / (float)n));
}

static TensorId spell_mean(const Spelling *x)
{
    int64_t axis[EDIT_PERMUTE_MAX_RANK];
    size_t count = spell_axes(x->s, &x->n, axis);
    int64_t n = mean_count(spell_shape(x->s, x->n.input[0]), axis, count);
    return mean_over(x, x->n.input[0], axis, count, node_attr_int(&x->n, "keepdims", 1), n);
}

/* The mean of something of the input's shape. */
typedef TensorId (*Mean)(const Spelling *x, TensorId of);

/* The input of ONNX Runtime's norms of a sum that has a bias; 0 for other operators. */
static uint32_t skip_bias(const Node *n)
{
    return n->op_id == OP_MsSkipLayerNormalization             ? 4
           : n->op_id == OP_MsSkipSimplifiedLayerNormalization ? 3
                                                               : 0;
}

/* off * (the mean of its squares + epsilon)^-0.5 */
static TensorId scale_to_one(const Spelling *x, TensorId off, Mean mean)
{
    float epsilon = (float)node_attr_float(&x->n, "epsilon", skip_bias(&x->n) ? 1e-12 : 1e-5);
    TensorId variance = mean(x, spell_binary(x, "Mul", "_squared", off, off));
    TensorId above =
        spell_binary(x, "Add", "_above_zero", variance, spell_scalar(x, "_epsilon", epsilon));
    TensorId scale = spell_binary(x, "Pow", "_scale", above, spell_scalar(x, "_minus_half", -0.5F));
    return spell_binary(x, "Mul", "_standardised", off, scale);
}

static TensorId standardise_x(const Spelling *x, Mean mean)
{
    TensorId off = spell_binary(x, "Sub", "_centred", x->n.input[0], mean(x, x->n.input[0]));
    return scale_to_one(x, off, mean);
}

/* First of the axes that a LayerNormalization takes together; -1 when that is not known. */
static int32_t first_axis(const Scene *s, const Node *n)
{
    int32_t rank = spell_shape(s, n->input[0])->rank;
    int64_t axis = node_attr_int(n, "axis", -1);
    axis += axis < 0 ? rank : 0;
    return rank > EDIT_PERMUTE_MAX_RANK || axis < 0 || axis >= rank ? -1 : (int32_t)axis;
}

static TensorId layer_mean(const Spelling *x, TensorId of)
{
    const Shape *shape = spell_shape(x->s, x->n.input[0]);
    int64_t axis[EDIT_PERMUTE_MAX_RANK];
    size_t n = 0;
    for (int32_t i = first_axis(x->s, &x->n); i < shape->rank; i++)
        axis[n++] = i;
    return mean_over(x, of, axis, n, 1, mean_count(shape, axis, n));
}

static const char *is_layer_norm(const Scene *s, const Node *n)
{
    const Shape *shape = spell_shape(s, n->input[0]);
    if (n->noutput > 1)
        return "its mean is an output as well";
    if (LIST_ANY(i, shape->rank, i >= first_axis(s, n) && shape->dim[i].value <= 0))
        return "its axes are not known";
    return shape->rank > 0 && first_axis(s, n) >= 0 && n->ninput > 1 ? NULL
                                                                     : "its shape is not known";
}

static TensorId spell_layer_norm(const Spelling *x)
{
    TensorId y = spell_binary(x, "Mul", "_weighted", standardise_x(x, layer_mean), x->n.input[1]);
    bool biased = x->n.ninput > 2 && x->n.input[2] != TENSOR_NONE;
    return biased ? spell_binary(x, "Add", "_biased", y, x->n.input[2]) : y;
}

static TensorId spell_rms_norm(const Spelling *x)
{
    return spell_binary(x, "Mul", "_weighted", scale_to_one(x, x->n.input[0], layer_mean),
                        x->n.input[1]);
}

static const char *is_skip_norm(const Scene *s, const Node *n)
{
    Node norm = *n;
    norm.noutput = 1;
    for (uint32_t k = 1; k < 3; k++) {
        const Tensor *t = node_output(s->graph, n, k);
        if (t && (t->nconsumer || t->is_output))
            return "its mean is an output as well";
    }
    return n->ninput > 2 && n->input[1] != TENSOR_NONE ? is_layer_norm(s, &norm)
                                                       : "it has no scale";
}

/* The sum may be an output as well: then it keeps its name. */
static TensorId spell_skip_norm(const Spelling *x)
{
    const uint32_t bias = skip_bias(&x->n);
    Graph *g = x->e->graph;
    Spelling of = *x;
    TensorId sum = spell_binary(x, "Add", "_sum", x->n.input[0], x->n.input[1]);
    if (node_input(g, &x->n, bias))
        sum = spell_binary(x, "Add", "_biased_sum", sum, x->n.input[bias]);
    if (node_output(g, &x->n, 3)) {
        rewrite_set_outputs(x->e, g->tensor[sum].producer, &x->n.output[3], 1);
        sum = x->n.output[3];
        g->node[g->tensor[x->like].producer].noutput = 1;
    }
    g->tensor[sum].shape = *spell_shape(x->s, x->n.input[0]);
    of.n.input = (TensorId[]){sum, x->n.input[2],
                              bias == 4 && x->n.ninput > 3 ? x->n.input[3] : TENSOR_NONE};
    of.n.ninput = 3;
    return bias == 4 ? spell_layer_norm(&of) : spell_rms_norm(&of);
}

static TensorId image_mean(const Spelling *x, TensorId of)
{
    return spell_unary(x, "GlobalAveragePool", "_mean", of);
}

/* Rows of numbers, as groups of channels are given, become images of the same numbers. */
static bool rows_as_images(const Shape *shape, int64_t image[4])
{
    int64_t n = shape->rank == 3 ? shape->dim[2].value : 0, height = 1;
    for (int64_t h = 2; h * h <= n && h <= ROWS_MAX; h++)
        height = n % h == 0 ? h : height;
    memcpy(image, (int64_t[]){0, 0, height, n > 0 ? n / height : 0}, 4 * sizeof *image);
    return n > 0;
}

static const char *is_instance_norm(const Scene *s, const Node *n)
{
    const Tensor *scale = node_input(s->graph, n, 1), *bias = node_input(s->graph, n, 2);
    bool known = scale && bias && scale->value && bias->value;
    int64_t image[4];
    const Shape *shape = spell_shape(s, n->input[0]);
    return known && (shape->rank == 4 || rows_as_images(shape, image))
               ? NULL
               : "its factors are not constants of images";
}

/* A list of one number per channel, so shaped that it meets the channels of an image. */
static TensorId per_channel(const Spelling *x, const char *suffix, TensorId list)
{
    const int64_t shape[3] = {x->s->graph->tensor[list].value->nelem, 1, 1};
    return spell_binary(x, "Reshape", suffix, list, spell_integers(x, "_channels", shape, 3));
}

/* Standardises images of that size (NULL: as they are), and weights each channel, or each group
 * before `size` comes back. */
static TensorId weighted_images(const Spelling *x, const int64_t images[4], const int64_t *size,
                                int64_t nsize, bool by_group)
{
    Spelling of = *x;
    TensorId input = x->n.input[0], back = TENSOR_NONE;
    if (images) {
        input = spell_binary(x, "Reshape", "_images", input,
                             spell_integers(x, "_images_size", images, 4));
        back = spell_integers(x, "_size", size, nsize);
    }
    of.n.input = &input;
    TensorId y = standardise_x(&of, image_mean);
    y = images && !by_group ? spell_binary(x, "Reshape", "_channels", y, back) : y;
    y = spell_binary(x, "Mul", "_weighted", y, per_channel(x, "_factor", x->n.input[1]));
    y = spell_binary(x, "Add", "_biased", y, per_channel(x, "_shift", x->n.input[2]));
    return images && by_group ? spell_binary(x, "Reshape", "_channels", y, back) : y;
}

static TensorId spell_instance_norm(const Spelling *x)
{
    static const int64_t rows[3] = {0, 0, -1};
    int64_t image[4];
    bool flat = rows_as_images(spell_shape(x->s, x->n.input[0]), image);
    return weighted_images(x, flat ? image : NULL, rows, 3, true);
}

static const char *is_group_norm(const Scene *s, const Node *n)
{
    const Tensor *scale = node_input(s->graph, n, 1), *bias = node_input(s->graph, n, 2);
    const Shape *shape = spell_shape(s, n->input[0]);
    int64_t group = node_attr_int(n, "num_groups", 0);
    bool images = scale && bias && scale->value && bias->value && shape->rank == 4 && group > 0 &&
                  shape_elements(shape) > 0 && shape->dim[1].value % group == 0;
    return images ? NULL : "its factors are not constants of images";
}

/* The channels of a group are one image of as many rows. */
static TensorId spell_group_norm(const Spelling *x)
{
    const Dim *dim = spell_shape(x->s, x->n.input[0])->dim;
    int64_t group = node_attr_int(&x->n, "num_groups", 1);
    int64_t images[4] = {0, group, dim[1].value / group * dim[2].value, dim[3].value};
    int64_t size[4] = {0, dim[1].value, dim[2].value, dim[3].value};
    return weighted_images(x, images, size, 4, x->s->opset < OPSET_GROUP_PER_CHANNEL);
}

/* ---- the table ---- */

static const struct {
    OpIndex op;
    const MessageId *instead; /* what a reader is told */
    SpellingCheck *why_not;
    SpellingMaker *spell;
} spelling[] = {
#define SPELLING(op, says, why_not, spell) {OP_##op, &message_SPELL_##says, why_not, spell},
#include "graph/edit/spellings.def"
};

enum { SPELLINGS = sizeof spelling / sizeof *spelling };

/* The first line that fits the node; SPELLINGS when none does. */
static size_t spelling_of(const Scene *s, const Node *n)
{
    bool whole =
        n->ninput && n->input[0] != TENSOR_NONE && n->noutput && n->output[0] != TENSOR_NONE;
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

/* Its values have scales of their own, which the values between its operators would lack. */
static bool lacks_scales(const Scene *s, const Node *n)
{
    bool quantized = false;
    for (uint32_t i = 0; i < n->ninput; i++) {
        const Node *maker = tensor_maker(s->graph, n->input[i]);
        quantized |= maker && editor_is_op(maker, "DequantizeLinear");
    }
    bool one_operator = (op_is(n->op_id, OP_Conv, OP_Tile) && spell_not_volume(s, n)) ||
                        !spell_not_blocks(s, n) || spell_cuts_quantized(s, n);
    return quantized && !one_operator && !(n->op_id == OP_Concat && spell_joins_quantized(s, n));
}

const char *rewrite_check_spell_out(const Scene *s, NodeId node)
{
    const Node *n = &s->graph->node[node];
    if (!rewrite_decomposed(s, node))
        return "the NPU has no other operators for it";
    if (s->graph->tensor[n->output[0]].dtype != DT_FLOAT32)
        return "its values are not float32";
    if (lacks_scales(s, n))
        return "it is quantized: the float model has to be changed, and quantized again";
    return rewrite_is_rewirable(s->graph, n->output[0]) ? NULL : "a body reads its result";
}

void rewrite_spell_out(Editor *e, const Scene *s, NodeId node)
{
    const Spelling x = {e, s, s->graph->node[node], s->graph->node[node].output[0]};
    TensorId to = spelling[spelling_of(s, &x.n)].spell(&x);
    rewrite_take_over(e, node, to);
}

/* Converts pools with dilations, and ConvTranspose with groups. */
#include "graph/edit/opset_form.h"

/* ---- pools ---- */

static bool is_dilated(const OpsetNode *x)
{
    OpsetInts d = opset_attr_ints(x, "dilations");
    return LIST_ANY(i, d.n, d.v[i] != 1) || (d.given && !d.known);
}

const char *opset_form_lp_pool(OpsetNode *x)
{
    if (is_dilated(x) || node_attr_int(&x->was, "ceil_mode", 0))
        return opset_refuse(x, "opset 13 has neither dilations nor ceil_mode for it");
    rewrite_drop_attr(x->e, x->node, "dilations");
    rewrite_drop_attr(x->e, x->node, "ceil_mode");
    return NULL;
}

/* The average of a window is one Conv for each channel, unless what is counted depends on place. */
static const char *average_obstacle(const OpsetNode *x)
{
    const Tensor *a = opset_input(x, 0);
    OpsetInts pads = opset_attr_ints(x, "pads"), kernel = opset_attr_ints(x, "kernel_shape");
    int64_t padding = 0;
    for (size_t i = 0; i < pads.n; i++)
        padding |= pads.v[i];
    if (!a || a->shape.rank < 3 || a->shape.dim[1].value <= 0 ||
        kernel.n + 2 != (size_t)a->shape.rank)
        return "it has dilations, and the number of channels is not known";
    if (node_attr_int(&x->was, "ceil_mode", 0) ||
        strncmp(node_attr_string(&x->was, "auto_pad", "NOTSET"), "SAME", 4) == 0 ||
        (padding && !node_attr_int(&x->was, "count_include_pad", 0)))
        return "it has dilations, and its windows count different numbers of elements";
    return NULL;
}

static TensorId average_weights(OpsetNode *x, int64_t channels)
{
    OpsetInts kernel = opset_attr_ints(x, "kernel_shape");
    int64_t dim[OPSET_MAX_RANK] = {channels, 1}, window = 1;
    for (size_t i = 0; i < kernel.n && i + 2 < OPSET_MAX_RANK; i++) {
        dim[i + 2] = kernel.v[i];
        if (kernel.v[i] < 1 || window > OPSET_MAX_CONSTANT / kernel.v[i])
            return opset_refuse(x, "its window is too large"), TENSOR_NONE;
        window *= kernel.v[i];
    }
    if (channels > OPSET_MAX_CONSTANT / window)
        return opset_refuse(x, "its window is too large"), TENSOR_NONE;
    float *w = opset_room(x, channels * window, sizeof *w);
    for (int64_t i = 0; w && i < channels * window; i++)
        w[i] = 1.0F / (float)window;
    return w ? editor_constant(x->e, x->was.output[0], "_share", DT_FLOAT32, dim,
                               (int32_t)kernel.n + 2, w)
             : TENSOR_NONE;
}

static const char *average_by_conv(OpsetNode *x)
{
    static const char *const kept[] = {"auto_pad", "dilations", "kernel_shape", "pads", "strides"};
    const char *why = average_obstacle(x);
    if (why)
        return opset_refuse(x, why);
    int64_t channels = opset_input(x, 0)->shape.dim[1].value;
    TensorId weights = average_weights(x, channels);
    if (weights == TENSOR_NONE)
        return NULL;
    Attr *attr = ARENA_ARRAY(x->e->arena, Attr, sizeof kept / sizeof kept[0]);
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (node_attr(&x->was, kept[i]))
            attr[n++] = *node_attr(&x->was, kept[i]);
    opset_end(x, "Conv", x->was.input[0], weights);
    x->e->graph->node[x->node].attr = attr;
    x->e->graph->node[x->node].nattr = n;
    rewrite_set_int(x->e, x->node, "group", channels);
    return "Conv";
}

const char *opset_form_average_pool(OpsetNode *x)
{
    if (is_dilated(x))
        return opset_is_float(x) ? average_by_conv(x) : NULL;
    rewrite_drop_attr(x->e, x->node, "dilations");
    return NULL;
}

/* ---- ConvTranspose, which the quantizer refuses with groups ---- */

typedef struct {
    int64_t group, in, out, window; /* input channels; output channels of one group; elements */
} Deconv;

/* Zeros meet all channels of other groups. */
static void put_dense(float *to, const Const *weights, const Deconv *d)
{
    double v;
    for (int64_t c = 0; c < d->in; c++) {
        int64_t group = c / (d->in / d->group);
        float *row = to + (c * d->group + group) * d->out * d->window;
        for (int64_t i = 0; i < d->out * d->window; i++)
            row[i] = const_float(weights, c * d->out * d->window + i, &v) ? (float)v : 0;
    }
}

static const char *make_dense(OpsetNode *x, const Deconv *d)
{
    const Tensor *w = opset_input(x, 1);
    int64_t dim[OPSET_MAX_RANK];
    if (d->group > OPSET_MAX_CONSTANT / (shape_elements(&w->shape) + 1))
        return opset_refuse(x, "without groups its weights are larger than 256 MiB");
    float *dense = opset_room(x, d->in * d->group * d->out * d->window, sizeof *dense);
    if (!dense)
        return NULL;
    put_dense(dense, w->value, d);
    for (int32_t i = 0; i < w->shape.rank; i++)
        dim[i] = w->shape.dim[i].value;
    dim[1] = d->group * d->out;
    TensorId input[3] = {
        x->was.input[0],
        editor_constant(x->e, x->was.input[1], "_dense", DT_FLOAT32, dim, w->shape.rank, dense),
        x->was.ninput > 2 ? x->was.input[2] : TENSOR_NONE};
    rewrite_drop_attr(x->e, x->node, "group");
    opset_set_inputs(x, x->node, input, input[2] == TENSOR_NONE ? 2 : 3);
    return "ConvTranspose";
}

const char *opset_form_conv_transpose(OpsetNode *x)
{
    const Tensor *w = opset_input(x, 1);
    Deconv d = {.group = node_attr_int(&x->was, "group", 1), .window = 1};
    if (d.group == 1)
        return NULL;
    if (!w || !w->value || !w->value->data || w->value->dtype != DT_FLOAT32 || w->shape.rank < 3 ||
        w->shape.rank > OPSET_MAX_RANK || !shape_is_known(&w->shape))
        return opset_refuse(
            x, "the quantizer takes no groups, and its weights are computed at run time");
    d.in = w->shape.dim[0].value;
    d.out = w->shape.dim[1].value;
    for (int32_t i = 2; i < w->shape.rank; i++)
        d.window *= w->shape.dim[i].value;
    if (d.group < 1 || d.in < 1 || d.in % d.group || shape_elements(&w->shape) != w->value->nelem)
        return opset_refuse(x, "its groups do not divide the channels");
    return make_dense(x, &d);
}

/* Spells operators on windows, such as LRN, ReduceMax, SpaceToDepth, wide Convs. */
#include "graph/edit/spell.h"

enum { NPU_DILATION_MAX = 12 /* support table, since SDK 0.7 */, STRETCH_MAX = 4 };

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

/* ---- ReduceMax ---- */

/* A reduction along axes that follow each other is a pool of the axis that they are together. */
typedef struct {
    int64_t before, taken, after;
} Run;

static bool read_run(const Scene *s, const Node *n, Run *ret)
{
    int64_t axis[EDIT_PERMUTE_MAX_RANK], first = EDIT_PERMUTE_MAX_RANK, last = -1;
    const Shape *in = spell_shape(s, n->input[0]);
    size_t count = spell_axes(s, n, axis);
    for (size_t i = 0; i < count; i++) {
        first = axis[i] < first ? axis[i] : first;
        last = axis[i] > last ? axis[i] : last;
    }
    *ret = (Run){1, 1, 1};
    for (int32_t i = 0; i < in->rank; i++)
        *(i < first ? &ret->before : i > last ? &ret->after : &ret->taken) *= in->dim[i].value;
    return count && last - first + 1 == (int64_t)count && shape_elements(in) > 0;
}

const char *spell_not_pool(const Scene *s, const Node *n)
{
    Run r;
    const Shape *out = spell_shape(s, n->output[0]);
    if (!shape_is_known(spell_shape(s, n->input[0])) || !shape_is_known(out) || out->rank < 1 ||
        out->rank > EDIT_PERMUTE_MAX_RANK)
        return "its shape is not known";
    return read_run(s, n, &r) ? NULL : "its axes do not follow each other";
}

TensorId spell_reduce_max(const Spelling *x)
{
    Run r;
    NodeId node;
    read_run(x->s, &x->n, &r);
    bool wide = r.after == 1; /* the axis is the width, else the height */
    const int64_t image[4] = {1, wide ? 1 : r.before, wide ? r.before : r.taken,
                              wide ? r.taken : r.after};
    const int64_t kernel[2] = {wide ? 1 : r.taken, wide ? r.taken : 1};
    TensorId flat = spell_binary(x, "Reshape", "_image", x->n.input[0],
                                 spell_integers(x, "_image_size", image, 4));
    TensorId pooled = rewrite_add_node(x->e, "MaxPool", x->like, "_pooled", flat, &node);
    rewrite_set_ints(x->e, node, "kernel_shape", kernel, 2);
    rewrite_set_ints(x->e, node, "strides", kernel, 2);
    return spell_sized(x, "Reshape", "_largest", pooled, spell_shape(x->s, x->n.output[0]));
}

/* ---- LRN: x (bias + alpha / size * the sum of the neighbours' squares) ^ -beta ---- */

const char *spell_not_lrn(const Scene *s, const Node *n)
{
    const Shape *shape = spell_shape(s, n->input[0]);
    bool known = shape->rank == 4 && shape->dim[1].value > 0 && shape->dim[1].value <= 4096 &&
                 node_attr_int(n, "size", 0) > 0;
    return known ? NULL : "it is not of images with known channels";
}

static TensorId neighbours_conv(const Spelling *x, TensorId squared)
{
    int64_t c = spell_shape(x->s, x->n.input[0])->dim[1].value,
            size = node_attr_int(&x->n, "size", 1);
    float *w = ARENA_ARRAY(x->e->arena, float, (size_t)(c * c));
    float *bias = ARENA_ARRAY(x->e->arena, float, (size_t)c);
    Dim dim[4] = {{.value = c}, {.value = c}, {.value = 1}, {.value = 1}};
    for (int64_t i = 0; i < c; i++) {
        bias[i] = (float)node_attr_float(&x->n, "bias", 1);
        for (int64_t k = 0; k < c; k++)
            if (k >= i - (size - 1) / 2 && k <= i + size / 2)
                w[i * c + k] = (float)(node_attr_float(&x->n, "alpha", 1e-4) / (double)size);
    }
    NodeId node;
    TensorId sum = rewrite_add_node(x->e, "Conv", x->like, "_neighbours", squared, &node);
    const Shape square = {.rank = 4, .dim = dim}, list = {.rank = 1, .dim = dim};
    rewrite_set_input(x->e, node, 1, rewrite_add_floats(x->e, x->like, "_band", &square, w));
    rewrite_set_input(x->e, node, 2, rewrite_add_floats(x->e, x->like, "_bias", &list, bias));
    return sum;
}

TensorId spell_lrn(const Spelling *x)
{
    TensorId in = x->n.input[0], squared = spell_binary(x, "Mul", "_squared", in, in);
    float beta = (float)node_attr_float(&x->n, "beta", 0.75);
    TensorId scale = spell_binary(x, "Pow", "_scale", neighbours_conv(x, squared),
                                  spell_scalar(x, "_minus_beta", -beta));
    return spell_binary(x, "Mul", "_normalised", in, scale);
}

/* ---- Conv: weights too far apart are those of a larger kernel with zeros between ---- */

/* The least number of steps of at most NPU_DILATION_MAX that a dilation is made of; 0: too many. */
static int64_t dilation_steps(int64_t dilation)
{
    return LIST_VALUE(i, STRETCH_MAX,
                      dilation % (i + 1) == 0 && dilation / (i + 1) <= NPU_DILATION_MAX, i + 1, 0);
}

/* The node's weights, and the DequantizeLinear that makes them of int8 values around 0, or NULL. */
static const Const *kernel_of(const Scene *s, const Node *n, const Node **ret_dequantize)
{
    const Node *dq = n->ninput > 1 ? tensor_maker(s->graph, n->input[1]) : NULL;
    *ret_dequantize = dq;
    const Const *c = dq ? node_constant(s->graph, dq, 0) : node_constant(s->graph, n, 1);
    if (!c || !dq)
        return c && c->dtype == DT_FLOAT32 ? c : NULL;
    if (!editor_is_op(dq, "DequantizeLinear") || c->dtype != DT_INT8 || dq->ninput < 2)
        return NULL;
    const Const *zero = node_constant(s->graph, dq, 2);
    bool is_zero = zero ? LIST_ALL(i, zero->nbyte, !zero->data[i]) : dq->ninput == 2;
    return is_zero ? c : NULL;
}

const char *spell_not_dilated(const Scene *s, const Node *n)
{
    Window2 w;
    const Node *dq;
    const Const *kernel = kernel_of(s, n, &dq);
    const Shape *shape = kernel ? spell_shape(s, n->input[1]) : NULL;
    if (!kernel || !window2_read(s->graph, n, &w) || shape->rank != 4 || kernel->nelem < 1 ||
        shape_elements(shape) != kernel->nelem)
        return "its weights are not known";
    int64_t f = dilation_steps(w.dilation[0]), g = dilation_steps(w.dilation[1]);
    return f && g && f * g > 1 ? NULL : "no smaller dilation divides its own";
}

/* The weights of the node, `step` places apart, zeros between. */
static TensorId spread_weights(const Spelling *x, const Window2 *w, const int64_t step[2],
                               const int64_t size[2])
{
    const Node *dq;
    const Const *kernel = kernel_of(x->s, &x->n, &dq);
    const Shape *old = spell_shape(x->s, x->n.input[1]);
    const int64_t area = w->kernel[0] * w->kernel[1], images = kernel->nelem / area;
    const int64_t dim[4] = {old->dim[0].value, old->dim[1].value, size[0], size[1]};
    const size_t width = kernel->nbyte / (size_t)kernel->nelem;
    uint8_t *v = arena_alloc(x->e->arena, (size_t)(images * size[0] * size[1]) * width);
    for (int64_t i = 0; i < kernel->nelem; i++) {
        int64_t row = i % area / w->kernel[1] * step[0], column = i % w->kernel[1] * step[1];
        memcpy(v + (size_t)((i / area * size[0] + row) * size[1] + column) * width,
               kernel->data + (size_t)i * width, width);
    }
    TensorId spread = editor_constant(x->e, x->n.input[1], "_spread", kernel->dtype, dim, 4, v);
    if (!dq)
        return spread;
    const Node old_dq = *dq;
    NodeId node;
    TensorId out =
        rewrite_add_node(x->e, "DequantizeLinear", x->n.input[1], "_spread", spread, &node);
    x->e->graph->node[node].attr = old_dq.attr;
    x->e->graph->node[node].nattr = old_dq.nattr;
    for (uint32_t i = 1; i < old_dq.ninput; i++)
        rewrite_set_input(x->e, node, i, old_dq.input[i]);
    return out;
}

/* The Conv with other weights, of that size, and its attributes. */
static TensorId conv_like(const Spelling *x, TensorId in, TensorId weights, const int64_t size[2],
                          NodeId *ret_node)
{
    TensorId out = rewrite_add_node(x->e, "Conv", x->like, "_other", in, ret_node);
    x->e->graph->node[*ret_node].attr = x->n.attr;
    x->e->graph->node[*ret_node].nattr = x->n.nattr;
    rewrite_set_ints(x->e, *ret_node, "kernel_shape", size, 2);
    rewrite_set_input(x->e, *ret_node, 1, weights);
    if (x->n.ninput > 2 && x->n.input[2] != TENSOR_NONE)
        rewrite_set_input(x->e, *ret_node, 2, x->n.input[2]);
    return out;
}

TensorId spell_conv(const Spelling *x)
{
    Window2 w;
    NodeId node;
    window2_read(x->s->graph, &x->n, &w);
    const int64_t step[2] = {dilation_steps(w.dilation[0]), dilation_steps(w.dilation[1])};
    const int64_t size[2] = {step[0] * (w.kernel[0] - 1) + 1, step[1] * (w.kernel[1] - 1) + 1};
    const int64_t dilation[2] = {w.dilation[0] / step[0], w.dilation[1] / step[1]};
    TensorId weights = spread_weights(x, &w, step, size);
    TensorId out = conv_like(x, x->n.input[0], weights, size, &node);
    rewrite_set_ints(x->e, node, "dilations", dilation, 2);
    return out;
}

/* ---- Conv of frames, height and width, whose kernel is one point in time or in space ---- */

enum { VOLUME = 5, AXES = 3 };
static const struct {
    const char *name;
    int64_t fallback;
} window_part[] = {{"strides", 1}, {"dilations", 1}, {"pads", 0}};

static int64_t part_at(const Node *n, int part, size_t i)
{
    const int64_t *v;
    return i < node_attr_ints(n, window_part[part].name, &v) ? v[i] : window_part[part].fallback;
}

/* Each result is of one place along the axis. */
static bool is_point(const Scene *s, const Node *n, size_t axis)
{
    return spell_shape(s, n->input[1])->dim[axis + 2].value == 1 && !part_at(n, 2, axis) &&
           !part_at(n, 2, axis + AXES);
}

const char *spell_not_volume(const Scene *s, const Node *n)
{
    const Const *kernel = node_constant(s->graph, n, 1);
    const Shape *in = spell_shape(s, n->input[0]), *out = spell_shape(s, n->output[0]);
    if (!kernel || kernel->dtype != DT_FLOAT32 || in->rank != VOLUME || out->rank != VOLUME ||
        spell_shape(s, n->input[1])->rank != VOLUME || shape_elements(in) < 1 ||
        shape_elements(out) < 1 || shape_elements(spell_shape(s, n->input[1])) != kernel->nelem ||
        strcmp(node_attr_string(n, "auto_pad", "NOTSET"), "NOTSET") != 0)
        return "its shapes or weights are not known, or it has other axes";
    return is_point(s, n, 0) || (is_point(s, n, 1) && is_point(s, n, 2) && part_at(n, 0, 1) == 1 &&
                                 part_at(n, 0, 2) == 1)
               ? NULL
               : "its kernel spans time and space";
}

static TensorId volume_as(const Spelling *x, TensorId t, const int64_t *size, int64_t rank)
{
    return spell_binary(x, "Reshape", "_frames", t, spell_integers(x, "_size", size, rank));
}

/* Channels and frames change places. */
static TensorId swap_frames(const Spelling *x, TensorId t)
{
    static const int64_t perm[VOLUME] = {0, 2, 1, 3, 4};
    NodeId node;
    TensorId out = rewrite_add_node(x->e, "Transpose", x->like, "_turned", t, &node);
    rewrite_set_ints(x->e, node, "perm", perm, VOLUME);
    return out;
}

/* Along the axis `first` and the next one; the third is a point. */
static TensorId image_conv(const Spelling *x, TensorId image, size_t first)
{
    const Dim *old = spell_shape(x->s, x->n.input[1])->dim;
    const int64_t dim[4] = {old[0].value, old[1].value, old[first + 2].value, old[first + 3].value};
    const Const *kernel = node_constant(x->s->graph, &x->n, 1);
    NodeId node;
    TensorId weights =
        editor_constant(x->e, x->n.input[1], "_image", kernel->dtype, dim, 4, kernel->data);
    TensorId out = conv_like(x, image, weights, dim + 2, &node);
    for (int part = 0; part < 3; part++) {
        const int64_t v[4] = {part_at(&x->n, part, first), part_at(&x->n, part, first + 1),
                              part_at(&x->n, part, first + AXES),
                              part_at(&x->n, part, first + AXES + 1)};
        rewrite_set_ints(x->e, node, window_part[part].name, v, part == 2 ? 4 : 2);
    }
    return out;
}

/* Time is the height, all pixels are the width. */
static TensorId frames_as_rows(const Spelling *x)
{
    const Dim *d = spell_shape(x->s, x->n.input[0])->dim;
    const int64_t rows[4] = {d[0].value, d[1].value, d[2].value, d[3].value * d[4].value};
    return volume_as(x, x->n.input[0], rows, 4);
}

/* The frames that the kernel, one point in time, is moved to. */
static TensorId read_frames(const Spelling *x, const int64_t volume[VOLUME])
{
    const int64_t point[2] = {1, 1}, stride[2] = {part_at(&x->n, 0, 0), 1};
    NodeId node;
    if (stride[0] == 1)
        return x->n.input[0];
    TensorId read = rewrite_add_node(x->e, "MaxPool", x->like, "_read", frames_as_rows(x), &node);
    rewrite_set_ints(x->e, node, "kernel_shape", point, 2);
    rewrite_set_ints(x->e, node, "strides", stride, 2);
    return volume_as(x, read, volume, VOLUME);
}

TensorId spell_volume(const Spelling *x)
{
    const Shape *to = spell_shape(x->s, x->n.output[0]);
    const Dim *d = spell_shape(x->s, x->n.input[0])->dim, *o = to->dim;
    if (!is_point(x->s, &x->n, 0))
        return spell_sized(x, "Reshape", "_volume", image_conv(x, frames_as_rows(x), 0), to);
    const int64_t n = d[0].value, c = d[1].value, frames = o[2].value, h = d[3].value,
                  w = d[4].value, volume[VOLUME] = {n, c, frames, h, w},
                  image[4] = {n * frames, c, h, w},
                  back[VOLUME] = {n, frames, o[1].value, o[3].value, o[4].value};
    TensorId in = read_frames(x, volume);
    in = volume_as(x, frames > 1 ? swap_frames(x, in) : in, image, 4);
    TensorId out = image_conv(x, in, 1);
    if (frames == 1)
        return spell_sized(x, "Reshape", "_volume", out, to);
    return swap_frames(x, volume_as(x, out, back, VOLUME));
}

const char *spell_not_volume_mean(const Scene *s, const Node *n)
{
    const Shape *in = spell_shape(s, n->input[0]);
    bool known = in->rank == VOLUME && shape_elements(in) > 0 &&
                 shape_is_known(spell_shape(s, n->output[0]));
    return known ? NULL : "it is not of frames of a known size";
}

TensorId spell_volume_mean(const Spelling *x)
{
    TensorId mean = spell_unary(x, "GlobalAveragePool", "_mean", frames_as_rows(x));
    return spell_sized(x, "Reshape", "_volume", mean, spell_shape(x->s, x->n.output[0]));
}

/* ---- SpaceToDepth of 2x2 pixels: four Slices and a Concat, which the vendor's tools take for one
 * ---- */

enum { QUARTERS = 4, OPSET_SLICE_STEPS = 10 };

/* The SpaceToDepth whose result is the node's, and the order of its blocks; NULL. */
static const Node *blocks_of(const Scene *s, const Node *n, int64_t order[QUARTERS])
{
    const Node *d = n->op_id == OP_Gather ? tensor_maker(s->graph, n->input[0]) : n;
    if (!d || d->op_id != OP_SpaceToDepth || node_attr_int(d, "blocksize", 0) != 2 ||
        (d != n && !rewrite_only_reader(s->graph, n->input[0])))
        return NULL;
    const Shape *in = spell_shape(s, d->input[0]);
    const Tensor *list = d == n ? NULL : node_input(s->graph, n, 1);
    int64_t channels = in->rank == 4 ? in->dim[1].value : 0, seen = 0;
    if (channels <= 0 ||
        (d != n && (node_attr_int(n, "axis", 0) != 1 || !list || list->shape.rank != 1 ||
                    list->shape.dim[0].value != QUARTERS * channels)))
        return NULL;
    for (int64_t i = 0; i < QUARTERS * channels; i++) {
        int64_t index = i;
        if (list && !spell_index_at(s, n, i, QUARTERS * channels, &index))
            return NULL;
        if (i % channels == 0)
            seen |= 1 << (order[i / channels] = index / channels);
        if (index != order[i / channels] * channels + i % channels)
            return NULL;
    }
    return seen == (1 << QUARTERS) - 1 ? d : NULL;
}

const char *spell_not_blocks(const Scene *s, const Node *n)
{
    int64_t order[QUARTERS];
    return s->opset >= OPSET_SLICE_STEPS && blocks_of(s, n, order)
               ? NULL
               : "it does not make blocks of 2x2 pixels channels";
}

/* A Gather after it that changes their order is done here, too. */
TensorId spell_blocks(const Spelling *x)
{
    static const int64_t end[2] = {INT64_MAX, INT64_MAX}, axis[2] = {2, 3}, step[2] = {2, 2};
    int64_t order[QUARTERS];
    const Node *after = rewrite_only_reader(x->s->graph, x->n.output[0]);
    bool both = after && after->op_id == OP_Gather && blocks_of(x->s, after, order);
    const NodeId gather = both ? node_id(x->s->graph, after) : NODE_NONE;
    const TensorId source = (both ? &x->n : blocks_of(x->s, &x->n, order))->input[0];
    const TensorId list[] = {spell_integers(x, "_ends", end, 2),
                             spell_integers(x, "_axes", axis, 2),
                             spell_integers(x, "_steps", step, 2)};
    TensorId part[QUARTERS];
    NodeId node;
    for (int k = 0; k < QUARTERS; k++) {
        const int64_t start[2] = {order[k] / 2, order[k] % 2};
        part[k] = rewrite_add_node(x->e, "Slice", x->like, "_quarter", source, &node);
        rewrite_set_input(x->e, node, 1, spell_integers(x, "_starts", start, 2));
        for (uint32_t i = 0; i < 3; i++)
            rewrite_set_input(x->e, node, i + 2, list[i]);
    }
    TensorId out = rewrite_add_node(x->e, "Concat", x->like, "_quarters", part[0], &node);
    for (uint32_t k = 1; k < QUARTERS; k++)
        rewrite_set_input(x->e, node, k, part[k]);
    rewrite_set_int(x->e, node, "axis", 1);
    if (both)
        rewrite_take_over(x->e, gather, out);
    return out;
}

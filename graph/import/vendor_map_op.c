/* Maps each kind of operator of a vendor's graph to ONNX. */
#include "graph/import/vendor_map.h"

/* Adds the node, which has one result, and what follows it. */
static void add_result(VendorMap *m, EmitNode n)
{
    n.out = vendor_map_result(m, 0);
    vendor_map_node(m, n);
    vendor_map_end(m, 0, n.out);
}

/* Of a value inside the operator. */
static const char *add_inner(VendorMap *m, EmitNode n)
{
    n.out = vendor_map_name(m, arena_printf(m->arena, "%s/%s", n.in[0], n.op));
    vendor_map_node(m, n);
    return n.out;
}

static const int64_t *copy_integers(VendorMap *m, const int64_t *v, size_t n)
{
    int64_t *copy = ARENA_ARRAY(m->arena, int64_t, n + 1);
    memcpy(copy, v, n * sizeof *v);
    return copy;
}

/* ---- windows */

/* Position of the axis in the shape: where the letters are missing, that of NCHW. */
static int position_of(const VendorShape *s, char axis)
{
    static const char usual[] = "NCHW";
    const char *at = memchr(s->axis, axis, sizeof s->axis);
    return at ? (int)(at - s->axis) : (int)(strchr(usual, axis) - usual);
}

/* Whether the images lie with H after W, as after a Transpose. */
static bool is_turned(const VendorMap *m)
{
    const VendorShape *s = &vendor_map_in_tensor(m, 0)->shape;
    return position_of(s, 'W') < position_of(s, 'H');
}

/* H and W in the order of the value's axes. */
static Attr pair_attribute(VendorMap *m, const char *name, VendorPair p)
{
    int64_t v[2] = {is_turned(m) ? p.w : p.h, is_turned(m) ? p.h : p.w};
    return emit_ints(name, copy_integers(m, v, 2), 2);
}

static Attr pads_attribute(VendorMap *m)
{
    VendorPads p = m->op->attribute.pads;
    int64_t v[4] = {p.top, p.left, p.bottom, p.right};
    int64_t turned[4] = {p.left, p.top, p.right, p.bottom};
    return emit_ints("pads", copy_integers(m, is_turned(m) ? turned : v, 4), 4);
}

static bool is_image(const VendorShape *s)
{
    return s->rank == 4;
}

static int64_t size_of(const VendorShape *s, char axis)
{
    return s->dim[position_of(s, axis)];
}

static const int64_t channels_first[] = {0, 3, 1, 2}, channels_last[] = {0, 2, 3, 1};

/* Between NxHxWxC and NxCxHxW. */
static const char *relaid(VendorMap *m, const char *from, const int64_t *perm)
{
    return add_inner(
        m, (EmitNode){.op = "Transpose", .in = {from}, .attribute = {emit_ints("perm", perm, 4)}});
}

static bool is_channels_last(const VendorShape *s)
{
    return memcmp(s->axis, "NHWC", 4) == 0;
}

/* Adds the node to whose input 0 the images go, channels first, and from whose result they come. */
static void add_window(VendorMap *m, EmitNode n)
{
    const VendorShape *in = &vendor_map_in_tensor(m, 0)->shape;
    n.in[0] = vendor_map_in(m, 0);
    if (!is_channels_last(in)) {
        add_result(m, n);
        return;
    }
    n.in[0] = relaid(m, n.in[0], channels_first);
    vendor_map_end(m, 0, relaid(m, add_inner(m, n), channels_last));
}

/* What the quantizer made of a MatMul or Gemm with constant weights. */
static bool is_product(const VendorMap *m)
{
    const VendorAttributes *a = &m->op->attribute;
    const VendorTensor *weight = vendor_map_in_tensor(m, 1);
    const VendorShape *in = &vendor_map_in_tensor(m, 0)->shape;
    return is_channels_last(in) && weight->is_constant && size_of(&weight->shape, 'H') == 1 &&
           size_of(&weight->shape, 'W') == 1 && m->op->kind == VENDOR_CONV2D && a->groups <= 1 &&
           a->stride.h <= 1 && a->stride.w <= 1 &&
           !(a->pads.top | a->pads.left | a->pads.bottom | a->pads.right);
}

static void map_product(VendorMap *m)
{
    const char *weights = vendor_map_weights(m, m->op->input.tensor[1], "HWCN", 2);
    const char *product =
        add_inner(m, (EmitNode){.op = "MatMul", .in = {vendor_map_in(m, 0), weights}});
    add_result(m, (EmitNode){.op = "Add", .in = {product, vendor_map_in(m, 2)}});
}

static void map_convolution(VendorMap *m)
{
    const VendorAttributes *a = &m->op->attribute;
    const VendorShape *in = &vendor_map_in_tensor(m, 0)->shape,
                      *weight = &vendor_map_in_tensor(m, 1)->shape;
    if (m->op->input.count < 3 || !is_image(in) || !is_image(weight)) {
        m->fact = "is no convolution of images";
        return;
    }
    if (is_product(m)) {
        map_product(m);
        return;
    }
    const char *axes = is_turned(m) ? "NCWH" : "NCHW";
    int64_t groups = m->op->kind == VENDOR_DEPTHWISE_CONV2D ? size_of(in, 'C')
                     : a->groups                            ? a->groups
                                                            : 1;
    add_window(m, (EmitNode){.op = "Conv",
                             .in = {"", vendor_map_weights(m, m->op->input.tensor[1], axes, 0),
                                    vendor_map_in(m, 2)},
                             .attribute = {
                                 emit_int("group", groups), pair_attribute(m, "strides", a->stride),
                                 pair_attribute(m, "dilations", a->dilation), pads_attribute(m)}});
}

/* What the result has more than the window needs. */
static int64_t output_padding(int64_t in, int64_t out, int64_t kernel, int64_t step,
                              int64_t dilation, int64_t pads)
{
    return out - ((in - 1) * step + dilation * (kernel - 1) + 1 - pads);
}

static void map_transposed(VendorMap *m)
{
    const VendorAttributes *a = &m->op->attribute;
    const VendorShape *in = &vendor_map_in_tensor(m, 0)->shape,
                      *out = &vendor_map_out_tensor(m, 0)->shape;
    if (m->op->input.count < 3 || !is_image(in) || !is_image(out)) {
        m->fact = "is no convolution of images";
        return;
    }
    const VendorShape *weight = &vendor_map_in_tensor(m, 1)->shape;
    VendorPair more = {output_padding(size_of(in, 'H'), size_of(out, 'H'), size_of(weight, 'H'),
                                      a->stride.h, a->dilation.h, a->pads.top + a->pads.bottom),
                       output_padding(size_of(in, 'W'), size_of(out, 'W'), size_of(weight, 'W'),
                                      a->stride.w, a->dilation.w, a->pads.left + a->pads.right)};
    if (more.h < 0 || more.w < 0) {
        m->fact = "its result is smaller than its window gives";
        return;
    }
    const char *axes = is_turned(m) ? "CNWH" : "CNHW";
    add_window(
        m, (EmitNode){.op = "ConvTranspose",
                      .in = {"", vendor_map_weights(m, m->op->input.tensor[1], axes, 0),
                             vendor_map_in(m, 2)},
                      .attribute = {emit_int("group", a->groups ? a->groups : 1),
                                    pair_attribute(m, "strides", a->stride),
                                    pair_attribute(m, "dilations", a->dilation), pads_attribute(m),
                                    pair_attribute(m, "output_padding", more)}});
}

/* The window of a pool that takes the whole image. */
static bool is_global(const VendorMap *m)
{
    const VendorAttributes *a = &m->op->attribute;
    const VendorShape *in = &vendor_map_in_tensor(m, 0)->shape;
    VendorPads p = a->pads;
    return a->kernel.h == size_of(in, 'H') && a->kernel.w == size_of(in, 'W') &&
           !(p.top | p.left | p.bottom | p.right);
}

/* Whether the result has a window more than those that fit whole. */
static bool rounds_up(const VendorMap *m)
{
    const VendorAttributes *a = &m->op->attribute;
    const VendorShape *in = &vendor_map_in_tensor(m, 0)->shape,
                      *out = &vendor_map_out_tensor(m, 0)->shape;
    int64_t h = size_of(in, 'H') + a->pads.top + a->pads.bottom - a->dilation.h * (a->kernel.h - 1),
            w = size_of(in, 'W') + a->pads.left + a->pads.right - a->dilation.w * (a->kernel.w - 1);
    return size_of(out, 'H') > (h - 1) / a->stride.h + 1 ||
           size_of(out, 'W') > (w - 1) / a->stride.w + 1;
}

/* ONNX pads a MaxPool with the lowest number only. */
static bool pads_with_zero(const VendorMap *m)
{
    VendorPads p = m->op->attribute.pads;
    return m->op->kind == VENDOR_MAX_POOL2D && m->op->attribute.pad_value == PAD_ZERO &&
           (p.top | p.left | p.bottom | p.right);
}

static void map_pool(VendorMap *m)
{
    const VendorAttributes *a = &m->op->attribute;
    bool average = m->op->kind == VENDOR_AVERAGE_POOL2D;
    if (!is_image(&vendor_map_in_tensor(m, 0)->shape) ||
        !is_image(&vendor_map_out_tensor(m, 0)->shape) || a->stride.h < 1 || a->stride.w < 1) {
        m->fact = "is no pool of images";
        return;
    }
    if (pads_with_zero(m)) {
        m->fact = "pads a MaxPool with zeros, which ONNX does not have";
        return;
    }
    if (average && is_global(m)) {
        add_window(m, (EmitNode){.op = "GlobalAveragePool"});
        return;
    }
    add_window(m, (EmitNode){.op = average ? "AveragePool" : "MaxPool",
                             .attribute = {pair_attribute(m, "kernel_shape", a->kernel),
                                           pair_attribute(m, "strides", a->stride),
                                           pads_attribute(m), emit_int("ceil_mode", rounds_up(m)),
                                           average ? emit_int("count_include_pad", 1)
                                                   : pair_attribute(m, "dilations", a->dilation)}});
}

static void map_resize(VendorMap *m)
{
    static const char *const coordinates[] = {"half_pixel", "pytorch_half_pixel", "align_corners",
                                              "asymmetric"};
    static const char *const nearest[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                          "ceil"};
    static_assert(sizeof coordinates / sizeof *coordinates == COORDINATES_MODES, "all modes");
    static_assert(sizeof nearest / sizeof *nearest == NEAREST_MODES, "all modes");
    const VendorAttributes *a = &m->op->attribute;
    const VendorShape *in = &vendor_map_in_tensor(m, 0)->shape,
                      *out = &vendor_map_out_tensor(m, 0)->shape;
    float scale[VENDOR_MAX_RANK] = {0};
    for (int i = 0; i < in->rank; i++)
        scale[i] = in->dim[i] && out->rank == in->rank ? (float)out->dim[i] / (float)in->dim[i] : 0;
    if (out->rank != in->rank) {
        m->fact = "changes the number of axes";
        return;
    }
    add_result(
        m,
        (EmitNode){
            .op = "Resize",
            .in = {vendor_map_in(m, 0), "", vendor_map_floats(m, scale, (size_t)in->rank)},
            .attribute = {emit_text("mode", a->resize_mode == RESIZE_LINEAR ? "linear" : "nearest"),
                          emit_text("coordinate_transformation_mode", coordinates[a->coordinates]),
                          emit_text("nearest_mode", nearest[a->nearest]),
                          emit_float("cubic_coeff_a", a->cubic),
                          emit_int("exclude_outside", a->exclude_outside),
                          emit_float("extrapolation_value", a->extrapolation)}});
}

/* ---- element by element */

static const char *onnx_unary(VendorOpKind kind)
{
    switch (kind) {
    case VENDOR_REQUANTIZE: /* conversions are around it */
    case VENDOR_RESHAPE:
    case VENDOR_BROADCAST:
    case VENDOR_QUANTIZE:
    case VENDOR_DEQUANTIZE:
    case VENDOR_SILU:
        return NULL;
    default: /* spelt as in ONNX */
        return vendor_op_row(kind)->name;
    }
}

static void map_silu(VendorMap *m)
{
    const char *in = vendor_map_in(m, 0);
    const char *gate = add_inner(m, (EmitNode){.op = "Sigmoid", .in = {in}});
    add_result(m, (EmitNode){.op = "Mul", .in = {in, gate}});
}

static void map_unary(VendorMap *m)
{
    const char *in = m->op->kind == VENDOR_DEQUANTIZE ? NULL : vendor_map_in(m, 0);
    const char *op = onnx_unary(m->op->kind);
    const VendorShape *out = &vendor_map_out_tensor(m, 0)->shape;
    if (m->op->kind == VENDOR_SILU)
        map_silu(m);
    else if (m->op->kind == VENDOR_DEQUANTIZE)
        vendor_map_dequantize(m);
    else if (m->op->kind == VENDOR_RESHAPE || m->op->kind == VENDOR_BROADCAST)
        add_result(m, (EmitNode){.op = m->op->kind == VENDOR_RESHAPE ? "Reshape" : "Expand",
                                 .in = {in, vendor_map_integers(m, out->dim, (size_t)out->rank)}});
    else if (op)
        add_result(m, (EmitNode){.op = op, .in = {in}});
    else
        vendor_map_end(m, 0, in);
}

static void map_binary(VendorMap *m)
{
    if (m->op->input.count != 2) {
        m->fact = "does not read two tensors";
        return;
    }
    add_result(m, (EmitNode){.op = m->op->type, .in = {vendor_map_in(m, 0), vendor_map_in(m, 1)}});
}

static void map_gemm(VendorMap *m)
{
    const VendorAttributes *a = &m->op->attribute;
    if (m->op->input.count != 3) {
        m->fact = "does not read three tensors";
        return;
    }
    add_result(m, (EmitNode){.op = "Gemm",
                             .in = {vendor_map_in(m, 0), vendor_map_in(m, 1), vendor_map_in(m, 2)},
                             .attribute = {
                                 emit_float("alpha", a->alpha), emit_float("beta", a->beta),
                                 emit_int("transA", a->trans_a), emit_int("transB", a->trans_b)}});
}

static void map_alpha(VendorMap *m)
{
    add_result(m, (EmitNode){.op = m->op->type,
                             .in = {vendor_map_in(m, 0)},
                             .attribute = {emit_float("alpha", m->op->attribute.alpha)}});
}

static void map_softmax(VendorMap *m)
{
    const VendorAttributes *a = &m->op->attribute;
    const char *in = vendor_map_in(m, 0);
    if (a->beta != 1)
        in = add_inner(m, (EmitNode){.op = "Mul", .in = {in, vendor_map_float(m, a->beta)}});
    add_result(m,
               (EmitNode){.op = "Softmax", .in = {in}, .attribute = {emit_int("axis", a->axis)}});
}

/* ---- along axes */

static bool keeps_rank(const VendorMap *m)
{
    return vendor_map_in_tensor(m, 0)->shape.rank == vendor_map_out_tensor(m, 0)->shape.rank;
}

static void map_axis(VendorMap *m)
{
    const VendorAttributes *a = &m->op->attribute;
    EmitNode n = {
        .op = m->op->type, .in = {vendor_map_in(m, 0)}, .attribute = {emit_int("axis", a->axis)}};
    if (m->op->kind == VENDOR_GATHER) {
        n.in[1] = vendor_map_in(m, 1);
    } else if (m->op->kind == VENDOR_ARG_MAX) {
        n.attribute[1] = emit_int("keepdims", keeps_rank(m));
        n.attribute[2] = emit_int("select_last_index", a->last_index);
    } else {
        n.op = "LpNormalization";
        n.attribute[1] = emit_int("p", m->op->kind == VENDOR_L1_NORMALIZATION ? 1 : 2);
    }
    add_result(m, n);
}

static void map_reduce(VendorMap *m)
{
    const VendorIntegers *axes = &m->op->attribute.axes;
    EmitNode n = {.op = m->op->kind == VENDOR_MEAN ? "ReduceMean" : m->op->type,
                  .in = {vendor_map_in(m, 0)},
                  .attribute = {emit_int("keepdims", keeps_rank(m)),
                                emit_ints("axes", axes->item, axes->count)}};
    if (m->op->kind == VENDOR_REDUCE_SUM) { /* the only one with axes as an input in opset 13 */
        n.in[1] = vendor_map_integers(m, axes->item, axes->count);
        n.attribute[1].name = NULL;
    }
    add_result(m, n);
}

/* Scale or bias, of which the file may have one number for all axes that are normalized. */
static const char *norm_parameter(VendorMap *m, size_t i)
{
    const VendorShape *in = &vendor_map_in_tensor(m, 0)->shape;
    const char *real = vendor_map_in(m, i);
    int64_t axis = m->op->attribute.axis;
    if (vendor_shape_elements(&vendor_map_in_tensor(m, i)->shape) != 1)
        return real;
    const char *shape = vendor_map_integers(m, in->dim + axis, (size_t)(in->rank - axis));
    return add_inner(m, (EmitNode){.op = "Expand", .in = {real, shape}});
}

static void map_layer_normalization(VendorMap *m)
{
    const VendorAttributes *a = &m->op->attribute;
    if (m->op->input.count < 3 || a->axis >= vendor_map_in_tensor(m, 0)->shape.rank) {
        m->fact = "its axis is none of its input";
        return;
    }
    add_result(
        m, (EmitNode){.op = "LayerNormalization",
                      .in = {vendor_map_in(m, 0), norm_parameter(m, 1), norm_parameter(m, 2)},
                      .attribute = {emit_int("axis", a->axis), emit_float("epsilon", a->epsilon)}});
}

/* ---- moves */

static void map_join(VendorMap *m)
{
    size_t n = m->op->input.count;
    const char **in = ARENA_ARRAY(m->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        in[i] = vendor_map_in(m, i);
    EmitNode node = {.op = "Sum", .ins = in, .nins = n};
    if (m->op->kind == VENDOR_CONCATENATION) {
        node.op = "Concat";
        node.attribute[0] = emit_int("axis", m->op->attribute.axis);
    }
    add_result(m, node);
}

/* Ends after the last element that is taken; before the first one it is far below 0. */
static int64_t slice_end(int64_t offset, int64_t step, int64_t size)
{
    int64_t end = offset + size * step;
    return end < 0 ? INT32_MIN : end;
}

/* Axes of which less than all is taken, or in another order; one at least. */
static size_t sliced_axes(const VendorMap *m, int64_t *axis)
{
    const VendorAttributes *a = &m->op->attribute;
    const VendorShape *in = &vendor_map_in_tensor(m, 0)->shape,
                      *out = &vendor_map_out_tensor(m, 0)->shape;
    size_t n = 0;
    for (int i = 0; i < out->rank; i++)
        if (a->offsets.item[i] || a->steps.item[i] != 1 || in->dim[i] != out->dim[i] ||
            (!n && i == out->rank - 1))
            axis[n++] = i;
    return n;
}

static void map_slice(VendorMap *m)
{
    const VendorIntegers *offset = &m->op->attribute.offsets, *step = &m->op->attribute.steps;
    const VendorShape *out = &vendor_map_out_tensor(m, 0)->shape;
    int64_t start[VENDOR_MAX_RANK], end[VENDOR_MAX_RANK], by[VENDOR_MAX_RANK],
        axis[VENDOR_MAX_RANK];
    if (offset->count != (size_t)out->rank || step->count != (size_t)out->rank || !keeps_rank(m)) {
        m->fact = "its offsets and steps are not those of its axes";
        return;
    }
    size_t n = sliced_axes(m, axis);
    for (size_t i = 0; i < n; i++) {
        start[i] = offset->item[axis[i]];
        by[i] = step->item[axis[i]];
        end[i] = slice_end(start[i], by[i], out->dim[axis[i]]);
    }
    add_result(m, (EmitNode){.op = "Slice",
                             .in = {vendor_map_in(m, 0), vendor_map_integers(m, start, n),
                                    vendor_map_integers(m, end, n), vendor_map_integers(m, axis, n),
                                    vendor_map_integers(m, by, n)}});
}

static void map_pad(VendorMap *m)
{
    const VendorIntegers *pads = &m->op->attribute.axis_pads;
    const VendorTensor *in = vendor_map_in_tensor(m, 0);
    size_t rank = (size_t)in->shape.rank;
    int64_t v[2 * VENDOR_MAX_RANK];
    if (pads->count != 2 * rank) {
        m->fact = "its padding is not that of its axes";
        return;
    }
    for (size_t i = 0; i < rank; i++) {
        v[i] = pads->item[2 * i];
        v[rank + i] = pads->item[2 * i + 1];
    }
    bool lowest = m->op->attribute.value == PAD_LOWEST && in->quantized;
    add_result(m, (EmitNode){.op = "Pad",
                             .in = {vendor_map_in(m, 0), vendor_map_integers(m, v, 2 * rank),
                                    vendor_map_float(m, lowest ? in->range[0].min : 0)},
                             .attribute = {emit_text("mode", "constant")}});
}

static void map_permute(VendorMap *m)
{
    const VendorIntegers *p = &m->op->attribute.permutation;
    if (p->count != (size_t)vendor_map_in_tensor(m, 0)->shape.rank) {
        m->fact = "its permutation is not one of its axes";
        return;
    }
    add_result(m, (EmitNode){.op = "Transpose",
                             .in = {vendor_map_in(m, 0)},
                             .attribute = {emit_ints("perm", p->item, p->count)}});
}

static void map_depth_to_space(VendorMap *m)
{
    const VendorShape *in = &vendor_map_in_tensor(m, 0)->shape,
                      *out = &vendor_map_out_tensor(m, 0)->shape;
    if (!is_image(in) || !is_image(out) || size_of(in, 'H') < 1) {
        m->fact = "is not of images";
        return;
    }
    bool dcr = m->op->attribute.depth_mode == DEPTH_DCR;
    add_result(m,
               (EmitNode){.op = "DepthToSpace",
                          .in = {vendor_map_in(m, 0)},
                          .attribute = {emit_int("blocksize", size_of(out, 'H') / size_of(in, 'H')),
                                        emit_text("mode", dcr ? "DCR" : "CRD")}});
}

/* ---- all */

static void (*const map_kind[])(VendorMap *m) = {
#define VENDOR_OP(id, number, name, map, attributes) map,
#include "graph/import/vendor_ops.def"
};

bool vendor_map_operator(VendorMap *m)
{
    if (m->op->kind == VENDOR_OTHER)
        return false;
    map_kind[m->op->kind](m);
    return true;
}

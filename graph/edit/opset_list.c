/* Converts operators whose axes, sizes or numbers of outputs are given in another way. */
#include "graph/edit/opset_form.h"

/* ---- reductions: axes are an input since opset 18 ---- */

/* Without axes and with noop_with_empty_axes: the others have a power or a logarithm, which some
 * runtimes take and others leave out. */
static const char *keep_every_element(OpsetNode *x)
{
    static const char *const same[] = {"ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        if (strcmp(x->was.op, same[i]) != 0)
            continue;
        opset_end(x, "Identity", x->was.input[0], TENSOR_NONE);
        return "Identity";
    }
    return opset_refuse(x, "it reduces no axis, and runtimes compute different values then");
}

const char *opset_form_reduce(OpsetNode *x)
{
    OpsetInts axes = opset_ints(x, 1);
    bool noop = node_attr_int(&x->was, "noop_with_empty_axes", 0) != 0;
    if (axes.given && !axes.known)
        return opset_refuse(x, "its axes are computed at run time");
    if (noop && !axes.n)
        return keep_every_element(x);
    rewrite_drop_attr(x->e, x->node, "noop_with_empty_axes");
    opset_set_inputs(x, x->node, x->was.input, 1);
    if (axes.n)
        rewrite_set_ints(x->e, x->node, "axes", axes.v, axes.n);
    return axes.n ? x->was.op : NULL;
}

/* ---- Split: equal parts but for the last, since opset 18 ---- */

static const char *give_parts(OpsetNode *x, int64_t size, int64_t parts)
{
    int64_t *part = opset_room(x, parts, sizeof *part), chunk = (size + parts - 1) / parts;
    for (int64_t i = 0; part && i < parts; i++) {
        int64_t left = size - i * chunk;
        part[i] = left > chunk ? chunk : left < 0 ? 0 : left;
    }
    if (!part)
        return NULL;
    const TensorId input[2] = {x->was.input[0], opset_list(x, "_parts", part, (size_t)parts)};
    opset_set_inputs(x, x->node, input, 2);
    return "Split";
}

const char *opset_form_split(OpsetNode *x)
{
    int64_t parts = node_attr_int(&x->was, "num_outputs", 0);
    OpsetInts axis = {.n = 1, .v = {node_attr_int(&x->was, "axis", 0)}};
    if (!parts)
        return NULL;
    rewrite_drop_attr(x->e, x->node, "num_outputs");
    if (opset_input(x, 1))
        return NULL;
    int32_t rank = opset_rank(x);
    if (rank < 0 || !opset_axes(x, &axis, rank))
        return NULL;
    int64_t size = opset_input(x, 0)->shape.dim[axis.v[0]].value;
    if (parts != (int64_t)x->was.noutput)
        return opset_refuse(x, "num_outputs is not the number of its outputs");
    if (size < 0)
        return opset_refuse(x, "the size that it splits is not known; bind it with --dim");
    return size % parts ? give_parts(x, size, parts) : NULL;
}

/* ---- Reshape and Shape ---- */

const char *opset_form_reshape(OpsetNode *x)
{
    OpsetInts shape = opset_ints(x, 1);
    bool zero = node_attr_int(&x->was, "allowzero", 0) != 0;
    rewrite_drop_attr(x->e, x->node, "allowzero");
    if (!zero)
        return NULL;
    if (!shape.known)
        return opset_refuse(x, "allowzero is set, and its shape is computed at run time");
    return LIST_VALUE(i, shape.n, shape.v[i] == 0,
                      opset_refuse(x, "allowzero is set, and its result has no elements"), NULL);
}

const char *opset_form_shape(OpsetNode *x)
{
    int64_t end = node_attr_int(&x->was, "end", INT64_MAX);
    const int64_t start = node_attr_int(&x->was, "start", 0);
    if (!node_attr(&x->was, "start") && !node_attr(&x->was, "end"))
        return NULL;
    TensorId all = opset_step(x, "Shape", x->was.input[0], TENSOR_NONE);
    const TensorId input[3] = {all, opset_list(x, "_start", &start, 1),
                               opset_list(x, "_end", &end, 1)};
    opset_end(x, "Slice", all, TENSOR_NONE);
    opset_set_inputs(x, x->node, input, 3);
    return "Shape, Slice";
}

/* ---- Pad: some axes only since opset 18, around the edge since 19 ---- */

static const char *pad_every_axis(OpsetNode *x, const OpsetInts *axes, const OpsetInts *pads)
{
    int32_t rank = opset_rank(x);
    int64_t all[2 * OPSET_MAX_RANK] = {0};
    OpsetInts axis = *axes;
    if (rank < 0 || !opset_axes(x, &axis, rank))
        return NULL;
    if (pads->n != 2 * axis.n)
        return opset_refuse(x, "its pads do not fit its axes");
    for (size_t i = 0; i < axis.n; i++) {
        all[axis.v[i]] = pads->v[i];
        all[rank + axis.v[i]] = pads->v[axis.n + i];
    }
    const TensorId value = x->was.ninput > 2 ? x->was.input[2] : TENSOR_NONE;
    const TensorId input[3] = {x->was.input[0], opset_list(x, "_pads", all, 2 * (size_t)rank),
                               value};
    opset_set_inputs(x, x->node, input, value == TENSOR_NONE ? 2 : 3);
    return "Pad";
}

const char *opset_form_pad(OpsetNode *x)
{
    OpsetInts axes = opset_ints(x, 3), pads = opset_ints(x, 1);
    if (strcmp(node_attr_string(&x->was, "mode", "constant"), "wrap") == 0)
        return opset_refuse(x, "opset 13 has no mode 'wrap'");
    if (!axes.given)
        return NULL;
    if (!axes.known || !pads.known)
        return opset_refuse(x, "its axes or pads are computed at run time");
    return pad_every_axis(x, &axes, &pads);
}

/* CenterCropPad: missing elements are added around the middle, excess ones cut around it. */
typedef struct {
    int64_t pad[2 * OPSET_MAX_RANK], start[OPSET_MAX_RANK], end[OPSET_MAX_RANK];
    bool pads, crops;
} Centre;

static bool read_centre(OpsetNode *x, int32_t rank, Centre *ret)
{
    OpsetInts size = opset_ints(x, 1), axes = opset_attr_ints(x, "axes");
    *ret = (Centre){.pads = false};
    for (int32_t i = 0; !axes.given && i < rank; i++)
        axes.v[axes.n++] = i;
    if (!size.known || size.n != axes.n || !opset_axes(x, &axes, rank))
        return opset_refuse(x, "its size is computed at run time"), false;
    for (int32_t i = 0; i < rank; i++)
        ret->end[i] = INT64_MAX;
    for (size_t i = 0; i < axes.n; i++) {
        int64_t axis = axes.v[i], dim = opset_input(x, 0)->shape.dim[axis].value;
        if (dim < 0 || size.v[i] < 0)
            return opset_refuse(x, "the size that it cuts is not known; bind it with --dim"), false;
        int64_t more = size.v[i] - dim, less = dim - size.v[i];
        ret->pad[axis] = more > 0 ? more / 2 : 0;
        ret->pad[rank + axis] = more > 0 ? more - more / 2 : 0;
        ret->start[axis] = less > 0 ? less / 2 : 0;
        ret->end[axis] = less > 0 ? less / 2 + size.v[i] : INT64_MAX;
        ret->pads |= more > 0;
        ret->crops |= less > 0;
    }
    return true;
}

const char *opset_form_center(OpsetNode *x)
{
    int32_t rank = opset_rank(x);
    Centre c;
    if (rank < 0 || !read_centre(x, rank, &c))
        return NULL;
    TensorId a = x->was.input[0];
    if (c.crops) {
        a = opset_step(x, "Slice", a, TENSOR_NONE);
        const TensorId input[3] = {x->was.input[0], opset_list(x, "_start", c.start, (size_t)rank),
                                   opset_list(x, "_end", c.end, (size_t)rank)};
        opset_set_inputs(x, opset_last(x), input, 3);
    }
    opset_end(x, "Pad", a, opset_list(x, "_pads", c.pad, 2 * (size_t)rank));
    return c.crops ? "Slice, Pad" : "Pad";
}

/* ---- Resize ---- */

/* What one axis is multiplied by, and its new size. */
typedef struct {
    double scale[OPSET_MAX_RANK];
    int64_t size[OPSET_MAX_RANK];
    bool by_size;
} Resized;

static bool read_one(OpsetNode *x, uint32_t input, size_t i, double *ret)
{
    const Tensor *t = opset_input(x, input);
    return t && t->value && t->value->data && const_float(t->value, (int64_t)i, ret);
}

static bool has_list(const OpsetNode *x, uint32_t input, size_t n)
{
    const Tensor *t = opset_input(x, input);
    return t && t->value && t->value->data && t->value->nelem == (int64_t)n;
}

/* Scales and sizes of all axes; those that are not listed keep their size. */
static bool read_resized(OpsetNode *x, const OpsetInts *axes, int32_t rank, Resized *ret)
{
    const Shape *in = &opset_input(x, 0)->shape;
    double v;
    ret->by_size = has_list(x, 3, axes->n);
    if (!ret->by_size && !has_list(x, 2, axes->n))
        return opset_refuse(x, "its scales or sizes are computed at run time"), false;
    for (int32_t i = 0; i < rank; i++) {
        ret->scale[i] = 1;
        ret->size[i] = in->dim[i].value;
    }
    for (size_t i = 0; i < axes->n; i++) {
        int64_t axis = axes->v[i], dim = in->dim[axis].value;
        if (!read_one(x, ret->by_size ? 3 : 2, i, &v) || !(v > 0) || !(v < 0x1p40))
            return opset_refuse(x, "its scales or sizes are not positive"), false;
        if (ret->by_size)
            ret->size[axis] = (int64_t)v;
        ret->scale[axis] = ret->by_size ? dim > 0 ? v / (double)dim : NAN : v;
    }
    return true;
}

/* True if every size is exactly scale x size: then there is no half pixel to shift by. */
static bool is_exact(const OpsetNode *x, const Resized *r, int32_t rank)
{
    const Shape *in = &opset_input(x, 0)->shape;
    for (int32_t i = 0; i < rank; i++) {
        double size = r->scale[i] * (double)in->dim[i].value;
        if (in->dim[i].value < 0 || isnan(size) || (!r->by_size && size != floor(size)))
            return r->scale[i] == 1;
    }
    return true;
}

static const char *resize_obstacle(OpsetNode *x, const Resized *r, const OpsetInts *axes,
                                   int32_t rank)
{
    const char *mode = node_attr_string(&x->was, "coordinate_transformation_mode", "half_pixel");
    const char *policy = node_attr_string(&x->was, "keep_aspect_ratio_policy", "stretch");
    bool shrinks = LIST_ANY(i, rank, !(r->scale[i] >= 1)); /* what grows has nothing to smooth */
    if (node_attr_int(&x->was, "antialias", 0) && shrinks)
        return "opset 13 has no antialias, and it shrinks the image";
    if (r->by_size && strcmp(policy, "stretch") != 0 &&
        !LIST_ALL(i, axes->n, r->scale[axes->v[i]] == r->scale[axes->v[0]]))
        return "keep_aspect_ratio_policy changes the sizes that it is given";
    if (strcmp(mode, "half_pixel_symmetric") == 0 && !is_exact(x, r, rank))
        return "half_pixel_symmetric, and scale x size is not whole";
    if (strcmp(mode, "tf_crop_and_resize") == 0 && axes->n != (size_t)rank)
        return "tf_crop_and_resize of some axes only";
    return NULL;
}

/* Scales or sizes of every axis, in the order of the axes. */
static const char *resize_every_axis(OpsetNode *x, const Resized *r, int32_t rank)
{
    const int64_t length = rank;
    float *scale = ARENA_ARRAY(x->e->arena, float, OPSET_MAX_RANK);
    for (int32_t i = 0; i < rank; i++) {
        scale[i] = (float)r->scale[i];
        if (r->by_size && r->size[i] < 0)
            return opset_refuse(x, "a size that it keeps is not known; bind it with --dim");
    }
    const TensorId input[4] = {
        x->was.input[0], x->was.ninput > 1 ? x->was.input[1] : TENSOR_NONE,
        r->by_size
            ? TENSOR_NONE
            : editor_constant(x->e, x->was.output[0], "_scales", DT_FLOAT32, &length, 1, scale),
        r->by_size ? opset_list(x, "_sizes", r->size, (size_t)rank) : TENSOR_NONE};
    opset_set_inputs(x, x->node, input, r->by_size ? 4 : 3);
    return "Resize";
}

static void drop_resize_attrs(OpsetNode *x)
{
    static const char *const name[] = {"antialias", "axes", "keep_aspect_ratio_policy"};
    static const char mode[] = "coordinate_transformation_mode";
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        rewrite_drop_attr(x->e, x->node, name[i]);
    if (strcmp(node_attr_string(&x->was, mode, ""), "half_pixel_symmetric") == 0)
        rewrite_drop_attr(x->e, x->node, mode); /* half_pixel is the default */
}

static bool is_plain_resize(const OpsetNode *x)
{
    return !node_attr(&x->was, "axes") && !node_attr_int(&x->was, "antialias", 0) &&
           !node_attr(&x->was, "keep_aspect_ratio_policy") &&
           strcmp(node_attr_string(&x->was, "coordinate_transformation_mode", ""),
                  "half_pixel_symmetric") != 0;
}

const char *opset_form_resize(OpsetNode *x)
{
    OpsetInts axes = opset_attr_ints(x, "axes");
    bool plain = is_plain_resize(x);
    drop_resize_attrs(x);
    if (plain)
        return NULL;
    int32_t rank = opset_rank(x);
    Resized r;
    for (int32_t i = 0; !axes.given && i < rank; i++)
        axes.v[axes.n++] = i;
    if (rank < 0 || !opset_axes(x, &axes, rank) || !read_resized(x, &axes, rank, &r))
        return NULL;
    const char *why = resize_obstacle(x, &r, &axes, rank);
    return why ? opset_refuse(x, why) : resize_every_axis(x, &r, rank);
}

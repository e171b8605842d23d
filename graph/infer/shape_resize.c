/* Infers shapes of Resize, Upsample and of sampling at given positions. */
#include "graph/infer/infer.h"

/* Factor of an axis: its scale, times the part of it that is resized (tf_crop_and_resize). */
static bool scale_of(const List *scales, const List *roi, bool crop, int64_t i, int64_t n,
                     float *ret)
{
    double scale, begin, end;
    if (!list_real(scales, i, &scale) || !(scale > 0))
        return false;
    *ret = (float)scale;
    if (!crop)
        return true;
    if (!list_real(roi, i, &begin) || !list_real(roi, i + n, &end))
        return false;
    *ret = (float)scale * ((float)end - (float)begin);
    return *ret >= 0;
}

/* In float, as the reference does: 0.7f * 10 is 7, and not below. */
static Dim scaled_dim(Dim in, float scale)
{
    if (scale == 1)
        return in;
    if (!dim_known(in))
        return dim_of(DIM_UNKNOWN);
    float size = floorf((float)in.value * scale);
    return size >= 0 && size < 0x1p40F ? dim_of((int64_t)size) : dim_of(DIM_UNKNOWN);
}

typedef struct {
    List scales, sizes, roi, axes;
    bool crop;
} ResizeLists;

/* Upsample has its scales as an attribute before opset 9, Resize as input 1 in opset 10. */
static ResizeLists read_lists(InferContext *c)
{
    const char *mode = node_attr_string(c->node, "coordinate_transformation_mode", "half_pixel");
    bool old = c->node->op_id == OP_Upsample || c->opset == 10;
    ResizeLists l = {
        .scales = infer_list(c, "scales", old ? 1 : 2),
        .sizes = old ? (List){0} : infer_list(c, NULL, 3),
        .roi = old ? (List){0} : infer_list(c, NULL, 1),
        .axes = infer_list(c, "axes", -1),
        .crop = strcmp(mode, "tf_crop_and_resize") == 0,
    };
    return l;
}

/* The one scale that keeps the aspect ratio: the smallest or largest of all; 0 when unknown. */
static float common_scale(InferContext *c, const ResizeLists *l, bool smallest)
{
    float best = 0;
    int64_t n = l->axes.given ? l->axes.n : infer_rank(c, 0);
    for (int64_t i = 0; i < n; i++) {
        int64_t v = i, size;
        int32_t axis;
        if ((l->axes.given && !list_int(&l->axes, i, &v)) ||
            !infer_axis(c, v, infer_rank(c, 0), &axis) || !list_int(&l->sizes, i, &size))
            return 0;
        Dim in = infer_dim(c, 0, axis);
        if (!dim_known(in) || in.value == 0 || size < 1)
            return 0;
        float scale = (float)size / (float)in.value;
        best = i == 0 || (smallest ? scale < best : scale > best) ? scale : best;
    }
    return best;
}

static Dim resized_dim(InferContext *c, const ResizeLists *l, const char *policy, int64_t i,
                       int64_t n, Dim in)
{
    float scale;
    if (l->sizes.given && strcmp(policy, "stretch") != 0) {
        float common = common_scale(c, l, strcmp(policy, "not_larger") == 0);
        return common > 0 && dim_known(in) ? dim_of(llroundf(common * (float)in.value))
                                           : dim_of(DIM_UNKNOWN);
    }
    if (l->sizes.given && !(l->sizes.known && l->sizes.n == 0))
        return list_dim(&l->sizes, i);
    return scale_of(&l->scales, &l->roi, l->crop, i, n, &scale) ? scaled_dim(in, scale)
                                                                : dim_of(DIM_UNKNOWN);
}

/* Upsample of opset 1. */
static void upsample_hw(InferContext *c, Dim *dim)
{
    dim[2] = scaled_dim(dim[2], (float)node_attr_float(c->node, "height_scale", 1));
    dim[3] = scaled_dim(dim[3], (float)node_attr_float(c->node, "width_scale", 1));
}

void shape_resize(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    ResizeLists l = read_lists(c);
    const char *policy = node_attr_string(c->node, "keep_aspect_ratio_policy", "stretch");
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    Dim *dim = infer_dims_of(c, 0, 0);
    if (!dim)
        return;
    int64_t n = l.axes.given ? l.axes.n : rank;
    bool hw = rank == 4 && node_attr(c->node, "height_scale");
    if (hw)
        upsample_hw(c, dim);
    for (int64_t i = 0; i < n && !hw; i++) {
        int64_t v = i;
        int32_t axis;
        if ((l.axes.given && !list_int(&l.axes, i, &v)) || !infer_axis(c, v, rank, &axis))
            return;
        dim[axis] = resized_dim(c, &l, policy, i, n, infer_dim(c, 0, axis));
    }
    infer_set_shape(c, 0, rank, dim);
}

/* ---- sampling at given places ---- */

/* X [N, C, D1 …], grid [N, E1 …, r] -> [N, C, E1 …]. */
void shape_grid_sample(InferContext *c)
{
    int32_t rank = infer_rank(c, 1);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    Dim *dim = rank >= 3 ? infer_dims(c, rank) : NULL;
    if (!dim)
        return;
    dim[0] = infer_equate(c, infer_dim(c, 0, 0), infer_dim(c, 1, 0), &message_GRID_BATCH);
    dim[1] = infer_dim(c, 0, 1);
    for (int32_t i = 2; i < rank; i++)
        dim[i] = infer_dim(c, 1, i - 1);
    infer_set_shape(c, 0, rank, dim);
}

/* theta [N, 2, 3], size [N, C, H, W] -> [N, H, W, 2]; one axis more in space. */
void shape_affine_grid(InferContext *c)
{
    List size = infer_list(c, NULL, 1);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    Dim *dim = size.known && size.n >= 4 ? infer_dims(c, size.n) : NULL;
    if (!dim)
        return;
    int32_t rank = (int32_t)size.n;
    for (int32_t i = 0; i < rank - 1; i++)
        dim[i] = list_size(&size, i ? i + 1 : 0);
    dim[rank - 1] = dim_of(rank - 2);
    infer_set_shape(c, 0, rank, dim);
}

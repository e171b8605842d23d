/* Infers shapes of convolutions, plain, transposed and quantized. */
#include "graph/infer/window.h"

/* Spatial axes of an operator on [N, C, spatial…]; -1 when the rank is unknown or too small. */
static int32_t spatial_of(InferContext *c, uint32_t input)
{
    int32_t rank = infer_rank(c, input);
    if (rank != RANK_UNKNOWN && rank < 3)
        infer_conflict(c, MESSAGE_ID(NO_SPATIAL_AXES), arg_count(rank));
    return rank < 3 ? -1 : rank - 2;
}

/* Kernel size along spatial axis i: from the weights, else the attribute. */
static Dim kernel_extents(InferContext *c, uint32_t weight, int32_t first, int32_t i)
{
    int64_t size;
    Dim d = infer_dim(c, weight, first + i);
    if (dim_known(d))
        return d;
    List l = infer_list(c, "kernel_shape", -1);
    return list_int(&l, i, &size) ? dim_of(size) : d;
}

/* Weights are [M, C / group, kernel…], transposed ones [C, M / group, kernel…]: of the right rank,
 * and fitting the channels. */
static bool check_weight(InferContext *c, uint32_t x, uint32_t w, int32_t channel_axis,
                         int32_t weight_channel_axis)
{
    int64_t group = weight_channel_axis ? node_attr_int(c->node, "group", 1) : 1;
    if (infer_rank(c, w) != RANK_UNKNOWN && infer_rank(c, w) != infer_rank(c, x)) {
        infer_conflict(c, MESSAGE_ID(WEIGHT_RANK), arg_count(infer_rank(c, w)),
                       arg_count(infer_rank(c, x)));
        return false;
    }
    Dim in = infer_dim(c, x, channel_axis);
    Dim per_group = infer_dim(c, w, weight_channel_axis);
    if (dim_known(per_group) && group >= 1)
        infer_equate(c, in, dim_mul(per_group, dim_of(group)), &message_CHANNELS_AND_WEIGHTS);
    return true;
}

typedef enum { CHANNELS_FIRST, CHANNELS_LAST } ChannelOrder;

/* Conv of inputs x and w of node; the result is in input order.  CHANNELS_LAST is that of NhwcConv
 * and of QLinearConv of com.microsoft: [N, spatial…, C]. */
static void infer_conv(InferContext *c, uint32_t x, uint32_t w, DType t, ChannelOrder order)
{
    int32_t n = spatial_of(c, x), first = order == CHANNELS_LAST ? 1 : 2;
    int32_t channel = order == CHANNELS_LAST ? n + 1 : 1;
    infer_set_dtype(c, 0, t);
    if (n < 0 || !check_weight(c, x, w, channel, 1))
        return;
    Window window = window_read(c, n);
    Dim *dim = infer_dims(c, n + 2);
    if (!dim)
        return;
    dim[0] = infer_dim(c, x, 0);
    dim[channel] = infer_dim(c, w, 0);
    for (int32_t i = 0; i < n; i++)
        dim[first + i] =
            window_output(c, &window, i, infer_dim(c, x, first + i), kernel_extents(c, w, 2, i));
    infer_set_shape(c, 0, n + 2, dim);
}

void shape_conv(InferContext *c)
{
    infer_conv(c, 0, 1, infer_dtype(c, 0), CHANNELS_FIRST);
}

void shape_conv_integer(InferContext *c)
{
    infer_conv(c, 0, 1, DT_INT32, CHANNELS_FIRST);
}

void shape_conv_nhwc(InferContext *c)
{
    infer_conv(c, 0, 1, infer_dtype(c, 0), CHANNELS_LAST);
}

/* (x, scale, zero point, w, scale, zero point, y scale, y zero point, bias). */
void shape_qlinear_conv(InferContext *c)
{
    DType t = infer_dtype(c, 7);
    if (t == DT_UNKNOWN)
        t = infer_dtype(c, 0);
    bool last = node_attr_int(c->node, "channels_last", 0);
    infer_conv(c, 0, 3, t, last ? CHANNELS_LAST : CHANNELS_FIRST);
}

/* ---- transposed ---- */

static void transpose_convolve(InferContext *c, bool dynamic_pads)
{
    int32_t n = spatial_of(c, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (n < 0 || !check_weight(c, 0, 1, 1, 0))
        return;
    Window window = window_read(c, n);
    List size = infer_list(c, "output_shape", -1), extra = infer_list(c, "output_padding", -1);
    if (dynamic_pads)
        window.pads = infer_list(c, "pads", 2);
    Dim *dim = infer_dims(c, n + 2);
    if (!dim)
        return;
    dim[0] = infer_dim(c, 0, 0);
    dim[1] = dim_mul(infer_dim(c, 1, 1), dim_of(node_attr_int(c->node, "group", 1)));
    for (int32_t i = 0; i < n; i++) {
        int64_t given, more = 0;
        list_int(&extra, i, &more);
        /* Some exporters write N and C into output_shape too. */
        bool fixed = list_int(&size, size.n == n + 2 ? i + 2 : i, &given);
        Dim in = infer_dim(c, 0, i + 2), kernel = kernel_extents(c, 1, 2, i);
        if (fixed)
            window_check_input(c, &window, i, in, kernel, given);
        dim[i + 2] = fixed ? dim_of(given) : window_input(c, &window, i, in, kernel, more);
    }
    infer_set_shape(c, 0, n + 2, dim);
}

void shape_conv_transpose(InferContext *c)
{
    transpose_convolve(c, false);
}

void shape_conv_transpose_dynamic(InferContext *c)
{
    transpose_convolve(c, true);
}

/* ---- Col2Im ---- */

/* [N, C * block elements, L] -> [N, C, image…]. */
void shape_col2im(InferContext *c)
{
    List image = infer_list(c, NULL, 1), block = infer_list(c, NULL, 2);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    Dim *dim = image.known ? infer_dims(c, image.n + 2) : NULL;
    if (!dim)
        return;
    Dim per_channel = dim_of(1);
    for (int64_t i = 0; i < image.n; i++) {
        dim[i + 2] = list_size(&image, i);
        per_channel = dim_mul(per_channel, list_size(&block, i));
    }
    dim[0] = infer_dim(c, 0, 0);
    if (dim_known(per_channel))
        dim[1] = dim_div(infer_dim(c, 0, 1), per_channel.value);
    infer_set_shape(c, 0, (int32_t)(image.n + 2), dim);
}

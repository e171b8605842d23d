/* Infers shapes of pooling and of pooling over regions. */
#include "graph/infer/window.h"

/* `first` is the first spatial axis: 2 for NCHW, 1 for NHWC. */
static void infer_pool(InferContext *c, int32_t first)
{
    int32_t rank = infer_rank(c, 0), n = rank - 2;
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    infer_set_dtype(c, 1, DT_INT64); /* MaxPool's indices */
    if (rank == RANK_UNKNOWN)
        return;
    List kernel = infer_list(c, "kernel_shape", -1);
    Dim *dim = infer_dims(c, rank);
    if (n < 1 || !dim || kernel.n != n) {
        infer_conflict(c, MESSAGE_ID(KERNEL_RANK), arg_count(rank));
        return;
    }
    Window w = window_read(c, n);
    for (int32_t i = 0; i < rank; i++) {
        int64_t size;
        dim[i] = infer_dim(c, 0, i);
        if (i >= first && i < first + n)
            dim[i] = list_int(&kernel, i - first, &size)
                         ? window_output(c, &w, i - first, dim[i], dim_of(size))
                         : dim_of(DIM_UNKNOWN);
    }
    infer_set_shape(c, 0, rank, dim);
    infer_set_shape(c, 1, rank, dim);
}

void shape_pool(InferContext *c)
{
    infer_pool(c, 2);
}

void shape_pool_nhwc(InferContext *c)
{
    infer_pool(c, 1);
}

static void global_pool(InferContext *c, int32_t first)
{
    int32_t rank = infer_rank(c, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    Dim *dim = rank >= 2 ? infer_dims_of(c, 0, 0) : NULL;
    for (int32_t i = first; dim && i < first + rank - 2; i++)
        dim[i] = dim_of(1);
    infer_set_shape(c, 0, dim ? rank : RANK_UNKNOWN, dim);
}

void shape_global_pool(InferContext *c)
{
    global_pool(c, 2);
}

/* QLinearAveragePool, and QLinearGlobalAveragePool, which has no kernel. */
void shape_qlinear_pool(InferContext *c)
{
    int32_t first = node_attr_int(c->node, "channels_last", 0) ? 1 : 2;
    if (node_attr(c->node, "kernel_shape"))
        infer_pool(c, first);
    else
        global_pool(c, first);
}

void shape_max_unpool(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), n = rank - 2;
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    Dim *dim = rank > 2 ? infer_dims(c, rank) : NULL;
    if (!dim)
        return;
    List kernel = infer_list(c, "kernel_shape", -1), size = infer_list(c, NULL, 2);
    Window w = window_read(c, n);
    for (int32_t i = 0; i < rank; i++) {
        int64_t v;
        dim[i] = infer_dim(c, 0, i);
        if (size.given)
            dim[i] = list_size(&size, i);
        else if (i >= 2)
            dim[i] = list_int(&kernel, i - 2, &v) ? window_input(c, &w, i - 2, dim[i], dim_of(v), 0)
                                                  : dim_of(DIM_UNKNOWN);
    }
    infer_set_shape(c, 0, rank, dim);
}

/* [regions, C, height, width]. */
static void set_regions(InferContext *c, Dim h, Dim w)
{
    Dim *dim = infer_dims(c, 4);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    dim[0] = infer_dim(c, 1, 0);
    dim[1] = infer_dim(c, 0, 1);
    dim[2] = h;
    dim[3] = w;
    infer_set_shape(c, 0, 4, dim);
}

void shape_max_roi_pool(InferContext *c)
{
    List size = infer_list(c, "pooled_shape", -1);
    int64_t h, w;
    bool known = list_int(&size, 0, &h) && list_int(&size, 1, &w);
    set_regions(c, dim_of(known ? h : DIM_UNKNOWN), dim_of(known ? w : DIM_UNKNOWN));
}

void shape_roi_align(InferContext *c)
{
    set_regions(c, dim_of(node_attr_int(c->node, "output_height", 1)),
                dim_of(node_attr_int(c->node, "output_width", 1)));
}

/* Reads the attributes of a window and computes its output sizes. */
#include "graph/infer/window.h"

Window window_read(InferContext *c, int32_t spatial)
{
    const char *auto_pad = node_attr_string(c->node, "auto_pad", "NOTSET");
    Window w = {.n = spatial, .ceil_mode = node_attr_int(c->node, "ceil_mode", 0) != 0};
    w.stride = infer_list(c, "strides", -1);
    w.dilation = infer_list(c, "dilations", -1);
    w.pads = infer_list(c, "pads", -1);
    w.same = strcmp(auto_pad, "SAME_UPPER") == 0 || strcmp(auto_pad, "SAME_LOWER") == 0;
    w.valid = strcmp(auto_pad, "VALID") == 0;
    return w;
}

/* Element i of a list that may be absent; false when it is there, but too short or too large. */
static bool read_window_param(const List *l, int64_t i, int64_t fallback, int64_t lo, int64_t *ret)
{
    const int64_t most = INT64_C(1) << 40;
    *ret = fallback;
    return (!l->given || list_int(l, i, ret)) && *ret >= lo && *ret <= most;
}

typedef struct {
    int64_t stride, extent; /* extent: of the kernel, dilation included */
    int64_t pad_begin, pad_end;
} Axis;

static bool axis_read(InferContext *c, const Window *w, int32_t i, Dim kernel, Axis *ret)
{
    int64_t dilation;
    const int64_t least = -(INT64_C(1) << 40); /* negative pads crop */
    bool ok = read_window_param(&w->stride, i, 1, 1, &ret->stride) &&
              read_window_param(&w->dilation, i, 1, 1, &dilation) &&
              read_window_param(&w->pads, i, 0, least, &ret->pad_begin) &&
              read_window_param(&w->pads, (int64_t)i + w->n, 0, least, &ret->pad_end);
    if (!ok) {
        infer_conflict(c, MESSAGE_ID(WINDOW_AXES), arg_count(w->n));
        return false;
    }
    if (w->same || w->valid)
        ret->pad_begin = ret->pad_end = 0;
    if (!dim_known(kernel) || kernel.value < 1 || kernel.value > (INT64_C(1) << 40) / dilation)
        return false;
    ret->extent = (kernel.value - 1) * dilation + 1;
    return true;
}

Dim window_output(InferContext *c, const Window *w, int32_t i, Dim in, Dim kernel)
{
    Axis a;
    bool unit = w->same && dim_is(kernel, 1);
    if (!axis_read(c, w, i, kernel, &a))
        return dim_of(DIM_UNKNOWN);
    if (!dim_known(in)) { /* one window per element keeps a symbol */
        if (a.stride == 1 && (w->same || unit || a.pad_begin + a.pad_end == a.extent - 1))
            return in;
        return in.most ? dim_with_max(dim_max(window_output(c, w, i, dim_of(in.most), kernel)))
                       : dim_of(DIM_UNKNOWN);
    }
    if (in.value > INT64_MAX / 16)
        return dim_of(DIM_UNKNOWN);
    if (w->same)
        return dim_of(i64_ceil_div(in.value, a.stride));
    int64_t room = in.value + a.pad_begin + a.pad_end - a.extent;
    if (room < 0) {
        infer_conflict(c, MESSAGE_ID(WINDOW_TOO_LARGE), arg_count(a.extent),
                       arg_count(room + a.extent));
        return dim_of(DIM_UNKNOWN);
    }
    int64_t n = (w->ceil_mode ? i64_ceil_div(room, a.stride) : room / a.stride) + 1;
    /* A last window that would start in the end padding is left out (onnx pull request 5741). */
    if (w->ceil_mode && (n - 1) * a.stride >= in.value + a.pad_begin)
        n--;
    return dim_of(n);
}

Dim window_input(InferContext *c, const Window *w, int32_t i, Dim in, Dim kernel,
                 int64_t output_padding)
{
    Axis a;
    int64_t n;
    if (!axis_read(c, w, i, kernel, &a) || !dim_known(in))
        return dim_of(DIM_UNKNOWN);
    if (w->same && !__builtin_mul_overflow(in.value, a.stride, &n))
        return dim_of(n);
    if (__builtin_mul_overflow(in.value - 1, a.stride, &n) ||
        __builtin_add_overflow(n, a.extent - a.pad_begin - a.pad_end, &n) ||
        __builtin_add_overflow(n, output_padding, &n))
        return dim_of(DIM_UNKNOWN);
    if (n < 0)
        infer_conflict(c, MESSAGE_ID(PADS_TOO_LARGE));
    return dim_of(n);
}

void window_check_input(InferContext *c, const Window *w, int32_t i, Dim in, Dim kernel,
                        int64_t output)
{
    Axis a;
    int64_t full;
    if (!dim_known(in) || !axis_read(c, w, i, kernel, &a) ||
        __builtin_mul_overflow(in.value - 1, a.stride, &full) ||
        __builtin_add_overflow(full, a.extent, &full) || full > INT64_MAX / 2)
        return;
    int64_t least = full - 2 * (a.extent - 1), most = full + a.stride - 1;
    if (output < least || output > most)
        infer_conflict(c, MESSAGE_ID(OUTPUT_SHAPE), arg_count(output), arg_count(in.value),
                       arg_count(least), arg_count(most));
}

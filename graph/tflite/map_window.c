/* Maps convolutions and pools, windows that move over HxW. */
#include "graph/tflite/map.h"

enum { SAME, VALID };

/* What a window does along H and W, each {H, W}. */
typedef struct {
    int64_t kernel[2], stride[2], dilation[2], pad[4]; /* pad: begins, then ends */
    bool pad_known; /* else the reader of the model works it out: auto_pad */
    int32_t padding;
} Window;

static bool is_positive(const int64_t v[2])
{
    return v[0] >= 1 && v[1] >= 1 && v[0] <= INT32_MAX && v[1] <= INT32_MAX;
}

/* SAME: as many results as steps fit; missing pixels are padded, the odd one at the end.
 * Source: LiteRT kernels/padding.h. */
static void pad_same(Window *w, const TfliteValue *in)
{
    w->pad_known = in->shape[1] >= 0 && in->shape[2] >= 0;
    for (int i = 0; w->pad_known && i < 2; i++) {
        int64_t size = in->shape[1 + i], out = (size + w->stride[i] - 1) / w->stride[i];
        int64_t total = (out - 1) * w->stride[i] + (w->kernel[i] - 1) * w->dilation[i] + 1 - size;
        w->pad[i] = total > 0 ? total / 2 : 0;
        w->pad[2 + i] = total > 0 ? total - total / 2 : 0;
    }
}

static bool finish_window(Mapper *m, Window *w, const TfliteValue *in)
{
    if (!is_positive(w->stride) || !is_positive(w->kernel) || !is_positive(w->dilation)) {
        map_refuse(m, "has a window, stride or dilation of 0 or less");
        return false;
    }
    if (w->padding != SAME && w->padding != VALID) {
        map_refuse(m, "has a padding that is neither SAME nor VALID");
        return false;
    }
    w->pad_known = true;
    if (w->padding == SAME)
        pad_same(w, in);
    return true;
}

static Attr pads_attribute(const Window *w)
{
    if (w->pad_known)
        return emit_ints("pads", w->pad, 4);
    return emit_text("auto_pad", "SAME_UPPER");
}

/* Axes of weights in ONNX: of a convolution OHWI as OIHW; of a depthwise one, whose results are the
 * last axis, 1HWC as C1HW; of a transposed one OHWI as IOHW. */
static const int to_oihw[] = {0, 3, 1, 2}, to_first[] = {3, 0, 1, 2};

static void emit_conv(Mapper *m, const Window *w, const char *kernel, int64_t group,
                      int32_t activation)
{
    TfliteValue *x = map_in(m, 0), *bias = map_in(m, 2);
    const char *in = map_value_real(m, x, FIRST), *b = bias ? map_value_real(m, bias, PLAIN) : NULL;
    map_fused(m, activation, FIRST,
              (EmitNode){.op = "Conv",
                         .in = {in, kernel, b},
                         .attribute = {emit_ints("kernel_shape", w->kernel, 2),
                                       emit_ints("strides", w->stride, 2), pads_attribute(w),
                                       emit_ints("dilations", w->dilation, 2),
                                       emit_int("group", group)}});
}

static bool is_4d(const TfliteValue *v)
{
    return v && v->rank == 4;
}

bool map_conv(Mapper *m, const TfliteOperator *op)
{
    TfliteFile *f = m->file;
    TfliteValue *x = map_in(m, 0), *k = map_in(m, 1);
    bool depthwise = op->code == TFL_DEPTHWISE_CONV_2D;
    unsigned more = depthwise; /* the multiplier, before the activation in its options */
    if (!is_4d(x) || !is_4d(k) || !map_value_is_constant(k) || !map_out(m, 0) ||
        (depthwise && x->shape[3] < 0))
        return false;
    Window w = {{k->shape[1], k->shape[2]},
                {tflite_option(f, op, 2, 1), tflite_option(f, op, 1, 1)},
                {tflite_option(f, op, 5 + more, 1), tflite_option(f, op, 4 + more, 1)},
                .padding = tflite_option_byte(f, op, 0)};
    if (!finish_window(m, &w, x))
        return true;
    int64_t in = x->shape[3], each = k->shape[3], group = depthwise ? in : each > 0 ? in / each : 0;
    if (depthwise && (k->shape[0] != 1 || group < 1 || each % group))
        map_refuse(m, "has weights that do not fit the channels of its input");
    else if (!depthwise && in >= 0 && (group < 1 || group * each != in))
        map_refuse(m, "has weights whose channels do not divide those of its input");
    else
        emit_conv(m, &w, map_value_weights(m, k, depthwise ? to_first : to_oihw),
                  in < 0 ? 1 : group, tflite_option_byte(f, op, 3 + more));
    return true;
}

/* Pads are those of the convolution that it undoes; where that has too few, it pads its result.
 * Source: LiteRT kernels/transpose_conv.cc. */
static void pad_transposed(Window *w, const TfliteValue *in, const int64_t out[2], int64_t extra[2])
{
    for (int i = 0; i < 2; i++) {
        int64_t total = (in->shape[1 + i] - 1) * w->stride[i] + w->kernel[i] - out[i];
        extra[i] = total < 0 ? -total : 0;
        w->pad[i] = total > 0 ? total / 2 : 0;
        w->pad[2 + i] = total > 0 ? total - total / 2 : 0;
    }
}

bool map_transpose_conv(Mapper *m, const TfliteOperator *op)
{
    TfliteFile *f = m->file;
    TfliteValue *k = map_in(m, 1), *x = map_in(m, 2), *bias = map_in(m, 3);
    int64_t out[TFLITE_MAX_RANK], extra[2];
    if (!is_4d(x) || !is_4d(k) || !map_value_is_constant(k) || !map_out(m, 0) ||
        map_value_integers(map_in(m, 0), out) != 4 || x->shape[1] < 0 || x->shape[2] < 0)
        return false;
    Window w = {{k->shape[1], k->shape[2]},
                {tflite_option(f, op, 2, 1), tflite_option(f, op, 1, 1)},
                {1, 1},
                .padding = tflite_option_byte(f, op, 0)};
    int32_t activation = tflite_option_byte(f, op, 3);
    if (!finish_window(m, &w, x))
        return true;
    pad_transposed(&w, x, out + 1, extra);
    const char *in = map_value_real(m, x, FIRST), *kernel = map_value_weights(m, k, to_first);
    const char *b = bias ? map_value_real(m, bias, PLAIN) : NULL;
    return map_fused(
        m, activation, FIRST,
        (EmitNode){.op = "ConvTranspose",
                   .in = {in, kernel, b},
                   .attribute = {emit_ints("kernel_shape", w.kernel, 2),
                                 emit_ints("strides", w.stride, 2), emit_ints("pads", w.pad, 4),
                                 emit_ints("output_padding", extra, 2)}});
}

static void emit_pool(Mapper *m, const Window *w, const char *op, const char *in, const char *out)
{
    map_node(m, (EmitNode){.op = op,
                           .in = {in},
                           .out = out,
                           .attribute = {emit_ints("kernel_shape", w->kernel, 2),
                                         emit_ints("strides", w->stride, 2), pads_attribute(w)}});
}

/* The root of the mean of squares. */
static void emit_l2(Mapper *m, const Window *w, const char *in, const char *out)
{
    const char *square = map_between(m, "square"), *mean = map_between(m, "mean");
    map_node(m, (EmitNode){.name = "square", .op = "Mul", .in = {in, in}, .out = square});
    emit_pool(m, w, "AveragePool", square, mean);
    map_node(m, (EmitNode){.name = "root", .op = "Sqrt", .in = {mean}, .out = out});
}

bool map_pool(Mapper *m, const TfliteOperator *op)
{
    TfliteFile *f = m->file;
    TfliteValue *x = map_in(m, 0);
    if (!is_4d(x) || !map_out(m, 0))
        return false;
    Window w = {{tflite_option(f, op, 4, 0), tflite_option(f, op, 3, 0)},
                {tflite_option(f, op, 2, 0), tflite_option(f, op, 1, 0)},
                {1, 1},
                .padding = tflite_option_byte(f, op, 0)};
    int32_t activation = tflite_option_byte(f, op, 5);
    if (!finish_window(m, &w, x))
        return true;
    const char *in = map_value_real(m, x, FIRST), *before = map_before(m, activation, FIRST);
    if (op->code == TFL_L2_POOL_2D)
        emit_l2(m, &w, in, before);
    else
        emit_pool(m, &w, op->code == TFL_MAX_POOL_2D ? "MaxPool" : "AveragePool", in, before);
    map_after(m, before, activation, FIRST);
    return true;
}

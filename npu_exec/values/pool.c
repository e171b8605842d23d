/* Computes pooling operators and Resize over images. */
#include "npu_exec/values/quantized.h"

/* A window over one to three axes: [depth, height, width], missing ones of size 1. */
typedef struct {
    int64_t in[3], out[3], kernel[3], stride[3], dilation[3], before[3];
} Window3;

static bool read_window(const Call *c, const Value *x, const Value *out, Window3 *ret)
{
    const int64_t *kernel, *stride, *dilation, most = 1 << 20;
    size_t n = node_attr_ints(c->node, "kernel_shape", &kernel);
    size_t ns = node_attr_ints(c->node, "strides", &stride);
    size_t nd = node_attr_ints(c->node, "dilations", &dilation);
    if (x->rank < 3 || x->rank > 5 || out->rank != x->rank || n != (size_t)x->rank - 2 ||
        x->dim[0] != out->dim[0] || x->dim[1] != out->dim[1])
        return false;
    for (size_t k = 0; k < 3; k++) {
        bool used = k + n >= 3;
        size_t i = k + n - 3;
        ret->in[k] = used ? x->dim[2 + i] : 1;
        ret->out[k] = used ? out->dim[2 + i] : 1;
        ret->kernel[k] = used ? kernel[i] : 1;
        ret->stride[k] = used && i < ns ? stride[i] : 1;
        ret->dilation[k] = used && i < nd ? dilation[i] : 1;
        ret->before[k] =
            used ? kernel_pad_before(c->node, i,
                                     (WindowAxis){ret->in[k], ret->out[k], ret->kernel[k],
                                                  ret->stride[k], ret->dilation[k]})
                 : 0;
        if (ret->kernel[k] < 1 || ret->kernel[k] > most || ret->stride[k] < 1 ||
            ret->stride[k] > most || ret->dilation[k] < 1 || ret->dilation[k] > most ||
            ret->before[k] < 0 || ret->before[k] > most)
            return false;
    }
    return true;
}

/* What a window holds: how many of its taps lie within the input, their sum and maximum. */
typedef struct {
    int64_t count;
    float sum, max;
} Seen;

static Seen scan_window(const Window3 *w, const float *x, const int64_t at[3])
{
    Seen s = {0, 0, -INFINITY};
    int64_t tap[3], p[3];
    for (tap[0] = 0; tap[0] < w->kernel[0]; tap[0]++)
        for (tap[1] = 0; tap[1] < w->kernel[1]; tap[1]++)
            for (tap[2] = 0; tap[2] < w->kernel[2]; tap[2]++) {
                bool inside = true;
                for (int k = 0; k < 3; k++) {
                    p[k] = at[k] * w->stride[k] + tap[k] * w->dilation[k] - w->before[k];
                    inside &= p[k] >= 0 && p[k] < w->in[k];
                }
                if (!inside)
                    continue;
                float v = x[(p[0] * w->in[1] + p[1]) * w->in[2] + p[2]];
                s.count++;
                s.sum += v;
                s.max = v > s.max || v != v ? v : s.max;
            }
    return s;
}

/* Taps that count for an average that includes its padding: those before the end of the padded
 * input. */
static int64_t padded_taps(const Window3 *w, const int64_t at[3], const int64_t after[3])
{
    int64_t n = 1;
    for (int k = 0; k < 3; k++) {
        int64_t room = w->in[k] + w->before[k] + after[k] - at[k] * w->stride[k];
        int64_t taps = (room + w->dilation[k] - 1) / w->dilation[k];
        taps = taps < w->kernel[k] ? taps : w->kernel[k];
        n *= taps > 1 ? taps : 1;
    }
    return n;
}

static void pads_after(const Call *c, const Window3 *w, int64_t ret[3])
{
    const int64_t *pads;
    size_t np = node_attr_ints(c->node, "pads", &pads), n = np / 2;
    bool same = strncmp(node_attr_string(c->node, "auto_pad", "NOTSET"), "SAME", 4) == 0;
    for (size_t k = 0; k < 3; k++) {
        int64_t total = (w->out[k] - 1) * w->stride[k] + (w->kernel[k] - 1) * w->dilation[k] + 1 -
                        w->in[k] - w->before[k];
        ret[k] = same ? (total > 0 ? total : 0) : n && k + n >= 3 ? pads[n + k + n - 3] : 0;
    }
}

/* Outputs whose tap lies within the input: [*ret_first, last). */
static int64_t outputs_at(const Window3 *w, int k, int64_t tap, int64_t *ret_first)
{
    int64_t shift = w->before[k] - tap * w->dilation[k], s = w->stride[k];
    int64_t first = shift > 0 ? (shift + s - 1) / s : 0;
    int64_t room = w->in[k] - 1 + shift, last = room < 0 ? 0 : room / s + 1;
    *ret_first = first;
    return last > w->out[k] ? w->out[k] : last;
}

/* One line of outputs, tap by tap, in the order that look() has. */
static void pool_line(const Window3 *w, const float *x, int64_t row, bool average, float *y,
                      float *count)
{
    for (int64_t i = 0; i < w->out[2]; i++) {
        y[i] = average ? 0 : -INFINITY;
        count[i] = 0;
    }
    for (int64_t r = 0; r < w->kernel[1]; r++) {
        int64_t from = row * w->stride[1] + r * w->dilation[1] - w->before[1];
        for (int64_t k = 0; k < w->kernel[2] && from >= 0 && from < w->in[1]; k++) {
            int64_t first, last = outputs_at(w, 2, k, &first);
            const float *at =
                x + from * w->in[2] + first * w->stride[2] + k * w->dilation[2] - w->before[2];
            if (last <= first)
                continue;
            if (average)
                loop_sum(at, (size_t)w->stride[2], y + first, (size_t)(last - first));
            else
                loop_max(at, (size_t)w->stride[2], y + first, (size_t)(last - first));
            for (int64_t i = first; i < last && average; i++)
                count[i]++;
        }
    }
}

static void pool_lines(Call *c, const Window3 *w, const float *x, int64_t planes, bool average,
                       float *y)
{
    float *count = ARENA_ARRAY(c->scratch, float, (size_t)w->out[2]);
    for (int64_t n = 0; n < planes; n++)
        for (int64_t row = 0; row < w->out[1]; row++, y += w->out[2]) {
            pool_line(w, x + n * w->in[1] * w->in[2], row, average, y, count);
            for (int64_t i = 0; average && i < w->out[2]; i++)
                y[i] /= count[i] > 0 ? count[i] : 1;
        }
}

/* MaxPool, AveragePool. */
Status kernel_pool(Call *c)
{
    bool average = c->node->op_id == OP_AveragePool;
    const float *x = NULL;
    Value *v = call_in(c, 0), *out = c->out[0];
    Window3 w;
    float *y = kernel_out_floats(out);
    Status st = kernel_in_floats(c, 0, &x);
    if (st || !y || !read_window(c, v, out, &w) || (c->nout > 1 && c->out[1]))
        return st ? st : call_refuse(c, "its window or its second output is not handled");
    bool padded = node_attr_int(c->node, "count_include_pad", 0);
    int64_t plane = w.in[0] * w.in[1] * w.in[2], after[3];
    if (w.in[0] == 1 && w.kernel[0] == 1 && w.out[0] == 1 && !(average && padded)) {
        pool_lines(c, &w, x, v->dim[0] * v->dim[1], average, y);
        return STATUS_OK;
    }
    pads_after(c, &w, after);
    for (int64_t n = 0, to = 0; n < v->dim[0] * v->dim[1]; n++) {
        int64_t at[3];
        for (at[0] = 0; at[0] < w.out[0]; at[0]++)
            for (at[1] = 0; at[1] < w.out[1]; at[1]++)
                for (at[2] = 0; at[2] < w.out[2]; at[2]++) {
                    Seen s = scan_window(&w, x + n * plane, at);
                    int64_t taps = padded ? padded_taps(&w, at, after) : s.count;
                    y[to++] = average ? s.sum / (float)(taps ? taps : 1) : s.max;
                }
    }
    return STATUS_OK;
}

/* The greatest bytes of the windows of an image whose channels are last. */
typedef struct {
    Window3 w;
    const uint8_t *x;
    uint8_t *y, flip;
    int64_t channels;
} BytePool;

static void pool_pixel(const BytePool *p, const uint8_t *x, int64_t row, int64_t column, uint8_t *y)
{
    const Window3 *w = &p->w;
    bool any = false;
    for (int64_t r = 0; r < w->kernel[1]; r++)
        for (int64_t k = 0; k < w->kernel[2]; k++) {
            int64_t h = row * w->stride[1] + r * w->dilation[1] - w->before[1];
            int64_t at = column * w->stride[2] + k * w->dilation[2] - w->before[2];
            if (h < 0 || h >= w->in[1] || at < 0 || at >= w->in[2])
                continue;
            const uint8_t *from = x + (h * w->in[2] + at) * p->channels;
            if (any)
                loop_max_bytes(from, p->flip, y, (size_t)p->channels);
            else
                memcpy(y, from, (size_t)p->channels);
            any = true;
        }
}

static void pool_rows(const BytePool *p, int64_t n)
{
    const Window3 *w = &p->w;
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < w->out[2]; k++)
            pool_pixel(p, p->x + i / w->out[1] * w->in[1] * w->in[2] * p->channels, i % w->out[1],
                       k, p->y + (i * w->out[2] + k) * p->channels);
}

/* Each window has a tap within the input. */
static bool has_no_empty_window(const Window3 *w)
{
    for (int k = 0; k < 3; k++) {
        int64_t last = (w->out[k] - 1) * w->stride[k] - w->before[k];
        if (w->before[k] > (w->kernel[k] - 1) * w->dilation[k] || last >= w->in[k] ||
            w->dilation[k] > w->in[k])
            return false;
    }
    return true;
}

/* What has greater codes is greater. */
bool kernel_fast_max_pool(Call *c)
{
    Value *v = call_in(c, 0), *out = c->out[0];
    BytePool p;
    if (!quantized_has_one_scale(v) || v->rank != 4 || out->rank != 4 || v->scale[0] <= 0 ||
        c->nout > 1 || !read_window(c, v, out, &p.w) || !has_no_empty_window(&p.w))
        return false;
    p.x = value_channels_last(v->source);
    Value *most = p.x ? value_create(v->source->dtype, 4, out->dim) : NULL;
    if (!most)
        return false;
    p.y = most->data;
    p.flip = most->dtype == DT_INT8 ? 0x80 : 0;
    p.channels = v->dim[1];
    most->last = true;
    pool_rows(&p, v->dim[0] * p.w.out[1]);
    return quantized_set_source(out, v, most);
}

enum { LANES = 4, BLOCK = 16, CHAIN_MAX = 32 };

/* onnxruntime computes Conv in blocks of channels, and with it what follows. */
static bool is_blocked(const Graph *g, TensorId t, int depth)
{
    const Node *n = t != TENSOR_NONE && g->tensor[t].producer != NODE_NONE
                        ? &g->node[g->tensor[t].producer]
                        : NULL;
    if (!n || depth == 0)
        return false;
    return n->op_id == OP_Conv ||
           (op_is(n->op_id, OP_Relu, OP_LeakyRelu, OP_Sigmoid, OP_Tanh, OP_Add, OP_Mul, OP_Sum,
                  OP_Concat, OP_MaxPool, OP_AveragePool) &&
            LIST_ALL(i, n->ninput, is_blocked(g, n->input[i], depth - 1)));
}

/* As onnxruntime adds in float32: in four lanes, and what is left after them; in a block each
 * channel has one lane. */
static float plane_mean(const float *x, int64_t n, bool block)
{
    float lane[LANES] = {0};
    int64_t whole = block ? 0 : n / LANES * LANES;
    for (int64_t i = 0; i < whole; i++)
        lane[i % LANES] += x[i];
    float sum = (lane[0] + lane[2]) + (lane[1] + lane[3]);
    for (int64_t i = whole; i < n; i++)
        sum += x[i];
    return sum / (float)n;
}

Status kernel_global_pool(Call *c)
{
    const float *x = NULL;
    Value *v = call_in(c, 0), *out = c->out[0];
    float *y = kernel_out_floats(out);
    Status st = kernel_in_floats(c, 0, &x);
    if (st || !y || v->rank < 2 || out->count != v->dim[0] * v->dim[1])
        return st ? st : call_refuse(c, "its shapes do not go together");
    int64_t plane = value_extent(v, 2, v->rank);
    bool block = v->dim[1] % BLOCK == 0 && is_blocked(c->graph, c->node->input[0], CHAIN_MAX);
    for (int64_t i = 0; i < out->count; i++) {
        y[i] = -INFINITY;
        if (c->node->op_id == OP_GlobalMaxPool)
            for (int64_t k = 0; k < plane; k++)
                y[i] = fmaxf(y[i], x[i * plane + k]);
        else
            y[i] = plane_mean(&x[i * plane], plane, block);
    }
    return STATUS_OK;
}

/* The same sums in the same order, channels side by side; what is of codes is in no block. */
bool kernel_fast_global_pool(Call *c)
{
    Value *v = call_in(c, 0), *out = c->out[0];
    ByteFunction f;
    if (!v || v->rank < 3 || c->nout > 1 || out->count != v->dim[0] * v->dim[1] ||
        !quantized_function_of(v, &f) || !value_channels_last(f.root) || !value_allocate(out))
        return false;
    int64_t plane = value_extent(v, 2, v->rank), channels = v->dim[1];
    const uint8_t *x = f.root->data;
    float *y = kernel_out_floats(out);
    float *of_channel = ARENA_ARRAY(c->scratch, float, (size_t)plane + 1);
    for (int64_t n = 0; y && n < v->dim[0]; n++, x += plane * channels)
        for (int64_t k = 0; k < channels; k++) {
            for (int64_t i = 0; i < plane; i++)
                of_channel[i] = f.number[x[i * channels + k]];
            y[n * channels + k] = plane_mean(of_channel, plane, false);
        }
    return y != NULL;
}

/* ---- Resize ---- */

enum { TAPS_MAX = 4 };

typedef struct {
    const char *coordinates, *nearest;
    enum { NEAREST, LINEAR, CUBIC } mode;
    double a;     /* of the cubic */
    bool inside;  /* what lies outside has no weight */
    double scale; /* of this axis */
    int64_t in, out;
} Axis;

/* The neighbours of an output position, and what each counts. */
typedef struct {
    int64_t at[TAPS_MAX];
    float weight[TAPS_MAX];
} Taps;

static double source_coordinate(const Axis *a, double to)
{
    if (strcmp(a->coordinates, "asymmetric") == 0)
        return to / a->scale;
    if (strcmp(a->coordinates, "align_corners") == 0) {
        double last = (double)a->in * a->scale - 1; /* as scaled, before it was rounded down */
        return a->out > 1 ? to * (double)(a->in - 1) / last : 0;
    }
    if (strcmp(a->coordinates, "tf_half_pixel_for_nn") == 0)
        return (to + 0.5) / a->scale;
    if (strcmp(a->coordinates, "pytorch_half_pixel") == 0 && a->out <= 1)
        return 0;
    /* What the size was rounded down by is left out at both ends alike. */
    bool symmetric = strcmp(a->coordinates, "half_pixel_symmetric") == 0;
    double lost = symmetric ? (double)a->in - (double)a->out / a->scale : 0;
    return (to + 0.5) / a->scale - 0.5 + lost / 2;
}

static double round_nearest(const char *mode, double x)
{
    if (strcmp(mode, "floor") == 0)
        return floor(x);
    if (strcmp(mode, "ceil") == 0)
        return ceil(x);
    return strcmp(mode, "round_prefer_ceil") == 0 ? floor(x + 0.5) : ceil(x - 0.5);
}

/* R. G. Keys, 1981: at distance d from an output position. */
static double cubic_weight(double a, double d)
{
    return d <= 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
}

static int taps_of(const Axis *a)
{
    return a->mode == NEAREST ? 1 : a->mode == LINEAR ? 2 : TAPS_MAX;
}

static Taps taps_at(const Axis *a, int64_t to)
{
    double x = source_coordinate(a, (double)to), last = (double)(a->in - 1), sum = 0,
           share[TAPS_MAX];
    double low = a->mode == NEAREST ? round_nearest(a->nearest, x) : floor(x) - (a->mode == CUBIC);
    int n = taps_of(a);
    Taps ret = {{0}, {0}};
    for (int i = 0; i < n; i++) {
        double at = low + i, d = fabs(x - at);
        share[i] = a->mode == NEAREST ? 1 : a->mode == LINEAR ? 1 - d : cubic_weight(a->a, d);
        if (a->inside && (at < 0 || at > last))
            share[i] = 0;
        sum += share[i];
        ret.at[i] = (int64_t)fmax(0, fmin(at, last));
    }
    for (int i = 0; i < n; i++)
        ret.weight[i] = (float)(a->inside ? share[i] / sum : share[i]);
    return ret;
}

static bool read_mode(const Call *c, Axis *ret)
{
    const char *mode = node_attr_string(c->node, "mode", "nearest");
    ret->mode = strcmp(mode, "cubic") == 0                                     ? CUBIC
                : strcmp(mode, "linear") == 0 || strcmp(mode, "bilinear") == 0 ? LINEAR
                                                                               : NEAREST;
    ret->a = node_attr_float(c->node, "cubic_coeff_a", -0.75);
    ret->inside = ret->mode != NEAREST && node_attr_int(c->node, "exclude_outside", 0);
    return ret->mode != NEAREST || strcmp(mode, "nearest") == 0;
}

/* Scales as they are written, else what the sizes make. */
static Status read_axes(Call *c, const Value *v, const Value *out, Axis *ret)
{
    bool old = c->node->op_id == OP_Upsample || c->opset < 11;
    uint32_t input = old ? 1 : 2;
    const Attr *a = node_attr(c->node, "scales");
    const float *scales = a ? a->floats : NULL;
    size_t n = a ? a->count : 0;
    Status st = STATUS_OK;
    if (!a && call_in(c, input) && call_in(c, input)->count > 0) {
        st = kernel_in_floats(c, input, &scales);
        n = (size_t)call_in(c, input)->count;
    }
    Axis mode = {0};
    if (st || !read_mode(c, &mode) || (n && n != (size_t)v->rank) ||
        node_attr_int(c->node, "antialias", 0) || call_in(c, 4))
        return st ? st : call_refuse(c, "its mode or its scales are not handled");
    for (int32_t i = 0; i < v->rank; i++) {
        double made = v->dim[i] > 0 ? (double)out->dim[i] / (double)v->dim[i] : 1;
        ret[i] = (Axis){.coordinates = node_attr_string(c->node, "coordinate_transformation_mode",
                                                        old ? "asymmetric" : "half_pixel"),
                        .nearest = node_attr_string(c->node, "nearest_mode",
                                                    old ? "floor" : "round_prefer_floor"),
                        .mode = mode.mode,
                        .a = mode.a,
                        .inside = mode.inside,
                        .scale = n && scales[i] > 0 ? (double)scales[i] : made,
                        .in = v->dim[i],
                        .out = out->dim[i]};
        if (strcmp(ret[i].coordinates, "tf_crop_and_resize") == 0 || v->dim[i] < 1)
            return call_refuse(c, "its mode is not handled");
    }
    return STATUS_OK;
}

/* Sum around a point along `axis` and those after it, weighted; an axis that is not scaled has one
 * neighbour that counts. */
static float blend_taps(const Value *v, const float *x, Taps *const taps[], int n,
                        const int64_t *index, const int64_t *stride, int32_t axis)
{
    if (axis == v->rank)
        return *x;
    const Taps *t = &taps[axis][index[axis]];
    return LIST_SUM(float, i, n,
                    t->weight[i] != 0 ? t->weight[i] * blend_taps(v, x + t->at[i] * stride[axis],
                                                                  taps, n, index, stride, axis + 1)
                                      : 0);
}

Status kernel_resize(Call *c)
{
    const float *x = NULL;
    Value *v = call_in(c, 0), *out = c->out[0];
    Axis axis[VALUE_MAX_RANK];
    float *y = kernel_out_floats(out);
    Status st = kernel_in_floats(c, 0, &x);
    if (st || !y || v->rank != out->rank)
        return st ? st : call_refuse(c, "its shapes do not go together");
    st = read_axes(c, v, out, axis);
    if (st || out->count == 0) /* where one axis has nothing, another may be of any length */
        return st;
    int64_t stride[VALUE_MAX_RANK], index[VALUE_MAX_RANK] = {0};
    value_strides(v, stride);
    Taps *taps[VALUE_MAX_RANK];
    for (int32_t i = 0; i < v->rank; i++) {
        taps[i] = ARENA_ARRAY(c->scratch, Taps, (size_t)out->dim[i]);
        for (int64_t k = 0; k < out->dim[i]; k++)
            taps[i][k] = taps_at(&axis[i], k);
    }
    for (int64_t to = 0; to < out->count; to++, kernel_next_index(out, index))
        y[to] = blend_taps(v, x, taps, v->rank ? taps_of(&axis[0]) : 0, index, stride, 0);
    return STATUS_OK;
}

/* Pixels go from place to place. */
bool kernel_fast_resize(Call *c)
{
    Value *v = call_in(c, 0), *out = c->out[0];
    Axis axis[VALUE_MAX_RANK];
    Diag ignored = {{0}};
    Call quiet = *c;
    quiet.diag = &ignored;
    if (!v || !v->source || (!v->table && !quantized_has_one_scale(v)) || v->rank != 4 ||
        out->rank != 4 || v->dim[0] != out->dim[0] || v->dim[1] != out->dim[1] || c->nout > 1 ||
        read_axes(&quiet, v, out, axis) || axis[2].mode != NEAREST || out->count == 0)
        return false;
    const uint8_t *x = value_channels_last(v->source);
    Value *moved = x ? value_create(v->source->dtype, 4, out->dim) : NULL;
    if (!moved)
        return false;
    int64_t rows = out->dim[2], columns = out->dim[3];
    int64_t *from = ARENA_ARRAY(c->scratch, int64_t, (size_t)columns);
    size_t pixel = (size_t)v->dim[1];
    uint8_t *y = moved->data;
    for (int64_t k = 0; k < columns; k++)
        from[k] = taps_at(&axis[3], k).at[0];
    for (int64_t n = 0; n < out->dim[0]; n++)
        for (int64_t r = 0; r < rows; r++) {
            int64_t row = n * v->dim[2] + taps_at(&axis[2], r).at[0];
            const uint8_t *line = x + (size_t)(row * v->dim[3]) * pixel;
            for (int64_t k = 0; k < columns; k++, y += pixel)
                memcpy(y, line + (size_t)from[k] * pixel, pixel);
        }
    moved->last = true;
    return quantized_set_source(out, v, moved);
}

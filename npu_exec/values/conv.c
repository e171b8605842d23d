/* Packs columns of the image into panels and multiplies them. */
#include "npu_exec/values/conv.h"
#include "npu_exec/values/loops.h"
#include "npu_exec/values/product.h"

typedef ConvShape Geometry;

static int64_t attr_or_one(const int64_t *list, size_t n, size_t i)
{
    return i < n ? list[i] : 1;
}

bool conv_geometry(const Call *c, const Value *x, const Value *w, const Value *out, Geometry *ret)
{
    if ((x->rank != 3 && x->rank != 4) || w->rank != x->rank || out->rank != x->rank)
        return false;
    bool flat = x->rank == 3;
    size_t last = (size_t)call_in(c, 0)->rank - 3; /* in lists of the node's own axes */
    const int64_t *stride, *dilation;
    size_t ns = node_attr_ints(c->node, "strides", &stride);
    size_t nd = node_attr_ints(c->node, "dilations", &dilation);
    Geometry g = {.n = x->dim[0],
                  .c = x->dim[1],
                  .m = w->dim[0],
                  .h = flat ? 1 : x->dim[2],
                  .w = x->dim[x->rank - 1],
                  .oh = flat ? 1 : out->dim[2],
                  .ow = out->dim[x->rank - 1],
                  .kh = flat ? 1 : w->dim[2],
                  .kw = w->dim[x->rank - 1],
                  .group = node_attr_int(c->node, "group", 1),
                  .sh = flat ? 1 : attr_or_one(stride, ns, last - 1),
                  .sw = attr_or_one(stride, ns, last),
                  .dh = flat ? 1 : attr_or_one(dilation, nd, last - 1),
                  .dw = attr_or_one(dilation, nd, last)};
    const int64_t limit = 1 << 20;
    if (g.group < 1 || g.c % g.group || g.m % g.group || w->dim[1] != g.c / g.group ||
        out->dim[0] != g.n || out->dim[1] != g.m || g.sh < 1 || g.sw < 1 || g.dh < 1 || g.dw < 1 ||
        g.sh > limit || g.sw > limit || g.dh > limit || g.dw > limit)
        return false;
    if (!flat)
        g.ph = kernel_pad_before(c->node, last - 1, (WindowAxis){g.h, g.oh, g.kh, g.sh, g.dh});
    g.pw = kernel_pad_before(c->node, last, (WindowAxis){g.w, g.ow, g.kw, g.sw, g.dw});
    *ret = g;
    return g.ph >= -limit && g.ph <= limit && g.pw >= -limit && g.pw <= limit;
}

/* Where the window of each of a panel's pixels reads at tap (i, k) of a channel; -1: outside. */
static void tap_offsets(const Geometry *g, int64_t first, int64_t i, int64_t k, int64_t *ret)
{
    int64_t row = first / g->ow, column = first % g->ow;
    for (int64_t j = 0; j < PANEL; j++) {
        int64_t h = row * g->sh + i * g->dh - g->ph, w = column * g->sw + k * g->dw - g->pw;
        bool inside = row < g->oh && h >= 0 && h < g->h && w >= 0 && w < g->w;
        ret[j] = inside ? h * g->w + w : -1;
        if (++column == g->ow) {
            column = 0;
            row++;
        }
    }
}

/* Taps outermost, channels within, as the packed weights. */
#define PACK(name, From, To, value)                                                                \
    static void name(const Geometry *g, const From *x, int32_t zero, int64_t first,                \
                     To(*ret)[PANEL])                                                              \
    {                                                                                              \
        (void)zero;                                                                                \
        for (int64_t t = 0, row = 0; t < g->kh * g->kw; t++) {                                     \
            int64_t at[PANEL];                                                                     \
            tap_offsets(g, first, t / g->kw, t % g->kw, at);                                       \
            for (int64_t c = 0; c < g->c / g->group; c++, row++)                                   \
                for (int64_t j = 0; j < PANEL; j++)                                                \
                    ret[row][j] = at[j] < 0 ? 0 : (To)(x[c * g->h * g->w + at[j]] value);          \
        }                                                                                          \
    }
PACK(pack_float, float, float, )
PACK(pack_int8, int8_t, int16_t, -zero)
PACK(pack_uint8, uint8_t, int16_t, -zero)
#undef PACK

/* What a convolution multiplies: floats, or 8-bit integers less their zero points. */
typedef struct {
    Geometry g;
    int64_t slices; /* of a result with three axes, each an image; 1: it has fewer */
    int64_t depth;
    const float *x, *w; /* floats … */
    const ConvBytes *q; /* … or integers */
    float *packed_w;    /* [m][taps][channels] */
    int16_t *packed_qw;
    KernelCache *kept; /* for the library's form of constant weights; NULL: they change */
} Conv;

static void pack_weights(Call *c, Conv *v)
{
    const Geometry *g = &v->g;
    int64_t channels = g->c / g->group, taps = g->kh * g->kw;
    v->depth = channels * taps;
    size_t count = (size_t)(g->m * v->depth) + 1;
    if (v->q)
        v->packed_qw = ARENA_ARRAY(c->scratch, int16_t, count);
    else
        v->packed_w = ARENA_ARRAY(c->scratch, float, count);
    for (int64_t m = 0, to = 0; m < g->m; m++)
        for (int64_t t = 0; t < taps; t++)
            for (int64_t k = 0; k < channels; k++, to++) {
                int64_t from = (m * channels + k) * taps + t;
                if (v->q)
                    v->packed_qw[to] = (int16_t)(value_byte(v->q->w, from) -
                                                 v->q->zero_w[v->q->nzero > 1 ? m : 0]);
                else
                    v->packed_w[to] = v->w[from];
            }
}

/* Sums of one panel for the output channels of a group, as floats or as integers. */
typedef struct {
    void *panel;
    float (*sum)[PANEL];
    int32_t (*isum)[PANEL];
} Work;

static void multiply_panel(const Conv *v, int64_t n, int64_t group, int64_t first, Work *work)
{
    const Geometry *g = &v->g;
    int64_t rows = g->m / g->group, channels = g->c / g->group;
    int64_t at = (n * g->c + group * channels) * g->h * g->w;
    size_t depth = (size_t)v->depth, from = (size_t)(group * rows * v->depth);
    if (!v->q) {
        pack_float(g, v->x + at, 0, first, work->panel);
        product_float(v->packed_w + from, depth, (size_t)rows, work->panel, depth, work->sum);
        return;
    }
    if (v->q->x->dtype == DT_INT8)
        pack_int8(g, (const int8_t *)v->q->x->data + at, v->q->zero_x, first, work->panel);
    else
        pack_uint8(g, (const uint8_t *)v->q->x->data + at, v->q->zero_x, first, work->panel);
    product_int(v->packed_qw + from, depth, (size_t)rows, work->panel, depth, work->isum);
}

/* Sums of output channel m of image n from pixel `first` on: floats or integers. */
typedef struct {
    int64_t n, m, first, count;
    const float *sum;
    const int32_t *isum;
} ChannelSums;

typedef void Finish(void *user, const Conv *v, const ChannelSums *s);

static int64_t output_place(const Conv *v, const ChannelSums *s)
{
    const Geometry *g = &v->g;
    assert(s->n < g->n && s->m < g->m && s->first + s->count <= g->oh * g->ow);
    int64_t plane = (s->n / v->slices * g->m + s->m) * v->slices + s->n % v->slices;
    return plane * g->oh * g->ow + s->first;
}

/* All sums of floats at once, by the library; false where it does not. */
static bool run_by_library(const Conv *v, Finish *finish, void *user)
{
    const Geometry *g = &v->g;
    int64_t pixels = g->oh * g->ow, planes = g->n * g->m;
    PreparedConv *made = v->q ? NULL : v->kept ? v->kept->data : NULL;
    if (!made && !v->q)
        made = prepared_conv_of_floats(g, v->w);
    float *sum = made ? malloc((size_t)(planes * pixels) * sizeof *sum + 1) : NULL;
    bool ok = sum && prepared_conv_run_floats(made, v->x, sum);
    for (int64_t i = 0; ok && i < planes; i++)
        finish(user, v, &(ChannelSums){i / g->m, i % g->m, 0, pixels, sum + i * pixels, NULL});
    free(sum);
    if (v->kept && !v->q) {
        v->kept->data = made;
        v->kept->release = prepared_conv_free;
    } else {
        prepared_conv_free(made);
    }
    return ok;
}

static void run_conv(Call *c, Conv *v, Finish *finish, void *user)
{
    const Geometry *g = &v->g;
    if (run_by_library(v, finish, user))
        return;
    pack_weights(c, v);
    int64_t rows = g->m / g->group, pixels = g->oh * g->ow;
    Work work = {.panel = arena_calloc(c->scratch, (size_t)v->depth + 1, PANEL * sizeof(float)),
                 .sum = arena_calloc(c->scratch, (size_t)rows + 1, PANEL * sizeof(float))};
    work.isum = arena_calloc(c->scratch, (size_t)rows + 1, PANEL * sizeof(int32_t));
    for (int64_t n = 0; n < g->n; n++)
        for (int64_t group = 0; group < g->group; group++)
            for (int64_t first = 0; first < pixels; first += PANEL) {
                int64_t count = pixels - first < PANEL ? pixels - first : PANEL;
                multiply_panel(v, n, group, first, &work);
                for (int64_t r = 0; r < rows; r++)
                    finish(user, v,
                           &(ChannelSums){n, group * rows + r, first, count, work.sum[r],
                                          work.isum[r]});
            }
}

/* ---- Conv ---- */

typedef struct {
    float *y;
    const float *bias; /* or NULL */
    const float *scale_w;
    int64_t nscale;
    float scale_x;
    const Epilogue *epilogue; /* or NULL; then into codes: */
    Value *codes;
} ConvOut;

enum { BLOCK = 1024 }; /* numbers that are done while they are near */

/* Scaled, and what the epilogue says. */
static void finish_block(const ConvOut *o, const Conv *v, const ChannelSums *s, int64_t from,
                         float *to, size_t n)
{
    float bias = o->bias ? o->bias[s->m] : 0;
    if (v->q)
        loop_scale_ints(s->isum + from, o->scale_x * o->scale_w[o->nscale > 1 ? s->m : 0], bias, to,
                        n);
    else
        loop_shift(s->sum + from, bias, to, n);
    if (o->epilogue && o->epilogue->relu)
        loop_relu(to, to, n);
}

static void finish_conv(void *user, const Conv *v, const ChannelSums *s)
{
    const ConvOut *o = user;
    int64_t at = output_place(v, s);
    float block[BLOCK];
    if (!o->epilogue) {
        finish_block(o, v, s, 0, o->y + at, (size_t)s->count);
        return;
    }
    for (int64_t j = 0; j < s->count; j += BLOCK) {
        size_t some = s->count - j < BLOCK ? (size_t)(s->count - j) : BLOCK;
        finish_block(o, v, s, j, block, some);
        kernel_quantize_row(block, o->epilogue->scale, o->epilogue->zero, o->codes->dtype,
                            (uint8_t *)o->codes->data + at + j, some);
    }
}

ConvBytes conv_operands(const Value *x, const Value *w, const Geometry *g)
{
    return (ConvBytes){.g = *g,
                       .x = x->source,
                       .w = w->source,
                       .zero_x = x->zero[0],
                       .zero_w = w->zero,
                       .nzero = w->nzero,
                       .scale_x = x->scale[0],
                       .scale_w = w->scale,
                       .nscale = w->nscale};
}

bool conv_bytes(Value *x, Value *w, const Geometry *g, ConvBytes *ret)
{
    if (!x->source || !x->scale || x->nscale != 1 || !w->source || !w->scale ||
        (w->nscale != 1 && (w->axis != 0 || w->nscale != g->m)) ||
        g->c / g->group * g->kh * g->kw >= PRODUCT_MAX_DEPTH)
        return false;
    *ret = conv_operands(x, w, g);
    return true;
}

/* A Conv over three axes is one over two: each slice of the result is an image, whose channels are
 * the slices that it reads, in the order that the weights have.  False when it is none. */
static bool volume_geometry(const Call *c, const Value *x, const Value *w, const Value *out,
                            WindowAxis *ret, Geometry *ret_images)
{
    const int64_t *stride, *dilation, limit = 1 << 20;
    size_t ns = node_attr_ints(c->node, "strides", &stride);
    size_t nd = node_attr_ints(c->node, "dilations", &dilation);
    if (x->rank != 5 || w->rank != 5 || out->rank != 5 || !x->count || !w->count || !out->count)
        return false;
    WindowAxis a = {x->dim[2], out->dim[2], w->dim[2], attr_or_one(stride, ns, 0),
                    attr_or_one(dilation, nd, 0)};
    int64_t before = kernel_pad_before(c->node, 0, a);
    Value images = {.rank = 4,
                    .dim = {x->dim[0] * a.out, x->dim[1] * a.kernel, x->dim[3], x->dim[4]}};
    Value weights = {.rank = 4, .dim = {w->dim[0], w->dim[1] * a.kernel, w->dim[3], w->dim[4]}};
    Value results = {.rank = 4,
                     .dim = {out->dim[0] * a.out, out->dim[1], out->dim[3], out->dim[4]}};
    *ret = a;
    return a.stride >= 1 && a.stride <= limit && a.dilation >= 1 && a.dilation <= limit &&
           before >= -limit && before <= limit &&
           conv_geometry(c, &images, &weights, &results, ret_images);
}

/* The images of a volume; zeros where a slice lies in the padding. */
static const float *gather_slices(Call *c, const Value *v, const float *x, WindowAxis a,
                                  const Geometry *g)
{
    int64_t before = kernel_pad_before(c->node, 0, a), plane = g->h * g->w;
    float *images = arena_calloc(c->scratch, (size_t)(g->n * g->c), (size_t)plane * sizeof *images);
    for (int64_t i = 0; i < g->n * g->c; i++) {
        int64_t slice = i / g->c % a.out * a.stride + i % a.kernel * a.dilation - before;
        int64_t volume = i / g->c / a.out * v->dim[1] + i % g->c / a.kernel;
        if (slice >= 0 && slice < a.in)
            memcpy(images + i * plane, x + (volume * a.in + slice) * plane,
                   (size_t)plane * sizeof *x);
    }
    return images;
}

Status kernel_conv(Call *c)
{
    Value *x = call_in(c, 0), *w = call_in(c, 1), *b = call_in(c, 2), *out = c->out[0];
    Conv v = {.slices = 1};
    ConvBytes q = {0};
    WindowAxis depth;
    ConvOut o = {.epilogue = c->epilogue, .codes = out};
    o.y = c->epilogue ? NULL : kernel_out_floats(out);
    bool volume = x && w && volume_geometry(c, x, w, out, &depth, &v.g);
    if (!x || !w || (!o.y && !c->epilogue) || (!volume && !conv_geometry(c, x, w, out, &v.g)))
        return call_refuse(c, "its image or weights are not of a form that is handled");
    Status st = b ? kernel_in_floats(c, 2, &o.bias) : STATUS_OK;
    if (!st && b && b->count != v.g.m)
        st = call_refuse(c, "the bias does not fit the channels");
    if (!volume && conv_bytes(x, w, &v.g, &q)) {
        v.q = &q;
        o.nscale = q.nscale;
        o.scale_x = q.scale_x;
        o.scale_w = q.scale_w;
    } else if (!st) {
        st = kernel_in_floats(c, 0, &v.x);
        st = st ? st : kernel_in_floats(c, 1, &v.w);
    }
    v.kept = c->kept;
    if (!st && volume) {
        v.slices = depth.out;
        v.x = gather_slices(c, x, v.x, depth, &v.g);
    }
    if (!st)
        run_conv(c, &v, finish_conv, &o);
    return st;
}

/* ---- ConvInteger, QLinearConv ---- */

Status conv_read_bytes(Call *c, uint32_t x, uint32_t w, uint32_t zero_x, uint32_t zero_w,
                       ConvBytes *v)
{
    v->x = call_in(c, x);
    v->w = call_in(c, w);
    if (!value_is_bytes(v->x) || !value_is_bytes(v->w) ||
        !conv_geometry(c, v->x, v->w, c->out[0], &v->g) ||
        v->g.c / v->g.group * v->g.kh * v->g.kw >= PRODUCT_MAX_DEPTH)
        return call_refuse(c, "its image or weights are not of a form that is handled");
    const int32_t *zx = NULL;
    int64_t one = 0;
    Status st = kernel_zero_points(c, zero_x, 1, &zx, &one);
    st = st ? st : kernel_zero_points(c, zero_w, v->g.m, &v->zero_w, &v->nzero);
    if (!st)
        v->zero_x = zx[0];
    return st;
}

static void finish_integer(void *user, const Conv *v, const ChannelSums *s)
{
    int64_t *y = (int64_t *)user + output_place(v, s);
    for (int64_t j = 0; j < s->count; j++)
        y[j] = s->isum[j];
}

Status kernel_conv_integer(Call *c)
{
    ConvBytes q = {0};
    int64_t *y = kernel_out_ints(c->out[0]);
    Status st = y ? conv_read_bytes(c, 0, 1, 2, 3, &q) : call_no_memory(c);
    if (!st)
        run_conv(c, &(Conv){.g = q.g, .slices = 1, .q = &q}, finish_integer, y);
    return st;
}

/* Inputs: x, scale, zero, w, scale, zero, scale of y, zero of y, bias. */
Status conv_read_scales(Call *c, ConvBytes *v)
{
    const float *scale_x, *bias = NULL;
    Status st = kernel_in_floats(c, 1, &scale_x);
    st = st ? st : kernel_in_floats(c, 4, &v->scale_w);
    st = st || !call_in(c, 8) ? st : kernel_in_floats(c, 8, &bias);
    if (st)
        return st;
    v->nscale = call_in(c, 4)->count;
    if ((v->nscale != 1 && v->nscale != v->g.m) || call_in(c, 1)->count != 1 ||
        (bias && call_in(c, 8)->count != v->g.m))
        return call_refuse(c, "scales or bias do not fit the channels");
    v->scale_x = scale_x[0];
    float *real = ARENA_ARRAY(c->scratch, float, (size_t)v->g.m);
    for (int64_t m = 0; m < v->g.m; m++) /* the bias counts steps of both scales */
        real[m] = bias ? bias[m] * (v->scale_x * v->scale_w[v->nscale > 1 ? m : 0]) : 0;
    v->bias = real;
    return STATUS_OK;
}

Status kernel_qlinear_conv(Call *c)
{
    ConvBytes q = {0};
    Status st = conv_read_bytes(c, 0, 3, 2, 5, &q);
    st = st ? st : conv_read_scales(c, &q);
    if (st)
        return st;
    ConvOut o = {.bias = q.bias, .scale_x = q.scale_x, .scale_w = q.scale_w, .nscale = q.nscale};
    o.y = ARENA_ARRAY(c->scratch, float, (size_t)c->out[0]->count);
    run_conv(c, &(Conv){.g = q.g, .slices = 1, .q = &q}, finish_conv, &o);
    return kernel_quantize_out(c, o.y, 6, 7, c->out[0]);
}

/* ---- ConvTranspose ---- */

static void scatter_pixel(const Geometry *g, const float *x, const float *w, int64_t row,
                          int64_t column, float *y)
{
    float v = x[row * g->w + column];
    for (int64_t i = 0; i < g->kh; i++)
        for (int64_t k = 0; k < g->kw; k++) {
            int64_t h = row * g->sh + i * g->dh - g->ph, at = column * g->sw + k * g->dw - g->pw;
            if (h >= 0 && h < g->oh && at >= 0 && at < g->ow)
                y[h * g->ow + at] += v * w[i * g->kw + k];
        }
}

/* Pads of a transposed convolution: what makes its output as large as it is. */
static int64_t pad_of_transposed(const Call *c, size_t axis, int64_t in, int64_t out,
                                 int64_t kernel, int64_t stride, int64_t dilation)
{
    const int64_t *pads, *extra;
    size_t np = node_attr_ints(c->node, "pads", &pads);
    size_t ne = node_attr_ints(c->node, "output_padding", &extra);
    const char *automatic = node_attr_string(c->node, "auto_pad", "NOTSET");
    bool same = strncmp(automatic, "SAME", 4) == 0;
    if (!same && !node_attr(c->node, "output_shape"))
        return axis < np ? pads[axis] : 0;
    int64_t total =
        (in - 1) * stride + (kernel - 1) * dilation + 1 + (axis < ne ? extra[axis] : 0) - out;
    total = total > 0 ? total : 0;
    return strcmp(automatic, "SAME_UPPER") == 0 ? total / 2 : total - total / 2;
}

Status kernel_conv_transpose(Call *c)
{
    Value *x = call_in(c, 0), *w = call_in(c, 1), *out = c->out[0];
    const float *fx, *fw, *bias = NULL;
    Status st = kernel_in_floats(c, 0, &fx);
    st = st ? st : kernel_in_floats(c, 1, &fw);
    st = st || !call_in(c, 2) ? st : kernel_in_floats(c, 2, &bias);
    float *y = kernel_out_floats(out);
    if (st || !y)
        return st ? st : call_no_memory(c);
    /* w is [c, m/group, …]: as a convolution from the output's channels to the input's. */
    Geometry g;
    if (!conv_geometry(c, out, w, x, &g) || (bias && call_in(c, 2)->count != out->dim[1]))
        return call_refuse(c,
                           "its image or weights are not of a form that is handled (1 or 2 axes)");
    Geometry t = g;
    t.c = g.m;
    t.h = g.oh;
    t.w = g.ow;
    t.m = g.c;
    t.oh = g.h;
    t.ow = g.w;
    size_t naxis = x->rank == 3 ? 1 : 2;
    t.ph = naxis == 1 ? 0 : pad_of_transposed(c, 0, t.h, t.oh, t.kh, t.sh, t.dh);
    t.pw = pad_of_transposed(c, naxis - 1, t.w, t.ow, t.kw, t.sw, t.dw);
    int64_t mg = t.m / t.group, cg = t.c / t.group;
    for (int64_t n = 0; n < t.n; n++)
        for (int64_t m = 0; m < t.m; m++) {
            float *to = y + (n * t.m + m) * t.oh * t.ow;
            for (int64_t i = 0; i < t.oh * t.ow; i++)
                to[i] = bias ? bias[m] : 0;
            for (int64_t k = m / mg * cg; k < (m / mg + 1) * cg; k++)
                for (int64_t i = 0; i < t.h * t.w; i++)
                    scatter_pixel(&t, fx + (n * t.c + k) * t.h * t.w,
                                  fw + (k * mg + m % mg) * t.kh * t.kw, i / t.w, i % t.w, to);
        }
    return STATUS_OK;
}

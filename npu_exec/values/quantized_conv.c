/* Convolves and multiplies bytes as a whole and quantizes the sums at once. */
#include "npu_exec/values/quantized.h"
#include "npu_exec/values/conv.h"
#include "npu_exec/values/product.h"
#include "graph/base/exit_cleanup.h"

#include <sys/mman.h>

/* ---- what the library makes of the weights ---- */

/* The library has its own copy now: the file's pages need not stay in memory. */
static void put_away(const Value *w)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)w->data;
    uintptr_t end = (from + (size_t)value_bytes(w)) / page * page;
    size_t before = (size_t)((page - from % page) % page);
    if (from + before >= end || !exit_cleanup_is_mapped(w->data, (size_t)value_bytes(w)))
        return;
    madvise((uint8_t *)w->data + before, end - from - before, MADV_DONTNEED);
}

static PreparedConv *make_conv(const ConvBytes *v, ConvUse use)
{
    return prepared_conv_of_bytes(
        &v->g, v->x->dtype, &(ConvWeights){v->w->dtype, v->w->data, v->zero_w, v->nzero}, use);
}

static PreparedConv *made_for(Call *c, const ConvBytes *v)
{
    KernelCache *k = c->kept;
    if (!k)
        return make_conv(v, CONV_RUN_ONCE);
    /* A convolution that runs again pays for its preparation, however small it is. */
    bool again = k->runs++ > 0;
    if (!k->data && !k->none) {
        k->data = make_conv(v, again ? CONV_RUN_AGAIN : CONV_RUN_ONCE);
        k->release = prepared_conv_free;
        k->none = again && !k->data;
        if (k->data)
            put_away(v->w);
    }
    return k->data;
}

/* ---- where the sums go ---- */

typedef struct {
    int64_t m, pixels; /* of an image */
    int32_t *less;
    float *scale, *bias;
    QuantizeTerms terms;
    uint8_t *codes; /* these, or one of the others */
    float *y;
    int64_t *whole;
} Sink;

static void take_codes(void *user, const ConvSums *k)
{
    const Sink *s = user;
    loop_quantize_sums(&s->terms, k->sum, s->codes + k->first * s->m, (size_t)k->count);
}

/* Into planes. */
static void take_numbers(void *user, const ConvSums *k)
{
    const Sink *s = user;
    for (int64_t m = 0; m < s->m; m++)
        for (int64_t i = 0; i < k->count; i++) {
            int64_t image = (k->first + i) / s->pixels, pixel = (k->first + i) % s->pixels;
            int64_t at = (image * s->m + m) * s->pixels + pixel;
            int32_t whole = k->sum[i * s->m + m] - s->less[m];
            if (s->whole)
                s->whole[at] = whole;
            else
                s->y[at] = (float)whole * s->scale[m] + s->bias[m];
        }
}

/* Of each output channel. */
static bool scales_of(Call *c, const ConvBytes *v, Sink *s)
{
    size_t room = (size_t)v->g.m + 1;
    s->m = v->g.m;
    s->pixels = v->g.oh * v->g.ow;
    s->less = ARENA_ARRAY(c->scratch, int32_t, room);
    s->scale = ARENA_ARRAY(c->scratch, float, room);
    s->bias = ARENA_ARRAY(c->scratch, float, room);
    for (int64_t m = 0; m < s->m; m++) {
        s->scale[m] = v->scale_w ? v->scale_x * v->scale_w[v->nscale > 1 ? m : 0] : 1;
        s->bias[m] = v->bias ? v->bias[m] : 0;
    }
    return true;
}

/* ---- running ---- */

/* What takes the sums has `s` first. */
static bool run_conv(Call *c, const ConvBytes *v, ConvConsumer *take, Sink *s)
{
    if (!value_plain(v->w))
        return false;
    PreparedConv *made = made_for(c, v);
    const uint8_t *x = !made              ? NULL
                       : v->x->rank > 2   ? value_channels_last(v->x)
                       : value_open(v->x) ? v->x->data
                                          : NULL;
    bool ok = x && prepared_conv_zero_offsets(made, v->zero_x, s->less);
    s->terms = (QuantizeTerms){s->terms.to, s->less, s->scale, s->bias, (size_t)s->m};
    ok = ok && prepared_conv_run_bytes(made, x, v->zero_x, take, s);
    if (!c->kept)
        prepared_conv_free(made);
    return ok;
}

static bool into_codes(Call *c, const ConvBytes *v, const Epilogue *e)
{
    Sink s = {0};
    Value *out = c->out[0];
    if (!quantized_coding(e, out->dtype, &s.terms.to) || !scales_of(c, v, &s) ||
        !value_allocate(out))
        return false;
    s.codes = out->data;
    out->last = run_conv(c, v, take_codes, &s);
    return out->last;
}

static bool into_numbers(Call *c, const ConvBytes *v, bool whole)
{
    Sink s = {0};
    Value *out = c->out[0];
    if (!scales_of(c, v, &s) || !value_allocate(out))
        return false;
    s.whole = whole ? kernel_out_ints(out) : NULL;
    s.y = whole ? NULL : kernel_out_floats(out);
    return (s.whole || s.y) && run_conv(c, v, take_numbers, &s);
}

/* ---- convolutions ---- */

bool kernel_fast_conv(Call *c)
{
    Value *x = call_in(c, 0), *w = call_in(c, 1), *b = call_in(c, 2);
    ConvShape g;
    ConvBytes v;
    if (!x || !w || !x->source || !w->source || !conv_geometry(c, x, w, c->out[0], &g) ||
        !conv_bytes(x, w, &g, &v) || (b && b->count != g.m))
        return false;
    v.bias = b ? value_floats(b) : NULL;
    if (b && !v.bias)
        return false;
    return c->epilogue ? into_codes(c, &v, c->epilogue) : into_numbers(c, &v, false);
}

bool kernel_fast_conv_integer(Call *c)
{
    ConvBytes v = {0};
    return conv_read_bytes(c, 0, 1, 2, 3, &v) == STATUS_OK && into_numbers(c, &v, true);
}

bool kernel_fast_qlinear_conv(Call *c)
{
    ConvBytes v = {0};
    Value *step = call_in(c, 6), *zero = call_in(c, 7);
    if (conv_read_bytes(c, 0, 3, 2, 5, &v) || conv_read_scales(c, &v) || !step ||
        step->count != 1 || (zero && zero->count != 1) || !value_is_bytes(c->out[0]))
        return false;
    const float *scale = value_floats(step);
    const int64_t *at = zero ? value_ints(zero) : NULL;
    return scale && (!zero || at) &&
           into_codes(c, &v, &(Epilogue){.scale = scale[0], .zero = at ? at[0] : 0});
}

/* ---- products: rows are pixels, columns are channels ---- */

static bool product_of(const Value *a, const Value *b, int64_t k, int64_t n, int32_t column,
                       ConvBytes *ret)
{
    if (!quantized_has_one_scale(a) || a->source->last || !b->source || !b->scale || b->rank != 2 ||
        k < 1 || n < 1 || k >= PRODUCT_MAX_DEPTH ||
        (b->nscale != 1 && (b->axis != column || b->nscale != n)))
        return false;
    int64_t rows = a->count / k;
    ConvShape pixels = {.n = 1,
                        .c = k,
                        .h = 1,
                        .w = rows,
                        .m = n,
                        .oh = 1,
                        .ow = rows,
                        .kh = 1,
                        .kw = 1,
                        .group = 1,
                        .sh = 1,
                        .sw = 1,
                        .dh = 1,
                        .dw = 1,
                        .turned = column == 1};
    *ret = conv_operands(a, b, &pixels);
    return rows > 0;
}

typedef struct {
    Sink s;
    float alpha, beta;
    const float *add; /* or NULL, with distances of rows and columns */
    int64_t row, column;
} Rows;

static void take_rows(void *user, const ConvSums *k)
{
    const Rows *r = user;
    for (int64_t i = 0, row = k->first; i < k->count; i++, row++)
        for (int64_t m = 0; m < r->s.m; m++) {
            float y = (float)(k->sum[i * r->s.m + m] - r->s.less[m]) * r->s.scale[m];
            if (r->alpha != 1 || r->add)
                y = r->alpha * y + (r->add ? r->beta * r->add[row * r->row + m * r->column] : 0);
            r->s.y[row * r->s.m + m] = y;
        }
}

static bool into_rows(Call *c, const ConvBytes *v, Rows *r)
{
    r->s.y =
        scales_of(c, v, &r->s) && value_allocate(c->out[0]) ? kernel_out_floats(c->out[0]) : NULL;
    return r->s.y && run_conv(c, v, take_rows, &r->s);
}

bool kernel_fast_gemm(Call *c)
{
    Value *a = call_in(c, 0), *b = call_in(c, 1), *add = call_in(c, 2), *out = c->out[0];
    bool tb = node_attr_int(c->node, "transB", 0);
    int64_t stride[VALUE_MAX_RANK];
    ConvBytes v;
    if (!a || !b || a->rank != 2 || b->rank != 2 || out->rank != 2 ||
        node_attr_int(c->node, "transA", 0) || b->dim[tb ? 1 : 0] != a->dim[1] ||
        out->dim[0] != a->dim[0] || out->dim[1] != b->dim[tb ? 0 : 1] ||
        (add && !kernel_broadcast_strides(add, out, stride)) ||
        !product_of(a, b, a->dim[1], out->dim[1], tb ? 0 : 1, &v))
        return false;
    Rows r = {.alpha = (float)node_attr_float(c->node, "alpha", 1),
              .beta = (float)node_attr_float(c->node, "beta", 1),
              .add = add ? value_floats(add) : NULL,
              .row = add ? stride[0] : 0,
              .column = add ? stride[1] : 0};
    return (!add || r.add) && into_rows(c, &v, &r);
}

bool kernel_fast_matmul(Call *c)
{
    Value *a = call_in(c, 0), *b = call_in(c, 1), *out = c->out[0];
    ConvBytes v;
    if (!a || !b || a->rank < 2 || b->rank != 2 || a->dim[a->rank - 1] != b->dim[0] ||
        !product_of(a, b, b->dim[0], b->dim[1], 1, &v) || out->count != v.g.ow * v.g.m)
        return false;
    return into_rows(c, &v, &(Rows){.alpha = 1});
}

/* What a convolution is made of: slabs of bytes, or planes of floats that no instruction
 * saturates. */
#include "npu_exec/values/onednn_planes.h"
#include "npu_exec/values/onednn_slab.h"

#ifndef HAVE_ONEDNN

OnednnConv *onednn_conv_floats(const ConvShape *s, const float *w)
{
    (void)s, (void)w;
    return NULL;
}

OnednnConv *onednn_conv_ints(const ConvShape *s, DType x, const Value *w, const int32_t *zero_w,
                             int64_t nzero, int32_t zero_x, bool small)
{
    (void)s, (void)x, (void)w, (void)zero_w, (void)nzero, (void)zero_x, (void)small;
    return NULL;
}

bool onednn_conv_run_floats(OnednnConv *c, const float *x, float *ret_sum)
{
    (void)c, (void)x, (void)ret_sum;
    return false;
}

bool onednn_conv_run_ints(OnednnConv *c, const void *x, int32_t zero_x, OnednnTake *take,
                          void *user)
{
    (void)c, (void)x, (void)zero_x, (void)take, (void)user;
    return false;
}

void onednn_conv_free(void *conv)
{
    (void)conv;
}

#else

#include <stdlib.h>

static bool can_do(const ConvShape *s)
{
    return onednn()->ready && s->n > 0 && s->c > 0 && s->m > 0 && s->h > 0 && s->w > 0 &&
           s->oh > 0 && s->ow > 0 && s->kh > 0 && s->kw > 0 && s->ph >= 0 && s->pw >= 0;
}

static bool is_large(const ConvShape *s)
{
    return (double)(s->n * s->m * s->oh * s->ow) * (double)(s->c / s->group * s->kh * s->kw) >=
           (double)onednn()->least_macs;
}

/* ---- conv, of floats or bytes ---- */

enum { PARTS_MOST = 64 };

struct OnednnConv {
    ConvShape s;
    enum { OF_FLOATS, OF_BYTES, OF_BYTES_IN_FLOATS } kind;
    DType x;         /* of the image */
    int32_t *sum_w;  /* of each output channel, for the zero point of the image */
    int64_t at_once; /* channels in a part */
    OnednnPlanes *part;
    int64_t nparts;
    OnednnSlab *slab;
};

void onednn_conv_free(void *conv)
{
    OnednnConv *c = conv;
    if (!c)
        return;
    for (int64_t i = 0; i < c->nparts; i++)
        onednn_planes_free(&c->part[i]);
    if (c->slab)
        onednn_slab_free(c->slab);
    free(c->part);
    free(c->slab);
    free(c->sum_w);
    free(c);
}

static OnednnConv *conv_new(const ConvShape *s, bool small)
{
    OnednnConv *c = can_do(s) && (small || is_large(s)) ? calloc(1, sizeof *c) : NULL;
    if (c)
        c->s = *s;
    return c;
}

static OnednnConv *conv_or_none(OnednnConv *c, bool ok)
{
    if (ok)
        return c;
    onednn_conv_free(c);
    return NULL;
}

static bool room_for_parts(OnednnConv *c, int64_t n)
{
    c->part = calloc((size_t)n, sizeof *c->part);
    return c->part != NULL;
}

static bool add_part(OnednnConv *c, const float *w, int64_t count)
{
    return onednn_planes_make(&c->s, w, count, &c->part[c->nparts++]);
}

OnednnConv *onednn_conv_floats(const ConvShape *s, const float *w)
{
    OnednnConv *c = conv_new(s, false);
    return conv_or_none(c, c && room_for_parts(c, 1) && add_part(c, w, s->c));
}

bool onednn_conv_run_floats(OnednnConv *c, const float *x, float *ret_sum)
{
    return onednn_planes_run(&c->part[0], x, ret_sum);
}

/* ---- bytes ---- */

/* Weights less their zero points, output channels outermost, and the sums of each. */
static int16_t *whole_weights(OnednnConv *c, const Value *w, const int32_t *zero, int64_t nzero,
                              int32_t *ret_least, int32_t *ret_most)
{
    int64_t depth = c->s.c / c->s.group * c->s.kh * c->s.kw;
    int16_t *whole = malloc(((size_t)w->count + 1) * sizeof *whole);
    int32_t least = 0, most = 0;
    for (int64_t m = 0, i = 0; whole && m < c->s.m; m++) {
        int32_t less = zero[nzero > 1 ? m : 0];
        for (int64_t k = 0; k < depth; k++, i++) {
            int32_t v = value_byte(w, c->s.turned ? k * c->s.m + m : i) - less;
            whole[i] = (int16_t)v;
            c->sum_w[m] += v;
            most = v > most ? v : most;
            least = v < least ? v : least;
        }
    }
    *ret_most = most;
    *ret_least = least;
    return whole;
}

/* Whether the weights can be read where they lie: most can. */
static bool are_as_wanted(const ConvShape *s, const Value *w, const int32_t *zero, int64_t nzero)
{
    bool as_wanted = w->dtype == DT_INT8 && !s->turned;
    for (int64_t i = 0; as_wanted && i < nzero; i++)
        as_wanted = zero[i] == 0;
    return as_wanted;
}

static void sum_weights(OnednnConv *c, const int8_t *w)
{
    int64_t depth = c->s.c / c->s.group * c->s.kh * c->s.kw;
    for (int64_t m = 0; m < c->s.m; m++, w += depth) {
        int32_t sum = 0;
        for (int64_t k = 0; k < depth; k++)
            sum += w[k];
        c->sum_w[m] = sum;
    }
}

static bool make_bytes(OnednnConv *c, const int8_t *w)
{
    c->kind = OF_BYTES;
    c->slab = malloc(sizeof *c->slab);
    return c->slab && onednn_slab_make(&c->s, c->x, w, c->slab);
}

static bool make_narrow(OnednnConv *c, const int16_t *whole, int64_t count)
{
    int8_t *w = malloc((size_t)count + 1);
    for (int64_t i = 0; w && i < count; i++)
        w[i] = (int8_t)whole[i];
    bool ok = w && make_bytes(c, w);
    free(w);
    return ok;
}

/* In floats, as many channels at a time as add up below 2^24: there floats are whole numbers, in
 * whatever order they are added. */
static bool make_exact_floats(OnednnConv *c, const int16_t *whole, int32_t most, int64_t nweight)
{
    const ConvShape *s = &c->s;
    int64_t taps = s->kh * s->kw, channels = s->c / s->group;
    int64_t at_once = (INT64_C(1) << 24) / (INT64_C(383) * (most ? most : 1) * taps);
    at_once = at_once > channels ? channels : at_once;
    if (at_once < 1 || (s->group > 1 && at_once < channels) ||
        (channels + at_once - 1) / at_once > PARTS_MOST ||
        !room_for_parts(c, (channels + at_once - 1) / at_once))
        return false;
    float *w = malloc(((size_t)nweight + 1) * sizeof *w);
    bool ok = w != NULL;
    for (int64_t i = 0; ok && i < nweight; i++)
        w[i] = (float)whole[i];
    c->kind = OF_BYTES_IN_FLOATS;
    c->at_once = at_once;
    for (int64_t k = 0; ok && k < channels; k += at_once) {
        int64_t count = channels - k < at_once ? channels - k : at_once;
        ok = add_part(c, w + k * taps, s->group > 1 ? s->c : count);
    }
    free(w);
    return ok;
}

/* Nothing goes away again where the zero point of the image is 0. */
static bool without_sums(OnednnConv *c, int32_t zero_x, bool ok)
{
    if (zero_x == 0) {
        free(c->sum_w);
        c->sum_w = NULL;
    }
    return ok;
}

OnednnConv *onednn_conv_ints(const ConvShape *s, DType x, const Value *w, const int32_t *zero_w,
                             int64_t nzero, int32_t zero_x, bool small)
{
    int32_t least = 0, most = 0;
    OnednnConv *c = conv_new(s, small);
    if (!c)
        return NULL;
    c->x = x;
    c->sum_w = calloc((size_t)s->m + 1, sizeof *c->sum_w);
    if (!c->sum_w)
        return conv_or_none(c, false);
    if (onednn_adds_bytes() && are_as_wanted(s, w, zero_w, nzero)) {
        sum_weights(c, w->data);
        return conv_or_none(c, without_sums(c, zero_x, make_bytes(c, w->data)));
    }
    int16_t *whole = whole_weights(c, w, zero_w, nzero, &least, &most);
    bool narrow = onednn_adds_bytes() && least >= -128 && most <= 127;
    int32_t largest = most > -least ? most : -least;
    bool ok = whole && (narrow ? make_narrow(c, whole, w->count)
                               : make_exact_floats(c, whole, largest, w->count));
    free(whole);
    return conv_or_none(c, without_sums(c, zero_x, ok));
}

/* ---- running ---- */

static bool run_bytes(OnednnConv *c, const uint8_t *x, int32_t zero, OnednnTake *take, void *user)
{
    if (zero && !c->sum_w)
        return false;
    bool in_type = c->x == DT_INT8 ? zero >= -128 && zero <= 127 : zero >= 0 && zero <= 255;
    int32_t *less = in_type ? malloc(((size_t)c->s.m + 1) * sizeof *less) : NULL;
    for (int64_t m = 0; less && m < c->s.m; m++) /* what the zero point adds goes away again */
        less[m] = zero ? zero * c->sum_w[m] : 0;
    bool ok = less && onednn_slab_run(c->slab, x, (uint8_t)zero, less, take, user);
    free(less);
    return ok;
}

static void add_parts(OnednnConv *c, const float *part, int64_t nsum, int32_t *sum)
{
    const ConvShape *s = &c->s;
    int64_t pixels = s->oh * s->ow;
    for (int64_t i = 0; i < nsum; i++) {
        int64_t n = i / (s->m * pixels), m = i / pixels % s->m, p = i % pixels;
        sum[(n * pixels + p) * s->m + m] += (int32_t)part[i];
    }
}

static bool run_exact_floats(OnednnConv *c, const uint8_t *x, int32_t zero, OnednnTake *take,
                             void *user)
{
    const ConvShape *s = &c->s;
    size_t nsum = (size_t)(s->n * s->m * s->oh * s->ow), nx = (size_t)(s->n * s->c * s->h * s->w);
    size_t plane = (size_t)(s->h * s->w), channels = (size_t)s->c;
    float *image = malloc((nx + 1) * sizeof *image), *part = malloc((nsum + 1) * sizeof *part);
    int32_t *sum = calloc(nsum + 1, sizeof *sum), *less = calloc((size_t)s->m + 1, sizeof *less);
    bool ok = image && part && sum && less;
    for (size_t i = 0; ok && i < nx; i++) {
        size_t n = i / (plane * channels), k = i / plane % channels, p = i % plane;
        size_t at = (n * plane + p) * channels + k;
        image[i] = (float)((c->x == DT_INT8 ? (int8_t)x[at] : x[at]) - zero);
    }
    for (int64_t k = 0; ok && k < c->nparts; k++) {
        ok = onednn_planes_run(&c->part[k], image + k * c->at_once * s->h * s->w, part);
        if (ok)
            add_parts(c, part, (int64_t)nsum, sum);
    }
    if (ok) /* the zero point is away already */
        take(user, 0, s->n * s->oh * s->ow, sum, less);
    free(less);
    free(image);
    free(part);
    free(sum);
    return ok;
}

bool onednn_conv_run_ints(OnednnConv *c, const void *x, int32_t zero_x, OnednnTake *take,
                          void *user)
{
    return c->kind == OF_BYTES ? run_bytes(c, x, zero_x, take, user)
                               : run_exact_floats(c, x, zero_x, take, user);
}

#endif
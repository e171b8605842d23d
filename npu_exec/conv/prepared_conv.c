/* Chooses between oneDNN and the loops of this program, which are exact on every processor. */
#include "npu_exec/conv/prepared_conv.h"

#include "npu_exec/conv/byte_sums.h"
#include "npu_exec/conv/onednn_planes.h"
#include "npu_exec/conv/onednn_tile.h"
#include "npu_exec/conv/loop_conv.h"

#ifndef HAVE_ONEDNN

PreparedConv *prepared_conv_of_floats(const ConvShape *s, const float *w)
{
    (void)s, (void)w;
    return NULL;
}

PreparedConv *prepared_conv_of_bytes(const ConvShape *s, DType x, const ConvWeights *w,
                                     int32_t zero_x, ConvUse use)
{
    (void)s, (void)x, (void)w, (void)zero_x, (void)use;
    return NULL;
}

bool prepared_conv_run_floats(PreparedConv *c, const float *x, float *ret_sum)
{
    (void)c, (void)x, (void)ret_sum;
    return false;
}

bool prepared_conv_zero_offsets(const PreparedConv *c, int32_t zero_x, int32_t *ret_less)
{
    (void)c, (void)zero_x, (void)ret_less;
    return false;
}

bool prepared_conv_run_bytes(PreparedConv *c, const void *x, int32_t zero_x, const void *weights,
                             ConvConsumer *take, void *user)
{
    (void)c, (void)x, (void)zero_x, (void)weights, (void)take, (void)user;
    return false;
}

void prepared_conv_free(void *conv)
{
    (void)conv;
}

#else

#include <assert.h>
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

struct PreparedConv {
    ConvShape s;
    DType x;        /* of the image */
    int32_t *sum_w; /* of each output channel, for the zero point of the image */
    OnednnPlanes *planes;
    OnednnTile *slab;
    LoopConv *loops;
};

void prepared_conv_free(void *conv)
{
    PreparedConv *c = conv;
    if (!c)
        return;
    if (c->planes)
        onednn_planes_free(c->planes);
    if (c->slab)
        onednn_tile_free(c->slab);
    loop_conv_free(c->loops);
    free(c->planes);
    free(c->slab);
    free(c->sum_w);
    free(c);
}

static PreparedConv *conv_new(const ConvShape *s, ConvUse use)
{
    PreparedConv *c =
        can_do(s) && (use == CONV_RUN_AGAIN || is_large(s)) ? calloc(1, sizeof *c) : NULL;
    if (c)
        c->s = *s;
    return c;
}

static PreparedConv *conv_or_none(PreparedConv *c, bool ok)
{
    if (ok)
        return c;
    prepared_conv_free(c);
    return NULL;
}

PreparedConv *prepared_conv_of_floats(const ConvShape *s, const float *w)
{
    PreparedConv *c = conv_new(s, CONV_RUN_ONCE);
    if (c)
        c->planes = malloc(sizeof *c->planes);
    return conv_or_none(c, c && c->planes && onednn_planes_make(s, w, s->c, c->planes));
}

bool prepared_conv_run_floats(PreparedConv *c, const float *x, float *ret_sum)
{
    return onednn_planes_run(c->planes, x, ret_sum);
}

/* ---- bytes ---- */

/* Whether the weights can be read where they lie: most can. */
static bool are_as_wanted(const ConvShape *s, const ConvWeights *w)
{
    bool as_wanted = w->dtype == DT_INT8 && !s->turned;
    for (int64_t i = 0; as_wanted && i < w->nzero; i++)
        as_wanted = w->zero[i] == 0;
    return as_wanted;
}

static void sum_weights(PreparedConv *c, const int8_t *w)
{
    int64_t depth = c->s.c / c->s.group * c->s.kh * c->s.kw;
    for (int64_t m = 0; m < c->s.m; m++, w += depth) {
        int32_t sum = 0;
        for (int64_t k = 0; k < depth; k++)
            sum += w[k];
        c->sum_w[m] = sum;
    }
}

static bool make_bytes(PreparedConv *c, const int8_t *w)
{
    c->slab = malloc(sizeof *c->slab);
    return c->slab && onednn_tile_make(&c->s, c->x, w, c->slab);
}

/* Weights less their zero points, output channels outermost; NULL where one is no signed byte. */
static int8_t *narrow_weights(const PreparedConv *c, const ConvWeights *w)
{
    int64_t depth = c->s.c / c->s.group * c->s.kh * c->s.kw;
    int8_t *narrow = malloc((size_t)(c->s.m * depth) + 1);
    bool fits = narrow != NULL;
    for (int64_t m = 0, i = 0; fits && m < c->s.m; m++)
        for (int64_t k = 0; fits && k < depth; k++, i++) {
            int32_t v = conv_weight(w, m, c->s.turned ? k * c->s.m + m : i);
            fits = v >= INT8_MIN && v <= INT8_MAX;
            narrow[i] = (int8_t)v;
        }
    if (fits)
        return narrow;
    free(narrow);
    return NULL;
}

/* Sums are not needed where the zero point of the image is 0. */
static bool make_in_bytes(PreparedConv *c, const ConvWeights *w, int32_t zero_x)
{
    int8_t *narrow = are_as_wanted(&c->s, w) ? NULL : narrow_weights(c, w);
    const int8_t *all = narrow ? narrow : are_as_wanted(&c->s, w) ? w->data : NULL;
    if (all && zero_x)
        c->sum_w = calloc((size_t)c->s.m + 1, sizeof *c->sum_w);
    if (c->sum_w)
        sum_weights(c, all);
    bool ok = all && (c->sum_w || !zero_x) && make_bytes(c, all);
    free(narrow);
    return ok;
}

PreparedConv *prepared_conv_of_bytes(const ConvShape *s, DType x, const ConvWeights *w,
                                     int32_t zero_x, ConvUse use)
{
    bool bytes = onednn_adds_bytes() && !byte_sums_supported();
    PreparedConv *c = conv_new(s, bytes ? use : CONV_RUN_AGAIN); /* loops are made in no time */
    if (!c)
        return NULL;
    assert(x == DT_INT8 || x == DT_UINT8);
    c->x = x;
    if (bytes && make_in_bytes(c, w, zero_x))
        return c;
    c->loops = loop_conv_make(s, x, w);
    return conv_or_none(c, c->loops != NULL);
}

/* ---- running ---- */

static bool is_byte(DType t, int32_t zero)
{
    return t == DT_INT8 ? zero >= INT8_MIN && zero <= INT8_MAX : zero >= 0 && zero <= UINT8_MAX;
}

bool prepared_conv_zero_offsets(const PreparedConv *c, int32_t zero_x, int32_t *ret_less)
{
    if (!is_byte(c->x, zero_x) || (!c->loops && zero_x && !c->sum_w))
        return false;
    if (c->loops)
        loop_conv_zero_offsets(c->loops, zero_x, ret_less);
    for (int64_t m = 0; !c->loops && m < c->s.m; m++)
        ret_less[m] = zero_x ? zero_x * c->sum_w[m] : 0;
    return true;
}

bool prepared_conv_run_bytes(PreparedConv *c, const void *x, int32_t zero_x, const void *weights,
                             ConvConsumer *take, void *user)
{
    return c->loops ? loop_conv_run(c->loops, x, zero_x, weights, take, user)
                    : onednn_tile_run(c->slab, x, (uint8_t)zero_x, take, user);
}

bool prepared_conv_borrows_weights(const PreparedConv *c)
{
    return c->loops && loop_conv_borrows_weights(c->loops);
}

#endif

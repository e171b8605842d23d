/* Decides which convolutions oneDNN is for, and holds the primitives it makes for them. */
#include "npu_exec/conv/prepared_conv.h"
#include "npu_exec/conv/onednn_planes.h"
#include "npu_exec/conv/onednn_tile.h"

#ifndef HAVE_ONEDNN

PreparedConv *prepared_conv_of_floats(const ConvShape *s, const float *w)
{
    (void)s, (void)w;
    return NULL;
}

PreparedConv *prepared_conv_of_bytes(const ConvShape *s, DType x, const ConvWeights *w, ConvUse use)
{
    (void)s, (void)x, (void)w, (void)use;
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

bool prepared_conv_run_bytes(PreparedConv *c, const void *x, int32_t zero_x, ConvConsumer *take,
                             void *user)
{
    (void)c, (void)x, (void)zero_x, (void)take, (void)user;
    return false;
}

void prepared_conv_free(void *conv)
{
    (void)conv;
}

#else

/* Of floats or of bytes: the other one is empty. */
struct PreparedConv {
    DType x; /* of the image */
    OnednnPlanes planes;
    OnednnTile tile;
};

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

void prepared_conv_free(void *conv)
{
    PreparedConv *c = conv;
    if (!c)
        return;
    onednn_planes_free(&c->planes);
    onednn_tile_free(&c->tile);
    free(c);
}

static PreparedConv *conv_new(const ConvShape *s, DType x, ConvUse use)
{
    PreparedConv *c =
        can_do(s) && (use == CONV_RUN_AGAIN || is_large(s)) ? calloc(1, sizeof *c) : NULL;
    if (c)
        c->x = x;
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
    PreparedConv *c = conv_new(s, DT_FLOAT32, CONV_RUN_ONCE);
    return conv_or_none(c, c && onednn_planes_make(s, w, &c->planes));
}

bool prepared_conv_run_floats(PreparedConv *c, const float *x, float *ret_sum)
{
    return onednn_planes_run(&c->planes, x, ret_sum);
}

PreparedConv *prepared_conv_of_bytes(const ConvShape *s, DType x, const ConvWeights *w, ConvUse use)
{
    PreparedConv *c = conv_new(s, x, use);
    assert(x == DT_INT8 || x == DT_UINT8);
    return conv_or_none(c, c && onednn_tile_make(s, x, w, &c->tile));
}

bool prepared_conv_zero_offsets(const PreparedConv *c, int32_t zero_x, int32_t *ret_less)
{
    bool is_signed = c->x == DT_INT8;
    if (zero_x < (is_signed ? INT8_MIN : 0) || zero_x > (is_signed ? INT8_MAX : UINT8_MAX))
        return false;
    onednn_tile_zero_offsets(&c->tile, zero_x, ret_less);
    return true;
}

bool prepared_conv_run_bytes(PreparedConv *c, const void *x, int32_t zero_x, ConvConsumer *take,
                             void *user)
{
    return onednn_tile_run(&c->tile, x, zero_x, take, user);
}

#endif

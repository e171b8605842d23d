/* Makes the elements of values that are tables, and moves channels last or first. */
#include "npu_exec/values/loops.h"
#include "npu_exec/values/value.h"
#include "npu_exec/sim/transpose_row.h"

/* ---- tables ---- */

bool value_open(Value *v)
{
    if (v->data || !v->codes)
        return true;
    if (!value_open(v->source) || !value_allocate(v))
        return false;
    loop_look_up(v->source->data, v->codes, v->data, (size_t)v->count);
    v->last = v->source->last;
    value_release(v->source); /* no longer needed for this one */
    free(v->codes);
    v->source = NULL;
    v->codes = NULL;
    return true;
}

/* ---- the order of elements ---- */

typedef struct {
    const uint8_t *from;
    uint8_t *to;
    int64_t channels, pixels; /* of an image */
    bool last;                /* what is wanted */
} Transposition;

enum { STRETCH = 1 << 10 }; /* pixels whose rows stay near */

/* Some channels of a stretch of pixels of an image. */
static void transpose_group(const Transposition *t, int64_t image, int64_t c, int64_t p,
                            size_t count)
{
    size_t n =
        (size_t)(t->channels - c < TRANSPOSE_ROW_PLANES ? t->channels - c : TRANSPOSE_ROW_PLANES);
    int64_t at = image * t->channels * t->pixels;
    const uint8_t *from[TRANSPOSE_ROW_PLANES];
    uint8_t *to[TRANSPOSE_ROW_PLANES];
    for (size_t i = 0; i < n; i++) {
        int64_t row = at + (c + (int64_t)i) * t->pixels + p;
        from[i] = t->from + row;
        to[i] = t->to + row;
    }
    int64_t pixel = at + p * t->channels + c;
    if (t->last)
        transpose_row_to_pixels(from, n, count, (size_t)t->channels, t->to + pixel);
    else
        transpose_row_to_planes(t->from + pixel, (size_t)t->channels, count, n, to);
}

static void transpose_stretch(const Transposition *t, int64_t i)
{
    int64_t stretches = (t->pixels + STRETCH - 1) / STRETCH, p = i % stretches * STRETCH;
    size_t count = (size_t)(t->pixels - p < STRETCH ? t->pixels - p : STRETCH);
    size_t channels = (size_t)t->channels;
    for (size_t c = 0; c < channels; c = transpose_row_next(c, channels))
        transpose_group(t, i / stretches, (int64_t)c, p, count);
}

static bool transpose_channels(Value *v, bool last)
{
    Transposition t = {.from = v->data, .channels = v->dim[1], .last = last};
    t.pixels = value_extent(v, 2, v->rank);
    t.to = malloc((size_t)v->count + 1);
    if (!t.to)
        return false;
    int64_t stretches = v->count ? v->dim[0] * ((t.pixels + STRETCH - 1) / STRETCH) : 0;
    for (int64_t i = 0; i < stretches; i++)
        transpose_stretch(&t, i);
    if (!v->borrowed)
        free(v->data);
    v->data = t.to;
    v->borrowed = false;
    v->last = last;
    return true;
}

bool value_plain(Value *v)
{
    if (v->source && !v->data && !value_plain(v->source))
        return false;
    return value_open(v) && (!v->last || transpose_channels(v, false));
}

const uint8_t *value_channels_last(Value *v)
{
    if (!value_is_bytes(v) || v->rank < 2 || !value_open(v))
        return NULL;
    /* Where there is one pixel or one channel both orders are one. */
    return v->last || transpose_channels(v, true) ? v->data : NULL;
}

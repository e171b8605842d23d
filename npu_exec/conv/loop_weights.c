/* Packs weights once, a run of an output channel at a time. */
#include "npu_exec/conv/loop_weights.h"

#include "npu_exec/conv/byte_sums.h"
#include "npu_exec/conv/word_sums.h"

#include <stdlib.h>

_Static_assert((int)WORD_CHANNELS == (int)BYTE_CHANNELS && (int)WORD_PIXELS == (int)BYTE_PIXELS,
               "blocks of bytes and of words are alike");

void loop_weights_free(LoopWeights *w)
{
    free(w->data);
    free(w->sum);
    *w = (LoopWeights){0};
}

/* Whether all weights less their zero points are signed bytes. */
static bool are_narrow(const ConvWeights *w)
{
    int32_t least = w->dtype == DT_INT8 ? INT8_MIN : 0, most = least + UINT8_MAX;
    for (int64_t i = 0; i < w->nzero; i++)
        if (least - w->zero[i] < INT8_MIN || most - w->zero[i] > INT8_MAX)
            return false;
    return true;
}

/* Elements that are multiplied and added at once. */
static int64_t at_once(const LoopWeights *k)
{
    return k->bytes ? 4 : 2;
}

static int64_t rounded_up(int64_t n, int64_t by)
{
    return (n + by - 1) / by;
}

static void find_form(const ConvShape *s, const ConvWeights *w, LoopWeights *k)
{
    bool narrow = are_narrow(w);
    k->apart = s->group > 1 && s->group == s->c && s->m == s->c;
    k->by_row = s->group == 1 && s->dw == 1;
    k->bytes = byte_sums_supported() && narrow;
    k->wide = !k->bytes && (k->apart || !narrow);
    k->channels = k->apart && k->bytes ? BYTE_DEPTHWISE_CHANNELS : BYTE_CHANNELS;
    k->blocks = rounded_up(k->apart ? s->m : s->m / s->group, k->channels);
    if (k->apart) {
        k->nrun = k->bytes ? rounded_up(s->kh, 4) * s->kw : s->kh * s->kw;
        k->steps = 1;
    } else {
        k->nrun = k->by_row ? s->kh : s->kh * s->kw;
        k->steps = rounded_up(s->c / s->group * (k->by_row ? s->kw : 1), at_once(k));
    }
}

/* ---- packing ---- */

/* Element i of a channel, n elements at once, whose first lies at `to`. */
static inline __attribute__((always_inline)) void
put_weight(const LoopWeights *k, uint8_t *to, int64_t i, const int64_t n, int32_t value)
{
    int64_t at = i / n * k->channels * n + i % n;
    if (k->wide)
        ((int16_t *)(void *)to)[at] = (int16_t)value;
    else
        ((int8_t *)to)[at] = (int8_t)value;
}

/* Of one output channel and one run: a tap, or all taps of a line. */
static inline __attribute__((always_inline)) int32_t pack_run(const ConvShape *s,
                                                              const ConvWeights *w, int64_t m,
                                                              int64_t run, const int64_t n,
                                                              const LoopWeights *k, uint8_t *to)
{
    int64_t taps = s->kh * s->kw, row = k->by_row ? s->kw : 1, channels = s->c / s->group, at = 0;
    int64_t step = s->turned ? s->m : taps;
    int32_t sum = 0;
    for (int64_t tap = run * row; tap < (run + 1) * row; tap++) {
        int64_t from = s->turned ? m : m * channels * taps + tap;
        for (int64_t c = 0; c < channels; c++, at++, from += step) {
            int32_t value = conv_weight(w, m, from);
            put_weight(k, to, at, n, value);
            sum += value;
        }
    }
    return sum;
}

/* A run's elements of one channel begin where those of the run before end. */
static int32_t pack_channel(const ConvShape *s, const ConvWeights *w, int64_t m,
                            const LoopWeights *k, uint8_t *to)
{
    size_t run = (size_t)(k->steps * k->channels * at_once(k)) * (k->wide ? sizeof(int16_t) : 1);
    int32_t sum = 0;
    for (int64_t r = 0; r < k->nrun; r++, to += run)
        sum += k->bytes ? pack_run(s, w, m, r, 4, k, to) : pack_run(s, w, m, r, 2, k, to);
    return sum;
}

static int32_t pack_depthwise(const ConvShape *s, const ConvWeights *w, int64_t m,
                              const LoopWeights *k, uint8_t *to)
{
    int32_t sum = 0;
    for (int64_t row = 0, tap = 0; row < s->kh; row++)
        for (int64_t column = 0; column < s->kw; column++, tap++) {
            int32_t value = conv_weight(w, m, m * s->kh * s->kw + tap);
            if (k->bytes)
                put_weight(k, to, (row / 4 * s->kw + column) * 4 + row % 4, 4, value);
            else
                put_weight(k, to, tap, 2, value);
            sum += value;
        }
    return sum;
}

static bool pack_weights(const ConvShape *s, const ConvWeights *w, LoopWeights *k)
{
    int64_t of_group = k->apart ? s->m : s->m / s->group, groups = k->apart ? 1 : s->group;
    int64_t steps = k->apart && !k->bytes ? rounded_up(k->nrun, 2) : k->nrun * k->steps;
    size_t size = k->wide ? sizeof(int16_t) : 1;
    k->block = (size_t)(steps * at_once(k) * k->channels) * size;
    k->data = calloc((size_t)(groups * k->blocks) + 1, k->block);
    for (int64_t m = 0; k->data && m < s->m; m++) {
        int64_t in_group = m % of_group, block = m / of_group * k->blocks + in_group / k->channels;
        uint8_t *to = k->data + (size_t)block * k->block +
                      (size_t)(in_group % k->channels * at_once(k)) * size;
        k->sum[m] = (k->apart ? pack_depthwise : pack_channel)(s, w, m, k, to);
    }
    return k->data != NULL;
}

static void sum_rows(const ConvShape *s, const int8_t *w, LoopWeights *k)
{
    for (int64_t m = 0; m < s->m; m++)
        for (int64_t i = 0; i < s->c; i++)
            k->sum[m] += *w++;
}

bool loop_weights_make(const ConvShape *s, const ConvWeights *w, bool borrows, LoopWeights *ret)
{
    *ret = (LoopWeights){.sum = calloc((size_t)s->m + 1, sizeof *ret->sum)};
    find_form(s, w, ret);
    if (ret->sum && borrows)
        sum_rows(s, w->data, ret);
    return ret->sum && (borrows || pack_weights(s, w, ret));
}

/* Weights are packed once; an image is widened slab by slab, and padded while it is. */
#include "npu_exec/conv/word_conv.h"

#include "npu_exec/conv/slab.h"
#include "npu_exec/conv/team.h"
#include "npu_exec/conv/word_sums.h"

#include <stdlib.h>
#include <string.h>

enum { WIDENED_PIXELS = 24 }; /* from which on weights are widened once, not with each tile */

struct WordConv {
    ConvShape s;
    SlabCut cut;
    DType x;
    bool apart;  /* each channel by itself */
    bool by_row; /* a run is all that a window sees of a line, else a tap of it */
    WordWindow window;
    int64_t *run;     /* the window's */
    int64_t blocks;   /* of WORD_CHANNELS, of a group */
    size_t block;     /* bytes of its weights */
    uint8_t *weights; /* [group][block], or [block] where channels are apart */
};

void word_conv_free(WordConv *c)
{
    if (!c)
        return;
    free(c->run);
    free(c->weights);
    free(c);
}

/* ---- what a window sees ---- */

static int64_t channels_of(const WordConv *c)
{
    return c->s.c / c->s.group;
}

static bool find_window(WordConv *c)
{
    const ConvShape *s = &c->s;
    int64_t line = c->cut.columns * s->c, words = channels_of(c) * (c->by_row ? s->kw : 1);
    WordWindow *k = &c->window;
    k->nrun = c->by_row ? s->kh : s->kh * s->kw;
    k->pairs = (words + 1) / 2;
    k->run = c->run = malloc(((size_t)k->nrun + 1) * sizeof *c->run);
    for (int64_t i = 0; c->run && i < k->nrun; i++)
        c->run[i] =
            c->by_row ? i * s->dh * line : i / s->kw * s->dh * line + i % s->kw * s->dw * s->c;
    return c->run != NULL;
}

/* ---- weights ---- */

static bool needs_words(const WordConv *c, const ConvWeights *w)
{
    int32_t least = w->dtype == DT_INT8 ? INT8_MIN : 0, most = least + UINT8_MAX;
    for (int64_t i = 0; i < w->nzero; i++)
        if (least - w->zero[i] < INT8_MIN || most - w->zero[i] > INT8_MAX)
            return true;
    return c->apart;
}

/* Where a word of a run has its weight in a block. */
static int64_t place_of(const WordConv *c, int64_t run, int64_t word, int64_t channel)
{
    return ((run * c->window.pairs + word / 2) * WORD_CHANNELS + channel) * 2 + word % 2;
}

static void put_weight(const WordConv *c, uint8_t *block, int64_t at, int32_t value)
{
    if (c->window.wide)
        ((int16_t *)(void *)block)[at] = (int16_t)value;
    else
        ((int8_t *)block)[at] = (int8_t)value;
}

/* Of one output channel and one run: a tap, or all taps of a line. */
static void pack_run(const WordConv *c, const ConvWeights *w, int64_t m, int64_t run,
                     uint8_t *block, int64_t channel)
{
    const ConvShape *s = &c->s;
    int64_t taps = s->kh * s->kw, row = c->by_row ? s->kw : 1, channels = channels_of(c), word = 0;
    int64_t step = s->turned ? s->m : taps;
    for (int64_t tap = run * row; tap < (run + 1) * row; tap++) {
        int64_t from = s->turned ? m : m * channels * taps + tap;
        for (int64_t k = 0; k < channels; k++, word++, from += step)
            put_weight(c, block, place_of(c, run, word, channel), conv_weight(w, m, from));
    }
}

/* Taps of a channel by itself are in pairs. */
static void pack_apart(const WordConv *c, const ConvWeights *w, int64_t m, uint8_t *block)
{
    int64_t taps = c->s.kh * c->s.kw;
    for (int64_t tap = 0; tap < taps; tap++)
        put_weight(c, block, place_of(c, tap / 2, tap % 2, m % WORD_CHANNELS),
                   conv_weight(w, m, m * taps + tap));
}

static bool pack(WordConv *c, const ConvWeights *w)
{
    int64_t of_group = c->apart ? c->s.m : c->s.m / c->s.group;
    int64_t groups = c->apart ? 1 : c->s.group;
    int64_t pairs = c->apart ? (c->window.nrun + 1) / 2 : c->window.nrun * c->window.pairs;
    c->window.wide = needs_words(c, w);
    c->blocks = (of_group + WORD_CHANNELS - 1) / WORD_CHANNELS;
    c->block = (size_t)pairs * 2 * WORD_CHANNELS * (c->window.wide ? sizeof(int16_t) : 1);
    c->weights = calloc((size_t)(groups * c->blocks) + 1, c->block);
    for (int64_t m = 0; c->weights && m < c->s.m; m++) {
        int64_t in_group = m % of_group;
        int64_t i = m / of_group * c->blocks + in_group / WORD_CHANNELS;
        uint8_t *block = c->weights + (size_t)i * c->block;
        if (c->apart)
            pack_apart(c, w, m, block);
        for (int64_t run = 0; run < c->window.nrun && !c->apart; run++)
            pack_run(c, w, m, run, block, in_group % WORD_CHANNELS);
    }
    return c->weights != NULL;
}

WordConv *word_conv_make(const ConvShape *s, DType x, const ConvWeights *w)
{
    WordConv *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->s = *s;
    c->x = x;
    c->cut = slab_cut(s);
    c->apart = s->group > 1 && s->group == s->c && s->m == s->c;
    c->by_row = s->group == 1 && s->dw == 1;
    c->window.quick = word_sums_are_quick();
    if (find_window(c) && pack(c, w))
        return c;
    word_conv_free(c);
    return NULL;
}

/* ---- running ---- */

typedef struct {
    WordConv *c;
    const uint8_t *x;
    int32_t zero;
    ConvTake *take;
    void *user;
    const int32_t *less; /* nothing: the zero point is away already */
    bool failed[TEAM_MOST];
} WordRun;

/* Of a line of the image from the pad before it on; what is outside is nothing. */
static void widen_line(const WordRun *r, int64_t image, int64_t h, int16_t *to)
{
    const ConvShape *s = &r->c->s;
    int64_t columns = r->c->cut.columns, inside = columns - s->pw < s->w ? columns - s->pw : s->w;
    size_t line = (size_t)(columns * s->c), before = (size_t)(s->pw * s->c);
    if (h < 0 || h >= s->h || inside <= 0) {
        memset(to, 0, line * sizeof *to);
        return;
    }
    size_t there = (size_t)(inside * s->c);
    memset(to, 0, before * sizeof *to);
    word_widen(r->x + (image * s->h + h) * s->w * s->c, r->c->x == DT_INT8, r->zero, to + before,
               there);
    memset(to + before + there, 0, (line - before - there) * sizeof *to);
}

static void widen(const WordRun *r, const Slab *at, int16_t *to)
{
    const ConvShape *s = &r->c->s;
    const SlabCut *cut = &r->c->cut;
    int64_t line = cut->columns * s->c;
    if (cut->pixels)
        word_widen(r->x + at->first * s->c, r->c->x == DT_INT8, r->zero, to, (size_t)line);
    for (int64_t i = 0; i < cut->lines && !cut->pixels; i++)
        widen_line(r, at->image, at->first * s->sh - s->ph + i, to + i * line);
    memset(to + cut->lines * line, 0, WORD_BEYOND * sizeof *to);
}

/* The first word that a pixel of the slab sees. */
static const int16_t *pixel_at(const WordConv *c, const int16_t *image, int64_t pixel)
{
    const ConvShape *s = &c->s;
    int64_t row = pixel / c->cut.width, column = pixel % c->cut.width;
    return c->cut.pixels ? image + pixel * s->c
                         : image + (row * s->sh * c->cut.columns + column * s->sw) * s->c;
}

/* Pixels of the slab from the first on, in order. */
typedef struct {
    const int16_t *at;
    int64_t column;
} Walk;

static const int16_t *next_pixel(const WordConv *c, Walk *w)
{
    const ConvShape *s = &c->s;
    const int16_t *at = w->at;
    if (c->cut.pixels) {
        w->at += s->c;
    } else if (++w->column < c->cut.width) {
        w->at += s->sw * s->c;
    } else {
        w->at += (s->sh * c->cut.columns - (c->cut.width - 1) * s->sw) * s->c;
        w->column = 0;
    }
    return at;
}

/* Where they pay for it a block's weights become words once for all pixels. */
static const void *weights_of(const WordConv *c, int64_t block, int16_t *room, bool *ret_wide)
{
    const uint8_t *w = c->weights + (size_t)block * c->block;
    *ret_wide = c->window.wide || room;
    if (c->window.wide || !room)
        return w;
    word_widen(w, true, 0, room, c->block);
    return room;
}

typedef struct {
    int16_t *image;
    int16_t *weights; /* room for those of a block as words; NULL: they stay bytes */
    int32_t *sum;
} Bench;

/* All pixels of a slab, block by block of channels, whose weights stay near. */
static void sum_block(const WordConv *c, const Bench *bench, int64_t group, int64_t b)
{
    int64_t all = c->cut.rows * c->cut.width, of_group = c->s.m / c->s.group;
    int64_t m = b * WORD_CHANNELS, n = of_group - m < WORD_CHANNELS ? of_group - m : WORD_CHANNELS;
    int32_t *sum = bench->sum + group * of_group + m;
    WordWindow k = c->window;
    const void *w = weights_of(c, group * c->blocks + b, bench->weights, &k.wide);
    Walk walk = {.at = bench->image + group * channels_of(c)};
    for (int64_t p = 0; p < all; p += WORD_PIXELS) {
        const int16_t *x[WORD_PIXELS];
        int64_t count = all - p < WORD_PIXELS ? all - p : WORD_PIXELS;
        for (int64_t i = 0; i < count; i++)
            x[i] = next_pixel(c, &walk);
        word_sums(&k, x, count, w, sum + p * c->s.m, c->s.m, n);
    }
}

static void sum_apart(const WordConv *c, const Bench *bench)
{
    const ConvShape *s = &c->s;
    for (int64_t row = 0; row < c->cut.rows; row++)
        for (int64_t b = 0; b < c->blocks; b++) {
            int64_t m = b * WORD_CHANNELS, first = row * c->cut.width;
            int64_t n = s->m - m < WORD_CHANNELS ? s->m - m : WORD_CHANNELS;
            const void *w = c->weights + (size_t)b * c->block;
            word_sums_apart(&c->window, pixel_at(c, bench->image, first) + m, s->sw * s->c,
                            c->cut.width, w, bench->sum + first * s->m + m, s->m, n);
        }
}

/* What a thread works in; false where memory ends. */
static bool lay_bench(const WordConv *c, int thread, Bench *ret)
{
    const SlabCut *cut = &c->cut;
    int64_t pixels = cut->rows * cut->width;
    size_t words = (size_t)(cut->lines * cut->columns * c->s.c) + WORD_BEYOND;
    bool widens = !c->window.wide && pixels >= WIDENED_PIXELS;
    ret->image = slab_room(thread, SLAB_IMAGE, words * sizeof *ret->image);
    ret->sum = slab_room(thread, SLAB_SUMS, (size_t)(pixels * c->s.m) * sizeof *ret->sum);
    ret->weights = widens ? slab_room(thread, SLAB_SCRATCH, c->block * sizeof *ret->weights) : NULL;
    return ret->image && ret->sum && (ret->weights || !widens);
}

static void run_slab(void *user, int64_t i, int thread)
{
    WordRun *r = user;
    const WordConv *c = r->c;
    const SlabCut *cut = &c->cut;
    Slab at = slab_at(cut, i);
    Bench bench;
    if (!lay_bench(c, thread, &bench)) {
        r->failed[thread] = true;
        return;
    }
    widen(r, &at, bench.image);
    if (c->apart)
        sum_apart(c, &bench);
    for (int64_t group = 0; group < c->s.group && !c->apart; group++)
        for (int64_t b = 0; b < c->blocks; b++)
            sum_block(c, &bench, group, b);
    r->take(r->user, slab_first_pixel(cut, &at), slab_pixels(cut, &at),
            bench.sum + at.again * cut->width * c->s.m, r->less);
}

bool word_conv_run(WordConv *c, const uint8_t *x, int32_t zero_x, ConvTake *take, void *user)
{
    int32_t *less = calloc((size_t)c->s.m + 1, sizeof *less);
    WordRun r = {.c = c, .x = x, .zero = zero_x, .take = take, .user = user, .less = less};
    if (less)
        team_run(slab_count(&c->cut), run_slab, &r);
    bool ok = less != NULL;
    for (int i = 0; i < team_size(); i++)
        ok &= !r.failed[i];
    free(less);
    return ok;
}

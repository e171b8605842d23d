/* Weights are packed once; an image is copied slab by slab, as words widened, and padded while it
 * is. */
#include "npu_exec/conv/loop_conv.h"

#include "npu_exec/conv/byte_sums.h"
#include "npu_exec/conv/slab.h"
#include "npu_exec/conv/team.h"
#include "npu_exec/conv/word_sums.h"

#include <stdlib.h>
#include <string.h>

enum { WIDENED_PIXELS = 24 };  /* from which on weights are widened once, not with each tile */
enum { BORROWING_PIXELS = 4 }; /* up to which a copy of the weights would not pay for itself */
enum { BLOCK_CHANNELS = WORD_CHANNELS };
_Static_assert((int)BLOCK_CHANNELS == (int)BYTE_CHANNELS && (int)WORD_PIXELS == (int)BYTE_PIXELS,
               "blocks of bytes and of words are alike");

struct LoopConv {
    ConvShape s;
    SlabCut cut;
    DType x;
    bool bytes;          /* in fours, else words in pairs */
    bool apart;          /* each channel by itself */
    bool by_row;         /* a run is all that a window sees of a line, else a tap of it */
    bool borrows;        /* weights are read where they lie: of few pixels, which each sees once */
    bool wide;           /* weights are words, too, not signed bytes */
    bool quick;          /* word_sums_are_quick() */
    int64_t *run;        /* what a pixel of the output sees: where each run of elements begins */
    int64_t nrun, steps; /* in fours or pairs */
    int64_t blocks;      /* of BLOCK_CHANNELS, of a group */
    size_t block;        /* bytes of its weights */
    uint8_t *weights;    /* [group][block], or [block] where channels are apart */
    int32_t *sum_w;      /* of each output channel, for the zero point of bytes */
};

void loop_conv_free(LoopConv *c)
{
    if (!c)
        return;
    free(c->run);
    free(c->weights);
    free(c->sum_w);
    free(c);
}

/* ---- what a window sees ---- */

static int64_t channels_of(const LoopConv *c)
{
    return c->s.c / c->s.group;
}

/* Elements that are multiplied and added at once. */
static int64_t at_once(const LoopConv *c)
{
    return c->bytes ? 4 : 2;
}

/* Elements behind the last one of a slab that are read. */
static size_t beyond(const LoopConv *c)
{
    return c->bytes ? BYTE_BEYOND : WORD_BEYOND;
}

static bool find_window(LoopConv *c)
{
    const ConvShape *s = &c->s;
    int64_t line = c->cut.columns * s->c, seen = channels_of(c) * (c->by_row ? s->kw : 1);
    c->nrun = c->by_row ? s->kh : s->kh * s->kw;
    c->steps = (seen + at_once(c) - 1) / at_once(c);
    c->run = malloc(((size_t)c->nrun + 1) * sizeof *c->run);
    for (int64_t i = 0; c->run && i < c->nrun; i++)
        c->run[i] =
            c->by_row ? i * s->dh * line : i / s->kw * s->dh * line + i % s->kw * s->dw * s->c;
    return c->run != NULL;
}

/* ---- weights ---- */

/* Whether all weights less their zero points are signed bytes. */
static bool are_narrow(const ConvWeights *w)
{
    int32_t least = w->dtype == DT_INT8 ? INT8_MIN : 0, most = least + UINT8_MAX;
    for (int64_t i = 0; i < w->nzero; i++)
        if (least - w->zero[i] < INT8_MIN || most - w->zero[i] > INT8_MAX)
            return false;
    return true;
}

/* Where an element of a run has its weight in a block. */
static int64_t place_of(const LoopConv *c, int64_t run, int64_t element, int64_t channel)
{
    int64_t n = at_once(c);
    return ((run * c->steps + element / n) * BLOCK_CHANNELS + channel) * n + element % n;
}

static void put_weight(const LoopConv *c, uint8_t *block, int64_t at, int32_t value)
{
    if (c->wide)
        ((int16_t *)(void *)block)[at] = (int16_t)value;
    else
        ((int8_t *)block)[at] = (int8_t)value;
}

/* Of one output channel and one run: a tap, or all taps of a line. */
static void pack_run(const LoopConv *c, const ConvWeights *w, int64_t m, int64_t run,
                     uint8_t *block, int64_t channel)
{
    const ConvShape *s = &c->s;
    int64_t taps = s->kh * s->kw, row = c->by_row ? s->kw : 1, channels = channels_of(c), at = 0;
    int64_t step = s->turned ? s->m : taps;
    for (int64_t tap = run * row; tap < (run + 1) * row; tap++) {
        int64_t from = s->turned ? m : m * channels * taps + tap;
        for (int64_t k = 0; k < channels; k++, at++, from += step) {
            int32_t value = conv_weight(w, m, from);
            put_weight(c, block, place_of(c, run, at, channel), value);
            c->sum_w[m] += value;
        }
    }
}

/* Taps of a channel by itself are in pairs. */
static void pack_apart(const LoopConv *c, const ConvWeights *w, int64_t m, uint8_t *block)
{
    int64_t taps = c->s.kh * c->s.kw;
    for (int64_t tap = 0; tap < taps; tap++)
        put_weight(c, block, place_of(c, tap / 2, tap % 2, m % BLOCK_CHANNELS),
                   conv_weight(w, m, m * taps + tap));
}

static bool pack(LoopConv *c, const ConvWeights *w)
{
    int64_t of_group = c->apart ? c->s.m : c->s.m / c->s.group;
    int64_t groups = c->apart ? 1 : c->s.group;
    int64_t steps = c->apart ? (c->nrun + 1) / 2 : c->nrun * c->steps;
    c->blocks = (of_group + BLOCK_CHANNELS - 1) / BLOCK_CHANNELS;
    c->block = (size_t)(steps * at_once(c)) * BLOCK_CHANNELS * (c->wide ? sizeof(int16_t) : 1);
    c->weights = calloc((size_t)(groups * c->blocks) + 1, c->block);
    for (int64_t m = 0; c->weights && m < c->s.m; m++) {
        int64_t in_group = m % of_group;
        int64_t i = m / of_group * c->blocks + in_group / BLOCK_CHANNELS;
        uint8_t *block = c->weights + (size_t)i * c->block;
        if (c->apart)
            pack_apart(c, w, m, block);
        for (int64_t run = 0; run < c->nrun && !c->apart; run++)
            pack_run(c, w, m, run, block, in_group % BLOCK_CHANNELS);
    }
    return c->weights != NULL;
}

/* Where they lie weights are rows of signed bytes. */
static bool can_borrow(const LoopConv *c, const ConvWeights *w)
{
    const ConvShape *s = &c->s;
    bool can = s->n * s->oh * s->ow <= BORROWING_PIXELS && c->cut.pixels && s->group == 1 &&
               !s->turned && w->dtype == DT_INT8;
    for (int64_t i = 0; can && i < w->nzero; i++)
        can = w->zero[i] == 0;
    return can;
}

static void sum_rows(LoopConv *c, const int8_t *w)
{
    for (int64_t m = 0; m < c->s.m; m++)
        for (int64_t k = 0; k < c->s.c; k++)
            c->sum_w[m] += *w++;
}

static bool take_weights(LoopConv *c, const ConvWeights *w)
{
    c->sum_w = calloc((size_t)c->s.m + 1, sizeof *c->sum_w);
    if (c->sum_w && c->borrows)
        sum_rows(c, w->data);
    return c->sum_w && (c->borrows || pack(c, w));
}

LoopConv *loop_conv_make(const ConvShape *s, DType x, const ConvWeights *w)
{
    LoopConv *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->s = *s;
    c->x = x;
    c->cut = slab_cut(s);
    c->apart = s->group > 1 && s->group == s->c && s->m == s->c;
    c->by_row = s->group == 1 && s->dw == 1;
    c->wide = c->apart || !are_narrow(w);
    c->bytes = byte_sums_are_there() && !c->wide;
    c->quick = word_sums_are_quick();
    c->borrows = can_borrow(c, w);
    if (find_window(c) && take_weights(c, w))
        return c;
    loop_conv_free(c);
    return NULL;
}

bool loop_conv_borrows(const LoopConv *c)
{
    return c->borrows;
}

/* ---- what a slab sees ---- */

typedef struct {
    LoopConv *c;
    const uint8_t *x;
    int32_t zero;
    const void *given; /* weights where they lie */
    ConvTake *take;
    void *user;
    int32_t *less; /* what the zero point adds to bytes; words are without it */
    bool failed[TEAM_MOST];
} LoopRun;

static size_t item(const LoopConv *c)
{
    return c->bytes ? 1 : sizeof(int16_t);
}

/* As it is multiplied: unsigned bytes, signed ones 128 higher, or words less the zero point. */
static void copy(const LoopRun *r, const uint8_t *from, uint8_t *to, size_t n)
{
    bool is_signed = r->c->x == DT_INT8;
    if (!r->c->bytes)
        word_widen(from, is_signed, r->zero, (int16_t *)(void *)to, n);
    else if (is_signed)
        for (size_t i = 0; i < n; i++)
            to[i] = from[i] ^ 0x80;
    else
        memcpy(to, from, n);
}

/* What is nothing, less the zero point. */
static uint8_t nothing(const LoopRun *r)
{
    return r->c->bytes ? (uint8_t)(r->zero + (r->c->x == DT_INT8 ? 128 : 0)) : 0;
}

/* Of a line of the image from the pad before it on. */
static void copy_line(const LoopRun *r, int64_t image, int64_t h, uint8_t *to)
{
    const ConvShape *s = &r->c->s;
    int64_t columns = r->c->cut.columns, inside = columns - s->pw < s->w ? columns - s->pw : s->w;
    size_t size = item(r->c), line = (size_t)(columns * s->c) * size;
    size_t before = (size_t)(s->pw * s->c) * size, there = (size_t)(inside * s->c);
    if (h < 0 || h >= s->h || inside <= 0) {
        memset(to, nothing(r), line);
        return;
    }
    memset(to, nothing(r), before);
    copy(r, r->x + (image * s->h + h) * s->w * s->c, to + before, there);
    memset(to + before + there * size, nothing(r), line - before - there * size);
}

static void copy_slab(const LoopRun *r, const Slab *at, uint8_t *to)
{
    const ConvShape *s = &r->c->s;
    const SlabCut *cut = &r->c->cut;
    size_t line = (size_t)(cut->columns * s->c);
    if (cut->pixels)
        copy(r, r->x + at->first * s->c, to, line);
    for (int64_t i = 0; i < cut->lines && !cut->pixels; i++)
        copy_line(r, at->image, at->first * s->sh - s->ph + i, to + (size_t)i * line * item(r->c));
}

/* Pixels of the slab in order, each where the first element is that it sees. */
typedef struct {
    const uint8_t *at;
    int64_t column;
    size_t next, next_row; /* bytes */
} Walk;

static Walk walk_from(const LoopConv *c, const uint8_t *first)
{
    const ConvShape *s = &c->s;
    int64_t row = s->sh * c->cut.columns - (c->cut.width - 1) * s->sw;
    return c->cut.pixels
               ? (Walk){first, 0, (size_t)s->c * item(c), (size_t)s->c * item(c)}
               : (Walk){first, 0, (size_t)(s->sw * s->c) * item(c), (size_t)(row * s->c) * item(c)};
}

static const void *next_pixel(const LoopConv *c, Walk *w)
{
    const void *at = w->at;
    bool ends = ++w->column == c->cut.width;
    w->at += ends ? w->next_row : w->next;
    w->column = ends ? 0 : w->column;
    return at;
}

/* ---- sums ---- */

typedef struct {
    uint8_t *image;   /* elements */
    int16_t *weights; /* room for those of a block as words; NULL: they stay bytes */
    int32_t *sum;
} Bench;

/* Blocks of channels that are summed up at once. */
static int64_t step_of(const LoopConv *c)
{
    return c->bytes ? 2 : 1;
}

/* Where they pay for it a block's weights become words once for all pixels. */
static const void *weights_of(const LoopConv *c, int64_t block, int16_t *room)
{
    const uint8_t *w = c->weights + (size_t)block * c->block;
    if (!room)
        return w;
    word_widen(w, true, 0, room, c->block);
    return room;
}

/* All pixels of a slab, some blocks of channels, whose weights stay near. */
static void sum_blocks(const LoopConv *c, const Bench *bench, int64_t group, int64_t b)
{
    int64_t all = c->cut.rows * c->cut.width, of_group = c->s.m / c->s.group;
    int64_t m = b * BLOCK_CHANNELS, most = step_of(c) * BLOCK_CHANNELS;
    int64_t n = of_group - m < most ? of_group - m : most;
    int32_t *sum = bench->sum + group * of_group + m;
    const void *w = weights_of(c, group * c->blocks + b, bench->weights);
    WordWindow words = {c->run, c->nrun, c->steps, c->wide || bench->weights, c->quick};
    ByteWindow bytes = {c->run, c->nrun, c->steps};
    Walk walk = walk_from(c, bench->image + (size_t)(group * channels_of(c)) * item(c));
    for (int64_t p = 0; p < all; p += WORD_PIXELS) {
        const void *x[WORD_PIXELS];
        int64_t count = all - p < WORD_PIXELS ? all - p : WORD_PIXELS;
        for (int64_t i = 0; i < count; i++)
            x[i] = next_pixel(c, &walk);
        if (c->bytes)
            byte_sums(&bytes, x, count, w, sum + p * c->s.m, c->s.m, n);
        else
            word_sums(&words, x, count, w, sum + p * c->s.m, c->s.m, n);
    }
}

static void sum_apart(const LoopConv *c, const Bench *bench)
{
    const ConvShape *s = &c->s;
    WordWindow k = {c->run, c->nrun, c->steps, true, c->quick};
    const int16_t *image = (const int16_t *)(const void *)bench->image;
    for (int64_t row = 0; row < c->cut.rows; row++)
        for (int64_t b = 0; b < c->blocks; b++) {
            int64_t m = b * BLOCK_CHANNELS, first = row * c->cut.width;
            int64_t n = s->m - m < BLOCK_CHANNELS ? s->m - m : BLOCK_CHANNELS;
            const int16_t *x =
                image + (c->cut.pixels ? first : row * s->sh * c->cut.columns) * s->c;
            word_sums_apart(&k, x + m, s->sw * s->c, c->cut.width,
                            (const int16_t *)(const void *)(c->weights + (size_t)b * c->block),
                            bench->sum + first * s->m + m, s->m, n);
        }
}

static void sum_rows_given(const LoopConv *c, const int8_t *w, const Bench *bench)
{
    const ConvShape *s = &c->s;
    for (int64_t m = 0; m < s->m; m++, w += s->c)
        for (int64_t p = 0; p < c->cut.rows; p++) {
            const uint8_t *x = bench->image + (size_t)(p * s->c) * item(c);
            bench->sum[p * s->m + m] =
                c->bytes ? byte_row(x, w, s->c)
                         : word_row((const int16_t *)(const void *)x, w, s->c, c->quick);
        }
}

/* ---- running ---- */

/* What a thread works in; false where memory ends. */
static bool lay_bench(const LoopConv *c, int thread, Bench *ret)
{
    const SlabCut *cut = &c->cut;
    int64_t pixels = cut->rows * cut->width;
    size_t seen = (size_t)(cut->lines * cut->columns * c->s.c) * item(c),
           rest = beyond(c) * item(c);
    bool widens = !c->bytes && !c->wide && !c->borrows && pixels >= WIDENED_PIXELS;
    ret->image = slab_room(thread, SLAB_IMAGE, seen + rest);
    ret->sum = slab_room(thread, SLAB_SUMS, (size_t)(pixels * c->s.m) * sizeof *ret->sum);
    ret->weights = widens ? slab_room(thread, SLAB_SCRATCH, c->block * sizeof *ret->weights) : NULL;
    if (!ret->image || !ret->sum || (widens && !ret->weights))
        return false;
    memset(ret->image + seen, 0, rest);
    return true;
}

static void sum_slab(const LoopRun *r, const Bench *bench)
{
    const LoopConv *c = r->c;
    if (c->borrows) {
        sum_rows_given(c, r->given, bench);
    } else if (c->apart) {
        sum_apart(c, bench);
    } else {
        for (int64_t group = 0; group < c->s.group; group++)
            for (int64_t b = 0; b < c->blocks; b += step_of(c))
                sum_blocks(c, bench, group, b);
    }
}

static void run_slab(void *user, int64_t i, int thread)
{
    LoopRun *r = user;
    const SlabCut *cut = &r->c->cut;
    Slab at = slab_at(cut, i);
    Bench bench;
    if (!lay_bench(r->c, thread, &bench)) {
        r->failed[thread] = true;
        return;
    }
    copy_slab(r, &at, bench.image);
    sum_slab(r, &bench);
    r->take(r->user, slab_first_pixel(cut, &at), slab_pixels(cut, &at),
            bench.sum + at.again * cut->width * r->c->s.m, r->less);
}

bool loop_conv_run(LoopConv *c, const uint8_t *x, int32_t zero_x, const void *weights,
                   ConvTake *take, void *user)
{
    int32_t *less = calloc((size_t)c->s.m + 1, sizeof *less);
    LoopRun r = {
        .c = c, .x = x, .zero = zero_x, .given = weights, .take = take, .user = user, .less = less};
    for (int64_t m = 0; less && c->bytes && m < c->s.m; m++)
        less[m] = nothing(&r) * c->sum_w[m];
    if (less)
        team_run(slab_count(&c->cut), run_slab, &r);
    bool ok = less != NULL;
    for (int i = 0; i < team_size(); i++)
        ok &= !r.failed[i];
    free(less);
    return ok;
}

/* Copies an image in tiles, padded and widened on the way, and passes sums on while they are in
 * cache. */
#include "npu_exec/conv/loop_conv.h"

#include "npu_exec/conv/byte_sums.h"
#include "npu_exec/conv/loop_weights.h"
#include "npu_exec/conv/row_tile.h"
#include "npu_exec/conv/thread_pool.h"
#include "npu_exec/conv/word_sums.h"

#include <stdlib.h>
#include <string.h>

enum { WIDENED_PIXELS = 24 };  /* from which on weights are widened once, not with each tile */
enum { BORROWING_PIXELS = 4 }; /* up to which a copy of the weights would not pay for itself */
enum { BLOCK_CHANNELS = BYTE_CHANNELS, TILE_PIXELS = BYTE_PIXELS };
/* Whose sums are handed over at once, where channels are together and apart. */
enum { TAKEN_PIXELS = 4 * TILE_PIXELS, TAKEN_CHANNELS = 2 * BLOCK_CHANNELS, TAKEN_DEPTHWISE = 16 };

struct LoopConv {
    ConvShape s;
    RowTiling cut;
    DType x;
    LoopWeights w;
    bool borrows; /* weights are read where they lie: of few pixels, which each sees once */
    bool direct;  /* so is the image */
    bool quick;   /* word_sums_use_avx2() */
    int64_t *run; /* what a pixel of the output sees: where each run of elements begins */
};

void loop_conv_free(LoopConv *c)
{
    if (!c)
        return;
    free(c->run);
    loop_weights_free(&c->w);
    free(c);
}

/* ---- what a window sees ---- */

static int64_t channels_of(const LoopConv *c)
{
    return c->s.c / c->s.group;
}

/* Bytes of an element. */
static size_t element_size(const LoopConv *c)
{
    return c->w.bytes ? 1 : sizeof(int16_t);
}

/* Elements behind the last one of a slab that are read. */
static size_t overread_elements(const LoopConv *c)
{
    return c->w.bytes ? BYTE_OVERREAD : WORD_OVERREAD;
}

/* Bytes where channels are apart: four lines side by side. */
static bool lays_lines(const LoopConv *c)
{
    return c->w.apart && c->w.bytes;
}

enum { LAID = BYTE_DEPTHWISE_CHANNELS * 4 }; /* bytes of a pixel of four lines side by side */
enum { STRETCH = 8 * TAKEN_DEPTHWISE };      /* pixels of a row whose windows are laid at once */

/* Columns that a stretch sees, at most. */
static int64_t laid_columns(const LoopConv *c)
{
    int64_t reached = row_tile_input_extent(STRETCH, c->s.sw, c->s.kw, c->s.dw);
    return reached < c->cut.columns ? reached : c->cut.columns;
}

static bool find_window(LoopConv *c)
{
    const ConvShape *s = &c->s;
    int64_t line = c->cut.columns * s->c;
    c->run = malloc(((size_t)c->w.nrun + 1) * sizeof *c->run);
    for (int64_t i = 0; c->run && i < c->w.nrun; i++)
        c->run[i] = lays_lines(c) ? (i / s->kw * laid_columns(c) + i % s->kw * s->dw) * LAID
                    : c->w.by_row ? i * s->dh * line
                                  : i / s->kw * s->dh * line + i % s->kw * s->dw * s->c;
    return c->run != NULL;
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

LoopConv *loop_conv_make(const ConvShape *s, DType x, const ConvWeights *w)
{
    LoopConv *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->s = *s;
    c->x = x;
    c->cut = row_tile_plan(s);
    c->borrows = can_borrow(c, w);
    c->quick = word_sums_use_avx2();
    if (!loop_weights_make(s, w, c->borrows, &c->w) || !find_window(c)) {
        loop_conv_free(c);
        return NULL;
    }
    /* nothing behind the image is read where channels are in fours */
    c->direct = c->w.bytes && !c->w.apart && c->cut.pixels && x == DT_UINT8 &&
                channels_of(c) % BYTE_OVERREAD == 0;
    return c;
}

bool loop_conv_borrows_weights(const LoopConv *c)
{
    return c->borrows;
}

/* What is nothing, as it is multiplied. */
static uint8_t padding_value(const LoopConv *c, int32_t zero)
{
    return c->w.bytes ? (uint8_t)(zero + (c->x == DT_INT8 ? 128 : 0)) : 0;
}

void loop_conv_zero_offsets(const LoopConv *c, int32_t zero_x, int32_t *ret_less)
{
    for (int64_t m = 0; m < c->s.m; m++)
        ret_less[m] = padding_value(c, zero_x) * c->w.sum[m];
}

/* ---- what a slab sees ---- */

typedef struct {
    LoopConv *c;
    const uint8_t *x;
    int32_t zero;
    const int8_t *given; /* weights where they lie */
    ConvConsumer *take;
    void *user;
    bool failed[THREAD_POOL_MAX];
} LoopRun;

/* As it is multiplied: unsigned bytes, signed ones 128 higher, or words less the zero point. */
static void widen_elements(const LoopRun *r, const uint8_t *from, uint8_t *to, size_t n)
{
    bool is_signed = r->c->x == DT_INT8;
    if (!r->c->w.bytes)
        word_widen(from, is_signed, r->zero, (int16_t *)(void *)to, n);
    else if (is_signed)
        for (size_t i = 0; i < n; i++)
            to[i] = from[i] ^ 0x80;
    else
        memcpy(to, from, n);
}

/* Columns of a line of the slab that are the image's, behind the pad. */
static int64_t columns_inside(const LoopConv *c)
{
    int64_t there = c->cut.columns - c->s.pw;
    if (c->cut.pixels)
        return c->cut.columns;
    return there < 0 ? 0 : there < c->s.w ? there : c->s.w;
}

/* Of a line of the image from the pad before it on. */
static void copy_line(const LoopRun *r, int64_t image, int64_t h, uint8_t *to)
{
    const ConvShape *s = &r->c->s;
    size_t size = element_size(r->c), line = (size_t)(r->c->cut.columns * s->c) * size;
    size_t before = (size_t)(s->pw * s->c) * size, there = (size_t)(columns_inside(r->c) * s->c);
    uint8_t none = padding_value(r->c, r->zero);
    if (h < 0 || h >= s->h || !there) {
        memset(to, none, line);
        return;
    }
    memset(to, none, before);
    widen_elements(r, r->x + (image * s->h + h) * s->w * s->c, to + before, there);
    memset(to + before + there * size, none, line - before - there * size);
}

static void copy_row_tile(const LoopRun *r, const RowTile *at, uint8_t *to)
{
    const ConvShape *s = &r->c->s;
    const RowTiling *cut = &r->c->cut;
    size_t line = (size_t)(cut->columns * s->c);
    if (cut->pixels)
        widen_elements(r, r->x + at->first * s->c, to, line);
    for (int64_t i = 0; i < cut->lines && !cut->pixels; i++)
        copy_line(r, at->image, at->first * s->sh - s->ph + i,
                  to + (size_t)i * line * element_size(r->c));
}

/* Pixels of the slab in order, each where the first element is that it sees. */
typedef struct {
    const uint8_t *at;
    int64_t column;
    size_t next, next_row; /* bytes */
} Walk;

static Walk walk_from(const LoopConv *c, const uint8_t *first, int64_t row)
{
    const ConvShape *s = &c->s;
    size_t pixel = (size_t)s->c * element_size(c), line = (size_t)(s->sh * c->cut.columns) * pixel;
    size_t next = (size_t)s->sw * pixel, back = (size_t)(c->cut.width - 1) * next;
    return c->cut.pixels ? (Walk){first + (size_t)row * pixel, 0, pixel, pixel}
                         : (Walk){first + (size_t)row * line, 0, next, line - back};
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

/* What a thread works on, and in. */
typedef struct {
    const LoopRun *r;
    RowTile at;
    const uint8_t *image; /* elements, or lines side by side */
    uint8_t *room;        /* where they are copied to, or laid */
    int16_t *weights;     /* room for those of two blocks as words; NULL: they stay bytes */
} Bench;

static void hand_over(const Bench *b, int64_t pixel, int64_t count, int64_t channel,
                      int64_t nchannel, const int32_t *sum, int64_t stride)
{
    int64_t first = row_tile_first_pixel(&b->r->c->cut, &b->at) + pixel;
    b->r->take(b->r->user, &(ConvSums){first, count, channel, nchannel, sum, stride});
}

/* Weights of one block of channels or two, and how a window sees them. */
typedef struct {
    const uint8_t *w;
    size_t block; /* bytes of one */
    WordWindow words;
    ByteWindow bytes;
} Blocks;

/* Where they pay for it weights become words once for all pixels. */
static Blocks blocks_of(const LoopConv *c, int64_t first, int64_t n, int16_t *room)
{
    Blocks ret = {c->w.data + (size_t)first * c->w.block,
                  c->w.block,
                  {c->run, c->w.nrun, c->w.steps, c->w.wide || room, c->quick},
                  {c->run, c->w.nrun, c->w.steps}};
    if (!room)
        return ret;
    word_widen(ret.w, true, 0, room, (n > BLOCK_CHANNELS ? 2 : 1) * c->w.block);
    ret.w = (const uint8_t *)room;
    ret.block = c->w.block * sizeof *room;
    return ret;
}

static void sum_tile(const LoopConv *c, const Blocks *k, Walk *walk, int64_t count, int64_t n,
                     int32_t *sum)
{
    const void *x[TILE_PIXELS];
    for (int64_t i = 0; i < count; i++)
        x[i] = next_pixel(c, walk);
    if (c->w.bytes)
        byte_sums(&k->bytes, x, count, (const int8_t *)k->w, &(SumBlock){sum, TAKEN_CHANNELS, n});
    for (int64_t m = 0; !c->w.bytes && m < n; m += BLOCK_CHANNELS)
        word_sums(
            &k->words, x, count, k->w + (m > 0 ? k->block : 0),
            &(SumBlock){sum + m, TAKEN_CHANNELS, n - m < BLOCK_CHANNELS ? n - m : BLOCK_CHANNELS});
}

/* All pixels of a slab, some blocks of channels, whose weights stay near. */
static void sum_blocks(const Bench *bench, int64_t group, int64_t b, int64_t n)
{
    const LoopConv *c = bench->r->c;
    const int64_t all = row_tile_pixels(&c->cut, &bench->at);
    const int64_t m = group * (c->s.m / c->s.group) + b * BLOCK_CHANNELS;
    const uint8_t *image = bench->image + (size_t)(group * channels_of(c)) * element_size(c);
    const Blocks k = blocks_of(c, group * c->w.blocks + b, n, bench->weights);
    Walk walk = walk_from(c, image, bench->at.again);
    for (int64_t p = 0; p < all; p += TAKEN_PIXELS) {
        _Alignas(64) int32_t sum[TAKEN_PIXELS * TAKEN_CHANNELS];
        int64_t count = all - p < TAKEN_PIXELS ? all - p : TAKEN_PIXELS;
        for (int64_t i = 0; i < count; i += TILE_PIXELS)
            sum_tile(c, &k, &walk, count - i < TILE_PIXELS ? count - i : TILE_PIXELS, n,
                     sum + i * TAKEN_CHANNELS);
        hand_over(bench, p, count, m, n, sum, TAKEN_CHANNELS);
    }
}

static void sum_together(const Bench *bench)
{
    const LoopConv *c = bench->r->c;
    int64_t of_group = c->s.m / c->s.group;
    for (int64_t group = 0; group < c->s.group; group++)
        for (int64_t m = 0; m < of_group; m += TAKEN_CHANNELS)
            sum_blocks(bench, group, m / BLOCK_CHANNELS,
                       of_group - m < TAKEN_CHANNELS ? of_group - m : TAKEN_CHANNELS);
}

/* Where channels are apart: a row of the slab's windows (pixels are one row of them), from pixel
 * `first` on, and some channels from m on. */
typedef struct {
    int64_t row, first, width, m, n;
} Part;

static void hand_over_part(const Bench *bench, const Part *part, int64_t p, int64_t count,
                           const int32_t *sum, int64_t stride)
{
    int64_t again = bench->at.again * bench->r->c->cut.width;
    hand_over(bench, part->row * part->width + p - again, count, part->m, part->n, sum, stride);
}

static void sum_words_depthwise(const Bench *bench, const Part *part, const uint8_t *w)
{
    const LoopConv *c = bench->r->c;
    const ConvShape *s = &c->s;
    WordWindow k = {c->run, c->w.nrun, c->w.steps, true, c->quick};
    const int16_t *x = (const int16_t *)(const void *)bench->image + part->m;
    x += part->row * s->sh * c->cut.columns * s->c;
    for (int64_t p = part->first; p < part->width; p += TAKEN_PIXELS) {
        int32_t sum[TAKEN_PIXELS * BLOCK_CHANNELS];
        int64_t count = part->width - p < TAKEN_PIXELS ? part->width - p : TAKEN_PIXELS;
        word_sums_depthwise(&k, x + p * s->sw * s->c, s->sw * s->c, count,
                            (const int16_t *)(const void *)w,
                            &(SumBlock){sum, BLOCK_CHANNELS, part->n});
        hand_over_part(bench, part, p, count, sum, BLOCK_CHANNELS);
    }
}

/* A line of the slab from channel m on; what lies outside the image is one byte again and again. */
static ByteLine line_of(const Bench *bench, int64_t line, int64_t m, const uint8_t *outside)
{
    const ConvShape *s = &bench->r->c->s;
    int64_t h = bench->at.first * s->sh - s->ph + line;
    if (bench->r->c->cut.pixels)
        return (ByteLine){bench->r->x + bench->at.first * s->c + m, s->c};
    return h < 0 || h >= s->h
               ? (ByteLine){outside, 0}
               : (ByteLine){bench->r->x + (bench->at.image * s->h + h) * s->w * s->c + m, s->c};
}

/* Columns of the slab before the image, in it and behind it, and where in it they begin. */
typedef struct {
    int64_t before, there, behind, first;
} Columns;

static Columns columns_from(const LoopConv *c, int64_t first)
{
    int64_t most = laid_columns(c), left = c->cut.columns - first, n = left < most ? left : most;
    int64_t begins = c->s.pw - first, ends = begins + columns_inside(c);
    int64_t from = begins < 0   ? 0
                   : begins < n ? begins
                                : n,
            to = ends < from ? from
                 : ends < n  ? ends
                             : n;
    return (Columns){from, to - from, n - to, begins < 0 ? -begins : 0};
}

/* What windows see from column `first` on, four lines at a time; of lines that are none weights are
 * 0. */
static void lay_stretch(const Bench *bench, const Part *part, int64_t first)
{
    const LoopConv *c = bench->r->c;
    const ConvShape *s = &c->s;
    const Columns at = columns_from(c, first);
    const uint8_t none = padding_value(c, bench->r->zero), flip = c->x == DT_INT8 ? 0x80 : 0;
    uint8_t outside[BYTE_DEPTHWISE_CHANNELS], *to = bench->room;
    memset(outside, (uint8_t)bench->r->zero, sizeof outside);
    for (int64_t top = 0; top < s->kh; top += 4, to += laid_columns(c) * LAID) {
        ByteLine line[4];
        for (int64_t i = 0; i < 4; i++) {
            int64_t below = part->row * s->sh + (top + i < s->kh ? top + i : top) * s->dh;
            line[i] = line_of(bench, below, part->m, outside);
            line[i].at += at.first * line[i].step;
        }
        memset(to, none, (size_t)at.before * LAID);
        byte_interleave_lines(line, at.there, part->n, flip, to + at.before * LAID);
        memset(to + (at.before + at.there) * LAID, none, (size_t)at.behind * LAID);
    }
}

static void sum_bytes_depthwise(const Bench *bench, const Part *part, const uint8_t *w)
{
    const LoopConv *c = bench->r->c;
    const ByteWindow k = {c->run, c->w.nrun, 1};
    const int64_t step = c->s.sw * LAID;
    for (int64_t p = part->first; p < part->width; p += TAKEN_DEPTHWISE) {
        _Alignas(64) int32_t sum[TAKEN_DEPTHWISE * BYTE_DEPTHWISE_CHANNELS];
        int64_t count = part->width - p < TAKEN_DEPTHWISE ? part->width - p : TAKEN_DEPTHWISE;
        int64_t in = (p - part->first) % STRETCH;
        if (in == 0)
            lay_stretch(bench, part, p * c->s.sw);
        byte_sums_depthwise(&k, bench->room + in * step, step, count, (const int8_t *)w, part->n,
                            sum);
        hand_over_part(bench, part, p, count, sum, BYTE_DEPTHWISE_CHANNELS);
    }
}

static void sum_depthwise(const Bench *bench)
{
    const LoopConv *c = bench->r->c;
    bool pixels = c->cut.pixels;
    int64_t again = bench->at.again, rows = pixels ? 1 : c->cut.rows;
    for (int64_t row = pixels ? 0 : again; row < rows; row++)
        for (int64_t b = 0; b < c->w.blocks; b++) {
            int64_t m = b * c->w.channels, left = c->s.m - m;
            Part part = {row, pixels ? again : 0, pixels ? c->cut.rows : c->cut.width, m,
                         left < c->w.channels ? left : c->w.channels};
            (c->w.bytes ? sum_bytes_depthwise
                        : sum_words_depthwise)(bench, &part, c->w.data + (size_t)b * c->w.block);
        }
}

/* Weights where they lie, of some channels and all pixels, which are few. */
static void sum_rows_given(const Bench *bench)
{
    const LoopConv *c = bench->r->c;
    int64_t all = row_tile_pixels(&c->cut, &bench->at), depth = c->s.c;
    const uint8_t *first = bench->image + (size_t)(bench->at.again * depth) * element_size(c);
    for (int64_t m = 0; m < c->s.m; m += BYTE_DEPTHWISE_CHANNELS) {
        int32_t sum[BORROWING_PIXELS * BYTE_DEPTHWISE_CHANNELS];
        int64_t n = c->s.m - m < BYTE_DEPTHWISE_CHANNELS ? c->s.m - m : BYTE_DEPTHWISE_CHANNELS;
        for (int64_t k = 0; k < n; k++)
            for (int64_t p = 0; p < all; p++) {
                const uint8_t *x = first + (size_t)(p * depth) * element_size(c);
                const int8_t *w = bench->r->given + (m + k) * depth;
                sum[p * BYTE_DEPTHWISE_CHANNELS + k] =
                    c->w.bytes ? byte_row(x, w, depth)
                               : word_row((const int16_t *)(const void *)x, w, depth, c->quick);
            }
        hand_over(bench, 0, all, m, n, sum, BYTE_DEPTHWISE_CHANNELS);
    }
}

/* ---- running ---- */

/* The image, where it is not read where it lies; false where memory ends. */
static bool lay_bench(const LoopRun *r, int thread, Bench *b)
{
    const LoopConv *c = r->c;
    const RowTiling *cut = &c->cut;
    size_t seen = lays_lines(c) ? (size_t)(c->w.nrun / c->s.kw * laid_columns(c)) * LAID
                                : (size_t)(cut->lines * cut->columns * c->s.c) * element_size(c);
    size_t rest = overread_elements(c) * element_size(c);
    bool widens =
        !c->w.bytes && !c->w.wide && !c->borrows && cut->rows * cut->width >= WIDENED_PIXELS;
    b->room = c->direct ? NULL : row_tile_buffer(thread, ROW_TILE_IMAGE, seen + rest);
    b->image = c->direct ? r->x + b->at.first * c->s.c : b->room;
    b->weights =
        widens ? row_tile_buffer(thread, ROW_TILE_SCRATCH, 2 * c->w.block * sizeof *b->weights)
               : NULL;
    if (!b->image || (widens && !b->weights))
        return false;
    if (b->room)
        memset(b->room + seen, 0, rest);
    return true;
}

static void run_row_tile(void *user, int64_t i, int thread)
{
    LoopRun *r = user;
    const LoopConv *c = r->c;
    Bench bench = {.r = r, .at = row_tile_at(&c->cut, i)};
    if (!lay_bench(r, thread, &bench)) {
        r->failed[thread] = true;
        return;
    }
    if (bench.room && !lays_lines(c))
        copy_row_tile(r, &bench.at, bench.room);
    (c->borrows ? sum_rows_given : c->w.apart ? sum_depthwise : sum_together)(&bench);
}

bool loop_conv_run(LoopConv *c, const uint8_t *x, int32_t zero_x, const void *weights,
                   ConvConsumer *take, void *user)
{
    LoopRun r = {.c = c, .x = x, .zero = zero_x, .given = weights, .take = take, .user = user};
    bool ok = true;
    thread_pool_run(row_tile_count(&c->cut), run_row_tile, &r);
    for (int i = 0; i < thread_pool_size(); i++)
        ok &= !r.failed[i];
    return ok;
}

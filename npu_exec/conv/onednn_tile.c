/* Cuts an image into tiles, makes its bytes unsigned, and runs one primitive over the tiles. */
#include "npu_exec/conv/onednn_tile.h"

#ifdef HAVE_ONEDNN

void onednn_tile_free(OnednnTile *b)
{
    for (int i = 0; i < b->nparts; i++)
        onednn()->dnnl_memory_destroy(b->weights[i]);
    if (b->run)
        onednn()->dnnl_primitive_destroy(b->run);
    onednn_desc_free(&b->image);
    onednn_desc_free(&b->sums);
    free(b->sum_w);
    *b = (OnednnTile){0};
}

/* ---- weights ---- */

/* Weight k of output channel m, less its zero point. */
static int32_t weight_at(const OnednnTile *b, const ConvWeights *w, int64_t m, int64_t k)
{
    int64_t i = b->s.turned ? k * b->s.m + m : m * b->depth + k;
    int32_t byte =
        w->dtype == DT_INT8 ? ((const int8_t *)w->data)[i] : ((const uint8_t *)w->data)[i];
    return byte - w->zero[w->nzero > 1 ? m : 0];
}

/* The weights as they lie, or NULL where they are not what is multiplied. */
static const void *weights_in_place(const OnednnTile *b, const ConvWeights *w)
{
    bool whole = onednn_adds_bytes() && w->dtype == DT_INT8 && !b->s.turned;
    return whole && LIST_ALL(m, w->nzero, w->zero[m] == 0) ? w->data : NULL;
}

/* Of each weight, output channels outermost, the next part that products of bytes allow; returns
 * whether anything is left. */
static bool take_part(const OnednnTile *b, const ConvWeights *w, int8_t *ret)
{
    const int32_t lo = onednn_adds_bytes() ? INT8_MIN : -64,
                  hi = onednn_adds_bytes() ? INT8_MAX : 64;
    bool left = false;
    for (int64_t m = 0, i = 0; m < b->s.m; m++)
        for (int64_t k = 0; k < b->depth; k++, i++) {
            int32_t rest = weight_at(b, w, m, k);
            for (int part = 0; part <= b->nparts; part++) {
                int32_t most = rest < hi ? rest : hi;
                ret[i] = (int8_t)(most > lo ? most : lo);
                rest -= ret[i];
            }
            left |= rest != 0;
        }
    return left;
}

static bool pack_parts(OnednnTile *b, const ConvWeights *w, OnednnView want)
{
    int8_t *part = malloc((size_t)(b->s.m * b->depth) + 1);
    OnednnTensor packed = onednn_weights(&b->s, dnnl_s8, part);
    bool ok = part, left = true;
    while (ok && left && b->nparts < ONEDNN_PARTS) {
        left = take_part(b, w, part);
        ok = onednn_pack(&packed, want, &b->weights[b->nparts++]);
    }
    free(part);
    return ok && !left;
}

static bool make_weights(OnednnTile *b, const ConvWeights *w, OnednnView want)
{
    OnednnTensor whole = onednn_weights(&b->s, dnnl_s8, weights_in_place(b, w));
    b->sum_w = calloc((size_t)b->s.m + 1, sizeof *b->sum_w);
    if (!b->sum_w)
        return false;
    for (int64_t m = 0; m < b->s.m; m++)
        for (int64_t k = 0; k < b->depth; k++)
            b->sum_w[m] += weight_at(b, w, m, k);
    return whole.data ? onednn_pack(&whole, want, &b->weights[b->nparts++])
                      : pack_parts(b, w, want);
}

/* ---- the primitive ---- */

static OnednnView wanted_view(const_dnnl_primitive_desc_t desc, dnnl_query_t what)
{
    return onednn()->dnnl_primitive_desc_query_md(desc, what, 0);
}

static bool reads_image_in_place(const OnednnTile *b)
{
    const ConvShape *s = &b->s;
    return b->x == DT_UINT8 &&
           (b->cut.pixels || (s->ph == 0 && s->pw == 0 && b->cut.columns == s->w &&
                              row_tile_input_extent(s->oh, s->sh, s->kh, s->dh) <= s->h));
}

static bool describe_row_tile(OnednnTile *b, dnnl_primitive_desc_t *ret)
{
    const ConvShape *s = &b->s;
    OnednnTensor image = onednn_pixels(s->c, b->cut.lines, b->cut.columns, dnnl_u8);
    OnednnTensor sums = b->cut.pixels ? onednn_pixels(s->m, 1, b->cut.rows, dnnl_s32)
                                      : onednn_pixels(s->m, b->cut.rows, b->cut.width, dnnl_s32);
    OnednnTensor w = onednn_weights(s, dnnl_s8, NULL);
    OnednnWindow k = onednn_window(s, true);
    dnnl_primitive_attr_t attr = NULL;
    b->image = onednn_desc(&image, false);
    b->sums = onednn_desc(&sums, false);
    OnednnDesc any = onednn_desc(&w, true);
    bool ok = b->image.made && b->sums.made && any.made &&
              onednn()->dnnl_primitive_attr_create(&attr) == dnnl_success &&
              onednn()->dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user) ==
                  dnnl_success &&
              onednn_describe_conv(&b->image, &any, &b->sums, &k, attr, ret) &&
              onednn()->dnnl_primitive_create(&b->run, *ret) == dnnl_success;
    if (attr)
        onednn()->dnnl_primitive_attr_destroy(attr);
    onednn_desc_free(&any);
    b->image_bytes = (size_t)(b->cut.lines * b->cut.columns * s->c);
    b->nsum = (size_t)(b->cut.rows * b->cut.width * s->m);
    return ok;
}

bool onednn_tile_make(const ConvShape *s, DType x, const ConvWeights *w, OnednnTile *ret)
{
    dnnl_primitive_desc_t desc = NULL;
    *ret = (OnednnTile){
        .s = *s, .x = x, .cut = row_tile_plan(s), .depth = s->c / s->group * s->kh * s->kw};
    ret->direct = reads_image_in_place(ret);
    bool ok = describe_row_tile(ret, &desc) &&
              make_weights(ret, w, wanted_view(desc, dnnl_query_weights_md));
    OnednnView scratch = ok ? wanted_view(desc, dnnl_query_scratchpad_md) : NULL;
    ret->scratch_bytes = scratch ? onednn()->dnnl_memory_desc_get_size(scratch) : 0;
    if (desc) /* the primitive shares one with others of its shape */
        onednn()->dnnl_primitive_desc_destroy(desc);
    return ok;
}

/* ---- running tiles ---- */

/* Signed bytes are multiplied as unsigned ones that are 128 larger. */
static uint8_t sign_flip(const OnednnTile *b)
{
    return b->x == DT_INT8 ? 0x80 : 0;
}

void onednn_tile_zero_offsets(const OnednnTile *b, int32_t zero_x, int32_t *ret_less)
{
    for (int64_t m = 0; m < b->s.m; m++)
        ret_less[m] = ((uint8_t)zero_x ^ sign_flip(b)) * b->sum_w[m];
}

/* What tiles are computed in, and oneDNN's objects around it. */
typedef struct {
    uint8_t *image;
    int32_t *sum, *more; /* of the first part of the weights, and of another */
    dnnl_memory_t given_memory, sum_memory, scratch_memory;
} Workspace;

static bool describe_memory(OnednnView what, const void *at, dnnl_memory_t *ret)
{
    return onednn()->dnnl_memory_create(ret, what, onednn()->engine, DNNL_MEMORY_NONE) ==
               dnnl_success &&
           (!at || onednn_point(*ret, at));
}

static bool open_workspace(const OnednnTile *b, Workspace *w)
{
    const_dnnl_primitive_desc_t desc;
    size_t sum_bytes = b->nsum * sizeof *w->sum;
    w->image = row_tile_buffer(ROW_TILE_IMAGE, b->direct ? 1 : b->image_bytes);
    w->sum = row_tile_buffer(ROW_TILE_SUMS, sum_bytes);
    w->more = row_tile_buffer(ROW_TILE_MORE_SUMS, b->nparts > 1 ? sum_bytes : 1);
    void *scratch = row_tile_buffer(ROW_TILE_SCRATCH, b->scratch_bytes);
    return w->image && w->sum && w->more && scratch &&
           onednn()->dnnl_primitive_get_primitive_desc(b->run, &desc) == dnnl_success &&
           describe_memory(ONEDNN_VIEW(b->image.desc), NULL, &w->given_memory) &&
           describe_memory(ONEDNN_VIEW(b->sums.desc), NULL, &w->sum_memory) &&
           describe_memory(wanted_view(desc, dnnl_query_scratchpad_md), scratch,
                           &w->scratch_memory);
}

static void close_workspace(const Workspace *w)
{
    const dnnl_memory_t made[] = {w->given_memory, w->sum_memory, w->scratch_memory};
    for (size_t k = 0; k < sizeof made / sizeof made[0]; k++)
        if (made[k])
            onednn()->dnnl_memory_destroy(made[k]);
}

typedef struct {
    const OnednnTile *b;
    const uint8_t *x;
    uint8_t zero; /* as it is multiplied */
    Workspace work;
} TileRun;

/* The lines of a tile from line `top` on: the image, and around it its zero point. */
static void copy_lines(const TileRun *r, int64_t image, int64_t top, uint8_t *to)
{
    const OnednnTile *b = r->b;
    const ConvShape *s = &b->s;
    size_t line = (size_t)(b->cut.columns * s->c), before = (size_t)(s->pw * s->c);
    int64_t columns = b->cut.columns - s->pw < s->w ? b->cut.columns - s->pw : s->w;
    size_t inside = (size_t)(columns > 0 ? columns * s->c : 0);
    for (int64_t i = 0; i < b->cut.lines; i++, to += line) {
        int64_t h = top + i;
        if (h < 0 || h >= s->h || !inside) {
            memset(to, r->zero, line);
            continue;
        }
        memset(to, r->zero, before);
        row_tile_copy(r->x + (image * s->h + h) * s->w * s->c, sign_flip(b), to + before, inside);
        memset(to + before + inside, r->zero, line - before - inside);
    }
}

/* The input of a tile, unsigned. */
static const uint8_t *tile_input(const TileRun *r, const RowTile *at)
{
    const OnednnTile *b = r->b;
    const ConvShape *s = &b->s;
    int64_t pixel = b->cut.pixels ? at->first : (at->image * s->h + at->first * s->sh) * s->w;
    if (b->direct)
        return r->x + pixel * s->c;
    if (b->cut.pixels)
        row_tile_copy(r->x + pixel * s->c, sign_flip(b), r->work.image, b->image_bytes);
    else
        copy_lines(r, at->image, at->first * s->sh - s->ph, r->work.image);
    return r->work.image;
}

static bool run_part(const TileRun *r, dnnl_memory_t weights, int32_t *sum)
{
    const dnnl_exec_arg_t arg[] = {{DNNL_ARG_SRC, r->work.given_memory},
                                   {DNNL_ARG_WEIGHTS, weights},
                                   {DNNL_ARG_DST, r->work.sum_memory},
                                   {DNNL_ARG_SCRATCHPAD, r->work.scratch_memory}};
    bool ok = onednn_point(r->work.sum_memory, sum) &&
              onednn()->dnnl_primitive_execute(r->b->run, onednn()->stream, 4, arg) == dnnl_success;
    return onednn()->dnnl_stream_wait(onednn()->stream) == dnnl_success && ok;
}

static bool sum_tile(const TileRun *r, const uint8_t *x)
{
    const OnednnTile *b = r->b;
    bool ok = onednn_point(r->work.given_memory, x) && run_part(r, b->weights[0], r->work.sum);
    for (int i = 1; ok && i < b->nparts; i++) {
        ok = run_part(r, b->weights[i], r->work.more);
        row_tile_add_sums(r->work.more, r->work.sum, b->nsum);
    }
    return ok;
}

bool onednn_tile_run(const OnednnTile *b, const uint8_t *x, int32_t zero_x, ConvConsumer *take,
                     void *user)
{
    TileRun r = {.b = b, .x = x, .zero = (uint8_t)zero_x ^ sign_flip(b)};
    bool ok = open_workspace(b, &r.work);
    for (int64_t i = 0; ok && i < row_tile_count(&b->cut); i++) {
        RowTile at = row_tile_at(&b->cut, i);
        ok = sum_tile(&r, tile_input(&r, &at));
        if (ok)
            take(user,
                 &(ConvSums){row_tile_first_pixel(&b->cut, &at), row_tile_pixels(&b->cut, &at),
                             r.work.sum + at.again * b->cut.width * b->s.m});
    }
    close_workspace(&r.work);
    return ok;
}

#endif

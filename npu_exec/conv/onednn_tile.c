/* Cuts an image into tiles and runs one primitive over them on all threads. */
#include "npu_exec/conv/onednn_tile.h"

#ifdef HAVE_ONEDNN

#include <string.h>

void onednn_tile_free(OnednnTile *s)
{
    if (s->weights)
        onednn()->dnnl_memory_destroy(s->weights);
    if (s->run)
        onednn()->dnnl_primitive_destroy(s->run);
    onednn_desc_free(&s->image);
    onednn_desc_free(&s->sums);
    *s = (OnednnTile){0};
}

static OnednnView wanted_view(const_dnnl_primitive_desc_t desc, dnnl_query_t what)
{
    return onednn()->dnnl_primitive_desc_query_md(desc, what, 0);
}

static bool lies_there(const OnednnTile *b)
{
    const ConvShape *s = &b->s;
    return b->cut.pixels || (s->ph == 0 && s->pw == 0 && b->cut.columns == s->w &&
                             row_tile_input_extent(s->oh, s->sh, s->kh, s->dh) <= s->h);
}

static bool describe_row_tile(DType x, OnednnTile *b, dnnl_primitive_desc_t *ret)
{
    const ConvShape *s = &b->s;
    OnednnTensor image =
        onednn_pixels(s->c, b->cut.lines, b->cut.columns, x == DT_INT8 ? dnnl_s8 : dnnl_u8);
    OnednnTensor sums = b->cut.pixels ? onednn_pixels(s->m, 1, b->cut.rows, dnnl_s32)
                                      : onednn_pixels(s->m, b->cut.rows, b->cut.width, dnnl_s32);
    OnednnTensor w = onednn_weights(s, dnnl_s8, NULL, s->c / s->group);
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
    b->sum_bytes = (size_t)(b->cut.rows * b->cut.width * s->m) * sizeof(int32_t);
    return ok;
}

bool onednn_tile_make(const ConvShape *s, DType x, const int8_t *w, OnednnTile *ret)
{
    OnednnTensor weights = onednn_weights(s, dnnl_s8, w, s->c / s->group);
    dnnl_primitive_desc_t desc = NULL;
    *ret = (OnednnTile){.s = *s};
    ret->cut = row_tile_plan(s);
    ret->direct = lies_there(ret);
    thread_pool_limit_library(1); /* each slab is one thread's */
    bool ok = describe_row_tile(x, ret, &desc) &&
              onednn_pack(&weights, wanted_view(desc, dnnl_query_weights_md), &ret->weights);
    thread_pool_limit_library(0);
    OnednnView scratch = ok ? wanted_view(desc, dnnl_query_scratchpad_md) : NULL;
    ret->scratch_bytes = scratch ? onednn()->dnnl_memory_desc_get_size(scratch) : 0;
    if (desc) /* what runs has one of its own, which it shares with others of its shape */
        onednn()->dnnl_primitive_desc_destroy(desc);
    return ok;
}

/* ---- running slabs ---- */

/* The library's objects around what a thread works in. */
typedef struct {
    uint8_t *image;
    int32_t *sum;
    dnnl_memory_t given_memory, sum_memory, scratch_memory;
} Bench;

static Bench bench[THREAD_POOL_MAX];

static bool describe_memory(OnednnView what, void *at, dnnl_memory_t *ret)
{
    return onednn()->dnnl_memory_create(ret, what, onednn()->engine, DNNL_MEMORY_NONE) ==
               dnnl_success &&
           (!at || onednn_point(*ret, at));
}

static bool lay_benches(const OnednnTile *b)
{
    const_dnnl_primitive_desc_t desc;
    bool ok = onednn()->dnnl_primitive_get_primitive_desc(b->run, &desc) == dnnl_success;
    for (int i = 0; ok && i < thread_pool_size(); i++) {
        Bench *w = &bench[i];
        w->image = row_tile_buffer(i, ROW_TILE_IMAGE, b->direct ? 1 : b->image_bytes);
        w->sum = row_tile_buffer(i, ROW_TILE_SUMS, b->sum_bytes);
        void *scratch = row_tile_buffer(i, ROW_TILE_SCRATCH, b->scratch_bytes);
        ok = w->image && w->sum && scratch &&
             describe_memory(ONEDNN_VIEW(b->image.desc), NULL, &w->given_memory) &&
             describe_memory(ONEDNN_VIEW(b->sums.desc), w->sum, &w->sum_memory) &&
             describe_memory(wanted_view(desc, dnnl_query_scratchpad_md), scratch,
                             &w->scratch_memory);
    }
    return ok;
}

static void clear_benches(void)
{
    for (int i = 0; i < thread_pool_size(); i++) {
        dnnl_memory_t *made[] = {&bench[i].given_memory, &bench[i].sum_memory,
                                 &bench[i].scratch_memory};
        for (size_t k = 0; k < sizeof made / sizeof made[0]; k++) {
            if (*made[k])
                onednn()->dnnl_memory_destroy(*made[k]);
            *made[k] = NULL;
        }
    }
}

typedef struct {
    OnednnTile *b;
    const uint8_t *x;
    uint8_t zero;
    ConvConsumer *take;
    void *user;
    bool failed[THREAD_POOL_MAX];
} TileRun;

/* What a slab sees from line `top` on: the image, and around it its zero point. */
static void copy_lines(const TileRun *r, int64_t image, int64_t top, uint8_t *to)
{
    const ConvShape *s = &r->b->s;
    const OnednnTile *b = r->b;
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
        memcpy(to + before, r->x + (image * s->h + h) * s->w * s->c, inside);
        memset(to + before + inside, r->zero, line - before - inside);
    }
}

static void run_row_tile(void *user, int64_t i, int thread)
{
    TileRun *r = user;
    const ConvShape *s = &r->b->s;
    OnednnTile *b = r->b;
    Bench *w = &bench[thread];
    RowTile at = row_tile_at(&b->cut, i);
    const uint8_t *x =
        r->x + (b->cut.pixels ? at.first : (at.image * s->h + at.first * s->sh) * s->w) * s->c;
    if (!b->direct) {
        copy_lines(r, at.image, at.first * s->sh - s->ph, w->image);
        x = w->image;
    }
    const dnnl_exec_arg_t arg[] = {{DNNL_ARG_SRC, w->given_memory},
                                   {DNNL_ARG_WEIGHTS, b->weights},
                                   {DNNL_ARG_DST, w->sum_memory},
                                   {DNNL_ARG_SCRATCHPAD, w->scratch_memory}};
    bool ok =
        onednn_point(w->given_memory, x) &&
        onednn()->dnnl_primitive_execute(b->run, onednn()->streams[thread], 4, arg) == dnnl_success;
    if (ok)
        r->take(r->user,
                &(ConvSums){row_tile_first_pixel(&b->cut, &at), row_tile_pixels(&b->cut, &at), 0,
                            s->m, w->sum + at.again * b->cut.width * s->m, s->m});
    else
        r->failed[thread] = true;
}

bool onednn_tile_run(OnednnTile *b, const uint8_t *x, uint8_t zero, ConvConsumer *take, void *user)
{
    TileRun r = {.b = b, .x = x, .zero = zero, .take = take, .user = user};
    bool ok = lay_benches(b);
    if (ok)
        thread_pool_run(row_tile_count(&b->cut), run_row_tile, &r);
    for (int i = 0; i < thread_pool_size(); i++)
        ok &= !r.failed[i];
    clear_benches();
    return ok;
}

#endif

/* Slabs are cut, made once, and run by a team of threads. */
#include "npu_exec/values/onednn_slab.h"

#ifdef HAVE_ONEDNN

#include <stdlib.h>
#include <string.h>

void onednn_slab_free(OnednnSlab *s)
{
    if (s->weights)
        onednn()->dnnl_memory_destroy(s->weights);
    if (s->run)
        onednn()->dnnl_primitive_destroy(s->run);
    onednn_desc_free(&s->image);
    onednn_desc_free(&s->sums);
    *s = (OnednnSlab){0};
}

/* Rows or columns of the image, pads before it included, that all windows see; those that are
 * there where windows of that number fit as well. */
static int64_t seen(int64_t there, int64_t before, int64_t out, int64_t stride, int64_t kernel,
                    int64_t dilation)
{
    int64_t reached = onednn_reach(out, stride, kernel, dilation), whole = there + before;
    bool fits = whole >= reached && (whole - (kernel - 1) * dilation - 1) / stride + 1 == out;
    return fits ? whole : reached;
}

static OnednnView wanted(const_dnnl_primitive_desc_t desc, dnnl_query_t what)
{
    return onednn()->dnnl_primitive_desc_query_md(desc, what, 0);
}

/* Rows of at most `most` and at least half as many, so that threads end together. */
static int64_t even_rows(const OnednnSlab *b, int64_t most)
{
    int64_t team = team_size(), best = most, least = INT64_MAX;
    for (int64_t rows = most; rows >= (most + 1) / 2; rows--) {
        int64_t slabs = b->images * ((b->in_all + rows - 1) / rows);
        int64_t time = (slabs + team - 1) / team * rows;
        if (time < least) {
            least = time;
            best = rows;
        }
    }
    return best;
}

/* How many rows a slab has, and what it sees. */
static void cut_slab(OnednnSlab *b)
{
    const ConvShape *s = &b->s;
    bool pixels = s->kh == 1 && s->kw == 1 && s->sh == 1 && s->sw == 1 && s->ph == 0 &&
                  s->pw == 0 && s->oh == s->h && s->ow == s->w;
    const int64_t near = 1 << 17; /* bytes that stay in the second cache with what is around */
    b->pixels = pixels;
    b->images = pixels ? 1 : s->n;
    b->in_all = pixels ? s->n * s->oh * s->ow : s->oh;
    b->width = pixels ? 1 : s->ow;
    int64_t row = b->width * s->m * (int64_t)sizeof(int32_t), slabs = b->in_all * row / near + 1;
    int64_t least = (team_size() + b->images - 1) / b->images;
    slabs = slabs < least ? least : slabs > b->in_all ? b->in_all : slabs;
    b->rows = even_rows(b, slabs > b->in_all ? 1 : (b->in_all + slabs - 1) / slabs);
    b->columns = pixels ? b->rows : seen(s->w, s->pw, s->ow, s->sw, s->kw, s->dw);
    b->lines = pixels ? 1 : onednn_reach(b->rows, s->sh, s->kh, s->dh);
    b->direct = pixels || (s->ph == 0 && s->pw == 0 && b->columns == s->w &&
                           onednn_reach(s->oh, s->sh, s->kh, s->dh) <= s->h);
}

static bool describe_slab(DType x, OnednnSlab *b, dnnl_primitive_desc_t *ret)
{
    const ConvShape *s = &b->s;
    OnednnTensor image =
        onednn_pixels(s->c, b->lines, b->columns, x == DT_INT8 ? dnnl_s8 : dnnl_u8);
    OnednnTensor sums = b->pixels ? onednn_pixels(s->m, 1, b->rows, dnnl_s32)
                                  : onednn_pixels(s->m, b->rows, b->width, dnnl_s32);
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
    b->image_bytes = (size_t)(b->lines * b->columns * s->c);
    b->sum_bytes = (size_t)(b->rows * b->width * s->m) * sizeof(int32_t);
    return ok;
}

bool onednn_slab_make(const ConvShape *s, DType x, const int8_t *w, OnednnSlab *ret)
{
    OnednnTensor weights = onednn_weights(s, dnnl_s8, w, s->c / s->group);
    dnnl_primitive_desc_t desc = NULL;
    *ret = (OnednnSlab){.s = *s};
    cut_slab(ret);
    team_alone(1); /* each slab is one thread's */
    bool ok = describe_slab(x, ret, &desc) &&
              onednn_pack(&weights, wanted(desc, dnnl_query_weights_md), &ret->weights);
    team_alone(0);
    OnednnView scratch = ok ? wanted(desc, dnnl_query_scratchpad_md) : NULL;
    ret->scratch_bytes = scratch ? onednn()->dnnl_memory_desc_get_size(scratch) : 0;
    if (desc) /* what runs has one of its own, which it shares with others of its shape */
        onednn()->dnnl_primitive_desc_destroy(desc);
    return ok;
}

/* ---- running slabs ---- */

/* What a thread works in; the room is kept from convolution to convolution, the library's objects
 * around it are of one. */
typedef struct {
    uint8_t *image, *scratch;
    int32_t *sum;
    size_t image_bytes, sum_bytes, scratch_bytes;
    dnnl_memory_t given_memory, sum_memory, scratch_memory;
} Bench;

static Bench bench[TEAM_MOST];

static bool grow(void *buffer, size_t *have, size_t want)
{
    void *now;
    memcpy(&now, buffer, sizeof now);
    if (want <= *have && now)
        return true;
    const size_t line = 64;
    free(now);
    now = aligned_alloc(line, (want / line + 1) * line);
    memcpy(buffer, &now, sizeof now);
    *have = now ? want : 0;
    return now != NULL;
}

static bool make_room(Bench *w, const OnednnSlab *b)
{
    return grow(&w->image, &w->image_bytes, b->direct ? 1 : b->image_bytes) &&
           grow(&w->sum, &w->sum_bytes, b->sum_bytes) &&
           grow(&w->scratch, &w->scratch_bytes, b->scratch_bytes);
}

static bool describe_memory(OnednnView what, void *at, dnnl_memory_t *ret)
{
    return onednn()->dnnl_memory_create(ret, what, onednn()->engine, DNNL_MEMORY_NONE) ==
               dnnl_success &&
           (!at || onednn_point(*ret, at));
}

static bool lay_benches(const OnednnSlab *b)
{
    const_dnnl_primitive_desc_t desc;
    bool ok = onednn()->dnnl_primitive_get_primitive_desc(b->run, &desc) == dnnl_success;
    for (int i = 0; ok && i < team_size(); i++) {
        Bench *w = &bench[i];
        ok =
            make_room(w, b) &&
            describe_memory(ONEDNN_VIEW(b->image.desc), NULL, &w->given_memory) &&
            describe_memory(ONEDNN_VIEW(b->sums.desc), w->sum, &w->sum_memory) &&
            describe_memory(wanted(desc, dnnl_query_scratchpad_md), w->scratch, &w->scratch_memory);
    }
    return ok;
}

static void clear_benches(void)
{
    for (int i = 0; i < team_size(); i++) {
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
    OnednnSlab *b;
    const uint8_t *x;
    const int32_t *less;
    uint8_t zero;
    OnednnTake *take;
    void *user;
    int64_t slabs; /* of an image */
    bool failed[TEAM_MOST];
} SlabRun;

/* What a slab sees from line `top` on: the image, and around it its zero point. */
static void copy_lines(const SlabRun *r, int64_t image, int64_t top, uint8_t *to)
{
    const ConvShape *s = &r->b->s;
    const OnednnSlab *b = r->b;
    size_t line = (size_t)(b->columns * s->c), before = (size_t)(s->pw * s->c);
    int64_t columns = b->columns - s->pw < s->w ? b->columns - s->pw : s->w;
    size_t inside = (size_t)(columns > 0 ? columns * s->c : 0);
    for (int64_t i = 0; i < b->lines; i++, to += line) {
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

static void run_slab(void *user, int64_t i, int thread)
{
    SlabRun *r = user;
    const ConvShape *s = &r->b->s;
    OnednnSlab *b = r->b;
    Bench *w = &bench[thread];
    int64_t image = i / r->slabs, wanted = i % r->slabs * b->rows;
    /* All slabs are alike: the last one begins among the rows of the one before. */
    int64_t first = wanted + b->rows > b->in_all ? b->in_all - b->rows : wanted;
    int64_t again = wanted - first;
    const uint8_t *x =
        b->pixels ? r->x + first * s->c : r->x + (image * s->h + first * s->sh) * s->w * s->c;
    if (!b->direct) {
        copy_lines(r, image, first * s->sh - s->ph, w->image);
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
        r->take(r->user, (image * b->in_all + wanted) * b->width, (b->rows - again) * b->width,
                w->sum + again * b->width * s->m, r->less);
    else
        r->failed[thread] = true;
}

bool onednn_slab_run(OnednnSlab *b, const uint8_t *x, uint8_t zero, const int32_t *less,
                     OnednnTake *take, void *user)
{
    SlabRun r = {.b = b, .x = x, .less = less, .zero = zero, .take = take, .user = user};
    bool ok = lay_benches(b);
    r.slabs = (b->in_all + b->rows - 1) / b->rows;
    if (ok)
        team_run(b->images * r.slabs, run_slab, &r);
    for (int i = 0; i < team_size(); i++)
        ok &= !r.failed[i];
    clear_benches();
    return ok;
}

#endif

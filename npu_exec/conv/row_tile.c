/* Computes tiles of rows and the working memory of each thread. */
#include "npu_exec/conv/row_tile.h"

#include "npu_exec/conv/thread_pool.h"

#include <stdlib.h>

int64_t row_tile_input_extent(int64_t out, int64_t stride, int64_t kernel, int64_t dilation)
{
    return (out - 1) * stride + (kernel - 1) * dilation + 1;
}

/* Rows or columns of the image, pads before it included, that all windows see; those that are
 * there where windows of that number fit as well. */
static int64_t extent_seen(int64_t there, int64_t before, int64_t out, int64_t stride,
                           int64_t kernel, int64_t dilation)
{
    int64_t reached = row_tile_input_extent(out, stride, kernel, dilation), whole = there + before;
    bool fits = whole >= reached && (whole - (kernel - 1) * dilation - 1) / stride + 1 == out;
    return fits ? whole : reached;
}

/* Rows of at most `most` and at least half as many, so that threads end together. */
static int64_t even_rows(const RowTiling *c, int64_t most)
{
    int64_t team = thread_pool_size(), best = most, least = INT64_MAX;
    for (int64_t rows = most; rows >= (most + 1) / 2; rows--) {
        int64_t slabs = c->images * ((c->in_all + rows - 1) / rows);
        int64_t time = (slabs + team - 1) / team * rows;
        if (time < least) {
            least = time;
            best = rows;
        }
    }
    return best;
}

RowTiling row_tile_plan(const ConvShape *s)
{
    bool pixels = s->kh == 1 && s->kw == 1 && s->sh == 1 && s->sw == 1 && s->ph == 0 &&
                  s->pw == 0 && s->oh == s->h && s->ow == s->w;
    const int64_t near = 1 << 17; /* bytes that stay in the second cache with what is around */
    RowTiling c = {.pixels = pixels,
                   .images = pixels ? 1 : s->n,
                   .in_all = pixels ? s->n * s->oh * s->ow : s->oh,
                   .width = pixels ? 1 : s->ow};
    int64_t row = c.width * s->m * (int64_t)sizeof(int32_t), slabs = c.in_all * row / near + 1;
    int64_t least = (thread_pool_size() + c.images - 1) / c.images;
    slabs = slabs < least ? least : slabs > c.in_all ? c.in_all : slabs;
    c.rows = even_rows(&c, slabs > c.in_all ? 1 : (c.in_all + slabs - 1) / slabs);
    c.columns = pixels ? c.rows : extent_seen(s->w, s->pw, s->ow, s->sw, s->kw, s->dw);
    c.lines = pixels ? 1 : row_tile_input_extent(c.rows, s->sh, s->kh, s->dh);
    return c;
}

static int64_t slabs_of_image(const RowTiling *c)
{
    return (c->in_all + c->rows - 1) / c->rows;
}

int64_t row_tile_count(const RowTiling *c)
{
    return c->images * slabs_of_image(c);
}

RowTile row_tile_at(const RowTiling *c, int64_t i)
{
    int64_t wanted = i % slabs_of_image(c) * c->rows;
    int64_t first = wanted + c->rows > c->in_all ? c->in_all - c->rows : wanted;
    return (RowTile){.image = i / slabs_of_image(c), .first = first, .again = wanted - first};
}

int64_t row_tile_first_pixel(const RowTiling *c, const RowTile *s)
{
    return (s->image * c->in_all + s->first + s->again) * c->width;
}

int64_t row_tile_pixels(const RowTiling *c, const RowTile *s)
{
    return (c->rows - s->again) * c->width;
}

typedef struct {
    void *at;
    size_t bytes;
} Room;

static Room rooms[THREAD_POOL_MAX][ROW_TILE_BUFFERS];

void *row_tile_buffer(int thread, RowTileBuffer which, size_t bytes)
{
    const size_t line = 64;
    Room *r = &rooms[thread][which];
    if (bytes <= r->bytes && r->at)
        return r->at;
    free(r->at);
    r->at = aligned_alloc(line, (bytes / line + 1) * line);
    r->bytes = r->at ? bytes : 0;
    return r->at;
}

/* Computes tiles of rows, and keeps their working memory. */
#include "npu_exec/conv/row_tile.h"
#include "npu_exec/sim/vectorise.h"

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

RowTiling row_tile_plan(const ConvShape *s)
{
    bool pixels = s->kh == 1 && s->kw == 1 && s->sh == 1 && s->sw == 1 && s->ph == 0 &&
                  s->pw == 0 && s->oh == s->h && s->ow == s->w;
    const int64_t most = 1 << 18; /* bytes of sums: they fit a cache, and threads seldom wait */
    RowTiling c = {.pixels = pixels,
                   .images = pixels ? 1 : s->n,
                   .in_all = pixels ? s->n * s->oh * s->ow : s->oh,
                   .width = pixels ? 1 : s->ow};
    int64_t row = c.width * s->m * (int64_t)sizeof(int32_t), tiles = c.in_all * row / most + 1;
    c.rows = tiles > c.in_all ? 1 : (c.in_all + tiles - 1) / tiles;
    c.columns = pixels ? c.rows : extent_seen(s->w, s->pw, s->ow, s->sw, s->kw, s->dw);
    c.lines = pixels ? 1 : row_tile_input_extent(c.rows, s->sh, s->kh, s->dh);
    return c;
}

static int64_t tiles_of_image(const RowTiling *c)
{
    return (c->in_all + c->rows - 1) / c->rows;
}

int64_t row_tile_count(const RowTiling *c)
{
    return c->images * tiles_of_image(c);
}

RowTile row_tile_at(const RowTiling *c, int64_t i)
{
    int64_t wanted = i % tiles_of_image(c) * c->rows;
    int64_t first = wanted + c->rows > c->in_all ? c->in_all - c->rows : wanted;
    return (RowTile){.image = i / tiles_of_image(c), .first = first, .again = wanted - first};
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
} Buffer;

void *row_tile_buffer(RowTileBuffer which, size_t bytes)
{
    static Buffer kept[ROW_TILE_BUFFERS];
    const size_t line = 64;
    Buffer *r = &kept[which];
    if (bytes <= r->bytes && r->at)
        return r->at;
    free(r->at);
    r->at = aligned_alloc(line, (bytes / line + 1) * line);
    r->bytes = r->at ? bytes : 0;
    return r->at;
}

LOOP row_tile_copy_loop(const uint8_t *restrict x, uint8_t flip, uint8_t *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] ^ flip;
}
VECTORISED(row_tile_copy, (const uint8_t *x, uint8_t flip, uint8_t *y, size_t n), (x, flip, y, n))

LOOP row_tile_add_sums_loop(const int32_t *restrict more, int32_t *restrict sum, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += more[i];
}
VECTORISED(row_tile_add_sums, (const int32_t *more, int32_t *sum, size_t n), (more, sum, n))

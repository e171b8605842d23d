/* Computes into which parts an input image could be split, and how large they would be. */
#include "passes/pass.h"
#include "passes/pixels.h"
#include "passes/receptive_field.h"

/* Rows and columns of parts that are worth trying: wide parts first, since they keep whole rows. */
static const struct {
    int64_t rows, columns;
} grid[] = {{2, 1}, {4, 1}, {2, 2}, {3, 3}, {4, 4}};
enum { GRIDS = sizeof grid / sizeof *grid };

#define PATCH_SIDE_MAX (INT64_C(1) << 30) /* no image is larger; lengths of parts are numbers */

static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t x = a, y = b;
    while (y) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    assert(x > 0 && a % x == 0);
    return a / x * b;
}

/* Length of each of `parts` parts of `whole` pixels, including the pixels that it reads of its
 * neighbours; the whole when that is no shorter. */
static int64_t part_length(int64_t whole, int64_t parts, int64_t halo, int64_t granule,
                           int64_t multiple)
{
    if (parts == 1)
        return whole;
    int64_t core = i64_round_up((whole + parts - 1) / parts, granule);
    int64_t length =
        i64_round_up(core + 2 * i64_round_up(halo, granule), common_multiple(granule, multiple));
    return length < whole ? length : whole;
}

/* "544x640*4": height, width and how many; "" when parts of the grid are no smaller. */
static const char *patch_text(Arena *a, const Program *p, const ReceptiveField *f, const Pixels *px,
                              size_t i)
{
    int64_t h = part_length(px->h, grid[i].rows, f->halo[0], f->granule[0], 1);
    int64_t w =
        part_length(px->w, grid[i].columns, f->halo[1], f->granule[1], p->machine->width_multiple);
    bool smaller = (grid[i].rows == 1 || h < px->h) && (grid[i].columns == 1 || w < px->w);
    return smaller ? arena_printf(a, "%" PRId64 "x%" PRId64 "*%" PRId64, h, w,
                                  grid[i].rows * grid[i].columns)
                   : "";
}

static void add_patches(const PassInput *in, FindingList *out, const Pixels *px)
{
    const Program *p = in->program;
    const Graph *g = p->model->graph;
    ReceptiveField f = receptive_field(out->arena, g, g->input[0]);
    Finding *x = finding_add(out, "patches");
    x->tensor = g->input[0];
    finding_int(out, x, "index", 0);
    finding_text(out, x, "local", f.local ? "yes" : "no");
    finding_text(out, x, "why-not", f.why_not);
    finding_int(out, x, "height", px->h);
    finding_int(out, x, "width", px->w);
    finding_int(out, x, "halo-rows", f.halo[0]);
    finding_int(out, x, "halo-columns", f.halo[1]);
    for (size_t i = 0; i < GRIDS; i++)
        finding_text(out, x, arena_printf(out->arena, "grid-%zu", i + 1),
                     f.local ? patch_text(out->arena, p, &f, px, i) : "");
}

/* With several inputs, it is unknown which part of one belongs to which of another. */
void pass_patches(const PassInput *in, FindingList *out)
{
    const Graph *g = in->program->model->graph;
    if (g->ninput != 1)
        return;
    const Shape *s = &g->tensor[g->input[0]].shape;
    Pixels px = pixels_of(s, pixels_input_layout(g, g->input[0]));
    if (px.h > 0 && px.w > 0 && px.h < PATCH_SIDE_MAX && px.w < PATCH_SIDE_MAX)
        add_patches(in, out, &px);
}

/* Computes sizes of plain, padded and lowered layouts with saturating arithmetic. */
#include "graph/compile/layout.h"

enum { HEIGHT_PARTS = 8, IN_PARTS_MAX = 8 << 20 };

int64_t layout_size_mul(int64_t a, int64_t b)
{
    int64_t r;
    return __builtin_mul_overflow(a, b, &r) || r > SIZE_CAP ? SIZE_CAP : r;
}

int64_t layout_size_add(int64_t a, int64_t b)
{
    int64_t r;
    return __builtin_add_overflow(a, b, &r) || r > SIZE_CAP ? SIZE_CAP : r;
}

int64_t layout_elements(const Geometry *g)
{
    return layout_size_mul(layout_size_mul(g->n, g->c), layout_size_mul(g->h, g->w));
}

void layout_letters(const Shape *s, char letter[LETTERS_MAX])
{
    int rank = s->rank < LETTERS_MAX ? s->rank : LETTERS_MAX;
    for (int i = 0; i < rank; i++)
        letter[i] = i == 0 ? 'N' : i == rank - 1 ? 'W' : i == rank - 2 ? 'H' : 'C';
    if (rank == 1)
        letter[0] = 'C';
    /* (N,A,B) takes the smaller of C,W and H,W: A over all slices is never larger. */
    if (rank == 2 || rank == 3)
        letter[1] = 'C';
}

void layout_has_free_letters(const Shape *s, int64_t images, char letter[LETTERS_MAX])
{
    layout_letters(s, letter);
    if (s->rank < 2 || s->dim[0].value == images || s->dim[0].value == 1)
        return;
    letter[0] = 'C';
    if (s->rank == 2)
        letter[1] = 'W';
}

Geometry layout_geometry(const Shape *s, const char *letter, int64_t images)
{
    Geometry g = {1, 1, 1, 1};
    for (int i = 0; i < s->rank; i++) {
        int64_t d = s->dim[i].value;
        switch (letter[i]) {
        case 'N':
            g.n = layout_size_mul(g.n, d);
            break;
        case 'C':
            g.c = layout_size_mul(g.c, d);
            break;
        case 'H':
            g.h = layout_size_mul(g.h, d);
            break;
        default:
            g.w = layout_size_mul(g.w, d);
            break;
        }
    }
    g.n = layout_size_mul(g.n, images);
    return g;
}

int64_t layout_padded_width(const Machine *m, int64_t w)
{
    return layout_size_mul(i64_ceil_div(w, m->width_multiple), m->width_multiple);
}

int64_t layout_padded_bytes(const Machine *m, const Geometry *g)
{
    return layout_size_mul(layout_size_mul(g->n, g->c),
                           layout_size_mul(g->h, layout_padded_width(m, g->w)));
}

static Lowered lower_in(const Machine *m, int slices, int ho, const Geometry *g)
{
    Lowered l = {.ho = ho, .co = slices / ho, .w_padded = layout_padded_width(m, g->w)};
    l.hi = i64_ceil_div(g->h, l.ho);
    l.ci = i64_ceil_div(g->c, l.co);
    l.bytes = layout_size_mul(layout_size_mul(g->n, slices),
                              layout_size_mul(layout_size_mul(l.hi, l.ci), l.w_padded));
    return l;
}

int layout_height_parts(int slices)
{
    int parts = HEIGHT_PARTS;
    while (slices % parts)
        parts /= 2;
    return parts;
}

Lowered layout_lower(const Machine *m, int pe, const Geometry *g)
{
    int slices = m->slices_per_pe * pe, parts = layout_height_parts(slices);
    Lowered l = lower_in(m, slices, g->c < slices && g->h >= parts ? parts : 1, g);
    if (g->n < 1 || l.bytes / g->n <= IN_PARTS_MAX)
        return l;
    for (int ho = 1; slices % ho == 0; ho *= 2) {
        Lowered other = lower_in(m, slices, ho, g);
        if (other.bytes < l.bytes)
            l = other;
    }
    return l;
}

int64_t layout_sram_bytes(const Machine *m, int pe)
{
    return layout_size_mul(layout_size_mul(m->sram_slice_bytes, m->slices_per_pe), pe);
}

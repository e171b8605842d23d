/* Parses an equation into letters per axis and expands the ellipsis. */
#include "graph/infer/einsum.h"

int einsum_letter(char ch)
{
    if (ch >= 'A' && ch <= 'Z')
        return ch - 'A';
    return ch >= 'a' && ch <= 'z' ? ch - 'a' + 26 : -1;
}

static Dim take_better(void *user, Dim a, Dim b)
{
    (void)user;
    return a.value != DIM_UNKNOWN ? a : b;
}

typedef struct {
    Einsum *e;
    EinsumMerge merge;
    void *user;
} Reader;

static void see_letter(Reader *r, int k, Dim d)
{
    Dim *known = &r->e->letter[k];
    *known = r->e->letter_uses[k]++ ? r->merge(r->user, *known, d) : d;
}

/* Dimensions under "...": broadcast, so that 1 gives way. */
static void see_ellipsis(Reader *r, const Dim *dim, int count)
{
    for (int i = 0; i < count; i++) {
        Dim d = dim[count - 1 - i], *known = &r->e->ellipsis[i];
        if (i >= r->e->ellipsis_rank || known->value == 1)
            *known = d;
        else if (d.value != 1)
            *known = r->merge(r->user, *known, d);
    }
    if (count > r->e->ellipsis_rank)
        r->e->ellipsis_rank = count;
}

/* One term, up to a comma or the arrow, against one shape. */
static bool read_term(Reader *r, const char *term, size_t len, const Shape *s)
{
    int letters = 0, axis = 0;
    bool dots = false;
    for (size_t i = 0; i < len; i++) {
        letters += einsum_letter(term[i]) >= 0;
        dots = dots || term[i] == '.';
    }
    int under_dots = s->rank - letters;
    if (under_dots < 0 || under_dots > EINSUM_ELLIPSIS_RANK || (under_dots > 0 && !dots))
        return false;
    for (size_t i = 0; i < len; i++) {
        int k = einsum_letter(term[i]);
        if (k >= 0) {
            see_letter(r, k, s->dim[axis++]);
        } else if (term[i] == '.' && dots) {
            see_ellipsis(r, s->dim + axis, under_dots);
            axis += under_dots;
            dots = false; /* the other two points */
        }
    }
    return true;
}

bool einsum_read(const Graph *g, const Node *n, EinsumMerge merge, void *user, Einsum *ret)
{
    const char *at = node_attr_string(n, "equation", "");
    Reader r = {ret, merge ? merge : take_better, user};
    *ret = (Einsum){.output = strstr(at, "->")};
    if (ret->output)
        ret->output += 2;
    for (uint32_t k = 0; k < n->ninput; k++) {
        const Tensor *t = node_input(g, n, k);
        size_t len = strcspn(at, ",-");
        if (!t || t->shape.rank == RANK_UNKNOWN || !read_term(&r, at, len, &t->shape))
            return false;
        at += len;
        if ((*at == ',') != (k + 1 < n->ninput)) /* a term for each input, no more */
            return false;
        at += *at == ',';
    }
    return true;
}

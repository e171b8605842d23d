/* Reads lists of numbers that are given as an attribute or as an input. */
#include "graph/infer/fold.h"

static List list_of_attr(InferContext *c, const Attr *a)
{
    List l = {.given = true};
    size_t n = a->type == ATTR_INT || a->type == ATTR_FLOAT ? 1 : a->count;
    Element *e = n <= FOLD_MAX_ELEMENTS ? infer_scratch(c, (int64_t)n) : NULL;
    if (!e)
        return l;
    for (size_t i = 0; i < n; i++) {
        e[i].known = true;
        if (a->type == ATTR_INTS || a->type == ATTR_INT)
            e[i].f = (double)(e[i].i = a->type == ATTR_INT ? a->i : a->ints[i]);
        else
            e[i].f = a->type == ATTR_FLOAT ? a->f : (double)a->floats[i];
    }
    l.known = true;
    l.n = (int64_t)n;
    l.e = e;
    return l;
}

List infer_list(InferContext *c, const char *attr, int input)
{
    const Attr *a = attr ? node_attr(c->node, attr) : NULL;
    if (a && (a->type == ATTR_INTS || a->type == ATTR_FLOATS || a->type == ATTR_INT ||
              a->type == ATTR_FLOAT))
        return list_of_attr(c, a);
    if (input < 0 || !infer_has(c, (uint32_t)input))
        return (List){0};
    FoldValue v;
    if (!infer_value_load(c, (uint32_t)input, &v))
        return (List){.given = true};
    return (List){.given = true, .known = true, .n = v.n, .e = v.e};
}

bool list_int(const List *l, int64_t index, int64_t *ret)
{
    if (!l->known || index < 0 || index >= l->n || !l->e[index].known)
        return false;
    *ret = l->e[index].i;
    return true;
}

bool list_real(const List *l, int64_t index, double *ret)
{
    if (!l->known || index < 0 || index >= l->n || !l->e[index].known)
        return false;
    *ret = l->e[index].f;
    return true;
}

Dim list_size(const List *l, int64_t index)
{
    int64_t v;
    return dim_of(list_int(l, index, &v) ? v : DIM_UNKNOWN);
}

Dim list_dim(const List *l, int64_t index)
{
    if (!l->known || index < 0 || index >= l->n)
        return dim_of(DIM_UNKNOWN);
    const Element *e = &l->e[index];
    return e->known ? dim_of(e->i) : (Dim){DIM_UNKNOWN, e->symbol, e->most};
}

bool list_is_complete(const List *l)
{
    return l->known && LIST_ALL(i, l->n, l->e[i].known);
}

bool infer_scalar(InferContext *c, const char *attr, int input, int64_t fallback, int64_t *ret)
{
    List l = infer_list(c, attr, input);
    if (!l.given)
        *ret = fallback;
    return !l.given || list_int(&l, 0, ret);
}

/* Propagates constants through Clip, Where and Cast. */
#include "graph/infer/fold.h"

/* A limit of Clip; true when there is none, or it is known. */
static bool read_clip_limit(InferContext *c, const char *attr, int input, double none, double *ret)
{
    List l = infer_list(c, attr, input);
    *ret = none;
    return !l.given || list_real(&l, 0, ret);
}

void fold_clip(InferContext *c)
{
    double lo, hi;
    Folding f;
    if (!read_clip_limit(c, "min", 1, -INFINITY, &lo) ||
        !read_clip_limit(c, "max", 2, INFINITY, &hi) || !fold_begin(c, &f) || f.n != f.in.n)
        return;
    for (int64_t i = 0; i < f.n; i++) {
        const Element *e = &f.in.e[i];
        if (!e->known || !element_is_exact(e))
            continue;
        double y = e->f < lo ? lo : e->f;
        y = y > hi ? hi : y;
        if (dtype_is_float(f.in.dtype))
            f.out[i] = element_real(f.in.dtype, y);
        else if (y > -0x1p63 && y < 0x1p63)
            f.out[i] = element_integer((int64_t)y);
    }
    fold_value_store(c, 0, f.out, f.n);
}

static bool is_same(const Element *a, const Element *b)
{
    if (a->known || b->known)
        return a->known && b->known && a->i == b->i && a->f == b->f;
    return a->symbol && a->symbol == b->symbol && a->most == b->most;
}

void fold_where(InferContext *c)
{
    Folding f;
    FoldValue x, y;
    if (!fold_begin(c, &f) || !infer_value_load(c, 1, &x) || !infer_value_load(c, 2, &y) ||
        !fold_broadcast_fits(&f.in.shape, f.shape) || !fold_broadcast_fits(&x.shape, f.shape) ||
        !fold_broadcast_fits(&y.shape, f.shape))
        return;
    for (int64_t i = 0; i < f.n; i++) {
        const Element *a = &x.e[fold_broadcast_index(&x.shape, f.shape, i)];
        const Element *b = &y.e[fold_broadcast_index(&y.shape, f.shape, i)];
        const Element *k = &f.in.e[fold_broadcast_index(&f.in.shape, f.shape, i)];
        if (k->known)
            f.out[i] = k->i ? *a : *b;
        else if (is_same(a, b))
            f.out[i] = *a;
    }
    fold_value_store(c, 0, f.out, f.n);
}

static Element cast_element(const Element *e, DType from, DType to)
{
    if (!e->known)
        return *e; /* a symbol stays one: it is not negative, and small */
    if (to == DT_BOOL)
        return element_integer(dtype_is_float(from) ? e->f != 0 : e->i != 0);
    if (dtype_is_float(to))
        return element_real(to, e->f);
    if (dtype_is_float(from) && !(fabs(e->f) < 0x1p62))
        return (Element){0};
    return element_integer(e->i);
}

void fold_cast(InferContext *c)
{
    const Tensor *result = node_output(c->graph, c->node, 0);
    Folding f;
    bool numeric = result && (dtype_is_float(result->dtype) || dtype_is_integer(result->dtype) ||
                              result->dtype == DT_BOOL);
    if (!numeric || !fold_begin(c, &f) || f.n != f.in.n)
        return;
    for (int64_t i = 0; i < f.n; i++)
        f.out[i] = cast_element(&f.in.e[i], f.in.dtype, result->dtype);
    fold_value_store(c, 0, f.out, f.n);
}

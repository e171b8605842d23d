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
    FoldValue v;
    int64_t n;
    Element *out;
    if (!read_clip_limit(c, "min", 1, -INFINITY, &lo) ||
        !read_clip_limit(c, "max", 2, INFINITY, &hi) || !infer_value_load(c, 0, &v) ||
        !(out = fold_value_new(c, 0, &n)) || n != v.n)
        return;
    for (int64_t i = 0; i < n; i++) {
        if (!v.e[i].known || !element_is_exact(&v.e[i]))
            continue;
        double y = v.e[i].f < lo ? lo : v.e[i].f;
        y = y > hi ? hi : y;
        if (dtype_is_float(v.dtype))
            out[i] = element_real(v.dtype, y);
        else if (y > -0x1p63 && y < 0x1p63)
            out[i] = element_integer((int64_t)y);
    }
    fold_value_store(c, 0, out, n);
}

static bool is_same(const Element *a, const Element *b)
{
    if (a->known || b->known)
        return a->known && b->known && a->i == b->i && a->f == b->f;
    return a->symbol && a->symbol == b->symbol && a->most == b->most;
}

void fold_where(InferContext *c)
{
    const Tensor *result = node_output(c->graph, c->node, 0);
    FoldValue condition, x, y;
    int64_t n;
    Element *out;
    if (!infer_value_load(c, 0, &condition) || !infer_value_load(c, 1, &x) ||
        !infer_value_load(c, 2, &y) || !(out = fold_value_new(c, 0, &n)) ||
        !fold_broadcast_fits(&condition.shape, &result->shape) ||
        !fold_broadcast_fits(&x.shape, &result->shape) ||
        !fold_broadcast_fits(&y.shape, &result->shape))
        return;
    for (int64_t i = 0; i < n; i++) {
        const Element *a = &x.e[fold_broadcast_index(&x.shape, &result->shape, i)];
        const Element *b = &y.e[fold_broadcast_index(&y.shape, &result->shape, i)];
        const Element *k = &condition.e[fold_broadcast_index(&condition.shape, &result->shape, i)];
        if (k->known)
            out[i] = k->i ? *a : *b;
        else if (is_same(a, b))
            out[i] = *a;
    }
    fold_value_store(c, 0, out, n);
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
    FoldValue v;
    int64_t n;
    Element *out;
    bool numeric = result && (dtype_is_float(result->dtype) || dtype_is_integer(result->dtype) ||
                              result->dtype == DT_BOOL);
    if (!numeric || !infer_value_load(c, 0, &v) || !(out = fold_value_new(c, 0, &n)) || n != v.n)
        return;
    for (int64_t i = 0; i < n; i++)
        out[i] = cast_element(&v.e[i], v.dtype, result->dtype);
    fold_value_store(c, 0, out, n);
}

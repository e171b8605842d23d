/* Reads, keeps and writes the values of constant propagation.
 *
 * Two kinds of value exist.  A constant is Tensor.value, bytes of the file or of the arena; it may
 * be large.  A partial value has unknown elements, say [N, 3, 640, 640]; it is small, lives
 * as long as the run, and only shapes are made of it. */
#include "graph/infer/fold.h"

#include "graph/base/limits.h"

Element *infer_scratch(InferContext *c, int64_t n)
{
    InferRun *run = c->run;
    size_t all = FOLD_SCRATCH_VALUES * (size_t)run->fold_max;
    assert(run->scratch_used <= all);
    if (n < 0 || (size_t)n > all - run->scratch_used)
        return NULL;
    if (!run->scratch)
        run->scratch = limits_alloc(all * sizeof *run->scratch);
    Element *e = run->scratch + run->scratch_used;
    run->scratch_used += (size_t)n;
    memset(e, 0, (size_t)n * sizeof *e);
    return e;
}

bool fold_value_is_small(const InferContext *c, const Shape *s)
{
    int64_t n = 1;
    if (!shape_is_known(s))
        return false;
    for (int32_t i = 0; i < s->rank; i++) {
        int64_t d = s->dim[i].value > 0 ? s->dim[i].value : 1;
        if (d > c->run->fold_max / n)
            return false;
        n *= d;
    }
    return true;
}

/* ---- reading ---- */

static bool read_element(const Const *k, int64_t i, Element *ret)
{
    ret->known = dtype_is_float(k->dtype) ? const_float(k, i, &ret->f) : const_int(k, i, &ret->i);
    if (!ret->known)
        return false;
    if (dtype_is_float(k->dtype))
        ret->i = fabs(ret->f) < 0x1p62 ? (int64_t)ret->f : 0;
    else
        ret->f = (double)ret->i;
    return true;
}

static bool load_constant(InferContext *c, const Const *k, const Shape *shape, FoldValue *ret)
{
    if (!k->data || !fold_value_is_small(c, shape) || shape_elements(shape) != k->nelem)
        return false;
    Element *e = infer_scratch(c, k->nelem);
    if (!e)
        return false;
    if (LIST_ANY(i, k->nelem, !read_element(k, i, &e[i])))
        return false;
    *ret = (FoldValue){k->dtype, *shape, k->nelem, e};
    return true;
}

bool infer_value_load(InferContext *c, uint32_t input, FoldValue *ret)
{
    const Tensor *t = infer_input(c, input);
    if (!t)
        return false;
    if (t->value)
        return load_constant(c, t->value, &t->shape, ret);
    const FoldValue *partial = c->partial[c->node->input[input]];
    if (!partial)
        return false;
    Element *e = infer_scratch(c, partial->n);
    if (!e)
        return false;
    for (int64_t i = 0; i < partial->n; i++) {
        e[i] = partial->e[i];
        Dim d = symbols_resolve(&c->run->symbols, (Dim){DIM_UNKNOWN, e[i].symbol, 0});
        if (!e[i].known && dim_known(d))
            e[i] = element_integer(d.value);
        else if (!e[i].known)
            e[i].symbol = d.symbol;
    }
    *ret = (FoldValue){partial->dtype, partial->shape, partial->n, e};
    return true;
}

/* ---- writing ---- */

Element *fold_value_new(InferContext *c, uint32_t index, int64_t *ret_n)
{
    const Tensor *out = node_output(c->graph, c->node, index);
    if (!out || !fold_value_is_small(c, &out->shape))
        return NULL;
    *ret_n = shape_elements(&out->shape);
    return infer_scratch(c, *ret_n);
}

bool fold_begin(InferContext *c, Folding *ret)
{
    if (!infer_value_load(c, 0, &ret->in) || !(ret->out = fold_value_new(c, 0, &ret->n)))
        return false;
    ret->shape = &node_output(c->graph, c->node, 0)->shape;
    return true;
}

/* Smallest and largest value of an integer type. */
static bool fits_type(DType t, int64_t v)
{
    int bits = dtype_bits(t);
    if (t == DT_INT64 || t == DT_UINT64)
        return t == DT_INT64 || v >= 0;
    bool is_signed = t == DT_INT8 || t == DT_INT16 || t == DT_INT32;
    int64_t hi = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1;
    return v <= hi && v >= (is_signed ? -hi - 1 : 0);
}

static bool write_element(uint8_t *to, DType t, const Element *e)
{
    float single = (float)e->f;
    if (t == DT_FLOAT32)
        memcpy(to, &single, sizeof single);
    else if (t == DT_FLOAT64)
        memcpy(to, &e->f, sizeof e->f);
    else if (t == DT_BOOL)
        to[0] = e->i != 0;
    else if (fits_type(t, e->i))
        for (int b = 0; b < (dtype_bits(t) / 8); b++)
            to[b] = (uint8_t)((uint64_t)e->i >> (8 * b));
    else
        return false;
    return true;
}

/* Types whose elements can be written one by one; smaller ones stay constant without a value. */
static bool is_writable(DType t)
{
    return t == DT_FLOAT32 || t == DT_FLOAT64 || t == DT_BOOL ||
           (dtype_is_integer(t) && dtype_bits(t) >= 8);
}

static const Const *to_constant(InferContext *c, DType t, const Element *e, int64_t n)
{
    if (!is_writable(t))
        return NULL;
    size_t width = (size_t)dtype_bits(t) / 8;
    assert(width > 0);
    uint8_t *data = arena_calloc(c->run->arena, (size_t)n + 1, width);
    if (LIST_ANY(i, n, !e[i].known || !write_element(data + (size_t)i * width, t, &e[i])))
        return NULL;
    Const *k = ARENA_NEW(c->run->arena, Const);
    *k = (Const){.dtype = t, .nelem = n, .nbyte = (size_t)n * width, .data = data};
    return k;
}

static const FoldValue *to_partial(InferContext *c, DType t, const Shape *shape, const Element *e,
                                   int64_t n)
{
    Element *kept = ARENA_ARRAY(c->run->arena, Element, (size_t)n + 1);
    memcpy(kept, e, (size_t)n * sizeof *e);
    FoldValue *v = ARENA_NEW(c->run->arena, FoldValue);
    *v = (FoldValue){t, *shape, n, kept};
    return v;
}

void fold_value_store(InferContext *c, uint32_t index, const Element *e, int64_t n)
{
    const Tensor *out = node_output(c->graph, c->node, index);
    if (!out || n < 0 || shape_elements(&out->shape) != n || n > c->run->fold_budget)
        return;
    bool all = true, any = n == 0;
    for (int64_t i = 0; i < n; i++) {
        all = all && e[i].known;
        any = any || e[i].known || e[i].symbol || e[i].most;
    }
    if (!any)
        return;
    c->run->fold_budget -= n;
    assert(c->run->fold_budget >= 0);
    if (all)
        infer_set_value(c, index, to_constant(c, out->dtype, e, n));
    else
        c->partial[c->node->output[index]] = to_partial(c, out->dtype, &out->shape, e, n);
}

void fold_never(InferContext *c)
{
    (void)c;
}

Element element_integer(int64_t v)
{
    return (Element){.known = true, .i = v, .f = (double)v};
}

Element element_real(DType t, double v)
{
    v = t == DT_FLOAT32 ? (double)(float)v : v;
    return (Element){.known = true, .i = fabs(v) < 0x1p62 ? (int64_t)v : 0, .f = v};
}

/* Multiplies matrices (MatMul, Gemm and their integer forms), panel by panel. */
#include "npu_exec/values/kernels.h"
#include "npu_exec/values/product.h"

/* One product [m, k] x [k, n]; element (i, j) of a lies at i * a_row + j * a_col. */
typedef struct {
    int64_t m, k, n, a_row, a_col, b_row, b_col;
} Shape2;

/* Operands as floats, or as bytes less their zero points. */
typedef struct {
    const float *a, *b;
    const Value *qa, *qb;
    int32_t zero_a;
    const int32_t *zero_b; /* one, or one per column */
    int64_t nzero;
} Operands;

/* Sums of rows 0 … m of a panel of columns. */
typedef void Finish(void *user, int64_t row, int64_t first, int64_t count, const float *sum,
                    const int32_t *isum);

static void pack_rows(const Shape2 *s, const Operands *o, int64_t at, float *fa, int16_t *ia)
{
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t k = 0; k < s->k; k++) {
            int64_t from = at + i * s->a_row + k * s->a_col;
            if (o->qa)
                ia[i * s->k + k] = (int16_t)(value_byte(o->qa, from) - o->zero_a);
            else
                fa[i * s->k + k] = o->a[from];
        }
}

static void pack_panel(const Shape2 *s, const Operands *o, int64_t at, int64_t first,
                       float (*fb)[PANEL], int16_t (*ib)[PANEL])
{
    for (int64_t k = 0; k < s->k; k++)
        for (int64_t j = 0; j < PANEL; j++) {
            bool inside = first + j < s->n;
            int64_t from = at + k * s->b_row + (first + j) * s->b_col;
            if (o->qb)
                ib[k][j] = inside ? (int16_t)(value_byte(o->qb, from) -
                                              o->zero_b[o->nzero > 1 ? first + j : 0])
                                  : 0;
            else
                fb[k][j] = inside ? o->b[from] : 0;
        }
}

static void multiply_panels(const Shape2 *s, const Operands *o, int64_t at_a, int64_t at_b,
                            Finish *finish, void *user)
{
    size_t rows = (size_t)(s->m * s->k) + 1, depth = (size_t)s->k;
    Arena *a = arena_new(SIZE_MAX);
    float *fa = o->qa ? NULL : ARENA_ARRAY(a, float, rows);
    int16_t *ia = o->qa ? ARENA_ARRAY(a, int16_t, rows) : NULL;
    float(*fb)[PANEL] = arena_calloc(a, depth + 1, PANEL * sizeof(float));
    int16_t(*ib)[PANEL] = arena_calloc(a, depth + 1, PANEL * sizeof(int16_t));
    float(*sum)[PANEL] = arena_calloc(a, (size_t)s->m + 1, PANEL * sizeof(float));
    int32_t(*isum)[PANEL] = arena_calloc(a, (size_t)s->m + 1, PANEL * sizeof(int32_t));
    pack_rows(s, o, at_a, fa, ia);
    for (int64_t first = 0; first < s->n; first += PANEL) {
        pack_panel(s, o, at_b, first, fb, ib);
        if (o->qa)
            product_int(ia, depth, (size_t)s->m, (const int16_t(*)[PANEL])ib, depth, isum);
        else
            product_float(fa, depth, (size_t)s->m, (const float(*)[PANEL])fb, depth, sum);
        int64_t count = s->n - first < PANEL ? s->n - first : PANEL;
        for (int64_t i = 0; i < s->m; i++)
            finish(user, i, first, count, sum[i], isum[i]);
    }
    arena_free(a);
}

/* ---- the stack of products of a MatMul ---- */

typedef struct {
    Shape2 s;
    Value lead; /* the leading dimensions of the output */
    int64_t stride_a[VALUE_MAX_RANK], stride_b[VALUE_MAX_RANK]; /* in matrices */
} Stack;

/* Leading dimensions of an operand as a separate shape. */
static Value leading_dims(const Value *v)
{
    Value lead = {.rank = v->rank > 2 ? v->rank - 2 : 0, .count = 1};
    for (int32_t i = 0; i < lead.rank; i++)
        lead.dim[i] = v->dim[i];
    return lead;
}

static bool read_stack(const Value *a, const Value *b, const Value *out, Stack *ret)
{
    if (a->rank < 1 || b->rank < 1)
        return false;
    Stack t = {{.m = a->rank > 1 ? a->dim[a->rank - 2] : 1,
                .k = a->dim[a->rank - 1],
                .n = b->rank > 1 ? b->dim[b->rank - 1] : 1},
               {0},
               {0},
               {0}};
    t.s.a_row = t.s.k;
    t.s.a_col = t.s.b_col = 1;
    t.s.b_row = t.s.n;
    Value la = leading_dims(a), lb = leading_dims(b);
    t.lead.rank = la.rank > lb.rank ? la.rank : lb.rank;
    int64_t count = t.s.m * t.s.n;
    for (int32_t i = 0; i < t.lead.rank; i++) {
        int64_t da = i - t.lead.rank + la.rank, db = i - t.lead.rank + lb.rank;
        int64_t x = da >= 0 ? la.dim[da] : 1, y = db >= 0 ? lb.dim[db] : 1;
        t.lead.dim[i] = x == 1 ? y : x;
        count *= t.lead.dim[i];
    }
    *ret = t;
    return (b->rank > 1 ? b->dim[b->rank - 2] : b->dim[0]) == t.s.k && count == out->count &&
           kernel_broadcast_strides(&la, &ret->lead, ret->stride_a) &&
           kernel_broadcast_strides(&lb, &ret->lead, ret->stride_b);
}

/* Where the sums go: real numbers, or whole ones. */
typedef struct {
    float *y;
    int64_t *whole;
    int64_t n, at;
    bool integer;
    float scale_a;
    const float *scale_b;
    int64_t nscale;
} Sink;

static void write_sums(void *user, int64_t row, int64_t first, int64_t count, const float *sum,
                       const int32_t *isum)
{
    const Sink *o = user;
    int64_t at = o->at + row * o->n + first;
    for (int64_t j = 0; j < count; j++)
        if (o->whole)
            o->whole[at + j] = isum[j];
        else
            o->y[at + j] = o->integer ? (float)isum[j] *
                                            (o->scale_a * o->scale_b[o->nscale > 1 ? first + j : 0])
                                      : sum[j];
}

static void multiply_all(Call *c, const Stack *t, const Operands *o, Sink *sink)
{
    int64_t index[VALUE_MAX_RANK] = {0};
    sink->n = t->s.n;
    if (c->out[0]->count == 0)
        return;
    do {
        int64_t a = kernel_offset(index, t->stride_a, t->lead.rank) * t->s.m * t->s.k;
        int64_t b = kernel_offset(index, t->stride_b, t->lead.rank) * t->s.k * t->s.n;
        multiply_panels(&t->s, o, a, b, write_sums, sink);
        sink->at += t->s.m * t->s.n;
    } while (kernel_next_index(&t->lead, index));
}

/* Dequantized operands, the second with one scale or one per column. */
static bool is_integer_product(const Value *a, const Value *b, int64_t k, int64_t n, int32_t column)
{
    return a->source && b->source && a->nscale == 1 && k < PRODUCT_MAX_DEPTH &&
           (b->nscale == 1 || (b->axis == column && b->nscale == n));
}

static void take_integers(const Value *a, const Value *b, Operands *o, Sink *sink)
{
    *o = (Operands){.qa = a->source,
                    .qb = b->source,
                    .zero_a = a->zero[0],
                    .zero_b = b->zero,
                    .nzero = b->nzero};
    sink->integer = true;
    sink->scale_a = a->scale[0];
    sink->scale_b = b->scale;
    sink->nscale = b->nscale;
}

Status kernel_matmul(Call *c)
{
    Value *a = call_in(c, 0), *b = call_in(c, 1);
    Stack t;
    Operands o = {0};
    Sink sink = {.y = kernel_out_floats(c->out[0])};
    if (!a || !b || !sink.y || !read_stack(a, b, c->out[0], &t))
        return call_refuse(c, "its matrices do not fit");
    Status st = STATUS_OK;
    if (is_integer_product(a, b, t.s.k, t.s.n, b->rank - 1)) {
        take_integers(a, b, &o, &sink);
    } else {
        st = kernel_in_floats(c, 0, &o.a);
        st = st ? st : kernel_in_floats(c, 1, &o.b);
    }
    if (!st)
        multiply_all(c, &t, &o, &sink);
    return st;
}

/* ---- integer forms ---- */

static Status read_bytes(Call *c, const uint32_t input[4], Stack *t, Operands *o)
{
    o->qa = call_in(c, input[0]);
    o->qb = call_in(c, input[1]);
    if (!value_is_bytes(o->qa) || !value_is_bytes(o->qb) ||
        !read_stack(o->qa, o->qb, c->out[0], t) || t->s.k >= PRODUCT_MAX_DEPTH)
        return call_refuse(c, "its matrices do not fit");
    const int32_t *zero_a = NULL;
    int64_t one = 0;
    Status st = kernel_zero_points(c, input[2], 1, &zero_a, &one);
    st = st ? st : kernel_zero_points(c, input[3], t->s.n, &o->zero_b, &o->nzero);
    if (!st)
        o->zero_a = zero_a[0];
    return st;
}

Status kernel_matmul_integer(Call *c)
{
    Stack t;
    Operands o = {0};
    Sink sink = {.whole = kernel_out_ints(c->out[0])};
    Status st =
        sink.whole ? read_bytes(c, (const uint32_t[]){0, 1, 2, 3}, &t, &o) : call_no_memory(c);
    if (!st)
        multiply_all(c, &t, &o, &sink);
    return st;
}

/* Inputs: a, scale, zero, b, scale, zero, scale of y, zero of y. */
Status kernel_qlinear_matmul(Call *c)
{
    Stack t;
    Operands o = {0};
    Sink sink = {.integer = true};
    const float *scale_a;
    Status st = read_bytes(c, (const uint32_t[]){0, 3, 2, 5}, &t, &o);
    st = st ? st : kernel_in_floats(c, 1, &scale_a);
    st = st ? st : kernel_in_floats(c, 4, &sink.scale_b);
    if (st)
        return st;
    sink.nscale = call_in(c, 4)->count;
    if (call_in(c, 1)->count != 1 || (sink.nscale != 1 && sink.nscale != t.s.n))
        return call_refuse(c, "scales do not fit the columns");
    sink.scale_a = scale_a[0];
    sink.y = ARENA_ARRAY(c->scratch, float, (size_t)c->out[0]->count);
    multiply_all(c, &t, &o, &sink);
    return kernel_quantize_out(c, sink.y, 6, 7, c->out[0]);
}

/* ---- Gemm ---- */

Status kernel_gemm(Call *c)
{
    Value *a = call_in(c, 0), *b = call_in(c, 1), *add = call_in(c, 2), *out = c->out[0];
    bool ta = node_attr_int(c->node, "transA", 0), tb = node_attr_int(c->node, "transB", 0);
    if (!a || !b || a->rank != 2 || b->rank != 2 || out->rank != 2)
        return call_refuse(c, "its matrices do not fit");
    Shape2 s = {.m = a->dim[ta ? 1 : 0],
                .k = a->dim[ta ? 0 : 1],
                .n = b->dim[tb ? 0 : 1],
                .a_row = ta ? 1 : a->dim[1],
                .a_col = ta ? a->dim[1] : 1,
                .b_row = tb ? 1 : b->dim[1],
                .b_col = tb ? b->dim[1] : 1};
    Operands o = {0};
    Sink sink = {.y = kernel_out_floats(out), .n = s.n};
    int64_t stride[VALUE_MAX_RANK];
    if (!sink.y || b->dim[tb ? 1 : 0] != s.k || out->dim[0] != s.m || out->dim[1] != s.n ||
        (add && !kernel_broadcast_strides(add, out, stride)))
        return call_refuse(c, "its matrices do not fit");
    const float *bias = NULL;
    Status st = add ? kernel_in_floats(c, 2, &bias) : STATUS_OK;
    if (!st && is_integer_product(a, b, s.k, s.n, tb ? 0 : 1)) {
        take_integers(a, b, &o, &sink);
    } else if (!st) {
        st = kernel_in_floats(c, 0, &o.a);
        st = st ? st : kernel_in_floats(c, 1, &o.b);
    }
    if (st)
        return st;
    multiply_panels(&s, &o, 0, 0, write_sums, &sink);
    float alpha = (float)node_attr_float(c->node, "alpha", 1);
    float beta = (float)node_attr_float(c->node, "beta", 1);
    for (int64_t i = 0; i < out->count; i++)
        sink.y[i] =
            alpha * sink.y[i] + (bias ? beta * bias[i / s.n * stride[0] + i % s.n * stride[1]] : 0);
    return STATUS_OK;
}

/* Implements the accessors of attributes, tensors, shapes and constants. */
#include "graph/model/model.h"

ORDER_BY(by_name, SourceOperator, strcmp(a->op, b->op))

void source_list_operators(ModelSource *s, SourceOperator *op, size_t n)
{
    ORDER_LIST(op, n, by_name);
    for (size_t i = 0; i < n; i++) {
        if (s->nop && strcmp(op[s->nop - 1].op, op[i].op) == 0)
            op[s->nop - 1].count++;
        else
            op[s->nop++] = op[i];
    }
    s->op = op;
}

bool node_has_body(const Node *n)
{
    return LIST_ANY(i, n->nattr, n->attr[i].type == ATTR_GRAPH);
}

const Attr *node_attr(const Node *n, const char *name)
{
    return LIST_FIND(i, n->attr, n->nattr, strcmp(n->attr[i].name, name) == 0);
}

const Graph *node_body(const Node *n, const char *name)
{
    const Attr *a = node_attr(n, name);
    return a && a->type == ATTR_GRAPH ? a->graph : NULL;
}

int64_t node_attr_int(const Node *n, const char *name, int64_t fallback)
{
    const Attr *a = node_attr(n, name);
    return a && a->type == ATTR_INT ? a->i : fallback;
}

double node_attr_float(const Node *n, const char *name, double fallback)
{
    const Attr *a = node_attr(n, name);
    return a && a->type == ATTR_FLOAT ? a->f : fallback;
}

const char *node_attr_string(const Node *n, const char *name, const char *fallback)
{
    const Attr *a = node_attr(n, name);
    return a && a->type == ATTR_STRING ? a->s : fallback;
}

size_t node_attr_ints(const Node *n, const char *name, const int64_t **ret)
{
    const Attr *a = node_attr(n, name);
    bool found = a && a->type == ATTR_INTS;
    *ret = found ? a->ints : NULL;
    return found ? a->count : 0;
}

static const Tensor *tensor_at(const Graph *g, const TensorId *id, uint32_t n, uint32_t index)
{
    if (index >= n || id[index] == TENSOR_NONE)
        return NULL;
    assert(id[index] < g->ntensor);
    return &g->tensor[id[index]];
}

const Tensor *node_input(const Graph *g, const Node *n, uint32_t index)
{
    return tensor_at(g, n->input, n->ninput, index);
}

const Tensor *node_output(const Graph *g, const Node *n, uint32_t index)
{
    return tensor_at(g, n->output, n->noutput, index);
}

DType tensor_dtype(const Tensor *t)
{
    return t->dtype != DT_UNKNOWN ? t->dtype : t->declared_dtype;
}

const Shape *tensor_shape(const Tensor *t)
{
    return t->shape.rank != RANK_UNKNOWN ? &t->shape : &t->declared_shape;
}

bool tensor_is_outer(const Tensor *t)
{
    return t->producer == NODE_NONE && !t->is_input && !t->is_initializer;
}

int64_t shape_elements(const Shape *s)
{
    if (!shape_is_known(s))
        return DIM_UNKNOWN;
    const int64_t most = INT64_MAX / 16; /* room for a factor of bytes per element */
    int64_t n = 1;
    if (LIST_ANY(i, s->rank, s->dim[i].value == 0))
        return 0;
    for (int32_t i = 0; i < s->rank; i++)
        n = s->dim[i].value > most / n ? most : n * s->dim[i].value;
    return n;
}

int64_t shape_max_elements(const Shape *s)
{
    const int64_t limit = INT64_MAX / 16;
    int64_t n = 1;
    if (s->rank == RANK_UNKNOWN)
        return DIM_UNKNOWN;
    for (int32_t i = 0; i < s->rank; i++) {
        int64_t d = s->dim[i].value != DIM_UNKNOWN ? s->dim[i].value : s->dim[i].most;
        if (d == 0 && s->dim[i].value == DIM_UNKNOWN)
            return DIM_UNKNOWN;
        n = n && d > limit / n ? limit : n * d;
    }
    return n;
}

bool shape_is_known(const Shape *s)
{
    return s->rank != RANK_UNKNOWN && LIST_ALL(i, s->rank, s->dim[i].value >= 0);
}

static const char *dim_text(Arena *a, const Dim *d)
{
    if (d->value >= 0)
        return arena_printf(a, "%lld", (long long)d->value);
    return d->symbol ? d->symbol : "?";
}

const char *shape_text(Arena *a, const Shape *s)
{
    if (s->rank == RANK_UNKNOWN)
        return "?";
    const char *text = "";
    for (int32_t i = 0; i < s->rank; i++)
        text = arena_printf(a, "%s%s%s", text, i ? "x" : "", dim_text(a, &s->dim[i]));
    return text;
}

void graph_index_names(Arena *a, const Graph *g, StrMap *ret)
{
    strmap_init(ret, a, g->nnode + g->ntensor);
    for (size_t i = 0; i < g->ntensor; i++)
        if (g->tensor[i].producer != NODE_NONE)
            strmap_put(ret, arena_strdup(a, g->tensor[i].name), g->tensor[i].producer);
    for (size_t i = g->nnode; i-- > 0;)
        if (*g->node[i].name)
            strmap_put(ret, arena_strdup(a, g->node[i].name), (uint32_t)i);
}

const char *node_label(Arena *a, const Node *n)
{
    return n->name[0] ? n->name : arena_printf(a, "%s#%u", n->op, (unsigned)n->order);
}

/* Element i of a constant whose elements have whole bytes; false when it is not there. */
static bool element_bits(const Const *c, int64_t i, uint64_t *ret)
{
    int bits = dtype_bits(c->dtype);
    if (!c->data || i < 0 || i >= c->nelem || bits < 2 || bits > 64)
        return false;
    uint64_t v = 0;
    if (bits >= 8) {
        size_t nbyte = (size_t)bits / 8;
        if ((uint64_t)i >= c->nbyte / nbyte)
            return false;
        memcpy(&v, c->data + (size_t)i * nbyte, nbyte);
    } else {
        uint64_t at = (uint64_t)i * (uint64_t)bits;
        if (at / 8 >= c->nbyte)
            return false;
        v = (uint64_t)(c->data[at / 8] >> (at % 8)) & ((1u << bits) - 1);
    }
    *ret = v;
    return true;
}

static int64_t sign_extend(uint64_t v, int bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int64_t)((v ^ sign) - sign);
}

static bool is_unsigned(DType t)
{
    return t == DT_BOOL || t == DT_UINT2 || t == DT_UINT4 || t == DT_UINT8 || t == DT_UINT16 ||
           t == DT_UINT32 || t == DT_UINT64;
}

bool const_int(const Const *c, int64_t i, int64_t *ret)
{
    uint64_t v;
    if (!(dtype_is_integer(c->dtype) || c->dtype == DT_BOOL) || !element_bits(c, i, &v))
        return false;
    int64_t n = is_unsigned(c->dtype) ? (int64_t)v : sign_extend(v, dtype_bits(c->dtype));
    if (c->dtype == DT_UINT64 && n < 0)
        return false;
    *ret = n;
    return true;
}

/* Small floats: 1 sign bit, then exponent and mantissa.  `has_inf`: the largest exponent holds
 * infinities and NaNs as in IEEE 754. */
typedef struct {
    DType dtype;
    int exponent_bits, mantissa_bits, bias;
    bool has_inf;
} SmallFloat;

static const SmallFloat small_float[] = {
    {DT_FLOAT16, 5, 10, 15, true},     {DT_BFLOAT16, 8, 7, 127, true},
    {DT_FLOAT8E4M3FN, 4, 3, 7, false}, {DT_FLOAT8E4M3FNUZ, 4, 3, 8, false},
    {DT_FLOAT8E5M2, 5, 2, 15, true},   {DT_FLOAT8E5M2FNUZ, 5, 2, 16, false},
    {DT_FLOAT4E2M1, 2, 1, 1, false},
};

static bool small_float_is_nan(const SmallFloat *s, uint64_t v)
{
    switch (s->dtype) {
    case DT_FLOAT8E4M3FN:
        return (v & 0x7f) == 0x7f;
    case DT_FLOAT8E4M3FNUZ:
    case DT_FLOAT8E5M2FNUZ:
        return v == 0x80;
    default:
        return false;
    }
}

static double small_float_value(const SmallFloat *s, uint64_t v)
{
    int e = (int)(v >> s->mantissa_bits) & ((1 << s->exponent_bits) - 1);
    int m = (int)v & ((1 << s->mantissa_bits) - 1);
    double sign = v >> (s->mantissa_bits + s->exponent_bits) & 1 ? -1.0 : 1.0;
    if (small_float_is_nan(s, v))
        return (double)NAN;
    if (s->has_inf && e == (1 << s->exponent_bits) - 1)
        return m ? (double)NAN : sign * (double)INFINITY;
    int hidden = e ? 1 << s->mantissa_bits : 0;
    return sign * ldexp(hidden + m, (e ? e : 1) - s->bias - s->mantissa_bits);
}

static double wide_float_value(DType t, uint64_t v)
{
    if (t == DT_FLOAT64) {
        double d;
        memcpy(&d, &v, sizeof d);
        return d;
    }
    float f;
    uint32_t low = (uint32_t)v;
    memcpy(&f, &low, sizeof f);
    return (double)f;
}

bool const_float(const Const *c, int64_t i, double *ret)
{
    uint64_t v;
    int64_t n;
    if (const_int(c, i, &n)) {
        *ret = (double)n;
        return true;
    }
    if (!element_bits(c, i, &v))
        return false;
    if (c->dtype == DT_FLOAT32 || c->dtype == DT_FLOAT64) {
        *ret = wide_float_value(c->dtype, v);
        return true;
    }
    if (c->dtype == DT_FLOAT8E8M0) {
        *ret = v == 0xff ? (double)NAN : ldexp(1.0, (int)v - 127);
        return true;
    }
    for (size_t k = 0; k < sizeof small_float / sizeof *small_float; k++) {
        if (small_float[k].dtype == c->dtype) {
            *ret = small_float_value(&small_float[k], v);
            return true;
        }
    }
    return false;
}

const Const *const_widened(Arena *a, const Const *c)
{
    if (!c || c->dtype != DT_FLOAT16)
        return c;
    Const *wide = ARENA_NEW(a, Const);
    float *v = c->data ? ARENA_ARRAY(a, float, (size_t)c->nelem + 1) : NULL;
    for (int64_t i = 0; v && i < c->nelem; i++) {
        double x = 0;
        const_float(c, i, &x);
        v[i] = (float)x;
    }
    *wide = (Const){DT_FLOAT32, c->nelem, (size_t)c->nelem * sizeof *v, (const uint8_t *)v};
    return wide;
}

bool tensor_int(const Tensor *t, int64_t *ret)
{
    return t && t->value && const_int(t->value, 0, ret);
}

bool const_is_all(const Const *c, double want)
{
    double v;
    return c->nelem && LIST_ALL(i, c->nelem, const_float(c, i, &v) && fabs(v - want) <= 0);
}

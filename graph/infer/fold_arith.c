/* Propagates constants through arithmetic operators. Overflow and undefined results are unknown. */
#include "graph/infer/fold.h"

/* ---- unary ---- */

typedef struct {
    OpId op;
    double (*real)(double);
} UnaryOp;

#define UNARY(name, value)                                                                         \
    static double name(double x)                                                                   \
    {                                                                                              \
        return value;                                                                              \
    }
UNARY(negate, -x)
UNARY(sign, COMPARE(x, 0))
UNARY(relu, x > 0 ? x : 0)
UNARY(reciprocal, 1 / x)
UNARY(logical_not, x == 0)
#undef UNARY

static const UnaryOp unary_op[] = {
#define UNARY_OP(op, of) {OP_##op, of},
#include "graph/infer/fold_unary.def"
};

bool element_is_exact(const Element *e)
{
    return e->i > -(INT64_C(1) << 53) && e->i < (INT64_C(1) << 53);
}

void fold_unary(InferContext *c)
{
    const UnaryOp *op = LIST_FIND(i, unary_op, sizeof unary_op / sizeof *unary_op,
                                  unary_op[i].op == c->node->op_id);
    Folding f;
    if (!op || !fold_begin(c, &f) || f.n != f.in.n)
        return;
    for (int64_t i = 0; i < f.n; i++) {
        const Element *e = &f.in.e[i];
        double y = e->known ? op->real(e->f) : 0;
        if (e->known && dtype_is_float(f.in.dtype))
            f.out[i] = element_real(f.in.dtype, y);
        else if (e->known && element_is_exact(e) && y > -0x1p63 && y < 0x1p63)
            f.out[i] = element_integer((int64_t)y);
    }
    fold_value_store(c, 0, f.out, f.n);
}

/* ---- binary ---- */

#define INTEGER(name, works)                                                                       \
    static bool int_##name(int64_t a, int64_t b, int64_t *ret)                                     \
    {                                                                                              \
        return works;                                                                              \
    }
INTEGER(add, !__builtin_add_overflow(a, b, ret))
INTEGER(sub, !__builtin_sub_overflow(a, b, ret))
INTEGER(mul, !__builtin_mul_overflow(a, b, ret))
INTEGER(min, (*ret = a < b ? a : b, true))
INTEGER(max, (*ret = a > b ? a : b, true))
#undef INTEGER

static bool int_div(int64_t a, int64_t b, int64_t *ret)
{
    if (b == 0 || (b == -1 && a == INT64_MIN))
        return false;
    *ret = a / b;
    return true;
}
static bool int_mod(int64_t a, int64_t b, int64_t *ret)
{
    if (b == 0 || b == -1) {
        *ret = 0;
        return b == -1;
    }
    int64_t r = a % b;
    *ret = r != 0 && (r < 0) != (b < 0) ? r + b : r; /* the sign of the divisor, as ONNX says */
    return true;
}
static bool int_pow(int64_t a, int64_t b, int64_t *ret)
{
    int64_t y = 1;
    if (b < 0 || (b > 64 && a != 0 && a != 1))
        return false;
    for (int64_t i = 0; i < b && y != 0 && a != 1; i++)
        if (__builtin_mul_overflow(y, a, &y))
            return false;
    *ret = y;
    return true;
}

#define REAL(name, value)                                                                          \
    static double real_##name(double a, double b)                                                  \
    {                                                                                              \
        return value;                                                                              \
    }
REAL(add, a + b)
REAL(sub, a - b)
REAL(mul, (a * b))
REAL(div, a / b)
REAL(min, a < b ? a : b)
REAL(max, a > b ? a : b)
REAL(equal, a == b)
REAL(less, a < b)
REAL(less_equal, a <= b)
REAL(greater, a > b)
REAL(greater_equal, a >= b)
REAL(and, a != 0 && b != 0)
REAL(or, a != 0 || b != 0)
REAL(xor, (a != 0) != (b != 0))
#undef REAL

/* `neutral`: a right operand that leaves the left one as it is, even a symbol. */
typedef struct {
    OpId op;
    bool (*integer)(int64_t, int64_t, int64_t *); /* NULL: comparisons, exact below 2^53 */
    double (*real)(double, double);
    int neutral; /* -1: none */
    bool commutes;
} BinaryOp;

static const BinaryOp binary_op[] = {
#define BINARY_OP(op, integer, real, neutral, commutes) {OP_##op, integer, real, neutral, commutes},
#include "graph/infer/fold_binary.def"
};

/* One operand is a dimension, which is never negative, and the other is a negative number. */
static bool cannot_be_equal(const Element *a, const Element *b)
{
    return (a->symbol && b->known && b->f < 0) || (b->symbol && a->known && a->f < 0);
}

/* An unknown dimension is at least 0; a known element is its own bound. */
static bool bound_of(const Element *e, int64_t *ret)
{
    *ret = e->known ? e->i : e->most;
    return e->known ? e->i >= 0 : e->most > 0;
}

static Element bounded_element(int64_t most)
{
    return (Element){.most = most > 0 && most <= INT64_MAX / 16 ? most : 0};
}

static Element binary_bound(OpId op, const Element *a, const Element *b)
{
    int64_t x, y, z;
    bool has_x = bound_of(a, &x), has_y = bound_of(b, &y);
    bool at_least_0 = (a->known ? a->i >= 0 : a->symbol || a->most) &&
                      (b->known ? b->i >= 0 : b->symbol || b->most);
    if (op == OP_Min && at_least_0 && (has_x || has_y))
        return bounded_element(!has_y || (has_x && x < y) ? x : y);
    if (!has_x || !has_y)
        return (Element){0};
    if (op == OP_Max)
        return bounded_element(x > y ? x : y);
    if (op == OP_Add && !__builtin_add_overflow(x, y, &z))
        return bounded_element(z);
    if (op == OP_Mul && !__builtin_mul_overflow(x, y, &z))
        return bounded_element(z);
    return op == OP_Div && b->known && y > 0 ? bounded_element(x / y) : (Element){0};
}

static Element with_unknown(const BinaryOp *op, const Element *a, const Element *b)
{
    if (op->op == OP_Equal && cannot_be_equal(a, b))
        return element_integer(0);
    if (op->neutral >= 0 && b->known && b->f == op->neutral)
        return *a;
    if (op->neutral >= 0 && op->commutes && a->known && a->f == op->neutral)
        return *b;
    return binary_bound(op->op, a, b);
}

static Element apply_binary(const BinaryOp *op, DType in, const Element *a, const Element *b)
{
    int64_t y;
    if (!a->known || !b->known)
        return with_unknown(op, a, b);
    if (!op->integer)
        return element_is_exact(a) && element_is_exact(b)
                   ? element_integer((int64_t)op->real(a->f, b->f))
                   : (Element){0};
    if (dtype_is_float(in))
        return element_real(in, op->real(a->f, b->f));
    if (b->f != (double)b->i) /* an integer to the power of a fraction */
        return (Element){0};
    return op->integer(a->i, b->i, &y) ? element_integer(y) : (Element){0};
}

static const BinaryOp *binary_of(OpId op)
{
    return LIST_FIND(i, binary_op, sizeof binary_op / sizeof *binary_op, binary_op[i].op == op);
}

Element element_combine(OpId id, DType in, const Element *a, const Element *b)
{
    const BinaryOp *op = binary_of(id);
    return op ? apply_binary(op, in, a, b) : (Element){0};
}

bool fold_broadcast_fits(const Shape *in, const Shape *out)
{
    for (int32_t i = in->rank - 1, o = out->rank - 1; i >= 0; i--, o--)
        if (o < 0 || (in->dim[i].value != 1 && in->dim[i].value != out->dim[o].value))
            return false;
    return true;
}

int64_t fold_broadcast_index(const Shape *in, const Shape *out, int64_t index)
{
    int64_t at = 0, stride = 1;
    for (int32_t i = in->rank - 1, o = out->rank - 1; i >= 0; i--, o--) {
        int64_t place = index % out->dim[o].value;
        index /= out->dim[o].value;
        at += place % in->dim[i].value * stride;
        stride *= in->dim[i].value;
    }
    return at;
}

void fold_repeat(Folding *f)
{
    for (int64_t i = 0; i < f->n; i++)
        f->out[i] = f->in.e[fold_broadcast_index(&f->in.shape, f->shape, i)];
}

/* Neither C's fmod nor the broadcast of old opsets, which attributes ask for. */
static bool is_foldable(const InferContext *c, const BinaryOp *op)
{
    return op && !node_attr_int(c->node, "fmod", 0) && !node_attr(c->node, "axis") &&
           (op->op != OP_Mod || !dtype_is_float(infer_dtype(c, 0)));
}

void fold_binary(InferContext *c)
{
    const BinaryOp *op = binary_of(c->node->op_id);
    FoldValue v;
    Folding f;
    if (!is_foldable(c, op) || !fold_begin(c, &f) || !fold_broadcast_fits(&f.in.shape, f.shape))
        return;
    fold_repeat(&f);
    for (uint32_t k = 1; k < c->node->ninput; k++) {
        size_t used = c->run->scratch_used;
        if (!infer_value_load(c, k, &v) || !fold_broadcast_fits(&v.shape, f.shape))
            return;
        for (int64_t i = 0; i < f.n; i++)
            f.out[i] = apply_binary(op, infer_dtype(c, 0), &f.out[i],
                                    &v.e[fold_broadcast_index(&v.shape, f.shape, i)]);
        c->run->scratch_used = used;
    }
    fold_value_store(c, 0, f.out, f.n);
}

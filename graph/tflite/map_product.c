/* Maps products of matrices, that is fully connected layers and batched products. */
#include "graph/tflite/map.h"

enum { SHUFFLED_WEIGHTS = 1 };

/* Input 0 as a matrix of rows as long as the weights'. */
static const char *as_rows(Mapper *m, TfliteValue *x, int64_t length)
{
    bool agree = x->native == FIRST && map_value_layouts_agree(x);
    const char *in = map_value_real(m, x, agree ? FIRST : PLAIN);
    if (x->rank == 2)
        return in;
    const char *rows = map_between(m, "rows");
    map_node(m, (EmitNode){.name = "rows",
                           .op = "Reshape",
                           .in = {in, map_integers(m, (int64_t[]){-1, length}, 2)},
                           .out = rows});
    return rows;
}

/* The product of all last axes, the others kept. */
static void emit_wide(Mapper *m, TfliteValue *x, TfliteValue *w, TfliteValue *bias, const char *out)
{
    const char *turned = map_between(m, "weights"),
               *product = bias ? map_between(m, "product") : out;
    map_node(m, (EmitNode){.name = "weights",
                           .op = "Transpose",
                           .in = {map_value_real(m, w, PLAIN)},
                           .out = turned,
                           .attribute = {emit_ints("perm", (int64_t[]){1, 0}, 2)}});
    map_node(
        m, (EmitNode){.op = "MatMul", .in = {map_value_real(m, x, PLAIN), turned}, .out = product});
    if (bias)
        map_node(m, (EmitNode){.name = "bias",
                               .op = "Add",
                               .in = {product, map_value_real(m, bias, PLAIN)},
                               .out = out});
}

static void emit_gemm(Mapper *m, TfliteValue *x, TfliteValue *w, TfliteValue *bias, const char *out)
{
    const char *rows = as_rows(m, x, w->shape[1]);
    map_node(m, (EmitNode){.op = "Gemm",
                           .in = {rows, map_value_real(m, w, PLAIN),
                                  bias ? map_value_real(m, bias, PLAIN) : NULL},
                           .out = out,
                           .attribute = {emit_int("transB", 1)}});
}

bool map_fully_connected(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0), *w = map_in(m, 1), *bias = map_in(m, 2), *y = map_out(m, 0);
    if (!x || !w || !y || w->rank != 2 || w->shape[1] < 1 || x->rank < 1 || y->rank < 0)
        return false;
    if (tflite_option_byte(m->file, op, 1) == SHUFFLED_WEIGHTS) {
        map_refuse(m, "has weights in the shuffled format of 4x16, which is not public");
        return true;
    }
    bool wide = tflite_option_byte(m->file, op, 2) && y->rank == x->rank && x->rank > 2;
    if (!wide && y->rank != 2)
        return false;
    int32_t activation = tflite_option_byte(m->file, op, 0);
    const char *before = map_before(m, activation, PLAIN);
    (wide ? emit_wide : emit_gemm)(m, x, w, bias, before);
    map_after(m, before, activation, PLAIN);
    return true;
}

/* The last two axes exchanged, where the option says so. */
static const char *swap_last_axes(Mapper *m, TfliteValue *v, bool is)
{
    const char *in = map_value_real(m, v, PLAIN);
    if (!is)
        return in;
    int64_t perm[TFLITE_MAX_RANK];
    for (int i = 0; i < v->rank; i++)
        perm[i] = i < v->rank - 2 ? i : 2 * v->rank - 3 - i;
    const char *out = map_between(m, "adjoint");
    map_node(m, (EmitNode){.name = "adjoint",
                           .op = "Transpose",
                           .in = {in},
                           .out = out,
                           .attribute = {emit_ints("perm", perm, (size_t)v->rank)}});
    return out;
}

bool map_matmul(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *a = map_in(m, 0), *b = map_in(m, 1);
    if (!a || !b || !map_out(m, 0) || a->rank < 2 || b->rank < 2)
        return false;
    const char *x = swap_last_axes(m, a, tflite_option_byte(m->file, op, 0));
    const char *y = swap_last_axes(m, b, tflite_option_byte(m->file, op, 1));
    return map_single(m, PLAIN, (EmitNode){.op = "MatMul", .in = {x, y}});
}

/* Maps operators that change the shape and not the values. */
#include "graph/tflite/map.h"

/* Input 0 where its elements lie in the file's order: as FIRST too, when that is the same. */
static const char *in_order(Mapper *m, TfliteValue *x)
{
    return map_value_real(m, x, x->native == FIRST && map_value_layouts_agree(x) ? FIRST : PLAIN);
}

static bool emit_reshape(Mapper *m, TfliteValue *x, const int64_t *shape, size_t rank)
{
    const char *in = in_order(m, x), *wanted = map_integers(m, shape, rank);
    return map_single(m, PLAIN, (EmitNode){.op = "Reshape", .in = {in, wanted}});
}

/* A sparse constant was made dense when it was read. */
bool map_densify(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0), *y = map_out(m, 0);
    (void)op;
    if (!x || !y || !map_value_is_constant(x) || y->is_output)
        return false;
    y->tensor = x->tensor;
    y->rank = x->rank;
    memcpy(y->shape, x->shape, sizeof y->shape);
    return true;
}

/* A result of four dimensions that is a FIRST input with more ones around stays FIRST. */
bool map_reshape(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0), *y = map_out(m, 0);
    int64_t shape[TFLITE_MAX_RANK];
    if (!x || !y)
        return false;
    int rank = op->ninput > 1 ? map_value_integers(map_in(m, 1), shape) : -1;
    if (rank >= 0)
        return emit_reshape(m, x, shape, (size_t)rank);
    if (op->ninput > 1 && map_in(m, 1) && !map_value_is_constant(map_in(m, 1))) {
        const char *in = in_order(m, x), *to = map_between(m, "shape");
        map_cast_to(m, "shape", map_value_real(m, map_in(m, 1), PLAIN), DT_INT64, to);
        return map_single(m, PLAIN, (EmitNode){.op = "Reshape", .in = {in, to}});
    }
    return y->rank >= 0 && emit_reshape(m, x, y->shape, (size_t)y->rank);
}

/* To the shape that the file says the result has: all that these two change is ones. */
bool map_squeeze(Mapper *m, const TfliteOperator *op)
{
    (void)op;
    TfliteValue *x = map_in(m, 0), *y = map_out(m, 0);
    if (!x || !y || y->rank < 0)
        return false;
    int open = LIST_SUM(int, i, y->rank, y->shape[i] < 0);
    return open < 2 && emit_reshape(m, x, y->shape, (size_t)y->rank);
}

/* A transpose between the layouts is none: the value is there already. */
bool map_transpose(Mapper *m, const TfliteOperator *op)
{
    (void)op;
    static const int64_t to_first[] = {0, 3, 1, 2}, to_plain[] = {0, 2, 3, 1};
    TfliteValue *x = map_in(m, 0), *y = map_out(m, 0);
    int64_t perm[TFLITE_MAX_RANK];
    int rank = map_value_integers(map_in(m, 1), perm);
    if (!x || !y || rank < 0 || rank != x->rank)
        return false;
    for (int i = 0; i < rank; i++)
        if ((perm[i] = map_wrap(perm[i], rank)) < 0)
            return false;
    bool makes_plain = rank == 4 && LIST_ALL(i, 4, perm[i] == to_plain[i]);
    bool makes_first = rank == 4 && LIST_ALL(i, 4, perm[i] == to_first[i]);
    if (makes_plain && !map_value_is_quantized(y) == !map_value_is_quantized(x)) {
        y->native = FIRST;
        y->stored[FIRST] = map_value_stored(m, x, PLAIN);
        return true;
    }
    if (makes_first && x->stored[FIRST] && !y->is_output) {
        y->stored[PLAIN] = map_value_stored(m, x, FIRST);
        return true;
    }
    return map_single(m, PLAIN,
                      (EmitNode){.op = "Transpose",
                                 .in = {map_value_real(m, x, PLAIN)},
                                 .attribute = {emit_ints("perm", perm, (size_t)rank)}});
}

bool map_concat(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *y = map_out(m, 0);
    if (!y || y->rank < 1)
        return false;
    TfliteLayout layout = map_layout(m);
    int64_t axis = map_wrap(tflite_option(m->file, op, 0, 0), y->rank);
    if (axis < 0) {
        map_refuse(m, "has an axis that its inputs do not have");
        return true;
    }
    const char **in = ARENA_ARRAY(m->arena, const char *, op->ninput + 1);
    for (uint32_t i = 0; i < op->ninput; i++) {
        if (!map_in(m, i))
            return false;
        in[i] = map_value_real(m, map_in(m, i), layout);
    }
    int32_t activation = tflite_option_byte(m->file, op, 1);
    return map_fused(m, activation, layout,
                     (EmitNode){.op = "Concat",
                                .ins = in,
                                .nins = op->ninput,
                                .attribute = {emit_int("axis", map_axis(layout, axis))}});
}

bool map_pack(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *y = map_out(m, 0);
    int64_t axis = y ? map_wrap(tflite_option(m->file, op, 1, 0), y->rank) : -1;
    if (axis < 0)
        return false;
    const char **in = ARENA_ARRAY(m->arena, const char *, op->ninput + 1);
    const char *axes = map_integers(m, &axis, 1);
    for (uint32_t i = 0; i < op->ninput; i++) {
        if (!map_in(m, i))
            return false;
        in[i] = map_between(m, "wider");
        map_node(m, (EmitNode){.name = "wider",
                               .op = "Unsqueeze",
                               .in = {map_value_real(m, map_in(m, i), PLAIN), axes},
                               .out = in[i]});
    }
    return map_single(
        m, PLAIN,
        (EmitNode){
            .op = "Concat", .ins = in, .nins = op->ninput, .attribute = {emit_int("axis", axis)}});
}

static void emit_split(Mapper *m, const char *in, const char *sizes, int64_t axis,
                       TfliteLayout layout)
{
    const char **out = ARENA_ARRAY(m->arena, const char *, m->op->noutput + 1);
    for (uint32_t i = 0; i < m->op->noutput; i++)
        out[i] = map_result(m, i, layout);
    map_node(m, (EmitNode){.op = "Split",
                           .in = {in, sizes},
                           .outs = out,
                           .nouts = m->op->noutput,
                           .attribute = {emit_int("axis", map_axis(layout, axis))}});
    for (uint32_t i = 0; i < m->op->noutput; i++)
        map_done(m, i, layout);
}

/* SPLIT has its axis first, SPLIT_V the sizes second and the axis third. */
bool map_split(Mapper *m, const TfliteOperator *op)
{
    bool sized = op->code == TFL_SPLIT_V;
    TfliteValue *x = map_in(m, sized ? 0 : 1);
    int64_t axis[TFLITE_MAX_RANK], size[TFLITE_MAX_RANK];
    if (!x || map_value_integers(map_in(m, sized ? 2 : 0), axis) != 1 || !map_out(m, 0) ||
        (axis[0] = map_wrap(axis[0], x->rank)) < 0)
        return false;
    int n = sized ? map_value_integers(map_in(m, 1), size) : 0;
    if (sized && (n != (int)op->noutput || x->shape[axis[0]] < 0))
        return false;
    for (int i = 0; i < n; i++) /* one may be -1: the rest */
        if (size[i] < 0) {
            size[i] = x->shape[axis[0]];
            for (int k = 0; k < n; k++)
                size[i] -= k == i ? 0 : size[k];
        }
    TfliteLayout layout = x->rank == 4 && x->native == FIRST ? FIRST : PLAIN;
    emit_split(m, map_value_real(m, x, layout), sized ? map_integers(m, size, (size_t)n) : NULL,
               axis[0], layout);
    return true;
}

bool map_unpack(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0);
    int64_t axis = x ? map_wrap(tflite_option(m->file, op, 1, 0), x->rank) : -1;
    if (axis < 0 || !op->noutput)
        return false;
    const char **part = ARENA_ARRAY(m->arena, const char *, op->noutput);
    for (uint32_t i = 0; i < op->noutput; i++)
        part[i] = map_between(m, "part");
    map_node(m, (EmitNode){.op = "Split",
                           .in = {map_value_real(m, x, PLAIN)},
                           .outs = part,
                           .nouts = op->noutput,
                           .attribute = {emit_int("axis", axis)}});
    const char *axes = map_integers(m, &axis, 1);
    for (uint32_t i = 0; i < op->noutput; i++) {
        map_node(m, (EmitNode){.name = "narrower",
                               .op = "Squeeze",
                               .in = {part[i], axes},
                               .out = map_result(m, i, PLAIN)});
        map_done(m, i, PLAIN);
    }
    return true;
}

/* A tensor and a list of one number per axis, which FILL has first. */
bool map_tile(Mapper *m, const TfliteOperator *op)
{
    bool first = op->code == TFL_FILL;
    int64_t list[TFLITE_MAX_RANK];
    int n = map_value_integers(map_in(m, !first), list);
    if (!map_in(m, first) || !map_out(m, 0) || n < 1)
        return false;
    return map_single(m, PLAIN,
                      (EmitNode){.op = op->code == TFL_TILE ? "Tile" : "Expand",
                                 .in = {map_value_real(m, map_in(m, first), PLAIN),
                                        map_integers(m, list, (size_t)n)}});
}

bool map_shape(Mapper *m, const TfliteOperator *op)
{
    (void)op;
    if (!map_in(m, 0) || !map_out(m, 0))
        return false;
    bool wide = map_out(m, 0)->tensor->dtype == DT_INT64;
    const char *out = map_result(m, 0, PLAIN), *shape = wide ? out : map_between(m, "shape");
    map_node(m, (EmitNode){
                    .op = "Shape", .in = {map_value_stored(m, map_in(m, 0), PLAIN)}, .out = shape});
    if (!wide)
        map_cast_to(m, "narrower", shape, DT_INT32, out);
    map_done(m, 0, PLAIN);
    return true;
}

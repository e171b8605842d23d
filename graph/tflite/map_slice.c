/* Maps slices, gathers and pads. */
#include "graph/tflite/map.h"

typedef struct {
    int64_t begin[TFLITE_MAX_RANK], end[TFLITE_MAX_RANK], step[TFLITE_MAX_RANK];
    int64_t axis[TFLITE_MAX_RANK], dropped[TFLITE_MAX_RANK];
    size_t n, ndropped;
} Cut;

static void add_axis(Cut *c, TfliteLayout layout, int64_t axis, int64_t begin, int64_t end,
                     int64_t step)
{
    c->axis[c->n] = map_axis(layout, axis);
    c->begin[c->n] = begin;
    c->end[c->n] = end;
    c->step[c->n++] = step;
}

/* Without an axis, all of the first one. */
static bool emit_cut(Mapper *m, TfliteValue *x, Cut *c, TfliteLayout layout)
{
    if (!c->n)
        add_axis(c, layout, 0, 0, INT64_MAX, 1);
    const char *in = map_value_real(m, x, layout);
    const char *begin = map_integers(m, c->begin, c->n), *end = map_integers(m, c->end, c->n);
    const char *axis = map_integers(m, c->axis, c->n), *step = map_integers(m, c->step, c->n);
    const char *out = map_result(m, 0, layout);
    const char *part = c->ndropped ? map_between(m, "part") : out;
    map_node(m, (EmitNode){.op = "Slice", .in = {in, begin, end, axis, step}, .out = part});
    if (c->ndropped)
        map_node(m, (EmitNode){.name = "narrower",
                               .op = "Squeeze",
                               .in = {part, map_integers(m, c->dropped, c->ndropped)},
                               .out = out});
    map_done(m, 0, layout);
    return true;
}

/* Begin and size of each axis; -1: to its end. */
bool map_slice(Mapper *m, const TfliteOperator *op)
{
    (void)op;
    TfliteValue *x = map_in(m, 0);
    int64_t begin[TFLITE_MAX_RANK], size[TFLITE_MAX_RANK];
    if (!x || !map_out(m, 0) || x->rank < 1 || map_value_integers(map_in(m, 1), begin) != x->rank ||
        map_value_integers(map_in(m, 2), size) != x->rank)
        return false;
    TfliteLayout layout = x->rank == 4 && x->native == FIRST ? FIRST : PLAIN;
    Cut c = {.n = 0};
    for (int i = 0; i < x->rank; i++)
        if (begin[i] || (size[i] != -1 && size[i] != x->shape[i]))
            add_axis(&c, layout, i, begin[i], size[i] < 0 ? INT64_MAX : begin[i] + size[i], 1);
    return emit_cut(m, x, &c, layout);
}

enum { BEGIN_MASK, END_MASK, ELLIPSIS_MASK, NEW_AXIS_MASK, SHRINK_MASK, IS_OFFSET };

/* A bit of a mask: begin or end as far as there is, or an axis that goes.  Source: LiteRT
 * kernels/strided_slice.cc. */
static void cut_axis(Mapper *m, const TfliteOperator *op, Cut *c, TfliteLayout layout, int i,
                     const Cut *given)
{
    int bit = 1 << i;
    bool back = given->step[i] < 0, shrinks = tflite_option(m->file, op, SHRINK_MASK, 0) & bit;
    int64_t from = given->begin[i], to = given->end[i];
    if (tflite_option_byte(m->file, op, IS_OFFSET))
        to += from;
    if (tflite_option(m->file, op, BEGIN_MASK, 0) & bit)
        from = !back ? 0 : shrinks ? -1 : INT64_MAX;
    if (tflite_option(m->file, op, END_MASK, 0) & bit)
        to = back ? INT64_MIN : INT64_MAX;
    if (shrinks)
        to = from == -1 ? INT64_MAX : from + 1;
    if (shrinks)
        c->dropped[c->ndropped++] = i;
    if (shrinks || from || to != INT64_MAX || given->step[i] != 1)
        add_axis(c, layout, i, from, to, shrinks ? 1 : given->step[i]);
}

/* Bounds that are worked out while it runs. */
static bool map_open_slice(Mapper *m, const TfliteOperator *op, TfliteValue *x)
{
    const char *bound[3];
    int64_t axis[TFLITE_MAX_RANK];
    int64_t n = map_in(m, 1) ? tflite_elements(map_in(m, 1)->tensor) : -1;
    for (unsigned field = BEGIN_MASK; field <= SHRINK_MASK; field++)
        if (tflite_option(m->file, op, field, 0))
            return false;
    if (tflite_option_byte(m->file, op, IS_OFFSET) || n < 1 || n > TFLITE_MAX_RANK)
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        if (!map_in(m, i + 1))
            return false;
        bound[i] = map_value_stored(m, map_in(m, i + 1), PLAIN);
    }
    for (int64_t i = 0; i < n; i++)
        axis[i] = i;
    const char *in = map_value_real(m, x, PLAIN), *axes = map_integers(m, axis, (size_t)n);
    const char *wide[3];
    for (int i = 0; i < 3; i++)
        wide[i] = map_cast_to(m, "bound", bound[i], DT_INT64, map_between(m, "bound"));
    return map_single(m, PLAIN,
                      (EmitNode){.op = "Slice", .in = {in, wide[0], wide[1], axes, wide[2]}});
}

bool map_strided_slice(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0);
    Cut given, c = {.n = 0};
    int n = map_value_integers(map_in(m, 1), given.begin);
    if (!x || !map_out(m, 0))
        return false;
    if (n < 1 || map_value_integers(map_in(m, 2), given.end) != n ||
        map_value_integers(map_in(m, 3), given.step) != n)
        return map_open_slice(m, op, x);
    if (n > x->rank || tflite_option(m->file, op, ELLIPSIS_MASK, 0) ||
        tflite_option(m->file, op, NEW_AXIS_MASK, 0))
        return false;
    bool drops = tflite_option(m->file, op, SHRINK_MASK, 0) != 0;
    TfliteLayout layout = x->rank == 4 && x->native == FIRST && !drops ? FIRST : PLAIN;
    for (int i = 0; i < n; i++) {
        if (!given.step[i]) {
            map_refuse(m, "has a step of 0");
            return true;
        }
        cut_axis(m, op, &c, layout, i, &given);
    }
    return emit_cut(m, x, &c, layout);
}

bool map_gather(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0), *index = map_in(m, 1);
    int64_t axis = x ? map_wrap(tflite_option(m->file, op, 0, 0), x->rank) : -1;
    if (axis < 0 || !index || !map_out(m, 0) || tflite_option(m->file, op, 1, 0))
        return false;
    return map_single(
        m, PLAIN,
        (EmitNode){.op = "Gather",
                   .in = {map_value_real(m, x, PLAIN), map_value_stored(m, index, PLAIN)},
                   .attribute = {emit_int("axis", axis)}});
}

bool map_gather_nd(Mapper *m, const TfliteOperator *op)
{
    (void)op;
    TfliteValue *x = map_in(m, 0), *index = map_in(m, 1);
    if (!x || !index || !map_out(m, 0))
        return false;
    const char *wide = map_between(m, "index");
    map_cast_to(m, "index", map_value_stored(m, index, PLAIN), DT_INT64, wide);
    return map_single(m, PLAIN,
                      (EmitNode){.op = "GatherND", .in = {map_value_real(m, x, PLAIN), wide}});
}

/* Rows of {before, after} per axis; MIRROR_PAD of mode 1 repeats the edge, which ONNX cannot. */
bool map_pad(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0), *rows = map_in(m, 1), *fill = map_in(m, 2);
    bool mirror = op->code == TFL_MIRROR_PAD;
    int64_t pad[2 * TFLITE_MAX_RANK] = {0}, v;
    if (!x || !rows || !map_out(m, 0) || x->rank < 1 || !map_value_is_constant(rows) ||
        tflite_elements(rows->tensor) != 2 * x->rank ||
        (mirror && tflite_option_byte(m->file, op, 0)))
        return false;
    TfliteLayout layout = x->rank == 4 && x->native == FIRST ? FIRST : PLAIN;
    for (int i = 0; i < 2 * x->rank; i++) {
        if (!tflite_integer(rows->tensor, i, &v))
            return false;
        pad[map_axis(layout, i / 2) + (i % 2 ? x->rank : 0)] = v;
    }
    const char *in = map_value_real(m, x, layout);
    const char *amount = map_integers(m, pad, 2 * (size_t)x->rank);
    return map_single(
        m, layout,
        (EmitNode){.op = "Pad",
                   .in = {in, amount, fill ? map_value_real(m, fill, PLAIN) : NULL},
                   .attribute = {emit_text("mode", mirror ? "reflect" : "constant")}});
}

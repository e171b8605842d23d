/* Nodes: names, results, fused activations, small constants. */
#include "graph/tflite/map.h"
#include "graph/model/model.h"

#include <string.h>

void map_refuse(Mapper *m, const char *fact)
{
    if (m->status)
        return;
    m->status =
        diag_set(m->diag, STATUS_INPUT, m->file->path,
                 arena_printf(m->arena, "operator %u (%s)", (unsigned)m->op->index, m->op->name),
                 "%s", fact);
}

/* "CONV_2D 12", and what else it takes "CONV_2D 12/RELU6". */
void map_node(Mapper *m, EmitNode n)
{
    if (m->status)
        return;
    const char *own = m->op ? arena_printf(m->arena, "%s %u", m->op->name, (unsigned)m->op->index)
                            : "end of the graph";
    const char *word = n.name ? arena_printf(m->arena, "%s/%s", own, n.name) : own;
    n.name = map_name(m, word);
    emit_node(&m->emit, &n);
}

const char *map_between(Mapper *m, const char *what)
{
    return map_name(m,
                    arena_printf(m->arena, "%s %u/%s", m->op->name, (unsigned)m->op->index, what));
}

static const char *small(Mapper *m, DType t, const int64_t *dim, size_t rank, const void *data,
                         size_t size)
{
    const char *name = map_name(
        m, m->op ? arena_printf(m->arena, "%s %u/constant", m->op->name, (unsigned)m->op->index)
                 : "constant");
    uint8_t *copy = arena_alloc(m->arena, size + 1);
    if (size)
        memcpy(copy, data, size);
    emit_constant(&m->emit, name, t, dim, rank, (Bytes){copy, size});
    return name;
}

const char *map_integers(Mapper *m, const int64_t *v, size_t n)
{
    return small(m, DT_INT64, (int64_t[]){(int64_t)n}, 1, v, n * sizeof *v);
}

const char *map_integer(Mapper *m, int64_t v)
{
    return small(m, DT_INT64, NULL, 0, &v, sizeof v);
}

const char *map_floats(Mapper *m, const float *v, size_t n)
{
    return small(m, DT_FLOAT32, (int64_t[]){(int64_t)n}, 1, v, n * sizeof *v);
}

const char *map_float(Mapper *m, double v)
{
    float f = (float)v;
    return small(m, DT_FLOAT32, NULL, 0, &f, sizeof f);
}

/* ---- results */

static const char *stored_name(Mapper *m, const Value *v, Layout layout)
{
    if (layout == PLAIN || !v->is_output)
        return v->name;
    return map_name(m, arena_printf(m->arena, "%s/nchw", v->name));
}

const char *map_result(Mapper *m, uint32_t i, Layout layout)
{
    Value *v = map_out(m, i);
    if (!v)
        return map_between(m, "unused");
    v->native = layout;
    v->stored[layout] = v->real[layout] = stored_name(m, v, layout);
    if (value_is_quantised(v))
        v->real[layout] = map_name(m, arena_printf(m->arena, "%s/before", v->name));
    return v->real[layout];
}

void map_done(Mapper *m, uint32_t i, Layout layout)
{
    Value *v = map_out(m, i);
    if (!v || !value_is_quantised(v))
        return;
    map_convert(m, v, layout, "QuantizeLinear", v->real[layout], v->stored[layout]);
    v->real[layout] = NULL; /* what others read is what was stored */
}

/* ActivationFunctionType. */
typedef struct {
    const char *word, *op;
    double lo, hi;
} Fused;

static const Fused fused[] = {
    {NULL, NULL, 0, 0},      {"RELU", "Relu", 0, 0}, {"RELU_N1_TO_1", "Clip", -1, 1},
    {"RELU6", "Clip", 0, 6}, {"TANH", "Tanh", 0, 0}, {"SIGN_BIT", NULL, 0, 0},
};
enum { NFUSED = sizeof fused / sizeof *fused };

const char *map_before(Mapper *m, int32_t activation, uint32_t i, Layout layout)
{
    if (activation < 0 || activation >= NFUSED || (activation && !fused[activation].op))
        map_refuse(m, "has a fused activation that is not known");
    const char *result = map_result(m, i, layout);
    return activation && !m->status ? map_between(m, "before") : result;
}

void map_after(Mapper *m, const char *before, int32_t activation, uint32_t i, Layout layout)
{
    Value *v = map_out(m, i);
    if (m->status || !v)
        return;
    const Fused *f = &fused[activation];
    bool clips = f->lo < f->hi;
    if (f->op)
        map_node(m, (EmitNode){.name = f->word,
                               .op = f->op,
                               .in = {before, clips ? map_float(m, f->lo) : NULL,
                                      clips ? map_float(m, f->hi) : NULL},
                               .out = v->real[layout]});
    map_done(m, i, layout);
}

void map_alias(Mapper *m, uint32_t i, Layout layout, const char *name)
{
    Value *v = map_out(m, i);
    if (!v || m->status)
        return;
    v->native = layout;
    if (value_is_quantised(v)) {
        v->stored[layout] = stored_name(m, v, layout);
        map_convert(m, v, layout, "QuantizeLinear", name, v->stored[layout]);
        return;
    }
    v->stored[layout] = name;
}

/* ---- layouts */

int64_t map_axis(Layout layout, int64_t axis)
{
    static const int64_t first[] = {0, 2, 3, 1};
    return layout == FIRST && axis >= 0 && axis < 4 ? first[axis] : axis;
}

int64_t map_wrap(int64_t axis, int rank)
{
    int64_t at = axis < 0 ? axis + rank : axis;
    return at >= 0 && at < rank ? at : -1;
}

Layout map_layout(Mapper *m)
{
    bool first = false;
    for (uint32_t i = 0; i < m->op->ninput; i++) {
        const Value *v = map_in(m, i);
        if (!v || value_is_constant(v))
            continue;
        if (v->rank != 4 && tflite_elements(v->tensor) != 1)
            return PLAIN;
        first = first || (v->rank == 4 && v->native == FIRST);
    }
    for (uint32_t i = 0; i < m->op->noutput; i++) {
        const Value *v = map_out(m, i);
        if (v && v->rank != 4)
            return PLAIN;
    }
    return first ? FIRST : PLAIN;
}

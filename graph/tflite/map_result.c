/* Names results, maps fused activations and chooses an operator's layout. */
#include "graph/tflite/map.h"

static const char *stored_name(Mapper *m, const TfliteValue *v, TfliteLayout layout)
{
    if (layout == PLAIN || !v->is_output)
        return v->name;
    return map_name(m, arena_printf(m->arena, "%s/nchw", v->name));
}

const char *map_result(Mapper *m, uint32_t i, TfliteLayout layout)
{
    TfliteValue *v = map_out(m, i);
    if (!v)
        return map_between(m, "unused");
    v->native = layout;
    v->stored[layout] = v->real[layout] = stored_name(m, v, layout);
    if (map_value_is_quantized(v) &&
        v->is_output) /* its codes have the file's name, else its reals */
        v->real[layout] = map_own_value(m);
    else if (map_value_is_quantized(v))
        v->stored[layout] = map_name(m, arena_printf(m->arena, "%s/codes", v->name));
    return v->real[layout];
}

void map_done(Mapper *m, uint32_t i, TfliteLayout layout)
{
    TfliteValue *v = map_out(m, i);
    if (!v || !map_value_is_quantized(v))
        return;
    map_convert(m, v, layout, "QuantizeLinear", v->real[layout], v->stored[layout]);
    v->real[layout] = NULL; /* what others read is what was stored */
}

bool map_single(Mapper *m, TfliteLayout layout, EmitNode n)
{
    n.out = map_result(m, 0, layout);
    map_node(m, n);
    map_done(m, 0, layout);
    return true;
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

const char *map_before(Mapper *m, int32_t activation, TfliteLayout layout)
{
    if (activation < 0 || activation >= NFUSED || (activation && !fused[activation].op))
        map_refuse(m, "has a fused activation that is not known");
    const char *result = map_result(m, 0, layout);
    return activation && !m->status ? map_between(m, "before") : result;
}

void map_after(Mapper *m, const char *before, int32_t activation, TfliteLayout layout)
{
    TfliteValue *v = map_out(m, 0);
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
    map_done(m, 0, layout);
}

bool map_fused(Mapper *m, int32_t activation, TfliteLayout layout, EmitNode n)
{
    n.out = map_before(m, activation, layout);
    map_node(m, n);
    map_after(m, n.out, activation, layout);
    return true;
}

void map_alias(Mapper *m, uint32_t i, TfliteLayout layout, const char *name)
{
    TfliteValue *v = map_out(m, i);
    if (!v || m->status)
        return;
    v->native = layout;
    if (map_value_is_quantized(v)) {
        v->stored[layout] = stored_name(m, v, layout);
        map_convert(m, v, layout, "QuantizeLinear", name, v->stored[layout]);
        return;
    }
    v->stored[layout] = name;
}

TfliteLayout map_layout(Mapper *m)
{
    bool first = false;
    for (uint32_t i = 0; i < m->op->ninput; i++) {
        const TfliteValue *v = map_in(m, i);
        if (!v || map_value_is_constant(v))
            continue;
        if (v->rank != 4 && tflite_elements(v->tensor) != 1)
            return PLAIN;
        first = first || (v->rank == 4 && v->native == FIRST);
    }
    bool images = LIST_ALL(i, m->op->noutput, !map_out(m, i) || map_out(m, i)->rank == 4);
    return images && first ? FIRST : PLAIN;
}

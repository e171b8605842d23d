/* Adds ONNX nodes with unique names, and small constants for them. */
#include "graph/tflite/map.h"

const char *map_name(Mapper *m, const char *wanted)
{
    const char *name = wanted;
    uint32_t next = strmap_get(&m->name, wanted); /* the number that comes after those taken */
    if (next == STRMAP_NONE)
        next = 2;
    for (; strmap_get(&m->name, name) != STRMAP_NONE; next++)
        name = arena_printf(m->arena, "%s#%u", wanted, next);
    strmap_put(&m->name, wanted, next);
    if (name != wanted)
        strmap_put(&m->name, name, 2);
    return name;
}

void map_refuse(Mapper *m, const char *fact)
{
    if (m->status)
        return;
    m->status =
        diag_set(m->diag, STATUS_INPUT, m->file->path,
                 arena_printf(m->arena, "operator %u (%s)", (unsigned)m->op->index, m->op->name),
                 "%s", fact);
}

static const char *own_name(const Mapper *m)
{
    return m->op ? arena_printf(m->arena, "%s %u", m->op->name, (unsigned)m->op->index)
                 : "end of the graph";
}

/* "CONV_2D 12", and what else it takes "CONV_2D 12/RELU6". */
void map_node(Mapper *m, EmitNode n)
{
    if (m->status)
        return;
    const char *word = own_name(m);
    word = n.name ? arena_printf(m->arena, "%s/%s", word, n.name) : word;
    n.name = map_name(m, word);
    onnx_emit_node(&m->emit, &n);
}

const char *map_cast_to(Mapper *m, const char *word, const char *in, DType to, const char *out)
{
    map_node(m, (EmitNode){.name = word,
                           .op = "Cast",
                           .in = {in},
                           .out = out,
                           .attribute = {emit_int("to", dtype_to_onnx(to))}});
    return out;
}

const char *map_between(Mapper *m, const char *what)
{
    return map_name(m, arena_printf(m->arena, "%s/%s", own_name(m), what));
}

const char *map_own_value(Mapper *m)
{
    const char *name = own_name(m);
    return strmap_get(&m->name, name) == STRMAP_NONE ? name : map_between(m, "result");
}

static const char *small_constant(Mapper *m, DType t, const int64_t *dim, size_t rank,
                                  const void *data, size_t size)
{
    const char *name = m->op ? map_between(m, "constant") : map_name(m, "constant");
    uint8_t *copy = arena_alloc(m->arena, size + 1);
    if (size)
        memcpy(copy, data, size);
    onnx_emit_constant(&m->emit, name, t, dim, rank, (Bytes){copy, size});
    return name;
}

const char *map_integers(Mapper *m, const int64_t *v, size_t n)
{
    return small_constant(m, DT_INT64, (int64_t[]){(int64_t)n}, 1, v, n * sizeof *v);
}

const char *map_integer(Mapper *m, int64_t v)
{
    return small_constant(m, DT_INT64, NULL, 0, &v, sizeof v);
}

const char *map_float(Mapper *m, double v)
{
    float f = (float)v;
    return small_constant(m, DT_FLOAT32, NULL, 0, &f, sizeof f);
}

/* ---- layouts */

int64_t map_axis(TfliteLayout layout, int64_t axis)
{
    static const int64_t first[] = {0, 2, 3, 1};
    return layout == FIRST && axis >= 0 && axis < 4 ? first[axis] : axis;
}

int64_t map_wrap(int64_t axis, int rank)
{
    int64_t at = axis < 0 ? axis + rank : axis;
    return at >= 0 && at < rank ? at : -1;
}

/* Binds the arrays of a folder to inputs of few elements where shapes depend on their values. */
#include "npu_exec/session/known_inputs.h"
#include "graph/infer/shape.h"
#include "graph/onnx/value_file.h"

enum { MAX_ELEMENTS = 4096 };

static bool has_unknown_shape(const Graph *g)
{
    return LIST_ANY(i, g->nnode,
                    LIST_ANY(k, g->node[i].noutput,
                             node_output(g, &g->node[i], k) &&
                                 !shape_is_known(&node_output(g, &g->node[i], k)->shape)));
}

static const char *file_of(Arena *a, const char *dir, size_t i)
{
    const char *npy = arena_printf(a, "%s/input_%zu.npy", dir, i);
    return access(npy, R_OK) == 0 ? npy : arena_printf(a, "%s/input_%zu.pb", dir, i);
}

static void bind_input(Arena *a, Tensor *t, const char *path)
{
    ValueFile f;
    Diag unsaid;
    if (value_file_open(a, path, &f, &unsaid))
        return;
    if (f.value.dtype == t->dtype && f.shape.rank <= 1 && f.value.nelem <= MAX_ELEMENTS &&
        f.value.data) {
        uint8_t *copy = arena_alloc(a, f.value.nbyte + 1);
        Const *value = ARENA_NEW(a, Const);
        memcpy(copy, f.value.data, f.value.nbyte);
        *value = f.value;
        value->data = copy;
        t->value = value;
        t->shape = f.shape;
    }
    value_file_close(&f);
}

void known_inputs_bind(Arena *a, Model *m, const CompileOptions *o, const char *dir)
{
    Notes *notes = m->notes, unread;
    notes_init(&unread, a);
    m->notes = &unread;
    shape_infer(m, o->dim, o->ndim, o->batch);
    m->notes = notes;
    if (!has_unknown_shape(m->graph))
        return;
    for (size_t i = 0; i < m->graph->ninput; i++) {
        Tensor *t = &m->graph->tensor[m->graph->input[i]];
        if (t->shape.rank == 0 || t->shape.rank == 1)
            bind_input(a, t, file_of(a, dir, i));
    }
}

/* Reads a model of float16 numbers as one of float32, which the vendor's tools take. */
#include "graph/edit/editor.h"
#include "graph/edit/opset.h"

enum { PROTO_FLOAT = 1, PROTO_FLOAT16 = 10 }; /* TensorProto.DataType */

static int64_t widen_graph(Arena *a, Graph *g);

/* Attributes that name a type: `to` of Cast, `dtype` of random numbers, and others. */
static int64_t widen_node(Arena *a, Node *n)
{
    Attr *attr = editor_copy_array(a, n->attr, n->nattr, sizeof *attr, 0);
    int64_t changed = 0;
    for (uint32_t k = 0; k < n->nattr; k++) {
        bool named = attr[k].type == ATTR_INT && attr[k].i == PROTO_FLOAT16 &&
                     (!strcmp(attr[k].name, "to") || strstr(attr[k].name, "dtype") ||
                      strstr(attr[k].name, "precision") || !strcmp(attr[k].name, "stash_type"));
        const Const *was = attr[k].tensor;
        attr[k].i = named ? PROTO_FLOAT : attr[k].i;
        attr[k].tensor = const_widened(a, was);
        changed += named || attr[k].tensor != was;
        if (attr[k].type == ATTR_GRAPH)
            changed += widen_graph(a, (Graph *)attr[k].graph);
    }
    n->attr = changed ? attr : n->attr;
    n->raw_size = changed ? 0 : n->raw_size;
    return changed;
}

static int64_t widen_graph(Arena *a, Graph *g)
{
    int64_t changed = 0;
    for (size_t i = 0; i < g->ntensor; i++) {
        Tensor *t = &g->tensor[i];
        if (t->dtype != DT_FLOAT16 && t->declared_dtype != DT_FLOAT16)
            continue;
        t->dtype = t->dtype == DT_FLOAT16 ? DT_FLOAT32 : t->dtype;
        t->declared_dtype = DT_FLOAT32;
        t->value = const_widened(a, t->value);
        t->raw_size = 0;
        t->edited = true;
        changed++;
    }
    for (size_t i = 0; i < g->nnode; i++)
        changed += widen_node(a, &g->node[i]);
    return changed;
}

Status model_widen(Arena *a, Model **m, bool *ret_changed, Diag *diag)
{
    Editor e;
    Model *given = *m;
    editor_begin(&e, a, given, diag);
    *ret_changed = !given->source && widen_graph(a, e.graph);
    if (!*ret_changed)
        return STATUS_OK;
    *m = e.model;
    e.model->file = given->file;
    e.model->external = given->external;
    e.model->nexternal = given->nexternal;
    e.model->describes_all = true;
    return editor_index(&e);
}

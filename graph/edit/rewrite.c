/* Holds the table of rewrites and applies all edits of one kind together. */
#include "graph/edit/rewriter.h"

typedef struct {
    const char *name;
    RewriteQuestion why_not;
    Rewriting apply;
} Rewrite;

static const Rewrite rewrite[] = {
#define REWRITE(id, name, function) {name, rewrite_check_##function, rewrite_##function},
#include "graph/edit/rewrites.def"
};
static_assert(sizeof rewrite / sizeof *rewrite == REWRITE_COUNT, "a row for each rewrite");

const char *rewrite_name(RewriteKind k)
{
    assert(k < REWRITE_COUNT);
    return rewrite[k].name;
}

bool rewrite_from_name(const char *name, RewriteKind *ret)
{
    int kind = LIST_VALUE(k, REWRITE_COUNT, strcmp(rewrite[k].name, name) == 0, k, -1);
    if (kind >= 0)
        *ret = (RewriteKind)kind;
    return kind >= 0;
}

const char *rewrite_refusal(const Scene *s, RewriteKind k, NodeId node)
{
    assert(k < REWRITE_COUNT && node < s->graph->nnode);
    return rewrite[k].why_not(s, node);
}

/* One batch: a rewrite, and the nodes where the model's user wants it. */
typedef struct {
    const Rewrite *rewrite;
    Scene scene;
    NodeId *node;
    size_t n;
} Batch;

static Status find_place(Editor *e, const Edit *edit, Batch *b)
{
    const Graph *g = e->graph;
    uint32_t t = strmap_get(&g->by_name, edit->where);
    NodeId node = t == STRMAP_NONE ? NODE_NONE : g->tensor[t].producer;
    if (node == NODE_NONE)
        return editor_refuse(e, edit, "no node of the model makes such a tensor");
    const char *why = b->rewrite->why_not(&b->scene, node);
    if (why)
        return editor_refuse(e, edit, "%s: %s", b->rewrite->name, why);
    b->node[b->n++] = node;
    return STATUS_OK;
}

/* A place that an earlier one has taken along is done. */
static void apply_all(Editor *e, const Batch *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (!b->rewrite->why_not(&b->scene, b->node[i]))
            b->rewrite->apply(e, &b->scene, b->node[i]);
}

/* Values are needed to judge by, and must not outlive the edit. */
Status edit_rewrite(Editor *e, const Edit *edit)
{
    RewriteKind k;
    if (!rewrite_from_name(edit->text, &k))
        return editor_refuse(e, edit, "there is no rewrite '%s'", edit->text);
    editor_infer(e);
    Batch b = {.rewrite = &rewrite[k],
               .scene = {.graph = e->graph, .opset = e->model->opset},
               .node = ARENA_ARRAY(e->arena, NodeId, e->nedit)};
    if (k == REWRITE_MERGE_DUPLICATES)
        b.scene.equal = rewrite_equal_nodes(e->arena, e->graph);
    Status st = STATUS_OK;
    for (const Edit *i = edit; !st && i < e->edit + e->nedit; i++)
        if (edit_is_same_rewrite(i, edit))
            st = find_place(e, i, &b);
    if (!st)
        apply_all(e, &b);
    editor_clear_names(e->graph);
    return st;
}

bool edit_is_same_rewrite(const Edit *a, const Edit *b)
{
    return a->kind == EDIT_REWRITE && b->kind == EDIT_REWRITE && strcmp(a->text, b->text) == 0;
}

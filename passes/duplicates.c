/* Finds nodes that repeat another node's computation, the last of each repeated part. */
#include "passes/rewritable.h"

/* True if a reader of its result is no duplicate: merging it also merges those above. */
static bool is_last(const NodeId *equal, const Tensor *t)
{
    if (t->is_output)
        return true;
    return LIST_ANY(i, t->nconsumer, equal[t->consumer[i]] == NODE_NONE);
}

/* Time of the duplicate and of the duplicates that only it reads, collected from above. */
static double *times_with_above(Arena *a, const PassInput *in, const NodeId *equal,
                                int64_t **ret_count)
{
    const Graph *g = in->program->model->graph;
    const double *own = node_times(a, in);
    double *ns = ARENA_ARRAY(a, double, g->nnode + 1);
    int64_t *count = ARENA_ARRAY(a, int64_t, g->nnode + 1);
    for (size_t i = 0; i < g->nnode; i++) {
        if (equal[i] == NODE_NONE)
            continue;
        ns[i] += own[i];
        count[i]++;
        const Tensor *t = node_output(g, &g->node[i], 0);
        if (!t || t->nconsumer != 1 || t->is_output || equal[t->consumer[0]] == NODE_NONE)
            continue;
        ns[t->consumer[0]] += ns[i];
        count[t->consumer[0]] += count[i];
    }
    *ret_count = count;
    return ns;
}

/* Tensors have names in every file, nodes in some. */
static const char *first_result(const Graph *g, NodeId node)
{
    const Tensor *t = node_output(g, &g->node[node], 0);
    return t ? t->name : g->node[node].name;
}

void pass_duplicates(const PassInput *in, FindingList *out)
{
    Scene s = rewritable_scene(in);
    int64_t *count;
    s.equal = rewrite_equal_nodes(out->arena, s.graph);
    const double *ns = times_with_above(out->arena, in, s.equal, &count);
    for (size_t i = 0; i < s.graph->nnode; i++) {
        const Tensor *t = node_output(s.graph, &s.graph->node[i], 0);
        if (ns[i] <= 0 || rewrite_refusal(&s, REWRITE_MERGE_DUPLICATES, (NodeId)i) ||
            !is_last(s.equal, t))
            continue;
        Finding *f = finding_at_node(in, out, "duplicate", (NodeId)i, ns[i]);
        finding_text(out, f, "rewrite", rewrite_name(REWRITE_MERGE_DUPLICATES));
        finding_text(out, f, "equals", first_result(s.graph, s.equal[i]));
        finding_int(out, f, "nodes", count[i]);
    }
}

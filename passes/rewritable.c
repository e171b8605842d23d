/* Tries a rewrite at every node that costs time, were it a view's few ns. */
#include "passes/rewritable.h"

#include "graph/compile/program.h"

Scene rewritable_scene(const PassInput *in)
{
    const Model *m = in->program->model;
    return (Scene){.graph = m->graph, .opset = m->opset};
}

void rewritable_find(const PassInput *in, FindingList *out, const char *kind, RewriteKind rewrite)
{
    const double *ns = node_times(out->arena, in);
    const bool *on_npu = program_nodes_on_npu(out->arena, in->program);
    Scene s = rewritable_scene(in);
    for (size_t i = 0; i < s.graph->nnode; i++) {
        bool costs = ns[i] > 0 || (rewrite == REWRITE_DROP_IDENTITY && on_npu[i]);
        /* Of operators on the NPU one does the work; what an island ends is NPU301's. */
        bool is_sum = on_npu[i] && op_is(s.graph->node[i].op_id, OP_Add, OP_Sub);
        if (!costs || (rewrite == REWRITE_SPELL_OUT && !is_sum) ||
            rewrite_refusal(&s, rewrite, (NodeId)i))
            continue;
        Finding *f = finding_at_node(in, out, kind, (NodeId)i, ns[i]);
        finding_text(out, f, "rewrite", rewrite_name(rewrite));
    }
}

/* Finds nodes that weights can hold, parallel Convs, nodes without effect, a LeakyRelu in parts,
 * and late choices. */
#include "passes/rewritable.h"

#include "graph/compile/program.h"
#include "graph/infer/ops.h"

/* Of operators on the NPU one does the work; what an island ends is NPU301's. */
static void find_leaky(const PassInput *in, FindingList *out)
{
    const double *ns = node_times(out->arena, in);
    const bool *on_npu = program_nodes_on_npu(out->arena, in->program);
    Scene s = rewritable_scene(in);
    for (size_t i = 0; i < s.graph->nnode; i++) {
        if (ns[i] <= 0 || !on_npu[i] || !op_is(s.graph->node[i].op_id, OP_Add, OP_Sub) ||
            rewrite_refusal(&s, REWRITE_SPELL_OUT, (NodeId)i))
            continue;
        Finding *f = finding_at_node(in, out, "unfolded", (NodeId)i, ns[i]);
        finding_text(out, f, "rewrite", rewrite_name(REWRITE_SPELL_OUT));
    }
}

void pass_unfolded(const PassInput *in, FindingList *out)
{
    rewritable_find(in, out, "unfolded", REWRITE_FOLD_BN);
    rewritable_find(in, out, "unfolded", REWRITE_JOIN_CONVS);
    rewritable_find(in, out, "unfolded", REWRITE_DROP_IDENTITY);
    find_leaky(in, out);
    rewritable_find(in, out, "late-choice", REWRITE_CHOOSE_FIRST);
}

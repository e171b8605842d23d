/* Finds activations that the NPU computes with lookup tables and its vector engine. */
#include "passes/rewritable.h"

void pass_activations(const PassInput *in, FindingList *out)
{
    const Graph *g = in->program->model->graph;
    for (size_t i = 0; i < g->nnode; i++) {
        Activation a;
        if (!activation_ends_at(g, (NodeId)i, &a) || g->tensor[g->node[i].output[0]].value)
            continue;
        Finding *f = finding_add(out, "activation");
        f->node = (NodeId)i;
        f->tensor = g->node[i].output[0];
        finding_text(out, f, "op", g->node[i].op);
        finding_text(out, f, "activation", a.name);
        finding_text(out, f, "result", g->tensor[f->tensor].name);
        finding_int(out, f, "nodes", a.nnode);
    }
}

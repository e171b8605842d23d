/* Finds outputs that the graph also computes with or that equal another output. */
#include "passes/rewritable.h"

/* The output that holds the same value, of those before this one; noutput when there is none. */
static size_t twin_of(const Graph *g, const NodeId *equal, size_t output)
{
    assert(output < g->noutput);
    for (size_t i = 0; i < output; i++) {
        NodeId a = g->tensor[g->output[i]].producer, b = g->tensor[g->output[output]].producer;
        if (a == NODE_NONE || b == NODE_NONE || g->node[a].output[0] != g->output[i] ||
            g->node[b].output[0] != g->output[output])
            continue;
        NodeId first_a = equal[a] == NODE_NONE ? a : equal[a];
        NodeId first_b = equal[b] == NODE_NONE ? b : equal[b];
        if (first_a == first_b)
            return i;
    }
    return g->noutput;
}

enum { OUTPUTS_COMPARED = 256 }; /* pair by pair */

void pass_redundant_outputs(const PassInput *in, FindingList *out)
{
    const Graph *g = in->program->model->graph;
    const NodeId *equal = rewrite_equal_nodes(out->arena, g);
    for (size_t i = 0; i < g->noutput && g->noutput > 1; i++) {
        const Tensor *t = &g->tensor[g->output[i]];
        size_t twin = i < OUTPUTS_COMPARED ? twin_of(g, equal, i) : g->noutput;
        if ((t->nconsumer == 0 && twin == g->noutput) || t->producer == NODE_NONE)
            continue;
        Finding *f = finding_add(out, "redundant-output");
        f->node = t->producer;
        f->tensor = g->output[i];
        finding_text(out, f, "op", g->node[t->producer].op);
        finding_int(out, f, "index", (int64_t)i);
        finding_text(out, f, "name", t->name);
        finding_text(out, f, "reason", twin < g->noutput ? "duplicate" : "intermediate");
        finding_text(out, f, "twin", twin < g->noutput ? g->tensor[g->output[twin]].name : "");
    }
}

/* Finds convolutions into whose weights the compiler folds a sum with their own input. */
#include "passes/rewritable.h"

static bool adds_values(const Graph *g, const Node *n)
{
    return n->op_id == OP_Add && LIST_ALL(i, n->ninput, !node_input(g, n, i)->value);
}

void pass_own_sums(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    const Graph *g = p->model->graph;
    for (size_t i = 0; i < p->nop; i++) {
        const LowOp *op = &p->op[i];
        bool folded = op->row && op->kind == LOWOP_CONV2D && !strstr(op->row, "Add");
        if (folded && LIST_ANY(k, op->nnode, adds_values(g, &g->node[op->node[k]])))
            finding_at_node(in, out, "own-sum", op->node[0], 0);
    }
}

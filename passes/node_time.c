/* Adds the times of steps and low-level operators to the node that each begins with. */
#include "passes/node_time.h"

/* A view takes a few ticks of the profiler's clock: nothing that going away would gain. */
#define MIN_NS 10.0

/* An operator on the host.  Conversions at the borders name nodes too, which they do not depend on.
 */
static bool is_work(const Step *s)
{
    return (s->host_op == HOST_OPERATOR || s->host_op == HOST_CONTROL) && s->nnode;
}

const double *node_times(Arena *a, const PassInput *in)
{
    const Program *p = in->program;
    double *ns = ARENA_ARRAY(a, double, p->model->graph->nnode + 1);
    for (size_t i = 0; i < p->nstep; i++)
        if (is_work(&p->step[i]) && in->time->step[i].known)
            ns[p->step[i].node[0]] += in->time->step[i].total_ns.mid;
    for (size_t i = 0; i < p->nop; i++)
        if (p->op[i].nnode && !p->op[i].zero_cost)
            ns[p->op[i].node[0]] += in->time->op[i].total_ns.mid;
    for (size_t i = 0; i < p->model->graph->nnode; i++)
        ns[i] = ns[i] < MIN_NS ? 0 : ns[i];
    return ns;
}

Finding *finding_at_node(const PassInput *in, FindingList *out, const char *kind, NodeId node,
                         double ns)
{
    const Graph *g = in->program->model->graph;
    assert(node < g->nnode);
    const Node *n = &g->node[node];
    const Tensor *result = node_output(g, n, 0);
    Finding *f = finding_add(out, kind);
    f->node = node;
    f->tensor = result ? n->output[0] : TENSOR_NONE;
    finding_text(out, f, "op", n->op);
    finding_text(out, f, "result", result ? result->name : "");
    finding_int(out, f, "time-ns", (int64_t)ns);
    return f;
}

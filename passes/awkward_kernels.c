/* Finds pools that need more than one pass and convolutions with too many groups. */
#include "passes/rewritable.h"
#include "passes/messages.h"

static void add_kernel_finding(const PassInput *in, FindingList *out, NodeId node, RewriteKind k,
                               double ns, const Message *shape)
{
    Finding *f = finding_at_node(in, out, "awkward-kernel", node, ns);
    finding_text(out, f, "rewrite", rewrite_name(k));
    finding_message(out, f, "shape", shape);
}

/* The average of the rows would have no scale in a quantized model, and leave the NPU. */
static bool has_no_scale_between(const Program *p, const LowOp *op)
{
    const Graph *g = p->model->graph;
    const Node *n = &g->node[op->node[0]];
    NodeId maker = g->tensor[n->input[0]].producer;
    return p->precision == PRECISION_INT8 && n->op_id == OP_AveragePool &&
           (maker == NODE_NONE || g->node[maker].op_id != OP_DequantizeLinear);
}

/* The vector engine takes a 3x3 window in one pass (graph/compile/compile_lower.c). */
static void add_pools(const PassInput *in, FindingList *out, const Scene *s)
{
    const Program *p = in->program;
    for (size_t i = 0; i < p->nop; i++) {
        const LowOp *op = &p->op[i];
        if (!op->nnode || op->kernel_h * op->kernel_w <= 9 || has_no_scale_between(p, op) ||
            rewrite_refusal(s, REWRITE_SPLIT_KERNEL, op->node[0]))
            continue;
        add_kernel_finding(in, out, op->node[0], REWRITE_SPLIT_KERNEL, in->time->op[i].total_ns.mid,
                           MESSAGE(out->arena, MESSAGE_ID(WINDOW_OF), arg_count(op->kernel_h),
                                   arg_count(op->kernel_w)));
    }
}

static void add_groups(const PassInput *in, FindingList *out, const Scene *s)
{
    const Program *p = in->program;
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *step = &p->step[i];
        if (step->kind != STEP_HOST || step->reason != REASON_CONDITION_FAILED || !step->nnode ||
            rewrite_refusal(s, REWRITE_SPLIT_GROUPS, step->node[0]))
            continue;
        const Node *n = &s->graph->node[step->node[0]];
        add_kernel_finding(in, out, step->node[0], REWRITE_SPLIT_GROUPS,
                           in->time->step[i].total_ns.mid,
                           MESSAGE(out->arena, MESSAGE_ID(GROUPS_ON_HOST),
                                   arg_count(node_attr_int(n, "group", 1))));
    }
}

void pass_awkward_kernels(const PassInput *in, FindingList *out)
{
    Scene s = rewritable_scene(in);
    add_pools(in, out, &s);
    add_groups(in, out, &s);
}

/* Finds every Resize that the host runs because of its mode. */
#include "passes/rewritable.h"

void pass_resize_modes(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    const Graph *g = p->model->graph;
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        if (!(s->kind == STEP_HOST && s->nnode && s->reason == REASON_CONDITION_FAILED &&
              (g->node[s->node[0]].op_id == OP_Resize || g->node[s->node[0]].op_id == OP_Upsample)))
            continue;
        const Node *n = &g->node[s->node[0]];
        Finding *f = finding_at_node(in, out, "resize", s->node[0], in->time->step[i].total_ns.mid);
        f->step = s->id;
        finding_text(out, f, "mode", node_attr_string(n, "mode", "nearest"));
        finding_text(out, f, "coordinates",
                     node_attr_string(n, "coordinate_transformation_mode", "half_pixel"));
        finding_message(out, f, "why-host", s->why);
        finding_message(out, f, "nearest", s->nearest);
    }
}

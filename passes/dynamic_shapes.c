/* Dynamic shapes: what runs on the host only because sizes are not known when the model is
 * compiled? */
#include "passes/losses.h"
#include "passes/surroundings.h"

#include "graph/infer/ops.h"

const Pass pass_dynamic_shapes;

static bool is_dynamic(const Step *s)
{
    return step_is_island(s) &&
           (s->reason == REASON_SHAPE_UNKNOWN || s->reason == REASON_INTEGER_ARITHMETIC);
}

static Finding *write(const PassInput *in, FindingList *out, const Loss *loss)
{
    const Program *p = in->program;
    const Step *s = &p->step[loss->item];
    Finding *f = finding_add(out, &pass_dynamic_shapes, "dynamic-shape");
    f->step = s->id;
    f->node = s->nnode ? s->node[0] : NODE_NONE;
    finding_text(out, f, "op", s->op);
    finding_said(out, f, "why-host", s->why);
    finding_text(out, f, "known", in->time->step[s->id].known ? "yes" : "no");
    return f;
}

static bool multiplies(const Graph *g, const Step *s)
{
    return s->nnode && op_info(g->node[s->node[0]].op_id)->op_class == CLASS_MAC;
}

static bool has_products(const Program *p)
{
    for (size_t i = 0; i < p->nop; i++)
        if (p->op[i].macs > 0)
            return true;
    return false;
}

/* What ends a network (boxes that pass a threshold) depends on the picture by its nature; only what
 * keeps products off the NPU, or from one another, is of interest. */
static void run(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    const bool *before = steps_before_products(out->arena, p), any = has_products(p);
    LossList lost = {0};
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        if (!is_dynamic(s) || (any && !before[i] && !multiplies(p->model->graph, s)))
            continue;
        const StepPrediction *t = &in->time->step[i];
        losses_add(out->arena, &lost, s->id, reason_key(s->reason), t->known ? t->total_ns.mid : 0);
    }
    losses_write(in, out, &lost, write);
}

const Pass pass_dynamic_shapes = {
    .name = "dynamic-shapes",
    .asks = "what runs on the host only because sizes are not known when the model is compiled?",
    .run = run,
};

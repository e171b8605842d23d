/* Finds operators that run on the host only because their sizes are unknown. */
#include "passes/pass.h"
#include "passes/surroundings.h"

static bool is_dynamic(const Step *s)
{
    return surroundings_is_island(s) &&
           (s->reason == REASON_SHAPE_UNKNOWN || s->reason == REASON_SHAPE_CONFLICT ||
            s->reason == REASON_INTEGER_ARITHMETIC);
}

/* Of all operators with one reason. */
typedef struct {
    int64_t count;
    double ns;
} Sum;

static double known_ns(const PassInput *in, const Step *s)
{
    const StepPrediction *t = &in->time->step[s->id];
    return t->known ? t->total_ns.mid : 0;
}

static void add_dynamic_step(const PassInput *in, FindingList *out, const Step *s,
                             const Sum *of_reason)
{
    const Graph *g = in->program->model->graph;
    Finding *f = finding_add(out, "dynamic-shape");
    f->step = s->id;
    f->node = s->nnode ? s->node[0] : NODE_NONE;
    const Tensor *result = s->nnode ? node_output(g, &g->node[s->node[0]], 0) : NULL;
    finding_text(out, f, "op", s->op);
    finding_text(out, f, "sizes", s->reason == REASON_SHAPE_CONFLICT ? "consistent" : "fixed");
    finding_message(out, f, "why-host", s->why);
    finding_text(out, f, "result", result ? result->name : "");
    finding_text(out, f, "known", in->time->step[s->id].known ? "yes" : "no");
    finding_text(out, f, "cause", reason_key(s->reason));
    finding_int(out, f, "lost-ns", (int64_t)known_ns(in, s));
    finding_int(out, f, "cause-ns", (int64_t)of_reason->ns);
    finding_int(out, f, "cause-count", of_reason->count);
}

/* The end of a network (boxes that pass a threshold) depends on the image by its nature; only steps
 * that keep products off the NPU, or from one another, are of interest. */
void pass_dynamic_shapes(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    const bool *before = surroundings_before_products(out->arena, p),
               any = LIST_ANY(i, p->nop, p->op[i].macs > 0);
    bool *found = ARENA_ARRAY(out->arena, bool, p->nstep + 1);
    Sum sum[REASON_COUNT] = {{0}};
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        found[i] = is_dynamic(s) && (!any || before[i] || surroundings_multiplies(p, s));
        if (!found[i])
            continue;
        assert(s->reason < REASON_COUNT);
        sum[s->reason].count++;
        sum[s->reason].ns += known_ns(in, s);
    }
    for (size_t i = 0; i < p->nstep; i++)
        if (found[i])
            add_dynamic_step(in, out, &p->step[i], &sum[p->step[i].reason]);
}

/* Host tail: which operators end the graph on the host, and where does the NPU's part end? */
#include "passes/pass.h"
#include "graph/model/model.h"
#include "passes/surroundings.h"

#include <string.h>

enum { CUTS_MOST = 64, OPS_TEXT_MOST = 60 }; /* tensors: nobody rewires more by hand */

/* What the tail is made of. */
typedef struct {
    bool *node;             /* per ONNX node: it is in the tail */
    int64_t nodes, unknown; /* on the host; steps of unknown cost */
    double ns;
    const char *ops; /* distinct operator types, as many as fit a line */
    NodeId first;
} Tail;

const Pass pass_host_tail;

static void name_op(Arena *a, Tail *t, const char *op)
{
    size_t len = strlen(op);
    for (const char *s = t->ops; *s; s += strspn(s, ", ")) {
        size_t word = strcspn(s, ",");
        if (word == len && strncmp(s, op, len) == 0)
            return;
        s += word;
    }
    if (strlen(t->ops) + len < OPS_TEXT_MOST)
        t->ops = arena_printf(a, "%s%s%s", t->ops, *t->ops ? ", " : "", op);
}

static void add_step(Arena *a, const PassInput *in, Tail *t, const Step *s)
{
    const StepPrediction *time = &in->time->step[s->id];
    for (uint32_t k = 0; k < s->nnode; k++)
        t->node[s->node[k]] = true;
    if (s->nnode && t->first == NODE_NONE)
        t->first = s->node[0];
    t->unknown += !time->known;
    t->ns += time->known ? time->total_ns.mid : 0;
    if (step_is_island(s)) {
        t->nodes += s->nnode;
        name_op(a, t, s->op);
    }
}

/* Operators on the host behind which nothing multiplies, and all that comes after them. */
static Tail find_tail(Arena *a, const PassInput *in)
{
    const Program *p = in->program;
    const bool *after = steps_after_npu(a, p), *before = steps_before_products(a, p);
    bool *in_tail = ARENA_ARRAY(a, bool, p->nstep + 1);
    Tail t = {
        .node = ARENA_ARRAY(a, bool, p->model->graph->nnode + 1), .ops = "", .first = NODE_NONE};
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        in_tail[i] = step_is_island(s) && after[i] && !before[i];
        for (uint32_t d = 0; d < s->ndep && !in_tail[i]; d++)
            in_tail[i] = in_tail[s->dep[d]];
        if (in_tail[i])
            add_step(a, in, &t, s);
    }
    return t;
}

/* Computed by the part that stays, and read by the tail. */
static bool is_border(const Graph *g, const Tail *tail, TensorId id)
{
    const Tensor *t = &g->tensor[id];
    if (t->value || t->is_initializer || t->producer == NODE_NONE || tail->node[t->producer])
        return false;
    for (uint32_t k = 0; k < t->nconsumer; k++)
        if (tail->node[t->consumer[k]])
            return true;
    return false;
}

static void add_cut(FindingList *out, const Graph *g, const Tail *tail, TensorId cut, size_t cuts)
{
    Finding *f = finding_add(out, &pass_host_tail, "host-tail");
    f->tensor = cut;
    f->node = tail->first;
    finding_text(out, f, "op", g->node[tail->first].op);
    finding_text(out, f, "cut", g->tensor[cut].name);
    finding_text(out, f, "shape", shape_text(out->arena, &g->tensor[cut].shape));
    finding_text(out, f, "ops", tail->ops);
    finding_int(out, f, "nodes", tail->nodes);
    finding_int(out, f, "unknown", tail->unknown);
    finding_int(out, f, "cuts", (int64_t)cuts);
    finding_int(out, f, "time-ns", (int64_t)tail->ns);
}

static void run(const PassInput *in, FindingList *out)
{
    const Graph *g = in->program->model->graph;
    Tail tail = find_tail(out->arena, in);
    TensorId cut[CUTS_MOST];
    size_t n = 0;
    for (size_t t = 0; t < g->ntensor && tail.nodes; t++) {
        if (!is_border(g, &tail, (TensorId)t))
            continue;
        if (n == CUTS_MOST)
            return;
        cut[n++] = (TensorId)t;
    }
    for (size_t i = 0; i < n; i++)
        add_cut(out, g, &tail, cut[i], n);
}

const Pass pass_host_tail = {
    .name = "host-tail",
    .asks = "which operators end the graph on the host, and where does the NPU's part end?",
    .run = run,
};

/* Lists well-known operator sequences and how much of each runs on the host. */
#include "passes/pass.h"
#include "passes/patterns.h"
#include "passes/surroundings.h"

/* Of all nodes that end together. */
typedef struct {
    int64_t nodes, host_nodes;
    double ns;
} Instance;

static void add_host(const PassInput *in, const Patterns *p, Instance *at)
{
    for (size_t i = 0; i < in->program->nstep; i++) {
        const Step *s = &in->program->step[i];
        if (!surroundings_is_island(s) || !s->nnode || !p->name[s->node[0]])
            continue;
        assert(p->end[s->node[0]] < in->program->model->graph->nnode);
        Instance *x = &at[p->end[s->node[0]]];
        x->host_nodes += s->nnode;
        x->ns += in->time->step[i].known ? in->time->step[i].total_ns.mid : 0;
    }
}

void pass_sequences(const PassInput *in, FindingList *out)
{
    const Graph *g = in->program->model->graph;
    const Patterns p = patterns_find(out->arena, g);
    Instance *at = ARENA_ARRAY(out->arena, Instance, g->nnode + 1);
    for (size_t i = 0; i < g->nnode; i++)
        if (p.name[i])
            at[p.end[i]].nodes++;
    add_host(in, &p, at);
    for (size_t i = 0; i < g->nnode; i++) {
        if (!at[i].nodes)
            continue;
        Finding *f = finding_add(out, "sequence");
        f->node = (NodeId)i;
        finding_text(out, f, "what", p.name[i]);
        finding_int(out, f, "nodes", at[i].nodes);
        finding_int(out, f, "host-nodes", at[i].host_nodes);
        finding_int(out, f, "time-ns", (int64_t)at[i].ns);
    }
}

/* Marks the steps and conversions that disappear, and adds up the times of the rest. */
#include "advisor/candidate/removal_bound.h"

#include "cost_model/costs.h"
#include "cost_model/interval.h"
#include "cost_model/predict.h"
#include "passes/surroundings.h"

/* The removed steps. Those that touch are one group. */
typedef struct {
    Arena *a;
    const Program *p;
    bool *gone;           /* per step */
    bool *crosses;        /* per program tensor: between a removed step and one that stays */
    StepId *root;         /* per step: of its group */
    bool *after, *before; /* per root: an NPU task leads into the group, or out of it */
} Gap;

static bool is_transfer(const Step *s)
{
    return s->kind == STEP_H2D || s->kind == STEP_D2H;
}

static bool is_conversion(const Step *s)
{
    return is_transfer(s) || (s->kind == STEP_HOST && s->reason == REASON_ISLAND_EDGE);
}

static void mark_operators(const Gap *g, const Variant *v)
{
    const Graph *graph = g->p->model->graph;
    bool *node = ARENA_ARRAY(g->a, bool, graph->nnode + 1);
    for (size_t i = 0; i < v->nwithout; i++) {
        uint32_t t = strmap_get(&graph->by_name, v->without[i]);
        if (t != STRMAP_NONE && graph->tensor[t].producer != NODE_NONE)
            node[graph->tensor[t].producer] = true;
    }
    for (size_t i = 0; i < g->p->nstep; i++) {
        const Step *s = &g->p->step[i];
        for (uint32_t k = 0; k < s->nnode && surroundings_is_island(s); k++)
            g->gone[i] |= node[s->node[k]];
    }
}

static bool follows_neighbour(const Step *s)
{
    return surroundings_is_island(s) && s->reason == REASON_NO_NPU_WORK;
}

/* Operators on the host only for lack of NPU work beside them follow their neighbour. */
static bool pull_neighbours(const Gap *g, size_t i)
{
    bool more = false;
    const Step *s = &g->p->step[i];
    for (uint32_t d = 0; d < s->ndep; d++) {
        StepId from = s->dep[d];
        bool later = g->gone[from] && !g->gone[i] && follows_neighbour(s);
        bool earlier = g->gone[i] && !g->gone[from] && follows_neighbour(&g->p->step[from]);
        g->gone[i] |= later;
        g->gone[from] |= earlier;
        more |= later || earlier;
    }
    return more;
}

static void mark_followers(const Gap *g)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < g->p->nstep; i++)
            more |= pull_neighbours(g, i);
        for (size_t i = g->p->nstep; i-- > 0;)
            more |= pull_neighbours(g, i);
    }
}

/* True for data read back from one task for the next, because of an operator on the host. */
static bool is_round_trip(const Program *p, const Step *s)
{
    return s->kind == STEP_H2D && s->ndep > 0 &&
           LIST_ALL(d, s->ndep, p->step[s->dep[d]].kind == STEP_D2H);
}

/* Conversions that only removed steps read or make. */
static void mark_conversions(const Gap *g)
{
    const Program *p = g->p;
    uint32_t *stay = ARENA_ARRAY(g->a, uint32_t, p->nstep + 1);
    uint32_t *leave = ARENA_ARRAY(g->a, uint32_t, p->nstep + 1);
    for (size_t i = p->nstep; i-- > 0;) {
        g->gone[i] |= is_conversion(&p->step[i]) && leave[i] && !stay[i];
        for (uint32_t d = 0; d < p->step[i].ndep; d++) {
            stay[p->step[i].dep[d]] += !g->gone[i] && !is_round_trip(p, &p->step[i]);
            leave[p->step[i].dep[d]] += g->gone[i];
        }
    }
    for (size_t i = 0; i < p->nstep; i++) {
        bool all = p->step[i].ndep > 0 && is_conversion(&p->step[i]) &&
                   LIST_ALL(d, p->step[i].ndep, g->gone[p->step[i].dep[d]]);
        g->gone[i] |= all;
    }
}

/* The padding of an input's width, without its other conversions. */
static void mark_padding(const Gap *g, const Variant *v)
{
    const Graph *graph = g->p->model->graph;
    for (size_t i = 0; i < g->p->nstep; i++) {
        const Step *s = &g->p->step[i];
        bool pads = s->kind == STEP_HOST && s->io == IO_INPUT &&
                    (s->host_op == HOST_PAD || s->host_op == HOST_LOWER);
        for (size_t k = 0; k < v->nwithout && pads; k++)
            g->gone[i] |= strmap_get(&graph->by_name, v->without[k]) == graph->input[s->io_index];
    }
}

/* The conversions between the NPU and the inputs and outputs. */
static void mark_borders(const Gap *g)
{
    for (size_t i = 0; i < g->p->nstep; i++) {
        const Step *s = &g->p->step[i];
        g->gone[i] |= s->kind == STEP_HOST && s->io != IO_NONE && !surroundings_is_island(s);
    }
}

static StepId step_root(const Gap *g, size_t s)
{
    while (g->root[s] != s)
        s = g->root[s] = g->root[g->root[s]];
    return (StepId)s;
}

/* Inputs and outputs of the graph. */
static bool is_border(const Program *p, PTensorId id)
{
    TensorId t = p->tensor[id].tensor;
    const Tensor *x = t == TENSOR_NONE ? NULL : &p->model->graph->tensor[t];
    return x && (x->is_input || x->is_output);
}

/* Without boundary conversions, tensors at inputs and outputs are not converted. */
static void mark_crossings(const Gap *g, bool borders_convert)
{
    for (size_t i = 0; i < g->p->nstep; i++) {
        const Step *s = &g->p->step[i];
        for (uint32_t k = 0; k < s->ninput; k++) {
            StepId from = g->p->tensor[s->input[k]].producer;
            bool made = from != STEP_NONE && g->gone[from];
            bool fed = from == STEP_NONE && !borders_convert && is_border(g->p, s->input[k]);
            g->crosses[s->input[k]] |= made != g->gone[i] && !fed;
        }
        for (uint32_t k = 0; k < s->noutput && g->gone[i]; k++)
            g->crosses[s->output[k]] |= borders_convert && is_border(g->p, s->output[k]);
    }
}

static void join_groups(const Gap *g)
{
    const Program *p = g->p;
    for (size_t i = 0; i < p->nstep; i++)
        g->root[i] = (StepId)i;
    for (size_t i = 0; i < p->nstep; i++)
        for (uint32_t d = 0; d < p->step[i].ndep; d++)
            if (g->gone[i] && g->gone[p->step[i].dep[d]])
                g->root[step_root(g, i)] = step_root(g, p->step[i].dep[d]);
    for (size_t i = 0; i < p->nstep; i++)
        for (uint32_t d = 0; d < p->step[i].ndep; d++) {
            StepId from = p->step[i].dep[d];
            if (g->gone[i] && p->step[from].kind == STEP_NPU)
                g->after[step_root(g, i)] = true;
            if (g->gone[from] && p->step[i].kind == STEP_NPU)
                g->before[step_root(g, from)] = true;
        }
}

/* The tensors between a group and the host, or those converted for it now. */
typedef struct {
    double tensors, elements;
} Crossing;

static void add_crossing(const Gap *g, const Step *s, bool out, Crossing *sum)
{
    const PTensorId *id = out ? s->output : s->input;
    uint32_t n = out ? s->noutput : s->ninput;
    for (uint32_t k = 0; k < n; k++)
        if (g->crosses[id[k]]) {
            sum->tensors++;
            sum->elements += (double)g->p->tensor[id[k]].elements;
        }
}

/* A group with the NPU on one side still needs conversions on the other: as shares of those now.
 * Tensors count how often a conversion starts, elements its remaining time. */
static Crossing share_that_stays(const Gap *g, StepId root)
{
    Crossing now = {0, 0}, then = {0, 0};
    if (g->after[root] == g->before[root])
        return now;
    for (size_t i = 0; i < g->p->nstep; i++) {
        const Step *s = &g->p->step[i];
        if (!g->gone[i] || step_root(g, i) != root)
            continue;
        if (is_transfer(s)) {
            now.tensors++;
            now.elements += (double)s->elements;
        } else if (surroundings_is_island(s)) {
            add_crossing(g, s, g->after[root], &then);
        }
    }
    return (Crossing){now.tensors > 0 ? fmin(1, then.tensors / now.tensors) : 0,
                      now.elements > 0 ? fmin(1, then.elements / now.elements) : 0};
}

/* The share of a conversion's time that does not depend on its size. */
static double start_share(const RemovalBound *x, const Step *s, double ns)
{
    const HostCost *law =
        is_transfer(s) ? NULL : costs_for_host(x->costs, x->program->options.sdk, s);
    double start = is_transfer(s) ? x->costs->pcie_ns.mid : law ? law->fixed_ns.mid : 0;
    return ns > 0 ? fmin(1, start / ns) : 0;
}

/* Sets the times of removed steps to zero, or to the remaining share. */
static double take_away(const RemovalBound *x, const Gap *g, Prediction *t)
{
    double count = 0;
    for (size_t i = 0; i < g->p->nstep; i++) {
        const Step *s = &g->p->step[i];
        if (!g->gone[i])
            continue;
        bool whole = x->most || surroundings_is_island(s);
        Crossing stays = whole ? (Crossing){0, 0} : share_that_stays(g, step_root(g, i));
        double start = start_share(x, s, t->step[i].total_ns.mid);
        t->step[i].total_ns = interval_scale(t->step[i].total_ns,
                                             start * stays.tensors + (1 - start) * stays.elements);
        t->step[i].known = true;
        count += 1 - stays.tensors;
    }
    return count;
}

/* Share of the NPU tasks that join others once nothing is between them. */
static double tasks_joined(const Gap *g)
{
    const Program *p = g->p;
    double tasks = 0, left = 0;
    for (size_t i = 0; i < p->nstep; i++)
        for (uint32_t d = 0; d < p->step[i].ndep; d++)
            if (g->gone[i] != g->gone[p->step[i].dep[d]] &&
                (p->step[i].kind == STEP_NPU || p->step[p->step[i].dep[d]].kind == STEP_NPU))
                g->root[step_root(g, i)] = step_root(g, p->step[i].dep[d]);
    bool *seen = ARENA_ARRAY(g->a, bool, p->nstep + 1);
    for (size_t i = 0; i < p->nstep; i++) {
        if (p->step[i].kind != STEP_NPU)
            continue;
        tasks++;
        left += !seen[step_root(g, i)];
        seen[step_root(g, i)] = true;
    }
    return tasks > 0 ? 1 - left / tasks : 0;
}

/* In a replay, launches are part of the runtime overhead. */
static void shorten_gaps(Prediction *t, double stages, double tasks)
{
    bool apart = t->gap_part[REST_LAUNCH].mid > 0;
    double handoff = t->gap_part[REST_HANDOFF].mid - (apart ? 0 : t->launch_ns);
    double less = fmax(0, handoff) * stages + t->launch_ns * tasks;
    double whole = apart ? t->gap_part[REST_HANDOFF].mid : t->gap_ns.mid;
    double rest = apart ? handoff * stages : less;
    if (whole > 0)
        t->gap_part[REST_HANDOFF] =
            interval_scale(t->gap_part[REST_HANDOFF], fmax(0, 1 - rest / whole));
    t->gap_part[REST_LAUNCH] = interval_scale(t->gap_part[REST_LAUNCH], 1 - tasks);
    t->launch_ns *= 1 - tasks;
    t->submit_ns *= 1 - tasks;
    if (t->gap_ns.mid > 0)
        t->gap_ns = interval_scale(t->gap_ns, fmax(0, 1 - less / t->gap_ns.mid));
}

static double host_ns(const Program *p, const Prediction *t)
{
    return LIST_SUM(double, i, p->nstep,
                    p->step[i].kind == STEP_HOST ? t->step[i].total_ns.mid : 0);
}

/* Removed steps do not scatter: `share` of the host's time remains. */
static void take_scatter(Prediction *t, double share)
{
    double less = fmin(t->host_skew_ns * (1 - share), fmax(0, t->unattributed_ns.mid));
    t->host_more_ns *= share;
    t->host_skew_ns *= share;
    t->unattributed_ns = interval_add(t->unattributed_ns, interval_exact(-less));
    t->unattributed_ns.lo = fmax(t->unattributed_ns.lo, fmin(0, t->unattributed_ns.mid));
    t->waiting_ns = fmax(0, fmin(t->waiting_ns, t->unattributed_ns.mid));
}

void removal_bound_apply(const RemovalBound *x, Prediction *t)
{
    const Program *p = x->program;
    Arena *a = arena_new(0);
    Gap g = {a,
             p,
             ARENA_ARRAY(a, bool, p->nstep + 1),
             ARENA_ARRAY(a, bool, p->ntensor + 1),
             ARENA_ARRAY(a, StepId, p->nstep + 1),
             ARENA_ARRAY(a, bool, p->nstep + 1),
             ARENA_ARRAY(a, bool, p->nstep + 1)};
    double before = host_ns(p, t);
    mark_operators(&g, x->variant);
    if (x->most)
        mark_followers(&g);
    mark_conversions(&g);
    mark_padding(&g, x->variant);
    if (x->variant->without_borders)
        mark_borders(&g);
    mark_crossings(&g, !x->variant->without_borders);
    join_groups(&g);
    double gone = take_away(x, &g, t);
    shorten_gaps(t, p->nstep > 1 ? fmin(1, gone / ((double)p->nstep - 1)) : 0, tasks_joined(&g));
    take_scatter(t, before > 0 ? host_ns(p, t) / before : 1);
    predict_totals(p, x->costs, &x->variant->run, t);
    arena_free(a);
}

/* Marks the nodes downstream of a cut and adds up their time on the host. */
#include "advisor/candidate/cut_cost.h"

#include "cost_model/interval.h"
#include "graph/edit/edit.h"
#include "graph/infer/ops.h"

#include <math.h>
#include <string.h>

static double activation_bytes(const Graph *g, TensorId t)
{
    if (t == TENSOR_NONE || g->tensor[t].is_initializer || g->tensor[t].value)
        return 0;
    int64_t n = shape_max_elements(&g->tensor[t].shape);
    return n == DIM_UNKNOWN ? 0 : (double)n * 4;
}

/* Each operator touches every element once; views and shape operators none. */
static double operator_ns(const Graph *g, const Node *n, const Costs *c)
{
    OpClass class = op_info(n->op_id)->op_class;
    double bytes = 0;
    for (uint32_t k = 0; k < n->noutput; k++)
        bytes += activation_bytes(g, n->output[k]);
    if (class == CLASS_VIEW || bytes == 0)
        return 0;
    for (uint32_t k = 0; k < n->ninput && class != CLASS_SHAPE; k++)
        bytes += activation_bytes(g, n->input[k]);
    double macs = fmax(0, (double)node_macs(g, n));
    return c->app_op_ns.mid + bytes * c->app_ns_per_byte.mid + macs * c->app_mac_ns.mid;
}

static bool quantized_has_one_scale(const CompileOptions *o, const char *name)
{
    for (size_t i = 0; i < o->noutput_dtype; i++)
        if (strcmp(o->output_dtype[i].name, name) == 0)
            return o->output_dtype[i].dtype == DT_INT8 || o->output_dtype[i].dtype == DT_UINT8;
    return false;
}

void cut_cost_mark_nodes(const Graph *g, const char *tensor, bool *node)
{
    uint32_t t = strmap_get(&g->by_name, tensor);
    for (uint32_t k = 0; t != STRMAP_NONE && k < g->tensor[t].nconsumer; k++)
        node[g->tensor[t].consumer[k]] = true;
    for (size_t i = 0; i < g->nnode; i++) /* in topological order: once is enough */
        for (uint32_t k = 0; node[i] && k < g->node[i].noutput; k++) {
            TensorId out = g->node[i].output[k];
            for (uint32_t j = 0; out != TENSOR_NONE && j < g->tensor[out].nconsumer; j++)
                node[g->tensor[out].consumer[j]] = true;
        }
}

/* Nodes that depend on a cut, and the bytes of the cuts. */
static bool *nodes_after_cuts(Arena *a, const Graph *g, const CompileOptions *o, double *ret_bytes)
{
    bool *node = ARENA_ARRAY(a, bool, g->nnode + 1);
    for (size_t i = 0; i < o->nedit; i++) {
        uint32_t t = strmap_get(&g->by_name, o->edit[i].where);
        if (o->edit[i].kind != EDIT_CUT_TAIL || t == STRMAP_NONE)
            continue;
        *ret_bytes +=
            activation_bytes(g, t) / (quantized_has_one_scale(o, o->edit[i].where) ? 4 : 1);
        cut_cost_mark_nodes(g, o->edit[i].where, node);
    }
    return node;
}

static double images_of(const CompileOptions *o)
{
    return o->batch > 1 ? (double)o->batch : 1;
}

static double macs_after_cuts(const Graph *g, const bool *behind)
{
    double macs = 0;
    for (size_t i = 0; i < g->nnode; i++)
        if (behind[i])
            macs += fmax(0, (double)node_macs(g, &g->node[i]));
    return macs;
}

Interval cut_cost_ns(Arena *scratch, const Model *m, const CompileOptions *o, const Costs *c)
{
    double bytes = 0, images = images_of(o), rest = 0;
    const bool *behind = nodes_after_cuts(scratch, m->graph, o, &bytes);
    for (size_t i = 0; i < m->graph->nnode; i++)
        if (behind[i])
            rest += operator_ns(m->graph, &m->graph->node[i], c);
    Interval pass = interval_scale(c->pass_ns_per_byte, bytes * images);
    Interval least = interval_add(
        pass, interval_scale(c->app_mac_ns, macs_after_cuts(m->graph, behind) * images));
    return (Interval){least.lo, least.mid, fmax(fmax(pass.hi, least.mid), rest * images)};
}

double cut_cost_macs(Arena *scratch, const Model *m, const CompileOptions *o)
{
    double bytes = 0;
    return macs_after_cuts(m->graph, nodes_after_cuts(scratch, m->graph, o, &bytes)) * images_of(o);
}

/* Adds up the tail after cuts, the scaling and the layouts that a trial leaves to the application.
 */
#include "advisor/candidate/application_share.h"

#include "cost_model/costs.h"
#include "cost_model/interval.h"
#include "graph/compile/program.h"
#include "graph/edit/edit.h"
#include "graph/infer/ops.h"
#include "graph/model/model.h"

/* A variant of a graph, of which one task holds so many images. */
typedef struct {
    const Model *m;
    const CompileOptions *o;
    const Costs *c;
    double images;
} Share;

static double tensor_bytes(const Graph *g, TensorId t)
{
    if (t == TENSOR_NONE || g->tensor[t].is_initializer || g->tensor[t].value)
        return 0;
    int64_t n = shape_max_elements(&g->tensor[t].shape);
    return n == DIM_UNKNOWN ? 0 : (double)n * 4;
}

static bool serves_choice_alone(const Graph *g, const Node *n)
{
    const Tensor *y = node_output(g, n, 0);
    bool keeps = n->op_id == OP_Softmax || n->op_id == OP_LogSoftmax || n->op_id == OP_Sigmoid;
    return keeps && y && y->nconsumer > 0 &&
           !LIST_ANY(i, y->nconsumer, g->node[y->consumer[i]].op_id != OP_ArgMax);
}

/* As on the runtime's host, if the operator has a law; else it touches every element once.  Views
 * and shape operators touch none; codes are made and read as a Cast makes and reads numbers. */
static double operator_ns(Arena *scratch, const Model *m, const Node *n, const Costs *c)
{
    const Graph *g = m->graph;
    OpClass class = op_info(n->op_id)->op_class;
    double out = LIST_SUM(double, k, n->noutput, tensor_bytes(g, n->output[k]));
    bool is_coding = op_is(n->op_id, OP_QuantizeLinear, OP_DequantizeLinear);
    if (class == CLASS_VIEW || out == 0 || serves_choice_alone(g, n))
        return 0;
    uint32_t ninput = class == CLASS_SHAPE ? 0 : n->ninput;
    double in = LIST_SUM(double, k, ninput, tensor_bytes(g, n->input[k]));
    double macs = fmax(0, (double)node_macs(g, n));
    Step s = {.host_op = HOST_OPERATOR,
              .op = is_coding ? "Cast" : n->op,
              .finer = program_host_form(scratch, m, n),
              .elements = (int64_t)(fmax(in, out) / 4),
              .bytes_in = (int64_t)in,
              .bytes_out = (int64_t)out,
              .macs = (int64_t)macs};
    const HostCost *law = costs_for_host(c, SDK_NEWEST, &s);
    return law && law->of_operator
               ? costs_host_ns(law, &s).mid
               : c->app_op_ns.mid + (in + out) * c->app_ns_per_byte.mid + macs * c->app_mac_ns.mid;
}

static bool returns_codes(const CompileOptions *o, const char *name)
{
    return LIST_VALUE(i, o->noutput_dtype, strcmp(o->output_dtype[i].name, name) == 0,
                      o->output_dtype[i].dtype == DT_INT8 || o->output_dtype[i].dtype == DT_UINT8,
                      false);
}

void application_mark_nodes(const Graph *g, const char *tensor, bool *node)
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

/* The nodes that depend on a cut, and the bytes of the cuts. */
static bool *nodes_of_tail(Arena *a, const Graph *g, const CompileOptions *o, double *ret_bytes)
{
    bool *node = ARENA_ARRAY(a, bool, g->nnode + 1);
    for (size_t i = 0; i < o->nedit; i++) {
        uint32_t t = strmap_get(&g->by_name, o->edit[i].where);
        if (o->edit[i].kind != EDIT_CUT_TAIL || t == STRMAP_NONE)
            continue;
        *ret_bytes += tensor_bytes(g, t) / (returns_codes(o, o->edit[i].where) ? 4 : 1);
        application_mark_nodes(g, o->edit[i].where, node);
    }
    return node;
}

static double images_of(const CompileOptions *o)
{
    return o->batch > 1 ? (double)o->batch : 1;
}

static double macs_of(const Graph *g, const bool *node)
{
    return LIST_SUM(double, i, g->nnode, node[i] ? fmax(0, (double)node_macs(g, &g->node[i])) : 0);
}

double application_macs(Arena *scratch, const Model *m, const CompileOptions *o)
{
    double bytes = 0;
    return macs_of(m->graph, nodes_of_tail(scratch, m->graph, o, &bytes)) * images_of(o);
}

/* ---- tails ---- */

enum { ANCHORS_MIN = 100, VALUES_MIN = 4 };

/* The anchors of an output N x values or values x N, for each of which boxes or classes are given;
 * 0: it has none. */
static int64_t anchors_of(const Shape *s)
{
    if (s->rank < 2 || s->rank > 3)
        return 0;
    int64_t x = s->dim[s->rank - 2].value, y = s->dim[s->rank - 1].value;
    int64_t anchors = x > y ? x : y, values = x > y ? y : x;
    return anchors >= ANCHORS_MIN && values >= VALUES_MIN ? anchors : 0;
}

/* The anchors of a detector whose head the tail is: levels are joined, and scores squashed. */
static int64_t detector_anchors(const Graph *g, const bool *tail)
{
    bool joins = false, scores = false;
    int64_t anchors = 0;
    for (size_t i = 0; i < g->nnode; i++) {
        if (!tail[i])
            continue;
        joins |= g->node[i].op_id == OP_Concat;
        scores |= g->node[i].op_id == OP_Sigmoid || g->node[i].op_id == OP_Softmax;
    }
    for (size_t i = 0; i < g->noutput && joins && scores; i++) {
        TensorId t = g->output[i];
        NodeId from = g->tensor[t].producer;
        int64_t n = from != NODE_NONE && tail[from] ? anchors_of(&g->tensor[t].shape) : 0;
        anchors = n > anchors ? n : anchors;
    }
    return anchors;
}

/* What of the tail's work is left where few boxes are likely: 1 where it is no detector's head. */
static double share_of_head(const Graph *g, const bool *tail)
{
    int64_t anchors = detector_anchors(g, tail);
    return anchors ? fmin(1, EDIT_BOXES_KEPT / (double)anchors) : 1;
}

static Interval tail_ns(const Share *s)
{
    Arena *scratch = arena_new(0);
    double bytes = 0, all = 0;
    const bool *tail = nodes_of_tail(scratch, s->m->graph, s->o, &bytes);
    for (size_t i = 0; i < s->m->graph->nnode; i++)
        if (tail[i])
            all += operator_ns(scratch, s->m, &s->m->graph->node[i], s->c);
    double lo = bytes * s->c->pass_ns_per_byte.mid, hi = fmax(lo, all);
    double mid = fmin(hi, lo + hi * share_of_head(s->m->graph, tail));
    arena_free(scratch);
    return interval_scale((Interval){lo, mid, hi}, s->images);
}

/* ---- scaling and layout ---- */

static bool was_of_type(const CompileOptions *now, const IoType *t)
{
    return LIST_VALUE(i, now->noutput_dtype, !strcmp(now->output_dtype[i].name, t->name),
                      now->output_dtype[i].dtype == t->dtype, false);
}

static bool is_cut(const CompileOptions *o, const char *name)
{
    return LIST_ANY(i, o->nedit,
                    o->edit[i].kind == EDIT_CUT_TAIL && !strcmp(o->edit[i].where, name));
}

/* Outputs that the runtime no longer turns into floats; those of a cut are in the tail's input. */
static Interval scaling_ns(const Share *s, const CompileOptions *now)
{
    double lo = 0, hi = 0;
    for (size_t i = 0; i < s->o->noutput_dtype; i++) {
        const IoType *x = &s->o->output_dtype[i];
        uint32_t t = strmap_get(&s->m->graph->by_name, x->name);
        if (t == STRMAP_NONE || !returns_codes(s->o, x->name) || was_of_type(now, x) ||
            is_cut(s->o, x->name))
            continue;
        double bytes = tensor_bytes(s->m->graph, t);
        lo += bytes / 4 * s->c->pass_ns_per_byte.mid;
        hi += s->c->app_op_ns.mid + bytes * (1 + 1.0 / 4) * s->c->app_ns_per_byte.mid;
    }
    return interval_scale((Interval){lo, lo, fmax(lo, hi)}, s->images);
}

/* Outputs whose axes or width the application puts back; a detector's head only where it looks. */
static Interval layout_ns(const Share *s, const CompileOptions *now)
{
    Arena *scratch = arena_new(0);
    double lo = 0, mid = 0, hi = 0, unused = 0;
    double share = share_of_head(s->m->graph, nodes_of_tail(scratch, s->m->graph, s->o, &unused));
    arena_free(scratch);
    for (size_t i = now->nedit; i < s->o->nedit; i++) {
        const Edit *e = &s->o->edit[i];
        uint32_t t = strmap_get(&s->m->graph->by_name, e->where);
        bool is_layout = e->kind == EDIT_PERMUTE_OUTPUT || e->kind == EDIT_PAD_OUTPUT;
        double bytes = is_layout && t != STRMAP_NONE ? tensor_bytes(s->m->graph, t) : 0;
        if (!(bytes > 0))
            continue;
        bytes /= returns_codes(s->o, e->where) ? 4 : 1;
        double pass = bytes * s->c->pass_ns_per_byte.mid,
               copy = fmax(pass, s->c->app_op_ns.mid + 2 * bytes * s->c->app_ns_per_byte.mid);
        lo += pass;
        mid += is_cut(s->o, e->where) ? fmin(copy, pass + copy * share) : copy;
        hi += copy;
    }
    return interval_scale((Interval){lo, mid, hi}, s->images);
}

/* ---- layouts of the NPU, which compiler keys expose ---- */

/* Conversions of an input or output. */
static double conversions_ns(const Program *p, const Prediction *t, IoKind side)
{
    return LIST_SUM(double, i, p->nstep,
                    p->step[i].kind == STEP_HOST && p->step[i].io == side ? t->step[i].total_ns.mid
                                                                          : 0);
}

double application_boundary_ns(const Program *p, const Prediction *t)
{
    return conversions_ns(p, t, IO_INPUT) + conversions_ns(p, t, IO_OUTPUT);
}

Interval application_share_ns(const WhatIf *w, const Trial *t)
{
    const CompileOptions *now = &w->baseline.variant.compile, *o = &t->variant.compile;
    Share s = {w->baseline.program->model, o, w->costs, images_of(o)};
    Interval ns = interval_add(scaling_ns(&s, now), layout_ns(&s, now));
    /* Up to the conversions that the runtime omits, in a variant without boundary conversions. */
    double all = application_boundary_ns(w->baseline.program, w->baseline.time);
    Interval exposed = {0, 0, t->variant.without_borders ? all : 0};
    return interval_add(interval_add(ns, tail_ns(&s)), exposed);
}

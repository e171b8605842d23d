/* Lists every operator that runs on the host, why it does, and where in the graph it is. */
#include "passes/order_only.h"
#include "passes/patterns.h"
#include "passes/rewritable.h"
#include "passes/surroundings.h"

static bool same_shape(const Tensor *a, const Tensor *b)
{
    if (!a || !b || !shape_is_known(&a->shape) || a->shape.rank != b->shape.rank)
        return false;
    return LIST_ALL(i, a->shape.rank, a->shape.dim[i].value == b->shape.dim[i].value);
}

/* An NPU operator of the same shape and arity, to tell what this one's placement costs; "" when
 * there is none.  A table lookup per element represents the unary ones. */
static const char *stand_in(const Program *p, const Step *s)
{
    if (s->nnode != 1)
        return "";
    const Graph *g = p->model->graph;
    const Node *n = &g->node[s->node[0]];
    if (n->noutput != 1 || !same_shape(node_input(g, n, 0), node_output(g, n, 0)))
        return "";
    OpClass c = op_info(n->op_id)->op_class;
    if (c == CLASS_CONTROL || c == CLASS_SHAPE || c == CLASS_CONVERT)
        return "";
    if (n->op_id == OP_InstanceNormalization)
        return "BatchNormalization";
    const Tensor *a = node_input(g, n, 0), *b = node_input(g, n, 1);
    bool two_values = n->ninput == 2 && a && b && a->dtype == b->dtype; /* no places or sizes */
    return n->ninput == 1 ? "Sigmoid" : two_values ? "Mul" : "";
}

/* Conversions next to an island that exist only because it is where it is, per step. */
static double *edges_ns(Arena *a, const PassInput *in)
{
    const Program *p = in->program;
    double *ns = ARENA_ARRAY(a, double, p->nstep);
    for (size_t i = 0; i < p->nstep; i++)
        for (uint32_t d = 0; d < p->step[i].ndep; d++) {
            const Step *from = &p->step[p->step[i].dep[d]], *to = &p->step[i];
            if (surroundings_is_island(from) && to->reason == REASON_ISLAND_EDGE)
                ns[from->id] += in->time->step[i].total_ns.mid;
            if (surroundings_is_island(to) && from->reason == REASON_ISLAND_EDGE)
                ns[i] += in->time->step[from->id].total_ns.mid;
        }
    return ns;
}

/* What the passes over the whole graph know. */
typedef struct {
    Scene scene;
    Patterns patterns;
    bool dynamic;       /* scales are worked out at run time */
    const bool *choice; /* by node: an output comes from it, and only its order counts */
} Surveyed;

/* What is one trouble, and by which way out: `what` names it, `key` tells it from others. */
typedef struct {
    const char *what, *key, *rewrite;
    const MessageId *same; /* operators that do the same; NULL */
} Cause;

static Cause cause_of(Arena *a, const Step *s, const char *pattern, const Scene *scene,
                      const char *stand_in_op)
{
    NodeId first = s->nnode ? s->node[0] : NODE_NONE; /* a Conv may have its activation with it */
    bool alone = s->nnode == 1 || (s->nnode && scene->graph->node[first].op_id == OP_Conv);
    NodeId node = alone ? first : NODE_NONE;
    const MessageId *same =
        node == NODE_NONE || !s->as_others ? NULL : rewrite_decomposed(scene, node);
    bool here = same && !rewrite_refusal(scene, REWRITE_SPELL_OUT, node);
    const char *what = pattern ? pattern : s->op, *way = here ? "rewrite" : same ? "same" : "";
    const char *nearest = s->nearest ? message_format(a, NULL, s->nearest) : "";
    const char *lacks = arena_printf(a, "%s|%s|%s", reason_key(s->reason), nearest, stand_in_op);
    return (Cause){what, arena_printf(a, "%s|%s|%s", what, way, pattern && same ? "" : lacks),
                   here ? rewrite_name(REWRITE_SPELL_OUT) : "", same};
}

/* How the model was quantized keeps many operators off the NPU, and one step helps them all. */
static bool is_quantizers(const Step *s, bool dynamic)
{
    return s->reason == REASON_FLOAT_ISLAND || s->reason == REASON_FOREIGN_CODES ||
           (dynamic && (s->reason == REASON_CONDITION_FAILED || s->reason == REASON_UNSUPPORTED));
}

static void add_cause(FindingList *out, Finding *f, const Step *s, const char *stand_in_op,
                      const Surveyed *known)
{
    const char *pattern = s->nnode ? known->patterns.name[s->node[0]] : NULL;
    Cause c = cause_of(out->arena, s, pattern, &known->scene, stand_in_op);
    bool quantizers = is_quantizers(s, known->dynamic), other = s->reason == REASON_FOREIGN_CODES;
    if (quantizers)
        c = (Cause){known->dynamic ? "dynamically quantized operators"
                    : other        ? "differently quantized operators"
                                   : "unquantized operators",
                    other ? "other-types" : "quantizer", "", NULL};
    finding_text(out, f, "pattern", pattern ? pattern : "");
    finding_text(out, f, "what", c.what);
    finding_text(out, f, "cause", c.key);
    finding_message(out, f, "same", c.same ? MESSAGE(out->arena, arg_message_id(c.same)) : NULL);
    finding_text(out, f, "rewrite", c.rewrite);
    finding_text(out, f, "dynamic", known->dynamic && quantizers ? "yes" : "no");
}

static void add_island(const PassInput *in, FindingList *out, const Step *s, const char *where,
                       double edge_ns, const Surveyed *known)
{
    const Program *p = in->program;
    const StepPrediction *t = &in->time->step[s->id];
    Finding *f = finding_add(out, "island");
    f->step = s->id;
    f->node = s->nnode ? s->node[0] : NODE_NONE;
    const Node *n = s->nnode ? &p->model->graph->node[s->node[0]] : NULL;
    finding_text(out, f, "op", s->op);
    finding_text(out, f, "domain", n ? n->domain : "");
    finding_text(out, f, "reason", reason_key(s->reason));
    finding_message(out, f, "why-host", s->why);
    finding_message(out, f, "nearest", s->nearest);
    finding_text(out, f, "position", where);
    const char *stand_in_op = stand_in(p, s);
    finding_text(out, f, "stand-in", stand_in_op);
    const Tensor *result = n ? node_output(p->model->graph, n, 0) : NULL;
    finding_text(out, f, "result", result ? result->name : "");
    add_cause(out, f, s, stand_in_op, known);
    finding_text(out, f, "order-only", s->nnode && known->choice[s->node[0]] ? "yes" : "no");
    finding_int(out, f, "nodes", s->nnode);
    finding_int(out, f, "segments", p->summary.segments);
    finding_text(out, f, "known", t->known ? "yes" : "no");
    finding_int(out, f, "time-ns", t->known ? (int64_t)t->total_ns.mid : 0);
    finding_int(out, f, "edge-ns", (int64_t)edge_ns);
}

void pass_islands(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    const bool *after = surroundings_after_npu(out->arena, p),
               *before = surroundings_before_npu(out->arena, p);
    const double *edge = edges_ns(out->arena, in);
    const Surveyed known = {rewritable_scene(in), patterns_find(out->arena, p->model->graph),
                            LIST_ANY(i, p->model->graph->nnode,
                                     p->model->graph->node[i].op_id == OP_DynamicQuantizeLinear),
                            order_only_nodes(out->arena, p->model->graph)};
    for (size_t i = 0; i < p->nstep; i++)
        if (surroundings_is_island(&p->step[i]))
            add_island(in, out, &p->step[i], surroundings_position(after[i], before[i]), edge[i],
                       &known);
}

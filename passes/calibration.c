/* Finds scales of a quantized model that cannot be right. */
#include "passes/losses.h"
#include "passes/messages.h"
#include "passes/ranges.h"

/* Codes of which less than this share can ever occur have lost two of their eight bits. */
#define USED_SHARE 0.25

static bool scales_are_sound(const Const *scale)
{
    double s = 0;
    return !LIST_ANY(i, scale->nelem, const_float(scale, i, &s) && !(isfinite(s) && s > 0));
}

/* Share of the codes that the operator before can reach; 1 when nothing is proven. */
static double used_share(const Graph *g, const Node *n)
{
    const Tensor *data = node_input(g, n, 0);
    double lo = 0, hi = 0, least = 0, most = 0;
    if (n->op_id != OP_QuantizeLinear || !data || data->producer == NODE_NONE ||
        !range_proven(g, &g->node[data->producer], &lo, &hi) ||
        !range_of_codes(g, n, &least, &most))
        return 1;
    return (fmin(hi, most) - fmax(lo, least)) / (most - least);
}

/* NULL when nothing is wrong with it. */
static const char *problem_of(const Graph *g, const Node *n)
{
    const Tensor *scale = node_input(g, n, 1);
    if (!scale || !scale->value || !scale->value->data)
        return NULL;
    if (!scales_are_sound(scale->value))
        return "no-scale";
    double used = used_share(g, n);
    return used <= 0 ? "saturated" : used < USED_SHARE ? "unused-range" : NULL;
}

/* What was seen, in figures. */
static const Message *describe_scale(Arena *a, const Graph *g, const Node *n)
{
    double least = 0, most = 0, used = fmax(0, used_share(g, n));
    if (!range_of_codes(g, n, &least, &most) || !isfinite(least) || !isfinite(most))
        return MESSAGE(a, MESSAGE_ID(SCALE_NO_NUMBER));
    if (most <= least)
        return MESSAGE(a, MESSAGE_ID(SCALE_NOT_POSITIVE));
    return MESSAGE(a, MESSAGE_ID(CODES_STAND_FOR), arg_digits(least, 4), arg_digits(most, 4),
                   arg_fixed(100 * used, 0));
}

static Finding *write_wrong_scale(const PassInput *in, FindingList *out, const Loss *loss)
{
    const Graph *g = in->program->model->graph;
    const Node *n = &g->node[loss->item];
    const Tensor *data = node_input(g, n, 0);
    bool after = data && data->producer != NODE_NONE;
    Finding *f = finding_add(out, "calibration");
    f->node = loss->item;
    finding_text(out, f, "op", n->op);
    finding_text(out, f, "after", after ? g->node[data->producer].op : "");
    finding_text(out, f, "quantized", data ? data->name : "");
    finding_message(out, f, "seen", describe_scale(out->arena, g, n));
    return f;
}

void pass_calibration(const PassInput *in, FindingList *out)
{
    const Graph *g = in->program->model->graph;
    LossList wrong = {0};
    for (size_t i = 0; i < g->nnode; i++) {
        const Node *n = &g->node[i];
        bool converts = n->op_id == OP_QuantizeLinear || n->op_id == OP_DequantizeLinear;
        const char *problem = converts ? problem_of(g, n) : NULL;
        if (problem)
            losses_add(out->arena, &wrong, (uint32_t)i, problem, 0);
    }
    losses_write(in, out, &wrong, write_wrong_scale);
}

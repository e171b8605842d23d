/* Finds convolutions and products that use little of the MAC array, and the limits.  What memory or
 * channel counts explain is told by memory_bound.c and channels.c. */
#include "passes/alignment.h"
#include "passes/losses.h"

/* Below this share of what its grouping allows, an operator is worth a look (30 %: what Arm MLIA
 * and tt-perf-report use for convolutions). */
#define WORTH_SHARE 0.3

/* Peak share that the op can reach: a group with one output channel uses one row of many. */
static double reachable_share(const Machine *m, const LowOp *op)
{
    int64_t group = op->group > 0 ? op->group : 1, rows = op->c_out / group;
    return rows < m->mac_height ? (double)rows / m->mac_height : 1;
}

/* What takes most of the op's time; NULL when that is another pass's business. */
static const char *cause_of(const PassInput *in, const LowOp *op)
{
    const OpPrediction *t = &in->time->op[op->id];
    FullChannels full = alignment_full_channels(in->program->machine, in->program->options.pe, op);
    switch (t->limit) {
    case LIMIT_LAUNCH:
        return "start";
    case LIMIT_VECTOR:
        return "vector";
    case LIMIT_MAC:
        return alignment_idle_share(op, &full) > 0.5 ? NULL : "lanes";
    default:
        return NULL;
    }
}

static double to_percent(double share)
{
    return round(share * 1000) / 10;
}

static Finding *write_low_utilisation(const PassInput *in, FindingList *out, const Loss *loss)
{
    const LowOp *op = &in->program->op[loss->item];
    Finding *f = losses_of_op(in, out, "low-utilisation", loss);
    finding_real(out, f, "percent", to_percent(in->time->op[op->id].utilisation));
    finding_real(out, f, "fair-percent",
                 to_percent(WORTH_SHARE * reachable_share(in->program->machine, op)));
    return f;
}

void pass_utilisation(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    LossList lost = {0};
    for (size_t i = 0; i < p->nop; i++) {
        const LowOp *op = &p->op[i];
        const OpPrediction *t = &in->time->op[i];
        double worth = WORTH_SHARE * reachable_share(p->machine, op);
        const char *cause = op->macs > 0 && t->utilisation < worth ? cause_of(in, op) : NULL;
        if (cause)
            losses_add(out->arena, &lost, op->id, cause,
                       t->total_ns.mid * (1 - t->utilisation / worth));
    }
    losses_write(in, out, &lost, write_low_utilisation);
}

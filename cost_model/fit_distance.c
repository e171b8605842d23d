/* Computes the blend of a program and its distance to the nearest fitted network. */
#include "cost_model/fit_distance.h"

#include "cost_model/op_model.h"

#include <assert.h>
#include <math.h>

static const BlendPart part_of_term[] = {
    [TERM_MAC] = BLEND_MULTIPLY,       [TERM_OP] = BLEND_FIXED,
    [TERM_DEPTHWISE_OP] = BLEND_FIXED, [TERM_PAD] = BLEND_FIXED,
    [TERM_TRANSPOSE] = BLEND_FIXED,    [TERM_VIEW] = BLEND_FIXED,
    [TERM_VECTOR] = BLEND_VECTOR,      [TERM_FETCH] = BLEND_FETCH,
    [TERM_CONCAT] = BLEND_JOIN,        [TERM_CONCAT_MORE] = BLEND_JOIN,
    [TERM_WEIGHT] = BLEND_DRAM,        [TERM_OVERFLOW] = BLEND_DRAM,
    [TERM_SPILL] = BLEND_DRAM,
};
static_assert(sizeof part_of_term / sizeof *part_of_term == TERM_COUNT, "a part for each term");
static_assert(BLEND_SIDE == BLEND_WIDTH + 1 && BLEND_COUNT == BLEND_SIDE + 1,
              "shares come first, the two sizes last");

const char *fit_distance_part_name(BlendPart p)
{
    static const char *const name[BLEND_COUNT] = {
#define X(id, text) text,
        BLENDS(X)
#undef X
    };
    assert(p < BLEND_COUNT);
    return name[p];
}

static double tenth_log2(double x)
{
    return x > 1 ? 0.1 * log2(x) : 0;
}

Blend fit_distance_blend(const Program *p, const Costs *c, const double (*work)[TERM_COUNT])
{
    Blend m = {{0}};
    double all = 0;
    for (size_t i = 0; i < p->nop; i++) {
        const LowOp *op = &p->op[i];
        double ns = 0;
        for (int t = 0; t < TERM_COUNT; t++) {
            double part = costs_figure(c, term_table[t].figure).mid * work[i][t];
            m.part[part_of_term[t]] += part;
            ns += part;
        }
        m.part[BLEND_WIDTH] += ns * tenth_log2((double)op->c_out);
        m.part[BLEND_SIDE] += ns * 0.5 * tenth_log2((double)op->h_out * (double)op->w_out);
        all += ns;
    }
    for (int k = 0; k < BLEND_COUNT && all > 0; k++)
        m.part[k] /= all;
    return m;
}

double fit_distance_between(const Blend *a, const Blend *b)
{
    double d = 0;
    for (int k = 0; k < BLEND_COUNT; k++)
        d += (k < BLEND_WIDTH ? 0.5 : 1) * fabs(a->part[k] - b->part[k]);
    return d;
}

double fit_distance_widening(const Costs *c, const Blend *m)
{
    double nearest = INFINITY;
    if (c->info[COST_residual_conv].kind == KIND_CALIBRATED)
        return 1;
    for (size_t i = 0; i < c->nlike; i++)
        nearest = fmin(nearest, fit_distance_between(m, &c->like[i]));
    assert(!(nearest < 0));
    return c->nlike ? 1 + c->residual_distance.mid * nearest : 1;
}

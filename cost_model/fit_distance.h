/* Measures how far a program is from the networks that the figures were fitted on.
 *
 * A fit says little about a network whose time goes elsewhere: into joins where the fitted ones
 * multiply, into wide and small maps where theirs are narrow and large.  The blend of a program
 * says where its time goes; the distance to the nearest fitted blend says how far the fit has to
 * reach. Nothing depends on names. */
#ifndef COST_MODEL_FIT_DISTANCE_H
#define COST_MODEL_FIT_DISTANCE_H

#include "cost_model/terms.h"
#include "graph/compile/program.h"

#include <stdbool.h>

typedef struct Costs Costs;

/* Parts of a blend.  BLEND(id, attribute of <like>): shares of the NPU's predicted time, then the
 * means over that time of the binary logarithms of channels and of pixels along a side, in tenths.
 */
#define BLENDS(X)                                                                                  \
    X(MULTIPLY, "multiply")                                                                        \
    X(VECTOR, "vector")                                                                            \
    X(FETCH, "fetch")                                                                              \
    X(JOIN, "join") X(FIXED, "fixed") X(DRAM, "dram") X(WIDTH, "width") X(SIDE, "side")

typedef enum {
#define X(id, name) BLEND_##id,
    BLENDS(X)
#undef X
        BLEND_COUNT
} BlendPart;

typedef struct {
    double part[BLEND_COUNT];
} Blend;

const char *fit_distance_part_name(BlendPart p);

/* Of all NPU operators of the program; zeros for one without any.  work[i] is op_work of op i. */
Blend fit_distance_blend(const Program *p, const Costs *c, const double (*work)[TERM_COUNT]);

/* 0 for equal blends; 1 where no share of time is spent alike, or all channels or sides are 2^10
 * times as many. */
double fit_distance_between(const Blend *a, const Blend *b);

/* By how much wider than for a fitted network the interval is: 1 and `residual_distance` times the
 * distance to the nearest fitted blend.  1 for costs without fitted blends, and for calibrated
 * ones: their residuals are of the user's own networks. */
double fit_distance_widening(const Costs *c, const Blend *m);

#endif

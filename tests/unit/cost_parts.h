/* What the unit tests of the cost model share: comparisons, a machine, a convolution, the target's
 * costs. */
#pragma once

#include "cost_model/op_model.h"
#include "tests/unit/check.h"

#include <math.h>
#include <string.h>

static inline bool near(double found, double expected)
{
    bool ok = fabs(found - expected) <= 1e-6 * fabs(expected) + 1e-9;
    if (!ok)
        printf("  found %.9g, expected %.9g\n", found, expected);
    return ok;
}

static inline bool about(double found, double expected, double share)
{
    bool ok = fabs(found - expected) <= share * fabs(expected);
    if (!ok)
        printf("  found %.9g, expected about %.9g\n", found, expected);
    return ok;
}

static const Machine machine = {
    .id = "test",
    .pe_count = 2,
    .slices_per_pe = 64,
    .mac_width = 32,
    .mac_height = 4,
    .sram_slice_bytes = 262144,
    .width_multiple = 32,
};

/* 3 x 3, 64 to 64 channels on 56 x 56. */
static inline LowOp conv_op(void)
{
    return (LowOp){.kind = LOWOP_CONV2D,
                   .n = 1,
                   .c_out = 64,
                   .h_out = 56,
                   .w_out = 56,
                   .c_in = 64,
                   .h_in = 56,
                   .w_in = 56,
                   .kernel_h = 3,
                   .kernel_w = 3,
                   .stride_h = 1,
                   .stride_w = 1,
                   .group = 1,
                   .ninput = 1,
                   .macs = INT64_C(64) * 56 * 56 * 64 * 9,
                   .elements_in = 64 * 56 * 56,
                   .elements_out = 64 * 56 * 56,
                   .bytes_in = 64 * 64 * 56,
                   .bytes_out = 64 * 64 * 56,
                   .weight_bytes = 64 * 64 * 9 + 256,
                   .vector_passes = 1,
                   .tiles = 1};
}

static inline Costs *load(Arena *a)
{
    Costs *c = NULL;
    Diag diag = {{0}};
    Status st = costs_load(a, "rules/targets/warboy.xml", NULL, &c, &diag);
    if (st)
        printf("  %s\n", diag.text);
    CHECK(st == STATUS_OK);
    return c;
}

/* Place of a term in the costs. */
static inline int term(const Costs *c, const char *name)
{
    int t = costs_term(c, name);
    if (t < 0)
        printf("  there is no term '%s'\n", name);
    CHECK(t >= 0);
    return t < 0 ? 0 : t;
}

/* Its figure, in the middle. */
static inline double figure(const Costs *c, const char *name)
{
    return c->term[term(c, name)].figure.mid;
}

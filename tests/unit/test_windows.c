/* Windows of pools, by hand. */
#include "advisor/candidate/windows.h"
#include "tests/unit/cost_parts.h"

/* A task of two pools of 40 us: 13 x 13, which is 169 / 9 passes, and 1 x 5, which is one. */
int main(void)
{
    LowOp op[] = {{.kind = LOWOP_POOL, .kernel_h = 13, .kernel_w = 13},
                  {.kind = LOWOP_POOL, .kernel_h = 1, .kernel_w = 5},
                  {.kind = LOWOP_CONV2D, .kernel_h = 3, .kernel_w = 3}};
    Step step[] = {{.kind = STEP_NPU, .nop = 3}};
    Program p = {.step = step, .nstep = 1, .op = op, .nop = 3, .images = 1, .machine = &machine};
    p.options.pe = 2;
    OpPrediction op_time[] = {{.total_ns = {40e3, 40e3, 40e3}},
                              {.total_ns = {40e3, 40e3, 40e3}},
                              {.total_ns = {40e3, 40e3, 40e3}}};
    StepPrediction time[] = {{.total_ns = {120e3, 120e3, 120e3}, .known = true}}, scratch[1];
    Prediction all = {.step = time, .op = op_time};
    Trial t = {.program = &p, .time = &all};
    t.variant.run.workers = 1;
    Costs costs = {0};
    CHECK(near(windows_sum(&p), 174));
    /* fitted: the small one takes 5 / 9 of a pass */
    CHECK(near(windows_objective(&t, &costs, OBJECTIVE_LATENCY, WINDOWS_FITTED, scratch),
               80e3 + 40e3 * 5 / 9));
    /* at most: nine times the large one, five passes for the small one */
    CHECK(near(windows_objective(&t, &costs, OBJECTIVE_LATENCY, WINDOWS_MAX, scratch),
               40e3 + 9 * 40e3 + 5 * 40e3));
    return check_failures() != 0;
}

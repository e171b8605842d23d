/* Surroundings.  Steps are in execution order, so one pass over them is enough. */
#include "passes/surroundings.h"

const bool *steps_after_npu(Arena *a, const Program *p)
{
    bool *after = ARENA_ARRAY(a, bool, p->nstep);
    for (size_t i = 0; i < p->nstep; i++)
        for (uint32_t d = 0; d < p->step[i].ndep; d++) {
            StepId before = p->step[i].dep[d];
            after[i] |= after[before] || p->step[before].kind == STEP_NPU;
        }
    return after;
}

static const bool *before(Arena *a, const Program *p, int64_t least_macs)
{
    bool *flag = ARENA_ARRAY(a, bool, p->nstep);
    for (size_t i = p->nstep; i-- > 0;) {
        const Step *s = &p->step[i];
        bool counts = flag[i] || (s->kind == STEP_NPU && s->macs >= least_macs);
        for (uint32_t d = 0; d < s->ndep; d++)
            flag[s->dep[d]] |= counts;
    }
    return flag;
}

const bool *steps_before_npu(Arena *a, const Program *p)
{
    return before(a, p, 0);
}

const bool *steps_before_products(Arena *a, const Program *p)
{
    return before(a, p, 1);
}

const char *step_position(bool after_npu, bool before_npu)
{
    return after_npu && before_npu ? "middle" : after_npu ? "tail" : before_npu ? "head" : "alone";
}

bool step_is_island(const Step *s)
{
    return s->kind == STEP_HOST && (s->host_op == HOST_OPERATOR || s->host_op == HOST_CONTROL);
}

/* Propagates flags along the dependencies of steps, which are in execution order. */
#include "passes/surroundings.h"
#include "graph/infer/ops.h"
#include "graph/model/model.h"

const bool *surroundings_after_npu(Arena *a, const Program *p)
{
    bool *after = ARENA_ARRAY(a, bool, p->nstep);
    for (size_t i = 0; i < p->nstep; i++)
        for (uint32_t d = 0; d < p->step[i].ndep; d++) {
            StepId before = p->step[i].dep[d];
            assert(before < i);
            after[i] |= after[before] || p->step[before].kind == STEP_NPU;
        }
    return after;
}

static bool is_task(const Program *p, const Step *s)
{
    (void)p;
    return s->kind == STEP_NPU;
}

static const bool *mark_ancestors(Arena *a, const Program *p,
                                  bool (*wanted)(const Program *p, const Step *s))
{
    bool *flag = ARENA_ARRAY(a, bool, p->nstep);
    for (size_t i = p->nstep; i-- > 0;) {
        const Step *s = &p->step[i];
        bool counts = flag[i] || wanted(p, s);
        for (uint32_t d = 0; d < s->ndep; d++) {
            assert(s->dep[d] < i);
            flag[s->dep[d]] |= counts;
        }
    }
    return flag;
}

bool surroundings_multiplies(const Program *p, const Step *s)
{
    const Graph *g = p->model->graph;
    if (s->kind == STEP_NPU)
        return s->macs > 0;
    return surroundings_is_island(s) && s->nnode &&
           op_info(g->node[s->node[0]].op_id)->op_class == CLASS_MAC;
}

const bool *surroundings_before_npu(Arena *a, const Program *p)
{
    return mark_ancestors(a, p, is_task);
}

const bool *surroundings_before_products(Arena *a, const Program *p)
{
    return mark_ancestors(a, p, surroundings_multiplies);
}

const char *surroundings_position(bool after_npu, bool before_npu)
{
    return after_npu && before_npu ? "middle" : after_npu ? "tail" : before_npu ? "head" : "alone";
}

bool surroundings_is_island(const Step *s)
{
    return s->kind == STEP_HOST && (s->host_op == HOST_OPERATOR || s->host_op == HOST_CONTROL);
}

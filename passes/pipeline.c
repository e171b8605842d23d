/* The pipeline: every pass, in the order of pipeline.def. */
#include "passes/pipeline.h"

#include "graph/model/model.h"

#include <assert.h>

#define PASS(id) extern const Pass pass_##id;
#include "passes/pipeline.def"
#undef PASS

const Pass *const pass_pipeline[] = {
#define PASS(id) &pass_##id,
#include "passes/pipeline.def"
#undef PASS
    NULL,
};

/* A finding is of the pass that ran, and about what is there. */
static void assert_finding(const Pass *pass, const Program *p, const Finding *f)
{
    const Graph *g = p->model->graph;
    assert(f->pass == pass->name && f->kind);
    assert(f->step == STEP_NONE || f->step < p->nstep);
    assert(f->node == NODE_NONE || f->node < g->nnode);
    assert(f->tensor == TENSOR_NONE || f->tensor < g->ntensor);
}

FindingList passes_run(Arena *a, const PassInput *in)
{
    FindingList out = {.arena = a};
    for (const Pass *const *p = pass_pipeline; *p; p++) {
        size_t before = out.nitem;
        (*p)->run(in, &out);
        for (size_t i = before; i < out.nitem; i++)
            assert_finding(*p, in->program, &out.item[i]);
    }
    return out;
}

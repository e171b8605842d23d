/* Runs the passes and checks that each finding is of the pass that ran, about what the program has.
 */
#include "passes/pipeline.h"

static const struct {
    const char *name;
    void (*run)(const PassInput *in, FindingList *out);
} pass_table[] = {
#define PASS(id, name) {name, pass_##id},
#include "passes/pipeline.def"
};

static void assert_finding(const char *pass, const Program *p, const Finding *f)
{
    const Graph *g = p->model->graph;
    assert(f->pass == pass && f->kind);
    assert(f->step == STEP_NONE || f->step < p->nstep);
    assert(f->node == NODE_NONE || f->node < g->nnode);
    assert(f->tensor == TENSOR_NONE || f->tensor < g->ntensor);
}

FindingList passes_run(Arena *a, const PassInput *in)
{
    FindingList out = {.arena = a};
    for (size_t k = 0; k < sizeof pass_table / sizeof *pass_table; k++) {
        size_t before = out.nitem;
        out.pass = pass_table[k].name;
        pass_table[k].run(in, &out);
        for (size_t i = before; i < out.nitem; i++)
            assert_finding(out.pass, in->program, &out.item[i]);
    }
    return out;
}

/* Pass by pass over the data. */
#include "npu_exec/session/find_ranges.h"

#include "npu_exec/data/samples.h"
#include "npu_exec/values/execute.h"

typedef struct {
    Samples *samples;
    Ranges *ranges;
} Both;

static Status take(void *user, size_t i, const Tensor *t, Value *v, Diag *diag)
{
    return samples_take(((Both *)user)->samples, i, t, v, diag);
}

static Status give(void *user, size_t i, Value *v, Diag *diag)
{
    (void)user, (void)i, (void)v, (void)diag;
    return STATUS_OK;
}

static Status see(void *user, TensorId id, Value *v, Diag *diag)
{
    return ranges_see(((Both *)user)->ranges, id, v, diag);
}

static Status pass(Execution *x, Both *b, void (*progress)(double done), double done, double share,
                   Diag *diag)
{
    size_t n = samples_runs(b->samples);
    Status st = STATUS_OK;
    for (size_t i = 0; i < n && !st; i++) {
        samples_choose(b->samples, i);
        st = execution_run(x, &(ValuesIo){b, take, give, see}, diag);
        progress(done + share * (double)(i + 1) / (double)n);
    }
    return st;
}

Status find_ranges(Arena *a, const ExecOptions *o, const Model *m, void (*progress)(double done),
                   DataUsed *ret, Diag *diag)
{
    Both b = {.ranges = ranges_new(a, m->graph, o->method, o->symmetric)};
    Execution *x = NULL;
    Status st = samples_open(a, o->data, o->recipe.name ? &o->recipe : NULL, m->graph,
                             (size_t)o->images, &b.samples, diag);
    st = st ? st : execution_open(m, &x, diag);
    int passes = ranges_passes(b.ranges);
    for (int k = 0; k < passes && !st; k++) {
        ranges_begin(b.ranges, k);
        st = pass(x, &b, progress, (double)k / passes, 1.0 / passes, diag);
    }
    execution_close(x);
    if (st)
        return st;
    *ret = (DataUsed){.images = samples_images(b.samples)};
    if (!samples_converted(b.samples, &ret->from, &ret->to))
        ret->from = ret->to = NULL;
    return ranges_write(b.ranges, ret->images, o->ranges, diag);
}

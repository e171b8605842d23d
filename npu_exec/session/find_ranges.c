/* Runs the model on the data, pass by pass, and collects what is asked. */
#include "npu_exec/session/find_ranges.h"
#include "npu_exec/data/samples.h"
#include "npu_exec/values/execute.h"
#include "npu_exec/session/value_losses.h"

/* Passes all values of all samples to a callback. */
typedef struct {
    Samples *samples;
    Execution *execution;
    Status (*see)(void *user, TensorId id, Value *v, Diag *diag);
    void *user;
    void (*progress)(double done);
} Look;

static Status take_sample(void *user, size_t i, const Tensor *t, Value *v, Diag *diag)
{
    return samples_take(((Look *)user)->samples, i, t, v, diag);
}

static Status ignore_output(void *user, size_t i, Value *v, Diag *diag)
{
    (void)user, (void)i, (void)v, (void)diag;
    return STATUS_OK;
}

static Status see_value(void *user, TensorId id, Value *v, Diag *diag)
{
    const Look *l = user;
    return l->see(l->user, id, v, diag);
}

static Status look_open(Arena *a, const ExecOptions *o, const Model *m, Look *l, Diag *diag)
{
    Status st = samples_open(a, o->data, o->recipe.name ? &o->recipe : NULL, m->graph,
                             (size_t)o->images, &l->samples, diag);
    return st ? st : execution_open(m, &l->execution, diag);
}

static Status run_pass(Look *l, double done, double share, Diag *diag)
{
    size_t n = samples_runs(l->samples);
    Status st = STATUS_OK;
    for (size_t i = 0; i < n && !st; i++) {
        samples_choose(l->samples, i);
        st = execution_run(l->execution, &(ValuesIo){l, take_sample, ignore_output, see_value},
                           diag);
        l->progress(done + share * (double)(i + 1) / (double)n);
    }
    return st;
}

static DataUsed used_by(const Look *l)
{
    DataUsed used = {.images = samples_images(l->samples)};
    if (!samples_converted(l->samples, &used.from, &used.to))
        used.from = used.to = NULL;
    return used;
}

Status find_ranges(Arena *a, const ExecOptions *o, const Model *m, void (*progress)(double done),
                   DataUsed *ret, Diag *diag)
{
    ValueRanges *ranges = value_ranges_new(a, m->graph, o->method,
                                           o->symmetric ? RANGE_ENDS_OPPOSITE : RANGE_ENDS_FREE);
    Look l = {.see = value_ranges_add, .user = ranges, .progress = progress};
    Status st = look_open(a, o, m, &l, diag);
    int passes = value_ranges_passes(ranges);
    for (int k = 0; k < passes && !st; k++) {
        value_ranges_begin(ranges, k);
        st = run_pass(&l, (double)k / passes, 1.0 / passes, diag);
    }
    execution_close(l.execution);
    if (st)
        return st;
    *ret = used_by(&l);
    return value_ranges_write(ranges, ret->images, o->ranges, diag);
}

Status find_losses(Arena *a, const ExecOptions *o, const Model *m, void (*progress)(double done),
                   DataUsed *ret, Diag *diag)
{
    ValueLosses *losses = value_losses_new(a, m->graph);
    Look l = {.see = value_losses_add, .user = losses, .progress = progress};
    Status st = look_open(a, o, m, &l, diag);
    st = st ? st : run_pass(&l, 0, 1, diag);
    value_losses_close(losses);
    execution_close(l.execution);
    if (st)
        return st;
    *ret = used_by(&l);
    return value_losses_write(losses, ret->images, o->layers, diag);
}

/* Compiles and times one trial at a time, and chooses the workers that it is compared with. */
#include "advisor/candidate/whatif.h"

#include "advisor/candidate/removal_bound.h"
#include "advisor/candidate/application_share.h"
#include "cost_model/replay/replay.h"
#include "graph/compile/compile.h"
#include "graph/compile/program.h"
#include "graph/edit/edit.h"
#include "graph/model/model.h"
#include "graph/model/dtype.h"

/* Notes of a trial are dropped: the baseline has the same. */
static Status compile_variant(const WhatIf *w, Trial *t, Diag *diag)
{
    return compile_model(t->arena, w->model, w->machine, &t->variant.compile, NULL, &t->program,
                         diag);
}

static Prediction *replay_trial(const WhatIf *w, const Trial *t)
{
    const Program *baseline = w->baseline.program ? w->baseline.program : t->program;
    return replay(t->arena, baseline, w->rec, t->program, w->costs, &t->variant.run);
}

static void time_variant(const WhatIf *w, Trial *t)
{
    t->time = replay_trial(w, t);
    if (!t->variant.nwithout && !t->variant.without_borders)
        return;
    removal_bound_apply(&(RemovalBound){t->program, w->costs, &t->variant, false}, t->time);
    t->most = replay_trial(w, t);
    removal_bound_apply(&(RemovalBound){t->program, w->costs, &t->variant, true}, t->most);
}

/* Little's law: requests in flight = rate * time of one. */
double trial_latency_ns(const Trial *t)
{
    double per_s = t->time->throughput_per_s.mid / predict_images(t->program, &t->variant.run);
    return per_s > 0 ? t->variant.run.workers * 1e9 / per_s : 0;
}

void whatif_open(WhatIf *w, const Variant *v, Program *program, Prediction *time)
{
    w->baseline = (Trial){arena_new(0), *v, program, time, NULL};
}

void whatif_close(WhatIf *w)
{
    trial_free(&w->baseline);
}

void trial_free(Trial *t)
{
    arena_free(t->arena);
    *t = (Trial){0};
}

/* True if only bounds are set, which do not change the program. */
static bool compiles_alike(const LeverSetting *set, size_t nset)
{
    return LIST_ALL(i, nset, set[i].lever == LEVER_WITHOUT);
}

/* `apply` changes the types of a quantized model in the model itself. */
static Status check_codes(const WhatIf *w, const Trial *t, Diag *diag)
{
    const CompileOptions *now = &w->baseline.variant.compile, *o = &t->variant.compile;
    const Graph *g = t->program->model->graph;
    for (size_t i = now->noutput_dtype; i < o->noutput_dtype; i++) {
        uint32_t id = strmap_get(&g->by_name, o->output_dtype[i].name);
        if (id != STRMAP_NONE && dtype_is_float(tensor_dtype(&g->tensor[id])) &&
            !dtype_is_float(o->output_dtype[i].dtype) &&
            !edit_output_has_codes(g, id, o->output_dtype[i].dtype))
            return diag_set(diag, STATUS_INPUT, NULL, o->output_dtype[i].name,
                            "no scale is known for codes of this output");
    }
    return STATUS_OK;
}

Status whatif_try(const WhatIf *w, const LeverSetting *set, size_t nset, Trial *ret, Diag *diag)
{
    Trial t = {.arena = arena_new(0), .variant = w->baseline.variant};
    Status st = STATUS_OK;
    for (size_t i = 0; i < nset && !st; i++)
        st = variant_apply(t.arena, &t.variant, w->model, &set[i], diag);
    t.program = w->baseline.program;
    if (!st && !compiles_alike(set, nset))
        st = compile_variant(w, &t, diag);
    if (!st && t.program->precision == PRECISION_INT8)
        st = check_codes(w, &t, diag);
    if (st) {
        trial_free(&t);
        return st;
    }
    t.variant.run.application_ns = application_share_ns(w, &t);
    time_variant(w, &t);
    *ret = t;
    return STATUS_OK;
}

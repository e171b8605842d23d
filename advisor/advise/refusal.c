/* Converts a model as `apply` does, to see whether the vendor's quantizer takes it. */
#include "advisor/advise/refusal.h"

#include "advisor/candidate/search/builds.h"
#include "advisor/candidate/search/plan.h"
#include "graph/compile/program.h"
#include "graph/edit/opset.h"

Refusal refusal_of_plan(const AdviseRun *run, const Plan *p)
{
    const TunePoint *x = &p->point;
    Refusal r = {0};
    Trial t;
    Diag diag;
    if (builds_trial(run->plans.search.builds, x->build, x->workers, x->devices, &t, &diag))
        return r;
    const CompileOptions *o = &t.variant.compile;
    r.quantizes = program_is_for_quantizer(t.program) &&
                  (o->nedit || o->ninput_dtype || o->noutput_dtype); /* as `apply` decides it */
    if (r.quantizes)
        r.why = opset_refusal(run->arena, t.program->model);
    trial_free(&t);
    return r;
}

const char *refusal_of_result(const AdviseRun *run)
{
    const Plan *p = plan_recommended(&run->plans);
    Refusal r = p ? refusal_of_plan(run, p) : (Refusal){0};
    if (!r.quantizes && program_is_for_quantizer(run->program))
        return opset_refusal(run->arena, run->program->model);
    return r.why;
}

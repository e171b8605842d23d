/* Converts the model of a plan as `apply` does, to see whether the vendor's quantizer takes it. */
#include "advisor/advise/refusal.h"

#include "advisor/candidate/search/builds.h"
#include "graph/compile/machine.h"
#include "graph/edit/opset.h"

/* As `apply` decides it: a float ONNX model that is changed is quantized again. */
static bool is_quantized_again(const AdviseRun *run, const CompileOptions *o)
{
    return run->program->precision == PRECISION_ASSUMED_PTQ && !run->model->source &&
           machine_quantizer(run->machine, o->sdk) &&
           (o->nedit || o->ninput_dtype || o->noutput_dtype);
}

static const char *without_path(const char *text, const char *path)
{
    size_t n = strlen(path);
    return strncmp(text, path, n) == 0 && strncmp(text + n, ": ", 2) == 0 ? text + n + 2 : text;
}

const char *refusal_of_plan(const AdviseRun *run, const Plan *p)
{
    const TunePoint *x = &p->point;
    const char *why = NULL;
    Trial t;
    Diag diag;
    if (builds_trial(run->plans.search.builds, x->build, x->workers, x->devices, &t, &diag))
        return NULL;
    Arena *scratch = arena_new(0);
    Model *converted;
    OpsetReport report;
    if (is_quantized_again(run, &t.variant.compile) &&
        model_convert_opset(scratch, t.program->model, OPSET_IR_SDK_0_10, &converted, &report,
                            &diag) == STATUS_INPUT)
        why = arena_strdup(run->arena, without_path(diag.text, run->model->path));
    arena_free(scratch);
    trial_free(&t);
    return why;
}

/* Finds the set-up, compiles and predicts the program, and reconciles it with the trace. */
#include "advisor/advise/traced.h"

#include "advisor/advise/result.h"
#include "advisor/report/setup_text.h"
#include "cost_model/predict.h"
#include "graph/compile/compile.h"

Status traced_find(Arena *a, const TracedInput *in, Notes *notes, Traced *ret, Diag *diag)
{
    const Costs *c = in->costs;
    RunOptions run = {.workers = 1, .devices = 1};
    *ret = (Traced){0};
    setup_find(a, &(SetupRequest){in->model, in->machine, c, in->compile, &run}, in->stats,
               &ret->setup);
    Status st =
        compile_model(a, in->model, in->machine, &ret->setup.compile, notes, &ret->program, diag);
    if (st)
        return st;
    ret->prediction = predict(a, ret->program, c, &ret->setup.run);
    ret->rec = reconcile(a, ret->program, c, ret->prediction, in->stats);
    setup_use(a, ret->program, &ret->setup, ret->rec);
    return STATUS_OK;
}

const char *traced_setup_text(Arena *a, const Traced *t, const Language *lang)
{
    static const ResultSetupSource source[] = {
        RESULT_SETUP_SOURCE_TRACE, RESULT_SETUP_SOURCE_OPTION, RESULT_SETUP_SOURCE_DEFAULT};
    ResultSetup setup = result_setup(a, &t->setup, t->program);
    const char *text = "";
    for (size_t i = 0; i < sizeof source / sizeof *source; i++) {
        Phrase p;
        if (*setup_sentence(&p, &setup, source[i], lang))
            text = arena_printf(a, "%s%s%s", text, *text ? "; " : "", p.text);
    }
    return text;
}

const char *traced_contradiction(Arena *a, const Traced *t)
{
    SetupItemId id;
    const SetupItem *x = setup_contradiction(&t->setup, &id);
    return x ? arena_printf(a, "%s %s, not %s %s", setup_option(id), x->seen, setup_option(id),
                            x->value)
             : NULL;
}

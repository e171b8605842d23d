/* Finds the set-up, compiles and predicts the program, and reconciles it with the trace. */
#include "advisor/advise/traced.h"

#include "advisor/advise/result.h"
#include "advisor/report/tree_setup_text.h"
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
    static const char *const source[] = {"trace", "option", "default"};
    cJSON *root = cJSON_CreateObject();
    const char *text = "";
    result_add_setup(root, &t->setup, t->program);
    for (size_t i = 0; i < sizeof source / sizeof *source; i++) {
        Phrase p;
        if (*tree_setup_sentence(&p, root, source[i], lang))
            text = arena_printf(a, "%s%s%s", text, *text ? "; " : "", p.text);
    }
    cJSON_Delete(root);
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

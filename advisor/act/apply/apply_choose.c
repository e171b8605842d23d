/* Finds the plan that the user names, and the change of each of its rows. */
#include "advisor/act/apply/apply.h"

#include "advisor/report/summary.h"
#include "graph/options/option.h"

/* "3fa2c1b0 (recommended), 81d0e46a" */
static const char *plan_ids(Arena *a, const Result *r)
{
    const char *text = "";
    for (size_t i = 0; i < r->plans.count; i++)
        text = arena_printf(a, "%s%s%s%s", text, i ? ", " : "", r->plans.item[i].id,
                            r->plans.item[i].recommended ? " (recommended)" : "");
    return text;
}

Status apply_choose(Arena *a, const Result *r, const char *id, Chosen *ret, Diag *diag)
{
    *ret = (Chosen){.result = r, .plan = id ? NULL : summary_of(r).plan};
    for (size_t i = 0; id && i < r->plans.count; i++)
        if (!strcmp(r->plans.item[i].id, id))
            ret->plan = &r->plans.item[i];
    if (ret->plan)
        return STATUS_OK;
    if (id && r->plans.count)
        return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_PLAN),
                        "'%s' is no plan of this result; plans: %s", id, plan_ids(a, r));
    return diag_set(diag, STATUS_UNDECIDED, NULL, NULL,
                    "there is no plan to apply: `npu-advise MODEL` says why");
}

/* Implements `npu-advise MODEL…`, which prints changes and the time that each saves. */
#include "advisor/cli/advise_many.h"
#include "advisor/cli/advise_one.h"
#include "advisor/cli/output.h"
#include "advisor/fleet/models.h"
#include "advisor/act/gate/baseline.h"

static Status output_advice(Context *c, const Args *given, const Result *r, const View *view)
{
    const char *baseline = args_text(given, OPTION_WRITE_BASELINE, NULL);
    Status st = STATUS_OK;
    if (baseline)
        st = baseline_save(c->arena, r, baseline, c->out, c->diag);
    st = st ? st : output_result(c, given, r, view);
    if (!st && baseline)
        output_wrote(c, given, baseline);
    return st;
}

static Status run_one(Context *c, const Args *given)
{
    Result *result;
    Status st = output_check(c, given);
    if (!st && args_text(given, OPTION_SQLITE, NULL))
        st = diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                      "--sqlite is for several models: name more of them, or their folder");
    if (st)
        return st;
    View view = view_from_args(c, given);
    Status advised = advise_one(c, given, NULL, &result);
    if (!result)
        return advised;
    view_after(c, given, result->evidence.refuted, &view);
    st = advised && advised != STATUS_UNDECIDED ? advised : output_advice(c, given, result, &view);
    return st ? st : advised;
}

Status cmd_advise(Context *c, const Args *given)
{
    ModelList list;
    if (args_text(given, OPTION_SHARDS, NULL))
        return advise_shards(c, given);
    Status st = models_find(c->arena, given->positional, given->npositional, &list, c->diag);
    if (st)
        return st;
    bool many = list.many || args_text(given, OPTION_SHARD, NULL);
    return many ? advise_many(c, given, &list) : run_one(c, given);
}

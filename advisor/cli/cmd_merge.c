/* Implements `npu-advise merge PART…`, which joins the parts of a run into one result. */
#include "advisor/cli/advise_many.h"
#include "advisor/cli/output.h"
#include "advisor/fleet/shards_file.h"

/* All parts of a run speak one language: that of the first result there is. */
static View view_of_set(Context *c, const Args *args, const ResultSet *set)
{
    const Result *first = NULL;
    for (size_t i = 0; i < set->count && !first; i++)
        first = result_set_read(c->arena, set, i);
    return view_of_result(c, args, first);
}

Status cmd_merge(Context *c, const Args *args)
{
    ShardPlan plan = {0};
    ResultSet set;
    const char *file = args_text(args, OPTION_SHARDS, NULL);
    Status st = args_positional(args, 1, MODELS_MAX, "PART…", c->diag);
    st = st ? st : output_check(c, args);
    if (!st && file)
        st = shards_file_read(c->arena, file, &plan, c->diag);
    st = st ? st : part_merge(c->arena, args->positional, args->npositional, &plan, &set, c->diag);
    if (st)
        return st;
    View view = view_of_set(c, args, &set);
    return advise_many_finish(c, args, &plan, &set, &view);
}

/* npu-advise merge PART…: the parts of one run over many models as every output, and one status. */
#include "advisor/cli/output.h"
#include "advisor/fleet/part.h"
#include "advisor/options/args.h"
#include "advisor/options/command.h"

static Status run(Context *c, const Args *args)
{
    View view;
    ResultSet set;
    Status st = args_positional(args, 1, MODELS_MAX, "PART…", c->diag);
    if (!st)
        st = output_check(c, args);
    if (!st)
        st = view_from_args(c, args, &view);
    if (!st)
        st = parts_merge(c->arena, args->positional, args->npositional, &set, c->diag);
    if (!st)
        st = output_set(c, args, &set, &view);
    if (!st)
        c->exit_code = result_set_status(&set);
    return st;
}

const Command cmd_merge = {
    .name = "merge",
    .synopsis = "PART… [--html FILE]",
    .help = "put the parts of a run over many models together that --shard wrote",
    .options =
        (const char *const[]){"lang", "format", "json", "sarif", "junit", "markdown", "ndjson",
                              "csv", "anchor", "html", "top", "verbose", "color", NULL},
    .run = run,
};

/* Refuses options that the plan decides itself, and turns the plan's settings into arguments. */
#include "advisor/cli/shards_args.h"

#include "advisor/fleet/shards_file.h"
#include "advisor/options/args.h"
#include "graph/options/option.h"

enum { PIPE_LIMIT_MIB = 1024 };

/* Verifying starts a helper before the plan is read, so it is said with the run. */
static const OptionId of_the_run[] = {OPTION_VERIFY, OPTION_RUNNER, OPTION_RUNS, OPTION_SEED};

bool shards_args_decides(OptionId option)
{
    return LIST_ALL(i, sizeof of_the_run / sizeof *of_the_run, option != of_the_run[i]) &&
           !(option_row(OPTION_OF_ADVISE, option)->use & OPTION_USE_PRINTS);
}

static Status check_given(const Args *args, Diag *diag)
{
    if (args->npositional)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--shards says which models; '%s' is one too many", args->positional[0]);
    if (!strcmp(args_text(args, OPTION_SHARDS, ""), "-"))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--shards must be a file: every shard reads it");
    for (size_t i = 0; i < args->ngiven; i++)
        if (shards_args_decides(args->given[i].id))
            return diag_set(diag, STATUS_USAGE, NULL, NULL,
                            "%s decides what is found, and so does --shards; give it to "
                            "`npu-advise shards`",
                            option_flag(args->given[i].id));
    return STATUS_OK;
}

Status shards_args_set(Arena *a, Args *args, const ShardSetting *s, const char *path, Diag *diag)
{
    const OptionRow *row = option_named(OPTION_OF_ADVISE, s->name);
    if (!row || !args_command_takes(args->command, row->id) || !shards_args_decides(row->id))
        return diag_set(diag, STATUS_INPUT, path, NULL,
                        "has an option '%s', which a list of work cannot have", s->name);
    return args_set(a, args, row->id, s->value, diag);
}

Status shards_args(Arena *a, Args *args, Diag *diag)
{
    ShardHead head;
    const char *path = args_text(args, OPTION_SHARDS, NULL);
    if (!path || args->command->id != COMMAND_ADVISE || args_flag(args, OPTION_HELP))
        return STATUS_OK;
    Status st = check_given(args, diag);
    st = st ? st : shards_file_head(a, path, &head, diag);
    if (st)
        return st;
    const char **word = ARENA_ARRAY(a, const char *, head.ntold);
    memcpy(word, head.told, head.ntold * sizeof *word);
    args->positional = word;
    args->npositional = head.ntold;
    for (size_t i = 0; i < head.noption && !st; i++)
        st = shards_args_set(a, args, &head.option[i], path, diag);
    return st;
}

Status shards_args_digest(const char *path, char *hex, Diag *diag)
{
    InFile f;
    Status st = file_in_open(&f, path, (size_t)PIPE_LIMIT_MIB << 20, diag);
    if (st)
        return st;
    sha256_hex(f.data, f.size, hex);
    file_in_close(&f);
    return STATUS_OK;
}

/* Refuses options that the plan decides itself, and turns the plan's settings into arguments. */
#include "advisor/cli/shards_args.h"

#include "advisor/fleet/shards_file.h"
#include "advisor/options/args.h"
#include "graph/base/file.h"

#include <assert.h>
#include <string.h>

enum { PIPE_LIMIT_MIB = 1024 };

/* Verifying starts a helper before the plan is read, so it is said with the run. */
static const char *const of_the_run[] = {"verify", "runner", "runs", "seed"};

bool shards_args_decides(const char *option)
{
    bool compile;
    assert(args_option_named(option, &compile));
    for (size_t i = 0; i < sizeof of_the_run / sizeof *of_the_run; i++)
        if (!strcmp(option, of_the_run[i]))
            return false;
    return !(args_option_named(option, &compile)->use & (OPTION_PRINTS | OPTION_GLOBAL));
}

static Status check_given(const Args *args, Diag *diag)
{
    if (args->npositional)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--plan says which models; '%s' is one too many", args->positional[0]);
    if (!strcmp(args_text(args, "plan", ""), "-"))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--plan must be a file: every shard reads it");
    for (size_t i = 0; i < args->ngiven; i++)
        if (shards_args_decides(args->given[i].name))
            return diag_set(diag, STATUS_USAGE, NULL, NULL,
                            "--%s decides what is found, and so does --plan; give it to "
                            "`npu-advise plan`",
                            args->given[i].name);
    return STATUS_OK;
}

Status shards_args_set(Arena *a, Args *args, const ShardSetting *s, const char *path, Diag *diag)
{
    bool compile;
    if (!args_option_named(s->name, &compile) || !args_command_takes(args->command, s->name) ||
        !shards_args_decides(s->name))
        return diag_set(diag, STATUS_INPUT, path, NULL, "has an option '%s' that no plan has",
                        s->name);
    return args_set(a, args, s->name, s->value, diag);
}

Status shards_args(Arena *a, Args *args, Diag *diag)
{
    ShardHead head;
    const char *path = args_text(args, "plan", NULL);
    if (!path || strcmp(args->command->name, "advise") || args_flag(args, "help"))
        return STATUS_OK;
    Status st = check_given(args, diag);
    if (!st)
        st = shards_file_head(a, path, &head, diag);
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

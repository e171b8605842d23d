/* Collects the paths that each command's options name, and hands them to the sandbox. */
#include "advisor/cli/confine.h"

#include "advisor/fleet/models.h"
#include "advisor/render/forms/formats.h"
#include "advisor/options/args.h"
#include "advisor/message/helper.h"
#include "advisor/candidate/runner.h"
#include "graph/base/data.h"
#include "graph/base/executable.h"
#include "graph/base/sandbox.h"

/* Options that name what is written, beside the forms of a result. */
static const OptionId output_option[] = {OPTION_JSON,           OPTION_RESUME, OPTION_HTML,
                                         OPTION_WRITE_BASELINE, OPTION_SQLITE, OPTION_OUTPUT,
                                         OPTION_MERGE_INTO};

static bool is_output(OptionId option)
{
    if (LIST_ANY(i, sizeof output_option / sizeof *output_option, option == output_option[i]))
        return true;
    for (const OutputFormat *f = output_format_table; f->name; f++)
        if (option == f->option)
            return true;
    return false;
}

/* Settings above the model, with their folders: files that they name are in there. */
static void may_read_settings(Arena *a, SandboxPaths *p, const char *model)
{
    char real[PATH_MAX];
    const char *dir = NULL;
    if (realpath(model, real))
        dir = file_folder(a, arena_strdup(a, real));
    else if (realpath(file_folder(a, model), real)) /* a pattern, or not there */
        dir = arena_strdup(a, real);
    for (; dir && dir[1]; dir = file_folder(a, dir)) {
        const char *settings = arena_printf(a, "%s/npu-advise.json", dir),
                   *git = arena_printf(a, "%s/.git", dir);
        if (access(git, F_OK) == 0)
            sandbox_may_read(p, git);
        if (access(settings, F_OK) == 0)
            sandbox_may_read(p, dir);
    }
    sandbox_may_read(p, "/npu-advise.json");
}

static void may_read_own(Arena *a, SandboxPaths *p)
{
    sandbox_may_read(p, data_path(a, ""));
    sandbox_may_read(p, data_silicon_path(a, ""));
    sandbox_may_read(p, "/sys/devices/system/cpu"); /* how many processors there are */
    sandbox_may_read(p, "/proc/self");
    sandbox_may_read(p, "/dev/urandom");
    sandbox_may_write(p, "/dev/null");
}

/* The folder that a pattern looks into, which no shell has filled in. */
static void may_read_pattern(Arena *a, SandboxPaths *p, const char *word)
{
    size_t plain = strcspn(word, "*?[");
    if (word[plain])
        sandbox_may_read(p, file_folder(a, arena_strndup(a, word, plain)));
}

/* By a runner, which needs a folder for the files that it is given. */
static bool runs_models(const Args *args)
{
    return args_flag(args, OPTION_VERIFY) || args_text(args, OPTION_DATA, NULL);
}

static bool is_doctor(const Args *args)
{
    return args->command->id == COMMAND_DOCTOR;
}

static void collect_sandbox_paths(Arena *a, const Args *args, SandboxPaths *p)
{
    const char *temporary = getenv("TMPDIR");
    may_read_own(a, p);
    for (size_t i = 0; i < args->npositional; i++) {
        sandbox_may_read_word(p, a, args->positional[i]);
        may_read_settings(a, p, args->positional[i]);
        may_read_pattern(a, p, args->positional[i]);
    }
    for (size_t i = 0; i < args->ngiven; i++) {
        const OptionGiven *o = &args->given[i];
        if (!is_output(o->id) && *o->value)
            sandbox_may_read_word(p, a, o->value);
        if (o->id == OPTION_POINTS) /* with the tables that it names */
            sandbox_may_read(p, file_folder(a, o->value));
        if (is_output(o->id) && strcmp(o->value, "-"))
            sandbox_may_write_output(p, a, o->value);
    }
    bool many = args->command->id == COMMAND_SHARDS ||
                (args->command->id == COMMAND_ADVISE &&
                 (args_text(args, OPTION_SHARDS, NULL) || args_text(args, OPTION_SHARD, NULL) ||
                  models_are_many(args->positional, args->npositional)));
    if (runs_models(args) || is_doctor(args) || many)
        sandbox_may_write(p, temporary && *temporary ? temporary : "/tmp");
}

Status confine(Context *c, const Args *args)
{
    const char *const *command;
    Status st = STATUS_OK;
    if (args_flag(args, OPTION_NO_SANDBOX))
        return STATUS_OK;
    if (is_doctor(args)) { /* without them, it says so */
        static const char *const python[] = {"python3", NULL};
        (void)helper_start(c->arena, python, &c->python, c->diag);
        const char **simulator = ARENA_ARRAY(c->arena, const char *, 2); /* in any language */
        *simulator = executable_sibling(c->arena, "npu-exec");
        if (*simulator)
            (void)helper_start(c->arena, simulator, &c->helper, c->diag);
    }
    if (runs_models(args)) {
        st = runner_command(c->arena, args_text(args, OPTION_RUNNER, NULL), &command, c->diag);
        st = st ? st : helper_start(c->arena, command, &c->helper, c->diag);
    }
    const char *metric = args_text(args, OPTION_METRIC, NULL);
    st = st || !metric ? st
                       : runner_split_command(c->arena, metric, OPTION_METRIC, &command, c->diag);
    if (!st && metric)
        st = helper_start(c->arena, command, &c->metric, c->diag);
    if (st)
        return st;
    SandboxPaths *p = ARENA_NEW(c->arena, SandboxPaths);
    collect_sandbox_paths(c->arena, args, p);
    sandbox_enter(p);
    return STATUS_OK;
}

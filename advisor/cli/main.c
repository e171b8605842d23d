/* Reads the command line, runs one command, and prints its notes and errors.  Nothing below this
 * file prints to stderr or ends the process. */
#include "advisor/cli/command_words.def"
#include "advisor/cli/confine.h"
#include "advisor/cli/help.h"
#include "advisor/cli/output.h"
#include "advisor/cli/shards_args.h"
#include "advisor/cli/values.h"
#include "advisor/fleet/models.h"
#include "advisor/message/plain.h"
#include "graph/base/data.h"
#include "graph/base/exit_cleanup.h"
#include "graph/base/limits.h"
#include "graph/options/suggest.h"

#include <cjson/cJSON.h>

/* Names in messages come from the input: shown plainly, never interpreted by the terminal, and
 * not without end. */
static void print_line(FILE *err, const char *prefix, const char *text)
{
    enum { COLUMNS = 1200 };
    int columns = 0;
    fputs(prefix, err);
    while (*text && columns < COLUMNS) {
        char buf[PLAIN_CHAR_SIZE];
        int width;
        fputs(plain_char(buf, &text, &width), err);
        columns += width;
    }
    fputs(*text ? "…\n" : "\n", err);
}

static Status show_help(Context *c, const Args *args, bool *ret_done)
{
    const char *shell = args_text(args, OPTION_COMPLETION, NULL);
    const char *values = args_text(args, OPTION_VALUES, NULL);
    *ret_done = true;
    bool all = args_flag(args, OPTION_HELP_ALL);
    if (args_flag(args, OPTION_HELP) && !args->named && !args->npositional)
        help_program(c->out);
    else if (all || args_flag(args, OPTION_HELP))
        help_command(c->out, args->command, all);
    else if (args_flag(args, OPTION_VERSION))
        help_version(c->out);
    else if (args_flag(args, OPTION_MAN))
        help_manual(c->out);
    else if (values)
        return values_print(c->arena, c->out, values, c->diag);
    else if (shell)
        help_completion(c->out, shell);
    else
        *ret_done = false;
    return STATUS_OK;
}

/* A misspelt command looks like a model that is not there. */
static Status check_misspelt(Context *c, const Args *args)
{
    if (args->command != &command_table[0] || args->npositional == 0)
        return STATUS_OK;
    const char *word = args->positional[0], *name[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        name[i] = command_table[i].name;
    const char *near = suggest_nearest(word, name, COMMAND_COUNT);
    const char *instead = phrase_by_key(c->language, "TYPED_", word); /* of other tools */
    bool helps = args_flag(args, OPTION_HELP); /* of a command: a model has none */
    if (strchr(word, '/') || access(word, F_OK) == 0 || (!near && !helps && strchr(word, '.')))
        return STATUS_OK;
    if (instead != word)
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL, "'%s' %s", word, instead);
    return diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                    "'%s' is neither a file nor a command; %s%s%s", word,
                    near ? "did you mean '" : "`npu-advise --help` lists them", near ? near : "",
                    near ? "'?" : "");
}

/* A run over many models takes the time that they need: the limits apply to each model, in a
 * separate process. */
static bool is_of_many(const Args *args)
{
    CommandId id = args->command->id;
    return id == COMMAND_SHARDS || id == COMMAND_MERGE || args->npositional == 0 ||
           (id == COMMAND_ADVISE && (args_text(args, OPTION_SHARD, NULL) ||
                                     models_are_many(args->positional, args->npositional)));
}

/* Who verifies reads a trace of each of hundreds of runs. */
enum { VERIFY_TIMES = 10 };

static double default_time(Arena *a, const Args *args)
{
    size_t n;
    const char **trace = args_all(a, args, OPTION_TRACE, &n);
    double seconds = limits_default_time(args->positional, args->npositional, trace, n);
    return args_flag(args, OPTION_VERIFY) ? VERIFY_TIMES * seconds : seconds;
}

static Status set_limits(Context *c, const Args *args)
{
    const char *memory = args_text(args, OPTION_MEMORY, NULL),
               *time = args_text(args, OPTION_TIME, NULL);
    size_t bytes = (size_t)MEMORY_DEFAULT_MIB << 20;
    bool many = is_of_many(args);
    double seconds = many ? 0 : default_time(c->arena, args);
    if (memory && !limits_read_memory(memory, &bytes))
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                        "--memory '%s' is not a size of 16 MiB or more, such as 2GiB", memory);
    if (time && !limits_read_time(time, &seconds))
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                        "--time '%s' is not a time with a unit (ms, s, min, h), such as 30s", time);
    limits_set_memory(bytes);
    limits_set_time(many ? 0 : seconds);
    return STATUS_OK;
}

static Status run_command(Context *c, const Args *args)
{
    static Status (*const run[COMMAND_COUNT])(Context * c, const Args *args) = {
#define COMMAND(id, function, ...) [COMMAND_##id] = cmd_##function,
#include "advisor/options/commands.def"
    };
    bool done;
    Status st = check_misspelt(c, args);
    st = st ? st : show_help(c, args, &done);
    if (!st && !done && args->command->id != COMMAND_DOCTOR) /* which tells by itself */
        st = data_check(data_path(c->arena, "schema"), c->diag);
    if (!st && !done)
        st = output_check_files(c, args);
    if (!st && !done)
        st = confine(c, args);
    return st || done ? st : run[args->command->id](c, args);
}

/* Notes on the analysis, which the result holds; others are about input that is damaged or ignored.
 */
static bool is_of_result(const char *cause)
{
#define BEGINS(start) !strncmp(cause, start, strlen(start)) ||
    return RESULT_CAUSES(BEGINS) false;
}

static void print_notes(const Notes *notes, const Args *args, const Language *lang)
{
    bool shown = args->command &&
                 (args->command->id == COMMAND_ADVISE || args->command->id == COMMAND_TUNE ||
                  args->command->id == COMMAND_APPLY || args->command->id == COMMAND_SHOW);
    for (size_t i = 0; i < notes->nnote && !args_flag(args, OPTION_QUIET); i++)
        if (!shown || !is_of_result(notes->note[i].cause))
            print_line(stderr, phrase_text(lang, PHRASE_NOTE),
                       message_format(notes->arena, lang, notes->note[i].said));
}

int main(int argc, char **argv)
{
    static char output[1 << 18];
    exit_cleanup_startup("npu-advise");
    limits_startup();
    cJSON_InitHooks(&(cJSON_Hooks){limits_alloc, free});
    Arena *a = arena_new(0);
    Notes notes;
    Diag diag = {0};
    Args args = {0};
    Context c = {.arena = a, .notes = &notes, .out = stdout, .err = stderr, .diag = &diag};
    notes_init(&notes, a);
    if (argc == 1) {
        help_first(stderr);
        return status_exit_code(STATUS_USAGE);
    }
    if (!isatty(STDOUT_FILENO)) /* a log may take both streams: notes do not come amid a line */
        setvbuf(stdout, output, _IOFBF, sizeof output);
    xml_startup();
    Status st = language_choose(a, argc, argv, option_flag(OPTION_LANG), &diag);
    c.language = language_spoken();
    st = st ? st : args_parse(a, argc, argv, &args, &diag);
    st = st ? st : shards_args(a, &args, &diag);
    st = st ? st : set_limits(&c, &args);
    st = st ? st : run_command(&c, &args);
    print_notes(&notes, &args, c.language);
    if ((fflush(stdout) || ferror(stdout)) && !st)
        st = diag_set(&diag, STATUS_INPUT, "stdout", NULL, "cannot write: %s", strerror(errno));
    if (st)
        print_line(stderr, "npu-advise: ", diag.text);
    int code = st ? status_exit_code(st) : c.exit_code;
    arena_free(a);
    return code;
}

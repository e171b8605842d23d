/* Says where each option goes, reads the command line and prints the help. */
#include "graph/base/wrap.h"
#include "npu_exec/session/option_values.h"
#include "npu_exec/session/exec_together.def"

typedef enum { TAKES_U64, TAKES_U32, TAKES_WORD, TAKES_TEXT, SETS, CLEARS, CALLS } ValueUse;

/* Where a number, the index of a word or a text goes, or which function reads it. */
typedef struct {
    OptionId id;
    ValueUse kind;
    size_t offset;
    OptionReader *set;
    size_t given; /* of a bool that says so; 0: none */
} RunOption;

#define AT(option, takes, field)                                                                   \
    {.id = OPTION_##option, .kind = takes, .offset = offsetof(ExecOptions, field)},
#define GIVEN(option, takes, field, flag)                                                          \
    {.id = OPTION_##option,                                                                        \
     .kind = takes,                                                                                \
     .offset = offsetof(ExecOptions, field),                                                       \
     .given = offsetof(ExecOptions, flag)},
#define BY(option, reader) {.id = OPTION_##option, .kind = CALLS, .set = reader},
static const RunOption run_option[] = {
#include "npu_exec/session/exec_targets.def"
};
enum { NRUN_OPTION = sizeof run_option / sizeof run_option[0], HELP_LEFT = 26 };

/* Stores a value that its row allows.  Of two words, the second sets a flag. */
static void store_value(const RunOption *r, ExecOptions *o, const char *value)
{
    char *field = (char *)o + r->offset;
    const OptionRow *row = option_row(OPTION_OF_EXEC, r->id);
    uint64_t number = 0;
    int word = 1;
    if (row->kind == OPTION_KIND_WHOLE)
        option_read_whole(row, value, &number);
    if (row->kind == OPTION_KIND_WORDS)
        option_read_word(row, value, &word);
    if (r->kind == TAKES_U64)
        memcpy(field, &number, sizeof number);
    else if (r->kind == TAKES_U32)
        memcpy(field, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
    else if (r->kind == TAKES_WORD)
        memcpy(field, &word, sizeof word);
    else if (r->kind == TAKES_TEXT)
        memcpy(field, &value, sizeof value);
    else
        *(bool *)field = word == (r->kind == SETS);
    if (r->given)
        *(bool *)((char *)o + r->given) = true;
}

/* Those of the run, or those of the compile. */
static void help_rows(const Wrap *w, FILE *out, bool compile)
{
    for (const OptionRow *r = NULL; (r = option_next(OPTION_OF_EXEC, r));) {
        const OptionRow *too = option_row(OPTION_OF_ADVISE, r->id);
        if (!r->help || option_is_compile(r->id) != compile)
            continue;
        int at = fprintf(out, "  %s%s%s", option_flag(r->id), *r->argument ? " " : "", r->argument);
        wrap_words(w, out, HELP_LEFT, at, *r->help ? r->help : too->help);
    }
}

void exec_options_help(FILE *out)
{
    Wrap w = wrap_for(out);
    fputs(wording_of("usage: npu-exec MODEL [options]\n\n"), out);
    wrap_words(&w, out, 0, 0,
               "Compiles an ONNX model and runs it on a simulated NPU: transaction-level timing, "
               "not cycle-accurate, no hardware involved. Statistics go to stdout.");
    fputs(wording_of("\nRun:\n"), out);
    help_rows(&w, out, false);
    fputs(wording_of("\nCompile:\n"), out);
    help_rows(&w, out, true);
}

typedef struct {
    Arena *a;
    ExecOptions *o;
} Parse;

static Status take_option(void *user, OptionGiven given, Diag *diag)
{
    const Parse *p = user;
    const RunOption *r = run_option;
    if (option_is_compile(given.id))
        return compile_option_set(&p->o->compile, p->a, given.id, given.value, diag);
    while (r->id != given.id)
        r++;
    assert(r < run_option + NRUN_OPTION);
    if (r->kind == CALLS)
        return r->set(p->o, p->a, given.value, diag);
    store_value(r, p->o, given.value);
    return STATUS_OK;
}

static Status take_word(void *user, const char *word, Diag *diag)
{
    ExecOptions *o = ((const Parse *)user)->o;
    if (o->model)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "one model at a time: '%s' follows '%s'",
                        word, o->model);
    o->model = word;
    return STATUS_OK;
}

/* What can be told of the options only together. */
static Status check_together(const ExecOptions *o, Diag *diag)
{
    bool closed = o->sim.arrivals == ARRIVALS_CLOSED;
    bool folders = o->input_dir && o->output_dir,
         data = o->data && (o->ranges || o->layers || o->output_dir);
    const struct {
        bool wrong;
        const char *text;
    } rule[] = {
#define RULE(wrong, text) {wrong, text},
        TOGETHER(RULE)};
    return LIST_VALUE(i, sizeof rule / sizeof rule[0], rule[i].wrong,
                      diag_set(diag, STATUS_USAGE, NULL, NULL, "%s", rule[i].text), STATUS_OK);
}

/* Labelled inferences, and those in a pause, are all there are; a duration fits as many as it can.
 */
static void count_runs(ExecOptions *o)
{
    if (o->nlabel > 0)
        o->sim.runs = 0;
    for (size_t i = 0; i < o->nlabel; i++)
        o->sim.runs += o->label[i].runs;
    if (o->sim.duration > 0)
        o->sim.runs = SIM_MAX_RUNS - o->sim.warmup;
}

Status exec_options_parse(Arena *a, int argc, char **argv, ExecOptions *ret, Diag *diag)
{
    ExecOptions o = {0};
    compile_options_init(&o.compile);
    sim_options_init(&o.sim);
    o.record.verbosity = RECORD_LAYER;
    Status st =
        option_read_line(a, &(OptionTaker){OPTION_OF_EXEC, &(Parse){a, &o}, take_option, take_word},
                         argc, argv, diag);
    count_runs(&o);
    if (!st && !o.help)
        st = check_together(&o, diag);
    if (!st && o.queue_depth > 0 && o.queue_depth < o.sim.workers)
        o.sim.workers = o.queue_depth; /* those that nothing is given to are as good as none */
    if (!st)
        *ret = o;
    return st;
}

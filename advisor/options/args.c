/* Builds the table from options.def and checks each word of the command line against it. */
#include "advisor/options/command.h"

#include "advisor/message/process.h"
#include "graph/base/suggest.h"

#include <assert.h>
#include <string.h>

const char trace_table_choice[] = "one of the tables"
#define TRACE_TABLE(name) " " #name
#include "advisor/options/trace_tables.def"
#undef TRACE_TABLE
    ;

#define FLAG                                            OPTION_FLAG, 0, 0
#define TEXT                                            OPTION_TEXT, 0, 0
#define FILE_NAME                                       OPTION_FILE, 0, 0
#define FOLDER                                          OPTION_FOLDER, 0, 0
#define WHOLE(lo, hi)                                   OPTION_WHOLE, lo, hi
#define REAL(lo, hi)                                    OPTION_REAL, lo, hi
#define TIME                                            OPTION_TIME, 0, 0
#define SECONDS                                         OPTION_SECONDS, 0, 0
#define WORDS                                           OPTION_WORDS, 0, 0
#define GLOBAL                                          OPTION_GLOBAL
#define OFTEN                                           OPTION_OFTEN
#define IN_INPUT                                        OPTION_IN_INPUT
#define IN_SETUP                                        OPTION_IN_SETUP
#define IN_GOAL                                         OPTION_IN_GOAL
#define IN_TRIAL                                        OPTION_IN_TRIAL
#define IN_ROWS                                         OPTION_IN_ROWS
#define IN_GATE                                         OPTION_IN_GATE
#define IN_MANY                                         OPTION_IN_MANY
#define IN_OUTPUT                                       OPTION_IN_OUTPUT
#define IN_PROGRAM                                      OPTION_IN_PROGRAM
#define RUN                                             OPTION_RUN
#define SETTING                                         OPTION_SETTING
#define PRINTS                                          OPTION_PRINTS
#define OPTION(name, letter, kind, argument, use, help) {name, letter, kind, argument, help, use},
static const OptionRow table[] = {
#include "advisor/options/options.def"
};
#undef OPTION
enum { NTABLE = sizeof table / sizeof *table };

static const OptionRow *row_of(const OptionRow *row, size_t n, const char *name, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(row[i].name) == len && !memcmp(row[i].name, name, len))
            return &row[i];
    return NULL;
}

static const OptionRow *find_row(const char *name, size_t len, bool *ret_compile)
{
    size_t n;
    const OptionRow *compile = compile_option_table(&n), *own = row_of(table, NTABLE, name, len);
    *ret_compile = !own;
    return own ? own : row_of(compile, n, name, len);
}

const OptionRow *args_option_named(const char *name, bool *ret_compile)
{
    return find_row(name, strlen(name), ret_compile);
}

static bool command_accepts(const Command *c, const OptionRow *row, bool compile)
{
    if (!c || (row->use & OPTION_GLOBAL))
        return true;
    const char *group = compile ? "compile" : row->use & OPTION_RUN ? "run" : row->name;
    for (const char *const *o = c->options; *o; o++)
        if (!strcmp(*o, group))
            return true;
    return false;
}

bool args_command_takes(const Command *c, const char *name)
{
    bool compile;
    const OptionRow *row = args_option_named(name, &compile);
    return row && command_accepts(c, row, compile);
}

void args_option_each(const Command *command, void (*each)(void *, const OptionRow *), void *user)
{
    size_t n;
    const OptionRow *compile = compile_option_table(&n);
    for (size_t i = 0; i < NTABLE; i++)
        if (command_accepts(command, &table[i], false))
            each(user, &table[i]);
    for (size_t i = 0; i < n; i++)
        if (command_accepts(command, &compile[i], true))
            each(user, &compile[i]);
}

/* One word of argv that is an option, cut into name and value. */
typedef struct {
    const OptionRow *row;
    const char *value; /* NULL: none given with "=" */
    bool compile;
} Word;

static bool find_option(Word *w, const char *name, size_t len, char letter)
{
    w->row = letter ? NULL : find_row(name, len, &w->compile);
    for (size_t i = 0; i < NTABLE && letter; i++)
        if (table[i].letter == letter)
            w->row = &table[i];
    return w->row != NULL;
}

static void collect_name(void *user, const OptionRow *row)
{
    word_list_add(user, row->name);
}

static Status unknown_option(Arena *a, const char *word, const char *name, Diag *diag)
{
    WordList l = {.a = a};
    args_option_each(NULL, collect_name, &l);
    const char *near = suggest_nearest(name, l.word, l.n);
    if (near)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "unknown option '%s'; did you mean '--%s'?",
                        word, near);
    return diag_set(diag, STATUS_USAGE, NULL, NULL,
                    "unknown option '%s'; `npu-advise --help` lists them", word);
}

/* Cuts "--name=value", "--name", "-x" or "-xvalue" into `w`. */
static Status cut_word(Arena *a, const char *word, Word *w, Diag *diag)
{
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    size_t len = is_long ? strcspn(name, "=") : 1;
    if (!find_option(w, name, len, is_long ? 0 : *name))
        return unknown_option(a, word, arena_strndup(a, name, len), diag);
    const char *rest = name + len;
    w->value = !*rest ? NULL : rest + (*rest == '=' ? 1 : 0);
    if (w->row->kind == OPTION_FLAG && *rest)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "option '--%s' takes no value",
                        w->row->name);
    return STATUS_OK;
}

typedef struct {
    Arena *a;
    Args *args;
    size_t cap_given, cap_positional;
} Parse;

static Status take_option(Parse *p, Word *w, Diag *diag)
{
    Args *g = p->args;
    const char *value = w->value ? w->value : "";
    *VEC_PUSH(p->a, g->given, g->ngiven, p->cap_given) =
        (UserOption){w->row->name, value, w->compile};
    bool known;
    return w->compile ? compile_option_set(&g->compile, p->a, w->row->name, value, &known, diag)
                      : option_check(w->row, value, diag);
}

static Status scan_words(Parse *p, int argc, char **argv, Diag *diag)
{
    bool options = true;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        if (!options || word[0] != '-' || !word[1]) {
            *VEC_PUSH(p->a, p->args->positional, p->args->npositional, p->cap_positional) = word;
            continue;
        }
        if (!strcmp(word, "--")) {
            options = false;
            continue;
        }
        Word w = {0};
        Status st = cut_word(p->a, word, &w, diag);
        if (st)
            return st;
        if (w.row->kind != OPTION_FLAG && !w.value) {
            if (i + 1 == argc)
                return diag_set(diag, STATUS_USAGE, NULL, NULL, "option '--%s' needs a value",
                                w.row->name);
            w.value = argv[++i];
        }
        if ((st = take_option(p, &w, diag)))
            return st;
    }
    return STATUS_OK;
}

/* The first positional argument names the command, if it is one; else it is the model. */
static void choose_command(Args *g, const Command *const *commands)
{
    assert(commands[0]);
    g->command = commands[0];
    for (const Command *const *c = commands; *c && g->npositional; c++) {
        if (strcmp((*c)->name, g->positional[0]))
            continue;
        g->command = *c;
        g->named = true;
        g->positional++;
        g->npositional--;
        return;
    }
}

static Status check_taken(const Parse *p, Diag *diag)
{
    const Args *g = p->args;
    const char *wrong = NULL;
    for (size_t i = 0; i < g->ngiven && !wrong; i++)
        if (!args_command_takes(g->command, g->given[i].name))
            wrong = g->given[i].name;
    if (!wrong)
        return STATUS_OK;
    return diag_set(diag, STATUS_USAGE, NULL, NULL,
                    "'%s' takes no option '--%s'; `npu-advise %s --help` lists those it takes",
                    g->command->name, wrong, g->command->name);
}

Status args_parse(Arena *a, const Command *const *commands, int argc, char **argv, Args *ret,
                  Diag *diag)
{
    Args g = {0};
    compile_options_init(&g.compile);
    Parse p = {.a = a, .args = &g};
    Status st = scan_words(&p, argc, argv, diag);
    if (st)
        return st;
    choose_command(&g, commands);
    if ((st = check_taken(&p, diag)))
        return st;
    *ret = g;
    return STATUS_OK;
}

void args_add(Arena *a, Args *g, const char *name, const char *value)
{
    UserOption *given = ARENA_ARRAY(a, UserOption, g->ngiven + 1);
    if (g->ngiven)
        memcpy(given, g->given, g->ngiven * sizeof *given);
    given[g->ngiven++] = (UserOption){name, value, false};
    g->given = given;
}

Status args_set(Arena *a, Args *g, const char *name, const char *value, Diag *diag)
{
    bool compile, known;
    const OptionRow *row = args_option_named(name, &compile);
    if (!row)
        return unknown_option(a, name, name, diag);
    Status st = compile ? compile_option_set(&g->compile, a, row->name, value, &known, diag)
                        : option_check(row, value, diag);
    args_add(a, g, row->name, value);
    g->given[g->ngiven - 1].compile = compile;
    return st;
}

bool args_flag(const Args *g, const char *name)
{
    return args_last(g, name) != NULL;
}

const UserOption *args_last(const Args *g, const char *name)
{
    for (size_t i = g->ngiven; i-- > 0;)
        if (!strcmp(g->given[i].name, name))
            return &g->given[i];
    return NULL;
}

const char *args_text(const Args *g, const char *name, const char *fallback)
{
    const UserOption *last = args_last(g, name);
    return last ? last->value : fallback;
}

const char **args_all(Arena *a, const Args *g, const char *name, size_t *ret_count)
{
    const char **all = ARENA_ARRAY(a, const char *, g->ngiven + 1);
    size_t n = 0;
    for (size_t i = 0; i < g->ngiven; i++)
        if (!strcmp(g->given[i].name, name))
            all[n++] = g->given[i].value;
    *ret_count = n;
    return all;
}

/* The last value given, which parsing has checked; NULL: none. */
static const char *checked_value(const Args *g, const char *name, OptionKind kind,
                                 const OptionRow **ret)
{
    bool compile;
    *ret = args_option_named(name, &compile);
    assert(*ret && !compile &&
           ((*ret)->kind == kind || (kind == OPTION_TIME && (*ret)->kind == OPTION_SECONDS)));
    return args_text(g, name, NULL);
}

int64_t args_int(const Args *g, const char *name, int64_t fallback)
{
    const OptionRow *row;
    const char *text = checked_value(g, name, OPTION_WHOLE, &row);
    bool read = text && option_read_whole(row, text, &fallback);
    assert(read == (text != NULL));
    return fallback;
}

double args_real(const Args *g, const char *name, double fallback)
{
    const OptionRow *row;
    const char *text = checked_value(g, name, OPTION_REAL, &row);
    bool read = text && option_read_real(row, text, &fallback);
    assert(read == (text != NULL));
    return fallback;
}

int64_t args_time_ns(const Args *g, const char *name, int64_t fallback)
{
    const OptionRow *row;
    const char *text = checked_value(g, name, OPTION_TIME, &row);
    bool read = text && option_read_time(row, text, &fallback);
    assert(read == (text != NULL));
    return fallback;
}

int args_word(const Args *g, const char *name, int fallback)
{
    const OptionRow *row;
    int64_t word = fallback;
    const char *text = checked_value(g, name, OPTION_WORDS, &row);
    bool read = text && option_read_word(row, text, &word);
    assert(read == (text != NULL));
    return (int)word;
}

Status args_choice(const Args *g, const char *name, const char *words, int fallback, int *ret,
                   Diag *diag)
{
    const OptionRow row = {.name = name, .kind = OPTION_WORDS, .argument = words};
    const char *text = args_text(g, name, NULL);
    int64_t word = fallback;
    if (text && !option_read_word(&row, text, &word))
        return option_check(&row, text, diag);
    *ret = (int)word;
    return STATUS_OK;
}

Status args_positional(const Args *g, size_t lo, size_t hi, const char *what, Diag *diag)
{
    assert(lo <= hi);
    if (g->npositional < lo)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "%s needs %s; `npu-advise %s --help`",
                        g->command->name, what, g->command->name);
    if (g->npositional > hi)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "%s takes %s; '%s' is one too many",
                        g->command->name, what, g->positional[hi]);
    return STATUS_OK;
}

/* Parsing the command line against the option table. */
#include "advisor/options/command.h"
#include "graph/base/suggest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char trace_table_choice[] = "one of the tables"
#define TRACE_TABLE(name) " " #name
#include "advisor/options/trace_tables.def"
#undef TRACE_TABLE
    ;

static const OptionRow table[] = {
#define OPTION(name, letter, argument, help) {name, letter, argument, help},
#include "advisor/options/options.def"
#undef OPTION
};
enum { NTABLE = sizeof table / sizeof *table };

const OptionRow *option_table(size_t *ret_count)
{
    *ret_count = NTABLE;
    return table;
}

/* Options that every command takes. */
static bool is_global(const char *name)
{
    static const char *const global[] = {"help",  "version", "man",  "completion",
                                         "quiet", "memory",  "time", "no-sandbox"};
    for (size_t i = 0; i < sizeof global / sizeof *global; i++)
        if (!strcmp(global[i], name))
            return true;
    return false;
}

bool command_takes(const Command *c, const char *name)
{
    if (!c || is_global(name))
        return true;
    for (const char *const *o = c->options; *o; o++)
        if (!strcmp(*o, name))
            return true;
    return false;
}

void option_each(const Command *command, void (*each)(void *, const OptionRow *), void *user)
{
    for (size_t i = 0; i < NTABLE; i++)
        if (command_takes(command, table[i].name))
            each(user, &table[i]);
    size_t n;
    const OptionText *text = compile_option_table(&n);
    for (size_t i = 0; i < n && command_takes(command, "compile"); i++) {
        OptionRow row = {text[i].name, 0, text[i].argument, text[i].help};
        each(user, &row);
    }
}

/* One word of argv that is an option, cut into name and value. */
typedef struct {
    const char *name;
    const char *value; /* NULL: none given with "=" */
    bool compile, flag;
} Word;

static bool find_option(Word *w, const char *name, size_t len, char letter)
{
    for (size_t i = 0; i < NTABLE; i++) {
        const OptionRow *r = &table[i];
        bool hit =
            letter ? r->letter == letter : strlen(r->name) == len && !memcmp(r->name, name, len);
        if (!hit)
            continue;
        *w = (Word){.name = r->name, .flag = !*r->argument};
        return true;
    }
    size_t n;
    const OptionText *text = compile_option_table(&n);
    for (size_t i = 0; i < n && !letter; i++) {
        if (strlen(text[i].name) != len || memcmp(text[i].name, name, len))
            continue;
        *w = (Word){.name = text[i].name, .flag = !*text[i].argument, .compile = true};
        return true;
    }
    return false;
}

typedef struct {
    Arena *a;
    const char **name;
    size_t n, cap;
} NameList;

static void collect_name(void *user, const OptionRow *row)
{
    NameList *l = user;
    *VEC_PUSH(l->a, l->name, l->n, l->cap) = row->name;
}

static Status unknown_option(Arena *a, const char *word, const char *name, Diag *diag)
{
    NameList l = {.a = a};
    option_each(NULL, collect_name, &l);
    const char *near = args_nearest(name, l.name, l.n);
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
    if (w->flag && *rest)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "option '--%s' takes no value", w->name);
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
    *VEC_PUSH(p->a, g->given, g->ngiven, p->cap_given) = (GivenOption){w->name, value, w->compile};
    bool known;
    return w->compile ? compile_option_set(&g->compile, p->a, w->name, value, &known, diag)
                      : STATUS_OK;
}

static Status scan(Parse *p, int argc, char **argv, Diag *diag)
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
        if (!w.flag && !w.value) {
            if (i + 1 == argc)
                return diag_set(diag, STATUS_USAGE, NULL, NULL, "option '--%s' needs a value",
                                w.name);
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
    g->command = commands[0];
    for (const Command *const *c = commands; *c && g->npositional; c++) {
        if (strcmp((*c)->name, g->positional[0]))
            continue;
        g->command = *c;
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
        if (!command_takes(g->command, g->given[i].compile ? "compile" : g->given[i].name))
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
    Status st = scan(&p, argc, argv, diag);
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
    GivenOption *given = ARENA_ARRAY(a, GivenOption, g->ngiven + 1);
    if (g->ngiven)
        memcpy(given, g->given, g->ngiven * sizeof *given);
    given[g->ngiven++] = (GivenOption){name, value, false};
    g->given = given;
}

bool args_flag(const Args *g, const char *name)
{
    return args_text(g, name, NULL) != NULL;
}

const char *args_text(const Args *g, const char *name, const char *fallback)
{
    for (size_t i = g->ngiven; i-- > 0;)
        if (!strcmp(g->given[i].name, name))
            return g->given[i].value;
    return fallback;
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

Status args_int(const Args *g, const char *name, int64_t fallback, int64_t lo, int64_t hi,
                int64_t *ret, Diag *diag)
{
    const char *text = args_text(g, name, NULL);
    if (!text) {
        *ret = fallback;
        return STATUS_OK;
    }
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < lo || value > hi)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--%s '%s' is not a whole number from %lld to %lld", name, text,
                        (long long)lo, (long long)hi);
    *ret = value;
    return STATUS_OK;
}

Status args_real(const Args *g, const char *name, double fallback, double lo, double hi,
                 double *ret, Diag *diag)
{
    const char *text = args_text(g, name, NULL);
    if (!text) {
        *ret = fallback;
        return STATUS_OK;
    }
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= lo && value <= hi))
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "--%s '%s' is not a number from %g to %g",
                        name, text, lo, hi);
    *ret = value;
    return STATUS_OK;
}

/* `bare` says whether a number without a unit is seconds. */
static Status time_from(const Args *g, const char *name, bool bare, int64_t fallback, int64_t *ret,
                        Diag *diag)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"", 1e9}};
    size_t nunit = sizeof units / sizeof *units - !bare;
    const char *text = args_text(g, name, NULL);
    if (!text) {
        *ret = fallback;
        return STATUS_OK;
    }
    char *end;
    double value = strtod(text, &end);
    for (size_t i = 0; end != text && i < nunit; i++) {
        double ns = value * units[i].ns;
        if (strcmp(end, units[i].unit) || !(ns >= 0 && ns < 1e18))
            continue;
        *ret = llround(ns);
        return STATUS_OK;
    }
    return diag_set(diag, STATUS_USAGE, NULL, NULL,
                    "--%s '%s' is not a time with a unit (ns, us, ms, s), such as 10ms", name,
                    text);
}

Status args_time_ns(const Args *g, const char *name, int64_t fallback, int64_t *ret, Diag *diag)
{
    return time_from(g, name, false, fallback, ret, diag);
}

Status args_seconds_ns(const Args *g, const char *name, int64_t fallback, int64_t *ret, Diag *diag)
{
    return time_from(g, name, true, fallback, ret, diag);
}

Status args_choice(const Args *g, const char *name, const char *choice, int fallback, int *ret,
                   Diag *diag)
{
    const char *text = args_text(g, name, NULL), *word = choice;
    for (int i = 0; text; i++) {
        size_t len = strcspn(word, "|");
        if (strlen(text) == len && !memcmp(text, word, len)) {
            *ret = i;
            return STATUS_OK;
        }
        if (!word[len])
            return diag_set(diag, STATUS_USAGE, NULL, NULL, "--%s '%s' is not one of %s", name,
                            text, choice);
        word += len + 1;
    }
    *ret = fallback;
    return STATUS_OK;
}

Status args_positional(const Args *g, size_t lo, size_t hi, const char *what, Diag *diag)
{
    if (g->npositional < lo)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "%s needs %s; `npu-advise %s --help`",
                        g->command->name, what, g->command->name);
    if (g->npositional > hi)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "%s takes %s; '%s' is one too many",
                        g->command->name, what, g->positional[hi]);
    return STATUS_OK;
}

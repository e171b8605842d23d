/* Holds the table of options, converts their values by kind, and reads command lines. */
#include "graph/options/option.h"

#include "default_target.h"
#include "graph/options/suggest.h"

static const char trace_table_choice[] = "one of the tables"
#define TRACE_TABLE(name) " " #name
#include "graph/options/trace_tables.def"
    ;

enum {
#define OPTION_GROUP(name, title) IN_##name = OPTION_GROUP_##name << OPTION_GROUP_SHIFT,
#include "graph/options/option_groups.def"
};

#define FLAG          OPTION_KIND_FLAG, 0, 0, NULL
#define TEXT          OPTION_KIND_TEXT, 0, 0, NULL
#define FILE_NAME     OPTION_KIND_FILE, 0, 0, NULL
#define FOLDER        OPTION_KIND_FOLDER, 0, 0, NULL
#define WHOLE(lo, hi) OPTION_KIND_WHOLE, lo, hi, NULL
#define REAL(lo, hi)  OPTION_KIND_REAL, lo, hi, NULL
#define TIME          OPTION_KIND_TIME, 0, 0, NULL
#define SECONDS       OPTION_KIND_SECONDS, 0, 0, NULL
#define WORDS         OPTION_KIND_WORDS, 0, 0, NULL
#define CHOICE(words) OPTION_KIND_WORDS, 0, 0, words
#define SETTING       OPTION_USE_SETTING
#define PRINTS        OPTION_USE_PRINTS
#define OFTEN         OPTION_USE_OFTEN
#define SAME          ""
#define OPTION(id, of, name, letter, kind, argument, commands, use, help)                          \
    {OPTION_##id, OPTION_OF_##of, letter, kind, argument, help, use},
#define EXEC_TOO(id, kind, argument, help)                                                         \
    {OPTION_##id, OPTION_OF_EXEC, 0, kind, argument, help, 0},
static const OptionRow option_table[] = {
#include "graph/options/options.def"
};

static const char *const flag_table[] = {
    "",
#define OPTION(id, of, name, ...) "--" name,
#define EXEC_TOO(id, ...)         /* has its name already */
#include "graph/options/options.def"
};
static_assert(sizeof flag_table / sizeof *flag_table == OPTION_COUNT, "a name for each option");

const char *option_flag(OptionId id)
{
    assert(id > OPTION_NONE && id < OPTION_COUNT);
    return flag_table[id];
}

const char *option_name(OptionId id)
{
    return option_flag(id) + strlen("--");
}

const OptionRow *option_next(OptionProgram p, const OptionRow *row)
{
    const OptionRow *end = option_table + sizeof option_table / sizeof *option_table;
    for (row = row ? row + 1 : option_table; row < end; row++)
        if (row->program & p)
            return row;
    return NULL;
}

const OptionRow *option_row(OptionProgram p, OptionId id)
{
    const OptionRow *r = option_next(p, NULL);
    while (r && r->id != id)
        r = option_next(p, r);
    return r;
}

static const OptionRow *row_named(OptionProgram p, const char *name, size_t len)
{
    for (const OptionRow *r = option_next(p, NULL); r; r = option_next(p, r))
        if (strlen(option_name(r->id)) == len && !memcmp(option_name(r->id), name, len))
            return r;
    return NULL;
}

const OptionRow *option_named(OptionProgram p, const char *name)
{
    return row_named(p, name, strlen(name));
}

bool option_is_compile(OptionId id)
{
    const OptionRow *r = option_row(OPTION_OF_EXEC, id);
    return r && r->program == OPTION_OF_BOTH;
}

OptionGroup option_group(const OptionRow *r)
{
    return (OptionGroup)(r->use >> OPTION_GROUP_SHIFT);
}

const char *option_group_title(OptionGroup g)
{
    static const char *const title[] = {
#define OPTION_GROUP(name, title) title,
#include "graph/options/option_groups.def"
    };
    static_assert(sizeof title / sizeof *title == OPTION_GROUPS, "a title for each group");
    assert(g < OPTION_GROUPS);
    return title[g];
}

/* ---- values ---- */

bool option_read_whole(const OptionRow *r, const char *text, uint64_t *ret)
{
    char *end;
    assert(r->lo <= r->hi);
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    bool is_plain = r->program == OPTION_OF_EXEC
                        ? isdigit((unsigned char)*text) != 0
                        : end != text && (value == 0 || !strchr(text, '-'));
    if (!is_plain || *end || errno || value < r->lo || value > r->hi)
        return false;
    *ret = value;
    return true;
}

bool option_read_real(const OptionRow *r, const char *text, double *ret)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= (double)r->lo && value <= (double)r->hi))
        return false;
    *ret = value;
    return true;
}

bool option_read_time(const OptionRow *r, const char *text, int64_t *ret_ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"", 1e9}};
    size_t nunit = sizeof units / sizeof *units - (r->kind != OPTION_KIND_SECONDS);
    char *end;
    double value = strtod(text, &end);
    for (size_t i = 0; end != text && i < nunit; i++) {
        double ns = value * units[i].ns;
        if (strcmp(end, units[i].unit) || !(ns >= 0 && ns < 1e18))
            continue;
        *ret_ns = llround(ns);
        return true;
    }
    return false;
}

/* "a|b|c" */
static const char *row_words(const OptionRow *r)
{
    return r->words ? r->words : r->argument;
}

bool option_read_word(const OptionRow *r, const char *text, int *ret)
{
    const char *word = row_words(r);
    for (int i = 0;; i++) {
        size_t len = strcspn(word, "|");
        if (strlen(text) == len && !memcmp(text, word, len)) {
            *ret = i;
            return true;
        }
        if (!word[len])
            return false;
        word += len + 1;
    }
}

const char *option_expected(Arena *a, const OptionRow *r)
{
    switch (r->kind) {
    case OPTION_KIND_WHOLE:
        return arena_printf(a, "a whole number from %llu to %llu", (unsigned long long)r->lo,
                            (unsigned long long)r->hi);
    case OPTION_KIND_REAL:
        return arena_printf(a, "a number from %llu to %llu", (unsigned long long)r->lo,
                            (unsigned long long)r->hi);
    case OPTION_KIND_TIME:
    case OPTION_KIND_SECONDS:
        return "a time with a unit (ns, us, ms, s), such as 10ms";
    case OPTION_KIND_WORDS:
        return arena_printf(a, "one of %s", row_words(r));
    case OPTION_KIND_FLAG:
        return "true or false";
    case OPTION_KIND_TEXT:
    case OPTION_KIND_FILE:
    case OPTION_KIND_FOLDER:
        break;
    }
    return "text";
}

static bool is_allowed(const OptionRow *r, const char *value)
{
    uint64_t whole;
    int64_t ns;
    double real;
    int word;
    return r->kind == OPTION_KIND_WHOLE  ? option_read_whole(r, value, &whole)
           : r->kind == OPTION_KIND_REAL ? option_read_real(r, value, &real)
           : r->kind == OPTION_KIND_TIME || r->kind == OPTION_KIND_SECONDS
               ? option_read_time(r, value, &ns)
           : r->kind == OPTION_KIND_WORDS ? option_read_word(r, value, &word)
                                          : true;
}

Status option_check(const OptionRow *r, const char *value, Diag *diag)
{
    if (is_allowed(r, value))
        return STATUS_OK;
    Arena *a = arena_new(0);
    Status st = diag_set(diag, STATUS_USAGE, NULL, NULL, "%s '%s' is not %s", option_flag(r->id),
                         value, option_expected(a, r));
    arena_free(a);
    return st;
}

/* ---- command lines ---- */

static Status unknown_option(Arena *a, const char *word, const char *name, Diag *diag)
{
    const char **all = ARENA_ARRAY(a, const char *, OPTION_COUNT), *near;
    size_t n = 0;
    for (const OptionRow *r = NULL; (r = option_next(OPTION_OF_ADVISE, r));)
        all[n++] = option_name(r->id);
    if ((near = suggest_nearest(name, all, n)))
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "unknown option '%s'; did you mean '--%s'?",
                        word, near);
    return diag_set(diag, STATUS_USAGE, NULL, NULL,
                    "unknown option '%s'; `npu-advise --help` lists them", word);
}

static Status refuse_use(OptionId id, const char *fact, Diag *diag)
{
    return diag_set(diag, STATUS_USAGE, NULL, NULL, "option '%s' %s", option_flag(id), fact);
}

static const OptionRow *row_lettered(char letter)
{
    for (const OptionRow *r = NULL; (r = option_next(OPTION_OF_ADVISE, r));)
        if (r->letter == letter)
            return r;
    return NULL;
}

/* One word of argv that is an option, "--name=value", "--name", "-x" or "-xvalue", and the next for
 * its value, which *ret_used says. */
static Status read_option(Arena *a, const OptionTaker *t, const char *word, const char *next,
                          bool *ret_used, Diag *diag)
{
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    size_t len = is_long ? strcspn(name, "=") : 1;
    const OptionRow *r = is_long ? row_named(t->program, name, len) : row_lettered(*name);
    const char *rest = name + len, *value = *rest ? rest + (*rest == '=') : next;
    bool is_flag = r && r->kind == OPTION_KIND_FLAG;
    if (!r && t->program == OPTION_OF_EXEC)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "no option --%.*s; see npu-exec --help",
                        (int)len, name);
    if (!r)
        return unknown_option(a, word, arena_strndup(a, name, len), diag);
    if (is_flag && *rest)
        return refuse_use(r->id, "takes no value", diag);
    if (!is_flag && !value)
        return refuse_use(r->id, "needs a value", diag);
    *ret_used = !is_flag && !*rest;
    value = is_flag ? "" : value;
    Status st = option_is_compile(r->id) ? STATUS_OK : option_check(r, value, diag);
    return st ? st : t->take(t->user, (OptionGiven){r->id, value}, diag);
}

Status option_read_line(Arena *a, const OptionTaker *t, int argc, char **argv, Diag *diag)
{
    bool has_letters = t->program == OPTION_OF_ADVISE, options = true;
    Status st = STATUS_OK;
    for (int i = 1; i < argc && !st; i++) {
        const char *word = argv[i];
        bool used = false, is_long = !strncmp(word, "--", 2);
        if (!options || !(is_long || (has_letters && word[0] == '-' && word[1])))
            st = t->take_word(t->user, word, diag);
        else if (has_letters && !strcmp(word, "--"))
            options = false;
        else
            st = read_option(a, t, word, argv[i + 1], &used, diag);
        i += used;
    }
    return st;
}
